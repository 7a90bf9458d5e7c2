/// The syntax of regular expressions (ICU), checked as far as possible without compiling the expression:
/// brackets, escapes and repetitions.
enum PatternText {
  /// The options of `NSRegularExpression` with which `#` begins a comment, and with which the whole pattern
  /// is literal.
  private static let (comments, literal): (Int128, Int128) = (2, 4)

  /// Returns the reason why a text is not a valid regular expression, or nil if it is valid.
  static func flaw(of pattern: String, options: Int128) -> String? {
    guard options & (comments | literal) == 0 else { return nil }
    var scan = PatternScan(rest: pattern.unicodeScalars[...])
    return scan.flaw()
  }
}

/// A scanner that stops at the first flaw of a pattern.
private struct PatternScan {
  var rest: Substring.UnicodeScalarView
  private var groups = 0
  private var sets = 0
  private var canRepeat = false

  init(rest: Substring.UnicodeScalarView) { self.rest = rest }

  mutating func flaw() -> String? {
    while let next = rest.popFirst() {
      if let flaw = next == "\\" ? flawOfEscape() : sets > 0 ? flaw(inSetAt: next) : flaw(at: next) {
        return flaw
      }
    }
    if sets > 0 { return "a pattern has a ] for each [" }
    return groups > 0 ? "a pattern has a ) for each (" : nil
  }

  private mutating func flawOfEscape() -> String? {
    guard let escaped = rest.popFirst() else { return "a pattern does not end in a single \\" }
    canRepeat = true
    guard escaped == "Q" else { return nil }
    // The text between \Q and \E is literal.
    while let next = rest.popFirst() {
      if next == "\\", rest.first == "E" {
        rest.removeFirst()
        break
      }
    }
    return nil
  }

  /// Begins a set, whose first character may be a literal `]`.
  private mutating func openSet() {
    sets += 1
    if rest.first == "^" { rest.removeFirst() }
    if rest.first == "]" { rest.removeFirst() }
  }

  private mutating func flaw(inSetAt next: Unicode.Scalar) -> String? {
    if next == "[" { openSet() }
    if next == "]" { sets -= 1 }
    canRepeat = true
    return nil
  }

  private mutating func flaw(at next: Unicode.Scalar) -> String? {
    switch next {
    case "[":
      openSet()
    case "(":
      groups += 1
      canRepeat = false
      // The `?` in `(?` is not a repetition.
      if rest.first == "?" { rest.removeFirst() }
    case ")":
      groups -= 1
      canRepeat = true
      if groups < 0 { return "a pattern has a ( for each )" }
    case "|": canRepeat = false
    case "*", "+", "?":
      if !canRepeat { return "there is nothing before \(next) to be repeated" }
      // A second `?` or `+` makes the repetition reluctant or possessive.
      if rest.first == "?" || rest.first == "+" { rest.removeFirst() }
      canRepeat = false
    default: canRepeat = true
    }
    return nil
  }
}
