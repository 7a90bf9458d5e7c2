import Foundation
import Testing
import TestSupport

@testable import Ferry

private struct WrittenPerson: Codable, Hashable, Sendable {
  var name: String
  var age: Int?

  static let all = [WrittenPerson(name: "Ada", age: 36), WrittenPerson(name: "é & <Co>", age: nil)]
}

/// An object that two records share, and a record that refers to it twice.
private final class Shared: Encodable {
  let name = "x"
}

private struct Pair: Encodable {
  let first: Shared
  let second: Shared
}

@Suite(.temporaryDirectory) struct `Records written one at a time` {
  private static let formats: [Format] = [
    .xml, .json, .jsonLines, .jsonSequence, .jsonc, .json5, .yaml, .csv, .xmlPropertyList,
    .binaryPropertyList, .openStepPropertyList, .gnustepPropertyList, .archive, .xmlArchive, .typedstream,
  ]

  @Test func `Objects of two records with the same identity stay apart`() throws {
    func node(_ number: Int) -> Value {
      let content: Value = ["n": .integer(Int128(number))]
      return [.object(ObjectValue(ObjectClass("Node"), identity: 0, content: content)), .reference(0)]
    }
    let output = MemoryOutput()
    var writer = try RecordWriter(FerryEncoder(to: .archive), to: output)
    for number in 1...3 { try writer.write(node(number)) }
    try writer.finish()
    let back = try FerryDecoder().decode(Value.self, from: output.bytes)
    for number in 0..<3 { #expect(back[number]?[1]?["n"]?.intValue == number + 1) }
    var last = try RecordWriter(FerryEncoder(to: .archive), to: MemoryOutput())
    #expect(throws: FerryError.self) { try last.write(.array([.reference(.max)])) }
  }

  @Test(arguments: formats) func `The file is that of the whole list`(_ format: Format) throws {
    let directory = TemporaryDirectory.current
    var encoder = FerryEncoder(to: format)
    encoder.writing.rootElement = "people"
    var writer = try RecordWriter(encoder, path: directory.path("people"))
    for person in WrittenPerson.all { try writer.write(person) }
    #expect(try directory.names().filter { $0 == "people" } == [])
    try writer.finish()
    #expect(try directory.bytes("people") == encoder.encode(WrittenPerson.all))
    #expect(try directory.names() == ["people"])
  }

  @Test func `Records have the newest version of the schema, also if they do not state it`() throws {
    let text = """
      {"ferry":1,"name":"p","version":2,"collection":{"element":"ps","key":"ps","version":"sv"},
       "fields":[{"name":"len","type":"integer"}],
       "versions":{"1":{"fields":[{"name":"len","from":"len","multiply":60}]}}}
      """
    var encoder = FerryEncoder(to: .xml)
    encoder.schema = try Schema(Value(reading: MemoryInput(Array(text.utf8))))
    let output = MemoryOutput()
    var writer = try RecordWriter(encoder, to: output)
    try writer.write(["len": 2] as Value)
    try writer.finish()
    let written = String(decoding: output.bytes, as: UTF8.self)
    #expect(written.contains("<ps sv=\"2\">") && written.contains("<len>2</len>"), "\(written)")
  }

  @Test(arguments: formats) func `What is written is read`(_ format: Format) throws {
    let output = MemoryOutput()
    var encoder = FerryEncoder(to: format)
    encoder.writing.rootElement = "people"
    var writer = try RecordWriter(encoder, to: output)
    for person in WrittenPerson.all { try writer.write(person) }
    try writer.finish()
    var settings = RecordSettings()
    settings.reading.format = format
    let records = Records(of: WrittenPerson.self, from: .bytes(output.bytes), settings)
    #expect(try records.results.map { try $0.get() } == WrittenPerson.all)
  }

  @Test
  func
    `Records are written to an output in a format, and an error of a record's own type is thrown as it is`()
    throws
  {
    struct Failure: Error {}
    struct Failing: Encodable {
      func encode(to encoder: any Encoder) throws { throw Failure() }
    }
    let output = MemoryOutput()
    var writer = try RecordWriter(to: .csv, output: output)
    try writer.write(WrittenPerson.all[0])
    #expect(throws: Failure.self) { try writer.write(Failing()) }
    try writer.write(WrittenPerson.all[0])
    try writer.finish()
    #expect(String(decoding: output.bytes, as: UTF8.self) == "name,age\nAda,36\nAda,36\n")
  }

  @Test func `Values and events are records, too`() throws {
    let output = MemoryOutput()
    var writer = try RecordWriter(FerryEncoder(to: .json), to: output)
    try writer.write(["name": "Ada"] as Value)
    try writer.write { sink throws(FerryError) in
      try sink.beginArray(count: 1)
      try sink.integer(1)
      try sink.endArray()
    }
    try writer.write(WrittenPerson(name: "Bo", age: 1))
    try writer.finish()
    let text = String(decoding: output.bytes, as: UTF8.self)
    #expect(text == "[{\"name\":\"Ada\"},[1],{\"name\":\"Bo\",\"age\":1}]\n")
  }

  @Test func `Records are added to a table of a database`() throws {
    let directory = TemporaryDirectory.current
    var encoder = FerryEncoder(to: .sqlite)
    encoder.writing.table = "people"
    var writer = try RecordWriter(encoder, path: directory.path("people.db"))
    for person in WrittenPerson.all { try writer.write(person) }
    try writer.finish()
    let records = Records(of: WrittenPerson.self, from: .file(directory.path("people.db")))
    #expect(try records.results.map { try $0.get() } == WrittenPerson.all)
  }

  @Test func `Booleans that a database has as numbers are decoded`() throws {
    struct Flag: Codable, Equatable, Sendable {
      var name: String
      var isOn: Bool
    }
    let flags = [Flag(name: "a", isOn: true), Flag(name: "b", isOn: false)]
    let path = TemporaryDirectory.current.path("flags.db")
    var encoder = FerryEncoder(to: .sqlite)
    encoder.writing.table = "flags"
    var writer = try RecordWriter(encoder, path: path)
    for flag in flags { try writer.write(flag) }
    try writer.finish()
    let records = Records(of: Flag.self, from: .file(path))
    #expect(try records.results.map { try $0.get() } == flags)
  }

  @Test func `Nothing is left without the end`() throws {
    let directory = TemporaryDirectory.current
    try directory.write("old.json", "[1]")
    func begin(_ name: String) throws {
      var writer = try RecordWriter(to: .json, path: directory.path(name), replacing: true)
      try writer.write(WrittenPerson.all[0])
    }
    for name in ["new.json", "old.json"] { try begin(name) }
    #expect(try directory.names() == ["old.json"])
    #expect(try directory.text("old.json") == "[1]")
  }

  @Test func `Events that are not a whole value are refused, and other records may follow`() throws {
    let directory = TemporaryDirectory.current
    var writer = try RecordWriter(to: .binaryPropertyList, path: directory.path("a.plist"))
    try writer.write([1] as Value)
    let error = #expect(throws: FerryError.self) {
      try writer.write { sink throws(FerryError) in
        try sink.beginArray(count: 1)
        try sink.endDictionary()
      }
    }
    #expect(error?.reason == .cannotHold(.misplaced("the end of a dictionary")))
    try writer.write([2] as Value)
    try writer.finish()
    #expect(try Value(reading: FileInput(path: directory.path("a.plist"))) == [[1], [2]])
  }

  @Test func `A file that exists is not replaced unless that is requested`() throws {
    let directory = TemporaryDirectory.current
    try directory.write("a.json", "[1]")
    #expect(throws: FerryError.self) { _ = try RecordWriter(to: .json, path: directory.path("a.json")) }
    #expect(try directory.text("a.json") == "[1]")
  }

  @Test func `Shared objects of different records are kept apart`() throws {
    let output = MemoryOutput()
    var encoder = FerryEncoder(to: .json)
    encoder.writing.shared = .reference
    var writer = try RecordWriter(encoder, to: output)
    for _ in 0..<2 {
      let shared = Shared()
      try writer.write(Pair(first: shared, second: shared))
    }
    _ = try writer.finishWithLosses()
    let value = try Value(reading: MemoryInput(output.bytes), named: "a.json")
    let single = MemoryOutput()
    let shared = Shared()
    try encoder.encodeWithLosses([Pair(first: shared, second: shared)], to: single)
    let alone = try Value(reading: MemoryInput(single.bytes), named: "a.json")
    #expect(value[0] == alone[0])
    // The second record refers to its own object.
    #expect(value[1]?["first"] == alone[0]?["first"])
    #expect(value[1]?["second"] != value[0]?["second"])
  }

  @Test func `Nothing is left after a record that the format cannot hold`() throws {
    let directory = TemporaryDirectory.current
    func write() throws {
      var writer = try RecordWriter(to: .csv, path: directory.path("a.csv"))
      try writer.write(["a": 1] as Value)
      try writer.write(1 as Value)
      try writer.finish()
    }
    #expect(throws: FerryError.self) { try write() }
    #expect(try directory.names() == [])
  }

  @Test func `The error of a record is thrown again by all later calls`() throws {
    var writer = try RecordWriter(FerryEncoder(to: .csv), to: MemoryOutput())
    try writer.write(["a": 1] as Value)
    let first = #expect(throws: FerryError.self) { try writer.write(1 as Value) }
    let second = #expect(throws: FerryError.self) { try writer.write(["a": 2] as Value) }
    let third = #expect(throws: EncodingError.self) { try writer.write(WrittenPerson.all[0]) }
    #expect(first != nil && second == first)
    guard case .invalidValue(_, let context)? = third else { throw FerryError(.file(.notOpen)) }
    #expect(context.underlyingError as? FerryError == first)
    // A record that cannot be encoded does not hide the error.
    struct Failing: Encodable {
      func encode(to encoder: any Encoder) throws { throw FerryError(.file(.empty)) }
    }
    #expect(throws: EncodingError.self) { try writer.write(Failing()) }
    let ofEvents = #expect(throws: FerryError.self) {
      try writer.write { _ throws(FerryError) in throw FerryError(.file(.empty)) }
    }
    #expect(ofEvents == first)
    var last: FerryError?
    do throws(FerryError) { try writer.finish() } catch { last = error }
    #expect(last == first)
  }

  /// Records that would be decoded as other ones, and the kind of loss with its path.
  private static let changes: [(Format, [any Encodable & Sendable], Loss.Kind, String)] = [
    (.json, [[1.5], [Double.nan]], .notFinite, "[1][0]"),
    (.jsonLines, [Float.infinity], .notFinite, "[0]"),
    (.json, [["a": Value.real(.nan)] as Value], .notFinite, "[0].a"),
    (.xmlPropertyList, [["a": Int?.none]], .nullLeftOut, "[0].a"),
    (.xml, [[["a", "b"], ["c"]]], .nestedArray, "[0]"),
  ]

  @Test(arguments: changes.indices)
  func `A record that would be decoded as another one is refused as by the encoder, and the old file stays`(
    index: Int
  ) throws {
    let directory = TemporaryDirectory.current
    let (format, records, kind, path) = Self.changes[index]
    try directory.write("a", "old")
    func writer() throws -> RecordWriter {
      var writer = try RecordWriter(to: format, path: directory.path("a"), replacing: true)
      for record in records { try writer.write(record) }
      return writer
    }
    var refusal: FerryError?
    let refused = try writer()
    do throws(FerryError) { try refused.finish() } catch { refusal = error }
    #expect(refusal?.reason == .loss(kind), "\(refusal as Any)")
    #expect(refusal?.path.description.hasPrefix(path) == true, "\(refusal as Any)")
    #expect(try directory.names() == ["a"])
    #expect(try directory.text("a") == "old")
    let losses = try writer().finishWithLosses()
    #expect(losses.listed.contains { $0.kind == kind })
    #expect(try directory.bytes("a").count > 3)
  }

  @Test func `A record that would be another one is found after many other losses`() throws {
    let output = MemoryOutput()
    var writer = try RecordWriter(to: .json, output: output)
    for _ in 0..<10_001 { try writer.write(Value.date(secondsSince2001: 0)) }
    try writer.write(Value.real(.infinity))
    var refusal: FerryError?
    do throws(FerryError) { try writer.finish() } catch { refusal = error }
    #expect(refusal?.reason == .loss(.notFinite))
    #expect(refusal?.path.description == "[10001]")
  }

  @Test func `A record that would be another one is found after many nils`() throws {
    struct Row: Encodable {
      var count: Int?
      var lists: [[Int]]
    }
    var writer = try RecordWriter(to: .xml, output: MemoryOutput())
    for _ in 0..<10_001 { try writer.write(Row(count: nil, lists: [])) }
    try writer.write(Row(count: 1, lists: [[1, 2], [3]]))
    var refusal: FerryError?
    do throws(FerryError) { try writer.finish() } catch { refusal = error }
    #expect(refusal?.reason == .loss(.nestedArray))
  }

  @Test func `A value is written in every format that can be written`() throws {
    let value: Value = [["name": "Ada"]]
    for format in Self.formats {
      let output = MemoryOutput()
      try Conversion(to: format).write(value, to: output)
      var settings = RecordSettings.values
      settings.reading.format = format
      let records = Records(from: .bytes(output.bytes), settings)
      #expect(try records.results.map { try $0.get() }.first?["name"] == "Ada", "\(format)")
    }
  }

  @Test func `A value and records are written in the encoding of the options`() throws {
    var encoder = FerryEncoder(to: .csv)
    encoder.writing.encoding = "iso-8859-1"
    #expect(try encoder.encode([["a": "é"]]) == Array("a\n".utf8) + [0xe9, 0x0a])
    let output = MemoryOutput()
    var writer = try RecordWriter(encoder, to: output)
    try writer.write(["a": "é"] as Value)
    try writer.finish()
    #expect(output.bytes == Array("a\n".utf8) + [0xe9, 0x0a])
  }

  @Test func `An archive in XML is encoded in the encoding of the options`() throws {
    var encoder = FerryEncoder(to: .xmlArchive)
    encoder.writing.encoding = "iso-8859-1"
    let bytes = try encoder.encode(["é"])
    #expect(bytes.contains(0xe9))
    #expect(try FerryDecoder().decode([String].self, from: bytes) == ["é"])
    encoder.writing.format = .archive
    #expect(throws: EncodingError.self) { try encoder.encode(["é"]) }
  }

  @Test func `Losses are returned, and a strict writer refuses them`() throws {
    let directory = TemporaryDirectory.current
    var writer = try RecordWriter(to: .json, path: directory.path("a.json"))
    try writer.write(.date(secondsSince2001: 0))
    let losses = try writer.finish()
    #expect(losses.counts.map(\.kind) == [.dateAsText])
    func writeStrictly() throws {
      var encoder = FerryEncoder(to: .json)
      encoder.isStrict = true
      var strict = try RecordWriter(encoder, path: directory.path("b.json"))
      try strict.write(.date(secondsSince2001: 0))
      try strict.finish()
    }
    let error = #expect(throws: FerryError.self) { try writeStrictly() }
    #expect(error?.reason == .loss(.dateAsText))
    #expect(try directory.names() == ["a.json"])
  }
}
