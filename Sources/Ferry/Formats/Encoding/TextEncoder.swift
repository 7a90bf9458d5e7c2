/// An encoder of text in UTF-8 to another encoding, in chunks of any size.
///
/// A character that the encoding does not have becomes an escape of the format if it stands where the format has escapes: in a
/// string of JSON, in the text and the attributes of XML. Elsewhere, it is an error.
struct TextEncoder: ~Copyable {
  private let encoding: OutputEncoding
  private let escape: CharacterEscape?
  /// True if the encoding has all characters, but those beyond ASCII are written as escapes.
  private let onlyEscapes: Bool
  private let converter: CharacterConverter
  /// The characters that the converter does not replace by others; nil if it replaces none.
  private var kept: KeptCharacters?
  /// The bytes at the end of the last chunk that are a part of a character.
  private var pending: [UInt8] = []
  private var declaration: WrittenDeclaration?
  private var markup = MarkupScan()
  private var lines = LineCounter()
  private var hasBegun = false

  /// Creates an encoder.
  ///
  /// - Parameters:
  ///   - encoding: The encoding.
  ///   - escape: The notation of other characters, or nil if there is none.
  ///   - declaresEncoding: True if the text is an XML document, in whose declaration the encoding is named.
  init(
    to encoding: OutputEncoding, escape: CharacterEscape?, declaresEncoding: Bool
  ) throws(FerryError) {
    try self.init(to: encoding, escape, declaresEncoding: declaresEncoding, onlyEscapes: false)
  }

  /// Creates an encoder that writes an escape for each character beyond ASCII.
  init(escaping escape: CharacterEscape?) throws(FerryError) {
    let ascii = OutputEncoding(name: "US-ASCII", mark: [])
    try self.init(to: ascii, escape, declaresEncoding: false, onlyEscapes: true)
  }

  private init(
    to encoding: OutputEncoding, _ escape: CharacterEscape?, declaresEncoding: Bool, onlyEscapes: Bool
  ) throws(FerryError) {
    guard let converter = CharacterConverter(toEncodingNamed: encoding.name) else {
      throw FerryError(.content(.unknownEncoding(encoding.name)))
    }
    (self.encoding, self.escape, self.converter) = (encoding, escape, converter)
    self.onlyEscapes = onlyEscapes
    kept = KeptCharacters(ofEncodingNamed: encoding.name)
    declaration = declaresEncoding ? WrittenDeclaration(of: encoding) : nil
  }

  /// Appends an encoded chunk.
  ///
  /// - Throws: A `FerryError` with the reason `ContentProblem.notEncodable` or `notEscapable`.
  mutating func append(_ chunk: Span<UInt8>, to bytes: inout [UInt8]) throws(FerryError) {
    begin(&bytes)
    guard declaration != nil else { return try encode(chunk, to: &bytes) }
    let text = declaration?.rewritten([UInt8](copying: chunk)) ?? []
    try encode(text.span, to: &bytes)
  }

  /// Ends the text.
  mutating func finish(to bytes: inout [UInt8]) throws(FerryError) {
    begin(&bytes)
    if let rest = declaration?.rest() { try encode(rest.span, to: &bytes) }
    guard pending.isEmpty else { throw notEncodable(0xfffd, at: 0, in: Span()) }
    converter.finish(to: &bytes)
  }

  private mutating func begin(_ bytes: inout [UInt8]) {
    if !hasBegun { bytes += encoding.mark }
    hasBegun = true
  }

  private mutating func encode(_ chunk: Span<UInt8>, to bytes: inout [UInt8]) throws(FerryError) {
    guard pending.isEmpty else {
      let text = pending + [UInt8](copying: chunk)
      pending = []
      return try encode(text.span, to: &bytes)
    }
    let whole = chunk.extracting(first: chunk.count - chunk.incompleteCharacterCount)
    pending = [UInt8](copying: chunk.extracting(droppingFirst: whole.count))
    var (start, scanned, end) = (0, 0, 0)
    while true {
      if start >= end { end = endOfKept(in: whole, from: start) }
      start += converter.convert(whole.extracting(start..<end), to: &bytes)
      guard start < whole.count else { break }
      if escape == .reference { markup.scan(whole.extracting(scanned..<start)) }
      scanned = start
      let (scalar, length) = whole.scalar(at: start)
      let text = try escaped(scalar, at: start, in: whole)
      converter.dropPending()
      guard endOfKept(in: text.utf8.span, from: 0) == text.utf8.count,
        converter.append(text.utf8.span, to: &bytes)
      else {
        throw notEncodable(scalar, at: start, in: whole)
      }
      start = min(start + length, whole.count)
    }
    if escape == .reference { markup.scan(whole.extracting(droppingFirst: scanned)) }
    lines.finish(whole)
  }

  /// Returns the offset of the next character that the converter would replace by another, or the size of the text.
  private mutating func endOfKept(in text: Span<UInt8>, from start: Int) -> Int {
    kept?.firstLost(in: text, from: start) ?? text.count
  }

  private func escaped(_ scalar: UInt32, at offset: Int, in text: Span<UInt8>) throws(FerryError) -> String {
    switch escape {
    case .reference:
      let reference = "&#\(scalar);"
      switch markup.place {
      case .text, .value: return reference
      case .characterData: return "]]>\(reference)<![CDATA["
      case .other: break
      }
    // An encoding may lack a character of ASCII. It may be a part of the syntax, which has no escapes.
    case .json where scalar >= 0x80: return Self.units(of: scalar, after: "\\u")
    case .openStep where scalar >= 0x80: return Self.units(of: scalar, after: "\\U")
    case .json, .openStep, nil: break
    }
    throw notEncodable(scalar, at: offset, in: text)
  }

  private static func units(of scalar: UInt32, after prefix: String) -> String {
    guard let scalar = Unicode.Scalar(scalar) else { return "" }
    return Character(scalar).utf16.map { unit in
      let digits = String(unit, radix: 16)
      return prefix + String(repeating: "0", count: 4 - digits.count) + digits
    }.joined()
  }

  private func notEncodable(_ scalar: UInt32, at offset: Int, in text: Span<UInt8>) -> FerryError {
    let location = lines.location(of: offset, in: text)
    let (line, column) = (location.line ?? 1, location.column ?? 1)
    guard !onlyEscapes else { return FerryError(.content(.notEscapable(scalar, line: line, column: column))) }
    return FerryError(
      .content(.notEncodable(scalar, encoding: encoding.nameInXML, line: line, column: column)))
  }
}

extension Span<UInt8> {
  /// The number of bytes at the end that are the beginning of an incomplete character in UTF-8.
  fileprivate var incompleteCharacterCount: Int {
    for length in 1...3 where length <= count {
      let byte = self[count - length]
      guard byte & 0xc0 != 0x80 else { continue }
      guard let lead = UTF8Lead(byte) else { return 0 }
      return lead.length > length ? length : 0
    }
    return 0
  }
}
