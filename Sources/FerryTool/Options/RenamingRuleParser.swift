import ArgumentParser
import Ferry

/// A parser of a rule that renames, `old=new`. Names are written as keys in paths: a name with an equals
/// sign, a bracket or a quote has quotes.
///
///     Person.first=firstName
///     Person["home.city"]="home town"
struct RenamingRuleParser {
  private let text: String
  private let scalars: [Unicode.Scalar]
  /// A rule with an equals sign in a name, for messages.
  private let example: String
  private var index = 0
  /// True if the old name has quotes, so that the equals sign after it is the one before the new name.
  private var hasQuotes = false

  init(_ text: String, example: String) {
    self.text = text
    self.example = example
    scalars = Array(text.unicodeScalars)
  }

  private func scalar(at index: Int) -> Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

  /// Returns true if a name in quotes, or in brackets and quotes, begins at an index.
  private func hasQuotedName(at index: Int) -> Bool {
    let quote = scalar(at: scalar(at: index) == "[" ? index + 1 : index)
    return quote == "\"" || quote == "'"
  }

  /// Parses a name in quotes; nil if none is here.
  mutating func quotedName() throws(ValidationError) -> String? {
    guard hasQuotedName(at: index) else { return nil }
    hasQuotes = true
    return try quoted()
  }

  /// Parses a key in quotes, after a period or not; nil if none is here.
  mutating func quotedKey() throws(ValidationError) -> String? {
    if scalar(at: index) == ".", hasQuotedName(at: index + 1) { index += 1 }
    return try quotedName()
  }

  /// Parses a name without quotes: up to the equals sign or a key in quotes.
  mutating func plainName() -> String {
    let start = index
    while let scalar = scalar(at: index), scalar != "=" {
      if scalar == "[", hasQuotedName(at: index) { break }
      if scalar == ".", hasQuotedName(at: index + 1) { break }
      index += 1
    }
    return string(scalars[start..<index])
  }

  /// Parses the equals sign and the new name, which end the rule.
  mutating func newName() throws(ValidationError) -> String {
    guard scalar(at: index) == "=" else { throw problem("expected \"=\" and a new name", at: index) }
    index += 1
    if scalar(at: index) == "[" || hasQuotedName(at: index) {
      let name = try quoted()
      guard index == scalars.count else { throw problem("expected nothing after the new name", at: index) }
      return name
    }
    let name = string(scalars[index...])
    guard !name.isEmpty else { throw problem("expected a new name (the empty one is \"\")", at: index) }
    guard hasQuotes || !name.unicodeScalars.contains("=") else {
      throw ValidationError("write a name with an equals sign in quotes, as in \(example)")
    }
    return name
  }

  private mutating func quoted() throws(ValidationError) -> String {
    do throws(FerryError) {
      return try ValuePath.key(quotedIn: text, at: &index)
    } catch {
      guard case .path(.badSyntax(_, let offset, let why)) = error.reason else {
        throw ValidationError(error.advised)
      }
      throw problem(why, at: offset)
    }
  }

  private func problem(_ why: String, at index: Int) -> ValidationError {
    ValidationError("\(why) (at character \(index + 1))")
  }

  private func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }
}
