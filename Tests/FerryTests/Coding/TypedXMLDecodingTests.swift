import Foundation
import Testing

@testable import Ferry

private struct Size: Codable, Equatable {
  var width: Int?
  var height: Int?
}

private struct Window: Codable, Equatable {
  var size: Size?
  var title: String?
}

private enum Shape: Codable, Equatable {
  case circle(radius: Int)
}

/// XML with types, whose root element is not part of the value.
@Suite struct `Values decoded from XML that was written with types` {
  private func xml(_ value: some Encodable, rootElement: String? = nil) throws -> [UInt8] {
    var encoder = FerryEncoder(to: .xml)
    encoder.writing.xml.types = .attributes
    encoder.writing.rootElement = rootElement
    return try encoder.encode(value)
  }

  private func expectSame<T: Codable & Equatable>(_ value: T) throws {
    for name in [nil, "size", "list"] {
      let bytes = try xml(value, rootElement: name)
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(try FerryDecoder().decode(T.self, from: bytes) == value, "\(text)")
      #expect(try EditableFile(bytes, named: "a.xml").decode(T.self) == value)
    }
  }

  @Test func `A dictionary with one key keeps the key`() throws {
    let window = Window(size: Size(width: 1, height: 2), title: nil)
    try expectSame(window)
    try expectSame(Window(size: nil, title: "a"))
    try expectSame(window.size)
    try expectSame(Size(width: 1, height: nil))
    try expectSame(["x": ["y": "z"]])
    try expectSame(["x": 1])
    try expectSame(["x": [1, 2]])
    try expectSame(["x": ["y": ["z": [true]]]])
    try expectSame([1: 2])
    try expectSame(["x": ""])
    try expectSame(Shape.circle(radius: 3))
    try expectSame(["x": Shape.circle(radius: 3)])
    try expectSame([Size(width: 1, height: nil)])
    try expectSame(Value.dictionary(["size": ["width": 1]]))
    #expect(try FerryDecoder().decode(Int.self, from: xml(window), at: "size.height") == 2)
  }

  @Test func `An error names the path inside the value, and has a source location`() throws {
    let error = #expect(throws: DecodingError.self) {
      try FerryDecoder().decode([String: Size].self, from: xml(["x": ["width": "wide"]]))
    }
    #expect(error?.context.map { ValuePath($0.codingPath).description } == "x.width")
    #expect((error?.context?.underlyingError as? FerryError)?.location.line != nil)
  }

  @Test func `A single record with one key keeps the key`() throws {
    for record in [["x": ["y": "z"]], ["x": ["width": ""]]] {
      let records = Records(of: [String: [String: String]].self, from: .bytes(try xml(record)))
      #expect(try records.results.map { try $0.get() } == [record])
    }
    let records = Records(of: [String: String].self, from: .bytes(try xml(["x": ""])))
    #expect(try records.results.map { try $0.get() } == [["x": ""]])
  }
}
