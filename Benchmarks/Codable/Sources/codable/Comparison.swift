import Ferry
import Foundation
import XMLCoder

/// Shapes of XML that XMLCoder's users know, decoded by both, which must give equal values.
enum Comparison {
  struct Note: Codable, Equatable {
    var to: String
    var from: String
    var heading: String?
    var body: String
  }

  /// An element with attributes and text. XMLCoder is told which keys are attributes.
  struct Price: Codable, Equatable, DynamicNodeDecoding {
    var currency: String
    var amount: Double

    enum CodingKeys: String, CodingKey {
      case currency
      case amount = ""
    }

    static func nodeDecoding(for key: any CodingKey) -> XMLDecoder.NodeDecoding {
      key.stringValue == CodingKeys.currency.stringValue ? .attribute : .element
    }
  }

  struct Book: Codable, Equatable, DynamicNodeDecoding {
    var id: UInt
    var title: String
    var isAvailable: Bool
    var author: [String]
    var price: Price

    static func nodeDecoding(for key: any CodingKey) -> XMLDecoder.NodeDecoding {
      key.stringValue == CodingKeys.id.stringValue ? .attribute : .element
    }
  }

  struct Catalog: Codable, Equatable {
    var book: [Book]
  }

  // No text with a CDATA section after it: XMLCoder 0.18 loses the section.
  static let note = """
    <note>
      <to>Bob</to>
      <from>Jane</from>
      <body>Remember &lt;the&gt; milk &amp; bread</body>
    </note>
    """

  static let catalog = """
    <?xml version="1.0" encoding="UTF-8"?>
    <catalog>
      <book id="7"><title>Notes</title><isAvailable>true</isAvailable><author>Ada</author>
        <price currency="EUR">12.5</price></book>
      <book id="8"><title>é 😀</title><isAvailable>false</isAvailable><author>Ada</author><author>Mary</author>
        <price currency="USD">3</price></book>
    </catalog>
    """

  /// Throws an error if a result differs.
  static func run() throws {
    try compare(Note.self, note)
    try compare(Catalog.self, catalog)
    let people = Person.all(1000)
    for format in Set(Measurement.allCases.map(\.format)) {
      let ours = try FerryDecoder().decode([Person].self, from: encode(people, to: format))
      guard ours == people else { throw Difference(name: "FerryDecoder, \(format)") }
    }
    let xml = try encode(people, to: .xml)
    guard try XMLDecoder().decode(People.self, from: Data(xml)).person == people else {
      throw Difference(name: "XMLCoder")
    }
    guard try JSONDecoder().decode([Person].self, from: Data(encode(people, to: .json))) == people else {
      throw Difference(name: "JSONDecoder")
    }
    let propertyList = try Data(encode(people, to: .binaryPropertyList))
    guard try PropertyListDecoder().decode([Person].self, from: propertyList) == people else {
      throw Difference(name: "PropertyListDecoder")
    }
    let archive = try Data(encode(people, to: .archive))
    guard try ArchivedPerson.people(in: archive).map(\.person) == people else {
      throw Difference(name: "NSKeyedUnarchiver")
    }
  }

  private static func compare<T: Codable & Equatable>(_ type: T.Type, _ xml: String) throws {
    let ours = try FerryDecoder().decode(type, from: xml.utf8)
    let theirs = try XMLDecoder().decode(type, from: Data(xml.utf8))
    guard ours == theirs else { throw Difference(name: "\(type): \(ours) and \(theirs)") }
  }

  struct Difference: Error {
    let name: String
  }
}
