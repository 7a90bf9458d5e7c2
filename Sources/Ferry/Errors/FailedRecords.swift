/// The errors of the records that a conversion has left out.
final class FailedRecords {
  /// The errors, in the order of the records.
  private(set) var errors: [FerryError] = []

  /// Adds the error of a record.
  func add(_ error: FerryError) { errors.append(error) }
}
