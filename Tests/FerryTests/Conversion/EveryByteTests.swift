import TestSupport
import Testing

@testable import Ferry

@Suite struct `Damaged documents` {
  private static let people =
    #"[{"firstName":"Zoë","lastName":"O'Neil & <Co>","nick":"\u0041\n"},{"firstName":"","lastName":"x"}]"#

  private func document(in format: Format) throws -> [UInt8] {
    var conversion = Conversion(to: format)
    conversion.reading.schema = .person
    return try conversion.convert(Array(Self.people.utf8)).bytes
  }

  @Test(arguments: Format.general)
  func `A document with any byte missing or changed is converted or refused`(_ format: Format) throws {
    let bytes = try document(in: format)
    let target: Format = format == .json ? .archive : .json
    var conversion = Conversion(to: target)
    conversion.reading.format = format
    let tally = try Damage(to: bytes).check(prefixes: .readOrRefused) { bytes in
      let converted = try conversion.convert(bytes).bytes
      // Every output is a document that can be read.
      #expect(throws: Never.self) { try Conversion(to: .jsonLines).convert(converted) }
    }
    // Nearly every prefix of a document is not a document.
    #expect(tally.refusedPrefixes + tally.refusedChanges > bytes.count / 2)
  }
}
