import Ferry
import TestSupport
import Testing

/// Writes with a writer into text.
func written(indent: Int = 2, _ body: (XMLWriter) throws(FerryError) -> Void) throws(FerryError) -> String {
  let output = MemoryOutput()
  let writer = try XMLWriter(to: output, indent: indent)
  try body(writer)
  try writer.finish()
  return String(decoding: output.bytes, as: UTF8.self)
}

extension XMLWriter {
  func start(_ name: String) throws(FerryError) {
    let name = Array(name.utf8)
    try startElement(name.span)
  }

  func add(_ name: String, _ value: String) throws(FerryError) {
    let name = Array(name.utf8)
    let value = Array(value.utf8)
    try attribute(name.span, BorrowedText(value.span))
  }

  func write(_ string: String) throws(FerryError) {
    let bytes = Array(string.utf8)
    try text(BorrowedText(bytes.span))
  }
}

/// A delegate that writes the events that it receives, without indentation.
final class CopyingDelegate: ElementDelegate {
  let writer: XMLWriter

  init(to writer: XMLWriter) {
    self.writer = writer
    super.init()
  }

  override func delegate(for child: borrowing XMLStartTag) -> ElementDelegate? { self }

  override func didStart(_ element: borrowing XMLStartTag) throws(FerryError) {
    try writer.start(element.name.qualified)
    for index in 0..<element.declarationCount {
      try writer.add(element.declarationName(index).qualified, String(element.declarationValue(index)))
    }
    for index in 0..<element.attributeCount {
      try writer.add(element.attributeName(index).qualified, String(element.attributeValue(index)))
    }
  }

  override func text(_ text: BorrowedText) throws(FerryError) { try writer.text(text) }
  override func comment(_ text: BorrowedText) throws(FerryError) { try writer.comment(text) }
  override func processingInstruction(target: BorrowedText, data: BorrowedText) throws(FerryError) {
    try writer.processingInstruction(target: target.utf8, data: data)
  }
  override func childDidFinish(_ child: ElementDelegate) throws(FerryError) { try writer.endElement() }
}

@Suite struct `Writing of XML` {
  @Test func `Elements are indented, and text is not`() throws {
    let text = try written { (writer: XMLWriter) throws(FerryError) in
      try writer.start("a")
      try writer.start("b")
      try writer.add("c", "\"<&>\t\n\r'")
      try writer.write("x]]>\r\ny & <z>\t\"'")
      try writer.endElement()
      try writer.start("d")
      try writer.endElement()
      try writer.start("p")
      try writer.write("one ")
      try writer.start("i")
      try writer.start("j")
      try writer.endElement()
      try writer.endElement()
      try writer.write(" two")
      try writer.endElement()
      try writer.endElement()
    }
    #expect(
      text == """
        <?xml version="1.0" encoding="UTF-8"?>
        <a>
          <b c="&quot;&lt;&amp;&gt;&#9;&#10;&#13;'">x]]&gt;&#13;
        y &amp; &lt;z&gt;\t"'</b>
          <d/>
          <p>one <i><j/></i> two</p>
        </a>

        """)
  }

  @Test func `Comments outside the root and CDATA sections are written`() throws {
    let text = try written { (writer: XMLWriter) throws(FerryError) in
      try writer.comment(BorrowedText(" a ".utf8.span))
      try writer.start("a")
      try writer.cdata(BorrowedText("x]]>y".utf8.span))
      try writer.endElement()
      try writer.processingInstruction(target: "t".utf8.span, data: BorrowedText("d".utf8.span))
    }
    #expect(
      text == """
        <?xml version="1.0" encoding="UTF-8"?>
        <!-- a -->
        <a><![CDATA[x]]]]><![CDATA[>y]]></a>
        <?t d?>

        """)
  }

  @Test(arguments: smallDocuments.indices)
  func `XML that was read is written and read alike`(_ index: Int) throws {
    let bytes = Array(smallDocuments[index].utf8)
    let calls = try streamCalls(bytes)
    let output = MemoryOutput()
    let writer = try XMLWriter(to: output, indent: 0)
    try XMLStream(document: CopyingDelegate(to: writer)).readAll(bytes.span)
    try writer.finish()
    func withoutPlaces(_ calls: [String]) -> [String] {
      calls.map { $0.hasPrefix("<") ? String($0.prefix { $0 != ">" }) : $0 }
    }
    #expect(withoutPlaces(try streamCalls(output.bytes)) == withoutPlaces(calls))
  }

  /// Invalid calls, each with the expected reason.
  static let refusals: [(XMLProblem, @Sendable (XMLWriter) throws(FerryError) -> Void)] = [
    (.badName("a b"), { (w) throws(FerryError) in try w.start("a b") }),
    (.badName(""), { (w) throws(FerryError) in try w.start("") }),
    (.badName("1a"), { (w) throws(FerryError) in try w.start("1a") }),
    (.badName("a:b:c"), { (w) throws(FerryError) in try w.start("a:b:c") }),
    (.badName("a:"), { (w) throws(FerryError) in try w.start("a:") }),
    (.badName("a><b"), { (w) throws(FerryError) in try w.start("a><b") }),
    (.badName("×"), { (w) throws(FerryError) in try w.start("×") }),
    (
      .badName("XML"),
      { (w) throws(FerryError) in
        try w.processingInstruction(target: "XML".utf8.span, data: BorrowedText(Span()))
      }
    ),
    (
      .forbiddenCharacter(0),
      { (w) throws(FerryError) in
        try w.start("a"); try w.write("\0")
      }
    ),
    (
      .forbiddenCharacter(0x1b),
      { (w) throws(FerryError) in
        try w.start("a"); try w.add("b", "0123456789\u{1b}")
      }
    ),
    (
      .forbiddenCharacter(0xfffe),
      { (w) throws(FerryError) in
        try w.start("a"); try w.write("é\u{fffe}")
      }
    ),
    (
      .forbiddenCharacter(0xffff),
      { (w) throws(FerryError) in try w.comment(BorrowedText("\u{ffff}".utf8.span)) }
    ),
    (
      .forbiddenCharacter(0xd800),
      { (w) throws(FerryError) in
        try w.start("a")
        let bytes: [UInt8] = [0xed, 0xa0, 0x80]
        try w.text(BorrowedText(checked: bytes.span, isASCII: false, hasSurrogates: true))
      }
    ),
    (
      .duplicateAttribute("b"),
      { (w) throws(FerryError) in
        try w.start("a"); try w.add("b", ""); try w.add("b", "")
      }
    ),
    (
      .duplicateAttribute("b3"),
      { (w) throws(FerryError) in
        try w.start("a")
        for index in 0..<100 { try w.add("b\(index)", "") }
        try w.add("b3", "")
      }
    ),
    (
      .lateAttribute("b"),
      { (w) throws(FerryError) in
        try w.start("a"); try w.write("x"); try w.add("b", "")
      }
    ),
    (.misplaced("text"), { (w) throws(FerryError) in try w.write("x") }),
    (
      .misplaced("a second root element"),
      { (w) throws(FerryError) in
        try w.start("a")
        try w.endElement()
        try w.start("a")
      }
    ),
    (.misplaced("the end of an element"), { (w) throws(FerryError) in try w.endElement() }),
    (
      .misplaced("the end of the document"),
      { (w) throws(FerryError) in
        try w.start("a"); try w.finish()
      }
    ),
    (.misplaced("the end of the document"), { (w) throws(FerryError) in try w.finish() }),
    (
      .badMarkup("a comment cannot contain -- or end in -"),
      { (w) throws(FerryError) in try w.comment(BorrowedText("a--b".utf8.span)) }
    ),
    (
      .badMarkup("a comment cannot contain -- or end in -"),
      { (w) throws(FerryError) in try w.comment(BorrowedText("a-".utf8.span)) }
    ),
    (
      .badMarkup("a processing instruction cannot contain ?>"),
      { (w) throws(FerryError) in
        try w.processingInstruction(target: "t".utf8.span, data: BorrowedText("?>".utf8.span))
      }
    ),
    (
      .badMarkup("the prefix of p:a is not declared"),
      { (w) throws(FerryError) in
        try w.start("p:a"); try w.endElement()
      }
    ),
    (
      .badMarkup("the prefix of p:c is not declared"),
      { (w) throws(FerryError) in
        try w.start("a")
        try w.start("b")
        try w.add("xmlns:p", "urn:p")
        try w.endElement()
        try w.start("p:c")
        try w.write("x")
      }
    ),
    (
      .badMarkup("the prefix p cannot be declared so"),
      { (w) throws(FerryError) in
        try w.start("a"); try w.add("xmlns:p", "")
      }
    ),
  ]

  @Test(arguments: Self.refusals.indices)
  func `XML that would not be well-formed is refused by name`(_ index: Int) throws {
    let (problem, body) = Self.refusals[index]
    let failure = #expect(throws: FerryError.self) {
      let writer = try XMLWriter(to: MemoryOutput())
      try body(writer)
    }
    #expect(failure?.reason == .xml(problem))
  }
}
