import Ferry
import TestSupport
import Testing

@Suite struct `Parts of a value` {
  let person: Value = ["first": "Ada", "age": 36, "tags": ["math", "poetry"]]

  @Test func `Entries and elements are set, added and removed by subscripts`() {
    var value = person
    value["age"] = 37
    value["title"] = "Countess"
    value["first"] = nil
    value["tags"]?[0] = "mathematics"
    value["tags"]?[2] = "engines"
    value["tags"]?[1] = nil
    #expect(value == ["age": 37, "tags": ["mathematics", "engines"], "title": "Countess"])
    var empty = Value.null
    empty["a"] = 1
    #expect(empty == ["a": 1])
    var object = Value.object(ObjectValue(ObjectClass("Person"), content: person))
    object["age"] = 37
    #expect(object["age"] == 37)
    #expect(object.typeName == "Person")
  }

  @Test func `A path selects a key with an unpaired surrogate by its escape`() throws {
    var value = Value.dictionary([.unpairedString([0xdc00, 0x6b]): [1]])
    value[path: #"["\udc00k"][0]"#] = 2
    value[path: #"["\ud800"]"#] = true
    value[path: #"["\\ud83d\\ude00"]"#] = "a key of twelve characters"
    #expect(value[path: #"["\udc00k"]"#] == [2])
    #expect(
      value
        == .dictionary([
          .unpairedString([0xdc00, 0x6b]): [2], .unpairedString([0xd800]): true,
          #"\ud83d\ude00"#: "a key of twelve characters",
        ]))
    let error = #expect(throws: FerryError.self) { try value.value(at: "x") }
    #expect(error?.message.contains(#"the keys are "\udc00k", "\ud800", "#) == true)
    value[path: #"["\udc00k"]"#] = nil
    #expect(value.dictionaryValue?.count == 2)
    value[path: #"["\ud800\\uDFFF"]"#] = 3
    #expect(value.dictionaryValue?[.unpairedString([0xd800] + Array(#"\uDFFF"#.utf16))] == 3)
  }

  @Test func `An assignment to a part that a value cannot have has no effect`() {
    var text: Value = "text"
    text["a"] = 1
    text[0] = 1
    text[path: "a.b"] = 1
    #expect(text == "text")
    var list: Value = [1]
    list[2] = 3
    list[-1] = 3
    list[5] = nil
    list[path: "[7]"] = 1
    #expect(list == [1])
  }

  @Test func `A scalar is read as a type of Swift, exactly or not at all`() {
    #expect(person["first"]?.stringValue == "Ada")
    #expect(person["age"]?.intValue == 36)
    #expect(person["age"]?.doubleValue == 36)
    #expect(person["age"]?.stringValue == nil)
    #expect(Value.real(36).intValue == 36)
    #expect(Value.real(36.5).intValue == nil)
    #expect(Value.number("3.60").doubleValue == 3.6)
    #expect(Value.number("1e400").doubleValue == nil)
    #expect(Value.integer(300).integerValue(as: UInt8.self) == nil)
    #expect(Value.integer(Int128(UInt64.max)).integerValue(as: UInt64.self) == UInt64.max)
    #expect(Value.integer(1 << 62 + 1).doubleValue == nil)
    #expect(Value.boolean(true).boolValue == true)
    #expect(Value.boolean(true).intValue == nil)
    #expect(Value.string("36").intValue == nil)
    #expect(Value.data([1]).bytesValue == [1])
    #expect(Value.date(secondsSince2001: 5).secondsSince2001 == 5)
    #expect(person["tags"]?.arrayValue == ["math", "poetry"])
    #expect(person.dictionaryValue?.count == 3)
    #expect(Value.null.isNull)
    #expect(Value.object(ObjectValue(ObjectClass("NSString"), content: "x")).stringValue == "x")
  }

  @Test func `Entries are a collection in order`() {
    guard let entries = person.dictionaryValue else { return #expect(Bool(false)) }
    #expect(entries.map(\.key) == ["first", "age", "tags"])
    #expect(entries[1].value == 36)
    #expect(entries.last?.key == "tags")
    #expect(entries.index(forKey: "age") == 1)
    #expect(entries.reversed().map(\.key) == ["tags", "age", "first"])
    #expect(Array(entries.indices) == [0, 1, 2])
  }

  @Test(
    arguments: [
      ("people[0].first", "Ada"), ("people[-1].first", "Grace"), ("people[first=Grace].age", 85),
      ("people.1.first", "Grace"), ("count", 2), ("people[5].first", nil), ("people[*].first", nil),
      ("count.x", nil), ("people[]", nil), ("people[age=1].first", nil),
      ("people[age>36].first", "Grace"), ("people[first!=Ada].age", 85), ("people[age>=36].first", nil),
      ("people[age=36.0].first", "Ada"),
    ] as [(String, Value?)])
  func `A part is read by its path`(_ path: String, _ expected: Value?) throws {
    let value: Value = [
      "people": [["first": "Ada", "age": 36], ["first": "Grace", "age": 85]], "count": 2,
    ]
    #expect(try value[path: ValuePath(parsing: path)] == expected)
    #expect((try? value.value(at: ValuePath(parsing: path))) == expected)
  }

  @Test func `Parts are set, inserted and removed by paths`() throws {
    var value: Value = ["people": [["first": "Ada"]]]
    value[path: "people[0].age"] = 36
    value[path: "people[]"] = ["first": "Grace"]
    value[path: "people[first=Grace].age"] = 85
    #expect(value == ["people": [["first": "Ada", "age": 36], ["first": "Grace", "age": 85]]])
    try value.insert(["first": "Mary"], at: "people[0]")
    try value.insert(["first": "Emmy"], at: "people[3]")
    try value.set(37, at: "people[1].age")
    try value.remove(at: "people[2]")
    #expect(value == ["people": [["first": "Mary"], ["first": "Ada", "age": 37], ["first": "Emmy"]]])
    try value.set("x", at: "")
    #expect(value == "x")
  }

  @Test(
    arguments: [
      ("people[3].first", "no element [3] here: the list has 1 element, [0]", "people"),
      ("people[0].last", "no key \"last\" here; the keys are \"first\"", "people[0]"),
      ("people[0].first.x", "no key \"x\" here: this is a string", "people[0].first"),
      ("people[*].first", "the path leads to several values, but one is needed", "people"),
    ])
  func `An error names the part that exists, and the value stays`(
    _ path: String, _ message: String, _ place: String
  ) throws {
    let value: Value = ["people": [["first": "Ada"]]]
    let path = try ValuePath(parsing: path)
    var changed = value
    for result in [
      Result { () throws(FerryError) in _ = try value.value(at: path) },
      Result { () throws(FerryError) in try changed.set(1, at: path) },
      Result { () throws(FerryError) in try changed.remove(at: path) },
    ] {
      guard case .failure(let error) = result else { return #expect(Bool(false), "\(path)") }
      #expect(error.reason.description == message)
      #expect(error.path.description == place)
    }
    #expect(changed == value)
  }

  @Test func `An entry is inserted only if its key is new`() {
    var value = person
    let error = #expect(throws: FerryError.self) { try value.insert(1, at: "age") }
    #expect(error?.reason == .path(.exists("age")))
    #expect(throws: FerryError.self) { try value.insert(1, at: "first.x") }
    #expect(throws: FerryError.self) { try value.insert(1, at: "") }
    #expect(throws: FerryError.self) { try value.remove(at: "") }
    #expect(value == person)
  }

  @Test func `A change deep in a large value copies no collection`() throws {
    var value: Value = ["rows": .array(Array(repeating: ["n": 0], count: 100_000))]
    // A copy of the list for each change would take 10¹⁰ steps.
    try expectProcessorTime(atMost: .seconds(20)) {
      for index in 0..<100_000 {
        try value.set(.integer(Int128(index)), at: ValuePath([.key("rows"), .index(index), .key("n")]))
      }
    }
    #expect(value[path: "rows[99999].n"] == 99_999)
    expectProcessorTime(atMost: .seconds(20)) {
      for index in 0..<100_000 { value["rows"]?[index]?["n"] = 7 }
    }
    #expect(value[path: "rows[99999].n"] == 7)
    try expectProcessorTime(atMost: .seconds(20)) {
      for _ in 0..<100_000 { try value.insert(8, at: ValuePath([.key("rows"), .end])) }
    }
    #expect(value[path: "rows[199999]"] == 8)
  }

  @Test func `A value is described as a tree`() {
    #expect(
      person.description == #"{ first: "Ada", age: 36, tags: ["math", "poetry"] }"#, "\(person.description)")
    #expect(Value.null.description == "null")
  }
}

extension Value {
  fileprivate var typeName: String? { if case .object(let object) = self { object.type.name } else { nil } }
}
