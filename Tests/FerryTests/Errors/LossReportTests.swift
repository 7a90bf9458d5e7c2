import Testing

@testable import Ferry

/// The losses of a conversion: all are counted, the first are listed.
@Suite struct `Reports of losses` {
  private static func report(_ count: Int, key: String = "k") -> LossReport {
    let report = LossReport()
    for index in 0..<count { report.add(.nullAsText, path: ValuePath([.key(key), .index(index)])) }
    return report
  }

  @Test func `Losses have a description`() {
    let losses = Self.report(2).all
    #expect(losses.description == "\(Loss.Kind.nullAsText.message) (2)")
    #expect(losses.listed[1].description == "\(Loss.Kind.nullAsText.message) (at k[1])")
    #expect(Losses().description == "nothing is lost")
  }

  @Test func `A report of losses counts the losses of its parts beyond those that are listed`() {
    let report = LossReport()
    report.add(Self.report(20_000).all)
    report.add(Self.report(3).all, under: [.index(7)])
    #expect(report.counts.map(\.count) == [20_003])
    #expect(report.losses.count == 10_000)
  }

  @Test func `Counts stay at the largest number`() {
    let report = Self.report(1)
    for _ in 0..<70 { report.add(report.all) }
    #expect(report.counts.map(\.count) == [.max])
    report.add(.nullAsText)
    #expect(report.counts.map(\.count) == [.max])
    var tally = Tally<String>(limit: 1)
    for subject in ["a", "a", "b", "b"] { tally.add(subject, count: .max) }
    tally.add(tally)
    #expect(tally["a"] == .max && tally.others == .max && tally.total == .max)
  }

  @Test func `A report of losses has the paths of its parts under their steps`() {
    let report = LossReport()
    report.add(Self.report(2).all, under: [.index(7), .key("a")])
    #expect(report.losses.map(\.path.description) == ["[7].a.k[0]", "[7].a.k[1]"])
  }

  @Test func `A report of losses keeps its limit of bytes when parts are added and moved under a step`() {
    let long = String(repeating: "k", count: 1 << 20)
    let report = LossReport()
    for _ in 0..<4 { report.add(Self.report(5, key: long).all) }
    #expect(report.counts.map(\.count) == [20])
    #expect(report.losses.count == 8)
    let moved = Self.report(4)
    moved.prefix(.key(String(repeating: "k", count: 3 << 20)), from: 0)
    moved.add(.nullAsText)
    #expect(moved.losses.count == 4)
  }

  @Test func `A report of losses finds the first loss that is sought, also beyond the list`() {
    func report() -> LossReport {
      LossReport(limit: 3, seeking: { $0.path == "a" }, listing: { $0 == .nullAsText })
    }
    let (direct, merged, first) = (report(), report(), report())
    for index in 0..<3 { direct.add(.nullAsText, path: ValuePath([.index(index)])) }
    direct.add(.notFinite, path: "a")
    #expect(direct.firstSought == nil)
    for path: ValuePath in ["b", "a", "a"] { direct.add(.nullAsText, path: path) }
    #expect(direct.firstSought?.path == "a" && direct.losses.count == 3)
    merged.add(Self.report(3).all)
    let part = LossReport()
    part.add(.nullAsText, path: "a")
    merged.add(part.all)
    #expect(merged.firstSought?.path == "a" && merged.losses.count == 3)
    first.add(.nullAsText, path: "a")
    #expect(first.firstSought?.path == "a")
  }

  @Test func `A report of losses counts what is lost in one line of JSON Lines`() throws {
    let line = "[" + repeatElement(#"{"a":1,"a":2}"#, count: 10_001).joined(separator: ",") + "]"
    var conversion = Conversion(to: .json)
    conversion.keepsGoing = true
    let report = try conversion.convert(Array((line + "\n" + line).utf8), named: "a.jsonl").report
    #expect(report.losses.counts.map(\.count) == [20_002])
    #expect(report.losses.listed.last?.path == ValuePath([.index(0), .index(9999), .key("a")]))
  }
}
