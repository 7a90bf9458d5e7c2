import Ferry

private struct DataEntry: Codable, Equatable {
  let value: String
  enum CodingKeys: String, CodingKey { case value = "" }
}
private struct DataEntries: Codable, Equatable { let data: [DataEntry] }
private struct CDataContainer: Codable, Equatable {
  let value: Int
  let data: String
}
private struct Item: Codable, Equatable {
  let text: String?
  enum CodingKeys: String, CodingKey { case text = "t" }
}
private struct Response: Codable, Equatable { let aResponse: String }
private struct Identified: Codable, Equatable { let id: String }

extension XMLCoderSample {
  /// Documents with text of all kinds.
  static let text: [XMLCoderSample] = [
    XMLCoderSample(
      "text with and without CDATA",
      "<container>\n   <data><![CDATA[lorem ipsum]]></data>\n   <data>bla bla</data>\n</container>",
      DataEntries(data: [DataEntry(value: "lorem ipsum"), DataEntry(value: "bla bla")])),
    XMLCoderSample(
      "CDATA", "<container>\n   <value>42</value>\n   <data><![CDATA[lorem ipsum]]></data>\n</container>",
      CDataContainer(value: 42, data: "lorem ipsum")),
    XMLCoderSample(
      "a document type with a system identifier",
      "<!DOCTYPE si SYSTEM \"http://example.com/myService_v1.dtd\">\n<si><t>blah</t></si>", Item(text: "blah")
    ),
    XMLCoderSample(
      "a document type with a public identifier",
      """
      <!DOCTYPE si PUBLIC "-//Domain//DTD MyService v1//EN" "http://example.com/myService_v1.dtd">
      <si><t>blah</t></si>
      """, Item(text: "blah")),
    XMLCoderSample("text beyond ASCII", "<t>Music 音楽</t>", "Music 音楽"),
    // With `trimValueWhitespaces = false`, because Ferry keeps the white space of text.
    XMLCoderSample("white space around text", "<t>     Stilles Örtchen    </t>", "     Stilles Örtchen    "),
    XMLCoderSample("an entity", "<t>one &amp; two</t>", "one & two"),
    XMLCoderSample(
      "escaped markup",
      "<root>\n<aResponse>&lt;b:response\nxmlns:b=&quot;http://b&quot;&gt;&#xd;\n</aResponse>\n</root>",
      Response(aResponse: "<b:response\nxmlns:b=\"http://b\">\r\n")),
    XMLCoderSample(
      "a line end in an attribute", "<Attribute id=\"Got an attributed String.&#10;Will create a image.\" />",
      Identified(id: "Got an attributed String.\nWill create a image.")),
  ]
}
