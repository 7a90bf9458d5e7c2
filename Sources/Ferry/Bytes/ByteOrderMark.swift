/// A byte order mark, the bytes of U+FEFF at the beginning of a text. This is the only list of them.
///
///     ByteOrderMark.utf16BigEndian.begins(bytes)     // true if the text begins with FE FF
enum ByteOrderMark {
  case utf8, utf16LittleEndian, utf16BigEndian, utf32LittleEndian, utf32BigEndian

  /// The bytes of the mark.
  var bytes: [UInt8] {
    switch self {
    case .utf8: [0xef, 0xbb, 0xbf]
    case .utf16LittleEndian: [0xff, 0xfe]
    case .utf16BigEndian: [0xfe, 0xff]
    case .utf32LittleEndian: [0xff, 0xfe, 0, 0]
    case .utf32BigEndian: [0, 0, 0xfe, 0xff]
    }
  }

  /// Returns true if a text begins with the mark. One that begins with the mark of UTF-32 in little-endian order also begins with that
  /// of UTF-16.
  func begins(_ text: Span<UInt8>) -> Bool {
    let mark = bytes
    return text.count >= mark.count && text.extracting(first: mark.count).equals(mark.span)
  }

  /// Returns true if a text begins with the mark.
  func begins(_ text: [UInt8]) -> Bool { begins(text.span) }
}

extension Span<UInt8> {
  /// The number of bytes of a byte order mark in UTF-8 at the beginning of the text: three or none.
  var utf8MarkCount: Int { ByteOrderMark.utf8.begins(self) ? 3 : 0 }
}

extension Array<UInt8> {
  /// The number of bytes of a byte order mark in UTF-8 at the beginning of the text: three or none.
  var utf8MarkCount: Int { span.utf8MarkCount }
}
