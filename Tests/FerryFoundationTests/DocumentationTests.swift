import Ferry
import FerryFoundation
import Foundation
import TestSupport
import Testing

/// The examples of `FerryFoundation.md`, and those of `Library.md` that need it. A test of Ferry compares them with the pages.
@Suite(.temporaryDirectory) struct `The pages on FerryFoundation` {
  private struct Person: Codable {
    var name: String
  }

  private static let data = Data(#"{"name":"Ada"}"#.utf8)

  @Test func `A file is decoded from a URL, and a value is made of those of Foundation`() throws {
    try TemporaryDirectory.current.write("people.xml", "<people><person><name>Ada</name></person></people>")
    let (url, data) = (URL(filePath: TemporaryDirectory.current.path("people.xml")), Self.data)
    let people = try FerryDecoder().decode([Person].self, from: url)
    let value = try Value(foundation: JSONSerialization.jsonObject(with: data))
    let born = value["born"]?.dateValue  // a Date
    #expect(people.map(\.name) == ["Ada"] && value["name"] == "Ada" && born == nil)
  }

  @Test func `A value becomes one of Foundation`() throws {
    let data = Self.data
    let value = try Value(foundation: JSONSerialization.jsonObject(with: data))
    let entries = try value.foundationValue() as? [String: Any]
    let born = value["born"]?.dateValue  // a Date
    #expect(entries?["name"] as? String == "Ada" && born == nil)
  }
}
