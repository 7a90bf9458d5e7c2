/// The binary property lists of NeXTSTEP, in which a font stores its name. They are unrelated to `bplist`
/// files.
///
///     06 00 00 00  06 00 00 00  FE FF 00 41 00 62  00 00
///     a string     6 bytes      UTF-16, "Ab"       up to a multiple of 4
enum SerializedPropertyList {
  /// Returns the string in the bytes, or nil if they are not a serialized string.
  static func string(_ bytes: ArraySlice<UInt8>) -> String? {
    let header = Array(bytes.prefix(8))
    guard header.count == 8, header[0..<4].elementsEqual([6, 0, 0, 0]) else { return nil }
    let length = header[4...].reversed().reduce(0) { $0 << 8 | Int($1) }
    guard length >= 2, length % 2 == 0, (length + 3) / 4 * 4 == bytes.count - 8 else { return nil }
    let text = Array(bytes.dropFirst(8).prefix(length))
    let isBig = ByteOrderMark.utf16BigEndian.begins(text)
    guard isBig || ByteOrderMark.utf16LittleEndian.begins(text) else { return nil }
    let units = stride(from: 2, to: length, by: 2).map { index in
      let (first, second) = (UInt16(text[index]), UInt16(text[index + 1]))
      return isBig ? first << 8 | second : second << 8 | first
    }
    let string = String(decoding: units, as: UTF16.self)
    // A string with invalid surrogates would not encode to the same code units, so it stays data.
    return Array(string.utf16) == units ? string : nil
  }
}
