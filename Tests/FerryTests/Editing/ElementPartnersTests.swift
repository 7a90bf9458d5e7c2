import TestSupport
import Testing

@testable import Ferry

@Suite struct `Matches of new list elements with old ones` {
  private func partners(of new: [Value], in old: [Value]) -> [Int?] {
    expectProcessorTime(atMost: .seconds(10)) { ElementPartners(of: new, in: old, old).indices }
  }

  private func record(_ name: String, _ number: Int) -> Value {
    [name: .integer(Int128(number)), "\(name)2": .integer(Int128(-number))]
  }

  @Test func `Changed records are found in time in proportion to their number`() {
    let old = (1...20_000).map { record("a", $0) }
    let new = (20_001..<40_000).map { record("a", $0) }
    #expect(partners(of: new, in: old) == Array(0..<19_999))
  }

  @Test func `New texts and numbers match old dates, data and reals in their order`() {
    let old: [Value] = [
      .data([1]), .real(0.5), .single(0.5), .date(secondsSince2001: 0), .real(1.5), "a",
      .date(secondsSince2001: 1),
    ]
    let shown: [Value] = ["AQ==", 0.5, 0.5, "2001-01-01T00:00:00Z", 1.5, "a", "2001-01-01T00:00:01Z"]
    let new: [Value] = ["2014-06-01T09:30:00Z", 3, 4, "AgID", 5, "2014-06-01T09:30:01Z", true, false]
    #expect(ElementPartners(of: new, in: shown, old).indices == [3, 1, 2, 0, 4, 6, 5, nil])
    let count = 100_000
    let dates = (0..<count).map { Value.date(secondsSince2001: Double($0)) }
    let texts = (0...count).map { Value.string(ISODate.text(Double(count + $0)) ?? "") }
    let found = expectProcessorTime(atMost: .seconds(10)) {
      ElementPartners(of: texts, in: dates.map { _ in "" }, dates).indices
    }
    #expect(found == Array(0..<count) + [nil])
  }

  @Test func `Records with the same keys are found in time in proportion to their number`() {
    let count = 20_000
    let old = (0..<count).map { record("a", $0) }
    // The keys are in another order, and the records have no field in common.
    let new = (1..<count).map { index -> Value in
      ["a2": .integer(Int128(count + index)), "a": .integer(Int128(-index))]
    }
    #expect(partners(of: new, in: old) == Array(0..<count - 1))
    // The number of comparisons has a limit.
    let best = partners(of: (7...10).map { ["a2": .integer(Int128(-$0)), "a": -1] }, in: old)
    #expect(best == [7, 8, 9, 0])
  }

  @Test func `Of equal elements, the first one after the last match is used`() {
    #expect(
      partners(of: ["x", "b", "a", "b", "a", "a"], in: ["a", "b", "a", "b"]) == [nil, 1, 2, 3, 0, nil])
    let count = 300_000
    let old =
      Array(repeating: Value.string("a"), count: count) + Array(repeating: Value.string("b"), count: count)
    let new = ["x"] + (0..<2 * count).map { Value.string($0.isMultiple(of: 2) ? "b" : "a") }
    let found = partners(of: new, in: old)
    #expect(found[0] == nil && found[1] == count && found[2] == 0 && found[3] == count + 1)
  }
}
