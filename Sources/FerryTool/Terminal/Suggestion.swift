import Ferry

/// A correction of the argument parser's suggestions. The parser suggests the option that differs in the
/// fewest letters, however many these are: `--from` for `--json`.
enum Suggestion {
  /// Returns the message without a suggestion that differs in too many letters. If the unknown option is the
  /// name of a format, the message says how to name a format.
  static func corrected(_ message: String) -> String {
    let marks = message.split(separator: "'", maxSplits: 4, omittingEmptySubsequences: false)
    guard marks.count == 5, marks[0].hasSuffix("Unknown option "), marks[2] == ". Did you mean " else {
      return message
    }
    let (typed, suggested) = (String(marks[1]), String(marks[3]))
    guard NearMiss.nearest(to: typed, among: [suggested]) == nil else { return message }
    let name = String(typed.drop { $0 == "-" })
    let hint = Format(name: name) == nil ? "" : " (ferry convert --to \(name) writes the format)"
    return "\(marks[0])'\(typed)'\(hint)." + marks[4].drop { $0 == "?" }
  }
}
