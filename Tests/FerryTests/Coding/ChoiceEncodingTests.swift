import Foundation
import Testing

@testable import Ferry

private enum Step: Codable, Equatable, ElementChoice {
  case mix(text: String)
  case bake(minutes: Int)
  case note(text: String)

  enum CodingKeys: String, CodingKey {
    case mix, bake
    case note = "#text"
  }
  enum MixCodingKeys: String, CodingKey { case text = "" }
  enum BakeCodingKeys: String, CodingKey { case minutes = "" }
  enum NoteCodingKeys: String, CodingKey { case text = "" }
}

private struct Named: Codable, Equatable {
  @XMLAttribute var name: String
  var steps: [Step]
  enum CodingKeys: String, CodingKey {
    case name
    case steps = ""
  }
}

private struct Book: Codable, Equatable {
  var title: String
  var steps: [Step]
}

@Suite struct `Lists of elements of several names, written` {
  private static let steps: [Step] = [.mix(text: "flour"), .bake(minutes: 20), .mix(text: "sugar")]

  private func written(_ value: some Encodable) throws -> String {
    var encoder = FerryEncoder(to: .xml)
    encoder.writing.rootElement = "recipe"
    let text = String(decoding: try encoder.encode(value), as: UTF8.self).replacing(/>\s+</, with: "><")
    return String(text[(text.range(of: "<recipe")?.lowerBound ?? text.startIndex)...]).trimmed
  }

  private func read<T: Decodable>(_ type: T.Type, _ xml: String) throws -> T {
    var decoder = FerryDecoder()
    decoder.reading.xml.order = .needed
    return try decoder.decode(type, from: xml, named: "a.xml")
  }

  @Test func `A list is written as the contents from which it is read`() throws {
    let xml = "<recipe><mix>flour</mix><bake>20</bake><mix>sugar</mix></recipe>"
    #expect(try written(Self.steps) == xml)
    #expect(try read([Step].self, xml) == Self.steps)
    for steps in [[], [.mix(text: "flour")], [.note(text: "first "), .mix(text: "flour")], Self.steps]
      as [[Step]]
    {
      #expect(try read([Step].self, written(steps)) == steps, "\(steps)")
    }
  }

  @Test
  func `A property with the empty key is the contents beside attributes, and one with a name an element`()
    throws
  {
    let named = Named(name: "cake", steps: Self.steps)
    let xml = "<recipe name=\"cake\"><mix>flour</mix><bake>20</bake><mix>sugar</mix></recipe>"
    #expect(try written(named) == xml)
    #expect(try read(Named.self, xml) == named)
    let book = Book(title: "Cakes", steps: Self.steps)
    let pages =
      "<recipe><title>Cakes</title><steps><mix>flour</mix><bake>20</bake><mix>sugar</mix></steps></recipe>"
    #expect(try written(book) == pages)
    #expect(try read(Book.self, pages) == book)
  }

  @Test func `Texts that a reader would put together are an error`() throws {
    #expect(throws: EncodingError.self) { try written([Step.note(text: "a"), .note(text: "b")]) }
    #expect(throws: EncodingError.self) { try written([Step.note(text: "")]) }
  }

  @Test func `Other formats have a list of dictionaries`() throws {
    let json = try FerryEncoder(to: .json).encode([Step.bake(minutes: 20)])
    #expect(String(decoding: json, as: UTF8.self) == #"[{"bake":{"":20}}]"# + "\n")
    #expect(try FerryDecoder().decode([Step].self, from: json) == [.bake(minutes: 20)])
  }

  @Test func `An element without a case is named in the error`() throws {
    let error = #expect(throws: DecodingError.self) {
      try read([Step].self, "<recipe><mix>a</mix><fry/></recipe>")
    }
    guard case .typeMismatch(_, let context)? = error else {
      Issue.record("\(error as Any)")
      return
    }
    #expect(context.debugDescription.contains(#"Step has no case for the element "fry""#))
    #expect(context.codingPath.map(\.intValue) == [1])
  }
}
