import Ferry
import Foundation
import XMLCoder

/// A decoder of one format, by the name that the command line has for it.
enum Measurement: String, CaseIterable {
  case ferryJSON = "ferry-json"
  case foundationJSON = "foundation-json"
  case ferryPropertyList = "ferry-plist"
  case foundationPropertyList = "foundation-plist"
  case ferryXML = "ferry-xml"
  case xmlCoder = "xmlcoder-xml"
  case ferryArchive = "ferry-archive"
  case foundationArchive = "foundation-archive"
  case recordsJSON = "records-json"
  case recordsXML = "records-xml"

  /// The format of the file.
  var format: Format {
    switch self {
    case .ferryJSON, .foundationJSON, .recordsJSON: .json
    case .ferryPropertyList, .foundationPropertyList: .binaryPropertyList
    case .ferryXML, .xmlCoder, .recordsXML: .xml
    case .ferryArchive, .foundationArchive: .archive
    }
  }

  /// Decodes the people of a file. Returns their number, so that nothing is left out by the compiler.
  func decode(_ path: String) throws -> Int {
    let url = URL(filePath: path)
    switch self {
    case .ferryJSON, .ferryPropertyList, .ferryXML, .ferryArchive:
      return try FerryDecoder().decode([Person].self, from: FileInput(path: path)).count
    case .foundationJSON:
      return try JSONDecoder().decode([Person].self, from: Data(contentsOf: url)).count
    case .foundationPropertyList:
      return try PropertyListDecoder().decode([Person].self, from: Data(contentsOf: url)).count
    case .foundationArchive:
      return try ArchivedPerson.people(in: Data(contentsOf: url)).count
    case .xmlCoder:
      return try XMLDecoder().decode(People.self, from: Data(contentsOf: url)).person.count
    case .recordsJSON, .recordsXML:
      var count = 0
      let people = Records(of: Person.self, from: .file(path)).makeCursor()
      while try people.next() != nil { count += 1 }
      return count
    }
  }
}

/// Encodes people as a file of a format.
func encode(_ people: [Person], to format: Format) throws -> [UInt8] {
  guard format == .xml else { return try FerryEncoder(to: format).encode(people) }
  var encoder = FerryEncoder(to: .xml)
  encoder.writing.rootElement = "people"
  return try encoder.encode(People(person: people))
}
