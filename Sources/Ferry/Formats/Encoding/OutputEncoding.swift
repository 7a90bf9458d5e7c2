/// The encoding of a text to write.
///
///     utf-8          UTF-8
///     utf-8-bom      UTF-8 with a byte order mark, as spreadsheets expect it
///     utf-16         UTF-16 in little-endian order with a byte order mark, as Xcode writes `.strings`
///     utf-16be       UTF-16 in big-endian order without a mark
///     windows-1252   what `iconv` knows by this name
struct OutputEncoding: Sendable {
  /// The name that `iconv` knows.
  let name: String
  /// The bytes before the text.
  let mark: [UInt8]
  /// The name in an XML declaration.
  let nameInXML: String

  /// Creates an encoding from its name on the command line.
  ///
  /// - Throws: A `FerryError` with the reason `ContentProblem.unknownEncoding`.
  init(named text: String) throws(FerryError) {
    switch text.lowercased() {
    case "utf-8", "utf8": self.init(name: "UTF-8", mark: [])
    case "utf-8-bom", "utf-8-sig": self.init(name: "UTF-8", mark: ByteOrderMark.utf8.bytes)
    case "utf-16", "utf16": self.init(name: "UTF-16LE", mark: ByteOrderMark.utf16LittleEndian.bytes)
    case "utf-32", "utf32": self.init(name: "UTF-32LE", mark: ByteOrderMark.utf32LittleEndian.bytes)
    default:
      guard CharacterConverter(toEncodingNamed: text) != nil else {
        throw FerryError(.content(.unknownEncoding(text)))
      }
      self.init(name: text, mark: [])
    }
  }

  /// Creates the encoding of a text that was decoded.
  ///
  /// - Parameters:
  ///   - name: The name that `iconv` knows.
  ///   - mark: The byte order mark.
  init(name: String, mark: [UInt8]) {
    (self.name, self.mark) = (name, mark)
    let isMarked = !mark.isEmpty && !name.uppercased().hasPrefix("UTF-8")
    let known = CharacterConverter.isShiftJIS(name) ? "Shift_JIS" : Self.namesInXML[name.lowercased()]
    nameInXML = isMarked ? String(name.dropLast(2)) : known ?? name
  }

  /// The names of encodings in XML, by other names that `iconv` knows.
  private static let namesInXML = [
    "latin1": "ISO-8859-1", "latin-1": "ISO-8859-1", "l1": "ISO-8859-1", "iso8859-1": "ISO-8859-1",
    "latin2": "ISO-8859-2", "latin9": "ISO-8859-15", "ascii": "US-ASCII", "eucjp": "EUC-JP",
    "cp1250": "windows-1250",
    "cp1251": "windows-1251",
    "cp1252": "windows-1252", "utf-16le": "UTF-16LE", "utf-16be": "UTF-16BE", "utf-32le": "UTF-32LE",
    "utf-32be": "UTF-32BE", "iso-8859-1": "ISO-8859-1", "macroman": "macintosh",
  ]

  /// True if the encoding is UTF-8 without a mark, so that no byte changes.
  var isPlainUTF8: Bool { mark.isEmpty && name.uppercased() == "UTF-8" }

  /// Returns true if the first bytes of a text show the encoding, or at least the syntax of the format: it has ASCII in the bytes of
  /// UTF-8, UTF-16 or UTF-32, or in an XML document, whose declaration can be read, those of EBCDIC.
  func isShown(inXML: Bool) -> Bool {
    guard mark.isEmpty else { return true }
    guard let converter = CharacterConverter(toEncodingNamed: name) else { return false }
    let sample = Array((inXML ? "<?xml" : "{\"a\": [1]}").utf8)
    var bytes: [UInt8] = []
    guard converter.append(sample.span, to: &bytes) else { return false }
    if inXML, bytes == [0x4c, 0x6f, 0xa7, 0x94, 0x93] { return true }
    return [1, 2, 4].contains { bytes.count == $0 * sample.count } && bytes.filter { $0 != 0 } == sample
  }

  /// True if an XML document needs no declaration of the encoding.
  var isKnownWithoutDeclaration: Bool {
    isPlainUTF8 || !mark.isEmpty && !name.uppercased().hasPrefix("UTF-32")
  }
}

/// The notation of a character that the encoding of a text does not have.
enum CharacterEscape: Sendable {
  /// A character reference of XML: `&#233;`.
  case reference
  /// An escape of JSON, in UTF-16: `\u00e9`.
  case json
  /// An escape of OpenStep property lists and `.strings`, in UTF-16: `\U00e9`.
  case openStep
}

extension Format {
  /// True if a text in the format can have escapes for characters.
  var hasCharacterEscapes: Bool { characterEscape != nil }

  /// The notation of a character that the encoding of a text does not have; nil if the format has none.
  var characterEscape: CharacterEscape? {
    switch description.textEncoding {
    case .declared: .reference
    case .utf8: description.shape == .json ? .json : nil
    case .marked: description.shape == .propertyList || description.content == .texts ? .openStep : nil
    case nil: nil
    }
  }
}
