import Testing

@testable import Ferry

@Suite struct `Null in an optional field of an archived record` {
  private func schema(_ field: String) throws -> Schema {
    let text = #"{"ferry":1,"name":"rec","record":{"class":"R"},"fields":[{"name":"f",\#(field)}]}"#
    return try Schema(Value(reading: MemoryInput(Array(text.utf8)), named: "s.json"))
  }

  private func convert(
    _ bytes: some Collection<UInt8>, _ schema: Schema?, to target: Format, isStrict: Bool = true
  ) throws -> (bytes: [UInt8], report: Conversion.Report) {
    var conversion = Conversion(to: target)
    (conversion.reading.schema, conversion.reading.matchesSchemas) = (schema, schema != nil)
    conversion.isStrict = isStrict
    return try conversion.convert(Array(bytes))
  }

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  /// Fields of every type.
  static let fields =
    ["string", "integer", "real", "decimal", "boolean", "date", "data", "url", "uuid"].map {
      #""type":"\#($0)""#
    } + [
      #""type":"list","items":{"type":"string"}"#, #""type":"record","fields":[{"name":"a"}]"#,
      #""archiveKey":"k","alsoWrite":["old","older"]"#,
    ]

  @Test(arguments: fields, [Format.archive, .xmlArchive])
  func `Null stays null in formats that have nulls, and in the archive`(
    _ field: String, _ format: Format
  ) throws {
    let schema = try schema(#"\#(field),"optional":true"#)
    let json = #"[{"f":null},{}]"# + "\n"
    let archive = try convert(json.utf8, schema, to: format).bytes
    #expect(text(try convert(archive, schema, to: .json).bytes) == json)
    #expect(try convert(archive, schema, to: format).bytes == archive)
    let list = try convert(archive, schema, to: .binaryPropertyList).bytes
    #expect(try convert(list, schema, to: format).bytes == archive)
  }

  @Test(arguments: [Format.xml, .xmlPropertyList, .csv, .tsv])
  func `Null is reported in formats without nulls, and in tables`(_ format: Format) throws {
    let schema = try schema(#""optional":true"#)
    let archive = try convert(#"[{"f":null},{}]"#.utf8, schema, to: .archive).bytes
    let losses = try convert(archive, schema, to: format, isStrict: false).report.losses
    #expect(losses.listed.map { "\($0.kind) \($0.path)" } == ["nullLeftOut [0].f"])
  }

  @Test func `Null is a missing value of a field with a default and of a required field`() throws {
    let archive = try convert(#"[{"f":null}]"#.utf8, schema(#""optional":true"#), to: .archive).bytes
    let withDefault = try schema(#""optional":true,"default":"D""#)
    #expect(text(try convert(archive, withDefault, to: .json).bytes) == #"[{"f":"D"}]"# + "\n")
    let required = try schema(#""type":"string""#)
    let failure = #expect(throws: FerryError.self) { try convert(archive, required, to: .json) }
    #expect(failure?.reason == .record(.missingField("f", record: "rec")))
  }
}

@Suite struct `The text $null in an archived record` {
  private func convert(_ bytes: [UInt8], _ schema: Schema?, to target: Format) throws -> [UInt8] {
    var conversion = Conversion(to: target)
    (conversion.reading.schema, conversion.reading.matchesSchemas) = (schema, schema != nil)
    return try conversion.convert(bytes).bytes
  }

  @Test(
    arguments: [
      (#""type":"string""#, #""$null""#), (#""type":"url""#, #""$null""#),
      (#""type":"list","items":{"type":"url"}"#, #"["$null","http://a/"]"#),
      (#""type":"list","items":{"type":"string"}"#, #"["$null","a"]"#),
    ], [Format.archive, .xmlArchive])
  func `The text is read back, with a schema and without`(
    _ field: (type: String, value: String), _ format: Format
  ) throws {
    let text = #"{"ferry":1,"name":"rec","record":{"class":"R"},"fields":[{"name":"f",\#(field.type)}]}"#
    let schema = try Schema(Value(reading: MemoryInput(Array(text.utf8)), named: "s.json"))
    let json = #"[{"f":\#(field.value)}]"# + "\n"
    let archive = try convert(Array(json.utf8), schema, to: format)
    for reading in [schema, nil] {
      #expect(String(decoding: try convert(archive, reading, to: .json), as: UTF8.self) == json)
    }
    #expect(try convert(archive, schema, to: format) == archive)
  }
}
