import Testing

@testable import Ferry

@Suite struct `A comment, CDATA section or instruction in XML` {
  /// Texts that begin with a section, each with the section's length, or nil if the section does not end.
  private static let texts: [(text: String, length: Int?)] = [
    ("<!-- a --><b>", 10),
    ("<!-->-->", 8),
    ("<!--->-->", 9),
    ("<!---->", 7),
    ("<!-->", nil),
    ("<!--->", nil),
    ("<![CDATA[]]>]]>", 12),
    ("<![CDATA[]]]>", 13),
    ("<![CDATA[a]>b", nil),
    ("<?a ?>", 6),
    ("<???>", 5),
    ("<?>", nil),
  ]

  @Test(arguments: texts)
  func `ends at the same byte in a search and byte by byte`(_ row: (text: String, length: Int?)) throws {
    let bytes = Array(row.text.utf8)
    let span = bytes.span
    let found = XMLSection(at: 0, in: span)
    let section = try #require(found)
    let end = section.end(in: span, from: 0)
    #expect(end == row.length)
    var search = XMLSectionEnd(of: section)
    var length: Int?
    for index in section.opening.utf8CodeUnitCount..<bytes.count where length == nil {
      if search.take(bytes[index]) { length = index + 1 }
    }
    #expect(length == row.length)
    if let length, row.text.hasPrefix("<!--") || row.text.hasPrefix("<?") {
      let markup = TextPieces.markup(of: bytes[...]).map { Array($0) }
      #expect(markup == [Array(bytes[..<length])])
    }
  }

  @Test(arguments: ["<a>", "</a>", "<!DOCTYPE a>", "<!-a-->", "<![CDATA(", "<", ""])
  func `is told from other markup`(_ text: String) {
    let bytes = Array(text.utf8)
    let section = XMLSection(at: 0, in: bytes.span)
    #expect(section == nil)
  }

  @Test(arguments: ["<?xml version='1.0'?>", "<?xml\nversion='1.0'?>", "<?xml\tversion='1.0'?>"])
  func `is not confused with the XML declaration`(_ text: String) {
    #expect(TextPieces.markup(of: Array(text.utf8)[...]).isEmpty)
  }

  @Test(arguments: [" ", "\n", "\t"])
  func `that is the XML declaration gets an encoding after any white space`(_ space: String) {
    var declaration = WrittenDeclaration(of: OutputEncoding(name: "iso-8859-1", mark: []))
    let text = declaration.rewritten(Array("<?xml\(space)version='1.0'?>\n<a/>".utf8)) + declaration.rest()
    #expect(String(decoding: text, as: UTF8.self).split(separator: "<?xml").count == 1)
    #expect(String(decoding: text, as: UTF8.self).hasPrefix("<?xml\(space)version='1.0' encoding="))
  }

  @Test func `that contains the tag of a property list does not make XML one`() throws {
    let text = "<!--><plist>-->\n<a><b>1</b></a>"
    #expect(try FormatDetector(head: Array(text.utf8), name: nil).detect() == .xml)
  }
}

@Suite struct `The quotation marks in a tag of XML` {
  /// Tags with the text after them.
  private static let tags = [
    ("<a>", "b"), ("<a b='>'>", "c"), ("<a b=\"'>\" c='\">'>", ">"), ("<a/>", "'>"),
  ]

  @Test(arguments: tags)
  func `hide the characters between them`(_ tag: String, _ rest: String) {
    let bytes = Array((tag + rest).utf8)
    let end = bytes.span.endOfTag(from: 1)
    #expect(end == tag.utf8.count)
  }

  @Test(arguments: ["<a", "<a b='>", "<a b=\"'>"])
  func `have to be closed before the tag ends`(_ text: String) {
    let bytes = Array(text.utf8)
    let end = bytes.span.endOfTag(from: 1)
    #expect(end == nil)
  }
}
