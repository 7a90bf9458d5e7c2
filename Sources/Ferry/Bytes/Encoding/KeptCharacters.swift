/// The characters that come back when a text in an encoding is read again.
///
/// For some characters, `iconv` writes another one without an error: the backslash for a yen sign in CP932, and a control character for
/// any in IBM930. Each character is converted once, alone, to the encoding and back.
struct KeptCharacters {
  private enum Answer: UInt8 { case unknown, kept, lost }

  private let encoder: CharacterConverter
  private let decoder: CharacterConverter
  /// The answers for the characters of each block of 256, or nothing for a block without a character so far.
  private var blocks = [[UInt8]](repeating: [], count: 0x1100)
  private var keepsASCII = true

  /// Creates the characters of an encoding. Returns nil if the encoding has all characters, or is not supported.
  init?(ofEncodingNamed name: String) {
    guard !["UTF-8", "UTF-16", "UTF-32"].contains(where: name.uppercased().hasPrefix),
      let encoder = CharacterConverter(toEncodingNamed: name), let decoder = CharacterConverter(named: name)
    else { return nil }
    (self.encoder, self.decoder) = (encoder, decoder)
    for byte in 0..<0x80 as Range<UInt8> {
      let character = [byte]
      if isLost(UInt32(byte), character.span) { keepsASCII = false }
    }
  }

  /// Returns the offset of the next character that another one would replace, or the size of the text if there is none.
  ///
  /// - Parameters:
  ///   - text: Complete characters in UTF-8.
  ///   - start: The offset of a character.
  mutating func firstLost(in text: Span<UInt8>, from start: Int) -> Int {
    var offset = start
    while offset < text.count {
      if keepsASCII, text[offset] < 0x80 {
        offset += 1
        continue
      }
      let (scalar, length) = text.scalar(at: offset)
      let end = min(offset + length, text.count)
      if isLost(scalar, text.extracting(offset..<end)) { return offset }
      offset = end
    }
    return offset
  }

  private mutating func isLost(_ scalar: UInt32, _ character: Span<UInt8>) -> Bool {
    let (block, index) = (Int(scalar >> 8), Int(scalar & 0xff))
    guard block < blocks.count else { return false }
    if blocks[block].isEmpty { blocks[block] = [UInt8](repeating: Answer.unknown.rawValue, count: 256) }
    if blocks[block][index] == Answer.unknown.rawValue {
      blocks[block][index] = (comesBack(character) ? Answer.kept : .lost).rawValue
    }
    return blocks[block][index] == Answer.lost.rawValue
  }

  /// Returns true if a character comes back, or if the converter itself refuses it.
  private func comesBack(_ character: Span<UInt8>) -> Bool {
    var (encoded, decoded) = ([UInt8](), [UInt8]())
    let isEncoded = encoder.append(character, to: &encoded)
    encoder.dropPending()
    encoder.finish(to: &encoded)
    guard isEncoded else { return true }
    let isDecoded = decoder.append(encoded.span, to: &decoded)
    decoder.dropPending()
    decoder.finish(to: &decoded)
    return isDecoded && decoded.span.equals(character)
  }
}
