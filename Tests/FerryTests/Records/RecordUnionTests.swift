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
      ([["k": 1], ["k": 2], ["k": 1]], .duplicateKey("k", value: "1", first: "[0]"), "[2].k"),
      ([["k": 1], ["j": 2]], .missingField("k", record: "record"), "[1]"),
      ([["k": nil]], .missingField("k", record: "record"), "[0]"),
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
