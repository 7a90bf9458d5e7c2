import ArgumentParser
import Ferry

/// A rule of `--key`: `Person.first=firstName`, `MyApp.Person.first=firstName`, `Person["a=b"]="c d"`; for a column of a table
/// `name=title`.
struct KeyName {
  /// Every way to divide the rule into a class and a key. Both names may contain periods.
  let readings: [(type: String, key: String)]
  /// The name of a column of a table, if the rule may mean one.
  let column: String?
  let new: String
  /// The rule as given.
  let text: String

  init(parsing text: String) throws(ValidationError) {
    self.text = text
    var parser = RenamingRuleParser(text, example: "Person[\"a=b\"]=c")
    let type = try parser.quotedName()
    let plain = parser.plainName()
    let key = try parser.quotedKey()
    readings = Self.readings(type, plain, key)
    column = key == nil && (type == nil || plain.isEmpty) ? type ?? plain : nil
    // An empty name of a column has quotes.
    let isColumn = column.map { !$0.isEmpty || type != nil } ?? false
    guard !readings.isEmpty || isColumn else { throw ValidationError(Self.expectation) }
    new = try parser.newName()
  }

  /// The words for the form of a rule.
  static let expectation = "expected a class and its key, as in Person.first=firstName"

  /// Returns the readings of a class in quotes, a name without quotes, and a key in quotes.
  private static func readings(
    _ type: String?, _ plain: String, _ key: String?
  ) -> [(type: String, key: String)] {
    let scalars = plain.unicodeScalars
    let readings: [(type: String, key: String)] =
      switch (type, key) {
      case (let type?, let key?): scalars.isEmpty ? [(type, key)] : []
      case (let type?, nil): scalars.first == "." ? [(type, String(scalars.dropFirst()))] : []
      case (nil, let key?): [(plain, key)]
      case (nil, nil):
        scalars.indices.reversed().filter { scalars[$0] == "." }.map { point in
          (String(scalars[..<point]), String(scalars[scalars.index(after: point)...]))
        }
      }
    return readings.filter { !$0.type.isEmpty && (key != nil || !$0.key.isEmpty) }
  }
}
