import Ferry
import TestSupport
import Testing

@Suite struct `Refusals of XML` {
  /// Documents with the place of their error, and words of its message.
  static let table: [(String, String)] = [
    ("1️⃣", "the document is empty"),
    ("   1️⃣", "no root element"),
    ("<!-- -->\n1️⃣", "no root element"),
    ("1️⃣x<a/>", "begins with <"),
    ("<people>\n  <name>Ada1️⃣</people>", "</people> cannot close <name>, which began on line 2"),
    ("<a>\n<b/>1️⃣", "ends inside <a>"),
    ("<a>\n<b c='1️⃣", "the document ends inside an attribute's value"),
    ("<a/>1️⃣<b/>", "follow the root"),
    ("<a/>1️⃣x", "follow the root"),
    ("<a b=1️⃣1/>", "an attribute's value is expected, in quotation marks"),
    ("<a b='1' 1️⃣b='2'/>", "the attribute \"b\" is given twice"),
    ("<a é='1' c='ä>'\n ü = '1' 1️⃣ü='2' ü=''/>", "the attribute \"ü\" is given twice"),
    ("<a 1️⃣b c=''/>", "the attribute \"b\" has no value"),
    ("<a\n b='1️⃣<'/>", "a bare < in an attribute's value"),
    ("<a>\n é 1️⃣& </a>", "a bare & (write &amp;)"),
    ("<a>\n é 1️⃣< </a>", "a bare < (write &lt;)"), ("1️⃣<1a/>", "a tag begins with a name"),
    ("<!--c-->1️⃣</a>", "an end tag has no start tag before it"),
    ("<a>é 1️⃣&amp </a>", "the reference \"&amp\" has no \";\""),
    ("<a>é 1️⃣</></a>", "an end tag without a name"),
    ("<a>é 1️⃣&#1;</a>", "XML cannot hold the character U+0001"),
    ("<a>é 1️⃣&#;</a>", "needs its number"),
    ("<a\n 1️⃣xmlns:p=\"\"/>", "the prefix \"p\" cannot be declared like this"),
    ("<1️⃣a xmlns:xml=\"u\"/>", "the prefixes xml and xmlns, and their namespaces, cannot be declared"),
    ("<1️⃣p:a/>", "the prefix \"p\" is not declared"),
    ("<a>\n <1️⃣p:b x=\"1\"\n y=\"2\">1</p:b></a>", "the prefix \"p\" is not declared"),
    ("<a>\n <b x=\"p:c\"\n 1️⃣p:c='2' p:d=\"3\">1</b></a>", "the prefix \"p\" is not declared"),
    ("<a xmlns:p='u' xmlns:q='u' p:b='' 1️⃣q:b=''/>", "the attribute \"b\" is given twice"),
    ("<a>1️⃣]]></a>", "]]>"),
    ("<a>x é\n1️⃣]]></a>", "]]> cannot be in text"),
    ("<a b='é1️⃣\u{1}'/>", "XML cannot hold the character U+0001"),
    ("<!DOCTYPE a PUBLIC 'x1️⃣{' 'y'><a/>", "a public identifier cannot contain \"{\""),
    ("<!DOCTYPE a><!-- é -->1️⃣<!DOCTYPE a><a/>", "a document has one document type declaration"),
    ("<a>1️⃣<!DOCTYPE a></a>", "a document has one document type declaration"),
    ("<?xml1️⃣?><a/>", "the XML declaration has no version"),
    ("1️⃣<?XML version='1.0'?><a/>", "a processing instruction cannot have the name \"XML\""),
    ("<a>é1️⃣\u{1}</a>", "XML cannot hold the character U+0001"),
    ("<a>1️⃣\u{fffe}</a>", "XML cannot hold the character U+FFFE"),
    ("<a><!-- a 1️⃣-- b --></a>", "a comment cannot contain --"),
    ("<a>1️⃣<?xml x?></a>", "XML declaration"),
    ("<é>xä1️⃣", "the document ends inside <é>"),
    ("<a>é<![CDATA[x]]>1️⃣", "the document ends inside <a>"),
    ("<é1️⃣", "the document ends inside a start tag"),
    ("<a b1️⃣", "the document ends inside a start tag"),
    ("<a b='1' b='2'1️⃣", "the document ends inside a start tag"),
    ("<a>x</a1️⃣", "the document ends inside an end tag"),
    ("<a><1️⃣", "the document ends inside a tag"),
    ("<a>é<![CDATA[x1️⃣", "the document ends inside a CDATA section"),
    ("<a><![CDA1️⃣", "the document ends inside a CDATA section"),
    ("<!--1️⃣", "the document ends inside a comment"),
    ("<a><!-1️⃣", "the document ends inside a comment"),
    ("<a/><!-- x1️⃣", "the document ends inside a comment"),
    ("<a><?p1️⃣", "the document ends inside a processing instruction"),
    ("<?xml1️⃣", "the document ends inside the XML declaration"),
    ("<!DOCTYPE a [1️⃣", "the document ends inside the document type declaration"),
    ("<a>é1️⃣&#12", "the reference \"&#12\" has no \";\""),
    ("<a>é1️⃣&#12a;</a>", "the reference \"&#12\" has no \";\""),
    ("<a>é 1️⃣&#99999999;</a>", "the reference \"&#99999999;\" is beyond the last character, &#x10FFFF;"),
    ("<a b='é1️⃣&#x110000;'/>", "the reference \"&#x110000;\" is beyond the last character, &#x10FFFF;"),
    ("<a>1️⃣&#0;</a>", "XML cannot hold the character U+0000"),
    ("<a>&#65;1️⃣\u{1}</a>", "XML cannot hold the character U+0001"),
    ("<!DOCTYPE a>1️⃣[]><a/>", "begins with <"),
    ("<?xml version='1.0' encoding='1️⃣no-such'?><a/>", "encoding"),
    ("<!DOCTYPE a [<!ENTITY e '<b>'>]><a>&e;1️⃣</a>", ""),
    ("<!DOCTYPE a [<!ENTITY e '&e;'>]><a>&e;1️⃣</a>", "entities contain each other"),
    ("<!DOCTYPE a [<!ENTITY e '&f;'><!ENTITY f '&e;'>]><a b='&e;1️⃣'/>", "entities contain each other"),
  ]

  @Test(arguments: Self.table.indices)
  func `An XML error has its exact place, whatever the chunks`(_ index: Int) throws {
    let (marked, words) = Self.table[index]
    let text = MarkedText(marked)
    for size in [1, 2, 5, 1 << 16] {
      let failure = #expect(throws: FerryError.self) { try streamCalls(text.bytes, chunk: size) }
      guard let failure, case .xml = failure.reason else {
        Issue.record("\(String(describing: failure))")
        continue
      }
      let message = failure.reason.description
      #expect(message.contains(words) && !message.contains("\n"), "\(message)")
      if let location = text.location { #expect(failure.location == location, "\(failure), chunk \(size)") }
    }
  }

  /// Documents with the place and reason of their refusal.
  static let others: [(String, FerryError.Reason)] = [
    ("<a>é 1️⃣&nbsp;</a>", .xml(.undeclaredEntity("nbsp"))),
    ("<a b='é 1️⃣&nbsp;'/>", .xml(.undeclaredEntity("nbsp"))),
    (
      "<?xml version='1.0' standalone='yes'?><!DOCTYPE a SYSTEM 'x.dtd'><a>1️⃣&nbsp;</a>",
      .xml(.undeclaredEntity("nbsp"))
    ),
    ("<!DOCTYPE a [<!ENTITY e SYSTEM 'file:///etc/hostname'>]><a>&e;1️⃣</a>", .xml(.externalEntity("e"))),
    ("<!DOCTYPE a [<!ENTITY e SYSTEM 'e'><!ENTITY f '&e;'>]><a>&f;1️⃣</a>", .xml(.externalEntity("e"))),
    (
      "<?xml version='1.0' standalone='yes'?><!DOCTYPE a [%p;1️⃣]><a/>",
      .xml(.undeclaredEntity("p"))
    ),
  ]

  @Test(arguments: Self.others.indices)
  func `An entity that cannot be expanded is named`(_ index: Int) throws {
    let (marked, reason) = Self.others[index]
    let text = MarkedText(marked)
    for size in [1, 3, 1 << 16] {
      let failure = #expect(throws: FerryError.self) { try streamCalls(text.bytes, chunk: size) }
      #expect(failure?.reason == reason)
      #expect(failure?.location == text.location, "chunk \(size)")
    }
    let failure = #expect(throws: FerryError.self) { try treeCalls(text.bytes) }
    #expect(failure?.reason == reason)
  }

  @Test func `No error uses the words of the parser's library`() throws {
    let library = [
      "AttValue", "PCDATA", "xmlParse", "Specification", "QName", "Input is not", "EntityValue",
      "PEReference",
    ]
    for document in Self.malformed {
      let failure = #expect(throws: FerryError.self, "\(document)") { try streamCalls(Array(document.utf8)) }
      let message = failure?.reason.description ?? ""
      #expect(
        !library.contains { message.contains($0) } && !message.contains("not well-formed"), "\(message)")
    }
  }

  private static let malformed = [
    "<a>&#x;</a>", "<a>&#xg;</a>", "<a =1/>", "<a b='1'c='2'/>", "<a><!-- x</a>", "<a><![CDATA[x</a>",
    "<a><?p x</a>",
    "<a><![CDATx]]></a>", "<1a/>", "<?xml version='1.0' encoding='x y'?><a/>", "<?xml encoding='utf-8'?><a/>",
    "<?xml version='1.0' standalone='maybe'?><a/>", "<?xml version='2.0'?><a/>", "<?xml version='1.0'",
    "<!DOCTYPE a [<!ELEMENT a>]><a/>", "<!DOCTYPE a [<!ATTLIST a b>]><a/>", "<!DOCTYPE a [<!ENTITY e>]><a/>",
    "<!DOCTYPE a [<!FOO>]><a/>", "<!DOCTYPE a", "<!DOCTYPE a [", "<!DOCTYPE [>", "<a xmlns:p=''/>",
    "<a:b:c xmlns:a='u'/>",
    "<a :b=''/>", "<!DOCTYPE a [<!ENTITY e '&'>]><a>&e;</a>", "<!DOCTYPE a [<!ENTITY e '<'>]><a b='&e;'/>",
    "<!DOCTYPE a [<!NOTATION n SYSTEM 'x'><!ENTITY e SYSTEM 'y' NDATA n>]><a>&e;</a>",
    "<?xml version='1.0' encoding='UTF-16'?><a/>",
  ]

  @Test func `An entity of a document type that is not read is omitted and reported`() throws {
    for document in [
      "<!DOCTYPE a SYSTEM 'x.dtd'><a b='1&nbsp;2'>x&nbsp;y</a>",
      "<!DOCTYPE a [<!ENTITY % p '<!--x-->'> %p;]><a b='1&nbsp;2'>x&nbsp;y</a>",
    ] {
      let (builder, losses) = (ValueBuilder(), LossReport())
      try XMLValueReader.readAll(Array(document.utf8).span, into: builder, losses: losses)
      #expect(try builder.result() == ["a": ["@b": "12", "#text": "xy"]])
      #expect(losses.counts.first { $0.kind == .undeclaredEntity }?.count == 2)
    }
  }

  @Test(arguments: ["<!ENTITY % p SYSTEM 'p.ent'> %p;", "%p;", "<!ENTITY % p SYSTEM 'p'>%p; %p;"])
  func `A parameter entity outside of the document is not read, and declarations after it do not count`(
    reference: String
  ) throws {
    let before = "<!DOCTYPE a [<!ENTITY b 'B'><!ATTLIST a x CDATA '1'>"
    let after = "<!ENTITY c 'C'><!ATTLIST a y CDATA '2'><!ELEMENT a ANY>]><a>&b;&c;</a>"
    for (start, expected, leftOut) in [
      ("", ["a": ["@x": "1", "#text": "B"]], 1),
      ("<?xml version='1.0' standalone='yes'?>", ["a": ["@x": "1", "@y": "2", "#text": "BC"]], nil),
    ] as [(String, Value, Int?)] {
      // A standalone document declares all that it refers to.
      guard start.isEmpty || reference.contains("SYSTEM") else { continue }
      let document = start + before + reference + after
      let (builder, losses) = (ValueBuilder(), LossReport())
      try XMLValueReader.readAll(Array(document.utf8).span, into: builder, losses: losses)
      #expect(try builder.result() == expected, "\(document)")
      #expect(losses.counts.first { $0.kind == .undeclaredEntity }?.count == leftOut)
    }
  }

  @Test func `A system identifier may be any text`() throws {
    let document =
      "<!DOCTYPE a [<!NOTATION gif SYSTEM 'v'><!ENTITY p SYSTEM 'd:\\testspec\\a.gif' NDATA gif>]><a>x</a>"
    _ = try streamCalls(Array(document.utf8))
  }

  @Test func `An encoding that the first bytes contradict is refused`() throws {
    func bytes(_ mark: [UInt8], _ encoding: String, _ width: Int = 1) -> [UInt8] {
      mark + "<?xml version='1.0' encoding='\(encoding)'?><a/>".utf8.flatMap { width == 1 ? [$0] : [$0, 0] }
    }
    let contradicting = [
      bytes([0xef, 0xbb, 0xbf], "ISO-8859-1"), bytes([0xef, 0xbb, 0xbf], "UTF-16"),
      bytes([0xff, 0xfe], "utf-8", 2),
      bytes([], "utf-8", 2), bytes([0xff, 0xfe], "ISO-8859-1", 2),
    ]
    for bytes in contradicting {
      for chunk in [1, 3, 1 << 16] {
        #expect(throws: FerryError.self, "\(bytes.prefix(40))") { try streamCalls(bytes, chunk: chunk) }
      }
    }
    for bytes in [
      bytes([0xef, 0xbb, 0xbf], "utf-8"), bytes([0xff, 0xfe], "UTF-16", 2), bytes([], "utf-16le", 2),
    ] {
      _ = try streamCalls(bytes)
    }
    let wide: [UInt8] = "<a/>".utf8.flatMap { [$0, 0, 0, 0] }
    let marked: [UInt8] = [0xff, 0xfe, 0, 0] + wide
    for bytes in [wide, marked] {
      let failure = #expect(throws: FerryError.self) { try streamCalls(bytes, chunk: 1) }
      #expect(failure?.reason.description.contains("UTF-32") == true)
    }
  }

  @Test(arguments: ["utf-16be", "UTF-16LE"])
  func `A declared byte order that the first bytes contradict is named`(_ encoding: String) throws {
    let isBig = encoding == "UTF-16LE"
    let units = Array("<?xml version='1.0' encoding='\(encoding)'?><plist><true/></plist>".utf16)
    let bytes = units.flatMap { unit -> [UInt8] in
      let (high, low) = (UInt8(unit >> 8), UInt8(unit & 255))
      return isBig ? [high, low] : [low, high]
    }
    let words =
      "the document's first bytes are UTF-16 in \(isBig ? "big" : "little")-endian order, and it declares the "
      + "encoding \"\(encoding)\" (correct one of the two)"
    let xml = #expect(throws: FerryError.self) { try streamCalls(bytes) }
    #expect(xml?.reason == .xml(.notWellFormed(words)))
    let list = #expect(throws: FerryError.self) { try PropertyLists.value(xml: bytes) }
    #expect(list?.reason == xml?.reason)
  }

  @Test func `The end of a document in UTF-16 has its line and column`() throws {
    let bytes: [UInt8] = [0xff, 0xfe] + "<a>é\n<b>éx".utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    let failure = #expect(throws: FerryError.self) { try streamCalls(bytes) }
    #expect(failure?.location == InputLocation(line: 2, column: 6))
  }

  @Test func `The error of a delegate has its element's place, and nothing is read after it`() throws {
    final class Refusing: ElementDelegate {
      var calls = 0
      let problem = FerryError(.record(.repeatedField("x")))
      override func delegate(for child: borrowing XMLStartTag) throws(FerryError) -> ElementDelegate? {
        if child.name.local == "no" { throw problem }
        return self
      }
      override func text(_ text: BorrowedText) throws(FerryError) {
        calls += 1
        if text.equals("bad") { throw problem }
      }
      override func didEnd() throws(FerryError) { calls += 1 }
    }
    for marked in ["<a>\n <b x='1'>good</b>\n 1️⃣<b>bad</b><b/></a>", "<a><b>good</b>\n1️⃣<no/><b/></a>"] {
      let text = MarkedText(marked)
      for size in [1, 4, 1 << 16] {
        let delegate = Refusing()
        let stream = try XMLStream(document: delegate)
        let failure = #expect(throws: FerryError.self) {
          for byte in 0..<text.bytes.count where byte % size == 0 {
            try stream.read(text.bytes.span.extracting(byte..<min(byte + size, text.bytes.count)))
          }
          try stream.finish()
        }
        #expect(failure?.reason == delegate.problem.reason)
        #expect(failure?.location == text.location)
        let calls = delegate.calls
        let again = #expect(throws: FerryError.self) { try stream.finish() }
        #expect(again == failure)
        #expect(delegate.calls == calls)
      }
    }
  }
}
