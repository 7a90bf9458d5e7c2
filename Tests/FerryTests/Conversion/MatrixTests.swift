import Testing

@testable import Ferry

/// Records of a schema, in JSON as `JSONWriter` writes it.
struct RecordSample: Sendable, CustomTestStringConvertible {
  let schema: Schema
  let json: String
  var testDescription: String { schema.name }

  static let all: [RecordSample] = [
    RecordSample(
      schema: .person,
      json:
        #"[{"firstName":"Matt","lastName":"Neuburg"},{"firstName":"Zoë & <Co>","lastName":"\"quoted\" 🎈\ttab"},{"firstName":"","lastName":" spaced "}]"#
    ),
    RecordSample(
      schema: .whatsit,
      json:
        #"[{"name":"Robot","location":"Shelf","imageKey":"1__#$!@%!#__image.png"},{"name":"Boots","location":"Hall"}]"#
    ),
    RecordSample(
      schema: .item,
      json: """
        [{"name":"Spork","dateCreated":"2014-06-01T09:30:00Z","itemKey":"K","serialNumber":"S","valueInDollars":42},\
        {"name":"Bear","dateCreated":"0001-01-01T00:00:00Z","itemKey":"L","valueInDollars":-9223372036854775808}]
        """),
    RecordSample(schema: .person, json: "[]"),
    RecordSample(schema: .everything, json: everything),
  ]

  private static let everything = """
    [{"id":"7","title":"T","when":"1999-12-31T23:59:59Z","count":18446744073709551615,"ratio":0.1,"price":2.20,"flag":true,\
    "blob":"AAEC/w==","link":"https://www.example.org/?a=1&b=2","uuid":"E621E1F8-C36C-495A-93FC-0C247A3E6E5F",\
    "tags":["a","b & c"],"numbers":[1,-2],"owner":{"name":"Ada","age":36},"friends":[{"name":"Alan"},{"name":"Grace","age":1}]},\
    {"id":"8","title":"","when":"2001-01-01T00:00:00Z","count":0,"ratio":-1.5,"price":10,"flag":false,"blob":"",\
    "link":"x:y","uuid":"00000000-0000-0000-0000-000000000000","tags":[],"numbers":[5],"owner":{"name":"B"},"friends":[]}]
    """
}

extension Schema {
  /// A field of every type.
  static let everything: Schema = {
    let person = RecordType(
      element: "owner", className: "Owner",
      fields: [RecordField("name", .string), RecordField("age", .integer, isOptional: true)])
    var friend = person
    friend.element = "friend"
    return Schema(
      name: "everything", collectionElement: "all",
      record: RecordType(
        element: "one", className: "Everything", superclasses: ["Base", "NSObject"],
        fields: [
          RecordField("id", .string, xml: .attribute("id")), RecordField("title", .string),
          RecordField("when", .date, archiveKey: "w"),
          RecordField("count", .integer), RecordField("ratio", .real), RecordField("price", .decimal),
          RecordField("flag", .boolean),
          RecordField("blob", .data), RecordField("link", .url), RecordField("uuid", .uuid),
          RecordField("tags", .list(.string, element: "tag")),
          RecordField("numbers", .list(.integer, element: "n")), RecordField("owner", .record(person)),
          RecordField("friends", .list(.record(friend), element: "friend")),
        ], encodeOrder: ["title", "owner"]))
  }()
}

@Suite struct `Conversions between all formats` {
  private func convert(_ bytes: [UInt8], from source: Format, to target: Format, _ schema: Schema) throws
    -> [UInt8]
  {
    var conversion = Conversion(to: target)
    conversion.reading.format = source
    conversion.reading.schema = schema
    let result = try conversion.convert(bytes)
    #expect(result.report.losses.counts == [], "\(source) to \(target)")
    return result.bytes
  }

  @Test(arguments: RecordSample.all, Format.ofRecords)
  func `Records of a schema are the same after any two formats`(_ sample: RecordSample, _ first: Format)
    throws
  {
    for second in Format.ofRecords {
      // A column that is INTEGER holds no more.
      let text =
        first == .sqlite || second == .sqlite
        ? sample.json.replacing("18446744073709551615", with: "9223372036854775807") : sample.json
      let json = Array((text + "\n").utf8)
      let there = try convert(json, from: .json, to: first, sample.schema)
      let further = try convert(there, from: first, to: second, sample.schema)
      // Whatever way records have come, the bytes are those of the straight way.
      #expect(try further == convert(json, from: .json, to: second, sample.schema), "\(first) to \(second)")
      let back = try convert(further, from: second, to: .json, sample.schema)
      #expect(String(decoding: back, as: UTF8.self) == text + "\n", "\(first) to \(second)")
    }
  }

  /// The formats whose scalars have types.
  private static let typed = Format.general.filter {
    // A list of records is a list also with one record.
    $0.capabilities.contains(.numbers) && (!$0.description.isListOfRecords || $0 == .jsonLines)
  }

  /// A value that every format with types can represent.
  private static let plain: Value = [
    "text": "ünï 🎈 <&>\"'\n", "": "empty key",
    "numbers": [0, -1, 255, 65536, .integer(1 << 63), 1.5, -0.25, 1e300],
    "flags": [true, false], "nested": [["a": [[], [:]]], []], "key with spaces": 1,
  ]

  @Test(arguments: typed)
  func `Plain values are the same after any two formats`(_ first: Format) throws {
    let output = MemoryOutput()
    let writer = JSONWriter(to: output)
    try Self.plain.replay(into: writer)
    try writer.finish()
    for second in Self.typed {
      var (bytes, name) = (output.bytes, "a.json")
      for target in [first, second, .json] {
        var conversion = Conversion(to: target)
        conversion.reading.matchesSchemas = false
        bytes = try conversion.convert(bytes, named: name).bytes
        // YAML has no signature, and JSON Lines with one value is that value only without its name.
        name = target == .jsonLines ? "a" : "a.\(target.description.extensions.first ?? "")"
        // JSON Lines of one value is JSON.
      }
      #expect(try Value(reading: MemoryInput(bytes)) == Self.plain, "\(first) to \(second)")
    }
  }

  @Test func `A value that a format cannot hold is reported with its path`() throws {
    let value: Value = [
      "date": .date(secondsSince2001: 0.5), "data": .data([1]), "set": .set([1]), "null": .null,
      "nan": .real(.nan),
      "single": .single(0.5), "list": [.null],
      "object": .object(ObjectValue(ObjectClass("Thing"), content: ["k": "v"])),
    ]
    let archive = try Archived.bytes(value)
    func losses(_ target: Format) throws -> Set<String> {
      Set(try Conversion(to: target).convert(archive).report.losses.listed.map { "\($0.path): \($0.kind)" })
    }
    #expect(try losses(.archive) == [])
    #expect(try losses(.xmlArchive).map { $0.split(separator: " ").last } == ["singleWidth"])
    #expect(
      try losses(.json) == [
        "date: dateAsText", "data: dataAsText", "set: setAsArray", "nan: notFinite", "single: singleWidth",
        "object: className",
      ])
    #expect(
      try losses(.xmlPropertyList) == [
        "date: dateFraction", "set: setAsArray", "null: nullLeftOut", "list[0]: nullAsText",
        "single: singleWidth",
        "object: className",
      ])
    #expect(try losses(.binaryPropertyList) == ["set: setAsArray", "object: className"])
    var strict = Conversion(to: .json)
    strict.isStrict = true
    let refusal = #expect(throws: FerryError.self) { try strict.convert(archive) }
    var counting = Conversion(to: .json)
    counting.listsLosses = false
    let counted = try counting.convert(archive).report.losses
    #expect(try counted.counts == Conversion(to: .json).convert(archive).report.losses.counts)
    #expect(counted.listed.isEmpty)
    counting.isStrict = true
    let countedRefusal = #expect(throws: FerryError.self) { try counting.convert(archive) }
    #expect(countedRefusal?.path == refusal?.path)
  }

  @Test func `Losses that are only counted are in the order in which they occur`() throws {
    let thing = ObjectValue(ObjectClass("Thing"), content: ["k": 1])
    let archive = try Archived.bytes(["number": 1, "thing": .object(thing)])
    var counting = Conversion(to: .xml)
    let listed = try counting.convert(archive).report.losses
    counting.listsLosses = false
    #expect(listed.counts.map(\.kind) == [.numberAsText, .wrapped, .className])
    #expect(try counting.convert(archive).report.losses.counts == listed.counts)
  }
}
