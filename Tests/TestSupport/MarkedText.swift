import Ferry

/// Text with a place marked in it, so that no test counts columns by hand: `"<people><name>Ada1️⃣</people>"`.
public struct MarkedText {
  /// The text without the mark.
  public let text: String
  /// The place of the mark, or nil when there is none.
  public let location: InputLocation?

  /// Text with at most one mark, `1️⃣`.
  public init(_ marked: String) {
    let mark: Character = "1️⃣"
    guard let index = marked.firstIndex(of: mark) else {
      text = marked
      location = nil
      return
    }
    let before = marked[..<index]
    text = String(before) + marked[marked.index(after: index)...]
    let lineStart =
      before.lastIndex { $0 == "\n" || $0 == "\r\n" }.map(before.index(after:)) ?? before.startIndex
    location = InputLocation(
      line: before.utf8.count { $0 == UInt8(ascii: "\n") } + 1,
      column: before[lineStart...].unicodeScalars.count + 1,
      byte: before.utf8.count)
  }

  /// The text's UTF-8.
  public var bytes: [UInt8] { Array(text.utf8) }

  /// Returns true if the character after the mark is in two of the chunks into which the text is divided.
  public func hasCharacter(cutByChunksOf size: Int) -> Bool {
    guard let start = location?.byte, start < bytes.count else { return false }
    let length = bytes[(start + 1)...].prefix { $0 & 0xc0 == 0x80 }.count + 1
    return start / size != (start + length - 1) / size
  }
}
