import Ferry

/// The line of a text, or the bytes of a binary file, at the location of an error, with a mark under the location.
///
///     people.xml:3:14: expected ">" after the tag name
///       <person id="1"
///                    ^
///     people.plist: byte 1204, object 17: …
///       000004b0  d1 01 02 5f 10 0f 4e 53  2e 6f 62 6a 65 63 74 73  ..._..NS.objects
///                             ^^
struct ErrorExcerpt {
  /// The lines of the excerpt. The last one has the mark.
  let lines: [String]

  private static let indentation = "  "

  /// Reads the excerpt from the file of an error. Fails if the file has no such location, for example because another
  /// program has changed it, or because it is a pipe.
  ///
  /// - Parameter width: The number of columns in a line of the terminal.
  init?(of error: NamedError, width: Int) {
    let location = error.error.location
    let file = ErrorSource(name: error.file)
    var isCompression = false
    if case .compression = error.reason { isCompression = true }
    let excerpt: [String]? =
      if let line = location.line {
        Self.text(of: file, line: line, column: location.column, byte: location.byte, width: width)
      } else if let byte = location.byte {
        Self.row(at: byte) { isCompression ? file.bytes(in: $0) : file.contentBytes(in: $0) }
      } else {
        nil
      }
    guard let excerpt else { return nil }
    lines = excerpt.map { Self.indentation + $0 }
  }

  // MARK: Text

  /// Returns the line of a text, and a line with the mark if the column is known.
  private static func text(of file: ErrorSource, line: Int, column: Int?, byte: Int?, width: Int) -> [String]?
  {
    guard let column else { return nil }
    guard let found = byte.flatMap({ file.line(at: $0, column: column) }) ?? file.line(line, column: column)
    else {
      // The bytes of a line that is not UTF-8 are shown.
      return byte.flatMap { row(at: $0) { file.contentBytes(in: $0) } }
    }
    guard !(found.before + found.after).allSatisfy(\.isWhitespace) else { return nil }
    return shortened(found, width: width - indentation.count)
  }

  /// Returns a line with its mark, both cut to the width. The mark is within the last third of a long line.
  private static func shortened(_ line: ErrorSource.Line, width: Int) -> [String] {
    var before = line.before.printable
    if line.isCutBefore || before.columnWidth > width * 2 / 3 {
      before = "…" + before.lastColumns(max(0, width * 2 / 3 - 1))
    }
    let space = max(1, width - before.columnWidth)
    var after = line.after.printable
    if line.isCutAfter || after.columnWidth > space { after = after.firstColumns(space - 1) + "…" }
    return [before + after, String(repeating: " ", count: before.columnWidth) + "^"]
  }

  // MARK: Bytes

  private static let rowLength = 16

  /// Returns the row of bytes that contains an offset, as `hexdump -C` prints it, and a line with the mark.
  private static func row(at offset: Int, in bytes: (Range<Int>) -> [UInt8]?) -> [String]? {
    guard offset >= 0 else { return nil }
    var start = offset / rowLength * rowLength
    // The end of the file is marked after its last byte.
    if offset == start, offset > 0, bytes(start..<start + 1)?.isEmpty != false { start -= rowLength }
    guard let bytes = bytes(start..<start + rowLength), !bytes.isEmpty, offset <= start + bytes.count
    else {
      return nil
    }
    var row = hexadecimal(start, digits: 8)
    let mark = row.count + 2 + (offset - start) * 3 + (offset - start) / 8
    for index in 0..<rowLength {
      row += index % 8 == 0 ? "  " : " "
      row += index < bytes.count ? hexadecimal(Int(bytes[index]), digits: 2) : "  "
    }
    let characters = bytes.map { (0x20..<0x7f).contains($0) ? $0 : UInt8(ascii: ".") }
    return [
      row + "  " + String(decoding: characters, as: UTF8.self), String(repeating: " ", count: mark) + "^^",
    ]
  }

  private static func hexadecimal(_ number: Int, digits: Int) -> String {
    let text = String(number, radix: 16)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}

extension String {
  /// The text with a space for each tab, and a replacement for other control characters, so that each takes one column.
  fileprivate var printable: String {
    String(String.UnicodeScalarView(unicodeScalars.map { $0 == "\t" ? " " : $0.isControl ? "\u{fffd}" : $0 }))
  }

  /// Returns the characters at the beginning that fit into a number of columns.
  fileprivate func firstColumns(_ width: Int) -> String {
    var used = 0
    return String(
      prefix {
        used += $0.columnWidth; return used <= width
      })
  }

  /// Returns the characters at the end that fit into a number of columns.
  fileprivate func lastColumns(_ width: Int) -> String {
    String(String(reversed()).firstColumns(width).reversed())
  }
}
