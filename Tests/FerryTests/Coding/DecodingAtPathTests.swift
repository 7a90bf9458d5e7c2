import Foundation
import Testing

@testable import Ferry

private struct Member: Codable, Equatable {
  var first: String
  var age: Int?
  var born: Date

  static let all = [
    Member(first: "Ada", age: 36, born: Date(timeIntervalSinceReferenceDate: 12)),
    Member(first: "Grace", age: nil, born: Date(timeIntervalSinceReferenceDate: 0)),
  ]
}

@Suite struct `Values decoded at paths of an opened file` {
  private static let formats: [Format] =
    [
      .json, .jsonc, .json5, .xmlPropertyList, .binaryPropertyList, .openStepPropertyList,
      .gnustepPropertyList, .archive, .xmlArchive, .typedstream,
    ] + (PackageTraits.hasYAML ? [.yaml] : [])

  @Test(arguments: formats) func `A part is decoded as from a file that is read for it alone`(
    _ format: Format
  ) throws {
    let bytes = try FerryEncoder(to: format).encode(["people": Member.all])
    var options = EditableFile.Options()
    options.format = format
    let file = try EditableFile(bytes, options: options)
    for (index, member) in Member.all.enumerated() {
      let path = ValuePath([.key("people"), .index(index)])
      #expect(try file.decode(Member.self, at: path) == member)
      #expect(try file.decode(String.self, at: path.appending(.key("first"))) == member.first)
      var decoder = FerryDecoder()
      decoder.reading.format = format
      #expect(try decoder.decode(Member.self, from: bytes, at: path) == member)
    }
    #expect(try file.decode([Member].self, at: "people") == Member.all)
    #expect(try file.decode([String: [Member]].self) == ["people": Member.all])
    #expect(try file.decode(Member.self, at: "people[first=Grace]") == Member.all[1])
  }

  @Test func `Parts of elements and rows are decoded by the types that are asked for`() throws {
    let xml = "<people><person id='1'><age>36</age></person><person id='2'/></people>"
    struct Person: Decodable, Equatable {
      var id: Int
      var age: Int?
    }
    let document = try EditableFile(Array(xml.utf8), named: "a.xml")
    #expect(try document.decode([Person].self) == [Person(id: 1, age: 36), Person(id: 2, age: nil)])
    #expect(try document.decode(Person.self, at: "people.person[1]") == Person(id: 2, age: nil))
    #expect(try document.decode(Int.self, at: "people.person[0].age") == 36)
    #expect(try document.decode([Int].self, at: "people.person[0].age") == [36])
    let table = try EditableFile(Array("id,age\n1,36\n2,\n".utf8), named: "a.csv")
    #expect(try table.decode([Person].self) == [Person(id: 1, age: 36), Person(id: 2, age: nil)])
    #expect(try table.decode(Person.self, at: "[1]") == Person(id: 2, age: nil))
    #expect(try table.decode(Int.self, at: "[0].age") == 36)
  }

  private enum Part: Decodable, Equatable, ElementChoice {
    case number(value: Int)
    case word(value: String)

    enum NumberCodingKeys: String, CodingKey { case value = "" }
    enum WordCodingKeys: String, CodingKey { case value = "" }
  }

  @Test func `The options of the file, and not those of the decoder, tell the order of elements`() throws {
    let xml = Array("<p><number>1</number><word>two</word><number>3</number></p>".utf8)
    var decoder = FerryDecoder()
    decoder.reading.xml.order = .needed
    let grouped = try EditableFile(xml, named: "a.xml")
    #expect(try cause { try grouped.decode([Part].self, using: decoder) }.reason == .coding(.unknownOrder))
    var options = EditableFile.Options()
    options.xml = options.xml.forContents
    let ordered = try EditableFile(xml, named: "a.xml", options: options)
    #expect(try ordered.decode([Part].self) == [.number(value: 1), .word(value: "two"), .number(value: 3)])
    #expect(try ordered.decode([String: [String]].self) == ["number": ["1", "3"], "word": ["two"]])
  }

  @Test func `A changed value and a value in data are decoded`() throws {
    let inner = try FerryEncoder(to: .binaryPropertyList).encode(["n": 5])
    let bytes = try FerryEncoder(to: .binaryPropertyList).encode(["inner": inner])
    let file = try EditableFile(bytes)
    #expect(try file.decode(Int.self, at: "inner.n") == 5)
    try file.set(.integer(6), at: "inner.n")
    #expect(try file.decode(Int.self, at: "inner.n") == 6)
  }

  @Test func `An opened archive decodes its objects, also after a change`() throws {
    let bytes = try KeyedArchiveEncoder().encode(Member.all)
    let archive = try KeyedArchive(bytes)
    #expect(try archive.decode([Member].self) == Member.all)
    #expect(try archive.decode(Member.self, at: "[1]") == Member.all[1])
    try archive.set(.string("Emmy"), at: "[1].first")
    #expect(try archive.decode(Member.self, at: "[1]").first == "Emmy")
    #expect(try archive.decode(Member.self, at: "[0]") == Member.all[0])
    #expect(try KeyedArchive(archive.edited().bytes).decode(String.self, at: "[-1].first") == "Emmy")
  }

  @Test func `The classes and keys of a map are those of an opened archive`() throws {
    var classes = ClassMap()
    classes.add(Member.self, as: "Club.Member", keys: ["first": "givenName"])
    let bytes = try KeyedArchiveEncoder(classes: classes).encode(["boss": Member.all[0]])
    let archive = try KeyedArchive(bytes)
    let decoder = KeyedArchiveDecoder(classes: classes)
    #expect(try archive.decode(Member.self, at: "boss", using: decoder) == Member.all[0])
    #expect(throws: DecodingError.self) { try archive.decode(Member.self, at: "boss") }
  }

  /// Expects that a value cannot be decoded, and returns the cause.
  private func cause(_ work: () throws -> Any) throws -> FerryError {
    let error = #expect(throws: DecodingError.self) { try work() }
    return try #require(error?.context?.underlyingError as? FerryError)
  }

  @Test func `An error names the path or the place in the archive`() throws {
    let archive = try KeyedArchive(KeyedArchiveEncoder().encode(["people": Member.all]))
    let missing = try cause { try archive.decode(Member.self, at: "people[7]") }
    #expect(missing.reason == .path(.noElement(7, count: 2)))
    #expect(missing.path == "people")
    let several = try cause { try archive.decode([String].self, at: "people[*].first") }
    #expect(several.reason == .path(.severalValues))
    let wrong = try cause { try archive.decode(Int.self, at: "people[0].first") }
    #expect(wrong.location.object != nil)
    let json = try EditableFile(Array(#"{"people":[{"first":1}]}"#.utf8))
    let number = try cause { try json.decode(Member.self, at: "people[0]") }
    #expect(number.path == "first")
  }

  @Test func `A path may select an element by the text of one of its keys`() throws {
    let files = [
      ("a.json", #"[{"n":"a","v":1},{"n":"b","v":2}]"#, "[n=b].v"),
      ("a.json", #"{"l":[{"n":"a","v":1},{"n":"b","v":2}]}"#, "l[n=b].v"),
      ("a.yaml", "- n: a\n  v: 1\n- n: b\n  v: 2\n", "[n=b].v"),
      ("a.csv", "n,v\na,1\nb,2\n", "[n=b].v"), ("a.csv", "n,v\na,1\nb,2\n", "[v>1].v"),
      ("a.xml", "<l><i><n>a</n><v>1</v></i><i><n>b</n><v>2</v></i></l>", "i[n=b].v"),
    ]
    for (name, text, path) in files {
      let path = try ValuePath(parsing: path)
      #expect(try FerryDecoder().decode(Int.self, from: text.utf8, named: name, at: path) == 2, "\(name)")
    }
    let json = Array(#"[{"n":"a"},{"n":"a"}]"#.utf8)
    let several = try cause { try FerryDecoder().decode(String.self, from: json, at: "[n=a].n") }
    let filter = ValuePath.Filter(ValuePath.Condition("n", .equal, "a"))
    #expect(several.reason == .path(.notOneElement(filter, count: 2)))
    let all = try cause { try FerryDecoder().decode(String.self, from: json, at: "[*].n") }
    #expect(all.reason == .path(.severalValues))
    let none = try cause { try FerryDecoder().decode(String.self, from: json, at: "[]") }
    #expect(none.reason == .path(.afterLast))
  }

  @Test func `A part of a value is decoded`() throws {
    let value: Value = ["people": [["first": "Ada"], ["first": "Grace"]]]
    #expect(try value.decoded(as: String.self, at: "people[1].first") == "Grace")
    #expect(
      try cause { try value.decoded(as: [String].self, at: "people[*].first") }.reason
        == .path(.severalValues))
    let ada = try FerryDecoder().decode([String: String].self, from: value, at: "people[0]")
    #expect(ada == ["first": "Ada"])
    let missing = try cause { try value.decoded(as: String.self, at: "people[0].last") }
    guard case .path(.noKey) = missing.reason else {
      Issue.record("\(missing)")
      return
    }
  }
}
