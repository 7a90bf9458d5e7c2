import TestSupport
import Testing

@testable import Ferry

@Suite struct `Records that break their schema` {
  private func convert(
    _ text: String, _ schema: Schema, to target: Format = .json,
    _ change: (inout Conversion) -> Void = { _ in }
  ) throws(FerryError) -> (text: String, report: Conversion.Report) {
    var conversion = Conversion(to: target)
    conversion.reading.schema = schema
    change(&conversion)
    let result = try conversion.convert(Array(text.utf8))
    return (String(decoding: result.bytes, as: UTF8.self), result.report)
  }

  @Test(arguments: [
    (#"[{"firstName":"A"}]"#, "the person has no lastName", "[0]"),
    (
      #"[{"firstName":"A","lastName":"B"},{"firstName":1,"lastName":"B"}]"#,
      "expected a string in the field firstName, found 1", "[1].firstName"
    ),
    (#"[{"firstName":"A","lastName":null}]"#, "the person has no lastName", "[0]"),
    (#"["Ada"]"#, "expected a person, found \"Ada\"", "[0]"),
    (#"{"firstName":"A"}"#, "the person has no lastName", ""),
    (
      #"[{"firstName":"A","firstName":"B","lastName":"C"}]"#, "the field firstName occurs twice",
      "[0].firstName"
    ),
  ])
  func `A record of JSON that breaks its schema is named by path`(
    _ text: String, _ message: String, _ path: String
  ) throws {
    let failure = #expect(throws: FerryError.self) { try convert(text, .person) }
    #expect(failure?.reason.description == message)
    #expect(failure?.path.description == path)
    #expect(failure?.location.line == 1)
  }

  @Test(arguments: [
    ("<people>\n1️⃣<person><firstName>A</firstName></person></people>", "the person has no lastName"),
    ("<people><persons/></people>", "expected a <person>, found <persons>"),
    ("<folk/>", "expected a <people>, found <folk>"),
    (
      "<people><person><firstName><b/></firstName><lastName/></person></people>",
      "expected only text in this element"
    ),
  ])
  func `A record of XML that breaks its schema is named by line and column`(
    _ marked: String, _ message: String
  ) throws {
    let text = marked.replacing("1️⃣", with: "")
    let failure = #expect(throws: FerryError.self) { try convert(text, .person) }
    #expect(failure?.message.contains(message) == true, "\(failure?.message ?? "")")
    if marked.contains("1️⃣") {
      #expect(failure?.location.line == 2)
      #expect(failure?.location.column == 1)
    } else {
      #expect(failure?.location.line == 1)
    }
  }

  @Test func `No part of a record's XML is dropped in silence`() throws {
    let text = """
      <people xmlns:x="urn:x" version="1"><!-- c --><person><firstName lang="en">A</firstName>t
      <lastName>B</lastName></person></people>
      """
    let losses = try convert(text, .person).report.losses
    #expect(Set(losses.counts.map(\.kind)) == [.namespace, .otherAttribute, .comment, .mixedContent])
    #expect(losses.counts.first { $0.kind == .otherAttribute }?.count == 2)
    let places = losses.listed.filter { $0.kind != .comment }.map { "\($0.kind) \($0.path)" }
    #expect(
      places == ["otherAttribute ", "namespace ", "otherAttribute [0].firstName", "mixedContent [0]"])
  }

  /// XML with text that no field has, its records in JSON, and its losses.
  static let texts = [
    (
      "<people>hello<person><firstName>A</firstName><lastName>B</lastName>text</person>bye</people>",
      ##"[{"firstName":"A","lastName":"B","#text":"text"}]"##, ["otherText ", "mixedContent [0]"]
    ),
    (
      "<people>\n <person>\n a <firstName>A</firstName>\n <lastName>B</lastName><![CDATA[ ]]>\n </person></people>",
      ##"[{"firstName":"A","lastName":"B","#text":"\n a  \n "}]"##, ["mixedContent [0]"]
    ),
    (
      "<people><person><firstName>A</firstName><lastName>B</lastName><x>1<y>2</y>\n</x></person></people>",
      ##"[{"firstName":"A","lastName":"B","x":{"#content":["1",{"y":"2"},"\n"]}}]"##, []
    ),
  ]

  @Test(arguments: texts)
  func `Text that no field has is kept, and text between records is reported`(
    _ xml: String, _ json: String, _ losses: [String]
  ) throws {
    let result = try convert(xml, .person)
    #expect(result.text == json + "\n")
    #expect(result.report.losses.listed.map { "\($0.kind) \($0.path)" } == losses)
    let back = try convert(json, .person, to: .xml)
    #expect(back.report.losses.isEmpty)
    #expect(try convert(back.text, .person).text == result.text)
  }

  @Test func `Text and elements that a list cannot have are reported where they are`() throws {
    let schema = try Schema(
      Value(
        reading: MemoryInput(
          Array(
            #"{"ferry":1,"name":"book","fields":[{"name":"by","type":"list","items":{"element":"a"}}]}"#.utf8)
        ),
        named: "s.json"))
    let text =
      "<books><book><by/></book><book><by>x<a>A</a>y</by></book><book><by><a>A</a><b/></by></book></books>"
    let failure = #expect(throws: FerryError.self) { try convert(text, schema) }
    #expect(failure?.path.description == "[2].by[1]")
    let result = try convert(text, schema) { $0.keepsGoing = true }
    #expect(result.text == #"[{"by":[]},{"by":["A"]}]"# + "\n")
    #expect(result.report.errors.map(\.path.description) == ["[2].by[1]"])
    #expect(result.report.losses.listed.map { "\($0.kind) \($0.path)" } == ["otherText [1].by"])
  }

  @Test func `A record of XML that breaks its schema has its place also if the conversion goes on`() throws {
    let text =
      "<people>\n<person><firstName>A</firstName></person>\n<person><firstName>B</firstName><lastName>C</lastName></person></people>"
    let result = try convert(text, .person) { $0.keepsGoing = true }
    #expect(result.text == #"[{"firstName":"B","lastName":"C"}]"# + "\n")
    #expect(result.report.errors.map(\.location.line) == [2])
  }

  @Test(arguments: [Format.xml, .xmlPropertyList])
  func `A record that the output cannot hold ends a conversion that goes on after others`(target: Format)
    throws
  {
    let people = #"[{"firstName":7},{"firstName":"\u0001","lastName":"B"},{"firstName":"C","lastName":"D"}]"#
    var conversion = Conversion(to: target)
    (conversion.reading.schema, conversion.keepsGoing) = (.person, true)
    let failure = #expect(throws: FerryError.self) { try conversion.convert(Array(people.utf8)) }
    #expect(failure?.message.contains("U+0001 (at [1]") == true, "\(failure?.message ?? "")")
    #expect(failure?.earlier.map(\.path.description) == ["[0]"])
  }

  @Test(arguments: [false, true])
  func `A value that the output cannot hold is named by its whole path and located, with a schema`(
    keepsGoing: Bool
  ) throws {
    let fields =
      #"{"name":"n","type":"any"},{"name":"k","type":"list","optional":true,"items":{"type":"any"}}"#
    let schema = try Schema(
      Value(
        reading: MemoryInput(Array(#"{"ferry":1,"name":"a","fields":[\#(fields)]}"#.utf8)), named: "s.json"))
    let records = [
      (#"{"n":{"x":[1,1️⃣"\u0001"]},"k":[]}"#, "[1].n.x[1]"),
      (#"{"n":1,"y":{"z":[1️⃣"\u0001"]}}"#, "[1].y.z[0]"),
      (#"{"n":1,"k":[2,{"r":[0,1️⃣"\u0001"]}]}"#, "[1].k[1].r[1]"), (#"{"n":1️⃣"\u0001"}"#, "[1].n"),
    ]
    for (record, path) in records {
      let marked = MarkedText(#"[{"n":2},\#(record)]"#)
      for (target, sortsKeys) in [(Format.xml, false), (.xmlPropertyList, false), (.xmlPropertyList, true)] {
        let failure = #expect(throws: FerryError.self) {
          try convert(marked.text, schema, to: target) {
            ($0.keepsGoing, $0.writing.sortsKeys) = (keepsGoing, sortsKeys)
          }
        }
        #expect(failure?.path.description == path, "\(marked.text) to \(target)")
        #expect(failure?.location.column == marked.location?.column, "\(marked.text) to \(target)")
      }
    }
  }

  private static let good = "<person><firstName>A</firstName><lastName>B</lastName></person>"

  @Test(arguments: [
    ("<people>\(good)<person/><alien/>\(good)</people>", ["[1]", "[2]"], 2),
    ("<people><alien><person/></alien>\(good)<alien/><person/></people>", ["[0]", "[2]", "[3]"], 1),
    ("<people><person><firstName><b/><b/></firstName></person>\(good)</people>", ["[0].firstName"], 1),
  ])
  func `Records and other elements are left out of XML on request, by their index in it`(
    _ text: String, _ paths: [String], _ count: Int
  ) throws {
    let result = try convert(text, .person) { $0.keepsGoing = true }
    let records = Array(repeating: #"{"firstName":"A","lastName":"B"}"#, count: count)
    #expect(result.text == "[\(records.joined(separator: ","))]\n")
    #expect(result.report.errors.map(\.path.description) == paths)
    #expect(result.report.errors.allSatisfy { $0.location.line == 1 })
    let failure = #expect(throws: FerryError.self) { try convert(text, .person) }
    #expect(failure?.path.description == paths[0])
    let selected = try convert(text, .person) {
      $0.keepsGoing = true
      $0.reading.format = .xml
      $0.reading.select = "/people/*"
    }
    #expect(selected.text == result.text)
    #expect(selected.report.errors.map(\.path.description) == paths)
  }

  @Test func `Records of a collection with a version are left out on request`() throws {
    let schema = try Schema(
      Value(
        reading: MemoryInput(
          Array(
            """
            {"ferry":1,"name":"p","version":2,"collection":{"element":"ps","key":"ps","version":"v"},
             "fields":[{"name":"a"}]}
            """.utf8)), named: "s.json"))
    let result = try convert("<ps v=\"2\"><p/><q/><p><a>1</a></p></ps>", schema) { $0.keepsGoing = true }
    #expect(result.text == #"{"v":2,"ps":[{"a":"1"}]}"# + "\n")
    #expect(Set(result.report.errors.map(\.path.description)) == ["ps[0]", "ps[1]"])
  }

  @Test(arguments: [
    (Format.xml, "<people><person/>\(good)<person"),
    (.json, #"[{},{"firstName":"A","lastName":"B"},"#),
    (.jsonLines, "{\n{}\n{\"firstName\":\"A\",\"lastName\":\"\\u0001\"}\n"),
    (.xmlPropertyList, "<plist><array><dict/><dict>"),
  ])
  func `Records that were left out are known after an error that ends the conversion`(
    _ format: Format, _ text: String
  )
    throws
  {
    let failure = #expect(throws: FerryError.self) {
      try convert(text, .person, to: .xml) {
        $0.keepsGoing = true
        $0.reading.format = format
      }
    }
    #expect(failure?.earlier.isEmpty == false)
    #expect(failure?.earlier.contains { $0.reason == failure?.reason } == false)
  }

  @Test func `Records that break their schema are left out on request`() throws {
    let text = #"[{"firstName":"A","lastName":"B"},{"firstName":"C"},{"firstName":"D","lastName":"E"}]"#
    let result = try convert(text, .person) { $0.keepsGoing = true }
    #expect(result.text == #"[{"firstName":"A","lastName":"B"},{"firstName":"D","lastName":"E"}]"# + "\n")
    #expect(result.report.errors.map(\.path.description) == ["[1]"])
  }

  @Test(arguments: [
    (
      "<items><item><name>N</name><dateCreated>yesterday</dateCreated><itemKey>k</itemKey><valueInDollars>1</valueInDollars></item></items>",
      "in the field dateCreated"
    ),
    (
      "<items><item><name>N</name><dateCreated>2014-06-01</dateCreated><itemKey>k</itemKey><valueInDollars>1.5</valueInDollars></item></items>",
      "expected an integer in the field valueInDollars"
    ),
    (
      "<items><item><name>N</name><dateCreated>2014-06-01</dateCreated><itemKey>k</itemKey><valueInDollars>99999999999999999999</valueInDollars></item></items>",
      "expected an integer in the field valueInDollars"
    ),
  ])
  func `Values of the wrong type are refused and never changed`(_ text: String, _ words: String) throws {
    let failure = #expect(throws: FerryError.self) { try convert(text, .item) }
    #expect(failure?.message.contains(words) == true, "\(failure?.message ?? "")")
  }
}

@Suite struct `Records of a schema` {
  private func json(_ text: String, _ schema: Schema, to target: Format) throws -> [UInt8] {
    var conversion = Conversion(to: target)
    conversion.reading.schema = schema
    return try conversion.convert(Array(text.utf8)).bytes
  }

  @Test func `Fields that the schema does not know are carried`() throws {
    let text = #"[{"firstName":"A","nick":"Z","lastName":"B","more":{"a":[1]}}]"#
    var conversion = Conversion(to: .json)
    conversion.reading.schema = .person
    for target in [Format.binaryPropertyList, .archive, .jsonLines] {
      conversion.reading.format = target
      let back = try conversion.convert(json(text, .person, to: target)).bytes
      let value = try Value(reading: MemoryInput(back))
      #expect(value[0]?["nick"] == "Z")
      #expect(value[0]?["more"] == ["a": [1]])
    }
  }

  /// A schema with an optional field of each kind, and the item's fields.
  private static let optional = Schema(
    name: "row", collectionElement: "rows",
    record: RecordType(
      element: "row", className: "Row",
      fields: [
        RecordField("s", .string, aliases: ["t"], isOptional: true),
        RecordField("id", .uuid, isOptional: true),
        RecordField("l", .list(.integer, element: "i"), isOptional: true),
        RecordField("n", .integer, isOptional: true, defaultValue: 4),
      ]))

  @Test(arguments: [
    (#"[{"s":null,"z":null}]"#, #"[{"s":null,"n":4,"z":null}]"#, 0),
    (#"[{"l":null,"id":null,"n":null}]"#, #"[{"l":null,"id":null,"n":4}]"#, 1),
  ])
  func `Null in an optional field is kept, or reported`(
    _ text: String, _ expected: String, _ elements: Int
  ) throws {
    var conversion = Conversion(to: .json)
    conversion.reading.schema = Self.optional
    conversion.reading.format = .json
    let result = try conversion.convert(Array(text.utf8))
    #expect(String(decoding: result.bytes, as: UTF8.self) == expected + "\n")
    #expect(result.report.losses.isEmpty)
    let nulls = expected.ranges(of: "null").count
    for target in [Format.xml, .xmlPropertyList, .binaryPropertyList, .archive] {
      conversion.writing.format = target
      let losses = try conversion.convert(Array(text.utf8)).report.losses
      let count = losses.counts.first { $0.kind == .nullLeftOut }?.count ?? 0
      // In XML, some nulls are elements without text.
      let isKept = target != .xml && target.capabilities.contains(.nulls)
      #expect(count == (isKept ? 0 : target == .xml ? nulls - elements : nulls), "\(target)")
    }
  }

  @Test func `Values keep their text from XML to XML, and a changed number is reported elsewhere`() throws {
    let schema = Schema(
      name: "row", collectionElement: "rows",
      record: RecordType(
        element: "row", className: "Row",
        fields: [
          RecordField("i", .integer), RecordField("r", .real), RecordField("b", .boolean),
          RecordField("d", .date),
          RecordField("data", .data),
        ]))
    let xml = """
      <?xml version="1.0" encoding="UTF-8"?>
      <rows>
        <row>
          <i>007</i>
          <r>+1.50</r>
          <b>yes</b>
          <d>2014-06-01T11:30:00+02:00</d>
          <data>AQ ID</data>
        </row>
      </rows>

      """
    var conversion = Conversion(to: .xml)
    conversion.reading.schema = schema
    let same = try conversion.convert(Array(xml.utf8))
    #expect(String(decoding: same.bytes, as: UTF8.self) == xml)
    #expect(same.report.losses.isEmpty)
    conversion.writing.format = .binaryPropertyList
    let losses = try conversion.convert(Array(xml.utf8)).report.losses
    #expect(
      losses.listed.map { "\($0.kind) \($0.path)" } == ["numberNotation [0].i", "numberNotation [0].r"])
    conversion.writing.format = .xml
    let wrong = xml.replacing("007", with: "7.0")
    #expect(throws: FerryError.self) { try conversion.convert(Array(wrong.utf8)) }
  }

  @Test(arguments: [
    (#"{"\ud800":1,"\udbff":2}"#, 1), (#"{"\ufffd":1,"a":2,"\udbff":3}"#, 1),
    (#"{"\ud800":1,"a":{"\udbff":2}}"#, 0), (#"{"\ud800":1,"\ud800":2}"#, 1),
  ])
  func `Keys that become equal when surrogates are replaced occur twice`(_ json: String, _ count: Int) throws
  {
    for target in [Format.xmlPropertyList, .xml, .xmlArchive, .sqlite] where target.canWrite {
      let losses = try Conversion(to: target).convert(Array("[\(json)]".utf8)).report.losses
      #expect((losses.counts.first { $0.kind == .duplicateKey }?.count ?? 0) == count, "\(target)")
    }
  }

  @Test func `Aliases are read, and defaults are filled in`() throws {
    let schema = Schema(
      name: "dog", collectionElement: "dogs",
      record: RecordType(
        element: "dog", className: "Dog", classAliases: ["OldDog"],
        fields: [
          RecordField("name", .string, aliases: ["title"]), RecordField("legs", .integer, defaultValue: 4),
          RecordField("tag", .uuid, isOptional: true),
        ]))
    let result = String(decoding: try json(#"[{"title":"Rex"}]"#, schema, to: .json), as: UTF8.self)
    #expect(result == #"[{"name":"Rex","legs":4}]"# + "\n")
    let old = Value.object(ObjectValue(ObjectClass("OldDog"), content: ["title": "Rex", "legs": 3]))
    var conversion = Conversion(to: .json)
    conversion.reading.schema = schema
    let back = try conversion.convert(Archived.bytes([old])).bytes
    #expect(String(decoding: back, as: UTF8.self) == #"[{"name":"Rex","legs":3}]"# + "\n")
  }

  @Test func `Objects of other classes among the records stay as they are`() throws {
    let mixed: Value = [
      .object(ObjectValue(ObjectClass("Person"), content: ["first": "A", "last": "B"])),
      .object(ObjectValue(ObjectClass("Robot"), content: ["serial": 7])),
    ]
    var conversion = Conversion(to: .archive)
    conversion.classNames = ["Person": "App.Person"]
    let back = try Archived.value(conversion.convert(Archived.bytes(mixed)).bytes)
    #expect(
      back[0]?.sorted
        == .object(ObjectValue(ObjectClass("App.Person"), content: ["first": "A", "last": "B"])))
    #expect(back[1] == mixed[1])
    // With a schema that is asked for, all have to be of it.
    conversion.reading.schema = .person
    #expect(throws: FerryError.self) { try conversion.convert(Archived.bytes(mixed)) }
  }

  @Test(arguments: [
    "NSString", "NSMutableString", "NSDate", "NSArray", "NSDictionary", "NSURL", "NSColor", "NSObject",
    "NSNumber", "NSDecimalNumber",
  ])
  func `Objects do not get the name of a class with another layout`(_ name: String) throws {
    let people: Value = [.object(ObjectValue(ObjectClass("Person"), content: ["first": "A", "last": "B"]))]
    let bytes = try Archived.bytes(people)
    for schema in [nil, Schema.person] {
      var conversion = Conversion(to: .archive)
      conversion.reading.schema = schema
      conversion.classNames = ["Person": name]
      let error = #expect(throws: FerryError.self) { try conversion.convert(bytes) }
      guard case .archive(.unfitName) = error?.reason else {
        Issue.record("\(error as Any)")
        continue
      }
    }
  }

  @Test func `The class of an app's module is recognized and keeps its module`() throws {
    let people: Value = [
      .object(ObjectValue(ObjectClass("MyApp.Person"), content: ["first": "A", "last": "B"]))
    ]
    let json = try Conversion(to: .json).convert(Archived.bytes(people))
    #expect(String(decoding: json.bytes, as: UTF8.self) == #"[{"firstName":"A","lastName":"B"}]"# + "\n")
    #expect(json.report.losses.isEmpty)
    var conversion = Conversion(to: .archive)
    conversion.reading.schema = .person
    #expect(try Archived.value(conversion.convert(Archived.bytes(people)).bytes).sorted == people.sorted)
  }

  @Test func `A person that occurs twice is one object in an archive`() throws {
    let people: Value = [
      .object(ObjectValue(ObjectClass("Person"), identity: 2, content: ["first": "A", "last": "B"])),
      .reference(2),
    ]
    var conversion = Conversion(to: .archive)
    conversion.reading.schema = .person
    #expect(try Archived.value(conversion.convert(Archived.bytes(people)).bytes).sorted == people.sorted)
    let json = try Conversion(to: .json).convert(Archived.bytes(people)).bytes
    let person = #"{"firstName":"A","lastName":"B"}"#
    #expect(String(decoding: json, as: UTF8.self) == "[\(person),\(person)]\n")
  }
}
