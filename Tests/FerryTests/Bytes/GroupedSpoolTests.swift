import Testing

@testable import Ferry

@Suite struct `Spools of groups` {
  @Test(arguments: [10, 1 << 20])
  func `Groups are read in the order in which they were written`(_ size: Int) throws {
    let spool = GroupedSpool()
    var expected: [[UInt8]] = [[], [], []]
    for _ in expected { spool.addGroup() }
    for number in 0..<12 {
      let (group, bytes) = (number % 5 % 3, [UInt8](repeating: UInt8(number), count: size + number))
      try spool.append(bytes.span, to: group)
      expected[group] += bytes
    }
    for group in expected.indices {
      var read: [UInt8] = []
      try spool.forEachPiece(of: group) { piece in read.append(copying: piece) }
      #expect(read == expected[group])
    }
  }
}
