import Testing

@testable import Ferry

@Suite struct `Records with the same keys` {
  /// Builds a value as a reader does.
  private func read(_ records: [[(key: String, value: Value)]]) throws -> Value {
    let builder = ValueBuilder()
    try builder.beginArray(count: nil)
    for record in records {
      try builder.beginDictionary(count: nil)
      for (key, value) in record {
        try builder.key(BorrowedText(key.utf8.span))
        try value.replay(into: builder)
      }
      try builder.endDictionary()
    }
    try builder.endArray()
    return try builder.result()
  }

  /// Builds the same value entry by entry.
  private func made(_ records: [[(key: String, value: Value)]]) -> Value {
    .array(
      records.map { record in
        var entries = KeyedValues()
        for (key, value) in record { entries[.string(key)] = value }
        return .dictionary(entries)
      })
  }

  @Test func `Records have their own keys whatever the keys of those before them`() throws {
    var generator = SystemRandomNumberGenerator()
    let names = ["id", "name", "age", "a key of more than fifteen bytes", "", "é"]
    for _ in 0..<200 {
      let records = (0..<12).map { number in
        (0..<Int.random(in: 0...7, using: &generator)).map { index in
          // Most records begin alike, and some repeat a key.
          let isUsual = Int.random(in: 0..<5, using: &generator) > 0
          let key = isUsual ? names[min(index, names.count - 1)] : names.randomElement(using: &generator)
          return (key: key ?? "", value: Value(number * 10 + index))
        }
      }
      #expect(try read(records) == made(records))
    }
  }

  @Test func `Nested dictionaries of several kinds keep their keys`() throws {
    let records = (0..<9).map { number -> [(key: String, value: Value)] in
      let name: Value = ["first": Value(number), "last": "b"]
      let address: Value = number.isMultiple(of: 2) ? ["street": "s", "city": "c"] : ["city": "c"]
      return [("name", name), ("address", address), ("empty", [:])]
    }
    #expect(try read(records) == made(records))
  }

  @Test func `Records with the same keys store them once, also if records of other kinds are between them`()
    throws
  {
    let kinds: [[(key: String, value: Value)]] = [
      [("id", 1), ("name", "a")], [("id", 2)], [("name", "b"), ("id", 3)], [("other", 4)],
    ]
    guard case .array(let records) = try read((0..<20).map { kinds[$0 % 4] }) else {
      Issue.record("The records are not a list")
      return
    }
    let places = records.map(placeOfKeys)
    #expect(Set(places).count == 4)
    #expect(places.allSatisfy { $0 != nil })
  }

  @Test func `Sorted and mapped records store their keys once, too`() throws {
    let record: [(key: String, value: Value)] = [("id", 1), ("b", 2), ("a", 3)]
    let value = try read(Array(repeating: record, count: 5))
    let sorted = value.sortingKeys()
    #expect(sorted == made(Array(repeating: [("a", 3), ("b", 2), ("id", 1)], count: 5)))
    let mapped = value.mappingParts { $0.mappingParts { $0 == 1 ? 5 : $0 } }
    #expect(mapped == made(Array(repeating: [("id", 5), ("b", 2), ("a", 3)], count: 5)))
    for result in [value, sorted, mapped] {
      guard case .array(let records) = result else { continue }
      #expect(Set(records.map(placeOfKeys)).count == 1)
    }
  }

  @Test func `A change of one record leaves the others as they are`() throws {
    let record: [(key: String, value: Value)] = [("id", 1), ("name", "a")]
    guard case .array(let records) = try read([record, record]), case .dictionary(var entries) = records[0]
    else {
      Issue.record("The records are not a list of dictionaries")
      return
    }
    entries["age"] = 5
    entries.removeValue(forKey: "id")
    entries["name"] = "b"
    #expect(entries == ["name": "b", "age": 5])
    #expect(records == [["id": 1, "name": "a"], ["id": 1, "name": "a"]])
    entries.removeAll { $0 == "name" }
    #expect(entries == ["age": 5])
    #expect(Value.dictionary(["a": 1, "b": 2]).mappingParts { $0 == "b" ? "a" : $0 } == ["a": 2])
  }

  /// The address of the keys of a dictionary.
  private func placeOfKeys(of value: Value) -> Int? {
    guard case .dictionary(let entries) = value else { return nil }
    return unsafe entries.keys.withUnsafeBufferPointer { unsafe $0.baseAddress.map { Int(bitPattern: $0) } }
  }
}
