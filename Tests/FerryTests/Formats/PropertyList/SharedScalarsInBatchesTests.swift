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

  /// Returns a record with strings, integers and reals, some with equal bits, and with keys that are also values.
  private static func record(_ number: Int) -> Value {
    let real = Double(number) + 0.5
    let id = Value.integer(Int128(number))
    var record = KeyedValues()
    record["id"] = id
    record["name"] = .string("n\(number % 97)")
    record["id text"] = .string("\(number)")
    record["real"] = .real(real)
    record["bits"] = .integer(Int128(real.bitPattern))
    record["is"] = .boolean(number % 3 == 0)
    record["name again"] = "name"
    record["é"] = .string("é\(number)")
    record["big"] = .integer(Int128(UInt64.max - UInt64(number % 7)))
    record["in"] = ["id": id]
    record["all"] = [1, "id", true]
    record["last"] = .date(secondsSince2001: Double(number))
    return .dictionary(record)
  }

  @Test(arguments: [1, 40, 5000])
  func `Equal scalars of many records share an object, and different ones do not`(_ count: Int) throws {
    let records = (0..<count).map(Self.record)
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
