/// An error that a sink throws for one event of a batch.
struct EventFailure: Error {
  var error: FerryError
  /// The index of the event in the batch.
  var index: Int
}
