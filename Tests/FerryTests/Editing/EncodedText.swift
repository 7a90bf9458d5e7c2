/// The encodings of an XML property list.
enum EncodedText: CaseIterable {
  case utf8, markedUTF8, utf16LittleEndian, utf16BigEndian, unmarkedUTF16

  /// Returns an XML text that declares the encoding in place of UTF-8.
  func declared(_ text: String) -> String {
    switch self {
    case .utf8, .markedUTF8: text
    default: text.replacing(#"encoding="UTF-8""#, with: #"encoding="UTF-16""#)
    }
  }

  /// Returns a text in the encoding, with its byte order mark.
  func bytes(_ text: String) -> [UInt8] {
    switch self {
    case .utf8: Array(text.utf8)
    case .markedUTF8: [0xef, 0xbb, 0xbf] + text.utf8
    case .utf16LittleEndian: [0xff, 0xfe] + text.utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }
    case .utf16BigEndian: [0xfe, 0xff] + text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] }
    case .unmarkedUTF16: text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] }
    }
  }
}
