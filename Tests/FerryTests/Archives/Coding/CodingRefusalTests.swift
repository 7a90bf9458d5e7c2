import Foundation
import TestSupport
import Testing

@testable import Ferry

extension DecodingError {
  /// The error of Ferry's beneath.
  fileprivate var underlying: FerryError? {
    switch self {
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
      .dataCorrupted(let context):
      context.underlyingError as? FerryError
    @unknown default: nil
    }
  }
}

@Suite struct `Refusals of decoding and encoding` {
  struct Person: Codable, Equatable, ArchivedClass {
    static let archivedClassName = "Person"
    var name: String
    var age: UInt8
    var friends: [Person]?
  }

  private static let person: Value = ["$classname": "Person", "$classes": ["Person", "NSObject"]]
  private static let robot: Value = ["$classname": "Robot", "$classes": ["Robot", "NSObject"]]
  private static let array: Value = ["$classname": "NSArray", "$classes": ["NSArray", "NSObject"]]

  /// Returns the error in words: its kind, the coding path, and the underlying error.
  private func refusal<T: Decodable>(
    _ type: T.Type, _ bytes: [UInt8], named name: String = "root"
  ) throws -> (kind: String, path: String, failure: FerryError?) {
    do {
      _ = try KeyedArchiveDecoder().decode(type, named: name, from: bytes)
      return ("none", "", nil)
    } catch let error as DecodingError {
      func told(_ kind: String, _ context: DecodingError.Context) -> (String, String, FerryError?) {
        let path = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }
        let failure = context.underlyingError as? FerryError
        #expect(context.debugDescription == failure?.description)
        return (kind, path.joined(separator: "."), failure)
      }
      switch error {
      case .typeMismatch(_, let context): return told("mismatch", context)
      case .valueNotFound(_, let context): return told("nothing", context)
      case .keyNotFound(_, let context): return told("no key", context)
      case .dataCorrupted(let context): return told("corrupted", context)
      @unknown default: return ("unknown", "", nil)
      }
    }
  }

  @Test func `A decoding error has its kind, its coding path and its reason`() throws {
    typealias Case = (objects: [Value], kind: String, path: String, text: String)
    let cases: [Case] = [
      (
        [["age": 1, "$class": .uid(2)], Self.person], "no key", "",
        #"an object of class Person has no key "name"; its keys are age"#
      ),
      (
        [["name": .uid(3), "age": 300, "$class": .uid(2)], Self.person, "Ada"], "corrupted", "age",
        "UInt8 cannot hold 300 exactly (at age)"
      ),
      (
        [["name": .uid(3), "age": 1.5, "$class": .uid(2)], Self.person, "Ada"], "corrupted", "age",
        "UInt8 cannot hold 1.5 exactly (at age)"
      ),
      (
        [["name": .uid(3), "age": .uid(3), "$class": .uid(2)], Self.person, "Ada"], "mismatch", "age",
        "expected an integer, found a string (at age)"
      ),
      (
        [["name": 7, "age": 1, "$class": .uid(2)], Self.person], "mismatch", "name",
        "expected a string, found an integer (at name)"
      ),
      (
        [["name": .uid(0), "age": 1, "$class": .uid(2)], Self.person], "nothing", "name",
        "expected a string, found nothing (at name)"
      ),
      (
        [["name": .uid(3), "age": 1, "$class": .uid(2)], Self.robot, "Ada"], "mismatch", "",
        "the object is of class Robot, not Person"
      ),
      (["text"], "mismatch", "", "expected an object of class Person, found a string"),
      (
        [
          ["name": .uid(3), "age": 1, "friends": .uid(4), "$class": .uid(2)], Self.person, "Ada",
          ["NS.objects": [.uid(6)], "$class": .uid(5)], Self.array, ["name": .uid(3), "$class": .uid(7)],
          Self.robot,
        ], "mismatch", "friends.[0]", "the object is of class Robot, not Person (at friends[0])"
      ),
      (
        [
          ["name": .uid(3), "age": 1, "friends": .uid(4), "$class": .uid(2)], Self.person, "Ada",
          ["NS.objects": [.uid(1)], "$class": .uid(5)], Self.array,
        ], "corrupted", "friends.[0]",
        "the object contains itself, which a Swift value cannot (at friends[0])"
      ),
      (
        [["name": .uid(77), "age": 1, "$class": .uid(2)], Self.person], "corrupted", "name",
        "a reference to object 77, but the archive has 3 objects (at name)"
      ),
      (
        [["name": .uid(3), "age": 1, "friends": .uid(3), "$class": .uid(2)], Self.person, "Ada"], "mismatch",
        "friends", "expected an array or a set, found a string (at friends)"
      ),
      (
        [["name": .uid(3), "age": 1, "$class": .uid(9)], Self.person, "Ada"], "corrupted", "",
        "a reference to object 9, but the archive has 4 objects"
      ),
      (
        [["name": .uid(3), "age": 1, "$class": .uid(3)], Self.person, "Ada"], "corrupted", "",
        "the object's class is object 3, which is not a class"
      ),
      ([.uid(1)], "corrupted", "", "not a keyed archive: object 1 is a reference"),
    ]
    for (index, expected) in cases.enumerated() {
      let found = try refusal(Person.self, Archived.file(expected.objects))
      #expect(found.kind == expected.kind, "case \(index)")
      #expect(found.path == expected.path, "case \(index)")
      #expect(found.failure?.message == expected.text, "case \(index)")
      #expect(found.failure?.location.byte != nil, "case \(index)")
      #expect(found.failure?.location.object != nil, "case \(index)")
    }
  }

  @Test func `Two keys of an archived dictionary that are equal as strings of Swift are an error`() throws {
    func archive(_ first: Value, _ second: Value) throws -> [UInt8] {
      try Archived.file([
        ["NS.keys": [.uid(3), .uid(4)], "NS.objects": [.uid(5), .uid(6)], "$class": .uid(2)],
        ["$classname": "NSDictionary", "$classes": ["NSDictionary", "NSObject"]], first, second, 1, 2,
      ])
    }
    // The letter é as one character, and as e with an accent.
    let found = try refusal([String: Int].self, archive("\u{E9}", "e\u{301}"))
    #expect(found.kind == "corrupted")
    #expect(found.failure?.message.contains("is equal to one before as String") == true, "\(found)")
    let decoder = KeyedArchiveDecoder()
    #expect(try decoder.decode([String: Int].self, from: archive("a", "b")) == ["a": 1, "b": 2])
    // The first value of a key that occurs twice counts, as in CoreFoundation.
    #expect(try decoder.decode([String: Int].self, from: archive("a", "a")) == ["a": 1])
  }

  @Test func `An error in an XML archive names objects by their numbers`() throws {
    let text = """
      <plist version="1.0"><dict><key>$archiver</key><string>NSKeyedArchiver</string><key>$version</key>
      <integer>100000</integer><key>$top</key><dict><key>root</key><dict><key>CF$UID</key><integer>1</integer></dict>
      </dict><key>$objects</key><array><string>$null</string><dict><key>age</key><integer>1</integer><key>$class</key>
      <dict><key>CF$UID</key><integer>2</integer></dict></dict><dict><key>$classname</key><string>Person</string></dict>
      </array></dict></plist>
      """
    let found = try refusal(Person.self, Array(text.utf8))
    #expect(
      found.failure?.description
        == #"object 1: an object of class Person has no key "name"; its keys are age"#)
  }

  @Test func `A root of another name is decoded if it is asked for`() throws {
    let bytes = try Archived.file(["x", "y"], top: ["first": .uid(1), "second": .uid(2)])
    #expect(
      try refusal(String.self, bytes).failure?.message
        == #"the archive has no root "root"; it has first, second"#)
    #expect(try KeyedArchiveDecoder().decode(String.self, named: "second", from: bytes) == "y")
  }

  @Test(arguments: [
    ("", "the file is empty"), ("{\"a\": 1}", "not a keyed archive: this is json"),
    ("<people/>", "not a keyed archive: this is xml"),
    ("<plist><dict/></plist>", "not a keyed archive: it has no array $objects"),
    ("bplist00", "the file is cut off: it does not end with the trailer of a binary property list"),
    ("GIF89a", "this is a GIF image, which is not supported"),
  ])
  func `Bytes that are not an archive are refused`(_ text: String, _ message: String) throws {
    let found = try refusal(Person.self, Array(text.utf8))
    #expect(found.kind == "corrupted")
    #expect(found.failure?.message == message)
  }

  @Test func `A list that ends early is refused`() throws {
    struct Pair: Decodable {
      init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        _ = (try container.decode(String.self), try container.decode(String.self))
      }
    }
    let found = try refusal(
      Pair.self, Archived.file([["NS.objects": [.uid(3)], "$class": .uid(2)], Self.array, "x"]))
    #expect(found.kind == "nothing")
    #expect(found.path == "[1]")
    #expect(found.failure?.message == "the list has ended: it has 1 element (at [1])")
  }

  @Test
  func `A text that its type does not accept is refused`() throws {
    let text = try Archived.file(["not a UUID"])
    #expect(
      try refusal(UUID.self, text).failure?.message
        == #""not a UUID" is not a valid UUID"#)
    #expect(try refusal(Date.self, text).failure?.message == "expected a date, found a string")
    #expect(try refusal(Data.self, text).failure?.message == "expected data, found a string")
    #expect(try refusal(Decimal.self, text).failure?.message == "expected a number, found a string")
    #expect(try refusal(Bool.self, text).failure?.message == "expected a boolean, found a string")
    #expect(
      try refusal(Float.self, Archived.file([1e300])).failure?.message
        == "Float cannot hold 1e+300: it is too large")
    #expect(
      try refusal(Decimal.self, Archived.file([1e300])).failure?.message
        == "Decimal cannot hold 1e+300 exactly")
    #expect(try refusal(Bool.self, Archived.file([2])).failure?.message == "Bool cannot hold 2 exactly")
  }

  @Test func `A chain of decoded objects is as deep as the budget allows`() throws {
    func chain(_ depth: Int) throws -> [UInt8] {
      var objects: [Value] = (0..<depth).map {
        ["NS.objects": [.uid(UInt64($0) + 2)], "$class": .uid(UInt64(depth) + 2)]
      }
      objects += ["leaf", Self.array]
      return try Archived.file(objects)
    }
    indirect enum Nested: Decodable {
      case leaf, list([Nested])
      init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self =
          (try? container.decode(String.self)) == nil ? .list(try container.decode([Nested].self)) : .leaf
      }
    }
    #expect(throws: Never.self) { try KeyedArchiveDecoder().decode(Nested.self, from: chain(50)) }
    #expect(try refusal(Nested.self, chain(5_000)).failure?.reason == .overBudget(.depth(256)))
    var decoder = KeyedArchiveDecoder()
    decoder.budget.depth = 20
    #expect(throws: DecodingError.self) { try decoder.decode(Nested.self, from: chain(50)) }
  }

  @Test func `A type that decodes itself without end is stopped`() throws {
    struct Endless: Codable {
      init() {}
      init(from decoder: any Decoder) throws {
        self = try decoder.singleValueContainer().decode(Endless.self)
      }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(self)
      }
    }
    #expect(try refusal(Endless.self, Archived.file(["x"])).failure?.reason == .overBudget(.depth(256)))
    #expect(throws: EncodingError.self) { try KeyedArchiveEncoder().encode(Endless()) }
  }

  @Test func `A bomb of shared arrays is decoded for what it weighs`() throws {
    var objects: [Value] = (0..<40).map {
      ["NS.objects": [.uid(UInt64($0) + 2), .uid(UInt64($0) + 2)], "$class": .uid(42)]
    }
    objects += ["leaf", Self.array]
    indirect enum Nested: Decodable {
      case leaf, list([Nested])
      init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self =
          (try? container.decode(String.self)) == nil ? .list(try container.decode([Nested].self)) : .leaf
      }
    }
    try expectProcessorTime(atMost: .seconds(20)) { () throws in
      #expect(
        try refusal(Nested.self, Archived.file(objects)).failure?.reason == .overBudget(.amplification(100)))
    }
  }

  @Test func `A text with many references stays within the budget`() throws {
    let text = Value.string(String(repeating: "x", count: 1 << 20))
    let many = Value.array(Array(repeating: .uid(2), count: 2000))
    let bytes = try Archived.file([["NS.objects": many, "$class": .uid(3)], text, Self.array])
    #expect(try refusal([String].self, bytes).failure?.reason == .overBudget(.amplification(100)))
  }

  @Test func `A chain of bases that leads back to itself is not a URL`() throws {
    let url: Value = ["$classname": "NSURL", "$classes": ["NSURL", "NSObject"]]
    let bytes = try Archived.file([
      ["NS.base": .uid(1), "NS.relative": .uid(3), "$class": .uid(2)], url, "a",
    ])
    #expect(try refusal(URL.self, bytes).failure?.reason == .overBudget(.depth(256)))
  }

  @Test func `A decimal number that has itself as a part is refused`() throws {
    let type: Value = ["$classname": "NSDecimalNumber", "$classes": ["NSDecimalNumber", "NSNumber"]]
    let list: Value = ["NS.objects": [.uid(1)], "$class": .uid(4)]
    for (key, uid) in [("NS.exponent", 1), ("NS.mantissa", 1), ("NS.mantissa", 3)] as [(String, UInt64)] {
      var number = KeyedValues()
      (number["NS.length"], number["$class"], number[key]) = (1, .uid(2), .uid(uid))
      let bytes = try Archived.file([.dictionary(number), type, list, Self.array])
      #expect(try refusal(Decimal.self, bytes).kind == "mismatch")
      #expect(try refusal(Int.self, bytes).kind == "mismatch")
    }
  }

  @Test func `An archive with any byte missing or changed is decoded or refused`() throws {
    struct Small: Codable, Equatable {
      var text = "ü"
      var date = Date(timeIntervalSinceReferenceDate: 1)
      var url = URL(string: "a:b")
      var id = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
      var decimal = Decimal(string: "-1.5")
      var data = Data([1])
      var names = ["k": [1.5]]
      var set: Set<Int> = [1]
      var yes = true
    }
    let bytes = try KeyedArchiveEncoder().encode(Small())
    let decoder = KeyedArchiveDecoder()
    #expect(try decoder.decode(Small.self, from: bytes) == Small())
    try Damage(to: bytes, change: .replacing([0x00, 0x01, 0x7f, 0x80, 0xff])).check { bytes in
      do {
        _ = try decoder.decode(Small.self, from: bytes)
      } catch let error as DecodingError {
        // Foundation's types have errors of their own.
        throw error.underlying ?? Damage.Refusal() as any Error
      }
    }
  }

  /// Returns the error of encoding a value, in words.
  private func text(_ value: some Encodable) -> String? {
    do {
      _ = try KeyedArchiveEncoder().encode(value)
      return nil
    } catch {
      guard case .invalidValue(_, let context)? = error as? EncodingError else { return "another error" }
      return context.debugDescription
    }
  }

  @Test func `A value that cannot be encoded is refused with the reason`() throws {
    struct TwoWays: Encodable {
      enum Keys: CodingKey { case a }
      func encode(to encoder: any Encoder) throws {
        var keyed = encoder.container(keyedBy: Keys.self)
        try keyed.encode(1, forKey: .a)
        var list = encoder.unkeyedContainer()
        try list.encode(2)
      }
    }
    struct Twice: Encodable {
      enum Keys: CodingKey { case a }
      func encode(to encoder: any Encoder) throws {
        var keyed = encoder.container(keyedBy: Keys.self)
        try keyed.encode(1, forKey: .a)
        try keyed.encode(2, forKey: .a)
      }
    }
    struct Silent: Encodable { func encode(to encoder: any Encoder) throws {} }
    #expect(text(["x": TwoWays()])?.contains("in two ways") == true)
    #expect(text([Twice()]) == #"the key "a" is encoded twice (at [0].a)"#)
    #expect(text(Silent()) == "a value of type Silent encodes nothing")
    #expect(text(Int128.max) == "a keyed archive cannot hold the integer \(Int128.max)")
    #expect(text(CodingSamples.Color.red) == nil)
    var deep = CodingSamples.Node("last")
    for index in 0..<300 { deep = CodingSamples.Node("\(index)", next: deep) }
    #expect(text(deep)?.contains("nested deeper than 256 levels") == true)
  }
}
