import Ferry
import Testing

/// The examples in `Library.md`.
@Suite struct `The page on the library` {
  struct Person: Codable {
    var id: Int
    var first: String
    var age: Int?
    var tags: [String]
  }

  @Test func `Types are decoded and encoded`() throws {
    let bytes = Array(
      "<people><person id=\"1\"><first>Ada</first><age>36</age><tags>math</tags></person></people>".utf8)
    // <people><person id="1"><first>Ada</first><age>36</age><tags>math</tags></person></people>
    let people = try FerryDecoder().decode([Person].self, from: bytes, named: "people.xml")
    print(people[0].age ?? 0, people[0].tags)  // 36 ["math"]
    let json = try FerryEncoder(to: .json).encode(people)
    #expect(people[0].age == 36 && people[0].tags == ["math"])
    #expect(
      String(decoding: json, as: UTF8.self) == #"[{"id":1,"first":"Ada","age":36,"tags":["math"]}]"# + "\n")
  }
}
