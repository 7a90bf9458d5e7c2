import Testing

@testable import Ferry

@Suite struct `Signatures of files` {
  @Test func `A signature is recognized as soon as it is whole`() {
    let head: [UInt8] = [0x50, 0x4b, 0x03, 0x04, 0x14]
    for count in 0...head.count {
      let start = Array(head.prefix(count))
      #expect(FileSignature.zip.begins(start) == (count >= 4))
      #expect(FileSignature.zip.isOpen(start) == (count < 4))
      #expect(FileSignature.emptyZIP.isOpen(start) == (count < 3))
    }
  }
}
