import Ferry
import TestSupport
import Testing

/// The examples in `Library.md`.
@Suite(.temporaryDirectory) struct `The page on the library` {
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

  struct NamedPerson: Codable {
    var first: String
    var age: Int
  }

  @Test func `Values are read and changed`() throws {
    var people: Value = [["first": "Ada", "age": 36], ["first": "Grace"]]
    people[0]?["age"] = 37
    people[path: "[first=Grace].age"] = 85  // a new entry
    people[path: "[]"] = ["first": "Emmy"]  // a new element
    print(people[0]?["age"]?.intValue ?? 0)  // 37
    print(people)  // [{ first: "Ada", age: 37 }, { first: "Grace", age: 85 }, { first: "Emmy" }]
    let ada = try people.value(at: "[0]").decoded(as: NamedPerson.self)
    #expect(people[0]?["age"]?.intValue == 37)
    #expect(
      people.description
        == #"[{ first: "Ada", age: 37 }, { first: "Grace", age: 85 }, { first: "Emmy" }]"#)
    #expect(ada.first == "Ada" && ada.age == 37)
  }

  @Test func `A file is read with options`() throws {
    let path = TemporaryDirectory.current.path("people.json")
    try TemporaryDirectory.current.write("people.json", #"{"people":[{"first":"Ada"}]}"#)
    let printed = Printed()
    func print(_ items: Any...) { printed.add(items) }
    var options = ReadingOptions.values
    options.select = "people[*]"
    options.budget.inputBytes = 10 << 20  // refuses an input of more than 10 MiB
    let selected = try Value(path: path, options: options)
    for (path, leaf) in selected.leaves { print(path, leaf) }  // [0].first "Ada"
    #expect(printed.text == #"[0].first "Ada""#)
  }

  @Test func `The error under that of a decoder has the location`() {
    let text = #"[{"first":"Ada","age":36.5}]"#
    let printed = Printed()
    func print(_ items: Any...) { printed.add(items) }
    do {
      let people = try FerryError.ofCoding { try FerryDecoder().decode([NamedPerson].self, from: text) }
      print(people.count)
    } catch {
      print(error)  // 1:23: Int cannot hold 36.5 exactly (at [0].age)
    }
    #expect(printed.text == "1:23: Int cannot hold 36.5 exactly (at [0].age)")
  }

  @Test func `An archive is converted`() throws {
    let path = TemporaryDirectory.current.path("people.pplgrp")
    try TemporaryDirectory.current.write("people.pplgrp", GuideExample.people())
    let printed = Printed()
    func print(_ items: Any...) { printed.add(items) }
    let archive = try FileInput(path: path).readAll()
    let result = try Conversion(to: .json).convert(archive)
    print(String(decoding: result.bytes, as: UTF8.self))  // [{"firstName":"Matt",…
    #expect(printed.text == #"[{"firstName":"Matt","lastName":"Neuburg"}]"#)
  }

  @Test func `An archive is read, decoded and changed`() throws {
    let path = TemporaryDirectory.current.path("people.archive")
    try TemporaryDirectory.current.write(
      "people.archive", KeyedArchiveEncoder().encode([NamedPerson(first: "Matt", age: 36)]))
    let people = try KeyedArchive(path: path)
    let first = try ValuePath(parsing: "[0].first")
    print(try people.value(at: first))  // "Matt"
    let person = try people.decode(NamedPerson.self, at: "[0]")  // a type of your own
    try people.set("Matthew", at: first)
    try people.write(to: path)
    #expect(person.first == "Matt" && person.age == 36)
    #expect(try KeyedArchive(path: path).value(at: first) == "Matthew")
  }

  @Test func `An archive is changed by its file`() throws {
    let path = TemporaryDirectory.current.path("people.archive")
    try TemporaryDirectory.current.write(
      "people.archive", KeyedArchiveEncoder().encode([NamedPerson(first: "Matt", age: 36)]))
    let team = try KeyedArchive(path: path)
    try team.file.copy("[0]", to: "[]")  // a second person
    try team.file.move("[1]", to: "[0]")  // before the first
    try team.set("Ada", at: "[0].first")
    try team.write(to: path)
    let changed = try KeyedArchive(path: path)
    #expect(try changed.value(at: "[0].first") == "Ada" && changed.value(at: "[1].first") == "Matt")
  }

  @Test func `An archive is edited in place`() throws {
    let path = TemporaryDirectory.current.path("people.archive")
    try TemporaryDirectory.current.write(
      "people.archive", KeyedArchiveEncoder().encode([NamedPerson(first: "Matt", age: 36)]))
    let edit = try InPlaceEdit(of: path)
    let archive = try KeyedArchive(path: edit.path)
    try archive.set("Matthew", at: "[0].first")
    try edit.replace(with: archive.edited().bytes)
    #expect(try KeyedArchive(path: path).value(at: "[0].first") == "Matthew")
  }
}
