/// A decoder of the characters of an XML document to UTF-8, in chunks.
enum CharacterDecoder {
  case utf8
  case utf16(UTF16Transcoder)
  case converter(CharacterConverter)

  /// True if the last character is complete.
  var isWhole: Bool {
    switch self {
    case .utf8: true
    case .utf16(let transcoder): transcoder.isWhole
    case .converter(let converter): converter.isWhole
    }
  }

  /// Appends a chunk as UTF-8. If it contains bytes that are not text in the encoding, appends the text before
  /// them and returns false. The parser checks UTF-8.
  mutating func append(_ chunk: Span<UInt8>, to text: inout [UInt8]) -> Bool {
    switch self {
    case .utf8:
      text.append(copying: chunk)
      return true
    case .utf16(var transcoder):
      defer { self = .utf16(transcoder) }
      return transcoder.append(chunk, to: &text)
    case .converter(let converter): return converter.append(chunk, to: &text)
    }
  }
}
