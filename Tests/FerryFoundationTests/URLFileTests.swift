import Ferry
import FerryFoundation
import Foundation
import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `Files named by URLs` {
  private struct Person: Codable, Equatable, Sendable {
    var name: String
    var age: Int
  }

  private static let people = [Person(name: "Ada", age: 36), Person(name: "Grace", age: 85)]

  @Test func `Records are written to and read from URLs`() throws {
    let url = URL(filePath: TemporaryDirectory.current.path("a é.csv"))
    var writer = try RecordWriter(to: .csv, url: url)
    for person in Self.people { try writer.write(person) }
    try writer.finish()
    #expect(try FerryDecoder().decode([Person].self, from: url) == Self.people)
    #expect(try FerryDecoder().decode(String.self, from: url, at: "[1].name") == "Grace")
    #expect(try Value(reading: url)[0]?["name"] == "Ada")
    let records = try Records(of: Person.self, from: .file(url))
    #expect(try records.results.map { try $0.get() } == Self.people)
    var encoded = try RecordWriter(FerryEncoder(to: .csv), url: url, replacing: true)
    try encoded.write(Self.people[0])
    try encoded.finish()
    #expect(
      try FerryDecoder().decode([Person].self, from: FileInput(url: url), named: "a.csv") == [Self.people[0]])
  }

  @Test func `Documents, seeds, packages and edits are at URLs`() async throws {
    let directory = TemporaryDirectory.current
    try directory.write(
      "folks.xml", "<people><person><firstName>Ada</firstName><lastName>L</lastName></person></people>")
    let (data, url) = (URL(filePath: directory.path("folks.xml")), URL(filePath: directory.path("a.pplgrp")))
    #expect(try Seed(from: data).seed(at: url).outcome == .made(count: 1))
    let document = try Document(url: url, type: .peopleGroup)
    #expect(await document.fileURL == url)
    #expect(await document.modificationDate == nil)
    let edit = try InPlaceEdit(of: url)
    edit.end()
    let folder = URL(filePath: directory.path("a.mystuff"))
    var package = DocumentPackage()
    package.set([1], named: "things.data")
    try package.write(to: folder)
    #expect(try DocumentPackage(reading: folder).names == ["things.data"])
    let page = try #require(URL(string: "https://example.org/a"))
    #expect(throws: FerryError.self) { try Document(url: page, type: .peopleGroup) }
    #expect(throws: FerryError.self) { try InPlaceEdit(of: page) }
    #expect(throws: SeedError.self) { try Seed(from: data).seed(at: page) }
    var options = ReadingOptions.values
    options.format = .text
    #expect(try Value(reading: data, options: options).stringValue?.hasPrefix("<people>") == true)
  }

  @Test func `The modification date of a document is a date`() async throws {
    let directory = TemporaryDirectory.current
    try directory.write("a.txt", "text")
    let document = TextDocument(path: directory.path("a.txt"), autosaving: .off)
    try await document.open()
    let date = try #require(await document.modificationDate)
    #expect(abs(date.timeIntervalSinceNow) < 86_400)
    try await document.close()
  }

  @Test func `Files are opened and written by URLs`() throws {
    let url = URL(filePath: TemporaryDirectory.current.path("a.archive"))
    let output = try FileOutput(url: url)
    try output.write(KeyedArchiveEncoder().encode(Self.people))
    try output.commit()
    #expect(try KeyedArchive(url: url).decode(Person.self, at: "[1]") == Self.people[1])
    #expect(try EditableFile(url: url).decode(Int.self, at: "[0].age") == 36)
  }

  @Test func `Data is patched, merged and detected`() throws {
    let base = Data(#"[{"first":"Ada"}]"#.utf8)
    #expect(try Format.of(base) == .json)
    #expect(try Format.of(Data("a,b\n".utf8), named: "a.csv") == .csv)
    let file = try EditableFile(base)
    try file.apply(JSONPatch(Data(#"[{"op":"replace","path":"/0/first","value":"Eve"}]"#.utf8)))
    let edited = try Data(file.bytes())
    #expect(edited == Data(#"[{"first":"Eve"}]"#.utf8))
    let merge = DocumentMerge()
    let ours = try merge.read(edited)
    let result = try merge.merge(
      base: merge.read(base, as: ours), ours: ours, theirs: merge.read(base, as: ours))
    #expect(Data(result.bytes) == edited)
    let archive = Data(try Conversion(to: .archive).convert(base).bytes)
    #expect(try ArchiveRenaming().apply(to: archive).bytes == Array(archive))
  }

  @Test func `Data is read, converted and edited`() throws {
    let data = Data("name,age\nAda,36\n".utf8)
    #expect(try Value(reading: data, named: "a.csv")[0]?["name"] == "Ada")
    #expect(try Value(reading: MemoryInput(data), named: "a.csv")[0]?["age"] == "36")
    let archive = Data(try Conversion(to: .archive).convert(data, named: "a.csv").bytes)
    #expect(try KeyedArchive(archive).value(at: "[0].age") == "36")
    let file = try EditableFile(data, named: "a.csv")
    try file.set("Grace", at: "[0].name")
    let url = URL(filePath: TemporaryDirectory.current.path("a.csv"))
    try file.write(to: url)
    let json = try Conversion(to: .json).convert(url).bytes
    #expect(String(decoding: json, as: UTF8.self) == "[{\"name\":\"Grace\",\"age\":\"36\"}]\n")
    let other = URL(filePath: TemporaryDirectory.current.path("b.archive"))
    try KeyedArchive(archive).write(to: other)
    #expect(try Data(contentsOf: other) == archive)
  }

  @Test func `A URL that is not that of a file is refused`() throws {
    let url = try #require(URL(string: "https://example.org/a.json"))
    #expect(throws: FerryError.self) { try FileInput(url: url) }
    #expect(throws: FerryError.self) { try Value(reading: url) }
    #expect(throws: (any Error).self) { try FerryDecoder().decode(Int.self, from: url) }
  }
}
