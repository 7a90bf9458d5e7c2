import Ferry

/// The file of an error, read again around the location of the error.
struct ErrorSource {
  /// A line of a text, divided at a column.
  struct Line {
    let before: String
    let after: String
    /// True if the text before the column begins before the part that was read.
    let isCutBefore: Bool
    /// True if the text after the column ends after the part that was read.
    let isCutAfter: Bool
  }

  /// The path of the file; nil for a pipe, which cannot be read again.
  private let path: String?

  /// The number of bytes before and after a location that are read: enough for a line of any terminal.
  private static let reach = 4096

  init(name: String) {
    // A file as the standard input can be opened again by this name.
    let path = name == "-" ? "/dev/stdin" : name
    self.path = Folder.isFile(path) ? path : nil
  }

  /// Returns the bytes of the file in a range, as far as the file has them. Returns nil if the file cannot be read.
  func bytes(in range: Range<Int>) -> [UInt8]? {
    guard let path else { return nil }
    return (try? FileInput.bytes(of: path, in: range)) ?? nil
  }

  /// Returns the line around a byte. Returns nil if the byte is not at the column, or if the line is not UTF-8.
  func line(at byte: Int, column: Int) -> Line? {
    let start = max(0, byte - Self.reach)
    guard let bytes = bytes(in: start..<byte + Self.reach), byte - start <= bytes.count else { return nil }
    let before = bytes[..<(byte - start)]
    let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 }
    let isCutBefore = lineStart == nil && start > 0
    let after = bytes[(byte - start)...]
    let lineEnd = after.firstIndex(of: UInt8(ascii: "\n"))
    let isCutAfter = lineEnd == nil && bytes.count == byte - start + Self.reach
    guard let head = Self.text(before[(lineStart ?? 0)...], isCutBefore: isCutBefore),
      let tail = Self.text(after[..<(lineEnd ?? bytes.count)], isCutAfter: isCutAfter),
      isCutBefore || head.unicodeScalars.count == column - 1
    else { return nil }
    let trimmed = tail.hasSuffix("\r") ? String(tail.dropLast()) : tail
    return Line(before: head, after: trimmed, isCutBefore: isCutBefore, isCutAfter: isCutAfter)
  }

  /// Returns a line by its number, divided at a column. Returns nil if the file has no such location.
  func line(_ number: Int, column: Int) -> Line? {
    guard let path, let input = try? FileInput(path: path) else { return nil }
    var lines = number - 1
    var lineStart = number == 1 ? 0 : nil as Int?
    var offset = 0
    try? input.forEachChunk { chunk throws(FerryError) in
      for index in chunk.indices where lines > 0 && chunk[index] == UInt8(ascii: "\n") {
        lines -= 1
        if lines == 0 { lineStart = offset + index + 1 }
      }
      offset += chunk.count
    }
    // The column counts scalars, each of at most four bytes, and not a byte order mark.
    guard let lineStart, let bytes = bytes(in: lineStart..<lineStart + 4 * (column + 1)) else { return nil }
    let scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars
    let hasMark = lineStart == 0 && scalars.first == "\u{feff}"
    let before = String(scalars.prefix(hasMark ? column : column - 1))
    return line(at: lineStart + before.utf8.count, column: column)
  }

  /// Returns bytes as text without a byte order mark, or nil if they are not UTF-8. A scalar that is cut at an end is
  /// left out.
  private static func text(
    _ bytes: ArraySlice<UInt8>, isCutBefore: Bool = false, isCutAfter: Bool = false
  ) -> String? {
    var bytes = bytes
    if isCutBefore { bytes = bytes.drop { $0 & 0xc0 == 0x80 } }
    if isCutAfter, let last = bytes.lastIndex(where: { $0 & 0xc0 != 0x80 }), bytes[last] >= 0x80 {
      bytes = bytes[..<last]
    }
    guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else { return nil }
    return text.unicodeScalars.first == "\u{feff}" ? String(text.unicodeScalars.dropFirst()) : text
  }
}
