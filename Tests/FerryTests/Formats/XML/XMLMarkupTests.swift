import Testing

@testable import Ferry

@Suite struct `The elements that an XML text is edited by` {
  @Test func `Elements have their ranges in the text, and tags their names and attributes`() {
    let markup = XMLMarkup(Array(#"<a b="1">x<c/></a>"#.utf8))
    #expect(markup.elements.map(\.range) == [0..<18, 10..<14])
    #expect(markup.elements.map(\.content) == [9..<14, 14..<14])
    #expect(markup.elements.map(\.isEmptyTag) == [false, true])
    #expect(markup.elements.map(\.parent) == [nil, 0])
    let (tag, emptyTag) = (markup.tag(of: 0), markup.tag(of: 1))
    #expect(tag.name == 1..<2 && tag.range == 0..<9 && tag.end == 8 && !tag.isEmpty)
    #expect(tag.attributes.map(\.name) == [3..<4])
    #expect(tag.attributes.map(\.value) == [6..<7])
    #expect(tag.attributes.map(\.range) == [2..<8])
    #expect(emptyTag.name == 11..<12 && emptyTag.end == 12 && emptyTag.isEmpty)
    #expect(markup.nameRange(of: 1) == 11..<12)
  }

  @Test func `Children are the elements directly inside an element`() {
    let markup = XMLMarkup(Array("<a><b><c/><d></d></b><e/></a>".utf8))
    #expect(markup.elements.indices.map(markup.children(of:)) == [[1, 4], [2, 3], [], [], []])
    #expect(markup.elements.indices.map(markup.descendants(of:)) == [1..<5, 2..<4, 3..<3, 4..<4, 5..<5])
    #expect(markup.elements.indices.map(markup.hasChildren) == [true, true, false, false, false])
  }

  @Test func `Prefixes and xml:space apply to the elements inside`() {
    let markup = XMLMarkup(
      Array(#"<a xmlns:p="u" xml:space="preserve"><b xmlns:q="v" xml:space="default"/><c/></a>"#.utf8))
    #expect(markup.prefixes(in: 1) == [Array("q".utf8), Array("p".utf8)])
    #expect(markup.prefixes(in: 2) == [Array("p".utf8)])
    #expect(markup.declaredPrefixes == [Array("p".utf8), Array("q".utf8)])
    #expect(markup.elements.map(\.keepsSpace) == [true, false, true])
  }

  @Test func `An element takes at most 28 bytes`() {
    #expect(MemoryLayout<XMLMarkup.Element>.stride <= 28)
  }
}
