import Ferry

extension EditableFile {
  /// Makes the changes of a command line in their order, or none if one fails. Returns the number of changed values.
  ///
  /// - Parameters:
  ///   - make: Makes a change, and returns the number of its values, and notes on it.
  ///   - notes: Receives the notes on all changes.
  func makeAll(
    _ changes: [ChangeOptions.GivenChange],
    _ make: (ChangeOptions.GivenChange) throws(FerryError) -> (count: Int, notes: [String]),
    notes: ([String]) -> Void
  ) throws(FerryError) -> Int {
    var results: [(count: Int, notes: [String])] = []
    func makeEach() throws(FerryError) {
      // An edit of several changes may make them twice.
      results = []
      for change in changes { results.append(try make(change)) }
    }
    if changes.count == 1, !(changes[0].change.path.mayBeXPath && takesXPaths) {
      try makeEach()
    } else {
      try edit { _ throws(FerryError) in try makeEach() }
    }
    notes(results.flatMap(\.notes))
    return results.reduce(0) { $0 + $1.count }
  }
}
