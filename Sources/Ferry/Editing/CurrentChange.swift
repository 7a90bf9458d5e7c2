/// The change of a file that is being made.
struct CurrentChange {
  /// The treatment of a change, which may be one of several that are undone and checked together.
  struct Mode {
    /// True if the change keeps the state before it, to undo the change if it fails.
    var keepsState = true
    /// True if the objects of an archive are checked after the change.
    var checksObjects = true
  }

  var mode = Mode()
  /// The nesting depth. A change of a value makes changes of its parts.
  var depth = 0
  /// The first error of a change since `edit` began. The change may be made in part, because `edit` keeps only the state before all
  /// changes.
  var failure: FerryError?
  /// False while the error of a missing key is only asked for its reason, and lists no keys.
  var listsKeys = true

  /// Notes the error of a change. If a change of a part fails, the whole value may still be replaced, so only the outermost change counts.
  mutating func noteFailure(_ error: FerryError) {
    if depth == 0, failure == nil { failure = error }
  }
}

extension EditableFile {
  /// Makes changes with a treatment.
  func changing<Result, E: Error>(
    by mode: CurrentChange.Mode, _ changes: () throws(E) -> Result
  ) throws(E) -> Result {
    let outer = currentChange.mode
    currentChange.mode = mode
    defer { currentChange.mode = outer }
    return try changes()
  }

  /// Runs a function whose errors of missing keys list no keys: to find similar keys takes time in proportion to their number.
  func withoutListingKeys<Result, E: Error>(_ body: () throws(E) -> Result) throws(E) -> Result {
    let outer = currentChange.listsKeys
    currentChange.listsKeys = false
    defer { currentChange.listsKeys = outer }
    return try body()
  }
}
