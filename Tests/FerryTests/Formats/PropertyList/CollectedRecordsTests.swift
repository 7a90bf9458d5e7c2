import Testing

@testable import Ferry

@Suite struct `Records of a binary property list in batches` {
  /// Returns the JSON of a binary file, which the reader sends in batches.
  private func json(ofBinary bytes: [UInt8], budget: Budget = Budget()) throws -> String {
    let output = MemoryOutput()
    let writer = JSONWriter(to: output)
    try BinaryPropertyList(bytes, budget: budget).replay(into: writer)
    try writer.finish()
    return String(decoding: output.bytes, as: UTF8.self)
  }

  /// Returns the JSON of a value, which sends one event after the other.
  private func json(_ value: Value) throws -> String {
    let output = MemoryOutput()
    let writer = JSONWriter(to: output)
    try value.replay(into: writer)
    try writer.finish()
    return String(decoding: output.bytes, as: UTF8.self)
  }

  /// Returns a record with `count` entries, some of which are collections if `isDeep` is true.
  private static func record(_ number: Int, entries count: Int, isDeep: Bool) -> Value {
    var record = KeyedValues()
    for entry in 0..<count {
      let value: Value =
        switch (number + entry) % 7 {
        case 0: .integer(Int128(number) - 3)
        case 1: .string("text \(number) \"\(entry)\"")
        case 2: .boolean(number.isMultiple(of: 2))
        case 3: .string("é\(number)")
        case 4: isDeep ? ["in": ["a": 1, "b": [true, [:]]]] : .integer(Int128(UInt64.max))
        case 5: .real(Double(entry) / 3)
        default: isDeep ? [[:], [], ["x": "y"]] : "plain"
        }
      record["key \(entry)"] = value
    }
    return .dictionary(record)
  }

  @Test(arguments: [0, 1, 7, 254, 255, 256, 300, 600], [false, true])
  func `Records of any length are written as one by one`(_ entries: Int, _ isDeep: Bool) throws {
    let records = (0..<40).map { Self.record($0, entries: entries, isDeep: isDeep && $0 % 3 == 0) }
    let value: Value = [
      "before": "x", "records": .array(records), "after": .array([1, .array(records), "y"]),
    ]
    #expect(try json(ofBinary: PropertyLists.binary(value)) == json(value))
  }

  @Test func `Records with other keys than those before them are written as one by one`() throws {
    let records: [Value] = (0..<600).map { number in
      switch number % 5 {
      case 0: ["a": 1, "b": "x", "c": true]
      case 1: ["a": 1, "b": "x"]
      case 2: ["b": "x", "a": 1, "c": ["a": 2, "b": "z"]]
      case 3: [:]
      default: ["a": 1, "b": "x", "c": true, "d": .integer(Int128(number))]
      }
    }
    #expect(try json(ofBinary: PropertyLists.binary(.array(records))) == json(.array(records)))
  }

  @Test func `A record that contains itself is found after its scalars`() {
    let a: [UInt8] = [0x51, 0x61]
    let file = BinaryFile([0xa1, 1], [0xd2, 2, 3, 3, 0], a, [0x51, 0x62])
    let failure = PropertyLists.failure { _ = try json(ofBinary: file.bytes) }
    #expect(failure?.reason == .propertyList(.containsItself))
    #expect(failure?.location == InputLocation(byte: 8, object: 0))
  }

  @Test func `The error of a record that contains itself has the path of the record`() {
    let (n, l, x): ([UInt8], [UInt8], [UInt8]) = ([0x51, 0x6e], [0x51, 0x6c], [0x51, 0x78])
    let file = BinaryFile([0xd2, 1, 2, 3, 4], n, l, x, [0xa2, 5, 0], [0x10, 7])
    for format in [Format.json, .jsonLines, .xmlPropertyList, .yaml] {
      let error = #expect(throws: FerryError.self) {
        try Conversion(to: format).convert(file.bytes)
      }
      #expect(
        error?.reason == .propertyList(.containsItself) && error?.path.description == "l[1]", "\(format)")
    }
  }

  @Test func `The limit on the depth applies to records of scalars`() throws {
    let bytes = try PropertyLists.binary([[["a": 1], ["a": 2]]])
    var budget = Budget()
    budget.depth = 3
    #expect(try json(ofBinary: bytes, budget: budget) == "[[{\"a\":1},{\"a\":2}]]\n")
    budget.depth = 2
    let failure = PropertyLists.failure { _ = try json(ofBinary: bytes, budget: budget) }
    #expect(failure?.reason == .overBudget(.depth(2)))
  }
}
