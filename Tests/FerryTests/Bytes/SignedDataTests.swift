import TestSupport
import Testing

@testable import Ferry

@Suite struct `Signed data` {
  private static let profile = Array(
    """
    <plist version="1.0"><dict><key>PayloadVersion</key><integer>1</integer></dict></plist>
    """.utf8)

  private func contents(_ bytes: [UInt8]) throws(FerryError) -> [UInt8] {
    try SignedData.contents(of: bytes.span)
  }

  private func failure(_ bytes: [UInt8]) -> FerryError? {
    do { _ = try contents(bytes) } catch { return error }
    return nil
  }

  @Test(arguments: SignedFile.Encoding.allCases)
  func `Its contents are read`(_ encoding: SignedFile.Encoding) throws {
    for sample in [[], [7], Self.profile, [UInt8](repeating: 0x24, count: 3000)] {
      let file = SignedFile(sample, encoding).bytes
      #expect(SignedData.begins(file))
      #expect(try contents(file) == sample)
      let input = SignedInput(MemoryInput(file))
      #expect(try input.peek(upTo: 5) == Array(sample.prefix(5)))
      #expect(try input.readAll() == sample)
      #expect(try input.readAll() == [])
    }
  }

  @Test(arguments: SignedFile.Encoding.allCases)
  func `Damage is an error or changes the contents, and no prefix is read`(
    _ encoding: SignedFile.Encoding
  ) throws {
    let file = SignedFile(Self.profile, encoding).bytes
    try Damage(to: file).check { bytes in _ = try contents(bytes) }
    let everyBit = Damage.Change.flipping((0..<8).map { 1 << $0 })
    try Damage(to: file, lengths: [], change: everyBit).check { bytes in _ = try contents(bytes) }
  }

  @Test(arguments: SignedFile.Encoding.allCases)
  func `The first contents are found in the first bytes of the file`(_ encoding: SignedFile.Encoding) throws {
    let file = SignedFile(Self.profile, encoding).bytes
    for length in file.indices {
      let head = Array(file.prefix(length))
      let beginning = try SignedData.beginning(of: head.span, isWhole: false)
      #expect(Self.profile.starts(with: beginning))
      // At most 60 bytes precede the contents, and 4 each string of 7.
      #expect(beginning.count >= min(Self.profile.count, (length - 60) * 7 / 11))
      #expect(SignedData.begins(head) || SignedData.isOpen(head))
    }
  }

  @Test func `Bytes after the end, strings in strings and a signature alone are refused`() {
    let file = SignedFile(Self.profile).bytes
    #expect(
      failure(file + [0])
        == FerryError(
          .compression(.damagedSignedData("bytes follow its end")), at: InputLocation(byte: file.count)))
    // A second string beside that of the contents.
    let two = SignedFile(Self.profile, .ber).bytes
    let end = two.indices.first { two[$0...].starts(with: [0x24, 0x80]) } ?? 0
    #expect(
      failure(Array(two[..<end]) + [0x04, 1, 0] + two[end...])?.reason
        == .compression(.damagedSignedData("it has several contents")))
    #expect(failure(SignedFile(nil).bytes)?.reason == .compression(.noSignedContents))
    #expect(failure(SignedFile(nil, .ber).bytes)?.reason == .compression(.noSignedContents))
    // The string of the contents becomes one of a hundred strings inside each other.
    let ber = SignedFile([], .ber).bytes
    let start = ber.indices.first { ber[$0...].starts(with: [0x24, 0x80]) } ?? 0
    let deep = Array(ber[..<start]) + (0..<100).flatMap { _ in [0x24, 0x80] as [UInt8] } + ber[start...]
    #expect(
      failure(deep)?.reason
        == .compression(.damagedSignedData("its contents are in more than 16 levels of strings")))
  }

  @Test func `Text does not begin like signed data`() {
    for text in ["0", "0.5", "00", "0\u{80}\u{6}\t*\u{86}H\u{86}÷\r\u{1}\u{7}\u{2}", "[1]"] {
      #expect(!SignedData.begins(Array(text.utf8)))
    }
  }

  @Test func `A signed file is decoded, and its contents are those of an edited file`() throws {
    struct Profile: Decodable, Equatable { var PayloadVersion: Int }
    let file = SignedFile(Self.profile, .ber).bytes
    #expect(try FerryDecoder().decode(Profile.self, from: file) == Profile(PayloadVersion: 1))
    let encoded = try EncodedFile(file, named: "wifi.mobileconfig")
    #expect(encoded.isSigned)
    #expect(encoded.contents == Self.profile)
    #expect(try encoded.bytes(with: Self.profile) == file)
    #expect(throws: FerryError(.compression(.signed))) { try encoded.bytes(with: [1]) }
    #expect(try encoded.bytes(with: [1], forCopyNamed: "copy.mobileconfig") == [1])
    #expect(try encoded.bytes(with: Self.profile, forCopyNamed: "copy.mobileconfig") == file)
  }
}
