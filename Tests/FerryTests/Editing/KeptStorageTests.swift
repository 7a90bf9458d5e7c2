import TestSupport
import Testing

@testable import Ferry

/// Binary files whose objects are stored as no rule says, which stay so in edits.
@Suite struct `The storage of values in changed binary property lists` {
  private static func text(_ text: String) -> [UInt8] {
    let count = UInt8(text.utf8.count)
    return (count < 15 ? [0x50 | count] : [0x5f, 0x10, count]) + Array(text.utf8)
  }

  private static func long(_ number: UInt8) -> [UInt8] {
    [0x14] + [UInt8](repeating: 0, count: 15) + [number]
  }

  private func set(_ text: String, at path: String, in bytes: [UInt8]) throws -> [UInt8] {
    let file = try EditableFile(bytes)
    try file.set(text: text, at: ValuePath(parsing: path))
    return try file.bytes()
  }

  private static func pair(_ value: [UInt8]) -> [UInt8] {
    BinaryFile([0xd2, 1, 2, 3, 4], text("a"), text("b"), value, [0x10, 3]).bytes
  }

  @Test
  func `A new integer has the width of the one that it replaces, and a file its bytes when it is set back`()
    throws
  {
    let there = try set("3", at: "a", in: Self.pair(Self.long(2)))
    #expect(there == Self.pair(Self.long(3)))
    #expect(try set("2", at: "a", in: there) == Self.pair(Self.long(2)))
    let negative = try set("-1", at: "a", in: Self.pair(Self.long(2)))
    #expect(negative == Self.pair([0x14] + [UInt8](repeating: 0xff, count: 16)))
    #expect(try set("2", at: "a", in: negative) == Self.pair(Self.long(2)))
  }

  @Test func `A change of one value keeps the width of another`() throws {
    let there = try set("4", at: "b", in: Self.pair(Self.long(2)))
    #expect(there != Self.pair(Self.long(2)))
    #expect(try EditableFile(there).value(at: ValuePath(parsing: "b")) == 4)
    #expect(try set("3", at: "b", in: there) == Self.pair(Self.long(2)))
  }

  @Test func `A new string replaces one of ASCII in UTF-16 in UTF-16`() throws {
    let there = try set("y", at: "a", in: Self.pair([0x61, 0, 0x78]))
    #expect(there == Self.pair([0x61, 0, 0x79]))
    #expect(try set("x", at: "a", in: there) == Self.pair([0x61, 0, 0x78]))
  }

  @Test func `An edit keeps the version of a file and the bytes of its trailer without a meaning`() throws {
    func odd(_ number: UInt8) -> [UInt8] {
      var bytes = BinaryFile([0xd1, 1, 2], Self.text("a"), [0x10, number]).bytes
      (bytes[7], bytes[bytes.count - 27]) = (UInt8(ascii: "1"), 1)
      return bytes
    }
    #expect(try set("3", at: "a", in: odd(2)) == odd(3))
  }

  @Test func `A changed value in the typed form reports that the storage of other values is lost`() throws {
    let bytes = Self.pair(Self.long(2))
    var typed = Conversion(to: .json)
    typed.writing.representation = .typed
    typed.reading.expandsData = true
    let outer = try PropertyLists.binary(["d": .data(bytes)])
    for file in [bytes, outer] {
      let text = String(decoding: try typed.convert(file).bytes, as: UTF8.self)
      var back = Conversion(to: .binaryPropertyList)
      let same = try back.convert(Array(text.utf8))
      #expect(same.bytes == file && same.report.losses.isEmpty)
      let changed = Array(text.replacing(#""b":3"#, with: #""b":4"#).utf8)
      let result = try back.convert(changed)
      #expect(result.report.losses.counts.map(\.kind) == [.storedBytes])
      #expect(result.report.losses.counts.map(\.count) == [1])
      back.isStrict = true
      #expect(try back.convert(Array(text.utf8)).bytes == file)
      let failure = #expect(throws: FerryError.self) { try back.convert(changed) }
      #expect(failure?.reason == .loss(.storedBytes))
    }
  }

  // MARK: Archives

  /// An archive of a Person and its Dog, whose class names are two strings each.
  private static func archive(person: String, dog: String, version: [UInt8]) -> [UInt8] {
    var file = BinaryFile(
      [0xd4, 1, 2, 3, 4, 5, 6, 7, 10], text("$version"), text("$archiver"), text("$top"), text("$objects"),
      version, text("NSKeyedArchiver"), [0xd1, 8, 9], text("root"), [0x80, 1])
    file.objects += [
      [0xa5, 11, 12, 17, 24, 26], text("$null"),
      [0xd2, 13, 14, 15, 16], text("dog"), text("$class"), [0x80, 3], [0x80, 2],
    ]
    file.objects += [
      [0xd2, 18, 19, 20, 21], text("$classname"), text("$classes"), text(person),
      [0xa2, 22, 23], text(person), text("NSObject"),
    ]
    file.objects += [[0xd1, 14, 25], [0x80, 4]]
    file.objects += [[0xd2, 18, 19, 27, 28], text(dog), [0xa2, 29, 23], text(dog)]
    return file.bytes
  }

  @Test(arguments: [
    [0x12, 0x00, 0x01, 0x86, 0xa0], [0x14, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x01, 0x86, 0xa0],
  ])
  func `A renaming keeps the width of integers, and names that are two strings`(_ version: [UInt8]) throws {
    let file = Self.archive(person: "Person", dog: "Dog", version: version)
    var (there, back) = (ArchiveRenaming(), ArchiveRenaming())
    (there.classes, back.classes) = (["Person": "Human", "Dog": "Wolf"], ["Human": "Person", "Wolf": "Dog"])
    let renamed = try there.apply(to: file).bytes
    #expect(renamed == Self.archive(person: "Human", dog: "Wolf", version: version))
    #expect(try back.apply(to: renamed).bytes == file)
  }
}
