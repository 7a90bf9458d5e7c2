import Ferry

/// The correction of a suggested option. The argument parser suggests whichever option differs in the fewest
/// letters, such as `--from` for `--json`.
enum Suggestion {
  /// Returns the message without a suggestion that is not near, and with the way to name a format.
  static func corrected(_ message: String) -> String {
    let marks = message.split(separator: "'", maxSplits: 4, omittingEmptySubsequences: false)
    guard marks.count == 5, marks[0].hasSuffix("Unknown option "), marks[2] == ". Did you mean " else {
      return message
    }
    let (typed, suggested) = (String(marks[1]), String(marks[3]))
    guard NearMiss.nearest(to: typed, among: [suggested]) == nil else { return message }
    let name = String(typed.drop { $0 == "-" })
    let hint = Format(name: name) == nil ? "" : " (use --to \(name) for the output format)"
    return "\(marks[0])'\(typed)'\(hint)." + marks[4].drop { $0 == "?" }
  }
}
