import TestSupport
import Testing

@testable import Ferry

@Suite struct `Null in records of older versions` {
  private func schema(_ rest: String) throws -> Schema {
    let text = #"{"ferry":1,"name":"thing","version":3,"versionField":{"key":"v"},\#(rest)}"#
    return try Schema(Value(reading: MemoryInput(Array(text.utf8)), named: "s.json"))
  }

  /// A schema of one field `f`, with a rule for version 1.
  private func schema(type: String, presence: String = #","optional":true"#, rule: String) throws -> Schema {
    try schema(
      #""fields":[{"name":"f","items":{},"type":"\#(type)"\#(presence)}],"versions":{"1":{"fields":[{"name":"f",\#(rule)}]}}"#
    )
  }

  private func convert(
    _ text: String, _ schema: Schema, to target: Format = .json, isStrict: Bool = false
  ) throws -> (text: String, losses: [String]) {
    var conversion = Conversion(to: target)
    conversion.reading.schema = schema
    conversion.isStrict = isStrict
    let result = try conversion.convert(Array(text.utf8))
    return (
      String(decoding: result.bytes, as: UTF8.self),
      result.report.losses.listed.map { "\($0.kind) \($0.path)" }
    )
  }

  @Test(
    arguments: [
      ("string", #""from":"g""#), ("list", #""from":"g""#), ("any", #""from":"g""#),
      ("string", #""from":"f","type":"integer""#), ("integer", #""from":"g","type":"string""#),
      ("list", #""from":"g","type":"string""#), ("list", #""from":"g","split":",""#),
      ("decimal", #""from":"g","divide":100"#), ("integer", #""from":"g","multiply":60"#),
      ("date", #""from":"g","since":1970"#), ("date", #""from":"g","divide":1000,"since":1970"#),
      ("string", #""from":"g","type":"integer","map":{"0":"low"}"#), ("string", #""from":"g","before":" ""#),
      ("string", #""from":"g","after":" ""#), ("string", #""from":"g","beforeLast":" ""#),
      ("string", #""from":"g","afterLast":" ""#), ("string", #""from":["f","g"],"join":" ""#),
    ])
  func `Null stays null under the key of today by every rule, and is reported as under this key`(
    _ type: String, _ rule: String
  ) throws {
    let schema = try schema(type: type, rule: rule)
    for old in [rule.contains(#""from":"f""#) ? #"[{"f":null}]"# : #"[{"g":null}]"#, #"[{"v":3,"f":null}]"#] {
      let json = try convert(old, schema, isStrict: true)
      #expect(json.text == #"[{"v":3,"f":null}]"# + "\n", "\(old)")
      for target in [Format.xmlPropertyList, .csv] {
        #expect(try convert(old, schema, to: target).losses == ["nullLeftOut [0].f"], "\(old) \(target)")
        #expect(throws: FerryError.self) { try convert(old, schema, to: target, isStrict: true) }
      }
    }
  }

  @Test(
    arguments: [
      ("integer", #""from":"g""#), ("string", #""from":"g","type":"integer""#),
      ("list", #""from":"g","type":"integer""#), ("decimal", #""from":"g","divide":100"#),
      ("integer", #""from":"g","multiply":60"#), ("date", #""from":"g","since":1970"#),
      ("string", #""from":"g","type":"integer","map":{"0":"low"}"#),
    ], ["<thing><g/></thing>", "<thing><g> </g></thing>", #"<thing g=""/>"#])
  func `An element or attribute that is null by the type of a rule is null under the key of today`(
    _ field: (type: String, rule: String), _ thing: String
  ) throws {
    let schema = try schema(type: field.type, rule: field.rule)
    let xml = "<things>\(thing)</things>"
    #expect(try convert(xml, schema, isStrict: true).text == #"[{"v":3,"f":null}]"# + "\n")
    for target in [Format.xmlPropertyList, .csv] {
      #expect(try convert(xml, schema, to: target).losses == ["nullLeftOut [0].f"], "\(target)")
    }
    // XML has null only for types without an empty value.
    let again = try convert(xml, schema, to: .xml)
    if ["string", "list"].contains(field.type) {
      #expect(again.losses == ["nullLeftOut [0].f"])
    } else {
      #expect(again.losses.isEmpty && again.text.contains("<f/>"), "\(again.text)")
    }
  }

  @Test func `Null under an older key is missing in a required field, or gets the default`() throws {
    for rule in [#""from":"g""#, #""from":"g","multiply":60"#] {
      let required = try schema(type: "integer", presence: "", rule: rule)
      for old in [#"[{"g":null}]"#, #"[{"v":3,"f":null}]"#] {
        let failure = #expect(throws: FerryError.self) { try convert(old, required) }
        #expect(failure?.reason == .record(.missingField("f", record: "thing")))
      }
      let filled = try schema(type: "integer", presence: #","optional":true,"default":4"#, rule: rule)
      for old in [#"[{"g":null}]"#, "<things><thing><g/></thing></things>"] {
        #expect(try convert(old, filled).text == #"[{"v":3,"f":4}]"# + "\n", "\(old)")
      }
    }
  }

  @Test(arguments: [
    ("", #"[{"v":3,"f":"","h":"1"}]"#), (#","optional":true"#, #"[{"v":3,"h":"1"}]"#),
  ])
  func `An empty cell under an older key means what it means under the key of today`(
    _ presence: String, _ json: String
  ) throws {
    var conversion = Conversion(to: .json)
    conversion.reading.schema = try schema(type: "string", presence: presence, rule: #""from":"g""#)
    conversion.reading.format = .csv
    for table in ["g,h\n,1\n", "v,f,h\n3,,1\n"] {
      let bytes = try conversion.convert(Array(table.utf8)).bytes
      #expect(String(decoding: bytes, as: UTF8.self) == json + "\n", "\(table)")
    }
  }

  @Test(arguments: [
    (#"{"n":null}"#, #"{"v":3,"a":null,"b":"x"}"#, []),
    (#"{"n":null,"a":"today"}"#, #"{"v":3,"a":"today","b":"x"}"#, []),
    (#"{"n":"old","a":null}"#, #"{"v":3,"a":null,"b":"x"}"#, ["olderKey [0].a"]),
    (#"{"p":null,"q":"2"}"#, #"{"v":3,"b":"x","c":"2"}"#, []),
    (#"{"p":null,"q":null}"#, #"{"v":3,"b":"x","c":null}"#, []),
    // A value that a rule keeps is after those of today's keys, and so is null.
    (#"{"e":null,"b":"y"}"#, #"{"v":3,"b":"y","d":null}"#, []),
    (#"{"e":"1","b":"y"}"#, #"{"v":3,"b":"y","d":"1"}"#, []),
  ])
  func `Each rule passes null on for its own field, if it has no other value`(
    _ old: String, _ new: String, _ losses: [String]
  ) throws {
    let schema = try schema(
      #"""
      "fields":[{"name":"d","optional":true},{"name":"a","optional":true},{"name":"b","default":"x"},
      {"name":"c","optional":true}],
      "versions":{"1":{"fields":[{"name":"a","from":"n","before":" "},{"name":"b","from":"n","after":" "},
      {"name":"c","from":["p","q"],"join":" "},{"name":"d","from":"e"}]}}
      """#)
    let result = try convert("[\(old)]", schema)
    #expect(result.text == "[\(new)]\n")
    #expect(result.losses == losses)
  }
}
