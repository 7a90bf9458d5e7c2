import TestSupport
import Testing

@testable import Ferry

/// A text that must be refused, why and where its mark is.
struct XMLRefusal: CustomTestStringConvertible, Sendable {
  let marked: String
  let reason: FerryError.Reason

  init(_ marked: String, _ reason: FerryError.Reason) { (self.marked, self.reason) = (marked, reason) }
  init(_ marked: String, _ problem: PropertyListProblem) { self.init(marked, .propertyList(problem)) }

  var testDescription: String { marked }
}

@Suite struct `Reading of XML property lists` {
  static let document = """
    \u{feff}<?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <!-- a comment - with - dashes -> and <tags> & -->
    <plist version="1.0" note='a > b'>
    <dict >
      <key>a &amp; b &lt;&gt;&quot;&apos;</key><string>Z&#111;&#xEB; <![CDATA[<&]]]]><![CDATA[>]]> é🎈<!-- no -->!</string>
      <?skip <this> ?>
      <key></key><integer> -0x1F
      </integer>
      <key>numbers</key>
      <array><integer>+ 5</integer><integer>18446744073709551615</integer><real>-1.5e3</real><real> .5</real>
        <real>INF</real><real>-infinity</real><real>2.</real></array>
      <key>flags</key><array><true/><false></false><true /></array>
      <key>date</key><date>2014-06-01T09:30:00Z</date>
      <key>data</key><data>
        AAEC
        Aw==
      </data>
      <key>empty</key><array><string/><string></string><array/><array></array><dict/><data/></array>
      <key>uid</key><dict><key>CF$UID</key><integer>7</integer></dict>
      <key>none</key><array>
        <dict><key>CF$UID</key><integer>-7</integer></dict>
        <dict><key>CF$UID</key><string>7</string></dict>
        <dict><key>CF$UID</key><integer>7</integer><key>b</key><dict/></dict>
        <dict><key>CF$UID</key><dict><key>CF$UID</key><integer>8</integer></dict></dict>
        <dict><key>b</key><integer>1</integer></dict>
      </array>
    </dict>
    </plist>
    <!-- the end -->

    """

  static let value: Value = [
    "a & b <>\"'": "Zoë <&]]> é🎈!", "": -31,
    "numbers": [
      5, .integer(1 << 64 - 1), -1500.0, 0.5, .real(.infinity), .real(-.infinity), 2.0,
    ],
    "flags": [true, false, true], "date": .date(secondsSince2001: 423_307_800), "data": .data([0, 1, 2, 3]),
    "empty": ["", "", [], [], [:], .data([])], "uid": .uid(7),
    "none": [
      ["CF$UID": -7], ["CF$UID": "7"], ["CF$UID": 7, "b": [:]], ["CF$UID": .uid(8)], ["b": 1],
    ],
  ]

  @Test(arguments: [1, 2, 3, 7, 64, 65_536])
  func `An XML property list in chunks of any size gives the same value`(_ size: Int) throws {
    #expect(try PropertyLists.value(xml: Array(Self.document.utf8), chunk: size) == Self.value)
  }

  @Test(arguments: [1, 2, 3, 7, 65_536], [true, false])
  func `UTF-16 is read with and without its mark`(_ size: Int, _ isBigEndian: Bool) throws {
    let document = Self.document.replacing("encoding=\"UTF-8\"", with: "encoding=\"UTF-16\"")
    for text in [document, String(document.dropFirst())] {
      let bytes = text.utf16.flatMap { unit -> [UInt8] in
        let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xff))
        return isBigEndian ? [high, low] : [low, high]
      }
      #expect(try PropertyLists.value(xml: bytes, chunk: size) == Self.value)
      #expect(throws: FerryError.self) {
        try PropertyLists.value(xml: Array(bytes.dropLast(2)) + [0xd8, 0xd8])
      }
    }
    let bad = Array("<plist>\n<array>x".utf16).flatMap { [UInt8(0), UInt8($0)] }
    let failure = PropertyLists.failure { _ = try PropertyLists.value(xml: bad, chunk: size) }
    #expect(failure?.location == InputLocation(line: 2, column: 8))
  }

  @Test(
    arguments: [
      ("<string>a</string>", "a"), ("<plist><true/></plist>", true), (" <!-- --> <array/> <!-- --> ", []),
      (
        "<!DOCTYPE plist [ <!-- it's ] > --> <!ELEMENT a ANY> <!ATTLIST a b CDATA \">]\"> ]><plist><dict/></plist>",
        [:]
      ),
      ("<plist><string a=\"/string>\" b='\"'>x</string></plist>\n", "x"),
      ("<plist a = '&amp;&#x41;'\nb='1'><true/></plist>", true),
      ("<string>&#000000000000000065;</string>", "A"),
      ("<string\n>]] >]</string\t>", "]] >]"), ("<string>]]<!-- -->><![CDATA[]]]]>></string>", "]]>]]>"),
      ("<?xml version='1.0' encoding='utf-8'?><real>nan</real>", .real(.nan)),
      ("<string>a\r\nb\rc&#13;</string>", "a\r\nb\rc\r"), ("<string>\u{1}</string>", "\u{1}"),
      ("<date>-0001-02-03T04:05:06Z</date>", .date(secondsSince2001: -63_174_196_494)),
      ("<integer>-9223372036854775808</integer>", .integer(-(1 << 63))), ("<integer>0X00ff</integer>", 255),
    ] as [(String, Value)])
  func `Less usual XML property lists are read`(_ text: String, _ value: Value) throws {
    #expect(try PropertyLists.value(xml: text) == value)
    #expect(try PropertyLists.value(xml: Array(text.utf8), chunk: 1) == value)
  }

  @Test(arguments: [
    "plist", "array", "dict", "key", "string", "integer", "real", "true", "false", "date", "data",
  ])
  func `An element of an XML property list is known by its name`(_ name: String) {
    #expect(XMLPropertyListElement(name.utf8.span)?.name == name)
    #expect(XMLPropertyListElement((name + "s").utf8.span) == nil)
    #expect(XMLPropertyListElement(name.dropLast().utf8.span) == nil)
  }

  @Test func `A key of an XML property list that occurs twice is sent twice`() throws {
    let tree = PropertyListTree(budget: Budget())
    let text = "<dict><key>a</key><true/><key>a</key><false/></dict>"
    try XMLPropertyListReader(into: tree).readAll(text.utf8.span)
    #expect(try tree.kind(of: tree.root) == .dictionary(count: 2))
  }

  @Test func `Text and comments between the values are reported as lost`() throws {
    let losses = LossReport()
    let reader = XMLPropertyListReader(into: ValueBuilder(), losses: losses)
    try reader.readAll(
      "<?xml version='1.0'?><!-- a --><?b c?><!DOCTYPE a []><array><!-- d --></array>".utf8.span)
    #expect(losses.counts.map(\.kind) == [.comment, .processingInstruction, .doctype])
    #expect(losses.counts.map(\.count) == [2, 1, 1])
  }

  static let refusals: [XMLRefusal] = [
    .init("1️⃣", .badRoot("there is no property list in the file")),
    .init("  <!-- -->\n1️⃣", .badRoot("there is no property list in the file")),
    .init("<plist>1️⃣</plist>", .badRoot("the property list holds no value")),
    .init("1️⃣<plist/>", .badRoot("the property list holds no value")),
    .init(
      "<plist><true/>1️⃣<true/></plist>", .badRoot("a property list holds one value, and this is a second")),
    .init("<true/>\n1️⃣<true/>", .badRoot("a property list holds one value, and this is a second")),
    .init("<plist><true/></plist>1️⃣<plist/>", .unexpectedElement("plist", inside: "the document")),
    .init("<plist><true/></plist>\n 1️⃣x", .unexpectedText(inside: "the document")),
    .init("1️⃣x", .unexpectedText(inside: "the document")),
    .init("<plist>\n1️⃣<people/></plist>", .unexpectedElement("people", inside: "<plist>")),
    .init("<array>\n  1️⃣text</array>", .unexpectedText(inside: "<array>")),
    .init("<array>1️⃣&amp;</array>", .unexpectedText(inside: "<array>")),
    .init("<array>1️⃣<![CDATA[x]]></array>", .unexpectedText(inside: "<array>")),
    .init("<array>1️⃣<key>a</key></array>", .unexpectedElement("key", inside: "<array>")),
    .init("<array>\n1️⃣</dict>", .unexpectedElement("/dict", inside: "<array>")),
    .init("<array>1️⃣</plist>", .unexpectedElement("/plist", inside: "<array>")),
    .init("<array><string>x1️⃣</array>", .unexpectedElement("/array", inside: "<string>")),
    .init("<array><string>x1️⃣<true/></string></array>", .unexpectedElement("true", inside: "<string>")),
    .init("<string>x1️⃣<b>", .unexpectedElement("b", inside: "<string>")),
    .init("<array>1️⃣<Dict/></array>", .unexpectedElement("Dict", inside: "<array>")),
    .init("<array>1️⃣<dictionary/></array>", .unexpectedElement("dictionary", inside: "<array>")),
    .init("1️⃣</array>", .unexpectedElement("/array", inside: "the document")),
    .init("<dict>1️⃣<true/></dict>", .missingKey),
    .init("<dict><key>a</key><true/>\n1️⃣<dict/></dict>", .missingKey),
    .init("<dict><key>a</key>1️⃣<key>b</key></dict>", .missingValue(key: "a")),
    .init("<dict><key>a</key><true/><key>b</key>1️⃣</dict>", .missingValue(key: "b")),
    .init("<dict><key>CF$UID</key>1️⃣</dict>", .missingValue(key: "CF$UID")),
    .init("<array><integer>1️⃣</integer></array>", .badValue("", type: "an integer from −2⁶³ to 2⁶⁴−1")),
    .init("<array><integer>1️⃣5a</integer></array>", .badValue("5a", type: "an integer from −2⁶³ to 2⁶⁴−1")),
    .init("<array><integer>1️⃣--5</integer></array>", .badValue("--5", type: "an integer from −2⁶³ to 2⁶⁴−1")),
    .init("<array><integer/>1️⃣</array>", .badValue("", type: "an integer from −2⁶³ to 2⁶⁴−1")),
    .init(
      "<integer>1️⃣18446744073709551616</integer>",
      .badValue("18446744073709551616", type: "an integer from −2⁶³ to 2⁶⁴−1")),
    .init(
      "<integer>1️⃣-9223372036854775809</integer>",
      .badValue("-9223372036854775809", type: "an integer from −2⁶³ to 2⁶⁴−1")),
    .init("<real>1️⃣0x10</real>", .badValue("0x10", type: "a real number")),
    .init("<real>1️⃣1e</real>", .badValue("1e", type: "a real number")),
    .init("<real>1️⃣1e400</real>", .badValue("1e400", type: "a real number")),
    .init("<real>1️⃣.</real>", .badValue(".", type: "a real number")),
    .init("<real>1️⃣nano</real>", .badValue("nano", type: "a real number")),
    .init(
      "<date>1️⃣2014-06-01T09:30:00.5Z</date>",
      .badValue("2014-06-01T09:30:00.5Z", type: "a date as 2001-02-03T04:05:06Z")),
    .init(
      "<date>1️⃣2014-02-30T09:30:00Z</date>",
      .badValue("2014-02-30T09:30:00Z", type: "a date as 2001-02-03T04:05:06Z")),
    .init("<date>1️⃣today</date>", .badValue("today", type: "a date as 2001-02-03T04:05:06Z")),
    .init("<data>1️⃣AAE</data>", .badValue("AAE", type: "Base64")),
    .init("<data>1️⃣A*==</data>", .badValue("A*==", type: "Base64")),
    .init("<true>1️⃣ </true>", .unexpectedText(inside: "<true>")),
    .init("<!DOCTYPE a [ 1️⃣<!ENTITY lol \"lol\">]><string>&lol;</string>", .entityDeclaration("lol")),
    .init("<!DOCTYPE a [\n<!-- x -->1️⃣<!ENTITY % p SYSTEM \"x\">]><string/>", .entityDeclaration("p")),
    .init("<string>a1️⃣&lol;</string>", .xml(.undeclaredEntity("lol"))),
    .init(
      "1️⃣<?xml version='1.0' encoding='ISO-8859-1'?><true/>",
      .xml(.notWellFormed("the encoding \"ISO-8859-1\" is not supported (try UTF-8)"))),
  ]

  @Test(arguments: refusals)
  func `An invalid XML property list is refused with the reason and the place`(_ refusal: XMLRefusal) {
    let marked = MarkedText(refusal.marked)
    for size in [.max, 1, 2, 3, 7] {
      let failure = PropertyLists.failure { _ = try PropertyLists.value(xml: marked.bytes, chunk: size) }
      #expect(failure?.reason == refusal.reason, "in chunks of \(size)")
      #expect(failure?.location == marked.location, "in chunks of \(size)")
    }
  }

  @Test(arguments: ["US-ASCII", "ascii", "ANSI_X3.4-1968", "csASCII", "IBM367"])
  func `A property list that declares ASCII is refused beyond ASCII`(_ encoding: String) throws {
    let words = "these bytes are not text in \"\(encoding)\", the encoding that the document declares"
    for rest in ["<!-- 1️⃣é --><true/>", "<string>a1️⃣é</string>", "<true/>1️⃣é"] {
      let marked = MarkedText("<?xml version='1.0' encoding='\(encoding)'?>\n" + rest)
      let offset = try #require(marked.location?.byte)
      let invalid = marked.bytes[..<offset] + [0xff] + marked.bytes[offset...]
      for bytes in [marked.bytes, [UInt8](invalid)] {
        for size in [.max, 1, 2, 3, 7] {
          let failure = PropertyLists.failure { _ = try PropertyLists.value(xml: bytes, chunk: size) }
          #expect(failure?.reason == .xml(.notWellFormed(words)), "in chunks of \(size)")
          #expect(failure?.location == marked.location, "in chunks of \(size)")
        }
      }
    }
    let ascii = "<?xml version='1.0' encoding='\(encoding)'?><string>a&#233;</string>"
    for size in [.max, 1] {
      #expect(try PropertyLists.value(xml: Array(ascii.utf8), chunk: size) == "aé")
    }
  }

  /// Documents that are not well-formed, with the location and the words of the error.
  static let malformed = [
    ("<plist>1️⃣", "the document ends inside <plist>"),
    ("<plist><true/>\n1️⃣", "the document ends inside <plist>"),
    ("<dict><key>a1️⃣", "the document ends inside <key>"),
    ("<string>a<1️⃣", "the document ends inside a tag"),
    ("<string>a&1️⃣", "the document ends inside <string>"),
    ("<true/><!-- 1️⃣", "the document ends inside a comment"),
    ("<string><![CDATA[ ]]1️⃣", "the document ends inside a CDATA section"),
    ("<string><![CD1️⃣", "the document ends inside a CDATA section"),
    ("<?xml1️⃣", "the document ends inside the XML declaration"),
    ("<?a 1️⃣", "the document ends inside a processing instruction"),
    ("<!DOCTYPE plist [1️⃣", "the document ends inside the document type declaration"),
    ("<array><!1️⃣", "the document ends inside markup that begins with <!"),
    ("<array1️⃣", "the document ends inside a start tag"),
    ("<plist a='1'1️⃣", "the document ends inside a start tag"),
    ("<plist a='1️⃣", "the document ends inside an attribute's value (its closing quotation mark is missing)"),
    ("<array></arr1️⃣", "the document ends inside an end tag"),
    ("<string>a 1️⃣&am", "the reference \"&am\" has no \";\" (write &amp; for a bare &)"),
    ("<string>é1️⃣&amp</string>", "the reference \"&amp\" has no \";\" (write &amp; for a bare &)"),
    ("<string>1️⃣&a b;</string>", "the reference \"&a\" has no \";\" (write &amp; for a bare &)"),
    ("<string>1️⃣&#12a;</string>", "the reference \"&#12\" has no \";\" (write &amp; for a bare &)"),
    ("<string>1️⃣&#12", "the reference \"&#12\" has no \";\" (write &amp; for a bare &)"),
    ("<string>a 1️⃣& b <true/>", "a bare & (write &amp;)"),
    ("<string>1️⃣&;</string>", "a bare & (write &amp;)"),
    ("<string>1️⃣&#x;</string>", "a reference to a character needs its number: &#233; or &#xE9;"),
    ("<string>1️⃣&#1;</string>", "XML cannot hold the character U+0001"),
    ("<string>1️⃣&#0;</string>", "XML cannot hold the character U+0000"),
    ("<string>1️⃣&#xD800;</string>", "XML cannot hold the character U+D800"),
    (
      "<string>1️⃣&#x110000;</string>",
      "the reference \"&#x110000;\" is beyond the last character, &#x10FFFF;"
    ),
    (
      "<string>1️⃣&#99999999999999999999;</string>",
      "the reference \"&#99999999999999999999;\" is beyond the last character, &#x10FFFF;"
    ),
    ("<array>1️⃣<></array>", "a bare < (write &lt;)"),
    ("<array>1️⃣< true/></array>", "a bare < (write &lt;)"),
    ("<array>1️⃣</></array>", "an end tag without a name"),
    ("<array></array 1️⃣a='1'>", "\">\" is expected here"),
    ("<array 1️⃣<true/>", "a name is expected here"),
    ("<array1️⃣<true/>", "a name is expected here"),
    ("<array>1️⃣<!ELEMENT x></array>", "this begins neither an element, a comment nor a CDATA section"),
    ("<plist a='1' 1️⃣a='2'><true/></plist>", "the attribute \"a\" is given twice"),
    ("<plist a='1'\n é='>' 1️⃣é=''><true/></plist>", "the attribute \"é\" is given twice"),
    ("<plist a='1'1️⃣b='2'><true/></plist>", "white space is expected here"),
    ("<plist 1️⃣=''><true/></plist>", "a name is expected here"),
    ("<plist a=1️⃣1><true/></plist>", "an attribute's value is expected, in quotation marks"),
    (
      "<plist é='' 1️⃣a><true/></plist>",
      "the attribute \"a\" has no value (XML needs one, in quotation marks)"
    ),
    (
      "<plist a='1️⃣<true/></plist>",
      "a bare < in an attribute's value (write &lt;), or the value's closing quotation mark is missing"
    ),
    ("<plist a='1️⃣& '><true/></plist>", "a bare & (write &amp;)"),
    ("<plist a='&lt;1️⃣&#1;'><true/></plist>", "XML cannot hold the character U+0001"),
    ("<plist é='1️⃣\u{1}'><true/></plist>", "XML cannot hold the character U+0001"),
    ("<array><di1️⃣$ct/></array>", "a name is expected here"),
    (
      "<plist 1️⃣a$b='1'><true/></plist>",
      "the attribute \"a\" has no value (XML needs one, in quotation marks)"
    ),
    ("<string>é a 1️⃣]]> b</string>", "]]> cannot be in text (write ]]&gt;)"),
    ("<string>a b c ]1️⃣]]></string>", "]]> cannot be in text (write ]]&gt;)"),
    ("<string>é<!-- x -->1️⃣]]></string>", "]]> cannot be in text (write ]]&gt;)"),
    ("<dict><key>a&amp;\n1️⃣]]></key>", "]]> cannot be in text (write ]]&gt;)"),
    ("<plist><!-- é 1️⃣-- b --><true/></plist>", "a comment cannot contain --"),
    ("<!--1️⃣---><true/>", "a comment cannot contain --"),
    ("<string>x<!-- a 1️⃣---></string>", "a comment cannot contain --"),
    ("<true/>\n<!-- a 1️⃣-- b -->", "a comment cannot contain --"),
    ("<plist><?1️⃣ foo?><true/></plist>", "a processing instruction needs a name after <?"),
    ("<?1️⃣?><true/>", "a processing instruction needs a name after <?"),
    ("<string>a<?1️⃣1foo?></string>", "a processing instruction needs a name after <?"),
    ("<true/><?1️⃣>?>", "a processing instruction needs a name after <?"),
    ("<plist><?é1️⃣\"bar\"?><true/></plist>", "white space is expected here"),
    ("<plist><?foo1️⃣?bar?><true/></plist>", "white space is expected here"),
    ("<plist>1️⃣<?XML foo?><true/></plist>", reservedName),
    ("1️⃣<?XML version='1.0'?><true/>", reservedName),
    ("<plist>1️⃣<?xml version='1.0'?><true/></plist>", lateDeclaration),
    ("<?xml version='1.0'?>1️⃣<?xml version='1.0'?><true/>", lateDeclaration),
    ("<!-- é -->\n1️⃣<?xml version='1.0'?><true/>", lateDeclaration),
    ("<!DOCTYPE plist>1️⃣<?xml version='1.0'?><true/>", lateDeclaration),
    ("<true/>1️⃣<?xml version='1.0'?>", lateDeclaration),
  ]

  private static let reservedName =
    "a processing instruction cannot have the name \"XML\" (the XML declaration begins with <?xml)"
  private static let lateDeclaration = "the XML declaration may only be at the very beginning of the document"

  /// XML declarations and document type declarations that are not well-formed.
  static let malformedProlog = [
    ("<?xml1️⃣?>", "the XML declaration has no version of the form 1.0 (<?xml version=\"1.0\"?>)"),
    (
      "<?xml 1️⃣encoding='utf-8'?>",
      "the XML declaration has no version of the form 1.0 (<?xml version=\"1.0\"?>)"
    ),
    ("<?xml version='1'1️⃣?>", "the XML declaration has no version of the form 1.0 (<?xml version=\"1.0\"?>)"),
    ("<?xml version='2.0'1️⃣?>", "this version of XML is not supported (version=\"1.0\" is)"),
    ("<?xml version='1️⃣x'?>", "a closing quotation mark is expected here"),
    ("<?xml version='1.01️⃣?>", "a closing quotation mark is expected here"),
    ("<?xml version 1️⃣'1.0'?>", "\"=\" is expected here"),
    ("<?xml version=1️⃣1.0?>", "a value is expected, in quotation marks"),
    ("<?xml version='1.0'1️⃣encoding='utf-8'?>", "white space is expected here"),
    ("<?xml version='1.0'1️⃣>", "white space is expected here"),
    ("<?xml version='1.0' encoding='1️⃣1'?>", "this cannot be the name of an encoding"),
    ("<?xml version='1.0' encoding='utf1️⃣ 8'?>", "a closing quotation mark is expected here"),
    ("<?xml version='1.0' encoding='utf-8' 1️⃣x?>", "the XML declaration has to end in ?> here"),
    ("<?xml version='1.0' standalone='1️⃣maybe'?>", "standalone is \"yes\" or \"no\""),
    ("<?xml version='1.0' standalone='yes1️⃣x'?>", "a closing quotation mark is expected here"),
    (
      "<?xml version='1.0' standalone='yes' 1️⃣encoding='utf-8'?>",
      "the XML declaration has to end in ?> here"
    ),
    ("<?xml version='1.0'\n1️⃣foo='1'?>", "the XML declaration has to end in ?> here"),
    ("<?xml version='1.0' 1️⃣? >", "the XML declaration has to end in ?> here"),
    ("<!DOCTYPE1️⃣>", "a name is expected here"),
    ("<!DOCTYPE 1️⃣1plist>", "a name is expected here"),
    ("<!DOCTYPE pl1️⃣$ist>", "the document type declaration has to end in > here"),
    ("<!DOCTYPE plist 1️⃣'x'>", "the document type declaration has to end in > here"),
    ("<!DOCTYPE plist SYSTEM1️⃣>", "white space is expected here"),
    ("<!DOCTYPE plist SYSTEM 1️⃣x>", "an identifier is expected, in quotation marks"),
    ("<!DOCTYPE plist SYSTEM 'é' 1️⃣'y'>", "the document type declaration has to end in > here"),
    ("<!DOCTYPE plist SYSTEM '1️⃣\u{1}'>", "XML cannot hold the character U+0001"),
    ("<!DOCTYPE plist PUBLIC 'x'1️⃣>", "white space is expected here"),
    ("<!DOCTYPE plist PUBLIC 'x' 1️⃣>", "an identifier is expected, in quotation marks"),
    ("<!DOCTYPE plist PUBLIC \"a\"1️⃣\"b\">", "white space is expected here"),
    (
      "<!DOCTYPE plist PUBLIC 'a1️⃣{}' 'x'>",
      "a public identifier cannot contain \"{\", or its closing quotation mark is missing"
    ),
    (
      "<!DOCTYPE plist PUBLIC 'a\n1️⃣é' 'x'>",
      "a public identifier cannot contain \"é\", or its closing quotation mark is missing"
    ),
    (
      "<!DOCTYPE plist PUBLIC 'b1️⃣>",
      "a public identifier cannot contain \">\", or its closing quotation mark is missing"
    ),
    ("<!DOCTYPE plist>1️⃣<!DOCTYPE plist>", misplacedDoctype),
    ("<!DOCTYPE plist>1️⃣<!doctype x>", "this begins neither an element, a comment nor a CDATA section"),
    ("<plist>1️⃣<!DOCTYPE plist></plist>", misplacedDoctype),
    ("<true/>1️⃣<!DOCTYPE plist>", misplacedDoctype),
    (
      "<!DOCTYPE plist [\n1️⃣<!FOO>]>", "this begins neither an element, a comment nor a CDATA section"
    ),
    ("<!DOCTYPE plist [ 1️⃣<a>]>", "this begins neither an element, a comment nor a CDATA section"),
    ("<!DOCTYPE plist [<!-- a 1️⃣-- b -->]>", "a comment cannot contain --"),
    ("<!DOCTYPE plist [<?1️⃣1?>]>", "a processing instruction needs a name after <?"),
    ("<!DOCTYPE plist [<!ELEMENT é1️⃣>]>", "white space is expected here"),
    ("<!DOCTYPE plist [<!ATTLIST a b CDATA '1️⃣&'>]>", "a bare & (write &amp;)"),
    ("<!DOCTYPE plist [] 1️⃣[]>", "the document type declaration has to end in > here"),
  ]

  private static let misplacedDoctype =
    "a document has one document type declaration, before its root element"

  /// All documents that are not well-formed, with a value after the prolog.
  private static let allMalformed =
    malformed + malformedProlog.map { ($0.contains("true/>") ? $0 : $0 + "<true/>", $1) }

  /// Documents that are well-formed, but look as if they were not.
  static let odd = [
    "<!----><true/>", "<!--- a - > b -><!- -\n--><true/><!---->",
    "<string>]]&gt; ]] > ]> <!--]]>--></string>",
    "<?foo?><true/>", "<plist><?é·\n? > ?? \"?><true/></plist>", "<?xml-stylesheet xml?><true/>",
    "<?a:b?><true/>",
    "<true/><?XMLA?>", "<?xml version=\"1.1\"?><true/>", "\u{feff}<?xml version='1.0'\t?><true/>",
    "<?xml\nversion\t= '1.0' encoding\n=\"us-ascii\" standalone = 'no' ?><true/>",
    "<!-- x --><?foo?>\n<!DOCTYPE foo ><!-- y --><true/>", "<!DOCTYPE plist[]><true/>",
    "<!DOCTYPE a:é SYSTEM '<>&#\"é d:\\'[ ] ><true/>", "<!DOCTYPE plist PUBLIC \"-'\n@$%\" ''><true/>",
    "<!DOCTYPE plist PUBLIC '' \"[<!ENTITY a 'b'>]\"><true/>",
    "<!DOCTYPE plist [<?x ]>?><!-- it's ]> <!ENTITY a 'b'> --><!ATTLIST a b CDATA ']>'>]><true/>",
    "<!DOCTYPE plist [<!NOTATION n SYSTEM \"'\">\n]><true/>",
  ]

  @Test func `A document is well-formed or not as xmllint finds`() async throws {
    for (marked, _) in Self.allMalformed {
      let text = MarkedText(marked)
      let answer = try await Peer.run("xmllint", ["--noout", "--nonet", "-"], input: text.bytes)
      #expect(!answer.succeeded, "\(text.text)")
    }
    for text in Self.odd {
      let answer = try await Peer.run("xmllint", ["--noout", "--nonet", "-"], input: Array(text.utf8))
      #expect(answer.succeeded, "\(text): \(answer.errors)")
    }
  }

  @Test(arguments: odd)
  func `An odd document that is well-formed is read`(_ text: String) throws {
    let isText = text.contains("<string>")
    for size in [.max, 1, 3] {
      let value = try PropertyLists.value(xml: Array(text.utf8), chunk: size)
      #expect(value == (isText ? "]]> ]] > ]> " : true), "in chunks of \(size)")
    }
  }

  @Test(arguments: allMalformed.indices)
  func `A document that is not well-formed has the error of the XML reader`(_ index: Int) throws {
    let (text, words) = Self.allMalformed[index]
    let marked = MarkedText(text)
    let xml = #expect(throws: FerryError.self) { try streamCalls(marked.bytes) }
    #expect(xml?.reason.description == words)
    #expect(xml?.location == marked.location)
    for size in [.max, 1, 2, 3, 7] {
      let list = PropertyLists.failure { _ = try PropertyLists.value(xml: marked.bytes, chunk: size) }
      #expect(list?.reason == xml?.reason, "in chunks of \(size)")
      #expect(list?.location == xml?.location, "in chunks of \(size)")
    }
  }

  @Test func `Characters that Apple writes although XML does not have them are read`() throws {
    #expect(try PropertyLists.value(xml: "<string>a\u{1}\u{1b}\u{fffe}</string>") == "a\u{1}\u{1b}\u{fffe}")
    // Values are not read from comments and instructions.
    #expect(try PropertyLists.value(xml: "<!-- \u{1} --><?a \u{1}?><true/>") == true)
  }

  @Test func `A declaration after white space is read as in real files, and must be well-formed`() throws {
    let list = " \n<?xml version='1.0' encoding='utf-8'?><true/>"
    #expect(try PropertyLists.value(xml: list) == true)
    let failure = PropertyLists.failure {
      _ = try PropertyLists.value(xml: list.replacing("1.0", with: "2.0"))
    }
    #expect(failure?.reason.description == "this version of XML is not supported (version=\"1.0\" is)")
    #expect(failure?.location == InputLocation(line: 2, column: 20, byte: 21))
  }

  @Test(arguments: [1, 2, 3, 7, .max])
  func `Bytes of an XML property list that are not UTF-8 are refused at their place`(_ size: Int) {
    for (bad, offset) in [
      ([0xff], 0), ([0xc3, 0x28], 1), ([0xe2, 0x82, 0x28], 2), ([0xed, 0xa0, 0x80], 1),
    ] as [([UInt8], Int)] {
      let bytes = Array("<string>\né".utf8) + bad + Array("</string>".utf8)
      let failure = PropertyLists.failure { _ = try PropertyLists.value(xml: bytes, chunk: size) }
      #expect(failure?.reason == .xml(.notWellFormed("this is not UTF-8")))
      #expect(failure?.location == InputLocation(line: 2, column: 2 + min(offset, 1), byte: 11 + offset))
    }
    let cut = PropertyLists.failure {
      _ = try PropertyLists.value(xml: [0x3c, 0x61, 0x20, 0xc3], chunk: size)
    }
    #expect(cut?.reason == .xml(.notWellFormed("this is not UTF-8")))
  }

  @Test func `An XML property list stays within the budget`() throws {
    var budget = Budget()
    (budget.depth, budget.tokenBytes) = (3, 20)
    func failure(_ text: String, chunk: Int = .max) -> FerryError? {
      PropertyLists.failure {
        try XMLPropertyListReader(into: ValueBuilder(), budget: budget)
          .readAll(Array(text.utf8), chunk: chunk)
      }
    }
    #expect(failure("<array><dict><key>a</key><array/></dict></array>") == nil)
    let deep = failure("<array><array><array><array/></array></array></array>")
    #expect(deep == FerryError(.overBudget(.depth(3)), at: InputLocation(line: 1, column: 22, byte: 21)))
    let text = "<string>" + String(repeating: "a", count: 21) + "</string>"
    for size in [1, 7, .max] {
      let long = failure(text, chunk: size)
      #expect(
        long == FerryError(.overBudget(.tokenBytes(20)), at: InputLocation(line: 1, column: 9, byte: 8)))
    }
    #expect(failure("<string>aaaaaaaaaaaaaaaaaaaa</string>") == nil)
    let value = String(repeating: "a", count: 21)
    #expect(failure("<array x='\(value)'/>")?.reason == .overBudget(.tokenBytes(20)))
    #expect(failure("<string><![CDATA[\(text)]]></string>")?.reason == .overBudget(.tokenBytes(20)))
  }

  /// Reads bytes whole and in chunks, and expects the same value or error.
  private func inPieces(_ bytes: [UInt8]) throws {
    let whole = Result { try PropertyLists.value(xml: bytes) }
    let pieces = Result { try PropertyLists.value(xml: bytes, chunk: 3) }
    switch (whole, pieces) {
    case (.success(let a), .success(let b)): #expect(a == b)
    case (.failure(let a as FerryError), .failure(let b as FerryError)): #expect(a == b)
    default: Issue.record("\(whole), but in pieces \(pieces)")
    }
    _ = try whole.get()
  }

  @Test func `An XML property list with any byte missing or changed is read or refused, in any chunks`()
    throws
  {
    let bytes = Array(Self.document.utf8)
    let end = bytes.count - "\n<!-- the end -->\n".utf8.count
    let lengths = Array(0..<end)
    for change: Damage.Change in [.replacing(Array("\u{0}<&/".utf8) + [0x80, 0xff]), .flipping([0x01])] {
      try Damage(to: bytes, lengths: lengths, change: change).check { _ = try PropertyLists.value(xml: $0) }
      let fifths = Array(stride(from: 0, to: bytes.count, by: 5))
      try Damage(to: bytes, lengths: [], offsets: fifths, change: change).check { bytes in
        try inPieces(bytes)
      }
    }
    #expect(try PropertyLists.value(xml: Array(bytes[..<end])) == Self.value)
  }
}

@Suite struct `Writing of XML property lists` {
  @Test func `An XML property list is written as Apple writes it`() throws {
    let value: Value = [
      "array": [1, -2, [], ["a"]], "born": .date(secondsSince2001: -5_840_035_200), "dict": [:],
      "false": false,
      "portrait": .data(Array(0..<60)), "real": 0.1, "single": .single(0.1), "string": "<&>\"'\r\n",
      "uid": [.uid(3)],
      "": "", "nan": [.real(.nan), .real(.infinity), .real(-.infinity)], "no data": .data([]),
    ]
    let expected = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <dict>
      \t<key>array</key>
      \t<array>
      \t\t<integer>1</integer>
      \t\t<integer>-2</integer>
      \t\t<array/>
      \t\t<array>
      \t\t\t<string>a</string>
      \t\t</array>
      \t</array>
      \t<key>born</key>
      \t<date>1815-12-10T00:00:00Z</date>
      \t<key>dict</key>
      \t<dict/>
      \t<key>false</key>
      \t<false/>
      \t<key>portrait</key>
      \t<data>
      \tAAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4vMDEy
      \tMzQ1Njc4OTo7
      \t</data>
      \t<key>real</key>
      \t<real>0.10000000000000001</real>
      \t<key>single</key>
      \t<real>0.10000000149011612</real>
      \t<key>string</key>
      \t<string>&lt;&amp;&gt;"'&#13;
      </string>
      \t<key>uid</key>
      \t<array>
      \t\t<dict>
      \t\t\t<key>CF$UID</key>
      \t\t\t<integer>3</integer>
      \t\t</dict>
      \t</array>
      \t<key></key>
      \t<string></string>
      \t<key>nan</key>
      \t<array>
      \t\t<real>nan</real>
      \t\t<real>+infinity</real>
      \t\t<real>-infinity</real>
      \t</array>
      \t<key>no data</key>
      \t<data>
      \t</data>
      </dict>
      </plist>

      """
    #expect(String(decoding: try PropertyLists.xml(value), as: UTF8.self) == expected)
  }

  @Test func `Every kind of value comes back from an XML property list`() throws {
    let text = try PropertyLists.xml(PropertyLists.sample)
    for size in [1, 3, 65_536] {
      #expect(try PropertyLists.value(xml: text, chunk: size) == PropertyLists.sample)
    }
  }

  @Test func `Any text that XML can hold comes back, at any offset in a word`() throws {
    let texts = [
      "<", "&", ">", "\r", "\t", "\n", "é", "\u{d7ff}", "\u{e000}", "\u{fffd}", "\u{7f}", "\u{80}",
      "\u{10ffff}", "ﬀ",
    ]
    var all: [Value] = []
    for text in texts {
      for before in 0..<10 {
        all.append(
          .string(String(repeating: "a", count: before) + text + String(repeating: "b", count: 20 - before)))
      }
    }
    #expect(try PropertyLists.value(xml: PropertyLists.xml(.array(all))) == .array(all))
  }

  @Test(arguments: [0, 1, 8, 0xb, 0x1f, 0xd800, 0xdfff, 0xfffe, 0xffff] as [UInt16])
  func `A character that XML cannot hold is refused, at any offset in a word`(_ unit: UInt16) throws {
    for before in 0..<10 {
      let units =
        [UInt16](repeating: 0x61, count: before) + [unit, 0x62, 0x62, 0x62, 0x62, 0x62, 0x62, 0x62, 0x62]
      let value = String(validating: units, as: UTF16.self).map { Value.string($0) } ?? .unpairedString(units)
      let failure = PropertyLists.failure { _ = try PropertyLists.xml(value) }
      #expect(failure?.reason == .xml(.forbiddenCharacter(UInt32(unit))))
      let key = PropertyLists.failure {
        var entries = KeyedValues()
        entries[value] = 1
        _ = try PropertyLists.xml(.dictionary(entries))
      }
      #expect(key?.reason == .xml(.forbiddenCharacter(UInt32(unit))))
    }
  }

  @Test func `Lines of data have the same width however deep they are`() throws {
    for depth in 0...12 {
      var value: Value = .data(Array(repeating: 0, count: 200))
      for _ in 0..<depth { value = [value] }
      let text = try PropertyLists.xml(value)
      let lines = text.split(separator: UInt8(ascii: "\n")).filter { $0.contains(UInt8(ascii: "A")) }
        .dropFirst(1)
      let data = lines.filter { !$0.contains(UInt8(ascii: "<")) }
      let tabs = min(depth, 8)
      #expect(data.first?.count == tabs + 76 - 8 * tabs)
      #expect(try PropertyLists.value(xml: text) == value)
    }
  }

  @Test func `A value without a place in an XML property list is refused by name`() {
    func failure(_ body: (XMLPropertyListWriter) throws -> Void) -> FerryError.Reason? {
      PropertyLists.failure { try body(XMLPropertyListWriter(to: MemoryOutput())) }?.reason
    }
    let format = "an XML property list"
    #expect(failure { try $0.null() } == .cannotHold(.kind("null", format: format)))
    #expect(failure { try $0.beginSet(count: nil) } == .cannotHold(.kind("a set", format: format)))
    #expect(failure { try $0.beginKey() } == .cannotHold(.kind("a key that is not a string", format: format)))
    #expect(failure { try $0.reference(1) } == .cannotHold(.kind("a reference to an object", format: format)))
    #expect(
      failure { try $0.beginObject(ObjectClass("A"), identity: nil) }
        == .cannotHold(.kind("an object", format: format)))
    #expect(
      failure { try $0.number(BorrowedText("2.20".utf8.span)) }
        == .cannotHold(.kind("the number 2.20, which is not exactly an integer or a real", format: format)))
    #expect(
      failure { try $0.integer(1 << 64) }
        == .cannotHold(.integerRange("18446744073709551616", format: format)))
    #expect(
      failure { try $0.date(.nan) } == .cannotHold(.kind("a date nan seconds from 2001", format: format)))
    #expect(failure { try $0.finish() } == .cannotHold(.misplaced("the end")))
    #expect(failure { try $0.endArray() } == .cannotHold(.misplaced("the end of an array")))
    #expect(failure { try $0.key(BorrowedText("a".utf8.span)) } == .cannotHold(.misplaced("a key")))
    #expect(
      failure {
        try $0.boolean(true)
        try $0.boolean(true)
      } == .cannotHold(.misplaced("a second value")))
    #expect(
      failure {
        try $0.beginDictionary(count: nil)
        try $0.boolean(true)
      } == .cannotHold(.misplaced("a boolean")))
    #expect(
      failure {
        try $0.beginDictionary(count: nil)
        try $0.key(BorrowedText("a".utf8.span))
        try $0.endDictionary()
      } == .cannotHold(.misplaced("the end of a dictionary")))
  }
}
