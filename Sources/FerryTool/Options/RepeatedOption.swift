import ArgumentParser
import Ferry

/// An option that takes one value and is given twice. The argument parser takes the last value, without a message.
enum RepeatedOption {
  /// The options of which the last value counts: they change no output to a file, and an alias of a shell may give one.
  private static let exceptions: Set<String> = ["--color", "--jobs"]

  /// Throws if an option that takes one value is given with two different ones.
  ///
  /// - Parameter type: The type that the arguments were parsed as: that of the command, unless they ask for help.
  static func check(_ arguments: [String], of type: any ParsableCommand.Type) throws(ValidationError) {
    guard mayRepeat(arguments), let command = NamedCommand.named(by: arguments), command.type == type
    else { return }
    let options = command.optionsWithOneValue.filter { exceptions.isDisjoint(with: $0) }
    var indices: [String: Int] = [:]
    for (index, names) in options.enumerated() {
      for name in names { indices[name] = index }
    }
    var values: [Int: String] = [:]
    for (name, value) in given(in: arguments, Set(command.optionsWithValues)) {
      guard let index = indices[name] else { continue }
      guard let other = values.updateValue(value, forKey: index), !other.equals(value) else { continue }
      throw problem(options[index].first { $0.hasPrefix("--") } ?? name, other, value)
    }
  }

  /// Returns the error of an option with two values.
  static func problem(_ name: String, _ value: String, _ other: String) -> ValidationError {
    ValidationError(
      "\(name) is given twice, with \(MessageText.quoted(value)) and \(MessageText.quoted(other)) (give one value)"
    )
  }

  /// Returns true if an option may be given twice. Only then does a run take the time to list the options of its command.
  private static func mayRepeat(_ arguments: [String]) -> Bool {
    var (names, letters): (Set<Substring>, Set<Character>) = ([], [])
    for argument in arguments.prefix(while: { $0 != "--" }) where argument.hasPrefix("-") {
      let name = argument.prefix { $0 != "=" }
      guard !name.hasPrefix("--") else {
        guard names.insert(name).inserted else { return true }
        continue
      }
      for letter in name.dropFirst() where !letters.insert(letter).inserted { return true }
    }
    // The short name of an option with a value is the first letter of its long name.
    return names.contains { name in name.dropFirst(2).first.map { letters.contains($0) } ?? false }
  }

  /// Returns the options up to `--` with their values, in order.
  ///
  /// - Parameter valued: The names of the options that take a value.
  private static func given(
    in arguments: [String], _ valued: Set<String>
  ) -> [(name: String, value: String)] {
    var given: [(name: String, value: String)] = []
    var rest = arguments.prefix { $0 != "--" }
    while let argument = rest.popFirst() {
      guard argument.hasPrefix("-") else { continue }
      let name = String(argument.prefix { $0 != "=" })
      let value = argument.dropFirst(name.count + 1)
      if !value.isEmpty {
        if valued.contains(name) { given.append((name, String(value))) }
        continue
      }
      // A number is the value of the option before it: -j4.
      if argument.dropFirst(2).first?.isNumber == true, !name.hasPrefix("--") { continue }
      // Short names may share a hyphen: -pt is -p -t.
      let names =
        name.hasPrefix("--") || valued.contains(name) ? [name] : name.dropFirst().map { "-\($0)" }
      for name in names where valued.contains(name) {
        guard let value = rest.popFirst() else { break }
        given.append((name, value))
      }
    }
    return given
  }
}
