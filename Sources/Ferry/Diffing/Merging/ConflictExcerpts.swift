/// The parts of long strings, numbers or data in a conflict, from the first difference on between two versions that would look alike.
///
///     from offset 110: ours "3\nX\nstep 15", theirs "3\nY\nstep 15", base "3\nstep 14\nstep 15"
struct ConflictExcerpts {
  /// The offset of the parts in bytes.
  let start: Int
  /// True if characters that are not ASCII are escaped, to tell parts apart that look alike.
  private let escapesCharacters: Bool

  /// Fails if no two different versions look alike, or those that do are not strings, numbers or data of one kind.
  init?(ours: Value?, theirs: Value?, base: Value?) {
    for case (let value?, let other?) in [(ours, theirs), (ours, base), (theirs, base)]
    where value != other && value.words.looksLike(other.words) {
      guard let excerpt = LongScalar.Excerpt(of: value, beside: other),
        let second = LongScalar.Excerpt(of: other, beside: value)
      else { continue }
      start = excerpt.start
      escapesCharacters = excerpt.words.looksLike(second.words)
      return
    }
    return nil
  }

  /// Returns the part of a version; nil for a version that is not a string, number or data.
  func words(_ value: Value) -> String? {
    guard let scalar = LongScalar(value) else { return nil }
    let words = LongScalar.Excerpt(of: scalar, from: start).words
    guard escapesCharacters else { return words }
    return words.unicodeScalars.map { $0.isASCII ? String($0) : $0.escaped }.joined()
  }
}

extension LongScalar.Excerpt {
  /// The part in words, with `…` if the scalar goes on after it.
  fileprivate var words: String {
    let end = isCut ? "…" : ""
    return switch value {
    case .string(let text): MessageText.quoted(text).dropLast() + end + "\""
    case .number(let digits): digits + end
    case .data(let bytes):
      "<" + bytes.map { String(UInt16($0) + 0x100, radix: 16).dropFirst() }.joined(separator: " ")
        + (isCut ? " …>" : ">")
    default: value.words
    }
  }
}
