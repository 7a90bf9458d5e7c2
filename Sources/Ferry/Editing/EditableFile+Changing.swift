extension EditableFile {
  /// A value to be put somewhere.
  enum NewValue {
    case value(Value)
    case text(String, ValueType?)
    /// What a file holds: text, or the bytes of data.
    case contents([UInt8], ValueType?)
  }

  private enum Change {
    case set(NewValue)
    case insert(NewValue)
    case remove
  }

  /// Puts a value where another stands.
  ///
  /// In an archive a reference stays a reference: to the same object, which becomes the value, or to another one when
  /// others refer to it. An object of a class of the catalogue (NSDate, NSURL, NSColor, NSValue …) keeps its class and
  /// takes the meaning that the value is. Objects and collections become objects of the archive.
  ///
  /// - Throws: `PathProblem` when the path leads to no place or to several; what the format cannot hold.
  public func set(_ value: Value, at path: ValuePath) throws(Failure) {
    try change(.set(.value(value)), path)
  }

  /// Puts the value that a text is where another stands: of the type that stands there, unless one is given.
  ///
  /// - Throws: also `PathProblem.badText` when the text is not of the type.
  public func set(text: String, as type: ValueType? = nil, at path: ValuePath) throws(Failure) {
    try change(.set(.text(text, type)), path)
  }

  /// Puts what a file holds where a value stands: its bytes where that is data, else the value that its text is, without a
  /// line end behind it.
  ///
  /// - Throws: what `set(text:as:at:)` throws.
  public func set(contents: [UInt8], as type: ValueType? = nil, at path: ValuePath) throws(Failure) {
    try change(.set(.contents(contents, type)), path)
  }

  /// Adds an element before the one that the path names, behind the last (`items[]`), or an entry with a new key.
  ///
  /// - Throws: `PathProblem.exists` for a key that is there, and what `set` throws.
  public func insert(_ value: Value, at path: ValuePath) throws(Failure) {
    try change(.insert(.value(value)), path)
  }

  /// Adds the value that a text is: of the type of the element before it, otherwise a string, unless a type is given.
  ///
  /// - Throws: what `set` and `insert` throw.
  public func insert(text: String, as type: ValueType? = nil, at path: ValuePath) throws(Failure) {
    try change(.insert(.text(text, type)), path)
  }

  /// Adds what a file holds: its bytes as data when that is the type, else the value that its text is.
  ///
  /// - Throws: what `insert(text:as:at:)` throws.
  public func insert(contents: [UInt8], as type: ValueType? = nil, at path: ValuePath) throws(Failure) {
    try change(.insert(.contents(contents, type)), path)
  }

  /// Removes an element or an entry.
  ///
  /// - Throws: `PathProblem` when the path leads to no place, to several, or to the root.
  public func remove(at path: ValuePath) throws(Failure) { try change(.remove, path) }

  private func change(_ change: Change, _ path: ValuePath) throws(Failure) {
    let start = try walker.start(path.steps[...])
    try apply(
      change, path.steps.dropFirst(start.taken), from: start.place,
      after: ValuePath(Array(path.steps.prefix(start.taken))))
  }

  private func apply(
    _ change: Change, _ steps: ArraySlice<ValuePath.Step>, from place: PathPlace, after path: ValuePath
  ) throws(Failure) {
    guard isEditable else { throw Failure(.path(.notEditable(format.rawValue))) }
    var last: ValuePath.Step?
    var walked = steps
    if case .set = change {
    } else {
      last = walked.popLast()
      guard last != nil else { throw noLastStep(change) }
    }
    var walk: Walk
    do throws(Failure) {
      walk = try self.walk(walked, from: place, after: path)
    } catch {
      let isLastStep = error.path.steps.count == path.steps.count + steps.count - 1
      throw last == nil && isLastStep ? namingInsertion(error) : error
    }
    if let last {
      walk.rest.append(last)
      if !walk.isInData, walk.rest.count == 1 {
        walk.isInData = try walker.dataPlace(of: walk.place) != nil
      }
    }
    if try meansNestedRoot(change, walk) { walk.isInData = true }
    guard !walk.isInData else { return try changeData(change, walk) }
    if case .slice? = walk.rest.first { throw Failure(.path(.severalPlaces), path: walk.path) }
    do throws(Failure) {
      if let step = last { last = try walker.numbered(step, in: try walker.parts(of: walk.place)) }
      try perform(change, last, at: walk.place)
    } catch {
      throw error.placed(path: walk.path)
    }
    if archive != nil { try openArchive() }
  }

  /// Says of a value that cannot be set, because there is none at the last step, that it can be inserted: anywhere in a
  /// property list or JSON. What objects of an archive may have is up to their classes.
  private func namingInsertion(_ failure: Failure) -> Failure {
    guard archive == nil, case .path(let problem) = failure.reason else { return failure }
    switch problem {
    case .noKey: break
    case .noElement(let index, let count) where index == count: break
    default: return failure
    }
    return Failure(.path(.onlyInsertable(problem)), path: failure.path)
  }

  /// Whether a text is meant for the only object of an archive inside data: that object is one that a text says, such as a
  /// colour, or the text is no data itself.
  private func meansNestedRoot(_ change: Change, _ walk: Walk) throws(Failure) -> Bool {
    guard case .set(.text(let text, nil)) = change, walk.rest.isEmpty, !walk.isInData,
      try walker.dataPlace(of: walk.place) != nil,
      let inner = try? nested(at: walk.place, after: walk.path), inner.archive?.hasOnlyRoot ?? false
    else { return false }
    return try inner.isSaidByText(at: inner.walker.start([]).place)
      || (try? ValueType.data.value(of: text)) == nil
  }

  private func noLastStep(_ change: Change) -> Failure {
    guard case .remove = change else {
      return Failure(
        .path(.noNewPlace("the path names no place for a new value (items[] is behind the last)")))
    }
    return Failure(.path(.isRoot))
  }

  private func perform(_ change: Change, _ last: ValuePath.Step?, at place: PathPlace) throws(Failure) {
    let editor = try editor()
    switch (change, last) {
    case (.set(let new), _): try editor.set(try value(new, at: place), at: place)
    case (.insert(let new), let last?):
      try editor.insert(try value(new, insertedAt: last, of: place), last, into: place)
    case (.remove, let last?): try editor.remove(last, from: place)
    default: break
    }
  }

  func editor() throws(Failure) -> PropertyEditor {
    if archive != nil, archiveEditor == nil { archiveEditor = try ArchiveEditor(list, options.catalogue) }
    return PropertyEditor(list: list, walker: walker, archive: archiveEditor)
  }

  /// Changes the file that the data at a place holds, and puts that back in its own format.
  private func changeData(_ change: Change, _ walk: Walk) throws(Failure) {
    let inner = try nested(at: walk.place, after: walk.path)
    let start = try inner.walker.start(walk.rest)
    try inner.apply(change, walk.rest.dropFirst(start.taken), from: start.place, after: walk.path)
    do throws(Failure) {
      try editor().set(.data(try inner.bytes()), at: walk.place)
    } catch {
      throw error.placed(path: walk.path)
    }
    if archive != nil { try openArchive() }
  }
}
