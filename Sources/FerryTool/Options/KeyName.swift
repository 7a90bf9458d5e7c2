import ArgumentParser
import Ferry

/// A rule of `--key`: `Person.first=firstName`, `MyApp.Person.first=firstName`, `Person["a=b"]=c`.
struct KeyName: ExpressibleByArgument {
  /// Every way to divide the rule into a class and a key. Both names may contain periods.
  let readings: [(type: String, key: String)]
  let new: String
  /// The rule as given.
  let text: String

  init?(argument: String) {
    text = argument
    guard let (left, right) = Self.parts(of: argument), !right.isEmpty else { return nil }
    new = right
    if let quoted = Self.quotedKey(left) {
      readings = [quoted]
      return
    }
    readings = left.indices.filter { left[$0] == "." }.reversed().compactMap { point in
      let (type, key) = (String(left[..<point]), String(left[left.index(after: point)...]))
      return type.isEmpty || key.isEmpty ? nil : (type, key)
    }
    guard !readings.isEmpty else { return nil }
  }

  /// Returns the parts before and after the equals sign; after `"]` in a rule with a quoted key.
  private static func parts(of argument: String) -> (String, String)? {
    if argument.contains("[\""), let end = argument.firstRange(of: "\"]=") {
      return (String(argument[..<end.lowerBound]) + "\"]", String(argument[end.upperBound...]))
    }
    let parts = argument.split(separator: "=", omittingEmptySubsequences: false)
    return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
  }

  private static func quotedKey(_ text: String) -> (type: String, key: String)? {
    guard text.hasSuffix("\"]"), let start = text.firstRange(of: "[\"") else { return nil }
    let (type, key) = (String(text[..<start.lowerBound]), String(text[start.upperBound...].dropLast(2)))
    return type.isEmpty || key.isEmpty ? nil : (type, key)
  }
}
