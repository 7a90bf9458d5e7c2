import Ferry
import FerryFoundation
import Foundation
import Testing

@Suite struct `Values of Foundation` {
  static let value: Value = [
    "null": .null, "yes": true, "one": 1, "half": 0.5, "single": .single(0.25), "large": .integer(1 << 63),
    "decimal": .number("1.10"), "text": "é", "data": .data([0, 255]), "date": .date(secondsSince2001: 12.5),
    "list": [1, ["a": "b"]], "empty": [:],
  ]

  @Test func `A value comes back from values of Foundation`() throws {
    let back = try Value(foundation: try Self.value.foundationValue())
    for (key, value) in Self.value.dictionaryValue ?? [:] {
      let expected = key == "decimal" ? 1.1 : value  // Decimal does not keep trailing zeros.
      #expect(back[key.stringValue ?? ""] == expected, "\(key)")
    }
    #expect(back.dictionaryValue?.count == Self.value.dictionaryValue?.count)
  }

  @Test func `JSON and property lists that Foundation has read become the values that Ferry reads`() throws {
    let json = Data(#"{"a":[true,false,0,1,-1,1.5,1e3,18446744073709551615,null,"x",{}],"b":""}"#.utf8)
    let ours = try Value(reading: MemoryInput(Array(json)), named: "a.json")
    let theirs = try Value(foundation: JSONSerialization.jsonObject(with: json))
    // JSONSerialization reads 1e3 as an integer or a real.
    #expect(theirs["a"]?[6]?.doubleValue == 1000)
    var (left, right) = (ours, theirs)
    left["a"]?[6] = nil
    right["a"]?[6] = nil
    #expect(left == right)
    let list = try PropertyListSerialization.data(
      fromPropertyList: try Self.plain.foundationValue(), format: .binary, options: 0)
    let read = try unsafe Value(foundation: PropertyListSerialization.propertyList(from: list, format: nil))
    var sorted: Value = [:]
    let expected = try Value(reading: MemoryInput(Array(list)), named: nil)
    for key in ["data", "date", "half", "list", "one", "text", "yes"] { sorted[key] = expected[key] }
    #expect(read == sorted)
    #expect(JSONSerialization.isValidJSONObject(try (["a": [1, true, .null]] as Value).foundationValue()))
  }

  static let plain: Value = [
    "yes": true, "one": 1, "half": 0.5, "text": "é", "data": .data([0, 255]),
    "date": .date(secondsSince2001: 12.5),
    "list": [1, ["a": "b"]],
  ]

  @Test func `Classes of Foundation and types of Swift become the same values`() throws {
    for value in [1 as Any, NSNumber(value: 1), NSNumber(value: Int8(1)), UInt16(1), Decimal(1)] {
      #expect(try Value(foundation: value) == 1, "\(type(of: value))")
    }
    for value in [true as Any, NSNumber(value: true)] { #expect(try Value(foundation: value) == true) }
    #expect(try Value(foundation: NSNumber(value: 1.0)) == .real(1))
    #expect(try Value(foundation: NSDecimalNumber(string: "2.5")) == 2.5)
    #expect(try Value(foundation: NSString("x")) == "x")
    #expect(try Value(foundation: NSArray(array: [1, "a"])) == [1, "a"])
    #expect(try Value(foundation: NSDictionary(dictionary: ["a": 1])) == ["a": 1])
    #expect(try Value(foundation: NSSet(array: [1])) == .set([1]))
    #expect(try Value(foundation: URL(string: "https://a.b/c") as Any) == "https://a.b/c")
  }

  @Test func `A value without a counterpart is refused with its path`() throws {
    let error = #expect(throws: FerryError.self) { try Value(foundation: ["a": [0, Locale.current]]) }
    #expect(error?.path == "a[1]")
    let other = #expect(throws: FerryError.self) {
      try (["a": [0, .uid(1)]] as Value).foundationValue()
    }
    #expect(other?.path == "a[1]")
    #expect(throws: FerryError.self) { try Value.set([1, 1.0]).foundationValue() }
    #expect(throws: EncodingError.self) {
      try JSONEncoder().encode(Value.dictionary([.unpairedString([0xd800]): 1]))
    }
    let alike: Value = ["\u{e9}": 1, "e\u{301}": 2]
    #expect(throws: FerryError.self) { try alike.foundationValue() }
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(alike) }
    for value in [
      Value.unpairedString([0xd800]), .number("1e400"), .number(String(repeating: "1", count: 60) + ".5"),
    ] {
      #expect(throws: FerryError.self) { try value.foundationValue() }
    }
  }

  @Test func `A scalar is read as a type of Foundation`() throws {
    #expect(Self.value["date"]?.dateValue == Date(timeIntervalSinceReferenceDate: 12.5))
    #expect(Value(Date(timeIntervalSinceReferenceDate: 12.5)) == Self.value["date"])
    #expect(Self.value["data"]?.dataValue == Data([0, 255]))
    #expect(Self.value["decimal"]?.decimalValue == Decimal(string: "1.10"))
    #expect(Value.string("1").decimalValue == nil)
  }

  @Test func `An error has its source location in its localized description`() {
    let error = #expect(throws: FerryError.self) {
      try Value(reading: MemoryInput(Array("{".utf8)), named: "a.json")
    }
    #expect(error?.localizedDescription.hasPrefix("1:2: ") == true, "\(error?.localizedDescription ?? "")")
  }
}

@Suite struct `Values in other coders` {
  struct Person: Codable, Equatable {
    var first: String
    var age: Int
    var extra: Value
  }

  let text = #"{"first":"Ada","age":36,"extra":{"a":[1,1.5,true,null,"x",{}]}}"#

  @Test func `JSONDecoder and JSONEncoder decode and encode a value`() throws {
    let person = try JSONDecoder().decode(Person.self, from: Data(text.utf8))
    #expect(person.extra == ["a": [1, 1.5, true, .null, "x", [:]]])
    let large: Value = .array([.integer(1 << 64), .integer(.max), .integer(.min)])
    #expect(try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(large)) == large)
    #expect(try JSONDecoder().decode(Value.self, from: Data("[1e30]".utf8)) == [.real(1e30)])
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(
      String(decoding: try encoder.encode(person), as: UTF8.self)
        == #"{"age":36,"extra":{"a":[1,1.5,true,null,"x",{}]},"first":"Ada"}"#)
    #expect(throws: EncodingError.self) { try encoder.encode(Value.uid(1)) }
    #expect(throws: EncodingError.self) { try encoder.encode(Value.number("1e400")) }
  }

  @Test(arguments: [Format.json, .binaryPropertyList, .archive, .yaml])
  func `A value inside a type comes back from a format`(_ format: Format) throws {
    let person = Person(first: "Ada", age: 36, extra: ["a": [1, 1.5, true, "x", [:]], "b": .data([1, 2])])
    let bytes = try FerryEncoder(to: format).encode(person)
    let back = try FerryDecoder().decode(Person.self, from: bytes, named: "a.\(format.extensions[0])")
    #expect(back.first == "Ada")
    #expect(back.extra["a"] == person.extra["a"])
    if format != .json { #expect(back.extra["b"] == person.extra["b"]) }
  }

  @Test func `A type becomes a value and comes back`() throws {
    let person = Person(first: "Ada", age: 36, extra: .date(secondsSince2001: 1))
    let value = try Value(encoding: person)
    #expect(value == ["first": "Ada", "age": 36, "extra": .date(secondsSince2001: 1)])
    #expect(try value.decoded(as: Person.self) == person)
    #expect(try Value(encoding: [URL(string: "https://a.b")]) == ["https://a.b"])
    #expect(throws: DecodingError.self) { try (["first": 1] as Value).decoded(as: Person.self) }
  }

  @Test func `Shared objects of several values stay apart in an archive`() throws {
    let shared = Value.array([
      .object(ObjectValue(ObjectClass("Node"), identity: 1, content: ["n": 1])), .reference(1),
    ])
    let other = Value.array([
      .object(ObjectValue(ObjectClass("Node"), identity: 1, content: ["n": 2])), .reference(1),
    ])
    let bytes = try KeyedArchiveEncoder().encode([shared, other])
    let back = try FerryDecoder().decode(Value.self, from: bytes)
    #expect(back[0]?[1]?["n"] == 1)
    #expect(back[1]?[1]?["n"] == 2)
  }

  @Test func `Numbers of shared objects that are too large are refused`() {
    #expect(throws: EncodingError.self) { try FerryEncoder(to: .json).encode(Value.reference(.max)) }
    #expect(throws: EncodingError.self) { try FerryEncoder(to: .archive).encode(Value.reference(-1)) }
  }

  @Test func `A decoder of Ferry gives a type's initializer the value as it is`() throws {
    struct Wrapper: Decodable {
      let value: Value
      init(from decoder: any Decoder) throws { value = try Value(from: decoder) }
    }
    let xml = try FerryDecoder().decode(Wrapper.self, from: Array("<p><n>1</n><n>2</n></p>".utf8))
    #expect(xml.value == ["n": ["1", "2"]])
    let date = Value.object(ObjectValue(ObjectClass("X"), content: .date(secondsSince2001: 1)))
    #expect(try date.decoded(as: Wrapper.self).value == date)
  }
}
