@testable import Ferry
import TestSupport
import Testing

@Suite struct `Encodings of XML` {
  /// Encodings that contain ASCII, with a byte or bytes that are not text in them.
  static let undecodable: [(encoding: String, bytes: [UInt8])] = [
    ("US-ASCII", [0xff]), ("Shift_JIS", [0xff]), ("EUC-JP", [0xff]), ("GB18030", [0xff]),
    ("windows-1252", [0x81]), ("ISO-8859-6", [0xff]), ("UTF-8", [0xff]), ("Big5", [0xff]),
  ]

  /// Documents with a mark at the bytes that are not text.
  static let locations = [
    "<!-- 1️⃣ --><r>1</r>", "<?p 1️⃣?><r>1</r>", "<!DOCTYPE r [<!ENTITY e \"1️⃣\">]><r>1</r>",
    "\n<r>1️⃣</r>", "<r a=\"1️⃣\">1</r>", "<r>a<b/>1️⃣<c/></r>", "<r><!-- 1️⃣ --></r>", "<r><?p 1️⃣?></r>",
    "<r><![CDATA[x1️⃣]]></r>", "<r>1</r>\n1️⃣<z/>", "<r>1</r>1️⃣", "<r>1</r><!-- 1️⃣ --><!-- q -->", "<r/><?p 1️⃣?>",
    "<r/><!-- q -->\n\n1️⃣",
  ]

  @Test(arguments: undecodable.map(\.encoding), locations)
  func `Bytes that are not text in the declared encoding are refused anywhere`(
    _ encoding: String, _ marked: String
  ) throws {
    let bytes = try #require(Self.undecodable.first { $0.encoding == encoding }).bytes
    let text = MarkedText("<?xml version=\"1.0\" encoding=\"\(encoding)\"?>" + marked)
    let location = try #require(text.location)
    let offset = try #require(location.byte)
    let document = text.bytes[..<offset] + bytes + text.bytes[offset...]
    for size in [1, 7, 1 << 20] {
      let failures = [
        #expect(throws: FerryError.self) { try streamCalls([UInt8](document), chunk: size) },
        #expect(throws: FerryError.self) { try treeCalls([UInt8](document)) },
      ]
      for failure in failures {
        #expect(failure?.reason == Self.notText(in: encoding), "\(size)")
        // libxml2 finds invalid UTF-8 in markup at the beginning of the markup, or at its end.
        if encoding != "UTF-8" {
          #expect(failure?.location == InputLocation(line: location.line, column: location.column), "\(size)")
        }
      }
    }
  }

  private static func notText(in encoding: String) -> FerryError.Reason {
    .xml(
      .notWellFormed("these bytes are not text in \"\(encoding)\", the encoding that the document declares"))
  }

  @Test(arguments: ["Shift_JIS", "EUC-JP", "GB18030", "Big5"])
  func `A document that ends inside a character is refused`(_ encoding: String) throws {
    for document in ["<r>1</r>", "<r>1</r><!-- a -->", "<r>"] {
      let text = "<?xml version=\"1.0\" encoding=\"\(encoding)\"?>\(document)"
      for size in [1, 1 << 20] {
        let failure = #expect(throws: FerryError.self) { try streamCalls(text.utf8 + [0xe0], chunk: size) }
        #expect(failure?.reason == Self.notText(in: encoding))
        #expect(failure?.location == InputLocation(line: 1, column: text.utf8.count + 1))
      }
    }
  }

  @Test func `A mistake before bytes that are not text is reported first`() throws {
    for document in ["<r><1a>\u{1}</r>", "<r></s>\u{1}", "<r/>junk\u{1}", "<!--a--b--><r>\u{1}</r>"] {
      let bytes = "<?xml version='1.0' encoding='Shift_JIS'?>\(document)".utf8.map { $0 == 1 ? 0xff : $0 }
      for size in [1, 5, 1 << 20] {
        let failure = #expect(throws: FerryError.self) { try streamCalls(bytes, chunk: size) }
        #expect(failure?.reason != Self.notText(in: "Shift_JIS"), "\(document) \(size)")
      }
    }
  }

  @Test func `Text that grows on its way to UTF-8 is read in full`() throws {
    for count in [1, 60_000, 200_000] {
      let declaration = Array("<?xml version='1.0' encoding='TIS-620'?>".utf8)
      let letters = [UInt8](repeating: 0xa1, count: count)
      let document = declaration + "<r>".utf8 + letters + "</r><!--".utf8 + letters + "-->".utf8
      let calls = try streamCalls(document)
      #expect(calls[1].utf8.count == count * 3)
      #expect(calls[4].utf8.count == count * 3 + 7)
      #expect(try treeCalls(document) == calls)
    }
  }

  @Test func `Encodings that contain ASCII, and EBCDIC, are read in chunks of any size`() throws {
    let documents: [(encoding: String, text: [UInt8], expected: String)] = [
      ("Shift_JIS", [0x93, 0xfa, 0x96, 0x7b], "日本"), ("EUC-JP", [0xc6, 0xfc, 0xcb, 0xdc], "日本"),
      ("GB18030", [0x81, 0x30, 0x81, 0x30, 0xc8, 0xd5], "\u{80}日"), ("windows-1252", [0x80], "€"),
      ("ISO-2022-JP", [0x1b, 0x24, 0x42, 0x46, 0x7c, 0x1b, 0x28, 0x42], "日"),
      ("UTF-7", Array("+ZeU-".utf8), "日"), ("us-ascii", [0x61], "a"), ("csUTF8", [0xe2, 0x82, 0xac], "€"),
    ]
    for (encoding, text, expected) in documents {
      let bytes =
        "<?xml version='1.0' encoding='\(encoding)'?>\n<r>".utf8 + text + "</r><!--".utf8 + text + "-->".utf8
      for size in [1, 2, 3, 1 << 20] {
        #expect(
          try streamCalls(bytes, chunk: size) == [
            "<r> 2:1", expected, "end", "back", "<!--\(expected)-->", "end",
          ],
          "\(encoding)")
      }
    }
    for encoding in ["IBM037", "EBCDIC-CP-US", "IBM500"] {
      let bytes = ebcdic("<?xml version='1.0' encoding='\(encoding)'?><r>1</r>")
      for size in [1, 3, 1 << 20] {
        #expect(try streamCalls(bytes, chunk: size).dropFirst() == ["1", "end", "back", "end"])
      }
    }
  }

  /// Returns letters, digits and marks of ASCII in EBCDIC.
  private func ebcdic(_ text: String) -> [UInt8] {
    let marks: [UInt8: UInt8] = [
      0x3c: 0x4c, 0x3e: 0x6e, 0x3f: 0x6f, 0x20: 0x40, 0x2e: 0x4b, 0x3d: 0x7e, 0x27: 0x7d, 0x2d: 0x60,
      0x2f: 0x61,
    ]
    return text.utf8.map { byte in
      switch byte {
      case 0x30...0x39: byte + 0xc0
      case 0x61...0x69: byte + 0x20
      case 0x6a...0x72: byte + 0x27
      case 0x73...0x7a: byte + 0x2f
      case 0x41...0x49: byte + 0x80
      case 0x4a...0x52: byte + 0x87
      case 0x53...0x5a: byte + 0x8f
      default: marks[byte] ?? 0
      }
    }
  }

  @Test func `A declared encoding that is not supported, or does not fit the bytes, is named`() throws {
    let contradictions = ["EBCDIC-CP-US", "UTF-32", "UTF-16", "UCS-4LE", "IBM037"].map {
      (
        $0,
        "the document's first bytes are ASCII, and it declares the encoding \"\($0)\" (correct one of the two)"
      )
    }
    let unknown = [("foo", "the encoding \"foo\" is not supported (try UTF-8)")]
    for (encoding, words) in contradictions + unknown {
      let text = MarkedText("<?xml version=\"1.0\" encoding=\"1️⃣\(encoding)\"?><r>1</r>")
      for size in [1, 1 << 20] {
        let failure = #expect(throws: FerryError.self) { try streamCalls(text.bytes, chunk: size) }
        #expect(failure?.reason == .xml(.notWellFormed(words)))
        #expect(failure?.location == text.location)
      }
    }
  }

  @Test(arguments: [true, false], ["<r/>", "<!-- c --><r/>", "<!DOCTYPE r><r/>"])
  func `UTF-16 needs a byte order mark or a declaration`(_ isBig: Bool, _ text: String) throws {
    func bytes(_ text: String) -> [UInt8] {
      text.utf16.flatMap { unit in
        let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xff))
        return isBig ? [high, low] : [low, high]
      }
    }
    let failure = #expect(throws: FerryError.self) { try streamCalls(bytes(text), chunk: 1) }
    let message = failure?.reason.description ?? ""
    #expect(
      message.contains(
        "neither a byte order mark nor a declaration (add a byte order mark, or declare the encoding)"))
    _ = try streamCalls(bytes("\u{feff}" + text), chunk: 1)
    _ = try streamCalls(bytes("<?xml version=\"1.0\" encoding=\"UTF-16\"?>" + text), chunk: 1)
  }

  @Test(arguments: ["<r/>", "<?xml version=\"1.0\"?><r>1</r>", ""])
  func `A document with two byte order marks is refused in each encoding`(_ document: String) {
    let text = "\u{feff}\u{feff}" + document
    let encodings: [[UInt8]] = [
      Array(text.utf8), text.utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] },
      text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] },
    ]
    let expected = FerryError.Reason.xml(
      .notWellFormed("the document begins with two byte order marks (remove one)"))
    for bytes in encodings {
      for size in [1, 2, 5, 1 << 20] {
        let failure = #expect(throws: FerryError.self) { try streamCalls(bytes, chunk: size) }
        #expect(failure?.reason == expected, "\(bytes) \(size)")
        #expect(failure?.location.line == 1)
      }
      let failure = #expect(throws: FerryError.self) { try treeCalls(bytes) }
      #expect(failure?.reason == expected, "\(bytes)")
    }
  }

  @Test(arguments: [true, false], [true, false])
  func `Documents in UTF-32 are named`(_ isBig: Bool, _ isMarked: Bool) throws {
    for element in ["plist", "r"] {
      let scalars = (isMarked ? "\u{feff}" : "") + "<\(element)><string>a</string></\(element)>"
      let bytes = scalars.unicodeScalars.flatMap { scalar -> [UInt8] in
        isBig
          ? [0, 0, UInt8(scalar.value >> 8), UInt8(scalar.value & 255)]
          : [UInt8(scalar.value & 255), UInt8(scalar.value >> 8), 0, 0]
      }
      let words = "the document is in UTF-32, which is not supported (iconv -f UTF-32 -t UTF-8 converts it)"
      let expected = FerryError(.xml(.notWellFormed(words)), at: InputLocation(line: 1, column: 1, byte: 0))
      let failure = #expect(throws: FerryError.self) {
        if element == "r" { _ = try streamCalls(bytes) } else { _ = try PropertyLists.value(xml: bytes) }
      }
      #expect(failure?.reason == expected.reason)
      #expect(failure?.location == expected.location)
      #expect(
        try FormatDetector(head: bytes, name: nil).detect() == (element == "r" ? .xml : .xmlPropertyList))
    }
  }

  @Test func `A mistake in the text of an entity names the entity`() throws {
    let mistakes = [
      ("ex&#38;p", "a bare & (write &amp; in its declaration)"),
      ("&#38; p", "a bare & (write &amp; in its declaration)"),
      ("a&#38;", "a bare & (write &amp; in its declaration)"),
      ("&#38;1;", "a bare & (write &amp; in its declaration)"),
      ("a &#60; b", "a bare < (write &lt; in its declaration)"),
      ("&#38;#xZ;", "a character reference without a valid number (&#233; is one)"),
    ]
    for (content, words) in mistakes {
      for use in ["<r>x1️⃣&e;</r>", "<r a=\"1️⃣&e;\"/>"] where !(content.contains("60") && use.contains("a=")) {
        let text = MarkedText("<!DOCTYPE r [<!ENTITY e \"\(content)\">]>\(use)")
        let failure = #expect(throws: FerryError.self) { try streamCalls(text.bytes) }
        #expect(
          failure?.reason == .xml(.notWellFormed("the text of the entity \"e\" has \(words)")), "\(text.text)"
        )
        #expect(failure?.location == text.location, "\(text.text)")
      }
    }
  }
}
