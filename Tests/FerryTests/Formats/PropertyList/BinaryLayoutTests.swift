import TestSupport
import Testing

@testable import Ferry

@Suite struct `The layout of a binary property list` {
  /// A file of objects, one behind the other, the first of which is the root.
  private func file(_ objects: [[UInt8]], offsetWidth: Int = 1, referenceWidth: Int = 1) -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
      offsets += [UInt8](repeating: 0, count: offsetWidth - 1) + [UInt8(bytes.count)]
      bytes += object
    }
    let table = UInt8(bytes.count)
    bytes += offsets + [0, 0, 0, 0, 0, 0, UInt8(offsetWidth), UInt8(referenceWidth)]
    bytes += [0, 0, 0, 0, 0, 0, 0, UInt8(objects.count)] + [UInt8](repeating: 0, count: 8)
    return bytes + [0, 0, 0, 0, 0, 0, 0, table]
  }

  private func layout(_ bytes: [UInt8]) throws -> BinaryLayout {
    try BinaryLayout(of: BinaryPropertyList(bytes))
  }

  /// The bytes that the writer makes of a file's values and its layout.
  private func rewritten(_ bytes: [UInt8]) throws -> [UInt8] {
    let list = try BinaryPropertyList(bytes)
    let output = MemoryOutput()
    let writer = BinaryPropertyListWriter(to: output, layout: try BinaryLayout(of: list))
    try list.replay(into: writer)
    try writer.finish()
    return output.bytes
  }

  private static let (a, b): ([UInt8], [UInt8]) = ([0x51, 0x61], [0x51, 0x62])

  @Test func `The layout of a file as Apple writes it is empty`() throws {
    let bytes = file([[0xa3, 1, 1, 2], Self.a, Self.b])
    #expect(try layout(bytes).isEmpty)
    #expect(try rewritten(bytes) == bytes)
  }

  @Test func `The layout notes equal strings that are two objects`() throws {
    let bytes = file([[0xa3, 1, 2, 1], Self.a, Self.a])
    let found = try layout(bytes)
    #expect(found.deviations == [.init(distance: 2, choice: 0), .init(distance: 1, choice: 1)])
    #expect(try rewritten(bytes) == bytes)
  }

  @Test func `The layout notes once how a program shares objects`() throws {
    // Ten times the same string, each an object of its own.
    let bytes = file([[0xaa] + Array(1...10)] + [[UInt8]](repeating: Self.a, count: 10))
    #expect(try layout(bytes).deviations == [.init(distance: 2, choice: 0)])
    #expect(try rewritten(bytes) == bytes)
  }

  @Test func `The layout notes widths that are larger than necessary`() throws {
    let bytes = file([[0xa2, 0, 1, 0, 2], Self.a, Self.b], offsetWidth: 3, referenceWidth: 2)
    let found = try layout(bytes)
    #expect(found.offsetWidth == 3)
    #expect(found.referenceWidth == 2)
    #expect(try rewritten(bytes) == bytes)
  }

  @Test func `The layout distinguishes the three dialects of repeated booleans`() throws {
    let orphans = file([[0xa2, 1, 1], [0x09], [0x09]])
    let separate = file([[0xa2, 1, 2], [0x09], [0x09]])
    let shared = file([[0xa2, 1, 1], [0x09]])
    #expect(try layout(orphans).booleans == .orphans)
    #expect(try layout(separate).booleans == .separate)
    #expect(try layout(shared).booleans == .shared)
    for bytes in [orphans, separate, shared] { #expect(try rewritten(bytes) == bytes) }
  }

  @Test func `The layout notes objects numbered entry by entry`() throws {
    let bytes = file([[0xd2, 1, 3, 2, 4], Self.a, [0x10, 1], Self.b, [0x10, 2]])
    #expect(try layout(bytes).isInPairs)
    #expect(try rewritten(bytes) == bytes)
  }

  @Test func `The layout has a patch for objects that follow no rule`() throws {
    // An integer in eight bytes that fits in one, and an object that nobody refers to.
    let bytes = file([[0xa1, 1], [0x13, 0, 0, 0, 0, 0, 0, 0, 5], Self.b])
    #expect(try layout(bytes).patch != nil)
    #expect(try rewritten(bytes) == bytes)
  }

  @Test func `A layout applies to no other value`() throws {
    let found = try layout(file([[0xa1, 1], [0x13, 0, 0, 0, 0, 0, 0, 0, 5]]))
    let output = MemoryOutput()
    let writer = BinaryPropertyListWriter(to: output, layout: found)
    try Value.array([6, "a"]).replay(into: writer)
    try writer.finish()
    #expect(try Value(reading: MemoryInput(output.bytes)) == [6, "a"])
  }
}
