import Ferry

private struct Table: Codable, Equatable {
  struct TR: Codable, Equatable { let td: [String] }
  let tr: [TR]
}

private struct Relationships: Codable, Equatable {
  let items: [Relationship]
  enum CodingKeys: String, CodingKey { case items = "relationship" }
}

private struct Relationship: Codable, Equatable {
  enum SchemaType: String, Codable {
    case officeDocument =
      "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
    case extendedProperties =
      "http://schemas.openxmlformats.org/officeDocument/2006/relationships/extended-properties"
  }
  let id: String
  let type: SchemaType
  let target: String
}

private struct Item: Codable, Equatable {
  let text: String?
  enum CodingKeys: String, CodingKey { case text = "t" }
}
private struct TagItem: Codable, Equatable {
  let text: String
  enum CodingKeys: String, CodingKey { case text = "tagName" }
}

private struct NamespacedTable: Codable, Equatable {
  struct TR: Codable, Equatable {
    let td: [String]
    enum CodingKeys: String, CodingKey { case td = "h:td" }
  }
  let tr: [TR]
  enum CodingKeys: String, CodingKey { case tr = "h:tr" }
}

extension XMLCoderSample {
  private static let tableXML = """
    <h:table xmlns:h="http://www.w3.org/TR/html4/">
      <h:tr>
        <h:td>Apples</h:td>
        <h:td>Bananas</h:td>
      </h:tr>
    </h:table>
    """

  /// Documents whose names differ from those of the types, or have prefixes.
  static let names: [XMLCoderSample] = [
    XMLCoderSample(
      "names without prefixes", tableXML, Table(tr: [Table.TR(td: ["Apples", "Bananas"])])
    ) { $0.reading.xml.namespaces = .stripped },
    XMLCoderSample(
      "names that begin with capitals",
      """
      <Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
          <Relationship
              Id="rId1"
              Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
              Target="xl/workbook.xml"/>
          <Relationship
              Id="rId2"
              Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/extended-properties"
              Target="docProps/app.xml"/>
      </Relationships>
      """,
      Relationships(items: [
        Relationship(id: "rId1", type: .officeDocument, target: "xl/workbook.xml"),
        Relationship(id: "rId2", type: .extendedProperties, target: "docProps/app.xml"),
      ])
    ) { $0.keys = .capitalized },
    XMLCoderSample("a name that is a capital", "<si><T>blah</T></si>", Item(text: "blah")) {
      $0.keys = .capitalized
    },
    XMLCoderSample("names with hyphens", "<si><tag-name>blah</tag-name></si>", TagItem(text: "blah")) {
      $0.keys = .kebabCase
    },
    XMLCoderSample(
      "names with prefixes", tableXML,
      NamespacedTable(tr: [NamespacedTable.TR(td: ["Apples", "Bananas"])])),
  ]
}
