/// The errors of the records that a conversion has left out.
final class FailedRecords {
  /// The errors, in the order of the records.
  private(set) var errors: [FerryError] = []
  /// The indices of the records in which their reader has found an error.
  private var leftOut: Set<Int> = []

  /// The number of records that their reader could not read, and has not sent.
  private(set) var unreadCount = 0

  /// Adds the error of a record that its reader has sent.
  func add(_ error: FerryError) { errors.append(error) }

  /// Adds the error of a record that its reader could not read, and does not send. The records before it must have been sent.
  func add(unread error: FerryError) {
    unreadCount += 1
    add(error)
  }

  /// Moves an error to a location that the reader of a record knows more exactly.
  func move(errorAt index: Int, to location: InputLocation) { errors[index].location = location }

  /// Adds an error that the reader of a record has found, unless it has found another one in the record. The
  /// record is sent, and the mapper leaves it out.
  func add(_ error: FerryError, inRecord index: Int) {
    if leftOut.insert(index).inserted { add(error) }
  }

  /// Returns true if the reader of a record has found an error in it.
  func hasError(inRecord index: Int) -> Bool { leftOut.contains(index) }
}
