/// The errors of the records that a conversion has left out.
///
/// Each error is handed on as soon as it is known, and only the first ones are kept, so memory does not grow with their number.
final class FailedRecords {
  /// The maximum number of errors that are kept.
  static let mostKept = 10_000

  /// The first errors, in the order of the records.
  private(set) var errors: [FerryError] = []
  /// The number of all errors.
  private(set) var count = 0
  /// Returns an error with its file in an archive.
  private let naming: (FerryError) -> FerryError
  /// Receives each error.
  private let handler: (@Sendable (FerryError) -> Void)?
  /// The errors that are held until their reader has located them more exactly; nil if errors are handed on at once.
  private var held: [FerryError]?
  /// The indices of the records in which their reader has found an error, and which their mapper has not received yet.
  private var leftOut: Set<Int> = []
  /// The index of the last record with such an error that the mapper has received.
  private var lastTaken: Int?

  /// The number of records that their reader could not read, and has not sent.
  private(set) var unreadCount = 0

  /// The gaps of the records that are left out, also by their mapper.
  private var gaps = RecordGaps()
  /// Returns the number of records that have been sent to the writer.
  var writtenCount: () -> Int = { 0 }

  init(
    naming: @escaping (FerryError) -> FerryError = { $0 },
    handingTo handler: (@Sendable (FerryError) -> Void)? = nil
  ) {
    (self.naming, self.handler) = (naming, handler)
  }

  /// Adds the error of a record that its reader has sent.
  func add(_ error: FerryError) {
    guard held == nil else {
      held?.append(error)
      return
    }
    let error = naming(error)
    count += 1
    if errors.count < Self.mostKept { errors.append(error) }
    handler?(error)
  }

  /// Adds the error of a record that its reader could not read, and does not send. The records before it must have been sent.
  func add(unread error: FerryError) {
    unreadCount += 1
    noteGap()
    add(error)
  }

  /// Adds the error of a record that its mapper leaves out.
  func add(unmapped error: FerryError) {
    noteGap()
    add(error)
  }

  private func noteGap() { gaps.add(after: writtenCount()) }

  /// Returns the path in the input of a value with a path in the output, which does not count the records that are left out.
  func pathInInput(_ path: ValuePath) -> ValuePath {
    var steps = path.steps
    for (step, index) in steps.enumerated() {
      guard case .index(let record) = index else { continue }
      steps[step] = .index(gaps.indexInInput(of: record))
      return ValuePath(steps)
    }
    return path
  }

  /// Holds the next errors until `release`, because the reader of their record can locate them more exactly.
  func hold() { held = [] }

  /// The number of errors that are held.
  var heldCount: Int { held?.count ?? 0 }

  /// Returns an error that is held.
  func heldError(at index: Int) -> FerryError? { held?[index] }

  /// Moves an error that is held to a location that the reader of its record knows more exactly.
  func move(heldErrorAt index: Int, to location: InputLocation) { held?[index].location = location }

  /// Adds the errors since `hold`.
  func release() {
    let errors = held ?? []
    held = nil
    for error in errors { add(error) }
  }

  /// Adds an error that the reader of a record has found, unless it has found another one in the record. The
  /// record is sent, and the mapper leaves it out.
  func add(_ error: FerryError, inRecord index: Int) {
    if index != lastTaken, leftOut.insert(index).inserted { add(error) }
  }

  /// Returns true if the reader of a record, which is complete, has found an error in it. Forgets the record.
  func takeError(inRecord index: Int) -> Bool {
    guard leftOut.remove(index) != nil else { return false }
    lastTaken = index
    noteGap()
    return true
  }
}
