/// The gaps between the records of an output, in which records of the input are left out.
///
///     input:  a b c d      b is left out
///     output: a c d        the record 1 of the output is the record 2 of the input
struct RecordGaps {
  /// The number of all records that are left out.
  private var leftOutCount = 0
  /// For each gap, the number of records that are written before it, and that of all records left out up to it. Only the first ones are
  /// kept.
  private var gaps: [(written: Int, leftOut: Int)] = []

  /// Adds a record that is left out after a number of records that are written.
  mutating func add(after written: Int) {
    leftOutCount += 1
    if gaps.last?.written == written {
      gaps[gaps.count - 1].leftOut = leftOutCount
    } else if gaps.count < FailedRecords.mostKept {
      gaps.append((written, leftOutCount))
    }
  }

  /// Returns the index in the input of the record with an index in the output.
  func indexInInput(of record: Int) -> Int { record + leftOutCount(before: record) }

  /// Returns the number of records left out before the one with an index in the output.
  private func leftOutCount(before record: Int) -> Int {
    guard let last = gaps.last, record < last.written else { return leftOutCount }
    var (low, high) = (0, gaps.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if gaps[middle].written <= record { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? 0 : gaps[low - 1].leftOut
  }
}
