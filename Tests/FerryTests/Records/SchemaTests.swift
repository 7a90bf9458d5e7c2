import TestSupport
import Testing

@testable import Ferry

@Suite struct `Checks of schemas` {
  private func schema(_ json: String) throws -> Schema {
    try Schema(Value(reading: MemoryInput(Array(json.utf8)), named: "s.json"))
  }

  @Test func `The person's schema as a file is the built-in one`() throws {
    let read = try schema(
      """
      { "ferry": 1, "name": "person", "collection": { "element": "people" }, "documentExtensions": ["pplgrp"],
        "record": { "element": "person", "class": "Person", "encodeOrder": ["lastName", "firstName"] },
        "fields": [ { "name": "firstName", "type": "string", "archiveKey": "first" },
                    { "name": "lastName",  "type": "string", "archiveKey": "last" } ] }
      """)
    #expect(read == .person)
  }

  @Test func `A schema may be in any format`() throws {
    let json = Array(
      #"{"ferry":1,"name":"dog","record":{"class":"Dog"},"fields":[{"name":"name"},{"name":"age","type":"integer","optional":true}]}"#
        .utf8)
    let expected = try schema(String(decoding: json, as: UTF8.self))
    #expect(expected.collectionElement == "dogs")
    for target in [Format.binaryPropertyList, .xmlPropertyList, .jsonLines] {
      // The lines of a conversion would be the fields.
      let bytes = target == .jsonLines ? json + [0x0a] : try Conversion(to: target).convert(json).bytes
      #expect(try Schema(Value(reading: MemoryInput(bytes))) == expected)
    }
  }

  @Test(arguments: [
    (#"{"name":"x","fields":[{"name":"a"}]}"#, "", "the version of this notation"),
    (#"{"ferry":2,"name":"x","fields":[{"name":"a"}]}"#, "", "the version of this notation"),
    (#"{"ferry":1,"fields":[{"name":"a"}]}"#, "", "name is missing"),
    (#"{"ferry":1,"name":"","fields":[{"name":"a"}]}"#, "name", "name is empty"),
    (#"{"ferry":1,"name":"x","fields":[{"name":""}]}"#, "fields[0].name", "name is empty"),
    (#"{"ferry":1,"name":7,"fields":[{"name":"a"}]}"#, "name", "name is not a string"),
    (#"{"ferry":1,"name":"x"}"#, "", "fields is missing"),
    (#"{"ferry":1,"name":"x","fields":[]}"#, "fields", "fields is empty"),
    (#"{"ferry":1,"name":"x","feilds":[]}"#, "feilds", #""feilds" is not a key here"#),
    (#"{"ferry":1,"name":"x","fields":[{"name":"a"},{"name":"a"}]}"#, "fields[1]", "two fields are named a"),
    (#"{"ferry":1,"name":"x","fields":[{"name":"a","type":"colour"}]}"#, "fields[0].type", "is not a type"),
    (#"{"ferry":1,"name":"x","fields":[{"name":"a","type":"list"}]}"#, "fields[0]", "a list needs its items"),
    (
      #"{"ferry":1,"name":"x","fields":[{"name":"a","optional":"maybe"}]}"#, "fields[0].optional",
      "is not true or false"
    ),
    (
      #"{"ferry":1,"name":"x","record":{"encodeOrder":["b"]},"fields":[{"name":"a"}]}"#, "record.encodeOrder",
      "encodeOrder names b"
    ),
    (
      #"{"ferry":1,"name":"x","fields":[{"name":"a","xml":"@b"},{"name":"b","xml":"@b"}]}"#, "fields[1]",
      "the same element or attribute of XML"
    ),
    (
      #"{"ferry":1,"name":"x","fields":[{"name":"a","archiveKey":"k"},{"name":"b","archiveKey":"k"}]}"#,
      "fields[1]",
      "the archive key k"
    ),
    (
      #"{"ferry":1,"name":"x","fields":[{"name":"a","type":"date","default":"soon"}]}"#, "fields[0].default",
      #"expected a date such as 2014-06-01T09:30:00Z in the field a, found "soon""#
    ),
    (
      #"{"ferry":1,"name":"x","fields":[{"name":"a","type":"list","items":{"type":"integer"},"default":[1.5]}]}"#,
      "fields[0].default", "expected an integer in the field a, found 1.5"
    ),
    (
      #"{"ferry":1,"name":"x","fields":[{"name":"a","xml":"no name"}]}"#, "fields[0].xml",
      "cannot be the name"
    ),
    (
      #"{"ferry":1,"name":"no name","record":{"class":"C"},"fields":[{"name":"a"}]}"#, "name",
      "cannot be the name"
    ),
  ])
  func `An invalid schema is refused with the path of the problem`(
    _ json: String, _ path: String, _ words: String
  ) throws {
    let failure = #expect(throws: FerryError.self) { try schema(json) }
    #expect(failure?.path.description == path)
    #expect(failure?.message.contains(words) == true, "\(failure?.message ?? "")")
  }

  @Test func `An unknown name in a schema is refused with the known names`() {
    let failure = #expect(throws: FerryError.self) { try Schema(named: "persons") }
    #expect(failure?.message.contains("person, whatsit, item") == true)
  }

  @Test func `Many fields have the same keys as few`() {
    let fields = (0..<40).map { number in
      RecordField("f\(number)", .string, archiveKey: "k\(number)", aliases: ["old\(number)", "f0"])
    }
    let few = RecordType(element: "r", className: "R", fields: Array(fields.prefix(8)))
    var many = RecordType(element: "r", className: "R", fields: [])
    many.fields = fields
    for key in ["f3", "k3", "old3", "f0", "x", "\u{FFFD}"] {
      let text = key.utf8.span
      for usesArchiveKeys in [false, true] {
        let expected = few.match(text, usesArchiveKeys: usesArchiveKeys)
        let found = many.match(text, usesArchiveKeys: usesArchiveKeys)
        #expect(found?.field == expected?.field && found?.age == expected?.age, "\(key)")
      }
    }
  }

  @Test func `Records with many fields are written as XML in time in proportion to their fields`() throws {
    try expectGrowth(from: 500, to: 4_000, lessThan: 24) { count in
      let fields = (0..<count).map { #"{"name":"f\#($0)","type":"integer"}"# }.joined(separator: ",")
      var conversion = Conversion(to: .xml)
      conversion.reading.schema = try schema(#"{"ferry":1,"name":"p","fields":[\#(fields)]}"#)
      let record = "{\((0..<count).map { #""f\#($0)":1"# }.joined(separator: ","))}"
      let records = Array("[\([String](repeating: record, count: 10).joined(separator: ","))]".utf8)
      let written = conversion
      return try processorTime { _ = try written.convert(records, named: "a.json") }
    }
  }

  @Test func `A check counts all records of a document, also those that break the schema`() throws {
    let schema = try schema(
      #"{"ferry":1,"name":"p","collection":{"element":"ps","key":"ps"},"fields":[{"name":"n","type":"integer"}]}"#
    )
    let check = SchemaCheck(schema)
    let list = #"[{"n":1},{"n":"x"},{"n":3,"m":4}]"#
    let documents: [(String, String, Int)] = [
      (list, "a.json", 3), (#"{"ps":\#(list)}"#, "a.json", 3), ("n\n1\nx\n", "a.csv", 2),
      ("<ps><p><n>1</n></p><p><n>x</n></p><p><n>3</n><m/></p></ps>", "a.xml", 3), (#"{"n":1}"#, "a.json", 1),
      ("[]", "a.json", 0), (#"{"n":1}"# + "\n" + #"{"n":"x"}"# + "\n", "a.jsonl", 2),
    ]
    for (text, name, count) in documents {
      let report = try check.report(on: MemoryInput(Array(text.utf8)), named: name)
      #expect(report.recordCount == count, "\(text)")
    }
    var conversion = Conversion(to: .archive)
    conversion.reading.schema = schema
    let archive = try conversion.convert(Array(#"[{"n":1},{"n":2}]"#.utf8), named: "a.json").bytes
    #expect(try check.report(on: MemoryInput(archive)).recordCount == 2)
  }

  @Test func `A check counts records that cannot be read, and their indices`() throws {
    let schema = try schema(
      #"{"ferry":1,"name":"p","fields":[{"name":"a"},{"name":"n","type":"integer"}]}"#)
    let check = SchemaCheck(schema)
    let lines = "{\"a\":\"x\",\"n\":1}\n{\"a\":\"x\",\"n\":k}\n{\"a\":\"y\",\"n\":\"z\",\"m\":0}\n"
    let documents: [(String, String)] = [
      (lines, "a.jsonl"), ("a,n\nx,1\nx,2,3\ny,z\n", "a.csv"),
      ("--- {a: x, n: 1}\n--- {a: x, n: [}\n--- {a: y, n: z, m: 0}\n", "a.yaml"),
    ]
    for (text, name) in documents where name != "a.yaml" || PackageTraits.hasYAML {
      let report = try check.report(on: MemoryInput(Array(text.utf8)), named: name)
      #expect(report.recordCount == 3 && report.errors.count == 2, "\(name): \(report)")
      #expect(report.errors.last?.path.description == "[2].n", "\(name): \(report.errors)")
      if name != "a.csv" { #expect(report.undeclaredKeys.map(\.description) == ["[2].m"], "\(name)") }
    }
    var options = ReadingOptions()
    options.csv.columnNames = ["a", "n"]
    options.csv.hasHeader = false
    let long = try SchemaCheck(schema, options).report(on: MemoryInput(Array("x,1,2\n".utf8)), named: "a.csv")
    #expect(long.recordCount == 1 && long.errors.count == 1)
  }

  @Test func `A check counts the attributes and the text that belong to no record`() throws {
    let check = SchemaCheck(try schema(#"{"ferry":1,"name":"p","fields":[{"name":"a"}]}"#))
    let text = "<ps x='1'><p><a u='1'>i</a></p> stray </ps>"
    let report = try check.report(on: MemoryInput(Array(text.utf8)), named: "a.xml")
    #expect(report.errors.isEmpty && report.undeclaredCount == 0)
    #expect(report.leftOut.map(\.kind) == [.otherAttribute, .otherText])
    #expect(report.leftOut.map(\.count) == [2, 1])
  }

  @Test func `A check names the keys that the schema does not describe also in records that break it`() throws
  {
    let check = SchemaCheck(
      try schema(
        """
        {"ferry":1,"name":"p","fields":[{"name":"a"},{"name":"n","type":"integer"},
         {"name":"q","optional":true,"type":"record","fields":[{"name":"b"},{"name":"c","type":"integer"}]}]}
        """))
    for (record, paths) in [
      (#"{"a":"x","zz":1}"#, ["[0].zz"]), (#"{"a":"x","zz":1,"n":"y"}"#, ["[0].zz"]),
      (#"{"a":"x","a":"y","zz":1,"n":1}"#, ["[0].zz"]),
      (#"{"a":"x","n":1,"q":{"zz":1,"b":"x"}}"#, ["[0].q.zz"]),
      (#"{"a":"x","n":1,"q":{"zz":1,"b":"x","c":"y"}}"#, ["[0].q.zz"]),
    ] {
      let report = try check.report(on: MemoryInput(Array("[\(record)]".utf8)), named: "a.json")
      #expect(report.errors.count == 1 && report.undeclaredKeys.map(\.description) == paths, "\(record)")
    }
  }
}
