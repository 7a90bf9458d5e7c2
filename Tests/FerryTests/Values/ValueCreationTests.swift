import Testing

@testable import Ferry

@Suite struct `Values made of variables` {
  @Test func `A scalar in a variable becomes a value`() {
    let (text, number, flag, real, single) = ("a", 5, true, 0.5, Float(0.25))
    let value: Value = [
      "text": Value(text), "part": Value(text.dropFirst(0)), "number": Value(number), "flag": Value(flag),
      "real": Value(real), "single": Value(single), "large": Value(UInt64.max), "wide": Value(Int128.min),
    ]
    #expect(
      value == [
        "text": "a", "part": "a", "number": 5, "flag": true, "real": 0.5, "single": .single(0.25),
        "large": .integer(Int128(UInt64.max)), "wide": .integer(.min),
      ])
    #expect(Value(Int8.min) == -128 && Value(UInt8.max) == 255)
    #expect(Value(Int16.min) == -32768 && Value(UInt16.max) == 65535)
    #expect(Value(Int32(-1)) == -1 && Value(UInt32(1)) == 1 && Value(Int64(-1)) == -1 && Value(UInt(1)) == 1)
  }

  @Test func `Entries are removed, mapped and combined in order`() {
    var entries: KeyedValues = ["a": 1, "b": 2, "c": 3]
    #expect(entries.removeValue(forKey: "b") == 2)
    #expect(entries.removeValue(forKey: "b") == nil)
    #expect(entries == ["a": 1, "c": 3])
    #expect(entries.mapValues { _ in "x" } == ["a": "x", "c": "x"])
    entries["d", default: 0] = 4
    #expect(entries["e", default: 5] == 5 && entries.keys == ["a", "c", "d"])
    let pairs: [(Value, Value)] = [("a", 1), ("b", 2), ("a", 3)]
    #expect(KeyedValues(pairs) { _, last in last } == ["a": 3, "b": 2])
    #expect(KeyedValues(pairs) { first, _ in first } == ["a": 1, "b": 2])
  }

  @Test func `Entries are described as the dictionary that has them`() {
    let entries: KeyedValues = ["a": 1, "b": ["c"]]
    #expect(entries.description == Value.dictionary(entries).description)
  }
}
