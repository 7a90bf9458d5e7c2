import Testing

@testable import Ferry

@Suite struct `Binary property lists of records in batches` {
  /// Returns the binary file of the values that are read from XML, in batches.
  private func binaryFromXML(_ value: Value) throws -> [UInt8] {
    let output = MemoryOutput()
    let writer = BinaryPropertyListWriter(to: output)
    let reader = XMLPropertyListReader(into: writer)
    try reader.readAll(PropertyLists.xml(value), chunk: .max)
    try writer.finish()
    return output.bytes
  }

  @Test(arguments: [1, 40, 5000])
  func `Equal scalars of many records share an object, and different ones do not`(_ count: Int) throws {
    // Strings, integers and reals, some with equal bits, and keys that are also values.
    let records = (0..<count).map { number -> Value in
      [
        "id": .integer(Int128(number)), "name": .string("n\(number % 97)"), "id text": .string("\(number)"),
        "real": .real(Double(number) + 0.5), "bits": .integer(Int128((Double(number) + 0.5).bitPattern)),
        "is": .boolean(number % 3 == 0), "name again": "name", "é": .string("é\(number)"),
        "big": .integer(Int128(UInt64.max) - Int128(number % 7)), "in": ["id": .integer(Int128(number))],
        "all": [1, "id", true], "last": .date(secondsSince2001: Double(number)),
      ]
    }
    let bytes = try binaryFromXML(.array(records))
    #expect(try bytes == PropertyLists.binary(.array(records)))
    #expect(try PropertyLists.value(binary: bytes) == .array(records))
  }

  private static let small: [Value] = [
    "alone", 7, true, 1.5, [:], [], ["a": ["a": "a"]], [[[]], ""], ["a": .uid(1), "b": [.uid(1), 1]],
  ]

  @Test(arguments: small)
  func `A list of few values is the same file in batches`(_ value: Value) throws {
    #expect(try binaryFromXML(value) == PropertyLists.binary(value))
  }
}
