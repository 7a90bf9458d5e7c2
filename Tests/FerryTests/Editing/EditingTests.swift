import TestSupport
import Testing

@testable import Ferry

/// Small files to edit, and short ways to do it.
enum Edited {
  static let person = ObjectClass("Person")

  /// `State` of an app: a list of people, one of whom is in it twice, and a value of every kind.
  static let state: Value = [
    "people": [
      .object(
        ObjectValue(
          person, identity: 1, content: ["name": "Ada Lovelace, countess", "age": 36, "boss": .null])),
      .object(ObjectValue(person, content: ["name": "Ada Lovelace, countess", "age": 85, "ratio": 0.5])),
      .reference(1),
    ],
    "saved": .date(secondsSince2001: 0.25), "count": 3, "isOpen": true, "icon": .data([0, 1, 2]),
    "page": .object(ObjectValue(ObjectClass("NSURL"), content: "https://example.org/a")),
    "id": .object(ObjectValue(ObjectClass("NSUUID"), content: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")),
    "text": .object(ObjectValue(ObjectClass("NSMutableString", "NSString"), content: "changeable")),
    "a key.with dots": ["x"], "tags": .set(["one", "two"]),
  ]

  static func archive() throws -> [UInt8] { try Archived.bytes(state) }

  static func value(_ bytes: [UInt8], _ path: String) throws -> Value {
    try EditableFile(bytes).value(at: ValuePath(parsing: path))
  }

  static func set(_ bytes: [UInt8], _ path: String, _ text: String, as type: TextType? = nil) throws
    -> [UInt8]
  {
    let file = try EditableFile(bytes)
    try file.set(text: text, as: type, at: ValuePath(parsing: path))
    return try file.bytes()
  }

  static func insert(_ bytes: [UInt8], _ path: String, _ text: String, as type: TextType? = nil) throws
    -> [UInt8]
  {
    let file = try EditableFile(bytes)
    try file.insert(text: text, as: type, at: ValuePath(parsing: path))
    return try file.bytes()
  }

  static func remove(_ bytes: [UInt8], _ path: String) throws -> [UInt8] {
    let file = try EditableFile(bytes)
    try file.remove(at: ValuePath(parsing: path))
    return try file.bytes()
  }

  /// Returns a file in a format after a change.
  static func bytes(
    _ bytes: [UInt8], in format: Format, losses: LossReport = LossReport(),
    _ change: (EditableFile) throws -> Void
  ) throws -> [UInt8] {
    var options = EditableFile.Options()
    options.format = format
    let file = try EditableFile(bytes, options: options)
    try change(file)
    return try file.bytes(losses: losses)
  }

  /// Returns a text in a format after a change.
  static func text(
    _ text: String, in format: Format, _ change: (EditableFile) throws -> Void
  ) throws -> String {
    String(decoding: try bytes(Array(text.utf8), in: format, change), as: UTF8.self)
  }

  /// Opens a file, tries every edit at each path, and gives the results of those that succeed to a closure. An error of
  /// opening the file is thrown; an edit that fails must fail by an error of Ferry's.
  static func everyEdit(
    of bytes: [UInt8], paths: [String], text: String, _ check: ([UInt8]) throws -> Void
  ) throws {
    _ = try EditableFile(bytes)
    let edits: [(String) throws -> [UInt8]] = [
      { try set(bytes, $0, text) }, { try insert(bytes, $0, text) }, { try remove(bytes, $0) },
    ]
    for path in paths {
      do { _ = try value(bytes, path) } catch { #expect(error is FerryError, "\(path): \(error)") }
      for edit in edits {
        let edited: [UInt8]
        do { edited = try edit(path) } catch {
          #expect(error is FerryError, "\(path): \(error)")
          continue
        }
        try check(edited)
      }
    }
  }

  /// The problem with a path, and the part of it that was found.
  static func problem(_ body: () throws -> Void) throws -> (PathProblem, String) {
    do {
      try body()
    } catch let failure as FerryError {
      if case .path(let problem) = failure.reason { return (problem, failure.path.description) }
      throw failure
    }
    throw Nothing()
  }

  struct Nothing: Error {}

  /// The objects of an archive as they are stored.
  static func objects(_ bytes: [UInt8]) throws -> [Value] {
    guard case .array(let objects)? = try Archived.raw(bytes)["$objects"] else { return [] }
    return objects
  }
}

@Suite struct `Values much larger than their file` {
  @Test(arguments: [Format.binaryPropertyList, .xmlPropertyList, .archive, .xmlArchive, .json])
  func `A value of any size is put into a small file`(_ format: Format) throws {
    var conversion = Conversion(to: format)
    conversion.reading.format = .json
    let bytes = try conversion.convert(Array(#"{"a":"x","n":[1]}"#.utf8)).bytes
    let prefix = format.isArchive ? "root." : ""
    for size in [100, 400, 2000, 100_000] {
      let text = String(repeating: "y", count: size)
      for edited in [
        try Edited.set(bytes, prefix + "a", text),
        try Edited.insert(bytes, prefix + "n[]", text, as: .string),
      ] {
        let json = try Conversion(to: .json).convert(edited).bytes
        #expect(String(decoding: json, as: UTF8.self).contains("\"\(text)\""))
      }
    }
  }
}

@Suite struct `Values of an archive by path` {
  @Test(
    arguments: [
      ("people[0].name", Value.string("Ada Lovelace, countess")), ("root.people[1].age", 85),
      ("$top.root.count", 3), ("people[-1].age", 36), ("people.0.age", 36), ("#/people/1/ratio", 0.5),
      (#"["a key.with dots"][0]"#, "x"), ("saved", .date(secondsSince2001: 0.25)), ("isOpen", true),
      ("people[*].age", [36, 85, 36]), ("people[1:].age", [85, 36]), ("people[:-1].age", [36, 85]),
      ("people[9:].age", []), ("tags[1]", "two"), ("people[0].boss", .null), ("icon", .data([0, 1, 2])),
      ("people[0].$class.$classname", "Person"), ("$version", 100_000), ("$archiver", "NSKeyedArchiver"),
    ] as [(String, Value)])
  func `Values of an archive are found by path`(path: String, value: Value) throws {
    #expect(try Edited.value(Edited.archive(), path) == value)
  }

  @Test(
    arguments: [
      ("peple", PathProblem.noKey("peple", among: [], count: 10), ""),
      ("people[3].name", .noElement(3, count: 3), "people"),
      ("people[-4]", .noElement(-4, count: 3), "people"),
      ("people[0].nmae", .noKey("nmae", among: ["name", "age", "boss"], count: 3), "people[0]"),
      ("count.x", .noStep("key \"x\"", into: "an integer"), "count"),
      ("count[0]", .noStep("element [0]", into: "an integer"), "count"),
      (
        "people.name",
        .noStep(
          "key \"name\"", into: "an array of 3 (use [0] to [2]); write [*].name for every element"), "people"
      ),
      ("people[0][0]", .noStep("element [0]", into: "an object of the class Person"), "people[0]"),
      ("people[0].boss.name", .noStep("key \"name\"", into: "null"), "people[0].boss"),
      ("count[*]", .noStep("element [*]", into: "an integer"), "count"),
    ] as [(String, PathProblem, String)])
  func `A path to a missing value is refused with the reason`(
    path: String, problem: PathProblem, found: String
  ) throws {
    let (met, place) = try Edited.problem { _ = try Edited.value(Edited.archive(), path) }
    #expect(place == found)
    if case .noKey(let key, let keys, let count) = problem, keys.isEmpty {
      guard case .noKey(key, let names, count) = met else {
        Issue.record("\(met)")
        return
      }
      #expect(names.count == 8)
    } else if case .noKey(let key, let keys, let count) = problem {
      guard case .noKey(key, let names, count) = met else {
        Issue.record("\(met)")
        return
      }
      #expect(Set(names) == Set(keys))
    } else {
      #expect(met == problem)
    }
  }

  @Test func `Thousands of missing keys are looked up without a search for similar keys`() throws {
    let count = 8000
    let entries = (0..<count).map { "\"key \($0)\":0" }.joined(separator: ",")
    let file = try EditableFile(Array("{\(entries)}".utf8), named: "a.json")
    // A comparison of each missing key with all others would be one of 64 million pairs.
    let found = try expectProcessorTime(atMost: .seconds(10)) {
      try (0..<count).filter { try file.hasValue(at: ValuePath([.key("kez \($0)")])) }
    }
    #expect(try found.isEmpty && file.hasValue(at: "[\"key 7\"]"))
    let (problem, _) = try Edited.problem { _ = try file.value(at: "kez") }
    guard case .noKey(_, let keys, count: count) = problem else {
      Issue.record("\(problem)")
      return
    }
    #expect(keys.count == 8)
  }

  @Test func `Every path of an archive leads to the value that a reader of the whole gives`() throws {
    let archive = try Edited.archive()
    let file = try EditableFile(archive)
    let whole = try file.value(at: ValuePath())
    for path in whole.stringPaths {
      var expected: Value? = whole
      for step in path.steps {
        switch step {
        case .key(let key): expected = expected?[key]
        case .index(let index): expected = expected?[index]
        default: break
        }
      }
      #expect(try file.value(at: ValuePath(parsing: path.description)) == expected)
    }
  }
}

@Suite struct `Sets in archives` {
  @Test(
    arguments: [
      ("people[1].name", "Grace", Value.string("Grace")), ("people[0].age", "37", 37),
      ("people[1].ratio", "0.75", 0.75), ("isOpen", "no", false), ("count", "4", 4),
      ("saved", "2024-05-06T07:08:09Z", .date(secondsSince2001: 736_672_089)),
      ("icon", "/////w==", .data([255, 255, 255, 255])), ("tags[0]", "three", "three"),
      (
        "page", "https://example.org/b",
        .object(ObjectValue(ObjectClass("NSURL"), content: "https://example.org/b"))
      ),
      (
        "id", "00000000-0000-0000-0000-000000000001",
        .object(ObjectValue(ObjectClass("NSUUID"), content: "00000000-0000-0000-0000-000000000001"))
      ),
      (
        "text", "changed",
        .object(ObjectValue(ObjectClass("NSMutableString", "NSString"), content: "changed"))
      ),
      ("people[0].boss", "Charles", "Charles"), (#"["a key.with dots"][0]"#, "é🎈", "é🎈"),
    ] as [(String, String, Value)])
  func `A set keeps the type of a value, and a set back gives the file's bytes`(
    path: String, text: String, value: Value
  ) throws {
    let bytes = try Edited.archive()
    let old = try Edited.value(bytes, path)
    let edited = try Edited.set(bytes, path, text)
    #expect(try Edited.value(edited, path) == value)
    #expect(edited != bytes)
    let oldText = old == .null ? "" : try #require(old.plainText)
    #expect(try Edited.set(edited, path, oldText, as: old == .null ? .null : nil) == bytes)
  }

  @Test(
    arguments: [
      (ObjectClass("NSUUID"), "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "00000000-0000-0000-0000-000000000001"),
      (ObjectClass("NSURL"), "https://example.org/a", "https://example.org/b"),
      (ObjectClass("NSMutableString", "NSString"), "a", "b"),
    ])
  func `A new element beside an object of a class is one, too`(
    type: ObjectClass, old: String, new: String
  ) throws {
    let bytes = try Archived.bytes([.object(ObjectValue(type, content: .string(old)))])
    for path in ["[]", "[0]"] {
      let edited = try Edited.insert(bytes, path, new)
      let value = try Edited.value(edited, path == "[]" ? "[1]" : path)
      #expect(value == .object(ObjectValue(type, content: .string(new))))
    }
  }

  @Test(arguments: [ObjectClass("NSData"), ObjectClass("NSMutableData", "NSData"), nil])
  func `A set of an index keeps the class of the data with the indexes`(type: ObjectClass?) throws {
    let data = Value.data([5, 0x90, 3])
    let path = ObjectValue(
      ObjectClass("NSIndexPath"),
      content: [
        "NSIndexPathLength": 2,
        "NSIndexPathData": type.map { Value.object(ObjectValue($0, content: data)) } ?? data,
      ])
    let bytes = try Archived.bytes(["path": .object(path)])
    let edited = try Edited.set(bytes, "path[1]", "7")
    #expect(try Edited.value(edited, "path") == .object(ObjectValue(path.type, content: [5, 7])))
    #expect(try Edited.set(edited, "path[1]", "400") == bytes)
  }

  @Test func `A new element beside an object is refused if its class cannot have it`() throws {
    let color = try Archived.bytes([.object(ObjectValue(ObjectClass("NSColor"), content: "#102030FF"))])
    #expect(try Edited.value(Edited.insert(color, "[]", "#FF8000FF"), "[1].color") == "#FF8000FF")
    #expect(throws: FerryError.self) { try Edited.insert(color, "[]", "nonsense") }
    let url = try Archived.bytes([.object(ObjectValue(ObjectClass("NSURL"), content: "x:y"))])
    #expect(throws: FerryError.self) { try Edited.insert(url, "[]", "http://%%/") }
  }

  @Test func `A set changes a shared value only for its path`() throws {
    let bytes = try Archived.bytes(["a": "shared by two", "b": ["shared by two"], "c": 1])
    let raw = try Edited.objects(bytes)
    // An archiver makes one object of a string that several places hold; here two are made one by hand.
    let shared = try #require(raw.firstIndex(of: "shared by two"))
    let twin = try #require(raw.lastIndex(of: "shared by two"))
    #expect(shared != twin)
    let file = try EditableFile(bytes, options: Self.raw)
    try file.set(.uid(UInt64(shared)), at: ValuePath(parsing: "$objects[\(twin - 1)][\"NS.objects\"][0]"))
    let both = try file.bytes()
    #expect(try Edited.value(both, "b[0]") == "shared by two")
    let edited = try Edited.set(both, "b[0]", "mine")
    #expect(try Edited.value(edited, "a") == "shared by two")
    #expect(try Edited.value(edited, "b[0]") == "mine")
    #expect(try Edited.objects(edited).last == "mine")
    #expect(try Edited.set(edited, "b[0]", "shared by two") == both)
  }

  private static var raw: EditableFile.Options {
    var options = EditableFile.Options()
    options.representation = .raw
    return options
  }

  @Test func `A nil root of an archive without objects is null`() throws {
    let archive = try PropertyLists.binary([
      "$version": 100_000, "$archiver": "NSKeyedArchiver", "$top": ["root": .uid(0)], "$objects": [],
    ])
    #expect(try EditableFile(archive).value(at: ValuePath()) == .null)
  }

  @Test func `A number beyond the limits of decimal numbers is refused with these limits`() throws {
    let archive = try Conversion(to: .archive).convert(Array("[1.50]".utf8)).bytes
    let (problem, _) = try Edited.problem { _ = try Edited.set(archive, "[0]", "3.5e200") }
    #expect("\(problem)".contains("a decimal number of up to 38 digits"))
  }

  @Test func `A set to another type takes a type`() throws {
    let bytes = try Edited.archive()
    let (problem, place) = try Edited.problem { _ = try Edited.set(bytes, "count", "many") }
    #expect(problem == .badText("many", type: "an integer", isFound: true))
    #expect(place == "count")
    #expect(
      "\(problem)" == "\"many\" does not fit here: the value is an integer")
    #expect(try Edited.value(Edited.set(bytes, "count", "many", as: .string), "count") == "many")
    #expect(try Edited.value(Edited.set(bytes, "saved", "soon", as: .string), "saved") == "soon")
    #expect(try Edited.value(Edited.set(bytes, "saved", "", as: .null), "saved") == .null)
    #expect(try Edited.value(Edited.set(bytes, "people[0].age", "1.5", as: .real), "people[0].age") == 1.5)
    #expect(
      try Edited.problem { _ = try Edited.set(bytes, "id", "no UUID") }.0
        == .badText("no UUID", type: "a UUID such as E621E1F8-C36C-495A-93FC-0C247A3E6E5F", isFound: true))
    guard case .cannotPut = try Edited.problem({ _ = try Edited.set(bytes, "people", "all") }).0 else {
      Issue.record("a list took a text")
      return
    }
  }

  @Test func `A set to JSON makes objects, and one back to a string removes them`() throws {
    let bytes = try Archived.bytes(["a": "a string that stands alone", "b": [1]])
    let json =
      #"{"list": [1, true, null, "x"], "when": {"$date": "2001-01-01T00:00:01Z"}, "p": {"$class": "Person", "n": 5}}"#
    let edited = try Edited.set(bytes, "a", json, as: .json)
    #expect(try Edited.value(edited, "a.list") == [1, true, .null, "x"])
    #expect(try Edited.value(edited, "a.when") == .date(secondsSince2001: 1))
    #expect(try Edited.value(edited, "a.p") == .object(ObjectValue(Edited.person, content: ["n": 5])))
    #expect(try Edited.set(edited, "a", "a string that stands alone", as: .string) == bytes)
  }

  @Test func `A set uses the classes of the file`() throws {
    let bytes = try Edited.archive()
    let edited = try Edited.set(bytes, "people[0].boss", #"{"$class": "Person", "name": "Z"}"#, as: .json)
    let classes = try Edited.objects(edited).filter { $0["$classname"] == "Person" }
    #expect(classes.count == 1)
    #expect(try Edited.value(edited, "people[0].boss.name") == "Z")
  }

  @Test(arguments: [("[0].name", "age"), ("[0].age", "8"), ("[1].name", "Eve")])
  func `A set shares the value with the equal scalars of the file, as an archiver does`(
    path: String, text: String
  )
    throws
  {
    // The string `name` is a key and a value, `Eve` two values, 7 two numbers: each is in the file once.
    let bytes = try Archived.bytes([
      .object(ObjectValue(Edited.person, content: ["name": "name", "age": 7])),
      .object(ObjectValue(Edited.person, content: ["name": "Zoë", "age": 7])),
      .object(ObjectValue(Edited.person, content: ["name": "Eve", "age": 9])),
    ])
    let old = try #require(Edited.value(bytes, path).plainText)
    let edited = try Edited.set(bytes, path, text)
    #expect(try Edited.set(edited, path, old) == bytes)
    #expect(try BinaryPropertyList(edited).nodeCount <= BinaryPropertyList(bytes).nodeCount + 1)
  }

  @Test func `A set by an object number changes the object`() throws {
    let bytes = try Edited.archive()
    let objects = try Edited.objects(bytes)
    let page = try #require(objects.firstIndex(of: "https://example.org/a"))
    #expect(
      try Edited.value(Edited.set(bytes, "$objects[\(page)]", "x:y"), "page.NS.relative".withQuotedKey)
        == "x:y")
    guard case .cannotPut = try Edited.problem({ _ = try Edited.set(bytes, "$objects[0]", "x") }).0 else {
      Issue.record("$null was changed")
      return
    }
  }

  @Test func `A set keeps every other object, its number and its value`() throws {
    let bytes = try Edited.archive()
    let (old, new) = (
      try Edited.objects(bytes), try Edited.objects(Edited.set(bytes, "people[1].name", "Grace"))
    )
    #expect(old.count == new.count)
    #expect(zip(old, new).filter { $0 != $1 }.count == 1)
  }

  @Test func `A set changes all values that a path selects, and is refused if there is none`() throws {
    let bytes = try Edited.archive()
    let changed = try Edited.set(bytes, "people[*].name", "x")
    #expect(try Edited.value(changed, "people[*].name") == ["x", "x", "x"])
    #expect(try Edited.value(changed, "people[*].age") == Edited.value(bytes, "people[*].age"))
    let file = try EditableFile(bytes)
    // One of the three is an object that occurs twice.
    #expect(try file.set(text: "40", at: "people[*].age") == 2)
    #expect(try file.remove(at: "people[*].age") == 2)
    #expect(try file.insert("y", at: "people[*].note") == 2)
    #expect(
      try Edited.problem { _ = try Edited.set(bytes, "people[0].nme", "x") }.1 == "people[0]")
  }

  @Test func `A set reaches into a file inside data and writes it back in its format`() throws {
    let inner = try Archived.bytes(["deep": ["a", "b"]])
    let middle = try Archived.bytes(["inner": .data(inner), "json": .data(Array(#"{"a": [1, 2.20]}"#.utf8))])
    let outer = try Archived.bytes([
      "middle": .object(ObjectValue(ObjectClass("NSMutableData", "NSData"), content: .data(middle))), "x": 1,
    ])
    #expect(try Edited.value(outer, "middle.inner.deep[1]") == "b")
    #expect(try Edited.value(outer, "middle.json.a[1]") == .number("2.20"))
    #expect(try Edited.value(outer, "middle.inner.deep[*]") == ["a", "b"])
    let edited = try Edited.set(outer, "middle.inner.deep[1]", "something else")
    #expect(try Edited.value(edited, "middle.inner.deep") == ["a", "something else"])
    #expect(try Edited.set(edited, "middle.inner.deep[1]", "b") == outer)
    let json = try Edited.set(outer, "middle.json.a[0]", "5")
    #expect(try Edited.value(json, "middle.json") == .data(Array(#"{"a": [5, 2.20]}"#.utf8)))
    #expect(
      try Edited.remove(Edited.insert(outer, "middle.inner.deep[]", "c"), "middle.inner.deep[2]") == outer)
    #expect(try Edited.problem { _ = try Edited.value(outer, "middle.inner.dep") }.1 == "middle.inner")
  }

  @Test func `A path leads into as many files inside each other as the budget allows`() throws {
    var bytes = Array(#"{"a":1}"#.utf8)
    for _ in 0..<9 { bytes = try Archived.bytes(["a": .data(bytes)]) }
    let path = ValuePath(Array(repeating: .key("a"), count: 10))
    var options = EditableFile.Options()
    let failure = #expect(throws: FerryError.self) {
      try EditableFile(bytes, options: options).set(text: "2", at: path)
    }
    #expect(failure?.reason == .overBudget(.nesting(8)))
    options.budget.nesting = 9
    let file = try EditableFile(bytes, options: options)
    try file.set(text: "2", at: path)
    #expect(try EditableFile(file.bytes(), options: options).value(at: path).wholeNumber == 2)
  }
}

extension String {
  /// `page.NS.relative` as a path: the key has a dot.
  fileprivate var withQuotedKey: String {
    replacing("page.NS.relative", with: "page[\"NS.relative\"]")
  }
}

@Suite struct `Insertions and removals in archives` {
  @Test(
    arguments: [
      ("people[0]", "null", TextType.null), ("people[]", "x", .string), ("people[3]", "x", .string),
      ("people[-1]", "x", .string), ("tags[]", "three", .string), ("new", "value", .string),
      ("people[0].extra", "7", .integer), ("people[0].extra", "text", .string),
      ("people[0].$odd", "text", .string),
      ("people[]", #"{"$class": "Animal", "legs": 4, "names": ["a", "b"]}"#, .json),
    ] as [(String, String, TextType)])
  func `An insertion and a removal undo each other`(path: String, text: String, type: TextType) throws {
    let bytes = try Edited.archive()
    let edited = try Edited.insert(bytes, path, text, as: type)
    let place =
      path == "people[]"
      ? "people[3]" : path == "tags[]" ? "tags[2]" : path == "people[-1]" ? "people[2]" : path
    #expect(try Edited.value(edited, place) != Edited.value(bytes, "people[1]"))
    #expect(try Edited.remove(edited, place) == bytes)
  }

  @Test func `An insertion puts an element at its position`() throws {
    let bytes = try Archived.bytes(["l": [1, 2, 3]])
    #expect(try Edited.value(Edited.insert(bytes, "l[0]", "0"), "l") == [0, 1, 2, 3])
    #expect(try Edited.value(Edited.insert(bytes, "l[2]", "9"), "l") == [1, 2, 9, 3])
    #expect(try Edited.value(Edited.insert(bytes, "l[-1]", "9"), "l") == [1, 2, 9, 3])
    #expect(try Edited.value(Edited.insert(bytes, "l[]", "4"), "l") == [1, 2, 3, 4])
    #expect(try Edited.value(Edited.remove(bytes, "l[1]"), "l") == [1, 3])
    #expect(try Edited.problem { _ = try Edited.insert(bytes, "l[5]", "4") }.0 == .noElement(5, count: 3))
    #expect(
      try Edited.problem { _ = try Edited.insert(bytes, "l[]", "x") }.0
        == .cannotPut(#""x""#, .neighbor("an integer")))
  }

  @Test func `Numbered elements are inserted and removed`() throws {
    let set = ObjectClass("NSOrderedSet")
    let bytes = try Archived.bytes(["l": .object(ObjectValue(set, content: ["a", "b", "c"]))])
    func list(_ bytes: [UInt8]) throws -> Value { try Edited.value(bytes, "l").scalar }
    #expect(try list(Edited.insert(bytes, "l[1]", "x")) == ["a", "x", "b", "c"])
    #expect(try list(Edited.insert(bytes, "l[]", "x")) == ["a", "b", "c", "x"])
    #expect(try list(Edited.remove(bytes, "l[0]")) == ["b", "c"])
    #expect(try Edited.remove(Edited.insert(bytes, "l[1]", "x"), "l[1]") == bytes)
    #expect(try list(Edited.set(bytes, "l[2]", "z")) == ["a", "b", "z"])
  }

  @Test func `An insertion and a removal are refused where they mean nothing`() throws {
    let bytes = try Edited.archive()
    #expect(try Edited.problem { _ = try Edited.insert(bytes, "count", "x") }.0 == .exists("count"))
    #expect(try Edited.problem { _ = try Edited.remove(bytes, "") }.0 == .isRoot)
    #expect(try Edited.problem { _ = try Edited.remove(bytes, "people[7:]") }.0 == .noMatch)
    #expect(try Edited.problem { _ = try Edited.remove(bytes, "nothing") }.1 == "")
    for path in ["$objects[3]", "people[0].$class"] {
      guard case .cannotRemove = try Edited.problem({ _ = try Edited.remove(bytes, path) }).0 else {
        Issue.record("\(path) was removed")
        continue
      }
    }
    guard case .cannotInsert = try Edited.problem({ _ = try Edited.insert(bytes, "", "x") }).0 else {
      Issue.record("inserted nowhere")
      return
    }
  }

  @Test func `An insertion and a removal leave the numbers of other objects as they are`() throws {
    let bytes = try Edited.archive()
    let old = try Edited.objects(bytes)
    let new = try Edited.objects(Edited.remove(bytes, "people[1]"))
    #expect(zip(old, new).filter { $0 != $1 }.count == 1)
  }
}

@Suite struct `Edits of broken archives` {
  @Test
  func `The whole part of a broken archive can be edited on request`() throws {
    let bytes = try Archived.bytes(["a": "x is here alone", "b": "y is here alone"])
    var raw = EditableFile.Options()
    raw.representation = .raw
    let entry = try #require(try Edited.objects(bytes).firstIndex { $0["NS.objects"] != nil })
    let place = try ValuePath(parsing: "$objects[\(entry)][\"NS.objects\"][0]")
    #expect(throws: FerryError.self) { try EditableFile(bytes, options: raw).set(.uid(99), at: place) }
    // The editor that `set` uses, without the check before it.
    let file = try EditableFile(bytes, options: raw)
    let start = try file.walker.start(place.steps[...])
    let walk = try file.walk(
      place.steps.dropFirst(start.taken), from: start.location, after: ValuePath(), isReading: false)
    try file.editor().set(.uid(99), at: walk.location)
    let broken = try file.bytes()
    #expect(throws: FerryError.self) { _ = try Edited.value(broken, "a") }
    #expect(try Edited.value(broken, "b") == "y is here alone")
    var lenient = EditableFile.Options()
    lenient.isLenient = true
    let kept = try EditableFile(broken, options: lenient)
    #expect(try kept.value(at: ValuePath()) == ["a": .null, "b": "y is here alone"])
    #expect(kept.danglingReferences.count == 1)
    try kept.set("z", at: ValuePath(parsing: "b"))
    #expect(try Archived.raw(kept.bytes())["$objects"]?[entry]?["NS.objects"]?[0] == .uid(99))
  }

  @Test func `Null for a root is a null reference`() throws {
    let person: [Value] = [
      ["$class": .uid(2)], ["$classname": "Person", "$classes": ["Person", "NSObject"]], "text",
    ]
    let bytes = try Archived.file(person, top: ["state": .uid(1), "name": .uid(3)])
    let edited = try Archived.raw(Edited.set(bytes, "name", "null", as: .null))
    #expect(edited["$top"] == ["state": .uid(1), "name": .uid(0)])
    #expect(edited["$objects"] == .array(["$null"] + person.dropLast()))
  }

  @Test func `A new object does not get the number of a missing object to which references lead`() throws {
    let bytes = try Archived.file(
      [
        ["x": .uid(7), "y": .uid(9), "l": .uid(2), "$class": .uid(4)],
        ["NS.objects": [.uid(3)], "$class": .uid(5)], "q",
        ["$classname": "P", "$classes": ["P", "NSObject"]],
        ["$classname": "NSMutableArray", "$classes": ["NSMutableArray", "NSArray", "NSObject"]],
      ], top: ["root": .uid(1)])
    var lenient = EditableFile.Options()
    lenient.isLenient = true
    let cases: [(values: [Value], last: String)] = [
      (["one text", "another"], "l[2]"),
      ([["first", "second", "third"], ["fourth", "another"]], "l[2][1]"),
    ]
    for (values, last) in cases {
      let file = try EditableFile(bytes)
      for value in values { try file.insert(value, at: ValuePath(parsing: "l[]")) }
      let edited = try EditableFile(file.bytes(), options: lenient)
      #expect(try edited.value(at: ValuePath(parsing: "x")) == .null)
      #expect(try edited.value(at: ValuePath(parsing: "y")) == .null)
      #expect(try edited.value(at: ValuePath(parsing: last)).scalar == "another")
      for _ in values { try file.remove(at: ValuePath(parsing: "l[1]")) }
      #expect(try file.bytes() == bytes, "objects that are no longer needed are dropped")
    }
  }

  @Test func `An archive with any byte missing or changed is edited to one that opens, or refused`() throws {
    let bytes = try Archived.bytes(["a": ["first", 2], "d": .date(secondsSince2001: 1)])
    try Damage(to: bytes).check { bytes in
      try Edited.everyEdit(of: bytes, paths: ["a[0]", "d", "a[]", "$objects[2]"], text: "other") { edited in
        // The damage is elsewhere in the file, and stays there.
        #expect(throws: Never.self) { try EditableFile(edited) }
      }
    }
    #expect(try Edited.value(bytes, "a[0]") == "first")
  }
}

@Suite struct `The interface of KeyedArchive` {
  @Test func `A KeyedArchive gives its contents and changes them`() throws {
    let archive = try KeyedArchive(Archived.bytes(["a": "text"]))
    #expect(archive.archiver == "NSKeyedArchiver")
    #expect(archive.roots == ["root"])
    #expect(archive.objectCount == 5)
    #expect(try archive.object(1) == ["a": "text"])
    #expect(throws: FerryError.self) { _ = try archive.object(5) }
    #expect(throws: FerryError.self) { _ = try archive.object(-1) }
    try archive.set("other", at: ValuePath(parsing: "a"))
    try archive.insert(["x"], at: ValuePath(parsing: "b"))
    try archive.insert("y", at: ValuePath(parsing: "b[]"))
    #expect(try archive.value(at: ValuePath(parsing: "b")) == ["x", "y"])
    try archive.remove(at: ValuePath(parsing: "b"))
    #expect(try KeyedArchive(archive.edited().bytes).value(at: ValuePath()) == ["a": "other"])
  }

  @Test func `A KeyedArchive is not made of another file`() throws {
    #expect(throws: FerryError.self) { _ = try KeyedArchive(Array("{}".utf8)) }
    #expect(throws: FerryError.self) { _ = try KeyedArchive(Array("bplist00".utf8)) }
  }
}
