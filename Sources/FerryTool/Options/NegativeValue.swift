/// A negative number as the value of `set` and `insert`. The argument parser would take it for an option.
enum NegativeValue {
  static let commands = ["set", "insert"]
  /// The index of the first value among the operands of the commands: the file, a path, a value, and more paths and values.
  private static let operandIndex = 2

  /// Returns a command line in which a negative number in the place of a value is after `--`, with the paths and values after it.
  ///
  ///     set a.json x -5         →     set a.json x -- -5
  ///     set a.json x -5 y 6     →     set a.json x -- -5 y 6
  ///     set a.json -5 x         →     set a.json -5 x
  ///     set a.json x -5 y -     →     set a.json x -- -5 y -
  ///     set a.json x -5 -- y -z     →     set a.json x -- -5 y -z
  ///     set --files-from f -0 x -5     →     set --files-from f -0 x -- -5
  ///
  /// A number in the place of a path stays an unknown option. After the value, it would change the value at another path. A dash stays the
  /// standard input, because only a `--` that the user has written makes it a value as any other.
  static func separated(_ arguments: [String]) -> [String] {
    let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
    guard let name = arguments.first, commands.contains(name),
      arguments[..<end].contains(where: isNegativeNumber)
    else { return arguments }
    let operands = operands(in: arguments)
    let isNegative = operands.map { isNegativeNumber(arguments[$0]) }
    guard let first = isNegative.firstIndex(of: true), first >= operandIndex,
      case let moved = operands.indices[first...],
      moved.allSatisfy({ $0.isMultiple(of: 2) || !isNegative[$0] })
    else { return arguments }
    let indices = Set(moved.map { operands[$0] })
    let others = arguments[..<end].indices.filter { !indices.contains($0) }
    return others.map { arguments[$0] } + ["--"] + moved.map { arguments[operands[$0]] }
      + arguments[end...].dropFirst()
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
    // With a list of files, -0 says that its names end with a zero byte.
    let hasZeroOption = ListedFiles.areGiven(in: arguments)
    var operands: [Int] = []
    var index = 1
    while index < arguments.count, arguments[index] != "--" {
      let argument = arguments[index]
      let isNumber = isNegativeNumber(argument) && !(hasZeroOption && argument == "-0")
      if argument == "-" || !argument.hasPrefix("-") || isNumber || isOther(argument) {
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
