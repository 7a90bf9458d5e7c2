import TestSupport
import Testing

@testable import Ferry

/// Inspecting what a test has made.
enum Inspections {
  static func of(_ bytes: [UInt8], named name: String? = nil) throws(FerryError) -> Inspection {
    try Inspection(reading: MemoryInput(bytes), named: name)
  }

  static func of(_ text: String, named name: String? = nil) throws(FerryError) -> Inspection {
    try of(Array(text.utf8), named: name)
  }

  static func description(_ chain: String...) -> Value {
    ["$classname": .string(chain[0]), "$classes": .array(chain.map { .string($0) })]
  }
}

@Suite struct `Inspections of archives` {
  /// A married couple, one of whom has a name for a friend that is a number, and somebody whom nobody knows.
  private static let couple = Archived.stored([
    ["NS.objects": [.uid(2), .uid(4)], "$class": .uid(9)],  // 1
    ["name": .uid(3), "partner": .uid(4), "age": 30, "$class": .uid(8)],
    "Matt",  // 3
    ["name": .uid(5), "partner": .uid(2), "age": 31, "friend": .uid(0), "$class": .uid(8)],
    "Ada",  // 5
    ["name": .uid(3), "friend": .uid(10), "$class": .uid(8)],  // 6: nobody
    .data(Array("bplist00 no".utf8)),  // 7: nobody
    Inspections.description("Person", "Animal", "NSObject"),
    Inspections.description("NSArray", "NSObject"),
    7,  // 10
  ])

  @Test(arguments: [true, false])
  func `An inspection counts the objects of an archive`(isBinary: Bool) throws {
    let bytes = try isBinary ? PropertyLists.binary(Self.couple) : PropertyLists.xml(Self.couple)
    let inspection = try Inspections.of(bytes)
    #expect(inspection.format == (isBinary ? .archive : .xmlArchive))
    #expect(inspection.byteCount == bytes.count)
    #expect(inspection.encoding == (isBinary ? nil : "UTF-8"))
    #expect((inspection.table != nil) == isBinary)
    let archive = try #require(inspection.archive)
    #expect(archive.archiver == "NSKeyedArchiver")
    #expect(archive.version == 100_000)
    #expect(archive.roots == [.init(name: "root", kind: .object, className: "NSArray", object: 1)])
    #expect(archive.objectCount == 11)
    #expect(archive.instances == 4)
    #expect(archive.descriptions == 2)
    #expect(archive.bareValues[.string] == 2)
    #expect(archive.bareValues[.data] == 1)
    #expect(archive.bareValues[.integer] == 1)
    #expect(archive.unreachable == 3)
    #expect(archive.depth == 3)
    #expect(archive.cycles == 1)
    #expect(archive.objectsOnCycles == 2)
    #expect(archive.sharedObjects == 2)
    #expect(archive.sharedValues == 1)
    #expect(inspection.warnings.isEmpty)
  }

  @Test func `An inspection lists the classes of an archive with their superclasses and keys`() throws {
    let archive = try #require(try Inspections.of(PropertyLists.binary(Self.couple)).archive)
    #expect(archive.classes.map(\.name) == ["Person", "NSArray"])
    #expect(archive.classes.map(\.count) == [3, 1])
    #expect(archive.classes[0].superclasses == ["Animal", "NSObject"])
    let keys = archive.classes[0].keys
    #expect(keys.map(\.name) == ["name", "age", "friend", "partner"])
    #expect(keys.map(\.count) == [3, 2, 2, 2])
    #expect(keys[0].types.map(\.name) == ["string"])
    #expect(keys[2].types.map { "\($0.name) \($0.count)" } == ["null 1", "integer (object) 1"])
    #expect(keys[3].types.map { "\($0.name) \($0.count)" } == ["Person 2"])
    #expect(archive.classes[1].keys.map(\.name) == ["NS.objects"])
  }

  @Test func `An inspection has the graph that a drawing of an archive needs`() throws {
    let archive = try #require(try Inspections.of(PropertyLists.binary(Self.couple)).archive)
    let graph = archive.graph
    #expect(graph.roots == [1])
    #expect(graph.isComplete)
    #expect(
      graph.references(from: 1) == [
        .init(key: "NS.objects", object: 2), .init(key: "NS.objects", object: 4),
      ])
    #expect(graph.references(from: 2) == [.init(key: "name", object: 3), .init(key: "partner", object: 4)])
    #expect(graph.references(from: 77) == [])
    #expect(graph.objects[2].classIndex.map { archive.classes[$0].name } == "Person")
    #expect(graph.objects[8].isDescription)
    #expect(graph.objects[0].kind == .null)
    #expect(graph.referenceCount == 8)
  }

  @Test func `An inspection follows several roots of an archive, some of them in place`() throws {
    let value = Archived.stored(["Ada"], top: ["name": .uid(1), "isOpen": true, "nothing": .uid(0)])
    let archive = try #require(try Inspections.of(PropertyLists.binary(value)).archive)
    #expect(
      archive.roots == [
        .init(name: "name", kind: .string, className: nil, object: 1),
        .init(name: "isOpen", kind: .boolean, className: nil, object: nil),
        .init(name: "nothing", kind: .null, className: nil, object: 0),
      ])
  }

  @Test func `An inspection looks through values that stand in place inside an object`() throws {
    let value = Archived.stored([
      ["parts": [["deep": [.uid(2), .uid(1)]], .uid(2)], "$class": .uid(3)], "leaf",
      Inspections.description("Whole", "NSObject"),
    ])
    let archive = try #require(try Inspections.of(PropertyLists.binary(value)).archive)
    #expect(archive.graph.references(from: 1).map(\.object) == [2, 1, 2])
    #expect(archive.objectsOnCycles == 1)
    #expect(archive.sharedValues == 1)
    #expect(archive.classes[0].keys[0].types.map(\.name) == ["array (in place)"])
  }

  @Test func `An inspection lists class hints`() throws {
    var description = Inspections.description("New", "Old", "NSObject")
    if case .dictionary(var entries) = description {
      entries["$classhints"] = ["Old"]
      description = .dictionary(entries)
    }
    let bytes = try PropertyLists.binary(Archived.stored([["$class": .uid(2)], description]))
    #expect(try Inspections.of(bytes).archive?.classes[0].hints == ["Old"])
  }
}

@Suite struct `Inspections of property lists` {
  private static let list: Value = [
    "name": "Ada", "scores": [1, 2.5, 1], "when": .date(secondsSince2001: 0), "data": .data([1, 2]),
    "inner": ["name": "Zoë", "on": true],
  ]

  @Test(arguments: [true, false])
  func `An inspection lists the kinds and keys of a property list`(isBinary: Bool) throws {
    let bytes = try isBinary ? PropertyLists.binary(Self.list) : PropertyLists.xml(Self.list)
    let inspection = try Inspections.of(bytes)
    #expect(inspection.format == (isBinary ? .binaryPropertyList : .xmlPropertyList))
    #expect(inspection.warnings.isEmpty)
    let values = try #require(inspection.values)
    #expect(values.top == .dictionary)
    #expect(values.records == nil)
    #expect(values.depth == 2)
    // The binary file has the 1 once.
    #expect(values.kinds[.integer] == (isBinary ? 1 : 2))
    #expect(values.kinds[.string] == 2)
    #expect(values.kinds[.dictionary] == 2)
    #expect(values.kinds.total == (isBinary ? 10 : 11))
    #expect(values.keys.map(\.name) == ["name", "data", "inner", "on", "scores", "when"])
    #expect(values.keys.map(\.count) == [2, 1, 1, 1, 1, 1])
    #expect(values.keys[4].types.map(\.name) == ["array"])
    #expect(values.hasAllKeys)
  }

  @Test func `An inspection reports the widths and the sharing of a property list's objects`() throws {
    // [shared, shared, true, 300] and an orphan.
    let file = BinaryFile(
      [0xa4, 1, 1, 2, 3], [0xa0], [0x09], [0x11, 0x01, 0x2c], [0x61, 0x00, 0xe9])
    let table = try #require(try Inspections.of(file.bytes).table)
    #expect(table.objectCount == 5)
    #expect(table.offsetWidth == 1)
    #expect(table.referenceWidth == 1)
    #expect(table.integerWidths[2] == 1)
    #expect(table.utf16Strings == 1)
    #expect(table.asciiStrings == 0)
    #expect(table.orphans == 1)
    #expect(table.sharedCollections == 1)
    #expect(table.cyclicCollections == 0)
  }
}

@Suite struct `Inspections of texts` {
  @Test func `An inspection lists the kinds and keys of JSON`() throws {
    let inspection = try Inspections.of(#"[{"a": 1, "b": [null]}, {"a": "x"}, 2.20]"#)
    #expect(inspection.format == .json)
    #expect(inspection.encoding == "UTF-8")
    let values = try #require(inspection.values)
    #expect(values.top == .array)
    #expect(values.records == 3)
    #expect(values.depth == 3)
    #expect(values.kinds[.decimal] == 1)
    #expect(values.keys.map(\.name) == ["a", "b"])
    #expect(values.keys[0].types.map { "\($0.name) \($0.count)" } == ["integer 1", "string 1"])
  }

  @Test func `An inspection lists the kinds and keys of JSON Lines`() throws {
    let inspection = try Inspections.of("{\"a\": 1}\n{\"a\": 2}\n\n{\"b\": 3}\n")
    #expect(inspection.format == .jsonLines)
    #expect(inspection.values?.records == 3)
    #expect(inspection.values?.keys.map(\.count) == [2, 1])
  }

  @Test func `An inspection lists the elements of XML`() throws {
    let inspection = try Inspections.of(
      """
      <?xml version="1.0" encoding="iso-8859-1"?>
      <!-- people -->
      <p:people xmlns:p="urn:p" xmlns="urn:q"><person id="1">Ada</person><person id="2"><person/></person></p:people>
      """)
    #expect(inspection.format == .xml)
    #expect(inspection.encoding == "ISO-8859-1")
    let document = try #require(inspection.document)
    #expect(document.root == "p:people")
    #expect(document.elementCount == 4)
    #expect(document.depth == 3)
    #expect(document.comments == 1)
    #expect(
      document.namespaces == [.init(name: "urn:p", prefixes: ["p"]), .init(name: "urn:q", prefixes: [""])])
    #expect(document.elements.map(\.name) == ["person", "p:people"])
    #expect(document.elements[0].depths == 2...3)
    #expect(document.elements[0].withText == 1)
    #expect(document.elements[0].attributes["id"] == 2)
  }

  @Test func `An inspection lists the kinds and keys of XML with types beside its elements`() throws {
    let json = #"{"person":[{"name":"Ada","age":36,"born":null},{"name":"Al","age":41,"born":2}]}"#
    var conversion = Conversion(to: .xml)
    conversion.writing.xml.types = .attributes
    let xml = try conversion.convert(Array(json.utf8), named: "a.json").bytes
    let inspection = try Inspection(reading: MemoryInput(xml))
    #expect(inspection.format == .xml)
    #expect(inspection.document?.elementCount == 9)
    let values = try #require(inspection.value()["values"])
    #expect(values == (try Inspections.of(json)).value()["values"])
    #expect(inspection.values?.keys.map(\.name) == ["age", "born", "name", "person"])
    // Other XML has no values.
    #expect(try Inspections.of("<r><a>1</a></r>").values == nil)
  }

  @Test func `An inspection keeps a limited number of names`() throws {
    let json = "{" + (0..<20_000).map { "\"key\($0)\": 1" }.joined(separator: ",") + "}"
    let inspection = try Inspections.of(json)
    #expect(inspection.values?.hasAllKeys == false)
    #expect(inspection.values?.kinds[.integer] == 20_000)
    #expect(inspection.warnings.counts[.tooManyNames] == 1)
  }

  @Test(arguments: [
    ("[1, 2", "1:6"), ("<a><b></a>", "1:7"), (#"{"a" 1}"#, "1:6"),
    ("<plist><dict><string/></dict></plist>", "1:14"),
  ])
  func `A text that is not well-formed is refused with its place`(_ text: String, _ place: String) throws {
    let failure = #expect(throws: FerryError.self) { try Inspections.of(text) }
    #expect(failure?.location.description == place)
  }
}

@Suite struct `Files inside data` {
  @Test(arguments: [true, false])
  func `Files inside data are found with their places`(isBinary: Bool) throws {
    let people = try Conversion(to: .archive).convert(Array(#"[{"a": 1}]"#.utf8)).bytes
    let png: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
    let value: Value = [
      "state": ["window": .data(people)], "icons": [.data([0]), .data(png)], "text": .data(Array("{}".utf8)),
    ]
    let blobs = try Inspections.of(isBinary ? PropertyLists.binary(value) : PropertyLists.xml(value)).blobs
    #expect(
      blobs.first.map { "\($0.kind) \($0.path) \($0.byteCount)" }.sorted()
        == [
          "archive state.window \(people.count)", "json text 2", "png icons[1] 8",
        ].filter { !isBinary || !$0.hasPrefix("json") })
    #expect(blobs.first.allSatisfy { ($0.location.byte != nil) == isBinary })
  }

  @Test(arguments: [false, true])
  func `Files inside data are inspected on request, as deep as they go`(isBinary: Bool) throws {
    func write(_ value: Value) throws -> [UInt8] {
      try isBinary ? PropertyLists.binary(value) : PropertyLists.xml(value)
    }
    let people = try Conversion(to: .archive).convert(Array(#"[{"a": 1}]"#.utf8)).bytes
    let outer = try write([
      "one": .data(write(["two": .data(people)])), "bad": .data(Array(people.dropLast())),
    ])
    func inspection(_ budget: Budget = Budget()) throws -> Inspection {
      try Inspection(reading: MemoryInput(outer), budget: budget, expands: true)
    }
    let found = try inspection()
    let one = try #require(found.blobs.first.first { $0.path.description == "one" }?.inspection)
    #expect(one.format == (isBinary ? .binaryPropertyList : .xmlPropertyList))
    let two = try #require(one.blobs.first.first?.inspection)
    #expect(two.format == .archive && two.archive?.archiver == "NSKeyedArchiver")
    #expect(two.archive?.classes.first?.name == "NSArray" || two.archive?.classes.count == 2)
    #expect(found.warnings.counts[.brokenNestedFile] == 1)
    var summary = Inspection.Summary()
    summary.add(found)
    #expect(summary.nestedFiles == 2 && summary.archivers["NSKeyedArchiver"] == 1 && summary.fileCount == 1)
    var shallow = Budget()
    shallow.nesting = 1
    #expect(
      try inspection(shallow).blobs.first.compactMap(\.inspection).allSatisfy { inner in
        inner.blobs.first.allSatisfy { $0.inspection == nil }
      })
    #expect(try Inspections.of(outer).blobs.first.allSatisfy { $0.inspection == nil })
    try Damage(to: outer, change: .flipping([0x41])).check(prefixes: .readOrRefused) { bytes in
      _ = try Inspection(reading: MemoryInput(bytes), expands: true)
    }
  }

  @Test func `Deep JSON in data is inspected with the depth of the file`() throws {
    let json = String(repeating: "[", count: 600) + String(repeating: "]", count: 600)
    let outer = try PropertyLists.binary(["a": .data(Array(json.utf8))])
    var budget = Budget()
    let refused = try Inspection(reading: MemoryInput(outer), budget: budget, expands: true)
    #expect(refused.blobs.counts[.json] == 1 && refused.warnings.counts[.brokenNestedFile] == 1)
    budget.depth = 1000
    let found = try Inspection(reading: MemoryInput(outer), budget: budget, expands: true)
    #expect(found.blobs.first.first?.inspection?.format == .json && found.warnings.isEmpty)
  }

  @Test func `Files inside data are recognized by their content`() throws {
    let kinds: [(FileKind?, [UInt8])] = [
      (.binaryPropertyList, try PropertyLists.binary(["a": 1])),
      (.xmlPropertyList, try PropertyLists.xml(["a": 1])),
      (.archive, try PropertyLists.binary(Archived.stored(["x"]))),
      (.xmlArchive, try PropertyLists.xml(Archived.stored(["x"]))),
      (.json, Array("[1]".utf8)), (nil, Array("[1".utf8)), (nil, Array("<a>".utf8)),
      (.xml, Array("<?xml version='1.0'?><a/>".utf8)), (.typedstream, Array("\u{4}\u{b}streamtyped".utf8)),
      (.pdf, Array("%PDF-1.4".utf8)), (nil, []), (nil, [0, 1, 2]),
      (.typedstream, Array("\u{4}\u{b}typedstream".utf8)), (nil, Array("\u{5}\u{b}streamtyped".utf8)),
      (.png, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), (.gzip, [0x1f, 0x8b, 8]),
      (nil, [0x1f, 0x8b, 9]),
      (.zip, [0x50, 0x4b, 3, 4]), (.zip, [0x50, 0x4b, 5, 6]), (.sqlite, Array("SQLite format 3\0".utf8)),
      (.webp, Array("RIFF0000WEBP".utf8)), (.tiff, [0x4d, 0x4d, 0, 0x2a]),
      (.binaryPropertyList, Array("bplist".utf8)),
      (.bookmark, Array("book".utf8) + [0, 0, 0, 0, 0, 0, 4, 0x10]),
    ]
    for (kind, bytes) in kinds { #expect(FileKind(of: bytes.span) == kind) }
  }
}

@Suite struct `Summaries of inspections` {
  @Test func `Many inspections are added up in a summary`() throws {
    var summary = Inspection.Summary()
    let array = Inspections.description("NSArray", "NSObject")
    for count in 1...3 {
      let elements = (0..<count).map { _ in Value.uid(1) }
      let archive = Archived.stored([["NS.objects": .array(elements), "$class": .uid(2)], array])
      summary.add(try Inspections.of(PropertyLists.binary(archive)))
    }
    summary.add(try Inspections.of("[1]"))
    #expect(summary.fileCount == 4)
    #expect(summary.formats[.archive] == 3)
    #expect(summary.formats[.json] == 1)
    #expect(summary.classes["NSArray"] == 3)
    #expect(summary.filesOfClass["NSArray"] == 3)
    #expect(summary.filesWithCycles == 3)
    #expect(summary.archivers["NSKeyedArchiver"] == 3)
    #expect(summary.objectCount == 9)
  }
}
