import TestSupport
import Testing

@testable import Ferry

/// Objects with meanings in whole archives: identities, cycles, budgets, conversions.
@Suite struct `Decoded forms in archives` {
  private static let error = ObjectClass("NSError")

  private func bytes(_ value: Value, _ catalog: ClassCatalog = .standard) throws(FerryError) -> [UInt8] {
    let output = MemoryOutput()
    let writer = ArchiveWriter(
      to: BinaryPropertyListWriter(to: output, sharing: .archiver), keyOrder: .buckets, catalog: catalog)
    try value.replay(into: writer)
    try writer.finish()
    return output.bytes
  }

  private func decodedForm(_ bytes: [UInt8], _ catalog: ClassCatalog = .standard) throws(FerryError) -> Value
  {
    let builder = ValueBuilder()
    var options = ReadingOptions()
    (options.catalog, options.decodedForms) = (catalog, .all)
    try options.read(MemoryInput(bytes), into: builder)
    return try builder.result()
  }

  private func json(_ bytes: [UInt8], _ catalog: ClassCatalog = .standard) throws -> String {
    var conversion = Conversion(to: .json)
    conversion.reading.catalog = catalog
    return String(decoding: try conversion.convert(bytes).bytes, as: UTF8.self)
  }

  private func error(_ code: Value, _ userInfo: Value, identity: Int? = nil) -> Value {
    .object(
      ObjectValue(
        Self.error, identity: identity, content: ["domain": "D", "code": code, "userInfo": userInfo]))
  }

  @Test func `An object inside its own decoded form is a reference there`() throws {
    let value = error(1, ["NSUnderlyingError": error(2, ["back": .reference(1)])], identity: 1)
    #expect(try decodedForm(bytes(value)) == value)
    #expect(
      try json(bytes(value))
        == ##"{"domain":"D","code":1,"userInfo":{"NSUnderlyingError":{"domain":"D","code":2,"userInfo":{"back":{"$ref":"#"}}}}}"##
        + "\n")
  }

  @Test func `A decoded object that occurs twice is one object and comes back as one`() throws {
    let shared = Value.object(
      ObjectValue(ObjectClass("NSFont"), identity: 2, content: ["name": "Menlo", "size": 12.0, "flags": 16]))
    let value: Value = [shared, .reference(2)]
    #expect(try decodedForm(bytes(value)) == value)
    #expect(
      try json(bytes(value))
        == #"[{"name":"Menlo","size":12.0,"flags":16},{"name":"Menlo","size":12.0,"flags":16}]"# + "\n")
  }

  @Test func `Attributes that are one object come back as one`() throws {
    let attributes = Value.object(
      ObjectValue(ObjectClass("NSDictionary"), identity: 3, content: ["k": ["v"]]))
    let value: Value = [
      .object(
        ObjectValue(
          ObjectClass("NSAttributedString"),
          content: [
            "string": "ab",
            "runs": [
              ["length": 1, "attributes": attributes], ["length": 1, "attributes": .reference(3)],
            ],
          ]))
    ]
    let raw = try Archived.raw(bytes(value))["$objects"]
    #expect(raw?[2]?["NSAttributes"] == .uid(4))
    #expect(raw?[4]?["NS.objects"] == [.uid(5)])
  }

  @Test func `A chain of decoded forms is as deep as the budget allows`() throws {
    let depth = 600
    var objects: [Value] = (0..<depth).map { index in
      ["NS.value": 1.5, "NS.unit": .uid(UInt64(index) + 2), "$class": .uid(UInt64(depth) + 2)]
    }
    objects += ["leaf", ["$classname": "NSMeasurement", "$classes": ["NSMeasurement", "NSObject"]]]
    let bytes = try Archived.file(objects)
    let conversion = Conversion(to: .json)
    #expect(try conversion.convert(bytes).bytes.count == depth * #"{"value":1.5,"unit":}"#.utf8.count + 7)
  }

  @Test func `A decoded form with many references stays within the budget`() throws {
    // 100,000 ranges of two bytes, referred to 2,000 times.
    let data: Value = .data([UInt8](repeating: 1, count: 200_000))
    let bytes = try Archived.file([
      ["NS.objects": .array([Value](repeating: .uid(2), count: 2000)), "$class": .uid(4)],
      ["NSRangeCount": 100_000, "NSRangeData": .uid(3), "$class": .uid(5)], data,
      ["$classname": "NSArray", "$classes": ["NSArray", "NSObject"]],
      ["$classname": "NSIndexSet", "$classes": ["NSIndexSet", "NSObject"]],
    ])
    var conversion = Conversion(to: .json)
    conversion.reading.budget.amplificationFloor = 1 << 16
    let limited = conversion
    #expect { try limited.convert(bytes) } throws: {
      ($0 as? FerryError)?.reason == .overBudget(.amplification(100))
    }
  }

  @Test func `Archived keys are written as they are`() throws {
    let raw = Value.object(
      ObjectValue(Self.error, content: ["NSDomain": "D", "NSCode": 4, "NSNew": true]))
    #expect(try decodedForm(bytes(raw)).sorted == raw.sorted)
  }

  @Test func `A content that is neither archived keys nor a decoded form is refused`() {
    let wrong = Value.object(ObjectValue(Self.error, content: ["domain": "D", "code": "four"]))
    let reason = FerryError.Reason.archive(
      .noDecodedForm(
        of: "NSError", parts: ["domain", "code", "userInfo"], fault: #""code" is not an integer"#))
    #expect(throws: FerryError(reason, at: InputLocation(object: 1))) { try bytes(wrong) }
  }

  @Test func `A class with only a name gets the superclasses of Foundation`() throws {
    let type = ObjectClass(name: "NSMutableIndexSet", chain: [])
    let raw = try Archived.raw(bytes(.object(ObjectValue(type, content: []))))
    #expect(raw["$objects"]?[2]?["$classes"] == ["NSMutableIndexSet", "NSIndexSet", "NSObject"])
  }

  @Test func `A decimal becomes an NSDecimalNumber and comes back with its digits`() throws {
    let text = #"{"a":2.20,"b":-0.00,"c":12345678901234567890.123456789,"d":0.1,"e":7}"# + "\n"
    let archive = try Conversion(to: .archive).convert(Array(text.utf8))
    guard case .object(let decimal)? = try Archived.value(archive.bytes)["c"] else {
      Issue.record("no object")
      return
    }
    #expect(decimal.type == .decimalNumber)
    #expect(decimal.content == .number("12345678901234567890.123456789"))
    // There is no −0 among decimals.
    #expect(archive.report.losses.counts.map(\.kind) == [.numberNotation])
    #expect(try json(archive.bytes) == text.replacing("-0.00", with: "-0.0"))
  }

  @Test func `A decimal of a schema is archived as an NSDecimalNumber and read from every kind of number`()
    throws
  {
    let schema = Schema(
      name: "price", collectionElement: "prices",
      record: RecordType(element: "price", className: "Price", fields: [RecordField("amount", .decimal)]))
    var conversion = Conversion(to: .archive)
    conversion.reading.schema = schema
    let text = #"[{"amount":2.20},{"amount":7},{"amount":0.1},{"amount":1e400}]"# + "\n"
    let archive = try conversion.convert(Array(text.utf8)).bytes
    let amounts = try (0..<4).map { try Archived.value(archive)[$0]?["amount"] }
    #expect(amounts[0] == .object(ObjectValue(.decimalNumber, content: .number("2.20"))))
    #expect(amounts[1] == .object(ObjectValue(.decimalNumber, content: 7)))
    #expect(amounts[2] == .object(ObjectValue(.decimalNumber, content: 0.1)))
    #expect(amounts[3] == "1e400")
    conversion.writing.format = .json
    #expect(try String(decoding: conversion.convert(archive).bytes, as: UTF8.self) == text)
    let price = ObjectClass("Price")
    let older: Value = [
      .object(ObjectValue(price, content: ["amount": "2.20"])),
      .object(ObjectValue(price, content: ["amount": 7])),
      .object(ObjectValue(price, content: ["amount": 0.1])),
      .object(ObjectValue(price, content: ["amount": "1e400"])),
    ]
    #expect(try String(decoding: conversion.convert(bytes(older)).bytes, as: UTF8.self) == text)
  }

  @Test func `A class of a schema keeps its keys for the schema`() throws {
    let schema = Schema(
      name: "query", collectionElement: "queries",
      record: RecordType(
        element: "query", className: "NSURLQueryItem",
        fields: [
          RecordField("key", .string, archiveKey: "NS.name"),
          RecordField("text", .string, archiveKey: "NS.value"),
        ]))
    var conversion = Conversion(to: .json)
    conversion.reading.schema = schema
    let item = Value.object(
      ObjectValue(ObjectClass("NSURLQueryItem"), content: ["name": "q", "value": "v"]))
    #expect(
      try String(decoding: conversion.convert(bytes([item])).bytes, as: UTF8.self)
        == #"[{"key":"q","text":"v"}]"# + "\n")
  }

  @Test func `Decoded forms with any byte missing or changed are read or refused`() throws {
    let values = ClassSample.all.map { sample in
      Value.object(ObjectValue(ObjectClass(sample.names[0]), content: sample.decodedForm))
    }
    let archived = try bytes(.array(values))
    let lengths = Array(stride(from: 0, to: archived.count, by: 61))
    for (first, mask) in [(0, 0x01), (3, 0x80)] as [(Int, UInt8)] {
      let offsets = Array(stride(from: first, to: archived.count, by: 6))
      try Damage(to: archived, lengths: lengths, offsets: offsets, change: .flipping([mask])).check { bytes in
        _ = try decodedForm(bytes)
      }
    }
  }
}

@Suite struct `Classes of one's own` {
  private let file: Value = [
    "ferry": 1,
    "classes": [
      [
        "class": "MyPoint", "superclasses": ["Base", "NSObject"], "aliases": ["App.MyPoint"],
        "fields": [
          ["name": "x", "archiveKey": "px", "type": "real"],
          ["name": "y", "archiveKey": "py", "type": "real"],
          ["name": "label", "type": "string", "optional": true],
        ],
      ],
      ["class": "MyTag", "value": "tag"],
      ["class": "MyLink", "value": ["archiveKey": "link", "type": "url"]],
    ],
  ]

  private func archive(_ type: ObjectClass, _ keys: [ArchivedEntry]) throws(FerryError) -> [UInt8] {
    let output = MemoryOutput()
    let writer = ArchiveWriter(
      to: BinaryPropertyListWriter(to: output, sharing: .archiver), keyOrder: .buckets)
    try writer.finish(with: keys, of: type)
    return output.bytes
  }

  private func json(_ bytes: [UInt8]) throws -> String {
    var conversion = Conversion(to: .json)
    conversion.reading.catalog = ClassCatalog.standard.adding(try ClassCatalog(classesIn: file))
    return String(decoding: try conversion.convert(bytes).bytes, as: UTF8.self)
  }

  @Test func `Fields of a described class are shown as parts, and a single key as a value`() throws {
    let point = ObjectClass("MyPoint", "Base")
    let keys = [
      ArchivedEntry(key: "px", value: 1.5, isInline: true),
      ArchivedEntry(key: "py", value: 2.0, isInline: true),
    ]
    #expect(try json(archive(point, keys)) == #"{"x":1.5,"y":2.0}"# + "\n")
    #expect(try json(archive(ObjectClass("App.MyPoint"), keys)) == #"{"x":1.5,"y":2.0}"# + "\n")
    #expect(
      try json(archive(point, keys + [ArchivedEntry(key: "label", value: "home")]))
        == #"{"x":1.5,"y":2.0,"label":"home"}"# + "\n")
    #expect(try json(archive(ObjectClass("MyTag"), [ArchivedEntry(key: "tag", value: "t")])) == "\"t\"\n")
    let url = Value.object(ObjectValue(.url, content: "https://a.org/"))
    #expect(
      try json(archive(ObjectClass("MyLink"), [ArchivedEntry(key: "link", value: url)]))
        == "\"https://a.org/\"\n")
  }

  @Test func `An object that its description does not fit keeps its keys`() throws {
    let point = ObjectClass("MyPoint", "Base")
    let one = ArchivedEntry(key: "px", value: 1.5, isInline: true)
    #expect(try json(archive(point, [one])) == #"{"px":1.5}"# + "\n")
    let more = [
      one, ArchivedEntry(key: "py", value: 2.0, isInline: true), ArchivedEntry(key: "pz", value: "z"),
    ]
    #expect(try json(archive(point, more)).contains("\"px\""))
    // A dictionary would look like the object's own keys.
    let tag = [ArchivedEntry(key: "tag", value: ["k": "v"])]
    #expect(try json(archive(ObjectClass("MyTag"), tag)) == #"{"tag":{"k":"v"}}"# + "\n")
  }

  @Test func `The decoded forms of described classes become their keys again`() throws {
    let catalog = try ClassCatalog(classesIn: file)
    let point = try #require(catalog.entry(for: ObjectClass("MyPoint")))
    #expect(
      try point.archivedKeys(for: ["y": 2, "x": 1.5]) == [
        ArchivedEntry(key: "px", value: 1.5, isInline: true),
        ArchivedEntry(key: "py", value: 2.0, isInline: true),
      ])
    let link = try #require(catalog.entry(for: ObjectClass("MyLink")))
    #expect(
      try link.archivedKeys(for: "https://a.org/") == [
        ArchivedEntry(key: "link", value: .object(ObjectValue(.url, content: "https://a.org/")))
      ])
    #expect(throws: FerryError.self) { try link.archivedKeys(for: "//a b") }
  }

  @Test(arguments: ArchivedField.Kind.allCases)
  func `Every type of field is read and written`(_ kind: ArchivedField.Kind) throws {
    let catalog = try ClassCatalog(classesIn: [
      "ferry": 1,
      "classes": [
        ["class": "C", "fields": [["name": "n", "archiveKey": "k", "type": .string(kind.rawValue)]]]
      ],
    ])
    let value: Value =
      switch kind {
      case .any, .list: ["a"]
      case .object, .string: "a"
      case .integer, .number: 7
      case .real: 1.5
      case .boolean: true
      case .bytes, .data: .data([1, 2])
      case .date: .date(secondsSince2001: 1)
      case .url: .object(ObjectValue(.url, content: "x:y"))
      case .uuid: .object(ObjectValue(.uuid, content: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
      case .decimal: .object(ObjectValue(.decimalNumber, content: .number("2.20")))
      case .dictionary: ["k": "v"]
      }
    let entry = try #require(catalog.entry(for: ObjectClass("C")))
    let keys = try entry.archivedKeys(for: ["n": value])
    #expect(keys.map(\.key) == ["k"])
    #expect(try entry.decodedForm(of: keys) == ["n": value])
    // What a person would write.
    switch value {
    case .object(let object): #expect(try entry.archivedKeys(for: ["n": object.content]) == keys)
    case .date: #expect(try entry.archivedKeys(for: ["n": "2001-01-01T00:00:01Z"]) == keys)
    case .data: #expect(try entry.archivedKeys(for: ["n": "AQI="]) == keys)
    default: break
    }
    guard kind != .any, kind != .object else { return }
    #expect(throws: FerryError.self) { try entry.archivedKeys(for: ["n": .set([])]) }
  }

  @Test(
    arguments: [
      (
        ["classes": []],
        "the key \"ferry\", the version of this notation, is missing (write \"ferry\": 1)", ""
      ),
      (["ferry": 1], "classes is missing", ""), (["ferry": 1, "classes": []], "classes is empty", "classes"),
      (["ferry": 1, "classes": [["fields": [["name": "x"]]]]], "class is missing", "classes[0]"),
      (["ferry": 1, "classes": [["class": "A"]]], "a class has either fields or a value", "classes[0]"),
      (
        ["ferry": 1, "classes": [["class": "A", "fields": [["name": "x", "type": "float"]]]]],
        "\"float\" is not a type; those are any, object, integer, real, boolean, bytes, string, number, date, data, url, uuid, decimal, list, dictionary",
        "classes[0].fields[0].type"
      ),
      (
        [
          "ferry": 1,
          "classes": [["class": "A", "fields": [["name": "x"], ["name": "x", "archiveKey": "y"]]]],
        ],
        "two fields are named x", "classes[0].fields[1]"
      ),
      (
        [
          "ferry": 1,
          "classes": [
            ["class": "A", "fields": [["name": "x", "archiveKey": "y"], ["name": "y", "archiveKey": "z"]]]
          ],
        ], "y is a field and the archive key of another one", "classes[0].fields[1]"
      ),
      (
        ["ferry": 1, "classes": [["class": "A", "value": "x"], ["class": "A", "value": "y"]]],
        "two classes are named A", "classes[1]"
      ),
      (
        ["ferry": 1, "classes": [["class": "A", "value": "x", "key": "y"]]],
        "\"key\" is not a key here (known: class, superclasses, aliases, fields, value)",
        "classes[0].key"
      ),
    ] as [(Value, String, String)])
  func `A class catalog file that cannot be used is refused with its path`(
    _ value: Value, _ why: String, _ path: String
  ) {
    do throws(FerryError) {
      _ = try ClassCatalog(classesIn: value)
      Issue.record("read")
    } catch {
      #expect(error.reason == .record(.badClasses(why)))
      #expect(error.path.description == path)
    }
  }
}
