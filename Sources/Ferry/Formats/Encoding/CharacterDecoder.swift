/// A decoder of the characters of an XML document to UTF-8, in chunks.
enum CharacterDecoder {
  case utf8
  case utf16(UTF16Transcoder)
  case converter(CharacterConverter)

  /// True if the last character is complete.
  private var isWhole: Bool {
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
    case .converter(let converter):
      let isText = converter.append(chunk, to: &text)
      if !isText { converter.finish(to: &text) }
      return isText
    }
  }

  /// Ends the text, and appends a last character that the converter holds back because an accent may follow. Returns false if
  /// a character is incomplete.
  func finish(to text: inout [UInt8]) -> Bool {
    if case .converter(let converter) = self { converter.finish(to: &text) }
    return isWhole
  }
}
