import Testing

@testable import Ferry

@Suite struct `Gaps between the records of an output` {
  @Test(arguments: ["", "0", "1", "01", "10", "0010110", "1100010", "0101010", "111000"])
  func `A record of the output has its index in the input, also while more are left out`(_ input: String) {
    var gaps = RecordGaps()
    var written: [Int] = []
    for (index, mark) in input.enumerated() {
      if mark == "1" { written.append(index) } else { gaps.add(after: written.count) }
      for (record, index) in written.enumerated() { #expect(gaps.indexInInput(of: record) == index) }
    }
  }
}
