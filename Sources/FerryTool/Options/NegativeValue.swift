/// A negative number as the value of `set` and `insert`, or as the text that `find` finds. The argument parser would take it for an option.
enum NegativeValue {
  static let commands = ["set", "insert"]
  /// The index of the first value among the operands of the commands: the file, a path, a value, and more paths and values.
  private static let operandIndex = 2

  /// The options of `find` that say what to find, so that all operands are files.
  static let optionsInPlaceOfPattern = ["-e", "--key", "--type", "--class"]

  /// Returns a command line in which a negative number in the place of a value is after `--`, with the paths and values after it.
  ///
  ///     set a.json x -5         →     set a.json x -- -5
  ///     set a.json x -5 y 6     →     set a.json x -- -5 y 6
  ///     set a.json -5 x         →     set a.json -5 x
  ///     set a.json x -5 y -     →     set a.json x -- -5 y -
  ///     set a.json x -5 -- y -z     →     set a.json x -- -5 y -z
  ///     set --files-from f -0 x -5     →     set --files-from f -0 x -- -5
  ///     find -5 a.json b.json          →     find -- -5 a.json b.json
  ///
  /// A number in the place of a path stays an unknown option. After the value, it would change the value at another path. A dash stays the
  /// standard input, because only a `--` that the user has written makes it a value as any other.
  static func separated(_ arguments: [String]) -> [String] {
    let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
    guard let name = arguments.first, arguments[..<end].contains(where: isNegativeNumber) else {
      return arguments
    }
    if name == "find" { return separatedPattern(arguments, before: end) }
    guard commands.contains(name) else { return arguments }
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

  /// Returns a command line of `find` in which a negative number as the text to find is after `--`, with the files. `-0` stays an option.
  private static func separatedPattern(_ arguments: [String], before end: Int) -> [String] {
    let given = arguments[..<end]
    guard !given.contains(where: { optionsInPlaceOfPattern.contains(String($0.prefix { $0 != "=" })) }) else {
      return arguments
    }
    let operands = operands(in: arguments).filter { !isZeroOption(arguments[$0]) }
    let areNegative = operands.map { isNegativeNumber(arguments[$0]) }
    guard areNegative.first == true, !areNegative.dropFirst().contains(true) else { return arguments }
    let others = given.indices.filter { !operands.contains($0) }
    return others.map { arguments[$0] } + ["--"] + operands.map { arguments[$0] }
      + arguments[end...].dropFirst()
  }

  /// Returns true for `-0`, alone or with letters of other options.
  private static func isZeroOption(_ argument: String) -> Bool {
    argument.hasPrefix("-0") && !argument.dropFirst(2).contains { $0.isNumber || $0 == "." }
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
