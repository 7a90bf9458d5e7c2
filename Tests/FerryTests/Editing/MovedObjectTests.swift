import TestSupport
import Testing

@testable import Ferry

@Suite struct `Moves and copies of objects` {
  /// An archive in which the first person is at three paths, one of them a key of the second person.
  private static let people = """
    {"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":{"a":{"$class":"Person","$id":1,"age":36,"friend":null},\
    "person":{"$class":"Person","$id":2,"age":40,"friend":{"$ref":1}},"list":[{"$ref":1},{"$ref":2}],"other":[]}}}
    """
  /// A typedstream in which an array is at three paths.
  private static let letters = """
    {"$ferry":1,"$stream":"streamtyped","$value":{"a":{"$class":"NSMutableArray","$id":1,"$items":["x"]},\
    "b":{"$ref":1},"list":{"$class":"NSMutableArray","$items":[{"$ref":1}]}}}
    """

  private func archive() throws -> [UInt8] {
    try Conversion(to: .archive).convert(Array(Self.people.utf8)).bytes
  }

  private func typedstream() throws -> [UInt8] {
    try Conversion(to: .typedstream).convert(Array(Self.letters.utf8)).bytes
  }

  /// Returns the data at the key `d` of a property list.
  private func data(of bytes: [UInt8]) throws -> [UInt8] {
    guard case .data(let data) = try EditableFile(bytes).value(at: "d") else { return [] }
    return data
  }

  // MARK: Cycles

  private func expectInsideItself(_ bytes: [UInt8], _ path: String, _ newPath: String) throws {
    let file = try EditableFile(bytes)
    let error = #expect(throws: FerryError.self) {
      try file.move(ValuePath(parsing: path), to: ValuePath(parsing: newPath), replacing: true)
    }
    #expect(error?.message.contains("it would be inside itself") == true, "\(path) to \(newPath)")
    #expect(try file.bytes() == bytes, "\(path) to \(newPath)")
  }

  @Test func `An object does not move into itself by another of its paths`() throws {
    for (path, newPath) in [("a", "b[]"), ("list[0]", "a[]"), ("b", "list[0][0]")] {
      try expectInsideItself(typedstream(), path, newPath)
    }
    for (path, newPath) in [("a", "list[0].friend"), ("list[0]", "a.friend")] {
      try expectInsideItself(archive(), path, newPath)
    }
  }

  @Test func `An object does not move into an object inside it`() throws {
    try expectInsideItself(archive(), "person", "a.friend")
    try expectInsideItself(archive(), "list[1]", "list[0].friend")
    // In the other direction, and beside it, it moves.
    let file = try EditableFile(archive())
    try file.move("person", to: "other[]")
    try file.move("a", to: "other[]")
    #expect(try file.value(at: "other[*].age") == [40, 36])
  }

  @Test func `An object that has its parent moves to another list of the parent`() throws {
    let json = """
      {"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":{"$class":"Team","$id":1,"people":\
      [{"$class":"Person","$id":2,"age":36,"team":{"$ref":1}}],"former":[]}}}
      """
    let file = try EditableFile(Conversion(to: .archive).convert(Array(json.utf8)).bytes)
    try file.move("people[0]", to: "former[]")
    let changed = try EditableFile(file.bytes())
    #expect(try changed.value(at: "former[0].age") == 36)
    #expect(try changed.value(at: "former[0].team.former[0].age") == 36)
  }

  // MARK: Sharing inside a copy

  @Test func `An object that a copied part has twice is one object in the copy, too`() throws {
    let file = try EditableFile(archive())
    try file.copy("list", to: "copy")
    let changed = try EditableFile(file.bytes())
    try changed.set(37, at: "copy[0].age")
    #expect(try changed.value(at: "copy[1].friend.age") == 37)
    #expect(try changed.value(at: "list[0].age") == 36)
    #expect(try changed.value(at: "a.age") == 36)
    // In a file inside data, too.
    let outer = try EditableFile(PropertyLists.binary(["d": .data(archive())]))
    try outer.copy("d.list", to: "d.copy")
    try outer.set(37, at: "d.copy[0].age")
    #expect(try outer.value(at: "d.copy[1].friend.age") == 37)
    #expect(try outer.value(at: "d.a.age") == 36)
  }

  @Test func `A copy in a typedstream does not change with its original`() throws {
    let file = try EditableFile(typedstream())
    try file.copy("list", to: "copy")
    let changed = try EditableFile(file.bytes())
    try changed.set("y", at: "copy[0][0]")
    let result = try EditableFile(changed.bytes())
    #expect(try result.value(at: "copy[0][0]") == "y")
    for path in ["a[0]", "b[0]", "list[0][0]"] {
      #expect(try result.value(at: ValuePath(parsing: path)) == "x", "\(path)")
    }
  }

  @Test func `A copy in a typedstream refers to the objects around its original`() throws {
    let json = """
      {"$ferry":1,"$stream":"streamtyped","$value":{"$class":"NSMutableArray","$id":1,"$items":\
      [{"$class":"NSMutableArray","$items":["x",{"$ref":1}]}]}}
      """
    let bytes = try Conversion(to: .typedstream).convert(Array(json.utf8)).bytes
    let file = try EditableFile(bytes)
    try file.copy("[0]", to: "[]")
    let changed = try EditableFile(file.bytes())
    try changed.set("y", at: "[1][0]")
    #expect(try changed.value(at: "[0][0]") == "x")
    // The second element of the copy is the whole array, which has two elements now.
    #expect(try EditableFile(changed.bytes()).value(at: "[1][1][1][0]") == "y")
  }

  // MARK: Parts that an object needs

  @Test(arguments: ["location", "length", "attributes"])
  func `A part of a run of an attributed string is neither removed nor moved`(_ key: String) throws {
    let bytes = try Corpus.bytes("typedstream/crabstep/Formatted")
    let path = try ValuePath(parsing: "runs[0].\(key)")
    let changes: [(EditableFile) throws -> Void] = [
      { try $0.remove(at: path) }, { try $0.move(path, to: "runs[0].attributes.k") },
    ]
    for change in changes {
      let file = try EditableFile(bytes)
      #expect(throws: FerryError.self) { try change(file) }
      #expect(try file.bytes() == bytes)
    }
    let file = try EditableFile(bytes)
    #expect(try Edited.problem { try file.remove(at: path) }.0.code == "cannot-remove")
    #expect(
      try Edited.problem { try file.move(path, to: "runs[0].attributes.k") }.0.code
        == (key == "attributes" ? "cannot-stand" : "cannot-move"))
  }

  @Test func `The errors of moves and copies name what was asked for`() throws {
    let file = try EditableFile(archive())
    #expect(
      try Edited.problem { try file.move("a.$class", to: "type") }.0.description
        == "cannot move this: an object needs its class")
    let json = try EditableFile(Array(#"[{"a":{"b":1}},{"a":{"b":2}}]"#.utf8), named: "a.json")
    let several = "another key beside each: [*].old to [*].new"
    #expect(
      try Edited.problem { try json.move("[*].a.b", to: "[*].b") }.0.description
        == "several values can only move to \(several)")
    #expect(
      try Edited.problem { try json.copy("[*].a.b", to: "[*].b") }.0.description
        == "several values can only be copied to \(several)")
  }

  // MARK: Archives in data

  @Test func `An object that moves in an archive inside data stays the same object`() throws {
    let bytes = try PropertyLists.binary(["d": .data(archive())])
    for (path, newPath) in [("d.list[0]", "d.list[]"), ("d.a", "d.other[]"), ("d.person.friend", "d.best")] {
      let file = try EditableFile(bytes)
      try file.move(ValuePath(parsing: path), to: ValuePath(parsing: newPath))
      let inner = try EditableFile(data(of: file.bytes()))
      // Still one object at all its paths.
      let ages = path == "d.a" ? "list[0].age" : "a.age"
      try inner.set(.integer(37), at: ValuePath(parsing: ages))
      let moved = newPath == "d.best" ? "best" : newPath == "d.list[]" ? "list[-1]" : "other[0]"
      #expect(try inner.value(at: ValuePath(parsing: moved + ".age")) == 37, "\(path)")
    }
  }

  @Test func `An object that moves in an archive inside a ZIP archive stays the same object`() async throws {
    let answer = try await Peer.python(
      """
      import io, sys, zipfile
      out = io.BytesIO()
      with zipfile.ZipFile(out, "w") as files:
        files.writestr("a.archive", bytes(\(try archive())))
        files.writestr("b.json", "[]")
      sys.stdout.buffer.write(out.getvalue())
      """)
    let file = try EditableFile(answer.output, named: "a.zip")
    try file.move(ValuePath(parsing: #"["a.archive"].a"#), to: ValuePath(parsing: #"["a.archive"].other[]"#))
    try file.set(37, at: ValuePath(parsing: #"["a.archive"].list[0].age"#))
    let changed = try EditableFile(file.bytes(), named: "a.zip")
    #expect(try changed.value(at: ValuePath(parsing: #"["a.archive"].other[0].age"#)) == 37)
  }

  @Test func `An object of an archive inside data does not move into itself`() throws {
    let bytes = try PropertyLists.binary(["d": .data(archive())])
    try expectInsideItself(bytes, "d.person", "d.a.friend")
    let file = try EditableFile(bytes)
    let error = #expect(throws: FerryError.self) { try file.move("d.a", to: "d.list[0].x") }
    #expect(error?.path.description == "d.a")
  }

  @Test func `A patch moves an object in an archive inside data, which stays the same object`() throws {
    let file = try EditableFile(PropertyLists.binary(["d": .data(archive())]))
    let patch =
      #"[{"op":"move","from":"/d/a","path":"/d/other/-"},{"op":"copy","from":"/d/list/1","path":"/d/b"}]"#
    try file.apply(JSONPatch(Array(patch.utf8)))
    try file.set(37, at: "d.list[0].age")
    #expect(try file.value(at: "d.other[0].age") == 37)
    #expect(try file.value(at: "d.b.age") == 40)
  }
}
