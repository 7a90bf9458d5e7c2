import TestSupport
import Testing

@testable import Ferry

@Suite struct `Records of older versions` {
  private static let head = #""ferry":1,"name":"thing","version":3,"versionField":{"key":"v"},"#

  private func schema(_ rest: String) throws -> Schema {
    try Schema(Value(reading: MemoryInput(Array("{\(Self.head)\(rest)}".utf8)), named: "s.json"))
  }

  /// A schema of one field `f`, with a rule for version 1.
  private func schema(type: String, rule: String) throws -> Schema {
    try schema(
      #""fields":[{"name":"f","optional":true,"items":{},"type":"\#(type)"}],"versions":{"1":{"fields":[\#(rule)]}}"#
    )
  }

  private func convert(
    _ text: String, _ schema: Schema, to target: Format = .json,
    _ change: (inout Conversion) -> Void = { _ in }
  ) throws -> (text: String, losses: Losses) {
    var conversion = Conversion(to: target)
    conversion.reading.schema = schema
    change(&conversion)
    let result = try conversion.convert(Array(text.utf8))
    return (String(decoding: result.bytes, as: UTF8.self), result.report.losses)
  }

  @Test(arguments: [
    // A renamed key.
    ("string", #"{"name":"f","from":"g"}"#, #"{"g":"x"}"#, #""f":"x""#),
    // A changed type.
    ("decimal", #"{"name":"f","from":"f","type":"string"}"#, #"{"f":"12.50"}"#, #""f":12.50"#),
    ("integer", #"{"name":"f","from":"f","type":"string"}"#, #"{"f":"-7"}"#, #""f":-7"#),
    ("integer", #"{"name":"f","from":"f","type":"real"}"#, #"{"f":3.0}"#, #""f":3"#),
    ("integer", #"{"name":"f","from":"f","type":"boolean"}"#, #"{"f":true}"#, #""f":1"#),
    ("real", #"{"name":"f","from":"f","type":"integer"}"#, #"{"f":3}"#, #""f":3.0"#),
    ("boolean", #"{"name":"f","from":"f","type":"integer"}"#, #"{"f":0}"#, #""f":false"#),
    ("boolean", #"{"name":"f","from":"f","type":"string"}"#, #"{"f":"YES"}"#, #""f":true"#),
    ("string", #"{"name":"f","from":"f","type":"integer"}"#, #"{"f":5}"#, #""f":"5""#),
    (
      "date", #"{"name":"f","from":"f","type":"string"}"#, #"{"f":"2020-01-02"}"#,
      #""f":"2020-01-02T00:00:00Z""#
    ),
    ("url", #"{"name":"f","from":"f","type":"string"}"#, #"{"f":"a:b"}"#, #""f":"a:b""#),
    // Another unit.
    ("decimal", #"{"name":"f","from":"c","type":"integer","divide":100}"#, #"{"c":5}"#, #""f":0.05"#),
    ("decimal", #"{"name":"f","from":"c","divide":8}"#, #"{"c":-1}"#, #""f":-0.125"#),
    ("integer", #"{"name":"f","from":"m","type":"integer","multiply":60}"#, #"{"m":2}"#, #""f":120"#),
    ("real", #"{"name":"f","from":"m","type":"real","divide":1000}"#, #"{"m":250}"#, #""f":0.25"#),
    ("date", #"{"name":"f","from":"t","since":1970}"#, #"{"t":86400.5}"#, #""f":"1970-01-02T00:00:00.5Z""#),
    (
      "date", #"{"name":"f","from":"t","divide":1000,"since":2001}"#, #"{"t":500}"#,
      #""f":"2001-01-01T00:00:00.5Z""#
    ),
    // Another word.
    (
      "string", #"{"name":"f","from":"k","type":"integer","map":{"0":"low","1":"high"}}"#, #"{"k":1}"#,
      #""f":"high""#
    ),
    ("integer", #"{"name":"f","from":"k","map":{"low":"0","high":"9"}}"#, #"{"k":"high"}"#, #""f":9"#),
    // Split and joined.
    ("string", #"{"name":"f","from":"n","before":" "}"#, #"{"n":"a b c"}"#, #""f":"a""#),
    ("string", #"{"name":"f","from":"n","after":" "}"#, #"{"n":"a b c"}"#, #""f":"b c""#),
    ("string", #"{"name":"f","from":"n","beforeLast":" "}"#, #"{"n":"a b c"}"#, #""f":"a b""#),
    ("string", #"{"name":"f","from":"n","afterLast":" "}"#, #"{"n":"a b c"}"#, #""f":"c""#),
    ("string", #"{"name":"f","from":"n","after":" ","default":"none"}"#, #"{"n":"a"}"#, #""f":"none""#),
    ("string", #"{"name":"f","from":["a","b"],"join":", "}"#, #"{"b":"2","a":"1"}"#, #""f":"1, 2""#),
    ("string", #"{"name":"f","from":["a","b"],"join":", "}"#, #"{"b":"2"}"#, #""f":"2""#),
    ("list", #"{"name":"f","from":"n","split":","}"#, #"{"n":"a,b,"}"#, #""f":["a","b",""]"#),
    ("list", #"{"name":"f","from":"n","split":","}"#, #"{"n":""}"#, #""f":[]"#),
    // One that became several.
    ("list", #"{"name":"f","from":"n","type":"string"}"#, #"{"n":"a"}"#, #""f":["a"]"#),
    // A default of that version only.
    ("string", #"{"name":"f","default":"d"}"#, #"{}"#, #""f":"d""#),
    // A value under the current key to which the rule does not apply is a current value.
    ("string", #"{"name":"f","from":"g"}"#, #"{"f":"new","g":"old"}"#, #""f":"new""#),
  ])
  func `Records of older versions become records of today`(
    _ type: String, _ rule: String, _ old: String, _ new: String
  ) throws {
    let schema = try schema(type: type, rule: rule)
    let json = try convert("[\(old)]", schema).text
    #expect(json.contains(new), "\(json)")
    #expect(json.contains(#""v":3"#))
    // Through an archive of the same keys, and back.
    var plain = Conversion(to: .archive)
    plain.reading.matchesSchemas = false
    let archive = try plain.convert(Array("[\(old)]".utf8)).bytes
    var conversion = Conversion(to: .json)
    conversion.reading.schema = schema
    #expect(String(decoding: try conversion.convert(archive).bytes, as: UTF8.self).contains(new))
  }

  @Test(arguments: [
    (#"{"name":"f","from":"n","before":" "}"#, "<n>a b c</n>", #""f":"a""#, "string"),
    (#"{"name":"f","from":"c","type":"integer","divide":100}"#, "<c> 5 </c>", #""f":0.05"#, "decimal"),
    (#"{"name":"f","from":"n","type":"string"}"#, "<n>a</n>", #""f":["a"]"#, "list"),
    (
      #"{"name":"f","from":"n","type":"list","items":{"element":"m"}}"#, "<n><m>1</m><m>2</m></n>",
      #""f":["1","2"]"#, "list"
    ),
    // The element of the list in today's records.
    (#"{"name":"f","from":"f","split":","}"#, "<f>a,b</f>", #""f":["a","b"]"#, "list"),
    (
      #"{"name":"f","from":"f","split":","}"#, "<f><![CDATA[a]]>,<!-- no value -->b</f>", #""f":["a","b"]"#,
      "list"
    ),
    (#"{"name":"f","from":"f","split":","}"#, "<f/>", #""f":[]"#, "list"),
    (#"{"name":"f","from":"f","type":"string"}"#, "<f>a</f>", #""f":["a"]"#, "list"),
  ])
  func `Records of older versions come from XML`(_ rule: String, _ xml: String, _ new: String, _ type: String)
    throws
  {
    let schema = try schema(type: type, rule: rule)
    #expect(try convert("<things><thing>\(xml)</thing></things>", schema).text.contains(new))
  }

  @Test func `A list that was a text in an older version is one in records of today`() throws {
    let schema = try schema(type: "list", rule: #"{"name":"f","from":"f","split":","}"#)
    for (xml, new) in [
      ("<v>3</v><f><item>a</item><item>b</item></f>", #"["a","b"]"#), ("<v>3</v><f/>", "[]"),
      ("<v>3</v><f> <item>a</item></f>", #"["a"]"#),
    ] {
      let result = try convert("<things><thing>\(xml)</thing></things>", schema).text
      #expect(result == #"[{"v":3,"f":\#(new)}]"# + "\n")
    }
  }

  @Test func `A rule takes an element without text for a missing value, like null in JSON`() throws {
    let schema = try schema(
      type: "integer", rule: #"{"name":"f","from":"g","type":"integer","default":7}"#)
    for text in [#"[{"g":null}]"#, "<things><thing><g/></thing></things>"] {
      #expect(try convert(text, schema).text == #"[{"v":3,"f":7}]"# + "\n", "\(text)")
    }
  }

  @Test func `Records of older versions come from the attributes of XML`() throws {
    let schema = try schema(type: "string", rule: #"{"name":"f","from":"old"}"#)
    let result = try convert(#"<things><thing old="x" other="y"/></things>"#, schema).text
    #expect(result == #"[{"v":3,"f":"x","@other":"y"}]"# + "\n")
  }

  @Test func `Several versions can share their rules, and others have none`() throws {
    let schema = try schema(
      #""fields":[{"name":"f"}],"versions":{"1-2":{"fields":[{"name":"f","from":"g"}],"removed":["junk"]}}"#)
    let old = #"[{"g":"a","junk":1},{"v":2,"g":"b","more":2},{"v":3,"f":"c","junk":3}]"#
    #expect(
      try convert(old, schema).text == #"[{"v":3,"f":"a"},{"v":3,"f":"b","more":2},{"v":3,"f":"c","junk":3}]"#
        + "\n")
  }

  @Test func `Records inside records follow the version around them, or their own`() throws {
    let schema = try schema(
      #"""
      "fields":[{"name":"a","type":"record","record":{"element":"a"},"fields":[{"name":"f"}],"version":3,
        "versions":{"1":{"fields":[{"name":"f","from":"g"}]}}},
        {"name":"list","type":"list","optional":true,"items":{"type":"record","record":{"element":"b"},
        "fields":[{"name":"f"}],"version":2,"versionField":{"key":"w"},
        "versions":{"1":{"fields":[{"name":"f","from":"h"}]}}}}]
      """#)
    let old = #"[{"v":1,"a":{"g":"x"},"list":[{"w":1,"h":"y"},{"w":2,"f":"z","h":"kept"}]}]"#
    #expect(
      try convert(old, schema).text
        == #"[{"v":3,"a":{"f":"x"},"list":[{"w":2,"f":"y"},{"w":2,"f":"z","h":"kept"}]}]"# + "\n")
  }

  @Test func `An invalid value of an older record is refused with its path`() throws {
    let schema = try schema(type: "integer", rule: #"{"name":"f","from":"g","type":"string"}"#)
    for text in ["1.5", "x", "", "1e30"] {
      let failure = #expect(throws: FerryError.self) { try convert(#"[{"g":"\#(text)"}]"#, schema) }
      #expect(failure?.path.description == "[0].f")
      #expect(
        failure?.message.contains("expected an integer in the field") == true, "\(failure?.message ?? "")")
    }
    let third = try self.schema(type: "decimal", rule: #"{"name":"f","from":"g","divide":3}"#)
    #expect(try convert(#"[{"g":6}]"#, third).text.contains(#""f":2"#))
    let endless = #expect(throws: FerryError.self) { try convert(#"[{"g":10}]"#, third) }
    #expect(
      endless?.message.contains(
        "expected a number whose quotient by 3 has at most 38 digits in the field f, found 10")
        == true)
    let word = #expect(throws: FerryError.self) { try convert(#"[{"g":"x"}]"#, third) }
    #expect(word?.message.contains(#"expected a decimal number in the field f, found "x""#) == true)
    let integers = try self.schema(
      #""fields":[{"name":"f","type":"list","items":{"type":"integer"}}],"versions":{"1":{"fields":[{"name":"f","from":"g","split":","}]}}"#
    )
    let part = #expect(throws: FerryError.self) { try convert(#"[{"g":"1,2,x"}]"#, integers) }
    #expect(part?.message.contains(#"expected an integer in the field f, found "x""#) == true)
  }

  @Test(.temporaryDirectory, .enabled(if: Format.sqlite.canWrite))
  func `Lists that rules and defaults make from a row of a database are lists in a new table`() throws {
    let schema = try schema(
      #""fields":[{"name":"f","type":"list","items":{}},{"name":"d","type":"list","items":{},"default":["x"]}],"versions":{"1":{"fields":[{"name":"f","from":"g","split":","}]}}"#
    )
    let path = try makeDatabase("old.db", "CREATE TABLE things (g)", "INSERT INTO things VALUES ('1,2')")
    for target in [Format.sqlite, .csv] {
      var conversion = Conversion(to: target)
      conversion.reading.schema = schema
      let output = MemoryOutput()
      let report = try conversion.convert(FileInput(path: path), to: output)
      #expect(report.losses.isEmpty)
      var back = Conversion(to: .json)
      (back.reading.schema, back.reading.format) = (schema, target)
      let json = String(decoding: try back.convert(output.bytes).bytes, as: UTF8.self)
      #expect(json.contains(#""f":["1","2"]"#) && json.contains(#""d":["x"]"#), "\(json)")
    }
  }

  @Test(arguments: [
    ("0", "a version from 1 on"), ("\"2\"", "a version"), ("1e3", "a version"), ("-1", "a version"),
  ])
  func `Records whose version is not a version are refused`(_ version: String, _ words: String) throws {
    let schema = try schema(#""fields":[{"name":"f"}]"#)
    let failure = #expect(throws: FerryError.self) { try convert(#"[{"v":\#(version),"f":"x"}]"#, schema) }
    #expect(failure?.message.contains(words) == true, "\(failure?.message ?? "")")
    #expect(failure?.path.description == "[0].v")
  }

  @Test func `Records of newer versions are refused with their place, or read and reported`() throws {
    let schema = try schema(#""fields":[{"name":"f"}]"#)
    let text = #"[{"v":3,"f":"x"},{"v":4,"f":"y"}]"#
    let failure = #expect(throws: FerryError.self) { try convert(text, schema) }
    #expect(failure?.reason == .record(.newerVersion(4, record: "thing", known: 3)))
    #expect(failure?.path.description == "[1]")
    let read = try convert(text, schema) { $0.readsNewerVersions = true }
    #expect(read.text == #"[{"v":3,"f":"x"},{"v":3,"f":"y"}]"# + "\n")
    #expect(read.losses.counts.map(\.kind) == [.newerVersion])
  }
}

@Suite struct `Versions of whole documents` {
  private let schema = Schema(
    name: "pet", collectionElement: "pets", collectionKey: "pets", collectionVersion: "v",
    record: RecordType(
      element: "pet", className: "Pet",
      fields: [RecordField("name", .string), RecordField("legs", .integer)],
      versions: RecordVersions(
        current: 2, absent: 1,
        rules: [VersionRules(1...1, fields: [FieldRule("legs", from: ["paws"], type: .string)])])))

  private func convert(_ bytes: [UInt8], to target: Format) throws -> [UInt8] {
    var conversion = Conversion(to: target)
    conversion.reading.schema = schema
    return try conversion.convert(bytes).bytes
  }

  @Test(.enabled(if: Format.sqlite.canWrite))
  func `Versioned records become rows of a database, which keeps the version for the way back`() throws {
    var conversion = Conversion(to: .sqlite)
    conversion.reading.schema = schema
    let written = try conversion.convert(
      Array(#"{"v":1,"theme":"x","pets":[{"name":"a","paws":"4"},{"name":"b","paws":"2"}]}"#.utf8))
    #expect(written.report.losses.listed.map { "\($0.path): \($0.kind)" } == ["theme: besideRecords"])
    #expect(try read(written.bytes) == [["name": "a", "legs": 4], ["name": "b", "legs": 2]])
    let back = try convert(written.bytes, to: .json)
    let expected = #"{"v":2,"pets":[{"name":"a","legs":4},{"name":"b","legs":2}]}"# + "\n"
    #expect(String(decoding: back, as: UTF8.self) == expected)
    // As XML, and from XML.
    let xml = try convert(written.bytes, to: .xml)
    #expect(try convert(convert(xml, to: .sqlite), to: .json) == back)
  }

  @Test(.temporaryDirectory, .enabled(if: Format.sqlite.canWrite))
  func `Versioned records are added only to a table of their version`() throws {
    let path = try makeDatabase("pets.db", "CREATE TABLE pets (name TEXT, legs INTEGER)")
    func add(_ json: String, _ schema: Schema) throws -> [Loss.Kind] {
      var conversion = Conversion(to: .sqlite)
      conversion.reading.schema = schema
      let report = try conversion.convert(
        MemoryInput(Array(json.utf8)), named: nil, to: DatabaseOutput(path: path), named: path)
      return report.losses.counts.map(\.kind)
    }
    #expect(try add(#"{"v":2,"pets":[{"name":"a","legs":4}]}"#, schema) == [])
    #expect(try add(#"{"v":1,"pets":[{"name":"b","paws":"2"}]}"#, schema) == [])
    var newer = schema
    newer.record.versions?.current = 3
    let failure = #expect(throws: FerryError.self) {
      try add(#"{"v":3,"pets":[{"name":"c","legs":1}]}"#, newer)
    }
    #expect(failure?.reason == .database(.otherVersion(table: "pets", stored: 2, added: 3)))
    #expect(try read(path) == [["name": "a", "legs": 4], ["name": "b", "legs": 2]])
    // Nothing says of which version the rows of other programs are.
    let old = try makeDatabase(
      "old.db", "CREATE TABLE pets (name TEXT, legs INTEGER)", "INSERT INTO pets VALUES ('a', 4)")
    var conversion = Conversion(to: .sqlite)
    conversion.reading.schema = schema
    let report = try conversion.convert(
      MemoryInput(Array(#"{"v":2,"pets":[]}"#.utf8)), named: nil, to: DatabaseOutput(path: old), named: old)
    #expect(report.losses.counts.map(\.kind) == [.collectionVersion])
  }

  @Test(
    .temporaryDirectory, .enabled(if: Format.sqlite.canWrite),
    arguments: [
      "CREATE TABLE \"ferry_versions\"(\"name\" TEXT, \"version\" INTEGER)",
      "create table Ferry_Versions (version TEXT, name)",
    ])
  func `Versions are found in a copy of their table with another definition`(_ definition: String) throws {
    let path = try makeDatabase(
      "pets.db", "CREATE TABLE pets (name TEXT, legs INTEGER)", "INSERT INTO pets VALUES ('a', 4)",
      definition, "INSERT INTO ferry_versions (name, version) VALUES ('pets', 2), ('Others', 1)")
    #expect(try read(path) == [["name": "a", "legs": 4]])
    var conversion = Conversion(to: .sqlite)
    conversion.reading.schema = schema
    let added = try conversion.convert(
      MemoryInput(Array(#"{"v":2,"pets":[{"name":"b","legs":2}]}"#.utf8)), named: nil,
      to: DatabaseOutput(path: path), named: path)
    #expect(added.losses.counts.isEmpty)
    let json = try convert(FileInput(path: path).readAll(), to: .json)
    let expected = #"{"v":2,"pets":[{"name":"a","legs":4},{"name":"b","legs":2}]}"# + "\n"
    #expect(String(decoding: json, as: UTF8.self) == expected)
    let stored = try SQLiteConnection(reading: path, fileSize: 1 << 14, budget: Budget())
    let rows = try stored.statement("SELECT count(*) FROM ferry_versions")
    let count = try rows.step() ? rows.integer(0) : 0
    #expect(count == 2)
  }

  @Test(arguments: [
    (#"{"v":1,"pets":[{"name":"a","paws":"4"}]}"#, #"{"v":2,"pets":[{"name":"a","legs":4}]}"#),
    // Behind the records, and among other things.
    (
      #"{"theme":["x"],"pets":[{"name":"a","paws":"4"}],"v":1}"#,
      #"{"theme":["x"],"pets":[{"name":"a","legs":4}],"v":2}"#
    ),
    (
      #"{"v":2,"pets":[{"name":"a","legs":4,"paws":"5"}]}"#,
      #"{"v":2,"pets":[{"name":"a","legs":4,"paws":"5"}]}"#
    ),
    // Without a version, and without the dictionary.
    (#"{"pets":[{"name":"a","paws":"4"}]}"#, #"{"v":2,"pets":[{"name":"a","legs":4}]}"#),
    (#"[{"name":"a","paws":"4"}]"#, #"{"v":2,"pets":[{"name":"a","legs":4}]}"#),
    ("[]", #"{"v":2,"pets":[]}"#),
    // A record alone.
    (#"{"name":"a","legs":4}"#, #"{"name":"a","legs":4}"#),
    (
      #"<pets v="1"><pet><name>a</name><paws>4</paws></pet></pets>"#,
      #"{"v":2,"pets":[{"name":"a","legs":4}]}"#
    ),
    (
      #"<pets v="2"><pet><name>a</name><legs>4</legs></pet></pets>"#,
      #"{"v":2,"pets":[{"name":"a","legs":4}]}"#
    ),
  ])
  func `Versioned collections are read and written in every format`(_ old: String, _ new: String) throws {
    let json = try convert(Array(old.utf8), to: .json)
    #expect(String(decoding: json, as: UTF8.self) == new + "\n")
    for format in [Format.xml, .xmlPropertyList, .binaryPropertyList, .archive, .xmlArchive]
    where !new.contains("theme") {
      let back = try Value(reading: MemoryInput(convert(convert(Array(old.utf8), to: format), to: .json)))
      #expect(back.isSame(as: try Value(reading: MemoryInput(json))), "\(format)")
    }
  }

  @Test(arguments: [
    (#"{"v":3,"pets":[{"name":"a","legs":4}]}"#, "has version 3", "pets[0]"),
    (#"{"v":"x","pets":[]}"#, "a version from 1 on", "v"),
    (#"{"v":2,"pets":[{"name":"a"}]}"#, "no legs", "pets[0]"),
    (#"{"v":2,"pets":7}"#, "expected a pet, found 7", "pets"), ("7", "expected a pet", ""),
    ("{}", "has no name", ""),
  ])
  func `Versioned collections are refused with their path`(_ text: String, _ words: String, _ path: String)
    throws
  {
    let failure = #expect(throws: FerryError.self) { try convert(Array(text.utf8), to: .json) }
    #expect(failure?.message.contains(words) == true, "\(failure?.message ?? "")")
    #expect(failure?.path.description == path)
  }

  @Test func `Versions beside other top-level values of an archive are found`() throws {
    let raw: Value = [
      "$version": 100_000, "$archiver": "NSKeyedArchiver",
      "$top": ["v": 1, "pets": .uid(1)],
      "$objects": [
        "$null", ["NS.objects": [.uid(2)], "$class": .uid(5)],
        ["name": .uid(3), "paws": .uid(4), "$class": .uid(6)],
        "a", "4", ["$classname": "NSArray", "$classes": ["NSArray", "NSObject"]],
        ["$classname": "Pet", "$classes": ["Pet", "NSObject"]],
      ],
    ]
    let json = try convert(PropertyLists.binary(raw, sharing: .archiver), to: .json)
    #expect(String(decoding: json, as: UTF8.self) == #"{"v":2,"pets":[{"name":"a","legs":4}]}"# + "\n")
  }
}

@Suite struct `Older keys` {
  private let schema = Schema(
    name: "dog", collectionElement: "dogs",
    record: RecordType(
      element: "dog", className: "Dog", classAliases: ["Hound"],
      fields: [
        RecordField(
          "name", .string, archiveKey: "nm", aliases: ["title", "caption"], alsoWritten: ["title"]),
        RecordField("tag", .string, xml: .attribute("tag"), aliases: ["label"], isOptional: true),
        RecordField(
          "pups", .list(.string, element: "pup"), aliases: ["litter"], alsoWritten: ["litter"],
          isOptional: true),
      ]))

  private func convert(_ bytes: [UInt8], to target: Format, olderKeys: Bool = false) throws -> (
    bytes: [UInt8], losses: Losses
  ) {
    var conversion = Conversion(to: target)
    conversion.reading.schema = schema
    conversion.writing.writesOlderKeys = olderKeys
    let result = try conversion.convert(bytes)
    return (result.bytes, result.report.losses)
  }

  private func text(_ source: String, to target: Format = .json, olderKeys: Bool = false) throws -> String {
    String(decoding: try convert(Array(source.utf8), to: target, olderKeys: olderKeys).bytes, as: UTF8.self)
  }

  @Test(arguments: [
    #"[{"title":"Rex","label":"r"}]"#, #"[{"caption":"Rex","tag":"r"}]"#, #"[{"name":"Rex","tag":"r"}]"#,
    #"<dogs><dog label="r"><title>Rex</title></dog></dogs>"#,
    #"<dogs><dog tag="r"><caption>Rex</caption></dog></dogs>"#,
    #"<plist version="1.0"><array><dict><key>caption</key><string>Rex</string><key>label</key><string>r</string></dict></array></plist>"#,
  ])
  func `Older keys are read in every format`(_ source: String) throws {
    let json = try text(source)
    #expect(json == #"[{"name":"Rex","tag":"r"}]"# + "\n" || json == #"[{"tag":"r","name":"Rex"}]"# + "\n")
  }

  @Test(arguments: ["nm", "name", "title", "caption"])
  func `Older keys are read in archives, of older classes too`(
    _ key: String
  ) throws {
    for name in ["Dog", "Hound"] {
      let old = Value.object(
        ObjectValue(ObjectClass(name), content: [key: "Rex", "litter": ["a"]]))
      let json = try convert(Archived.bytes([old]), to: .json).bytes
      #expect(String(decoding: json, as: UTF8.self) == #"[{"name":"Rex","pups":["a"]}]"# + "\n")
    }
  }

  @Test func `Older keys give way to newer ones, and a difference is reported`() throws {
    for source in [
      #"[{"caption":"C","title":"T","name":"N"}]"#, #"[{"name":"N","title":"T","caption":"C"}]"#,
      "<dogs><dog><caption>C</caption><name>N</name><title>T</title></dog></dogs>",
    ] {
      let result = try convert(Array(source.utf8), to: .json)
      #expect(String(decoding: result.bytes, as: UTF8.self) == #"[{"name":"N"}]"# + "\n")
      #expect(result.losses.counts.map(\.kind) == [.olderKey])
      #expect(result.losses.counts.first?.count == 2)
    }
    let same = try convert(Array(#"[{"title":"N","name":"N"}]"#.utf8), to: .json)
    #expect(same.losses.isEmpty)
    #expect(throws: FerryError.self) { try text(#"[{"title":"N","title":"N"}]"#) }
  }

  @Test(arguments: [
    // null under the newest key, and a value under an older one
    (#"[{"name":"N","tag":null,"label":"x"}]"#, #"[{"name":"N","tag":null}]"#, 1),
    (#"[{"name":"N","label":"x","tag":null}]"#, #"[{"name":"N","tag":null}]"#, 1),
    (#"[{"name":"N","tag":"x","label":null}]"#, #"[{"name":"N","tag":"x"}]"#, 0),
    (#"[{"name":"N","label":null,"tag":"x"}]"#, #"[{"name":"N","tag":"x"}]"#, 0),
    (#"[{"name":"N","label":null,"tag":null}]"#, #"[{"name":"N","tag":null}]"#, 0),
    (#"[{"name":"N","label":null}]"#, #"[{"name":"N","tag":null}]"#, 0),
    // null is not a value of a field that must have one
    (#"[{"name":null,"title":"T"}]"#, #"[{"name":"T"}]"#, 0),
    (#"[{"title":null,"caption":"C"}]"#, #"[{"name":"C"}]"#, 0),
  ])
  func `Null under the newest key of an optional field is its value, and a difference is reported`(
    _ source: String, _ expected: String, _ losses: Int
  ) throws {
    let result = try convert(Array(source.utf8), to: .json)
    #expect(String(decoding: result.bytes, as: UTF8.self) == expected + "\n")
    #expect(result.losses.counts.map(\.kind) == (losses == 0 ? [] : [.olderKey]))
    #expect(throws: FerryError.self) {
      try convert(Array(#"[{"name":"N","tag":null,"tag":"x"}]"#.utf8), to: .json)
    }
  }

  @Test func `Older keys are written in archives, and elsewhere on request`() throws {
    let source = Array(#"[{"name":"Rex","pups":["a"]}]"#.utf8)
    let archive = try convert(source, to: .archive).bytes
    let dog = try Archived.value(archive)[0]
    #expect(dog?["nm"] == "Rex" && dog?["title"] == "Rex" && dog?["caption"] == nil)
    #expect(dog?["pups"] == ["a"] && dog?["litter"] == ["a"])
    #expect(try text(#"[{"name":"Rex"}]"#, olderKeys: true) == #"[{"name":"Rex","title":"Rex"}]"# + "\n")
    let xml = try text(#"[{"name":"Rex","pups":["a"]}]"#, to: .xml, olderKeys: true)
    #expect(xml.contains("<title>Rex</title>") && xml.contains("<litter>"))
    // And back: a repeated value occurs once.
    #expect(try text(xml) == #"[{"name":"Rex","pups":["a"]}]"# + "\n")
    let back = try convert(archive, to: .json)
    #expect(String(decoding: back.bytes, as: UTF8.self) == #"[{"name":"Rex","pups":["a"]}]"# + "\n")
    #expect(back.losses.isEmpty)
  }

  @Test func `Older keys of a shared object refer to the object too`() throws {
    let friend = RecordType(element: "friend", className: "Friend", fields: [RecordField("n", .string)])
    let schema = Schema(
      name: "dog", collectionElement: "dogs",
      record: RecordType(
        element: "dog", className: "Dog",
        fields: [RecordField("friend", .record(friend), aliases: ["pal"], alsoWritten: ["pal"])]))
    let object = Value.object(ObjectValue(ObjectClass("Friend"), identity: 9, content: ["n": "x"]))
    let dogs: Value = [
      .object(ObjectValue(ObjectClass("Dog"), content: ["friend": object])),
      .object(ObjectValue(ObjectClass("Dog"), content: ["pal": .reference(9)])),
    ]
    var conversion = Conversion(to: .archive)
    conversion.reading.schema = schema
    let back = try Archived.value(conversion.convert(Archived.bytes(dogs)).bytes)
    var identities: Set<Int> = []
    for dog in [back[0], back[1]] {
      for key in ["friend", "pal"] {
        switch dog?[key] {
        case .object(let object)?: if let identity = object.identity { identities.insert(identity) }
        case .reference(let identity)?: identities.insert(identity)
        default: Issue.record("no \(key)")
        }
      }
    }
    #expect(identities.count == 1)
  }
}

@Suite struct `Checks of version rules` {
  @Test(arguments: [
    (#""versions":{}"#, "", "version, the number of the newest version, is missing"),
    (#""version":0"#, "version", "not a number above 0"),
    (#""version":"x""#, "version", "is not an integer"),
    (#""version":2,"versionField":{"key":"s"}"#, "versionField.key", "is not of the type integer"),
    (
      #""version":2,"versionField":{"key":"i","xml":"@i"}"#, "versionField",
      "set archiveKey and xml there"
    ),
    (
      #""version":2,"versionField":{"key":"v","absent":3}"#, "versionField.absent",
      "absent is not a version from 1 to 2"
    ),
    (#""version":2,"versionField":{"name":"v"}"#, "versionField.name", "is not a key here"),
    (#""version":2,"versions":{"2":{}}"#, "versions.2", "only versions before 2"),
    (#""version":2,"versions":{"one":{}}"#, "versions.one", "is not a version"),
    (#""version":9,"versions":{"1-3":{},"3-4":{}}"#, "versions.3-4", "version 3 has rules already"),
    (#""version":2,"versions":{"1":{"feilds":[]}}"#, "versions.1.feilds", "is not a key here"),
    (
      #""version":2,"versions":{"1":{"fields":[{"name":"q","from":"a"}]}}"#, "fields[0].name",
      "there is no field q"
    ),
    (
      #""version":2,"versions":{"1":{"fields":[{"name":"s"}]}}"#, "fields[0]",
      #"a rule needs "from" or "default""#
    ),
    (
      #""version":2,"versions":{"1":{"fields":[{"name":"s","divide":2,"default":1}]}}"#, "fields[0]",
      #""from" is missing"#
    ),
    (
      #""version":2,"versions":{"1":{"fields":[{"name":"s","from":"a"},{"name":"s","from":"b"}]}}"#,
      "fields[1]",
      "s has a rule already"
    ),
    (
      #""version":2,"versions":{"1":{"removed":["a"],"fields":[{"name":"s","from":"a"}]}}"#, "fields[0]",
      "which is removed"
    ),
    (
      #""version":2,"versions":{"1":{"fields":[{"name":"s","from":["a","b"]}]}}"#, "fields[0].from",
      #"need "join""#
    ),
    (
      #""version":2,"versions":{"1":{"fields":[{"name":"s","from":"a","before":" ","after":" "}]}}"#,
      "fields[0]",
      "only one of join"
    ),
    (
      #""version":2,"versions":{"1":{"fields":[{"name":"i","from":"a","divide":0}]}}"#, "fields[0].divide",
      "divide is not a number above 0"
    ),
    (
      #""version":2,"versions":{"1":{"fields":[{"name":"i","from":"a","multiply":2,"divide":2}]}}"#,
      "fields[0]",
      "exclude each other"
    ),
    (
      #""version":2,"versions":{"1":{"fields":[{"name":"i","from":"a","since":1970}]}}"#, "fields[0]",
      "the change makes a date"
    ),
    (
      #""version":2,"versions":{"1":{"fields":[{"name":"i","from":"a","type":"data"}]}}"#, "fields[0]",
      "does not become an integer"
    ),
    (
      #""version":2,"versions":{"1":{"fields":[{"name":"s","from":"a","since":"soon"}]}}"#, "fields[0].since",
      "since is not a year or a date"
    ),
    (#""key":"q""#, "key", "key names q, which is not a field"),
    (#""collection":{"version":"v"}"#, "collection.version", "a collection with a version needs a key"),
    (#""collection":{"key":"k","version":"v"}"#, "collection.version", "and the records have none"),
    (#""version":1,"collection":{"key":"k","version":"k"}"#, "collection.version", "have one key"),
  ])
  func `Invalid rules of versions are refused with their path`(
    _ rest: String, _ path: String, _ words: String
  ) throws {
    let json = #"{"ferry":1,"name":"x","fields":[{"name":"s"},{"name":"i","type":"integer"}],\#(rest)}"#
    let failure = #expect(throws: FerryError.self) {
      try Schema(Value(reading: MemoryInput(Array(json.utf8)), named: "s.json"))
    }
    #expect(failure?.path.description.hasSuffix(path) == true, "\(failure?.path.description ?? "")")
    #expect(failure?.message.contains(words) == true, "\(failure?.message ?? "")")
  }

  @Test func `Older keys that are newer ones too are refused`() {
    for fields in [
      #"[{"name":"a","alsoWrite":["b"]},{"name":"b"}]"#,
      #"[{"name":"a","aliases":["c"]},{"name":"b","aliases":["c"]}]"#,
    ] {
      #expect(throws: FerryError.self) {
        try Schema(
          Value(
            reading: MemoryInput(Array(#"{"ferry":1,"name":"x","fields":\#(fields)}"#.utf8)), named: "s.json")
        )
      }
    }
  }
}
