import TestSupport
import Testing

@testable import Ferry

@Suite struct `Schemas with namespaces` {
  private static let file = #"""
    {"ferry": 1, "name": "entry", "namespaces": {"": "urn:a", "m": "urn:m"}, "collection": {"element": "feed"},
     "fields": [{"name": "id", "type": "integer", "xml": "@m:id"}, {"name": "title"},
                {"name": "short", "xml": "m:title", "optional": true},
                {"name": "tags", "type": "list", "items": {"element": "m:tag"}, "optional": true}]}
    """#

  private func schema(_ text: String = Self.file) throws -> Schema {
    try Schema(Value(reading: MemoryInput(Array(text.utf8)), named: "s.json"))
  }

  private func converted(
    _ text: String, to format: Format = .json, _ schema: Schema, losses: [Loss.Kind] = []
  ) throws -> String {
    var conversion = Conversion(to: format)
    conversion.reading.schema = schema
    let result = try conversion.convert(Array(text.utf8))
    #expect(result.report.losses.counts.map(\.kind) == losses)
    return String(decoding: result.bytes, as: UTF8.self)
  }

  /// Returns the document that the schema writes for an entry with a title and other elements.
  private func document(_ elements: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <feed xmlns="urn:a" xmlns:m="urn:m">
      <entry m:id="7">
        <title>T</title>
    \(elements)
      </entry>
    </feed>

    """
  }

  @Test func `A name that encodes a prefix of the schema is not taken for a name with it`() throws {
    let schema = try schema()
    let xml = document("    <m_x003A_note>N</m_x003A_note>")
    let json = try converted(xml, schema)
    #expect(json == #"[{"id":7,"title":"T","m_x003A_note":"N"}]"# + "\n")
    #expect(try converted(json, to: .xml, schema) == xml)
  }

  @Test(arguments: [
    """
    <feed xmlns="urn:a" xmlns:m="urn:m"><entry m:id="7"><title>T</title><m:title>M</m:title><tags><m:tag>1</m:tag></tags>
    </entry></feed>
    """,
    """
    <x:feed xmlns:x="urn:a" xmlns="urn:m" xmlns:n="urn:m"><x:entry n:id="7"><x:title>T</x:title><title>M</title><x:tags>
    <tag>1</tag></x:tags></x:entry></x:feed>
    """,
    """
    <a:feed xmlns:a="urn:a"><a:entry xmlns:m="urn:m" m:id="7"><title xmlns="urn:a">T</title><m:title>M</m:title>
    <a:tags><m:tag>1</m:tag></a:tags></a:entry></a:feed>
    """,
    """
    <m:feed xmlns:m="urn:a"><entry xmlns="urn:a" xmlns:a="urn:m" a:id="7"><title>T</title><a:title>M</a:title>
    <m:tags><a:tag>1</a:tag></m:tags></entry></m:feed>
    """,
  ])
  func `Names are compared by namespace and local name, with any prefix`(_ document: String) throws {
    let schema = try schema()
    let json = #"[{"id":7,"title":"T","short":"M","tags":["1"]}]"# + "\n"
    #expect(try converted(document, schema) == json)
    var list = schema
    // A list without an element of its own is not converted in batches.
    list.record.fields[3].xml = .items
    let flat = document.replacing("<tags>", with: "").replacing("</tags>", with: "")
      .replacing("<x:tags>", with: "").replacing("</x:tags>", with: "")
      .replacing("<a:tags>", with: "").replacing("</a:tags>", with: "")
      .replacing("<m:tags>", with: "").replacing("</m:tags>", with: "")
    #expect(try converted(flat, list) == json)
  }

  @Test func `XML is written with the prefixes of the schema, and read again`() throws {
    let schema = try schema()
    let json = ##"[{"id":7,"title":"T","short":"M","tags":["1"],"m:other":{"@m:k":"1","#text":"x"}}]"## + "\n"
    let xml = try converted(json, to: .xml, schema)
    #expect(
      xml
        == document(
          """
              <m:title>M</m:title>
              <tags>
                <m:tag>1</m:tag>
              </tags>
              <m:other m:k="1">x</m:other>
          """))
    #expect(try converted(xml, schema) == json)
    #expect(try converted(xml, to: .xml, schema) == xml)
  }

  @Test func `Elements of another namespace are not fields, and are kept under names of their own`() throws {
    let schema = try schema()
    let feed = """
      <feed xmlns="urn:a"><entry xmlns:m="urn:m" m:id="7"><title>T</title><o:title xmlns:o="urn:o" o:k="1">O</o:title>
      <title xmlns="">N</title></entry></feed>
      """
    let json =
      ##"[{"id":7,"title":"T","{urn:o}title":{"@{urn:o}k":"1","#text":"O"},"{}title":"N"}]"## + "\n"
    #expect(try converted(feed, schema, losses: [.namespace]) == json)
    let xml = document(
      """
          <ns1:title xmlns:ns1="urn:o" ns1:k="1">O</ns1:title>
          <title xmlns="">N</title>
      """)
    #expect(try converted(json, to: .xml, schema) == xml)
    #expect(try converted(feed, to: .xml, schema, losses: [.namespace]) == xml)
    #expect(try converted(xml, schema, losses: [.namespace]) == json)
    let error = #expect(throws: FerryError.self) { try converted("<feed><entry/></feed>", schema) }
    #expect(error?.reason == .record(.notARecord(found: "<{}feed>", record: "<feed>")))
    let missing = #expect(throws: FerryError.self) {
      try converted("<feed xmlns='urn:a'><entry id='7'><title>T</title></entry></feed>", schema)
    }
    #expect(missing?.reason == .record(.missingField("id", record: "entry")))
  }

  @Test func `Elements inside an element without a namespace get theirs`() throws {
    let schema = try schema()
    let json =
      ##"[{"id":7,"title":"T","{}box":{"inner":"x","{}deep":"y","m:other":"z"}}]"## + "\n"
    let xml = try converted(json, to: .xml, schema)
    #expect(
      xml
        == document(
          """
              <box xmlns="">
                <inner xmlns="urn:a">x</inner>
                <deep>y</deep>
                <m:other>z</m:other>
              </box>
          """))
    #expect(try converted(xml, schema) == json)
  }

  @Test func `A schema without namespaces compares local names`() throws {
    var schema = try schema()
    schema.namespaces = []
    schema.record.fields = [RecordField("title", .string)]
    let document = "<x:feed xmlns:x='urn:other'><x:entry><title>T</title></x:entry></x:feed>"
    #expect(try converted(document, schema, losses: [.namespace]) == #"[{"title":"T"}]"# + "\n")
  }

  @Test func `The older name of a field is also read with the prefix of its element`() throws {
    let schema = try schema(
      #"""
      {"ferry": 1, "name": "r", "namespaces": {"p": "urn:p"}, "record": {"element": "p:r"},
       "fields": [{"name": "title", "xml": "p:title", "aliases": ["heading"]}]}
      """#)
    #expect(schema.record.className == "r" && schema.collectionElement == "rs")
    let document = "<r xmlns='urn:p'><heading>T</heading></r>"
    #expect(try converted(document, schema) == #"{"title":"T"}"# + "\n")
    let bare = "<p:r xmlns:p='urn:p'><heading>T</heading></p:r>"
    #expect(try converted(bare, schema) == #"{"title":"T"}"# + "\n")
  }

  @Test
  func `The namespaces are a part of the schema's notation, and two prefixes of one namespace are the same`()
    throws
  {
    let schema = try schema()
    #expect(try Schema(schema.value) == schema)
    #expect(schema.value["namespaces"] == ["": "urn:a", "m": "urn:m"])
    let two = try self.schema(
      #"""
      {"ferry": 1, "name": "r", "namespaces": {"": "urn:p", "p": "urn:p"}, "record": {"element": "p:r"},
       "fields": [{"name": "a", "xml": "p:a"}, {"name": "b", "xml": "@p:b"}, {"name": "lang", "xml": "@xml:lang"}]}
      """#)
    #expect(two.record.element == "r")
    #expect(two.record.fields.map(\.xml) == [.element("a"), .attribute("p:b"), .attribute("xml:lang")])
  }

  @Test(arguments: [
    (
      #"{"ferry":1,"name":"x","namespaces":{"xml":"u"},"fields":[{"name":"a"}]}"#, "namespaces.xml",
      "cannot be a prefix"
    ),
    (
      #"{"ferry":1,"name":"x","namespaces":{"a:b":"u"},"fields":[{"name":"a"}]}"#, "namespaces.a:b",
      "cannot be a prefix"
    ),
    (#"{"ferry":1,"name":"x","namespaces":{"p":""},"fields":[{"name":"a"}]}"#, "namespaces.p", "not empty"),
    (
      #"{"ferry":1,"name":"x","namespaces":{"p":"u"},"fields":[{"name":"a","xml":"q:a"}]}"#, "fields[0]",
      #"the prefix of "q:a" is not in "namespaces""#
    ),
    (
      #"{"ferry":1,"name":"x","fields":[{"name":"a","xml":"@q:a"}]}"#, "fields[0]",
      #"the prefix of "q:a" is not in "namespaces""#
    ),
    (
      #"{"ferry":1,"name":"x","namespaces":{"p":"u","q":"u"},"fields":[{"name":"a","xml":"p:a"},{"name":"b","xml":"q:a"}]}"#,
      "fields[1]", "the same element or attribute of XML"
    ),
  ])
  func `Invalid namespaces are refused with the path of the problem`(
    _ json: String, _ path: String, _ words: String
  ) throws {
    let failure = #expect(throws: FerryError.self) { try schema(json) }
    #expect(failure?.path.description == path)
    #expect(failure?.message.contains(words) == true, "\(failure?.message ?? "")")
  }

  @Test func `An attribute whose name begins like a declaration is kept in a document with other prefixes`()
    throws
  {
    let document = try #require(DeclaredNamespaces(of: Array(#"<x:feed xmlns:x="urn:a"/>"#.utf8)))
    let names = try #require(schema().names)
    let written = #"<feed xmlns="urn:a" xmlnsId="7"><title xmlnsId="8"/></feed>"#
    let renamed = try #require(document.renamed(Array(written.utf8), names))
    #expect(
      String(decoding: renamed, as: UTF8.self)
        == #"<x:feed xmlns:x="urn:a" xmlnsId="7"><x:title xmlnsId="8"/></x:feed>"#)
  }

  @Test(.temporaryDirectory)
  func `XML Schema describes the namespace of the records, and allows the others`() async throws {
    let directory = TemporaryDirectory.current
    let schema = try schema()
    let export = XMLSchemaExport(schema)
    #expect(export.text.contains(#"xmlns="urn:a" targetNamespace="urn:a" elementFormDefault="qualified""#))
    #expect(export.text.contains(#"<xs:any namespace="urn:m" processContents="skip"/>"#))
    #expect(export.notes.contains { $0.contains("other namespaces") })
    try directory.write("a.xsd", export.text)
    let valid = """
      <x:feed xmlns:x="urn:a" xmlns="urn:m" xmlns:n="urn:m"><x:entry n:id="7"><x:title>T</x:title><title>M</title>
      <x:tags><tag>1</tag></x:tags></x:entry></x:feed>
      """
    for (xml, isValid) in [(valid, true), (valid.replacing("urn:a", with: "urn:b"), false)] {
      let answer = try await Peer.run(
        "xmllint", ["--noout", "--nonet", "--schema", directory.path("a.xsd"), "-"], input: Array(xml.utf8))
      #expect(answer.succeeded == isValid, "\(answer.errors)")
    }
  }
}
