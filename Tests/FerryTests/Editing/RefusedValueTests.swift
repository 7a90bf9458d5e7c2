import Foundation
import TestSupport
import Testing

@testable import Ferry

/// A change of an archived object that no program could read.
private struct BadValue: Sendable, CustomTestStringConvertible {
  let type: String
  /// The object before the edit.
  let good: Value
  let path: String
  let text: String
  var valueType: TextType? = .json
  var representation = Representation.plain
  var testDescription: String { "\(type) \(path) \(text)" }

  init(
    _ type: String, _ good: Value, _ path: String, _ text: String, _ valueType: TextType? = .json,
    representation: Representation = .plain
  ) {
    (self.type, self.good, self.path, self.text) = (type, good, path, text)
    (self.valueType, self.representation) = (valueType, representation)
  }

  /// An archive of a dictionary in which the object is `x`.
  func archive() throws -> [UInt8] {
    let known = ClassCatalog.standard.type(named: type) ?? ObjectClass(type)
    return try Archived.bytes(["x": .object(ObjectValue(known, content: good)), "other": "text"])
  }

  private static let runs: Value = [
    "string": "Hello",
    "runs": [["length": 2, "attributes": ["a": 1]], ["length": 3, "attributes": ["b": 2]]],
  ]
  private static let ranges: Value = [["location": 3, "length": 4], ["location": 300, "length": 1]]
  private static let interval: Value = [
    "start": .date(secondsSince2001: 5), "end": .date(secondsSince2001: 9),
  ]
  private static let pattern: Value = ["pattern": "a(b)*", "options": 0]
  private static let calendar: Value = [
    "identifier": "gregorian", "firstWeekday": 1, "minimumDaysInFirstWeek": 1,
  ]
  private static let ink: Value = ["color": "#FF8000FF", "colorSpace": "deviceRGB"]
  private static let uuid: Value = "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
  private static let bitmap: Value = .data([UInt8](repeating: 1, count: 8192))

  static let all: [BadValue] = [
    BadValue("NSURL", "https://a.org", "x", "//a b", nil), BadValue("NSURL", "https://a.org", "x", "", nil),
    BadValue("NSURL", "https://a.org", "x", "100%", nil), BadValue("NSURL", "https://a.org", "x", "1:2", nil),
    BadValue("NSURL", "https://a.org", #"x["NS.relative"]"#, "http://[::1", nil),
    BadValue("NSUUID", uuid, "x", "123", nil), BadValue("NSUUID", uuid, #"x["NS.uuidbytes"]"#, "AAEC", nil),
    BadValue("NSDecimalNumber", .number("2.20"), "x", "1e400", nil),
    BadValue("NSDecimalNumber", .number("2.20"), #"x["NS.mantissa"]"#, "AAEC", nil),
    BadValue("NSAttributedString", runs, "x.runs[0].length", "3", nil),
    BadValue("NSAttributedString", runs, "x.runs[0].length", "0", nil),
    BadValue("NSAttributedString", runs, "x.runs[1].attributes", "5"),
    BadValue("NSAttributedString", runs, "x.string", "5"),
    BadValue("NSMutableAttributedString", runs, "x.NSAttributeInfo", "AAEC", nil),
    BadValue("NSIndexSet", ranges, "x[0].length", "0", nil),
    BadValue("NSIndexSet", ranges, "x[1].location", "5", nil),
    BadValue("NSIndexSet", ranges, "x[0].location", "-1", nil),
    BadValue("NSIndexPath", [1, 2], "x[0]", "-1", nil),
    BadValue("NSCountedSet", [["object": "a", "count": 1]], "x[0].count", "0", nil),
    BadValue("NSCountedSet", [["object": "a", "count": 1]], "x[0].count", "-1", nil),
    BadValue("NSCountedSet", [["object": "a", "count": 1]], #"x["NS.count0"]"#, "0", nil),
    BadValue(
      "NSCountedSet", [["object": "a", "count": 1], ["object": "b", "count": 1]], "x[1].object", "a", nil),
    BadValue("NSCharacterSet", ["range": ["location": 1, "length": 2]], "x.range.length", "2000000", nil),
    BadValue("NSCharacterSet", ["name": "letters"], "x.name", "runes", nil),
    BadValue("NSCharacterSet", ["bitmap": bitmap], "x.bitmap", "AAEC", nil),
    BadValue("NSValue", ["location": 1, "length": 2], "x.length", "-1", nil),
    BadValue("NSValue", ["x": 1, "y": 2], "x.x", "1e999", .json),
    BadValue("NSDateInterval", interval, "x.end", "2001-01-01T00:00:01Z", nil),
    BadValue("NSDateInterval", interval, "x.end", "soon", .string),
    BadValue("NSTimeZone", ["name": "Europe/Paris"], "x.name", "", nil),
    BadValue("NSTimeZone", ["name": "Europe/Paris"], "x.name", "5"),
    BadValue("NSCalendar", calendar, "x.identifier", "My Calendar", nil),
    BadValue("NSCalendar", calendar, "x.firstWeekday", "8", nil),
    BadValue("NSRegularExpression", pattern, "x.pattern", "a(b", nil),
    BadValue("NSRegularExpression", pattern, "x.pattern", "*a", nil),
    BadValue("NSRegularExpression", pattern, "x.pattern", #"a\"#, nil),
    BadValue("NSRegularExpression", pattern, "x.pattern", "[a", nil),
    BadValue("NSColor", ink, "x", "red", nil), BadValue("NSColor", ink, "x", "#1 2 0 1", nil),
    BadValue("NSColor", ink, "x.colorSpace", "plaid", nil), BadValue("NSColor", ink, "x.NSRGB", "AAEC", nil),
    BadValue("NSFont", ["name": "Times", "size": 12.0, "flags": 16], "x.name", "5"),
    BadValue("NSError", ["domain": "a", "code": 1], "x.domain", "5"),
    BadValue("NSMeasurement", ["value": 1.0, "unit": "m"], "x.value", "much", nil),
    BadValue("Person", ["name": "Ada"], "x.$class", "5"),
    BadValue("Person", ["name": "Ada"], "x.$class", "5", nil),
    BadValue("Person", ["name": "Ada"], "x.$class.$classname", "5"),
    BadValue("Person", ["name": "Ada"], "x.$class.$classname", "Human", nil),
    BadValue("Person", ["name": "Ada"], "x", #"{"$class": "NSURL", "NS.relative": 5}"#),
    BadValue("Person", ["name": "Ada"], "x", #"{"$class": "NSColor", "color": "red"}"#),
    BadValue("NSSet", .set(["a", "b"]), "x[1]", "a", nil), BadValue("NSSet", .set([1, 2]), "x[1]", "1.0"),
    BadValue("NSMutableSet", .set(["a", "b"]), "x", #"["a", "a"]"#),
    BadValue("Person", ["name": "Ada"], "x", #"{"$set": ["a", "a"]}"#, .typed),
    BadValue("NSDictionary", ["a": 1, "b": 2], #"x["NS.keys"][1]"#, "a", nil),
    BadValue("Person", ["name": "Ada"], "x", #"{"$class": "NSArray", "NS.objects": 5}"#),
    BadValue("Person", ["name": "Ada"], "x", #"{"$class": "NSMutableArray"}"#),
    BadValue("Person", ["name": "Ada"], "x", #"{"$class": "NSArray", "$items": {"a": 1}}"#),
    BadValue("Person", ["name": "Ada"], "x", #"{"$class": "NSSet", "NS.objects": ["b", "b"]}"#),
    BadValue("Person", ["name": "Ada"], "x", #"{"$class": "NSOrderedSet", "NS.object.0": "b"}"#),
    BadValue(
      "Person", ["name": "Ada"], "x", #"{"$class": "NSDictionary", "NS.keys": ["k"], "NS.objects": []}"#),
    BadValue("Person", ["name": "Ada"], "x", #"{"$class": "NSMutableDictionary", "NS.keys": ["k"]}"#, .typed),
    BadValue("NSArray", ["a"], "x", #"{"$class": "NSDictionary", "NS.keys": ["k"], "NS.objects": []}"#),
    BadValue("NSArray", ["a"], "x", #"[{"$class": "NSSet", "NS.objects": 1}]"#),
    BadValue("NSArray", ["a"], "$objects[3][\"NS.objects\"]", "5", representation: .raw),
    BadValue("Person", ["name": "Ada"], "$objects[0]", "nothing", nil, representation: .raw),
    BadValue("Person", ["name": "Ada"], "$top.root", #"{"CF$UID": 99}"#, representation: .raw),
    BadValue("Person", ["name": "Ada"], "$top.root", "x", nil, representation: .raw),
    BadValue("Person", ["name": "Ada"], "$objects", "5", representation: .raw),
    BadValue("Person", ["name": "Ada"], "$archiver", "5", representation: .raw),
    BadValue("Person", ["name": "Ada"], "$version", "5", representation: .raw),
    BadValue("Person", ["name": "Ada"], "$objects[1].$class", "5", representation: .raw),
    BadValue("Person", ["name": "Ada"], "$objects[1].$class", #"{"CF$UID": 0}"#, representation: .raw),
    BadValue("Person", ["name": "Ada"], "$objects[2]", "$null", nil, representation: .raw),
    BadValue("Person", ["name": "Ada"], "$objects[2]", #"{"CF$UID": 3}"#, representation: .raw),
  ]
}

@Suite struct `Edits that no program could read` {
  @Test(
    arguments: BadValue.all)
  fileprivate func `A value that no program could read is refused, and nothing is changed`(_ bad: BadValue)
    throws
  {
    let bytes = try bad.archive()
    var options = EditableFile.Options()
    options.representation = bad.representation
    let file = try EditableFile(bytes, options: options)
    #expect(throws: FerryError.self) {
      try file.set(text: bad.text, as: bad.valueType, at: ValuePath(parsing: bad.path))
    }
    #expect(try file.bytes() == bytes)
    // The file can still be edited.
    if bad.representation == .plain {
      try file.set(text: "new", at: ValuePath(parsing: "other"))
      #expect(try Edited.value(file.bytes(), "other") == "new")
    }
  }

  private static let others: [(type: String, content: Value, json: [String])] = [
    ("NSDecimalNumber", .number("2.20"), [#"{"a":1}"#, "[]", "{}", #""x""#, "null", "true"]),
    ("NSURL", "https://a.org", [#"{"a":1}"#, "[]", "{}", "null", "true", "5"]),
    ("NSUUID", "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", [#"{"a":1}"#, "[]", "{}", "null", "true", "5"]),
    ("NSLocale", "de_DE", [#"{"a":1}"#, "[]", "{}", "5"]),
    ("NSIndexSet", [["location": 3, "length": 4]], [#"{"a":1}"#, "{}", #""x""#, "5"]),
    ("NSValue", ["x": 1, "y": 2], ["[]", "{}", #""x""#, "5"]),
  ]

  @Test(arguments: others.indices) func `JSON of another kind replaces an object of a known class`(
    _ index: Int
  )
    throws
  {
    let (name, content, texts) = Self.others[index]
    let type = ClassCatalog.standard.type(named: name) ?? ObjectClass(name)
    let bytes = try Archived.bytes(["x": .object(ObjectValue(type, content: content))])
    for text in texts {
      let patched = try EditableFile(bytes)
      let patch = #"[{"op":"replace","path":"/x","value":\#(text)}]"#
      try patched.apply(JSONPatch(Array(patch.utf8)))
      for edited in [try Edited.set(bytes, "x", text, as: .json), try patched.bytes()] {
        let output = MemoryOutput()
        _ = try EditableFile(edited).write(
          [ValuePath(parsing: "x")], as: WritingOptions(to: .json), to: output)
        #expect(String(decoding: output.bytes, as: UTF8.self) == "\(text)\n", "\(name)")
      }
    }
  }

  @Test(
    arguments: [
      ("NSUUID", "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", #""x""#),
      ("NSIndexSet", [["location": 3, "length": 4]], "[true]"),
      ("NSValue", ["x": 1, "y": 2], #"{"a":1}"#), ("NSValue", ["x": 1, "y": 2], #"{"x":"a","y":1}"#),
    ] as [(String, Value, String)])
  func `JSON of the kind of an object that its class cannot have is refused in one form`(
    _ name: String, _ content: Value, _ text: String
  ) throws {
    let type = ClassCatalog.standard.type(named: name) ?? ObjectClass(name)
    let bytes = try Archived.bytes(["x": .object(ObjectValue(type, content: content))])
    let (problem, path) = try Edited.problem { _ = try Edited.set(bytes, "x", text, as: .json) }
    #expect(
      problem.description.hasPrefix("cannot put this value here: this is not a value for an \(name)")
        && path == "x", "\(problem)")
  }

  @Test func `A reference of the raw form is refused as JSON for a value of an archive`() throws {
    let bytes = try Edited.archive()
    for path in ["people[1]", "people[1].name", "saved"] {
      for json in [#"{"CF$UID": 3}"#, #"[{"a": {"CF$UID": 3}}]"#] {
        let file = try EditableFile(bytes)
        let error = #expect(throws: FerryError.self) {
          try file.set(text: json, as: .json, at: ValuePath(parsing: path))
        }
        #expect(error?.reason == .archive(.rawReference))
        #expect(try file.bytes() == bytes)
      }
    }
    let error = #expect(throws: FerryError.self) {
      try Edited.insert(bytes, "people[]", #"{"CF$UID": 3}"#, as: .json)
    }
    #expect(error?.reason == .archive(.rawReference))
  }

  @Test func `A value that no program could read is refused by an insertion`() throws {
    let bytes = try Archived.bytes(["set": .set(["a"]), "list": ["a"]])
    for path in ["set[]", "set[0]"] {
      #expect(throws: FerryError.self) { _ = try Edited.insert(bytes, path, "a") }
    }
    #expect(try Edited.value(Edited.insert(bytes, "list[]", "a"), "list") == ["a", "a"])
    var options = EditableFile.Options()
    options.representation = .raw
    let file = try EditableFile(bytes, options: options)
    #expect(throws: FerryError.self) { try file.remove(at: ValuePath(parsing: "$objects[2]")) }
    #expect(throws: FerryError.self) { try file.insert("x", at: ValuePath(parsing: "$objects[1]")) }
    #expect(throws: FerryError.self) { try file.remove(at: ValuePath(parsing: "$objects[-1]")) }
    try file.insert("x", at: ValuePath(parsing: "$objects[]"))
    try file.remove(at: ValuePath(parsing: "$objects[-1]"))
    #expect(try file.bytes() == bytes)
  }

  @Test(
    arguments: [
      ("Hi", [2]), ("H", [1]), ("Hello", [2, 3]), ("Hello you", [2, 7]), ("\u{1F600}x", [2, 1]), ("", []),
    ] as [(String, [Int])])
  func `Runs that do not fit a new text are mended`(text: String, lengths: [Int]) throws {
    let runs: Value = [
      ["length": 2, "attributes": ["a": 1]], ["length": 3, "attributes": ["b": 2]],
    ]
    let type = ObjectClass("NSAttributedString")
    let bytes = try Archived.bytes([
      "x": .object(ObjectValue(type, content: ["string": "Hello", "runs": runs]))
    ])
    for path in ["x.string", "x.NSString"] {
      let edited = try Edited.set(bytes, path, text)
      #expect(try Edited.value(edited, "x.string") == .string(text))
      let found = try? Edited.value(edited, "x.runs[*].length")
      #expect(found ?? [] == .array(lengths.map { .integer(Int128($0)) }))
      let unarchiver = try NSKeyedUnarchiver(forReadingFrom: Data(edited))
      unarchiver.requiresSecureCoding = false
      let root = unarchiver.decodeObject(forKey: "root") as? NSDictionary
      #expect((root?["x"] as? NSAttributedString)?.string == text)
    }
  }

  @Test func `A text replaces an NSNull`() throws {
    let null = Value.object(ObjectValue(ObjectClass("NSNull"), content: .null))
    let bytes = try Archived.bytes(["a": null, "b": [null, "x"]])
    for path in ["a", "b[0]"] {
      #expect(try Edited.value(Edited.set(bytes, path, "abc"), path) == "abc")
    }
  }

  @Test func `A text that means nil becomes an object of its own`() throws {
    let bytes = try Archived.bytes(["a": "x", "b": "$null"])
    let edited = try Edited.set(bytes, "a", "$null")
    for archive in [bytes, edited] {
      #expect(try Edited.value(archive, "b") == "$null")
      let unarchiver = try NSKeyedUnarchiver(forReadingFrom: Data(archive))
      unarchiver.requiresSecureCoding = false
      let root = unarchiver.decodeObject(forKey: "root") as? NSDictionary
      #expect(root?["b"] as? String == "$null")
    }
    #expect(try Edited.value(edited, "a") == "$null")
  }

  @Test func `An object that had a flaw before can be edited`() throws {
    let type = ObjectClass("NSMutableSet", "NSSet")
    let bytes = try Archived.bytes(["x": .object(ObjectValue(type, content: .set(["a", "a", "b"])))])
    #expect(try Edited.value(Edited.set(bytes, "x[2]", "c"), "x[2]") == "c")
  }

  @Test func `A collection is set to JSON that names its class, and Foundation decodes it`() throws {
    let collections: [(String, NSObject)] = [
      (#"{"$class": "NSMutableDictionary", "$entries": {"a": 1}}"#, NSDictionary(dictionary: ["a": 1])),
      (#"{"$class": "NSMutableDictionary", "a": 1}"#, NSDictionary(dictionary: ["a": 1])),
      (#"{"$class": "NSMutableArray", "$items": ["a", 1]}"#, NSArray(array: ["a", 1])),
      (#"{"$class": "NSMutableSet", "$items": ["a"]}"#, NSSet(array: ["a"])),
      (#"{"$class": "NSMutableOrderedSet", "$items": ["a", 1]}"#, NSOrderedSet(array: ["a", 1])),
      (#"["a", {"a": 1}]"#, NSArray(array: ["a", ["a": 1]])),
    ]
    for (json, expected) in collections {
      // The new value contains the old one, whose object it takes.
      let bytes = try Edited.set(Archived.bytes(["x": "a", "other": "text"]), "x", json, as: .json)
      let unarchiver = try NSKeyedUnarchiver(forReadingFrom: Data(bytes))
      unarchiver.requiresSecureCoding = false
      let root = unarchiver.decodeObject(forKey: "root") as? NSDictionary
      #expect(root?["x"] as? NSObject == expected, "\(json)")
    }
  }

  @Test func `A part of a decoded form is not removed from its object`() throws {
    let text: Value = ["string": "ab", "runs": [["length": 2, "attributes": ["a": 1]]]]
    let bytes = try Archived.bytes([
      "x": .object(ObjectValue(ObjectClass("NSAttributedString"), content: text))
    ])
    for part in ["string", "runs"] {
      let (problem, place) = try Edited.problem { _ = try Edited.remove(bytes, "x.\(part)") }
      #expect(place == "x")
      #expect(
        problem.description == "cannot remove this: it is a part of an object of the class "
          + "NSAttributedString (set gives it another value)")
    }
  }

  @Test func `A set is refused in a property list that has none`() throws {
    func list(_ value: Value) throws -> [UInt8] {
      let output = MemoryOutput()
      let writer = BinaryPropertyListWriter(to: output)
      try value.replay(into: writer)
      try writer.finish()
      return output.bytes
    }
    for path in ["a", "b[0]"] {
      let file = try EditableFile(list(["a": [1], "b": [2]]))
      let before = try file.bytes()
      #expect(throws: FerryError.self) {
        try file.set(text: #"{"$set": [1]}"#, as: .json, at: ValuePath(parsing: path))
      }
      #expect(throws: FerryError.self) { try file.insert(.set([1]), at: ValuePath(parsing: "c")) }
      #expect(try file.bytes() == before)
    }
    let known = try list(["a": .set([1]), "b": 2])
    #expect(try Edited.value(Edited.set(known, "b", #"{"$set": [3]}"#, as: .json), "b") == .set([3]))
  }
}

@Suite struct `Members of a set that Foundation takes for equal` {
  private static let equals = [
    #"["b"],["b"]"#, #"{"k":1,"l":[2]},{"l":[2],"k":1}"#, #"[],[]"#, #"[{"k":1}],[{"k":1.0}]"#,
  ]
  private static let different = [
    #"["b"],["c"]"#, #"{"k":1},{"k":2}"#, #"["b"],{"b":"b"}"#, #"["a","b"],["b","a"]"#,
  ]

  private static func set(_ members: String) throws -> [UInt8] {
    let archive = try Archived.bytes([
      "s": .object(ObjectValue(ObjectClass("NSMutableSet", "NSSet"), content: .set([])))
    ])
    return try Edited.set(archive, "s", "[\(members)]", as: .json)
  }

  @Test(arguments: equals) func `Equal collections are refused`(_ members: String) {
    #expect {
      try Self.set(members)
    } throws: { error in
      "\(error)".contains("a set has each value once, and [0] and [1] are equal")
    }
  }

  @Test(arguments: different) func `Other collections are members`(_ members: String) throws {
    let value = try EditableFile(Self.set(members)).value(at: ValuePath(parsing: "s"))
    guard case .object(let object) = value, case .set(let found) = object.content else {
      throw FerryError(.archive(.malformed("no set")))
    }
    #expect(found.count == 2)
  }

  @Test func `The time of an edit grows with the number of sets that contain each other`() throws {
    let count = 200
    let classes = 3 * count + 1
    func list(_ members: [Int], class number: Int) -> Value {
      ["$class": .uid(UInt64(number)), "NS.objects": .array(members.map { .uid(UInt64($0)) })]
    }
    // Each set has two lists with the next set, and the last set those with the first one.
    let objects = (0..<count).flatMap { index in
      let (first, next) = (3 * index + 1, 3 * ((index + 1) % count) + 1)
      return [
        list([first + 1, first + 2], class: classes), list([next], class: classes + 1),
        list([next, next], class: classes + 1),
      ]
    }
    let file = try EditableFile(
      Archived.file(
        objects + [
          ["$classname": "NSSet", "$classes": ["NSSet", "NSObject"]],
          ["$classname": "NSArray", "$classes": ["NSArray", "NSObject"]], 0,
        ], top: ["root": .uid(1), "n": .uid(UInt64(classes + 2))]))
    let operations = (1...9).map { #"{"op":"replace","path":"/n","value":\#($0)}"# }
    let patch = try JSONPatch(Array("[\(operations.joined(separator: ","))]".utf8))
    try expectProcessorTime(atMost: .seconds(4)) { try file.apply(patch) }
    #expect(try file.value(at: ValuePath(parsing: "n")) == 9)
  }
}
