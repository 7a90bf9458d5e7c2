import Testing

@testable import Ferry

@Suite struct `Records that are added by their key` {
  private let saved: [Value] = [["k": "a", "x": 1], ["k": "b"], ["other": true]]

  @Test func `Records that are added by their key follow the existing ones, which stay as they are`() throws {
    let union = try RecordUnion(of: saved, adding: [["k": "c"], ["k": "a", "x": 2], ["k": "d"]], key: "k")
    #expect(union.records == saved + [["k": "c"], ["k": "d"]])
    #expect(union.added == ["c", "d"])
    #expect(try RecordUnion(of: saved, adding: [["k": "b"]], key: "k").added.isEmpty)
  }

  @Test func `Keys that are numbers and keys that are text differ, and objects have keys too`() throws {
    let object = Value.object(ObjectValue(ObjectClass("P"), content: ["k": 1]))
    #expect(try RecordUnion(of: [["k": "1"]], adding: [object], key: "k").added == [1])
    #expect(try RecordUnion(of: [object], adding: [["k": 1]], key: "k").added == [])
  }

  @Test(
    arguments: [
      (.uuid, "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "e621e1f8-c36c-495a-93fc-0c247a3e6e5f"),
      (.data, .data([1, 2]), "A Q I ="), (.decimal, 1, .number("1.00")), (.decimal, 0.1, .number("1e-1")),
      (.decimal, .number("-0"), 0), (.real, 1, 1.0), (.boolean, true, "yes"), (.integer, 7, "7"),
      (.date, .date(secondsSince2001: 0.25), "2001-01-01T01:00:00.25+01:00"),
      (.string, "a", .object(ObjectValue(ObjectClass("NSMutableString"), content: "a"))),
    ] as [(FieldType, Value, Value)])
  func `Keys are compared by the value of their type`(_ type: FieldType, _ old: Value, _ new: Value) throws {
    #expect(RecordKey(old, type) == RecordKey(new, type))
    #expect(RecordKey(old, nil) != RecordKey(new, nil))
    #expect(try RecordUnion(of: [["k": old]], adding: [["k": new]], key: "k", type: type).added == [])
    #expect(try RecordUnion(of: [["k": old]], adding: [["k": new]], key: "k").added == [new])
    #expect(try RecordIndex([["k": old]], key: "k", type: type)[new] == 0)
    let error = #expect(throws: FerryError.self) {
      try RecordIndex([["k": old], ["k": new]], key: "k", type: type)
    }
    #expect(error?.reason == .record(.duplicateKey("k", value: new.words, first: "[0]")))
  }

  @Test func `A value that is not of the type is compared as it is`() {
    #expect(RecordKey("x", .uuid) == RecordKey("x", .uuid))
    #expect(RecordKey("x", .uuid) != RecordKey("X", .uuid))
    #expect(RecordKey("1", .string) != RecordKey(1, .string))
  }

  @Test(
    arguments: [
      ([["k": 1], ["k": 2], ["k": 1]], .duplicateKey("k", value: "1", first: "[0]"), "[2].k"),
      ([["k": 1], ["j": 2]], .missingField("k", record: "record"), "[1]"),
      ([["k": .null]], .missingField("k", record: "record"), "[0]"),
      (["k"], .notARecord(found: "\"k\"", record: "record"), "[0]"),
    ] as [([Value], RecordProblem, String)])
  func `Records whose key does not tell them apart are refused with their place`(
    _ new: [Value], _ problem: RecordProblem, _ path: String
  ) {
    let failure = #expect(throws: FerryError.self) { try RecordUnion(of: saved, adding: new, key: "k") }
    #expect(failure?.reason == .record(problem))
    #expect(failure?.path.description == path)
  }
}
