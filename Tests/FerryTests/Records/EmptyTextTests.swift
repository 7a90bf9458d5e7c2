import Testing

@testable import Ferry

/// A schema with a field that is the text of an element, and records with the empty value in that field.
private struct TextField: CustomTestStringConvertible, Sendable {
  enum Place: CaseIterable { case record, nested, list }

  let type: String
  /// The properties that determine the value of the field in a record without it.
  let presence: String
  let place: Place

  var testDescription: String { "\(type) \(presence) \(place)" }

  static let presences = ["", #","optional":true"#, #","default":"RERE""#, #","default":"""#]
  static let all = ["string", "data"].flatMap { type in
    presences.flatMap { presence in
      Place.allCases.map { TextField(type: type, presence: presence, place: $0) }
    }
  }

  func schema() throws -> Schema {
    let text = ##"{"name":"t","xml":"#text","type":"\##(type)"\##(presence)}"##
    let record = #""type":"record","fields":[{"name":"id","xml":"@id"},\#(text)]"#
    let fields =
      switch place {
      case .record: #"{"name":"id","xml":"@id"},\#(text)"#
      case .nested: #"{"name":"f",\#(record)}"#
      case .list: #"{"name":"f","type":"list","items":{"element":"item",\#(record)}}"#
      }
    return try makeSchema(#"{"ferry":1,"name":"rec","fields":[\#(fields)]}"#)
  }

  var json: String {
    let record = #"{"id":"1","t":""}"#
    return switch place {
    case .record: "[\(record)]\n"
    case .nested: "[{\"f\":\(record)}]\n"
    case .list: "[{\"f\":[\(record),{\"id\":\"2\",\"t\":\"QQ==\"}]}]\n"
    }
  }
}

private func makeSchema(_ text: String) throws -> Schema {
  try Schema(Value(reading: MemoryInput(Array(text.utf8)), named: "s.json"))
}

private func convert(_ bytes: some Collection<UInt8>, _ schema: Schema, to target: Format) throws -> [UInt8] {
  var conversion = Conversion(to: target)
  conversion.reading.schema = schema
  conversion.isStrict = true
  return try conversion.convert(Array(bytes)).bytes
}

@Suite struct `Empty text of an element that is a field` {
  @Test(arguments: TextField.all, [Format.json, .xmlPropertyList, .archive])
  fileprivate func `The empty value comes back from XML, and is not a missing value`(
    _ field: TextField, _ format: Format
  ) throws {
    let schema = try field.schema()
    let original = try convert(field.json.utf8, schema, to: format)
    let xml = try convert(original, schema, to: .xml)
    #expect(try convert(xml, schema, to: format) == original)
    #expect(try convert(xml, schema, to: .xml) == xml)
    #expect(String(decoding: try convert(xml, schema, to: .json), as: UTF8.self) == field.json)
  }

  @Test(arguments: TextField.all)
  fileprivate func `The empty value comes back from elements that XPath selects`(_ field: TextField) throws {
    let schema = try field.schema()
    var conversion = Conversion(to: .json)
    (conversion.reading.schema, conversion.reading.select) = (schema, "//rec")
    let bytes = try conversion.convert(convert(field.json.utf8, schema, to: .xml)).bytes
    #expect(String(decoding: bytes, as: UTF8.self) == field.json)
  }

  @Test(arguments: [
    ("", #"[{"id":"1","t":""}]"#), (#","optional":true"#, #"[{"id":"1"}]"#),
    (#","default":"RERE""#, #"[{"id":"1","t":"RERE"}]"#),
    (#","optional":true,"default":"RERE""#, #"[{"id":"1","t":"RERE"}]"#),
  ])
  func `An element without text lacks an optional field, and has the empty value of a required one`(
    _ presence: String, _ json: String
  ) throws {
    for type in ["string", "data"] {
      let schema = try TextField(type: type, presence: presence, place: .record).schema()
      for element in [#"<rec id="1"/>"#, #"<rec id="1"></rec>"#, #"<rec id="1"><!--c--></rec>"#] {
        var conversion = Conversion(to: .json)
        conversion.reading.schema = schema
        let bytes = try conversion.convert(Array("<recs>\(element)</recs>".utf8)).bytes
        #expect(String(decoding: bytes, as: UTF8.self) == json + "\n")
      }
    }
  }

  @Test(arguments: ["integer", "real", "decimal", "boolean", "date", "url", "uuid"])
  func `An element without text lacks a required field that cannot be empty`(_ type: String) throws {
    let schema = try TextField(type: type, presence: "", place: .record).schema()
    let failure = #expect(throws: FerryError.self) {
      try convert(#"<recs><rec id="1"/></recs>"#.utf8, schema, to: .json)
    }
    #expect(failure?.reason == .record(.missingField("t", record: "rec")))
  }

  @Test(arguments: ["integer", "real", "decimal", "boolean", "date", "url", "uuid"])
  func `An empty CDATA section is not a value of a field that cannot be empty`(_ type: String) throws {
    let schema = try TextField(type: type, presence: #","optional":true"#, place: .record).schema()
    let json = try convert(#"<recs><rec id="1"><![CDATA[]]></rec></recs>"#.utf8, schema, to: .json)
    #expect(String(decoding: json, as: UTF8.self) == #"[{"id":"1"}]"# + "\n")
  }

  @Test(arguments: ["integer", "real", "decimal", "boolean", "date", "url", "uuid"])
  func `White space alone is not a value of a field that cannot be empty`(_ type: String) throws {
    let schema = try TextField(type: type, presence: #","optional":true"#, place: .record).schema()
    let json = try convert("<recs><rec id=\"1\">\n </rec></recs>".utf8, schema, to: .json)
    #expect(String(decoding: json, as: UTF8.self) == #"[{"id":"1"}]"# + "\n")
  }

  @Test(arguments: ["integer", "real", "decimal", "boolean", "date", "url", "uuid"])
  func `An element or attribute without text is null in an optional field that cannot be empty`(
    _ type: String
  ) throws {
    let schema = try makeSchema(
      ##"""
      {"ferry":1,"name":"rec","fields":[{"name":"a","xml":"@a","type":"\##(type)","optional":true},
      {"name":"n","type":"\##(type)","optional":true}]}
      """##)
    let xml = #"<recs><rec a=""><n/></rec><rec><n> </n></rec><rec/></recs>"#
    #expect(
      String(decoding: try convert(xml.utf8, schema, to: .json), as: UTF8.self)
        == #"[{"a":null,"n":null},{"n":null},{}]"# + "\n")
    let required = try makeSchema(
      #"{"ferry":1,"name":"rec","fields":[{"name":"n","type":"\#(type)"}]}"#)
    let failure = #expect(throws: FerryError.self) {
      try convert("<recs><rec><n/></rec></recs>".utf8, required, to: .json)
    }
    #expect(failure?.path == ValuePath([.index(0), .key("n")]))
  }

  @Test(arguments: ["integer", "real", "decimal", "boolean", "date", "url", "uuid"])
  func `Null of an optional field that cannot be empty is an element without text, also from XML to XML`(
    _ type: String
  ) throws {
    let schema = try makeSchema(
      #"""
      {"ferry":1,"name":"rec","fields":[{"name":"n","type":"\#(type)","optional":true},
      {"name":"r","type":"record","optional":true,"fields":[{"name":"m","type":"\#(type)","optional":true}]}]}
      """#)
    let json = #"[{"n":null,"r":{"m":null}},{"r":{}},{}]"# + "\n"
    let xml = try convert(json.utf8, schema, to: .xml)
    let text = String(decoding: xml, as: UTF8.self)
    #expect(text.contains("<n/>") && text.contains("<m/>"), "\(text)")
    #expect(String(decoding: try convert(xml, schema, to: .json), as: UTF8.self) == json)
    #expect(try convert(xml, schema, to: .xml) == xml)
  }

  @Test(arguments: [#"{"s":null}"#, #"{"d":null}"#, #"{"a":null}"#, #"{"l":null}"#, #"{"x":null}"#])
  func `Null that no element without text means is left out of XML, with a report`(_ record: String) throws {
    let schema = try makeSchema(
      ##"""
      {"ferry":1,"name":"rec","fields":[{"name":"s","optional":true},{"name":"d","type":"data","optional":true},
      {"name":"a","xml":"@a","type":"integer","optional":true},
      {"name":"l","type":"list","items":{"type":"integer"},"optional":true},
      {"name":"x","type":"any","optional":true}]}
      """##)
    var conversion = Conversion(to: .xml)
    conversion.reading.schema = schema
    let losses = try conversion.convert(Array("[\(record)]".utf8)).report.losses
    #expect(losses.listed.map(\.kind) == [.nullLeftOut])
  }

  @Test func `An older element without text beside the newest one is not a value that is left out`() throws {
    let schema = try makeSchema(
      #"{"ferry":1,"name":"rec","fields":[{"name":"n","type":"integer","optional":true,"aliases":["old"]}]}"#)
    let xml = "<recs><rec><n>5</n><old/></rec><rec><n/><old/></rec></recs>"
    #expect(
      String(decoding: try convert(xml.utf8, schema, to: .json), as: UTF8.self)
        == #"[{"n":5},{"n":null}]"# + "\n")
  }

  @Test func `An element without text gets the default of a field of numbers`() throws {
    let schema = try makeSchema(
      #"{"ferry":1,"name":"rec","fields":[{"name":"n","type":"integer","default":4}]}"#)
    #expect(
      String(
        decoding: try convert("<recs><rec><n/></rec><rec><n>5</n></rec></recs>".utf8, schema, to: .json),
        as: UTF8.self) == #"[{"n":4},{"n":5}]"# + "\n")
  }

  @Test func `The rules of an older version make a required text field before the empty value does`() throws {
    let schema = try makeSchema(
      ##"""
      {"ferry":1,"name":"rec","version":2,"versionField":{"key":"v","xml":"@v"},
      "fields":[{"name":"t","xml":"#text"}],
      "versions":{"1":{"fields":[{"name":"t","from":"title"}]}}}
      """##)
    let xml = #"<recs><rec><title>A</title></rec><rec v="2"/><rec/></recs>"#
    #expect(
      String(decoding: try convert(xml.utf8, schema, to: .json), as: UTF8.self)
        == #"[{"v":2,"t":"A"},{"v":2,"t":""},{"v":2,"t":""}]"# + "\n")
  }
}
