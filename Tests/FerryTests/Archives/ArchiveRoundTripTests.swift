import TestSupport
import Testing

@testable import Ferry

/// The bytes of a binary archive of a value, and the other way round.
enum Archived {
  static func bytes(_ value: Value) throws(FerryError) -> [UInt8] {
    let output = MemoryOutput()
    let writer = ArchiveWriter(
      to: BinaryPropertyListWriter(to: output, sharing: .archiver), keyOrder: .buckets)
    try value.replay(into: writer)
    try writer.finish()
    return output.bytes
  }

  static func value(_ bytes: [UInt8]) throws(FerryError) -> Value {
    let builder = ValueBuilder()
    try ReadingOptions().read(MemoryInput(bytes), into: builder)
    return try builder.result()
  }

  /// Returns the stored form of an archive with these objects after `$null`, of which the first is the root.
  static func stored(_ objects: [Value], top: Value = ["root": .uid(1)]) -> Value {
    [
      "$version": 100_000, "$archiver": "NSKeyedArchiver", "$top": top,
      "$objects": .array(["$null"] + objects),
    ]
  }

  /// Returns a binary archive with these objects after `$null`, of which the first is the root.
  static func file(_ objects: [Value], top: Value = ["root": .uid(1)]) throws(FerryError) -> [UInt8] {
    try PropertyLists.binary(stored(objects, top: top))
  }

  /// The archive as it is stored.
  static func raw(_ bytes: [UInt8]) throws(FerryError) -> Value {
    let builder = ValueBuilder()
    try BinaryPropertyList(bytes).replay(into: builder)
    return try builder.result()
  }
}

extension Value {
  /// The value with the entries of each dictionary sorted by their keys.
  var sorted: Value {
    switch self {
    case .array(let values): return .array(values.map(\.sorted))
    case .object(let object):
      return .object(ObjectValue(object.type, identity: object.identity, content: object.content.sorted))
    case .dictionary(let entries):
      var sorted = KeyedValues()
      for (key, value) in entries.sorted(by: { "\($0.key)" < "\($1.key)" }) { sorted[key] = value.sorted }
      return .dictionary(sorted)
    default: return self
    }
  }
}

@Suite struct `Archives of values` {
  static let mutableString = ObjectClass("NSMutableString", "NSString")
  static let mutableArray = ObjectClass("NSMutableArray", "NSArray")
  static let person = ObjectClass("Person")

  static let values: [Value] = [
    "text", "", "ünï 🎈", 1, -1, 1.5, true, false, .integer(1 << 63), .single(1.5), .data([0, 1, 255]),
    .data([]),
    .date(secondsSince2001: 0.25), [], [:], .set([]), ["a", "a", 1, 1.0, true, .null],
    .set(["x", 2]), ["k": "v", "l": ["m": [1]]],
    .object(ObjectValue(mutableString, content: "changeable")),
    .object(ObjectValue(mutableArray, content: [1, 2])),
    .object(ObjectValue(ObjectClass("NSURL"), content: "https://www.example.org/?q=1")),
    .object(ObjectValue(ObjectClass("NSUUID"), content: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")),
    .object(
      ObjectValue(
        ObjectClass("NSOrderedSet"), content: ["b", "a", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"])),
    .object(
      ObjectValue(
        ObjectClass(name: "App.Thing", chain: ["App.Thing", "Base", "NSObject"], hints: ["Base"]),
        content: ["n": 1, "b": true, "r": 2.5, "s": "s", "nothing": .null, "$odd": "o", "list": [1, "x"]])),
    .unpairedString([0xd800, 0x41]),
  ]

  @Test(arguments: values.indices) func `Every kind of value comes back from an archive`(_ index: Int) throws
  {
    let value = Self.values[index]
    // The keys of an object have no order of their own: they are written in that of a hash table.
    #expect(try Archived.value(Archived.bytes(value)).sorted == value.sorted)
  }

  @Test func `An object that occurs twice is one object and comes back as one`() throws {
    let shared = Value.object(ObjectValue(Self.person, identity: 2, content: ["name": "Ada"]))
    let value: Value = [shared, .reference(2), ["again": .reference(2)]]
    let bytes = try Archived.bytes(value)
    #expect(try Archived.value(bytes) == value)
    let objects = try Archived.raw(bytes)["$objects"]
    #expect(objects?[1]?["NS.objects"]?[0] == objects?[1]?["NS.objects"]?[1])
  }

  @Test func `Cycles come back from an archive`() throws {
    let inner = Value.object(ObjectValue(ObjectClass("Node"), identity: 1, content: ["next": .reference(1)]))
    #expect(try Archived.value(Archived.bytes(inner)) == inner)
    let list = Value.object(ObjectValue(ObjectClass("NSArray"), identity: 1, content: [.reference(1), "x"]))
    #expect(try Archived.value(Archived.bytes(list)) == list)
  }

  @Test func `A reference before its object is written as a reference to it`() throws {
    let value: Value = [
      .reference(9), .object(ObjectValue(Self.person, identity: 9, content: ["name": "Ada"])),
    ]
    let raw = try Archived.raw(Archived.bytes(value))
    #expect(raw["$objects"]?[1]?["NS.objects"] == [.uid(2), .uid(2)])
  }

  @Test func `A reference to an unknown object is refused`() {
    #expect(throws: FerryError(.archive(.unknownIdentity(5)))) { try Archived.bytes([.reference(5)]) }
  }

  @Test func `Objects are numbered as a Mac numbers them`() throws {
    let person = { (first: String, last: String) in
      Value.object(ObjectValue(Self.person, content: ["last": .string(last), "first": .string(first)]))
    }
    let raw = try Archived.raw(Archived.bytes([person("Matt", "Neuburg"), person("Snidely", "Whiplash")]))
    let expected: Value = [
      "$version": 100_000, "$archiver": "NSKeyedArchiver", "$top": ["root": .uid(1)],
      "$objects": [
        "$null", ["NS.objects": [.uid(2), .uid(6)], "$class": .uid(9)],
        ["first": .uid(4), "last": .uid(3), "$class": .uid(5)], "Neuburg", "Matt",
        ["$classname": "Person", "$classes": ["Person", "NSObject"]],
        ["first": .uid(8), "last": .uid(7), "$class": .uid(5)], "Whiplash", "Snidely",
        ["$classname": "NSArray", "$classes": ["NSArray", "NSObject"]],
      ],
    ]
    #expect(raw == expected)
  }

  @Test func `An archive with any byte missing or changed is read or refused`() throws {
    let bytes = try Archived.bytes(.array(Self.values))
    try Damage(to: bytes, change: .replacing([0x00, 0x01, 0x7f, 0x80, 0xff])).check { bytes in
      _ = try Archived.value(bytes)
    }
  }
}
