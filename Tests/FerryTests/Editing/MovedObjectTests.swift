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
}
