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

  /// Makes a change of each value that its XPath selects. Returns their number, and the notes on the first that has any.
  ///
  /// - Parameter checksAttributes: True if values that the XPath names as attributes may have become elements.
  func make(
    _ given: ChangeOptions.GivenChange, atEach selected: [SelectedValue], asAttributes checksAttributes: Bool,
    _ make: (ChangeOptions.GivenChange) throws(FerryError) -> (count: Int, notes: [String])
  ) throws(FerryError) -> (count: Int, notes: [String]) {
    var result = (count: 0, notes: [String]())
    for value in selected {
      let made = try change(value) { () throws(FerryError) in try make(given.changing(value)) }
      result.count += made.count
      if result.notes.isEmpty { result.notes = made.notes }
    }
    if checksAttributes { try checkAttributes(selected, of: given.change.path.text) }
    return result
  }
}
