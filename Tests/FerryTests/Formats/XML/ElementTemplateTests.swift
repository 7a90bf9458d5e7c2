import TestSupport
import Testing

@testable import Ferry

/// Elements with the events of earlier ones, whose values are made by templates. libxml2 sends events one by one, which use no templates.
@Suite struct `XML elements like earlier ones` {
  private static let records = [
    #"<r id="1"><a>x</a><b>y</b></r>"#, #"<r id="2"><a>&lt;</a><b>"q"</b></r>"#,
    "<r id='3'>\n  <a>x</a>\n  <b>ü</b>\n</r>",
    #"<r b="4"><a>x</a><b>y</b></r>"#, #"<r id="5"><a>x</a><a>z</a><b>y</b></r>"#,
    #"<r id="6"><a>x</a><b>y</b><a>z</a></r>"#,
    #"<r id="7"/>"#, "<r/>", "<r></r>", "<r> </r>", "<r>text</r>", #"<r id="8">text</r>"#,
    #"<r id="9"> </r>"#,
    "<r><a/></r>", "<r> <a/> </r>", "<r><a> </a></r>", "<r>x<a/></r>", "<r><a/>x</r>", "<r>x<a>y</a>z</r>",
    #"<r xml:space="preserve"> <a/> </r>"#, #"<r xmlns:p="u" p:id="1"><p:a>x</p:a></r>"#,
    "<r><![CDATA[x]]></r>",
    "<r><a><![CDATA[ ]]></a></r>", "<r><!-- c --><a>x</a></r>", "<r><?p d?></r>", "<r><text>x</text>y</r>",
    #"<r><l><i k="1">x</i><i>y</i></l><l><i>z</i></l></r>"#, "<r><l><i/><i/></l></r>", "<r><l><i/></l></r>",
    "<r><a>\(String(repeating: "long ", count: 300))</a></r>", "<r><r><r>x</r></r></r>", "<s><a>x</a></s>",
    "<r><a><b><c>x</c>\n<d>y</d></b></a></r>", "<r><a><b><c>x</c><d/></b></a><e><b> </b></e></r>",
    "<r><a><b><c>x</c> y</b></a></r>", "<r><a><b><c>x</c><d>y</d><c>z</c></b></a></r>",
    "<r><a>\n<b>\n<c>&lt;</c>\n<c>y</c>\n</b>\n</a></r>", "<r><a><_x0023_text>x</_x0023_text></a>y</r>",
  ]

  /// Documents in which each record occurs again after others, several times in a row, and with white space or without.
  static let documents: [String] = {
    var documents: [String] = []
    for (index, record) in records.enumerated() {
      let next = records[(index + 1) % records.count]
      let other = records[(index + 7) % records.count]
      documents.append("<d>\(record)\(record)\(record)</d>")
      documents.append(
        "<d>\n  \(record)\n  \(record)\n  \(next)\n  \(record)\n  \(next)\n  \(other)\n  \(record)\n</d>")
      documents.append("<d>\(record) x \(record) <!-- c --> \(record)</d>")
      documents.append("<d><o>\(record)\(record)\(next)</o><p>\(record)\(record)\(next)</p></d>")
    }
    documents.append("<d>\n\(String(repeating: records.joined(separator: "\n"), count: 60))\n</d>")
    return documents
  }()

  @Test(arguments: documents, [XMLOrder.needed, .never, .always])
  func `The values are those that single events give`(_ document: String, _ order: XMLOrder) throws {
    var options = XMLReadingOptions()
    options.order = order
    #expect(
      try Self.values(document, options, mayScan: true) == Self.values(document, options, mayScan: false))
  }

  private static func values(_ document: String, _ options: XMLReadingOptions, mayScan: Bool) throws
    -> [String]
  {
    let bytes = Array(document.utf8)
    let shape = XMLShape(budget: Budget(), options: options)
    try XMLStream(document: shape, budget: Budget(), losses: nil, mayScan: mayScan).readAll(bytes.span)
    let (output, losses) = (MemoryOutput(), LossReport())
    let writer = JSONWriter(to: output)
    let values = XMLValueDelegate(into: writer, shape: shape, losses: losses)
    try XMLStream(document: values, budget: Budget(), losses: losses, mayScan: mayScan).readAll(bytes.span)
    try writer.finish()
    return [String(decoding: output.bytes, as: UTF8.self)] + losses.losses.map { "\($0.kind) \($0.path)" }
  }

  @Test(arguments: documents)
  func `Each selected element has the values that it has alone`(_ document: String) throws {
    for path in ["/d/r", "//r", "/d/*", "//i | /d/r", "/d/o/r | //r", "/d/o//i | //r"] {
      let all = try Self.selected(path, in: document)
      #expect(try all == Self.selected(path + "[true()]", in: document), "\(path)")
    }
  }

  /// Returns the selected elements as lines. A condition that needs a tree has them read one by one.
  private static func selected(_ path: String, in document: String) throws -> String {
    var conversion = Conversion(to: .jsonLines)
    conversion.reading.select = path
    return String(decoding: try conversion.convert(Array(document.utf8)).bytes, as: UTF8.self)
  }

  @Test
  func
    `An element in another one is selected also if the other one is like an element that was selected alone`()
    throws
  {
    let record = "<r><i>x</i></r>"
    let document = "<d><p>\(record)\(record)</p><o>\(record)\(record)</o></d>"
    #expect(
      try Self.selected("/d/o//i | //r", in: document)
        == String(repeating: "{\"i\":\"x\"}\n", count: 2)
        + String(repeating: "{\"i\":\"x\"}\n\"x\"\n", count: 2))
  }

  @Test func `The memory of bytes that are no longer needed is used for others`() {
    let spare = SpareBytes()
    var bytes = spare.take(capacity: 100)
    bytes.append(contentsOf: [1, 2, 3])
    let capacity = bytes.capacity
    #expect(capacity >= 100)
    spare.add(bytes)
    bytes = []
    let again = spare.take(capacity: 200)
    #expect(again.isEmpty)
    #expect(again.capacity == capacity)
  }
}
