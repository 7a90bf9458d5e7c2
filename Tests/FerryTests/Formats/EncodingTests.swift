import Foundation
import TestSupport
import Testing

@testable import Ferry

/// An encoding by its name in Ferry and in Python.
private struct Codec: CustomTestStringConvertible, Sendable {
  let name: String
  let python: String
  let text: String

  var testDescription: String { name }

  static let all = [
    Codec(name: "utf-16", python: "utf-16", text: "é€漢字😀"),
    Codec(name: "utf-16be", python: "utf-16-be", text: "é€漢😀"),
    Codec(name: "utf-16le", python: "utf-16-le", text: "é€漢😀"),
    Codec(name: "utf-32", python: "utf-32", text: "é漢😀"),
    Codec(name: "utf-8-bom", python: "utf-8-sig", text: "é漢😀"),
    Codec(name: "ISO-8859-1", python: "latin-1", text: "éÿ£"),
    Codec(name: "windows-1252", python: "cp1252", text: "é€“”"),
    Codec(name: "windows-1251", python: "cp1251", text: "Привет"),
    Codec(name: "Shift_JIS", python: "shift_jis", text: "表示能力ｱ"),
    Codec(name: "EUC-JP", python: "euc_jp", text: "表示能力"),
    Codec(name: "ISO-2022-JP", python: "iso2022_jp", text: "表示a能力"),
    Codec(name: "GB18030", python: "gb18030", text: "汉字😀"),
    Codec(name: "Big5", python: "big5", text: "漢字"), Codec(name: "KOI8-R", python: "koi8_r", text: "Привет"),
  ]
}

@Suite struct `Encodings` {
  /// Returns texts in the encoding, as Python encodes them.
  private func encoded(_ texts: [String], _ codec: Codec) async throws -> [[UInt8]] {
    let program = """
      import sys
      for text in sys.stdin.buffer.read().decode().split("\\0"): print(text.encode("\(codec.python)").hex())
      """
    let answer = try await Peer.python(program, input: Array(texts.joined(separator: "\0").utf8))
    #expect(answer.succeeded, "\(answer.errors)")
    return answer.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(
      Self.bytes(ofHex:))
  }

  private func encoded(_ text: String, _ codec: Codec) async throws -> [UInt8] {
    try #require(try await encoded([text], codec).first)
  }

  /// Returns the texts that Python decodes.
  private func decoded(_ texts: [[UInt8]], _ codec: Codec) async throws -> [String] {
    let program = """
      import sys
      texts = [bytes.fromhex(line).decode("\(codec.python)") for line in sys.stdin.read().split("\\n")]
      sys.stdout.buffer.write("\\0".join(texts).encode())
      """
    let lines = texts.map { $0.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() }
    let answer = try await Peer.python(program, input: Array(lines.joined(separator: "\n").utf8))
    #expect(answer.succeeded, "\(answer.errors)")
    return answer.text.split(separator: "\0", omittingEmptySubsequences: false).map(String.init)
  }

  private static func bytes(ofHex line: Substring) -> [UInt8] {
    let digits = line.compactMap(\.hexDigitValue).map { UInt8($0) }
    return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  private func convert(
    _ bytes: [UInt8], _ source: Format, to target: Format, encoding: String? = nil,
    outputEncoding: String? = nil
  ) throws(FerryError) -> [UInt8] {
    var conversion = Conversion(to: target)
    (conversion.reading.format, conversion.reading.encoding, conversion.writing.encoding) = (
      source, encoding, outputEncoding
    )
    return try conversion.convert(bytes).bytes
  }

  /// Returns the same record in each format of text.
  private static func document(_ format: Format, _ text: String) -> String {
    switch format {
    case .json: "{\"name\":\"\(text)\"}\n"
    case .jsonLines: "{\"name\":\"\(text)\"}\n{\"name\":\"x\"}\n"
    case .csv: "name,b\n\(text),2\n"
    case .strings: "\"name\" = \"\(text)\";\n"
    case .xml: "<r><name>\(text)</name></r>\n"
    case .xmlPropertyList:
      "<plist version=\"1.0\"><dict><key>name</key><string>\(text)</string></dict></plist>\n"
    case .openStepPropertyList: "{ name = \"\(text)\"; }\n"
    default: text
    }
  }

  private static let formats: [Format] = [
    .json, .jsonLines, .csv, .strings, .xml, .xmlPropertyList, .openStepPropertyList, .text,
  ]

  @Test(arguments: Codec.all)
  fileprivate func `A text in a given encoding is read as in UTF-8`(_ codec: Codec) async throws {
    let texts = Self.formats.map { Self.document($0, codec.text) }
    for ((format, text), bytes) in zip(zip(Self.formats, texts), try await encoded(texts, codec)) {
      let wanted = try convert(Array(text.utf8), format, to: .json)
      #expect(try convert(bytes, format, to: .json, encoding: codec.name) == wanted, "\(format)")
    }
  }

  @Test(arguments: Codec.all)
  fileprivate func `A text is written in an encoding so that another program reads it`(
    _ codec: Codec
  ) async throws {
    var (plain, written) = ([String](), [[UInt8]]())
    for format in Self.formats {
      let json = format == .text ? "\"\(codec.text)\"" : "{\"name\":\"\(codec.text)\"}"
      plain.append(String(decoding: try convert(Array(json.utf8), .json, to: format), as: UTF8.self))
      written.append(try convert(Array(json.utf8), .json, to: format, outputEncoding: codec.name))
    }
    let name = codec.name.hasPrefix("utf") ? codec.name.uppercased().replacing("-BOM", with: "") : codec.name
    for ((format, text), found) in zip(zip(Self.formats, plain), try await decoded(written, codec)) {
      #expect(found == text.replacing("encoding=\"UTF-8\"", with: "encoding=\"\(name)\""), "\(format)")
    }
    for (format, (text, bytes)) in zip(Self.formats, zip(plain, written))
    where [.xml, .xmlPropertyList].contains(format) {
      #expect(
        try convert(bytes, format, to: .json) == convert(Array(text.utf8), format, to: .json), "\(format)")
    }
  }

  @Test(arguments: Codec.all)
  fileprivate func `Chunks may end inside a character`(_ codec: Codec) async throws {
    let bytes = try await encoded(codec.text + "a" + codec.text, codec)
    for size in 1...5 {
      var (decoder, text) = (TextDecoder(encoding: codec.name), [UInt8]())
      for start in stride(from: 0, to: bytes.count, by: size) {
        try decoder.append(bytes.span.extracting(start..<min(start + size, bytes.count)), to: &text)
      }
      try decoder.finish(to: &text)
      #expect(String(decoding: text, as: UTF8.self) == codec.text + "a" + codec.text)
      let encoding = try OutputEncoding(named: codec.name)
      var encoder = try TextEncoder(to: encoding, escape: nil, declaresEncoding: false)
      var back: [UInt8] = []
      for start in stride(from: 0, to: text.count, by: size) {
        try encoder.append(text.span.extracting(start..<min(start + size, text.count)), to: &back)
      }
      try encoder.finish(to: &back)
      #expect(back == bytes)
    }
  }

  /// Texts in encodings in which an accent may follow a letter, as `iconv` decodes them.
  private static let heldBack: [(encoding: String, bytes: [UInt8], text: String)] = [
    ("windows-1258", Array("just a".utf8), "just a"),
    ("windows-1258", [0x56, 0x69, 0xea, 0xf2, 0x74, 0x20, 0x61, 0xec], "Vi\u{1ec7}t \u{e1}"),
    ("windows-1255", [0xf9, 0xec, 0xe5, 0xed, 0x20, 0xf9], "\u{5e9}\u{5dc}\u{5d5}\u{5dd} \u{5e9}"),
    ("TCVN", Array("just a".utf8), "just a"), ("TSCII", [0x61, 0x8a], "a\u{bb8}\u{bcd}"),
  ]

  @Test(arguments: heldBack.indices)
  func `The last character is read if an accent might follow it`(_ index: Int) throws {
    let (encoding, bytes, text) = Self.heldBack[index]
    for size in 1...bytes.count {
      var (decoder, decoded) = (TextDecoder(encoding: encoding), [UInt8]())
      for start in stride(from: 0, to: bytes.count, by: size) {
        try decoder.append(bytes.span.extracting(start..<min(start + size, bytes.count)), to: &decoded)
      }
      try decoder.finish(to: &decoded)
      #expect(decoded == Array(text.utf8))
    }
    #expect(
      try convert(bytes, .text, to: .json, encoding: encoding) == Array("\"\(text)\"\n".utf8))
    let table = try convert(Array("a\n".utf8) + bytes, .csv, to: .json, encoding: encoding)
    #expect(table == Array("[{\"a\":\"\(text)\"}]\n".utf8))
    for format in [Format.json, .yaml] {
      let entry = format == .json ? "{\"x\": \"" : "x: 1\ny: "
      var options = EditableFile.Options()
      (options.format, options.encoding) = (format, encoding)
      let document = Array(entry.utf8) + bytes + Array(format == .json ? "\"}".utf8 : "".utf8)
      let file = try EditableFile(document, options: options)
      let path = try ValuePath(parsing: format == .json ? "x" : "y")
      #expect(try file.value(at: path) == .string(text), "\(format)")
    }
  }

  @Test func `The text before a byte that is not in the encoding has its last character`() throws {
    var (decoder, text) = (TextDecoder(encoding: "windows-1258"), [UInt8]())
    let bytes: [UInt8] = Array("just a".utf8) + [0x9a]
    #expect(throws: FerryError.self) { try decoder.append(bytes.span, to: &text) }
    #expect(text == Array("just a".utf8))
  }

  @Test(
    arguments: Codec.all.filter { ["Shift_JIS", "utf-16", "utf-32", "EUC-JP", "GB18030"].contains($0.name) })
  fileprivate func `Every prefix of a text is read or refused with a location`(_ codec: Codec) async throws {
    let texts = Self.formats.map { Self.document($0, codec.text) }
    for (format, bytes) in zip(Self.formats, try await encoded(texts, codec)) {
      try Damage(to: bytes, offsets: []).check(prefixes: .readOrRefused) { bytes in
        _ = try convert(bytes, format, to: .json, encoding: codec.name)
      }
    }
  }

  @Test(arguments: ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be", "utf-8-sig"])
  func `JSON in a Unicode encoding needs no option`(_ python: String) async throws {
    let codec = Codec(name: python, python: python, text: "é😀")
    for format in [Format.json, .jsonLines] {
      let text = Self.document(format, codec.text)
      let bytes = try await encoded(text, codec)
      #expect(try Value(reading: MemoryInput(bytes)) == Value(reading: MemoryInput(Array(text.utf8))))
    }
  }

  @Test(arguments: [
    "Shift_JIS", "shift-jis", "SJIS", "x-sjis", "X_SJIS", "ms_kanji", "MS-Kanji", "csShiftJIS", "CP932",
  ])
  func `Backslash and tilde in Shift_JIS by any name stay backslash and tilde`(_ name: String) throws {
    let json = Array(#"{"p":"C:\\x~ \"y\""}"#.utf8)
    #expect(try convert(json, .json, to: .json, encoding: name) == json + [0x0a])
    let source = Array(#"{"p":"C:\\x~①"}"#.utf8)
    let written = try convert(source, .json, to: .json, outputEncoding: name)
    #expect(written == Array(#"{"p":"C:\\x~"#.utf8) + [0x87, 0x40] + Array("\"}\n".utf8))
    #expect(try convert(written, .json, to: .json, encoding: name) == source + [0x0a])
    let document = "<?xml version=\"1.0\" encoding=\"\(name)\"?><a>\\~</a>"
    #expect(try convert(Array(document.utf8), .xml, to: .json) == Array("{\"a\":\"\\\\~\"}\n".utf8))
  }

  @Test func `A table for a terminal is written in any encoding`() throws {
    let source = Array(#"[{"é":"x"}]"#.utf8)
    let plain = try convert(source, .json, to: .table)
    let wide = try convert(source, .json, to: .table, outputEncoding: "utf-16le")
    #expect(plain.starts(with: "é".utf8))
    #expect(
      wide == String(decoding: plain, as: UTF8.self).utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] })
  }

  // MARK: Characters that an encoding does not have

  @Test func `Characters that an encoding does not have become references or escapes`() throws {
    let source = Array(#"{"a":"é漢😀"}"#.utf8)
    func text(_ format: Format) throws -> String {
      let bytes = try convert(source, .json, to: format, outputEncoding: "ISO-8859-1")
      return String(bytes.map { Character(Unicode.Scalar($0)) })
    }
    #expect(try text(.json) == "{\"a\":\"é\\u6f22\\ud83d\\ude00\"}\n")
    #expect(try text(.xml).contains("<a>é&#28450;&#128512;</a>"))
    #expect(try text(.xmlPropertyList).contains("<string>é&#28450;&#128512;</string>"))
    #expect(try text(.strings).contains("\"é\\U6f22\\Ud83d\\Ude00\";"))
    for format in [Format.csv, .text] {
      let source = format == .text ? Array("\"é\\n漢\"".utf8) : Array(#"[{"a":"x"},{"a":"é漢"}]"#.utf8)
      do {
        _ = try convert(source, .json, to: format, outputEncoding: "ISO-8859-1")
        Issue.record("written")
      } catch {
        let (line, column) = format == .text ? (2, 1) : (3, 2)
        let problem = ContentProblem.notEncodable(0x6f22, encoding: "ISO-8859-1", line: line, column: column)
        #expect(error.reason == .content(problem))
        #expect(error.location.isEmpty && error.path.isEmpty)
      }
    }
  }

  @Test(arguments: [
    ("CP932", "¥¢£¬—‖‾−"), ("Shift_JIS", "¥‾"), ("EUC-JP", "¥‾"), ("EUC-KR", "₩"), ("IBM930", "é😀"),
    ("ISO-8859-1", "😀"), ("SHIFT_JISX0213", "\u{301}"),
  ])
  func `Characters that another would replace without an error become escapes, or are refused`(
    _ encoding: String, _ text: String
  ) throws {
    for character in text.unicodeScalars.map(String.init) {
      let source = Array("{\"a\":\"5 \(character) x\"}".utf8)
      let xml = try convert(source, .json, to: .xml, outputEncoding: encoding)
      #expect(
        try convert(xml, .xml, to: .json, encoding: encoding) == source + [0x0a], "\(encoding) \(character)")
      do {
        let json = try convert(source, .json, to: .json, outputEncoding: encoding)
        let back = try convert(json, .json, to: .json, encoding: encoding)
        #expect(back == source + [0x0a], "\(encoding) \(character)")
      } catch {
        // An encoding without a backslash has no escapes of JSON.
        #expect(["SHIFT_JISX0213", "IBM930"].contains(encoding), "\(error)")
      }
    }
    let table = Array("[{\"a\":\"¥\"}]".utf8)
    #expect(throws: FerryError.self) {
      _ = try convert(table, .json, to: .csv, outputEncoding: "CP932")
    }
  }

  @Test(arguments: [
    Format.json, .xml, .xmlPropertyList, .xmlArchive, .yaml, .strings, .openStepPropertyList,
  ])
  func `A text with escapes for characters beyond ASCII has the same values`(_ format: Format) throws {
    guard format.canRead else { return }
    let key = format == .xml ? "name" : "na\u{ef}m\u{e9}\u{6f22}"
    let source = Array("{\"\(key)\":\"\u{e9} \u{6f22}\\n\u{1f600} x\"}\n".utf8)
    var conversion = Conversion(to: format)
    (conversion.reading.format, conversion.writing.style.isASCII) = (.json, true)
    for encoding in [nil, "UTF-16", "ISO-8859-1"] as [String?] {
      guard encoding == nil || format != .xmlArchive else { continue }
      conversion.writing.encoding = encoding
      let bytes = try conversion.convert(source).bytes
      if encoding != "UTF-16" { #expect(bytes.allSatisfy { $0 < 0x80 }) }
      if format == .xml, encoding == nil {
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains("encoding=\"UTF-8\"") && text.contains("&#233; &#28450;"), "\(text)")
      }
      var back = Conversion(to: .json)
      (back.reading.format, back.reading.encoding) = (format, encoding)
      let value = try back.convert(bytes).bytes
      #expect(try Value(reading: MemoryInput(value)) == Value(reading: MemoryInput(source)), "\(format)")
    }
  }

  @Test func `A name, comment or instruction of XML beyond ASCII has no escape`() throws {
    for (text, format, line, column) in [
      ("{\"é\":\"x\"}", Format.json, 2, 2), ("{\"r\":{\"b\":1,\"aé\":\"x\"}}", .json, 4, 5),
      ("<a>\n<!-- é --></a>", .xml, 2, 6), ("<a><?p é?></a>", .xml, 1, 8),
    ] {
      var conversion = Conversion(to: .xml)
      (conversion.reading.format, conversion.writing.style.isASCII) = (format, true)
      let error = #expect(throws: FerryError.self) { try conversion.convert(Array(text.utf8)) }
      #expect(error == FerryError(.content(.notEscapable(0xe9, line: line, column: column))), "\(text)")
    }
  }

  @Test func `A text with many characters that an encoding does not have is written in linear time`() throws {
    let text = String(repeating: "日¥😀", count: 100_000)
    let source = Array("\"\(text)\"".utf8)
    let written = try convert(source, .json, to: .json, outputEncoding: "CP932")
    #expect(try convert(written, .json, to: .json, encoding: "CP932") == source + [0x0a])
  }

  @Test func `Characters in names and comments of XML that an encoding does not have are refused`() throws {
    for (document, place) in [
      ("<漢/>", false), ("<a 漢=\"1\"/>", false), ("<a><!--漢--></a>", false), ("<a><?b 漢?></a>", false),
      ("<a b=\"漢\">漢<![CDATA[漢]]></a>", true), ("<a><b>漢</b>漢</a>", true),
    ] {
      do {
        let bytes = try convert(Array(document.utf8), .xml, to: .xml, outputEncoding: "US-ASCII")
        #expect(place, "\(document)")
        #expect(bytes.allSatisfy { $0 < 0x80 })
        #expect(try Value(reading: MemoryInput(bytes)) == Value(reading: MemoryInput(Array(document.utf8))))
      } catch {
        #expect(!place, "\(document): \(error)")
        guard case .content(.notEncodable(0x6f22, "US-ASCII", _, _)) = error.reason else {
          Issue.record("\(error)")
          continue
        }
      }
    }
  }

  @Test func `A given encoding takes precedence over the declaration, and a byte order mark over both`()
    throws
  {
    let declared = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><r>"
    let latin = Array(declared.utf8) + [0xe9] + Array("</r>".utf8)
    #expect(throws: FerryError.self) { _ = try convert(latin, .xml, to: .json) }
    #expect(try convert(latin, .xml, to: .json, encoding: "latin1") == Array("{\"r\":\"é\"}\n".utf8))
    let marked = [0xef, 0xbb, 0xbf] + Array("<r>é</r>".utf8)
    #expect(try convert(marked, .xml, to: .json, encoding: "latin1") == Array("{\"r\":\"é\"}\n".utf8))
  }

  @Test(arguments: [
    ("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>"),
    ("<?xml version='1.0' encoding='x'?>", "<?xml version='1.0' encoding=\"UTF-8\"?>"),
    (
      "<?xml version=\"1.0\" encoding=\"UTF-16\" standalone=\"yes\"?>",
      "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>"
    ), ("<?xml version=\"1.0\"?>", "<?xml version=\"1.0\"?>"), ("", ""),
  ])
  func `A copy of XML in a given encoding declares the encoding of the output`(
    _ declaration: String, _ wanted: String
  ) throws {
    for style in [OutputStyle.compact, .pretty] {
      var conversion = Conversion(to: .xml)
      (conversion.reading.format, conversion.reading.encoding, conversion.writing.style) = (
        .xml, "utf-8", style
      )
      let copy = try conversion.convert(Array("\(declaration)<a>é</a>\n".utf8)).bytes
      let text = String(decoding: copy, as: UTF8.self)
      #expect(text.hasPrefix(wanted) && text.hasSuffix("<a>é</a>\n"), "\(text)")
      #expect(!text.contains("  "), "\(text)")
      conversion.writing.encoding = "ISO-8859-1"
      let latin = try conversion.convert(Array("\(declaration)<a>é</a>\n".utf8)).bytes
      #expect(String(decoding: latin, as: UTF8.self).contains("encoding=\"ISO-8859-1\""))
      #expect(!String(decoding: latin, as: UTF8.self).contains("  "))
    }
  }

  @Test(arguments: [
    "<!DOCTYPE r [<!ENTITY e \"[\">]>", "<!DOCTYPE r [<!ENTITY e ']>'>]>", "<!DOCTYPE r SYSTEM \"a>[b\">",
    "<!DOCTYPE r [<!-- [[ --><?p [?>]>",
  ])
  func `Characters after a document type declaration with any values become references`(_ doctype: String)
    throws
  {
    var conversion = Conversion(to: .xml)
    (conversion.reading.format, conversion.writing.encoding) = (.xml, "iso-8859-1")
    let text = "<?xml version=\"1.0\"?>\(doctype)<r>€</r>\n"
    let written = try conversion.convert(Array(text.utf8)).bytes
    #expect(String(decoding: written, as: UTF8.self).hasSuffix("\(doctype)<r>&#8364;</r>\n"))
  }

  @Test func `An encoding is refused for formats that are not text, and if its name is not known`() throws {
    func problem(_ body: () throws -> Void) -> ContentProblem? {
      do { try body() } catch {
        if let error = error as? FerryError, case .content(let problem) = error.reason { return problem }
      }
      return nil
    }
    let binary = try convert(Array("{}".utf8), .json, to: .binaryPropertyList)
    #expect(
      problem { _ = try convert(binary, .binaryPropertyList, to: .json, encoding: "latin1") }
        == .encodingNotUsed(format: "plist-binary"))
    #expect(
      problem { _ = try convert(Array("{}".utf8), .json, to: .binaryPropertyList, outputEncoding: "latin1") }
        == .encodingNotUsed(format: "plist-binary"))
    for name in ["klingon", "UTF-8//IGNORE", "latin1//TRANSLIT", ""] {
      #expect(
        problem { _ = try convert(Array("{}".utf8), .json, to: .json, encoding: name) }
          == .unknownEncoding(name))
      #expect(
        problem { _ = try convert(Array("{}".utf8), .json, to: .json, outputEncoding: name) }
          == .unknownEncoding(name))
    }
  }

  @Test func `A note says that the first bytes of an output do not show its encoding`() throws {
    for (encoding, format, isHidden) in [
      ("IBM037", Format.json, true), ("IBM037", .csv, true), ("IBM037", .openStepPropertyList, true),
      ("IBM037", .xml, false), ("UTF-7", .json, true), ("UTF-7", .xml, true), ("UTF-16", .json, false),
      ("UTF-16BE", .json, false), ("UTF-32LE", .json, false), ("utf-8-bom", .json, false),
      ("ISO-8859-1", .json, false), ("Shift_JIS", .yaml, false), ("US-ASCII", .jsonLines, false),
    ] {
      var conversion = Conversion(to: format)
      (conversion.reading.format, conversion.writing.encoding) = (.json, encoding)
      let notes = try conversion.convert(Array(#"{"a":"b"}"#.utf8)).report.notes
      #expect(notes.contains(.hiddenEncoding(encoding)) == isHidden, "\(encoding) \(format)")
    }
  }

  @Test(.enabled(if: CharacterConverter(toEncodingNamed: "EBCDIC-US") != nil))
  func `An encoding without a character of the syntax is refused, and no escape takes its place`() throws {
    var conversion = Conversion(to: .json)
    (conversion.reading.format, conversion.writing.encoding) = (.json, "EBCDIC-US")
    let error = try #require(throws: FerryError.self) {
      try conversion.convert(Array(#"{"a":[1]}"#.utf8))
    }
    #expect(error.reason == .content(.notEncodable(0x5b, encoding: "EBCDIC-US", line: 1, column: 6)))
    // A character beyond ASCII is a part of a string.
    let bytes = try conversion.convert(Array(#"{"a":"é"}"#.utf8)).bytes
    (conversion.reading.encoding, conversion.writing.encoding) = ("EBCDIC-US", nil)
    #expect(try conversion.convert(bytes).bytes == Array("{\"a\":\"é\"}\n".utf8))
  }

  // MARK: Edits

  @Test(arguments: Codec.all.filter { $0.name != "utf-8-bom" })
  fileprivate func `An edit keeps the encoding of a text`(_ codec: Codec) async throws {
    let formats: [Format] = [.json, .strings, .xmlPropertyList, .openStepPropertyList]
    let last = String(codec.text.unicodeScalars.last.map(Character.init) ?? "x")
    let texts = formats.map { Self.document($0, codec.text) }
    let bytes = try await encoded(texts, codec)
    let wanted = try await encoded(texts.map { $0.replacing(codec.text, with: last) }, codec)
    for index in formats.indices {
      var options = EditableFile.Options()
      (options.format, options.encoding) = (formats[index], codec.name)
      let file = try EditableFile(bytes[index], options: options)
      #expect(try file.bytes() == bytes[index])
      try file.set(.string(last), at: ValuePath(parsing: "name"))
      #expect(try file.bytes() == wanted[index], "\(formats[index])")
    }
  }
}
