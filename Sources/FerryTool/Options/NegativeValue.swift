/// A negative number as the value of `set` and `insert`. The argument parser would take it for an option.
enum NegativeValue {
  static let commands = ["set", "insert"]
  /// The index of the value among the operands of the commands: the file, the path and the value.
  private static let operandIndex = 2

  /// Returns a command line in which a negative number in the place of the value is after `--`.
  ///
  ///     set a.json x -5     →     set a.json x -- -5
  ///     set a.json -5 x     →     set a.json -5 x
  ///
  /// A number in the place of the path stays an unknown option. After the value, it would change the value at another path.
  static func separated(_ arguments: [String]) -> [String] {
    guard let name = arguments.first, commands.contains(name), !arguments.contains("--"),
      arguments.contains(where: isNegativeNumber)
    else { return arguments }
    let operands = operands(in: arguments)
    guard operands.count > operandIndex, isNegativeNumber(arguments[operands[operandIndex]]) else {
      return arguments
    }
    var others = arguments
    let number = others.remove(at: operands[operandIndex])
    return others + ["--", number]
  }

  /// Infinity as property lists, JSON5, YAML and programs write it, in small letters.
  private static let infinities = ["inf", ".inf", "infinity"]

  /// Returns true for an argument such as `-5`, `-.5` and `-inf`.
  static func isNegativeNumber(_ argument: String) -> Bool {
    guard argument.hasPrefix("-") else { return false }
    let number = argument.dropFirst()
    let digits = number.first == "." ? number.dropFirst() : number
    return digits.first?.isNumber == true || infinities.contains(number.lowercased())
  }

  /// Returns the indices of the arguments up to `--` that are neither options nor values of options. Negative numbers are among them.
  ///
  /// - Parameter isOther: Returns true for other arguments that begin with a dash and are not options.
  static func operands(
    in arguments: [String], including isOther: (String) -> Bool = { _ in false }
  ) -> [Int] {
    let valued = NamedCommand.named(by: arguments)?.optionsWithValues ?? []
    var operands: [Int] = []
    var index = 1
    while index < arguments.count, arguments[index] != "--" {
      let argument = arguments[index]
      if argument == "-" || !argument.hasPrefix("-") || isNegativeNumber(argument) || isOther(argument) {
        operands.append(index)
      } else if valued.contains(argument) {
        // The next argument is the value of the option.
        index += 1
      }
      index += 1
    }
    return operands
  }
}
