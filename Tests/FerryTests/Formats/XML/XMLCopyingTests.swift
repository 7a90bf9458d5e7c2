import TestSupport
import Testing

@testable import Ferry

/// Conversions from XML to XML, which keep everything.
@Suite struct `Copies of XML documents` {
  private func copy(
    _ bytes: [UInt8], _ change: (inout Conversion) -> Void = { _ in }
  ) throws -> (text: String, losses: [Loss.Kind]) {
    var conversion = Conversion(to: .xml)
    conversion.reading.format = .xml
    change(&conversion)
    let result = try conversion.convert(bytes)
    return (String(decoding: result.bytes, as: UTF8.self), result.report.losses.counts.map(\.kind))
  }

  private static let document = """
    <?xml version="1.0"?>
    <!DOCTYPE r [<!ENTITY e "<b>x</b>"><!ATTLIST p lang CDATA "en">]>
    <!-- top -->
    <r  xmlns='urn:d' xmlns:k="urn:k"\ta = '1'>
      <p k:z="&lt;">one <b>two</b> &e; three</p><q ></q>
      <!-- in --><p><![CDATA[<raw>]]>&#65;</p>
      <k:p xml:space="preserve"> <q/> </k:p><s> </s>
      <?go now?></r><?end?>

    """

  @Test func `A document stays as it is`() throws {
    let bytes = Array(Self.document.utf8)
    let whole = try copy(bytes) { $0.isStrict = true }
    #expect(whole.text == Self.document)
    #expect(whole.losses.isEmpty)
    for size in 1...7 {
      let output = MemoryOutput()
      let copier = try XMLCopier(to: output, budget: Budget())
      for start in stride(from: 0, to: bytes.count, by: size) {
        try copier.read(bytes[start..<min(start + size, bytes.count)].span)
      }
      try copier.finish()
      #expect(output.bytes == bytes, "chunks of \(size)")
    }
    // A built-in schema that matches changes nothing, and neither does an option that has no meaning for elements.
    let people =
      "<people>\n<!-- one --><person><lastName>B</lastName><firstName>A</firstName></person></people>"
    #expect(try copy(Array(people.utf8)).text == people)
    #expect(try copy(Array(people.utf8)) { $0.classNames = ["Person": "P"] }.text == people)
  }

  @Test func `Every prefix of a document is refused, and a mistake too`() throws {
    let bytes = Array(Self.document.utf8)
    let end = Self.document.utf8.count - "<?end?>\n".utf8.count
    for count in 1..<end { #expect(throws: FerryError.self, "\(count)") { try copy(Array(bytes[..<count])) } }
    let error = #expect(throws: FerryError.self) { try copy(Array("<a>\n<b>&f;</b></a>".utf8)) }
    #expect(error?.reason == .xml(.undeclaredEntity("f")))
    #expect(error?.location.line == 2)
  }

  @Test func `The text becomes UTF-8, as its declaration then says`() throws {
    func wide(_ text: String, isBig: Bool) -> [UInt8] {
      ("\u{feff}" + text).utf16.flatMap { unit -> [UInt8] in
        let (high, low) = (UInt8(unit >> 8), UInt8(truncatingIfNeeded: unit))
        return isBig ? [high, low] : [low, high]
      }
    }
    let rest = "<!-- \u{e9} --><r a='\u{1f600}'/>\n"
    for isBig in [false, true] {
      #expect(try copy(wide(rest, isBig: isBig)).text == rest)
      let declared = "<?xml version=\"1.0\" encoding='UTF-16' standalone='yes'?>"
      #expect(
        try copy(wide(declared + rest, isBig: isBig)).text
          == declared.replacing("UTF-16", with: "UTF-8") + rest)
    }
    let latin =
      Array("<?xml version=\"1.0\"  encoding=\"ISO-8859-1\" ?><r>".utf8) + [0xe9] + Array("</r>".utf8)
    #expect(try copy(latin).text == "<?xml version=\"1.0\"  encoding=\"UTF-8\" ?><r>\u{e9}</r>")
    #expect(
      try copy(latin) { $0.writing.isPretty = true }.text.hasPrefix(
        "<?xml version=\"1.0\"  encoding=\"UTF-8\" ?><r>")
    )
    let marked = "\u{feff}<?xml version='1.0' encoding='utf-8'?><r/>"
    #expect(try copy(Array(marked.utf8)).text == marked)
  }

  @Test func `Indentation changes only white space that is layout`() throws {
    let indented = try copy(Array(Self.document.utf8)) { $0.writing.isPretty = true }
    #expect(
      indented.text == """
        <?xml version="1.0"?>
        <!DOCTYPE r [<!ENTITY e "<b>x</b>"><!ATTLIST p lang CDATA "en">]>
        <!-- top -->
        <r xmlns="urn:d" xmlns:k="urn:k" a="1">
          <p k:z="&lt;" lang="en">one <b>two</b> <b>x</b> three</p>
          <q/>
          <!-- in -->
          <p lang="en"><![CDATA[<raw>]]>A</p>
          <k:p xml:space="preserve"> <q/> </k:p>
          <s> </s>
          <?go now?>
        </r>
        <?end?>

        """)
    #expect(indented.losses.isEmpty)
    let again = try copy(Array(indented.text.utf8)) { $0.writing.isPretty = true }
    #expect(again.text == indented.text)
    #expect(
      try copy(Array("<a><b/>x<b/></a>".utf8)) { $0.writing.isPretty = true }.text == "<a><b/>x<b/></a>\n")
    let noted = "<a>x<!-- n --></a>\n"
    #expect(try copy(Array(noted.utf8)) { $0.writing.isPretty = true }.text == noted)
  }

  @Test func `A given root element is put around the elements`() throws {
    let inside = try copy(Array(Self.document.utf8)) { $0.writing.rootElement = "all of it" }
    #expect(
      inside.text.hasPrefix(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<all_x0020_of_x0020_it><!-- top --><r xmlns="))
    #expect(inside.text.hasSuffix("</r><?end?></all_x0020_of_x0020_it>\n"))
    #expect(inside.losses == [.doctype])
  }

  @Test(arguments: ["//e", "/r/e[true()]", "//e[position() > 1]"])
  func `Selected elements whose namespaces are much larger than the document are refused`(
    _ path: String
  ) throws {
    let namespaces = (0..<100).map { #" xmlns:p\#($0)="urn:\#($0)""# }.joined()
    let text = "<r\(namespaces)>\(String(repeating: "<e/>", count: 200))</r>"
    let error = #expect(throws: FerryError.self) {
      try copy(Array(text.utf8)) {
        $0.reading.select = path
        ($0.reading.budget.amplification, $0.reading.budget.amplificationFloor) = (20, 0)
      }
    }
    #expect(error?.reason == .overBudget(.amplification(20)))
    #expect(try copy(Array(text.utf8)) { $0.reading.select = path }.text.hasSuffix("</root>\n"))
  }

  @Test func `Selected elements keep what is in them, and the namespaces around them`() throws {
    let found = try copy(Array(Self.document.utf8)) { $0.reading.select = "//_:p" }
    #expect(
      found.text == """
        <?xml version="1.0" encoding="UTF-8"?>
        <root>
        <p xmlns="urn:d" xmlns:k="urn:k" k:z="&lt;" lang="en">one <b>two</b> <b>x</b> three</p>
        <p xmlns="urn:d" xmlns:k="urn:k" lang="en"><![CDATA[<raw>]]>A</p>
        </root>

        """)
    #expect(found.losses.isEmpty)
    let marked = "<a xmlns:p='1'><b xmlns:p='2'><c><?i  d?><!--n--> <d>x</d></c></b></a>"
    for path in ["//c", "(//c)"] {
      #expect(
        try copy(Array(marked.utf8)) { $0.reading.select = path }.text.hasSuffix(
          "<c xmlns:p=\"2\"><?i d?><!--n--> <d>x</d></c>\n"))
      #expect(
        try copy(Array(marked.utf8)) {
          ($0.reading.select, $0.writing.isPretty, $0.writing.rootElement) = (path, true, "r")
        }.text
          .hasSuffix(
            "<r>\n  <c xmlns:p=\"2\">\n    <?i d?>\n    <!--n-->\n    <d>x</d>\n  </c>\n</r>\n"))
    }
  }

  @Test func `Real documents stay as they are, and indentation keeps their elements and texts`() throws {
    var (count, unchanged, indented) = (0, 0, 0)
    for file in try Corpus.files(under: "") where file.hasSuffix(".xml") || file.hasSuffix(".xcscheme") {
      let bytes = try Corpus.bytes(file)
      // Encodings in UTF-32 have tests of their own.
      guard bytes.count < 1 << 18, !bytes.span.isUTF32, let found = try? copy(bytes) else { continue }
      count += 1
      // A declaration of another encoding is replaced.
      let first = String(decoding: bytes.prefix { $0 != UInt8(ascii: ">") }, as: UTF8.self).lowercased()
      if isUTF8(bytes), !first.contains("encoding") || first.contains("utf-8") {
        #expect(Array(found.text.utf8) == bytes, "\(file)")
        unchanged += 1
      }
      #expect(try Self.content(of: Array(found.text.utf8)) == Self.content(of: bytes), "\(file)")
      guard let text = try? copy(bytes, { $0.writing.isPretty = true }).text else { continue }
      indented += 1
      #expect(try Self.content(of: Array(text.utf8)) == Self.content(of: bytes), "\(file)")
    }
    #expect(count > 1000)
    #expect(unchanged > 900)
    #expect(indented > 1000)
  }

  private func isUTF8(_ bytes: [UInt8]) -> Bool {
    if case .invalid = bytes.span.checkUTF8() { false } else { true }
  }

  /// Returns the elements, texts, comments and instructions of a document, without white space that is layout.
  private static func content(of bytes: [UInt8]) throws -> [String] {
    let recorder = ContentRecorder()
    try XMLStream(document: recorder, budget: Budget()).readAll(bytes.span)
    return recorder.items
  }
}

/// A delegate that lists what it receives. White space beside elements is left out, unless it is content.
private final class ContentRecorder: ElementDelegate {
  private(set) var items: [String] = []
  private var text = ""
  private var isMarked = false
  private var hasChildren: [Bool] = []
  private var texts: [Bool] = []
  private var space = SpaceScopes()
  /// For each open element, the indices of its items that are white space.
  private var blanks: [[Int]] = []

  private func endText() {
    defer { (text, isMarked) = ("", false) }
    guard !text.isEmpty else { return }
    let isBlank = text.utf8.allSatisfy(\.isSpace) && !isMarked && !space.keepsSpace
    if isBlank {
      blanks[blanks.count - 1].append(items.count)
    } else {
      texts[texts.count - 1] = true
    }
    items.append("text \(text)")
  }

  override func delegate(for child: borrowing XMLStartTag) throws(FerryError) -> ElementDelegate? {
    endText()
    if !hasChildren.isEmpty { hasChildren[hasChildren.count - 1] = true }
    return self
  }

  override func didStart(_ element: borrowing XMLStartTag) {
    var attributes: [String] = []
    for index in 0..<element.attributeCount + element.declarationCount {
      attributes.append("\(element.attributeName(index))=\(String(element.attributeValue(index)))")
    }
    items.append("<\(element.name) \(attributes.sorted())")
    (hasChildren, texts, blanks) = (hasChildren + [false], texts + [false], blanks + [[]])
    space.open(element)
  }

  override func text(_ text: BorrowedText) { self.text += String(text) }

  override func cdata(_ text: BorrowedText) {
    self.text += String(text)
    isMarked = true
  }

  override func comment(_ text: BorrowedText) { add("comment \(String(text))") }

  override func processingInstruction(target: BorrowedText, data: BorrowedText) {
    add("instruction \(String(target)) \(String(data))")
  }

  private func add(_ item: String) {
    if !hasChildren.isEmpty {
      endText()
      hasChildren[hasChildren.count - 1] = true
    }
    items.append(item)
  }

  override func didEnd() {
    guard let hasChildren = hasChildren.popLast() else { return }
    endText()
    let (hasText, blanks) = (texts.removeLast(), blanks.removeLast())
    if hasChildren, !hasText { for index in blanks.reversed() { items[index] = "" } }
    items.append(">")
    space.close()
    if self.hasChildren.isEmpty { items.removeAll { $0.isEmpty } }
  }
}
