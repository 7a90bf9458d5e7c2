import Testing

@testable import Ferry

/// Numbers and dates at the ends of their ranges, in a binary property list and in an archive.
@Suite struct `Extreme numbers and dates` {
  static let reals: [Double] = [
    0, -0.0, .leastNonzeroMagnitude, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .infinity,
    -.infinity, .nan, 1e300, -1e300, 9.223372036854775e18, 9.3e18, -9.3e18, 1.8446744073709552e19, 1e16, 0.1,
    // Seconds at the ends of the years 9999, 0 and 1970, and in the last year of 64-bit days.
    252_455_615_999, -63_145_526_400, -978_307_200, 7.9e23,
  ]
  static let integers: [Int128] = [0, Int128(Int64.min), Int128(Int64.max), Int128(UInt64.max)]

  static var values: [Value] {
    let dates = reals.map { Value.date(secondsSince2001: $0) }
    return dates + reals.map { Value.real($0) } + integers.map { Value.integer($0) }
  }

  private func archive(_ value: Value) throws -> [UInt8] {
    let output = MemoryOutput()
    let writer = ArchiveWriter(
      to: BinaryPropertyListWriter(to: output, sharing: .archiver), keyOrder: .buckets)
    try value.replay(into: writer)
    try writer.finish()
    return output.bytes
  }

  @Test(arguments: Format.allCases.filter(\.canWrite))
  func `An extreme number is written in every format and representation, or refused`(_ target: Format) throws
  {
    for value in Self.values {
      for content in [value, ["key": value], [value, value]] as [Value] {
        for bytes in try [PropertyLists.binary(content), archive(content)] {
          for form in [Representation.plain, .typed, .raw] {
            var conversion = Conversion(to: target)
            conversion.writing.representation = form
            do throws(FerryError) {
              _ = try conversion.convert(bytes)
            } catch {
              #expect(!error.message.isEmpty)
            }
          }
        }
      }
    }
  }

  @Test(arguments: [Format.json, .xml, .xmlPropertyList])
  func `An extreme number comes back from the typed representation with its bits`(_ target: Format) throws {
    for value in Self.values {
      for bytes in try [PropertyLists.binary(["key": value]), archive(["key": value])] {
        let source = try Format.of(bytes)
        var there = Conversion(to: target)
        there.writing.representation = .typed
        var back = Conversion(to: source)
        (back.reading.format, back.writing.representation) = (target, .typed)
        let isSame = try back.convert(there.convert(bytes).bytes).bytes == bytes
        #expect(isSame, "\(value) in \(target.rawValue)")
      }
    }
  }

  @Test func `An extreme number is inspected, found by a path, and set to itself`() throws {
    for value in Self.values {
      for bytes in try [PropertyLists.binary(["key": value]), archive(["key": value])] {
        _ = try Inspection(reading: MemoryInput(bytes))
        let file = try EditableFile(bytes)
        let path = try ValuePath(parsing: "key")
        let found = try file.value(at: path)
        try file.set(found, at: path)
        let isSame = try file.bytes() == bytes
        #expect(isSame, "\(value)")
      }
    }
  }
}
