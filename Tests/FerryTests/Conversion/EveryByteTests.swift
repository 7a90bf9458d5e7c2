import Testing

@testable import Ferry

@Suite struct `Every beginning and every changed byte` {
  private static let people =
    #"[{"firstName":"Zoë","lastName":"O'Neil & <Co>","nick":"\u0041\n"},{"firstName":"","lastName":"x"}]"#

  private func document(in format: Format) throws -> [UInt8] {
    var conversion = Conversion(to: format)
    conversion.schema = .person
    return try conversion.convert(Array(Self.people.utf8)).bytes
  }

  @Test(arguments: Format.general)
  func `of a document is converted or refused, never a trap`(_ format: Format) throws {
    let bytes = try document(in: format)
    let target: Format = format == .json ? .archive : .json
    var conversion = Conversion(to: target)
    conversion.source = format
    #expect(throws: Never.self) { try conversion.convert(bytes) }
    var refused = 0
    func attempt(_ bytes: [UInt8]) {
      do throws(FerryError) {
        _ = try conversion.convert(bytes)
      } catch {
        refused += 1
        #expect(!error.message.isEmpty)
      }
    }
    for end in bytes.indices { attempt(Array(bytes[..<end])) }
    for index in bytes.indices {
      for change in [0x01, 0x80, 0xff] as [UInt8] {
        var changed = bytes
        changed[index] ^= change
        attempt(changed)
      }
    }
    // Nearly every beginning of a document is none.
    #expect(refused > bytes.count / 2)
  }
}
