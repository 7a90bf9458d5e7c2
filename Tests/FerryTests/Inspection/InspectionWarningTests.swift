import TestSupport
import Testing

@testable import Ferry

@Suite struct `Warnings of inspections` {
  private func warnings(_ bytes: [UInt8]) throws -> [Inspection.Warning.Kind: Int] {
    let counts = try Inspections.of(bytes).warnings.counts.entries
    return Dictionary(uniqueKeysWithValues: counts.map { ($0.subject, $0.count) })
  }

  private func warnings(_ value: Value) throws -> [Inspection.Warning.Kind: Int] {
    try warnings(try PropertyLists.binary(value))
  }

  private let array = Inspections.description("NSArray", "NSObject")

  @Test func `An inspection warns of a reference to a missing object`() throws {
    let value = Archived.stored([["NS.objects": [.uid(77)], "$class": .uid(2)], array])
    let inspection = try Inspections.of(try PropertyLists.binary(value))
    #expect(inspection.warnings.counts[.danglingReference] == 1)
    let warning = try #require(inspection.warnings.first.first)
    #expect(warning.object == 1)
    #expect(warning.location.byte != nil)
    #expect(warning.description.hasPrefix("object 1, byte "))
    #expect(warning.description.hasSuffix("a reference to object 77, but the archive has 3 objects"))
  }

  @Test func `An inspection warns of an object without a class, and of an invalid class`() throws {
    let value = Archived.stored([["a": .uid(2)], ["b": .uid(1), "$class": .uid(3)], "no class"])
    #expect(try warnings(value) == [.noClass: 1, .notAClass: 1])
    #expect(try warnings(Archived.stored([["$class": 7]])) == [.notAClass: 1])
  }

  @Test func `An inspection warns of an object that is a reference`() throws {
    #expect(try warnings(Archived.stored([.uid(2), "a"])) == [.objectIsReference: 1])
  }

  @Test func `An inspection warns of another archiver and an unknown version`() throws {
    let value: Value = [
      "$version": 200_000, "$archiver": "MSArchiver", "$top": ["root": .uid(0)], "$objects": ["$null"],
    ]
    #expect(try warnings(value) == [.otherArchiver: 1, .unknownVersion: 1])
  }

  @Test func `An inspection warns of an archive without objects, which is a property list`() throws {
    let inspection = try Inspections.of(
      try PropertyLists.binary(["$archiver": "NSKeyedArchiver", "$objects": "none"]))
    #expect(inspection.format == .binaryPropertyList)
    #expect(inspection.warnings.counts[.notAnArchive] == 1)
    let without = try Inspections.of(
      try PropertyLists.binary(["$archiver": "NSKeyedArchiver", "$top": ["root": .uid(1)]]))
    #expect(without.warnings.counts[.notAnArchive] == 1)
    #expect(inspection.values?.keys.count == 2)
  }

  @Test func `An inspection warns of a key that occurs twice`() throws {
    let file = BinaryFile([0xd2, 1, 1, 2, 2], [0x51, 0x61], [0x09])
    #expect(try warnings(file.bytes) == [.duplicateKey: 1])
    #expect(try warnings(Array(#"[{"a": 1, "b": {"a": 1}, "a": 2}]"#.utf8)) == [.duplicateKey: 1])
    let xml = "<plist><dict><key>a</key><true/><key>a</key><true/></dict></plist>"
    #expect(try warnings(Array(xml.utf8)) == [.duplicateKey: 1])
  }

  @Test func `An inspection warns of a key that is not a string`() throws {
    #expect(try warnings(BinaryFile([0xd1, 1, 1], [0x09]).bytes) == [.keyIsNotString: 1])
  }

  @Test func `An inspection warns of widths that are larger than necessary`() throws {
    let file = BinaryFile([0xa1, 0, 1], [0x13, 0, 0, 0, 0, 0, 0, 0, 7]).with {
      $0.offsetWidth = 3
      $0.referenceWidth = 2
    }
    #expect(try warnings(file.bytes) == [.oddWidth: 2, .nonMinimalInteger: 1])
  }

  @Test func `An inspection warns of an object that cannot be read`() throws {
    let file = BinaryFile([0xa3, 1, 2, 3], [0x09], [0x77], [0xa1, 99])
    let inspection = try Inspections.of(file.bytes)
    #expect(inspection.warnings.counts[.brokenObject] == 2)
    #expect(inspection.warnings.first.map(\.location.object) == [2, 3])
    #expect(inspection.values?.kinds[.boolean] == 1)
  }

  @Test func `An inspection warns of collections that contain themselves`() throws {
    for file in [HostileFile.arrayInItself, .dictionaryInItself, .arrayInItselfByAnother] {
      let inspection = try Inspections.of(file.bytes)
      let count = file == .arrayInItselfByAnother ? 2 : 1
      #expect(inspection.warnings.counts[.containsItself] == count)
      #expect(inspection.table?.cyclicCollections == count)
      #expect(inspection.values?.depth == 1)
    }
  }

  @Test func `An inspection warns of objects that overlap`() throws {
    #expect(try warnings(HostileFile.overlappingArrays.bytes)[.overlappingObjects] == 1)
    let overlapping = BinaryFile([0xa2, 1, 2], [0x52, 0x51, 0x61], []).with { $0.offsets = [8, 11, 12] }
    #expect(try warnings(overlapping.bytes)[.overlappingObjects] == 1)
  }

  @Test(arguments: [
    ("a.json", "[{\"a\": 1, \"b\": {\"a\": 1},\n 1️⃣\"a\": 2}]", "[0].a"),
    ("a.yaml", "b:\n  a: 1\n  1️⃣a: 2\n", "b.a"),
    ("a.plist", "<plist><dict><key>a</key><true/>\n1️⃣<key>a</key><true/></dict></plist>", "a"),
  ])
  func `A warning about a value has its code, its path and its place`(
    _ name: String, _ marked: String, _ path: String
  ) throws {
    let text = MarkedText(marked)
    let location = try #require(text.location)
    let inspection = try Inspection(reading: MemoryInput(text.bytes), named: name)
    let warning = try #require(inspection.warnings.first.first)
    #expect(inspection.warnings.first.count == 1 && warning.kind == .duplicateKey)
    let expectedPath = try ValuePath(parsing: path)
    #expect(warning.location == location && warning.path == expectedPath)
    #expect(warning.description == "\(location): the key \"a\" occurs twice (at \(path))")
    let entry: Value = [
      "kind": "duplicate-key", "code": "duplicate-key", "message": "the key \"a\" occurs twice",
      "line": Value(location.line ?? 0), "column": Value(location.column ?? 0),
      "byte": Value(location.byte ?? 0), "path": .string(path),
    ]
    #expect(inspection.value()["warnings"]?["first"]?[0] == entry)
  }

  @Test func `A warning in a binary file has the byte, the object and the path`() throws {
    let file = BinaryFile([0xa1, 1], [0xd2, 2, 2, 3, 3], [0x51, 0x61], [0x09])
    let warning = try #require(try Inspections.of(file.bytes).warnings.first.first)
    #expect(warning.kind == .duplicateKey && warning.location.object == 1 && warning.location.byte != nil)
    #expect(warning.path == ValuePath([.index(0), .key("a")]))
  }
}
