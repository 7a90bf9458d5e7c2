import TestSupport
import Testing

@testable import Ferry

@Suite struct `Archives in the order of the file` {
  /// The archive by way of a property list tree, whose objects are numbered and written when it is complete.
  private func bytesOfTree(_ value: Value) throws -> [UInt8] {
    let tree = PropertyListTree(budget: Budget())
    let writer = ArchiveWriter(to: tree, keyOrder: .buckets)
    try value.replay(into: writer)
    try writer.finish()
    let output = MemoryOutput()
    let binary = BinaryPropertyListWriter(to: output, sharing: .archiver)
    try tree.replay(tree.root, into: binary, budget: Budget())
    try binary.finish()
    return output.bytes
  }

  @Test(arguments: 0..<ArchiveSamples.all.count)
  func `An archive has the bytes that its property list has`(_ sample: Int) throws {
    let value = ArchiveSamples.all[sample]
    #expect(try Archived.bytes(value) == bytesOfTree(value))
  }

  /// The number of objects decides on the size of a reference: one byte up to 255, two up to 65,535.
  @Test(arguments: [
    0, 1, 100, 115, 116, 117, 118, 119, 120, 121, 122, 123, 124, 125, 126, 127, 128, 129, 300,
  ])
  func `A reference is as large as the number of objects demands`(_ count: Int) throws {
    let value = Value.array((0..<count).map { .integer(Int128($0)) })
    let bytes = try Archived.bytes(value)
    #expect(bytes == (try bytesOfTree(value)))
    #expect(try Archived.value(bytes) == value)
  }

  @Test(arguments: [32_740, 32_764, 40_000])
  func `Large numbers of objects take larger references`(_ count: Int) throws {
    let value = Value.array((0..<count).map { .integer(Int128($0)) })
    #expect(try Archived.bytes(value) == bytesOfTree(value))
  }

  /// Many objects are written part by part, and the references to them at the end if the output can replace bytes.
  @Test(.temporaryDirectory, arguments: [10, 3_000, 40_000, 70_000])
  func `An archive has the same bytes in a file, in memory and in a stream`(_ count: Int) throws {
    let value = Value.array(
      (0..<count).map { .object(ObjectValue(ObjectClass("Person"), content: ["age": .integer(Int128($0))])) })
    let bytes = try Archived.bytes(value)
    let stream = StreamOutput()
    let path = TemporaryDirectory.current.path("people")
    let file = try FileOutput(path: path)
    let otherPath = TemporaryDirectory.current.path("others")
    let otherFile = try FileOutput(path: otherPath)
    let head = HeadOutput(to: otherFile, upTo: 100)
    for output in [stream, file, head] as [any ByteOutput] {
      let writer = ArchiveWriter(
        to: BinaryPropertyListWriter(to: output, sharing: .archiver), keyOrder: .buckets)
      try value.replay(into: writer)
      try writer.finish()
    }
    try file.commit()
    try otherFile.commit()
    #expect(stream.bytes == bytes)
    #expect(try FileInput(path: path).readAll() == bytes)
    #expect(try FileInput(path: otherPath).readAll() == bytes)
    #expect(head.head == Array(bytes.prefix(100)))
    #expect(try bytes == bytesOfTree(value))
  }

  @Test func `An archive follows the bytes that its output has already`() throws {
    let value = Value.array((0..<70_000).map { .string("the person with the number \($0)") })
    let output = MemoryOutput()
    try output.write([1, 2, 3])
    let writer = ArchiveWriter(
      to: BinaryPropertyListWriter(to: output, sharing: .archiver), keyOrder: .buckets)
    try value.replay(into: writer)
    try writer.finish()
    #expect(Array(output.bytes.dropFirst(3)) == (try Archived.bytes(value)))
    #expect(output.bytes.prefix(3) == [1, 2, 3])
  }

  @Test(arguments: 0..<200) func `Random values have the bytes that their property lists have`(_ seed: Int)
    throws
  {
    var random = SeededGenerator(seed: UInt64(seed))
    let value = Self.value(depth: 0, &random)
    #expect(try Archived.bytes(value) == bytesOfTree(value))
  }

  private static let texts = [
    "", "a", "id", "name", "NSDictionary", "NSString", "$null", "$class", "NS.keys", "$0", "$$x", "exactly 7",
    "elevenchars", "a text that is too long for a pointer", "é", "𝄞 東京", "1234567", "NSMutableDictionary",
  ]

  private static func value(depth: Int, _ random: inout SeededGenerator) -> Value {
    func text() -> String { texts[Int(random.next() % UInt64(texts.count))] }
    switch random.next() % (depth > 3 ? 9 : 14) {
    case 0: return .null
    case 1: return .boolean(random.next() % 2 == 0)
    case 2: return .integer(Int128(Int64(bitPattern: random.next()) >> Int64(random.next() % 64)))
    case 3: return .integer(Int128(random.next() % 4))
    case 4: return .real(Double(random.next() % 5) / 2)
    case 5: return .single(Float(random.next() % 5) / 2)
    case 6: return .data([UInt8](repeating: 1, count: Int(random.next() % 20)))
    case 7: return .date(secondsSince2001: Double(random.next() % 3))
    case 8: return random.next() % 9 == 0 ? .unpairedString([0xdc00]) : .string(text())
    case 9, 10: return .array((0..<Int(random.next() % 20)).map { _ in value(depth: depth + 1, &random) })
    case 11: return .number("1.50")
    default:
      var entries = KeyedValues()
      for _ in 0..<Int(random.next() % 8) { entries[text()] = value(depth: depth + 1, &random) }
      let isObject = random.next() % 2 == 0
      return isObject
        ? .object(ObjectValue(ObjectClass(text().isEmpty ? "A" : "Person"), content: .dictionary(entries)))
        : .dictionary(entries)
    }
  }
}

/// An output whose bytes cannot be replaced.
private final class StreamOutput: ByteOutput {
  private(set) var bytes: [UInt8] = []

  func write(_ bytes: Span<UInt8>) throws(FerryError) { self.bytes.append(copying: bytes) }
}
