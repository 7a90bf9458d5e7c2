import TestSupport
import Testing

@testable import Ferry

@Suite struct `Tables of keys` {
  private func list(_ count: Int) throws -> BinaryPropertyList {
    let entries = (0..<count).map { "\"k\($0)\":1" }.joined(separator: ",")
    let bytes = try Conversion(to: .binaryPropertyList).convert(Array("{\(entries)}".utf8), named: "a.json")
      .bytes
    return try BinaryPropertyList(bytes)
  }

  @Test func `Thousands of keys are removed from a table in time in proportion to their number`() throws {
    let count = 60_000
    let list = try list(count)
    var table = try KeyTable(of: list.root, count: count, in: list)
    // A change of the index of each key after a removed one would be 1.8 billion changes.
    try expectProcessorTime(atMost: .seconds(3)) {
      for index in 0..<count - 1 {
        let isKept = try table.replace(0..<1, [list.key(index, of: list.root)], by: [], in: list)
        #expect(isKept)
      }
    }
    #expect(table.first("k\(count - 2)") == nil && table.first("k\(count - 1)") == 0)
    #expect(table.hasOnlyUniqueStrings)
  }

  @Test func `Replaced, removed and added keys have the indices of their entries`() throws {
    let list = try list(6)
    let keys = try (0..<6).map { index in try list.key(index, of: list.root) }
    var table = try KeyTable(of: list.root, count: 4, in: list)
    var areKept = [try table.replace(1..<3, Array(keys[1..<3]), by: [keys[4]], in: list)]
    #expect(["k0", "k1", "k2", "k3", "k4"].map { table.first($0) } == [0, nil, nil, 2, 1])
    areKept.append(try table.replace(3..<3, [], by: [keys[5], keys[1]], in: list))
    #expect(["k0", "k4", "k3", "k5", "k1"].map { table.last($0) } == [0, 1, 2, 3, 4])
    // A table must be discarded after an insertion before other entries, and after a second entry with a key.
    var other = table
    areKept.append(try other.replace(1..<1, [], by: [keys[2]], in: list))
    areKept.append(try table.replace(5..<5, [], by: [keys[0]], in: list))
    #expect(areKept == [true, true, false, false])
  }
}
