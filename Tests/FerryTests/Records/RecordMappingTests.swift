import Testing

@testable import Ferry

@Suite struct `Records that break their schema` {
  private func convert(
    _ text: String, _ schema: Schema, to target: Format = .json,
    _ change: (inout Conversion) -> Void = { _ in }
  ) throws(FerryError) -> (text: String, report: Conversion.Report) {
    var conversion = Conversion(to: target)
    conversion.schema = schema
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
    #expect(failure?.position.line == 1)
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
      #expect(failure?.position.line == 2)
      #expect(failure?.position.column == 1)
    } else {
      #expect(failure?.position.line == 1)
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
  }

  @Test func `A record of XML that breaks its schema has its place also if the conversion goes on`() throws {
    let text =
      "<people>\n<person><firstName>A</firstName></person>\n<person><firstName>B</firstName><lastName>C</lastName></person></people>"
    let result = try convert(text, .person) { $0.keepsGoing = true }
    #expect(result.text == #"[{"firstName":"B","lastName":"C"}]"# + "\n")
    #expect(result.report.errors.map(\.position.line) == [2])
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
    conversion.schema = schema
    return try conversion.convert(Array(text.utf8)).bytes
  }

  @Test func `Fields that the schema does not know are carried`() throws {
    let text = #"[{"firstName":"A","nick":"Z","lastName":"B","more":{"a":[1]}}]"#
    var conversion = Conversion(to: .json)
    conversion.schema = .person
    for target in [Format.binaryPropertyList, .archive, .jsonLines] {
      conversion.source = target
      let back = try conversion.convert(json(text, .person, to: target)).bytes
      let value = try Value(reading: MemoryInput(back))
      #expect(value[0]?["nick"] == "Z")
      #expect(value[0]?["more"] == ["a": [1]])
    }
  }

  @Test func `Aliases are read, and defaults are filled in`() throws {
    let schema = Schema(
      name: "dog", collectionElement: "dogs",
      record: RecordType(
        element: "dog", className: "Dog", classAliases: ["OldDog"],
        fields: [
          Field("name", .string, aliases: ["title"]), Field("legs", .integer, defaultValue: 4),
          Field("tag", .uuid, isOptional: true),
        ]))
    let result = String(decoding: try json(#"[{"title":"Rex"}]"#, schema, to: .json), as: UTF8.self)
    #expect(result == #"[{"name":"Rex","legs":4}]"# + "\n")
    let old = Value.object(ObjectValue(ObjectClass("OldDog"), content: ["title": "Rex", "legs": 3]))
    var conversion = Conversion(to: .json)
    conversion.schema = schema
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
    conversion.schema = .person
    #expect(throws: FerryError.self) { try conversion.convert(Archived.bytes(mixed)) }
  }

  @Test func `The class of an app's module is recognized and keeps its module`() throws {
    let people: Value = [
      .object(ObjectValue(ObjectClass("MyApp.Person"), content: ["first": "A", "last": "B"]))
    ]
    let json = try Conversion(to: .json).convert(Archived.bytes(people))
    #expect(String(decoding: json.bytes, as: UTF8.self) == #"[{"firstName":"A","lastName":"B"}]"# + "\n")
    #expect(json.report.losses.isEmpty)
    var conversion = Conversion(to: .archive)
    conversion.schema = .person
    #expect(try Archived.value(conversion.convert(Archived.bytes(people)).bytes).sorted == people.sorted)
  }

  @Test func `A person that occurs twice is one object in an archive`() throws {
    let people: Value = [
      .object(ObjectValue(ObjectClass("Person"), identity: 2, content: ["first": "A", "last": "B"])),
      .reference(2),
    ]
    var conversion = Conversion(to: .archive)
    conversion.schema = .person
    #expect(try Archived.value(conversion.convert(Archived.bytes(people)).bytes).sorted == people.sorted)
    let json = try Conversion(to: .json).convert(Archived.bytes(people)).bytes
    let person = #"{"firstName":"A","lastName":"B"}"#
    #expect(String(decoding: json, as: UTF8.self) == "[\(person),\(person)]\n")
  }
}
