/// The failures of records that a conversion leaves out, each with its source location as soon as the reader knows that.
///
/// A failure that ends a conversion is thrown through the reader, which adds the location. One that does not is noted here,
/// and the reader adds the location when it goes on.
final class FailedRecords {
  /// The failures in the order of the records.
  private(set) var failures: [Failure] = []
  /// True if the last failure has no source location yet.
  private(set) var isUnplaced = false

  /// Notes the failure of a record.
  func add(_ failure: Failure) {
    failures.append(failure)
    isUnplaced = failure.position.isEmpty
  }

  /// Says where the record of the last failure ends.
  func place(at position: Position) {
    guard isUnplaced, let last = failures.popLast() else { return }
    failures.append(last.placed(at: position))
    isUnplaced = false
  }
}
