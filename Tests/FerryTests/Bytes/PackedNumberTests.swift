import Testing

@testable import Ferry

@Suite struct `A packed number` {
  @Test(arguments: [0, 1, 0x7f, 0x80, 300, 1 << 35, .max] as [UInt64])
  func `is read as it was written`(_ number: UInt64) {
    var bytes: [UInt8] = [0xff]
    bytes.append(packed: number)
    var index = 1
    #expect(bytes.packedNumber(at: &index) == number)
    #expect(index == bytes.count)
  }

  @Test func `has its lowest bits first`() {
    var bytes: [UInt8] = []
    bytes.append(packed: 300)
    #expect(bytes == [0xac, 0x02])
  }
}
