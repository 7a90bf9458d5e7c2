import TestSupport
import Testing

@testable import Ferry

/// The references by path, `{"$ref": "#/people/3"}`, of the plain form.
@Suite struct `References by path` {
  /// The pointers of all references in a value.
  private func pointers(in value: Value) -> Set<String> {
    var pointers: Set<String> = []
    var waiting = [value]
    while let value = waiting.popLast() {
      if case .dictionary(let entries) = value, entries.count == 1,
        case .string(let pointer)? = entries["$ref"], pointer.hasPrefix("#")
      {
        pointers.insert(pointer)
      }
      waiting += value.parts
    }
    return pointers
  }

  /// The pointers of a file's references as JSON that lead nowhere.
  private func dangling(in bytes: [UInt8]) throws -> (all: Int, dangling: [String]) {
    var conversion = Conversion(to: .json)
    conversion.reading.budget.depth = 2000
    var reading = ReadingOptions()
    reading.budget.depth = 4000
    reading.format = .json
    let builder = ValueBuilder()
    try reading.read(MemoryInput(conversion.convert(bytes).bytes), into: builder)
    let pointers = pointers(in: try builder.result())
    guard !pointers.isEmpty else { return (0, []) }
    var options = EditableFile.Options()
    options.decodedForms = .all
    let file = try EditableFile(bytes, options: options)
    let dangling = pointers.filter { pointer in
      do {
        let steps = try ValuePath(parsing: pointer).steps[...]
        let start = try file.walker.start(steps)
        let walk = try file.walk(
          steps.dropFirst(start.taken), from: start.location, after: ValuePath(), isReading: true)
        return !walk.rest.isEmpty
      } catch {
        return true
      }
    }
    return (pointers.count, dangling.sorted())
  }

  @Test func `A new reference has the notation of the printed ones`() throws {
    let typed = ##"""
      {"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":{"$class":"Team","members":[{"$class":"Person","$id":5,"name":"Ada"}],
       "lead":{"$ref":5}}}}
      """##
    let bytes = try Conversion(to: .archive).convert(Array(typed.utf8)).bytes
    for text in [#"{"$ref":"members[0]"}"#, #"{"$ref":"lead"}"#] {
      let file = try EditableFile(bytes)
      #expect(throws: FerryError.self) { try file.insert(text: text, as: .json, at: "members[]") }
      let error = #expect(throws: FerryError.self) { try file.set(text: text, as: .json, at: "lead") }
      let message = error?.message ?? ""
      #expect(message.contains("a reference is a path as get prints it, such as #/0"), "\(message)")
      #expect(try file.bytes() == bytes)
    }
    let file = try EditableFile(bytes)
    try file.insert(text: ##"{"$ref":"#/members/0"}"##, as: .json, at: "members[]")
    try file.set(text: "Eve", at: "lead.name")
    #expect(try file.value(at: "members[*].name") == ["Eve", "Eve"])
  }

  @Test func `Every reference by path leads to an object in every real archive`() throws {
    var count = 0
    var wrong: [String] = []
    for name in try Corpus.files(under: "keyed") {
      let bytes = try Corpus.bytes(name)
      guard bytes.count < 1 << 20, let found = try? dangling(in: bytes) else { continue }
      count += found.all
      wrong += found.dangling.map { "\(name): \($0)" }
    }
    #expect(count > 1000)
    #expect(wrong.isEmpty, "\(wrong.count) of \(count): \(wrong.prefix(20).joined(separator: "\n"))")
  }

  /// A dictionary whose key is an object, with an object in the value and in the key that are referred to later.
  private var archive: [UInt8] {
    get throws {
      let output = MemoryOutput()
      let writer = ArchiveWriter(
        to: BinaryPropertyListWriter(to: output, sharing: .archiver), keyOrder: .buckets)
      let node = ObjectClass("Node")
      func object(_ identity: Int, _ name: String) throws(FerryError) {
        try writer.beginObject(node, identity: identity)
        try writer.beginDictionary(count: 2)
        for key in ["name", "list"] {
          try writer.key(BorrowedText(key.utf8.span))
          if key == "name" {
            try writer.string(BorrowedText(name.utf8.span))
          } else {
            try writer.beginArray(count: 1)
            try writer.string(BorrowedText(name.utf8.span))
            try writer.endArray()
          }
        }
        try writer.endDictionary()
        try writer.endObject()
      }
      try writer.beginArray(count: 3)
      try writer.beginDictionary(count: 2)
      try writer.beginKey()
      try object(1, "a/b")
      try writer.endKey()
      try object(2, "value")
      try writer.beginKey()
      try writer.integer(7)
      try writer.endKey()
      try object(3, "seven")
      try writer.endDictionary()
      for identity in 1...3 { try writer.reference(identity) }
      try writer.endArray()
      try writer.finish()
      return output.bytes
    }
  }

  @Test func `A reference by a path in the file is inserted, and takes the place of a value`() throws {
    let archive = try Edited.archive()
    let reference = ##"{"$ref":"#/people/1"}"##
    for (edited, new, old) in [
      (try Edited.insert(archive, "people[]", reference, as: .json), "people[3]", "people[1]"),
      (try Edited.insert(archive, "people[0]", reference, as: .json), "people[0]", "people[2]"),
      (try Edited.insert(archive, "friend", reference, as: .json), "friend", "people[1]"),
      (try Edited.set(archive, "people[2]", reference, as: .json), "people[2]", "people[1]"),
      (
        try Edited.insert(archive, "pair", ##"{"of":[{"$ref":"#/people/1"},1]}"##, as: .json), "pair.of[0]",
        "people[1]"
      ),
    ] {
      // A change of the object shows at both paths.
      let changed = try Edited.set(edited, "\(new).age", "86")
      #expect(try Edited.value(changed, "\(old).age") == 86, "\(new)")
      #expect(try Edited.value(changed, "\(new).name") == Edited.value(archive, "people[1].name"), "\(new)")
      #expect(try Edited.value(changed, "people[*].age") != Edited.value(archive, "people[*].age"))
    }
    #expect(throws: FerryError.self) {
      try Edited.insert(archive, "people[]", ##"{"$ref":"#/people/9"}"##, as: .json)
    }
  }

  @Test func `A reference by path names keys that are not strings`() throws {
    let bytes = try archive
    let text = String(decoding: try Conversion(to: .json).convert(bytes).bytes, as: UTF8.self)
    #expect(text.contains(##"{"$ref":"#/0/7"}"##), "\(text)")
    #expect(text.contains(##"{"$ref":"#/0/{\"name\":\"a~1b\",\"list\":[\"a~1b\"]}"}"##), "\(text)")
    #expect(text.contains(##"{"$ref":"#/0/{\"name\":\"a~1b\",\"list\":[\"a~1b\"]}#"}"##), "\(text)")
    let found = try dangling(in: bytes)
    #expect(found.all == 3)
    #expect(found.dangling == [])
    let file = try EditableFile(bytes)
    let key = try file.value(at: ValuePath(parsing: ##"#/0/{"name":"a~1b","list":["a~1b"]}#/name"##))
    #expect(key == "a/b")
  }
}

@Suite struct `References to nothing` {
  @Test func `A reference to a string $null is a reference to nothing`() throws {
    let root: Value = ["a": .uid(2), "b": .uid(0), "c": .uid(3), "$class": .uid(4)]
    let bytes = try Archived.file([
      root, "$null", "text", ["$classname": "A", "$classes": ["A", "NSObject"]],
    ])
    let json = try Conversion(to: .json).convert(bytes).bytes
    #expect(String(decoding: json, as: UTF8.self) == "{\"a\":null,\"b\":null,\"c\":\"text\"}\n")
    #expect(try EditableFile(bytes).value(at: ValuePath(parsing: "a")) == .null)
    var typed = Conversion(to: .json)
    typed.writing.representation = .typed
    let text = try typed.convert(bytes).bytes
    var raw = Conversion(to: .binaryPropertyList)
    raw.writing.representation = .raw
    #expect(try raw.convert(text).bytes == bytes)
    #expect(String(decoding: text, as: UTF8.self).contains(#""$null""#))
  }
}

@Suite struct `References of archives that an edit adds or removes` {
  private static func file(_ representation: Representation) throws -> EditableFile {
    var options = EditableFile.Options()
    options.representation = representation
    let root: Value = ["x": .uid(3), "$class": .uid(2)]
    let type: Value = ["$classname": "A", "$classes": ["A", "NSObject"]]
    return try EditableFile(Archived.file([root, type, "text", "other"]), options: options)
  }

  @Test func `A reference is inserted in raw form`() throws {
    for isFile in [false, true] {
      let file = try Self.file(.raw)
      let path = try ValuePath(parsing: "$objects[1].y")
      if isFile {
        try file.insert(contents: Array("{\"CF$UID\": 4}\n".utf8), at: path)
      } else {
        try file.insert(text: "{\"CF$UID\":4}", at: path)
      }
      #expect(try file.value(at: path) == .uid(4))
      #expect(try EditableFile(file.bytes()).value(at: ValuePath(parsing: "y")) == "other")
    }
  }

  /// The old root stays, because its number must not be used again. So the objects to which it refers stay, too.
  @Test func `A root that becomes null keeps what it refers to`() throws {
    let type: Value = ["$classname": "NSDictionary", "$classes": ["NSDictionary", "NSObject"]]
    let root: Value = [
      "NS.keys": [.uid(2), .uid(6)], "NS.objects": [.uid(4), .uid(7)], "$class": .uid(3),
    ]
    let other: Value = ["$classname": "NSURL", "$classes": ["NSURL", "NSObject"]]
    let archive = try Archived.file([root, "a", type, "v", other, "b", "w"])
    let edited = try Edited.set(archive, "", "", as: .string)
    #expect(try EditableFile(edited).value(at: ValuePath()) == "")
    let file = try EditableFile(archive)
    try file.set(.null, at: ValuePath())
    #expect(try EditableFile(file.bytes()).value(at: ValuePath()) == .null)
  }

  @Test func `Objects at the end stay if an unused object refers to them, also after it has changed`() throws
  {
    let type: Value = ["$classname": "NSArray", "$classes": ["NSArray", "NSObject"]]
    func array(_ elements: Value) -> Value { ["NS.objects": elements, "$class": .uid(2)] }
    func count(_ unused: Value, _ change: (EditableFile) throws -> Void) throws -> Int? {
      let archive = try Archived.file([array([.uid(4), .uid(5)]), type, unused, "x", "y"])
      let file = try EditableFile(archive)
      try change(file)
      return try Archived.raw(file.bytes())["$objects"]?.arrayValue?.count
    }
    #expect(try count("z") { try $0.remove(at: "[*]") } == 4)
    #expect(try count(array([.uid(5)])) { try $0.remove(at: "[*]") } == 6)
    #expect(try count(array([])) { try $0.remove(at: "[*]") } == 4)
    #expect(
      try count(array([])) {
        try $0.insert("w", at: "$objects[3][]")
        try $0.remove(at: "[*]")
      } == 7)
  }
}
