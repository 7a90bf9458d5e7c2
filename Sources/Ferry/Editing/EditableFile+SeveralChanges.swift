// Several changes at once, which keep one state to undo and check objects once.

extension EditableFile {
  /// Makes several changes, or none if one fails.
  ///
  ///     try file.edit { file in
  ///       for index in 0..<1000 { try file.set(0, at: ValuePath([.key("scores"), .index(index)])) }
  ///     }
  ///
  /// In a function that throws only a `FerryError`, write the type: `{ file throws(FerryError) in … }`. This is much
  /// faster than single changes, each of which copies the state of the file and checks the objects of an archive.
  ///
  /// - Parameter changes: A function that makes the changes in its parameter. If an object of an archive needs a repair, or a change of an
  ///   archive fails, the changes are undone, and the function is called again, with a check after each change.
  /// - Throws: The error of the function, or the first error of a change that the function has caught. The file is as it was before.
  public func edit(_ changes: (EditableFile) throws(FerryError) -> Void) throws(FerryError) {
    try edit(checksOnce: true, failingWith: named, changes)
  }

  /// Makes several changes, or none if one fails. The function may throw any error.
  ///
  /// - Parameter changes: A function that makes the changes in its parameter. It may be called twice, as that of the other `edit`.
  /// - Throws: The error of the function, or the first error of a change that the function has caught. The file is as it was before.
  @_disfavoredOverload
  public func edit(_ changes: (EditableFile) throws -> Void) throws {
    try edit(checksOnce: true, failingWith: named, changes)
  }

  /// Makes several changes, or none if one fails.
  ///
  /// - Parameter error: Converts an error of a change to the error type of `changes`.
  func edit<E: Error>(
    checksOnce: Bool, failingWith error: (FerryError) -> E, _ changes: (EditableFile) throws(E) -> Void
  ) throws(E) {
    let (state, outer) = (state, currentChange.failure)
    defer { currentChange.failure = outer }
    if checksOnce, currentChange.mode.checksObjects, editAndCheck(error, changes) { return }
    var mode = currentChange.mode
    mode.keepsState = false
    do throws(E) { try makeAll(changes, by: mode, error) } catch let failed {
      undo(to: state)
      throw failed
    }
  }

  /// Makes changes. Throws the error of one that failed also if the function that makes them has caught it, because the change may be
  /// made in part.
  private func makeAll<E: Error>(
    _ changes: (EditableFile) throws(E) -> Void, by mode: CurrentChange.Mode, _ error: (FerryError) -> E
  ) throws(E) {
    currentChange.failure = nil
    try changing(by: mode) { () throws(E) in try changes(self) }
    if let failure = currentChange.failure { throw error(failure) }
  }

  /// Makes changes in an archive or a typedstream, and checks its objects after all of them. Returns false if a change fails or an
  /// object has a flaw, and undoes the changes; also, without making them, for any other file.
  private func editAndCheck<E: Error>(
    _ error: (FerryError) -> E, _ changes: (EditableFile) throws(E) -> Void
  ) -> Bool {
    let archiveGuard = try? ArchiveGuard(ofAllObjectsIn: list, options.catalog)
    guard archiveGuard != nil || typedstream != nil else { return false }
    let state = state
    let mode = CurrentChange.Mode(keepsState: false, checksObjects: false)
    let isSound =
      (try? makeAll(changes, by: mode, error)) != nil && (try? checkObjects(with: archiveGuard)) != nil
    if !isSound { undo(to: state) }
    return isSound
  }

  private func checkObjects(with archiveGuard: ArchiveGuard?) throws(FerryError) {
    try archiveGuard?.check(with: nil)
    try checkTypedstream()
  }

  /// The number of changes from which on the objects of an archive are checked once.
  private static let manyChanges = 8

  /// Makes a number of changes, or none if one fails.
  ///
  /// - Parameters:
  ///   - naming: Returns the error of the change at an index.
  ///   - change: Makes the change at an index. If an object of an archive needs a repair, all changes are undone and made again.
  func editAll(
    _ count: Int, naming: (FerryError, Int) -> FerryError = { error, _ in error },
    _ change: (Int) throws(FerryError) -> Void
  ) throws(FerryError) {
    // An error that a second attempt, with a check after each change, would have, too.
    var lasting: FerryError?
    func makeEach() throws(FerryError) {
      if let lasting { throw lasting }
      for index in 0..<count {
        do throws(FerryError) { try change(index) } catch {
          let failed = naming(error, index)
          if error.isMissingValue || error.isOfNewPath || error.isOverBudget { lasting = failed }
          throw failed
        }
      }
    }
    // For a few changes, checking the objects that each one changes takes less time than checking all objects.
    let checksOnce = count >= Self.manyChanges
    let hasObjects = archive != nil || typedstream != nil
    guard currentChange.mode.keepsState || checksOnce && currentChange.mode.checksObjects && hasObjects else {
      return try changeInEdit(makeEach)
    }
    try edit(checksOnce: checksOnce, failingWith: { $0 }) { _ throws(FerryError) in try makeEach() }
  }

  /// Makes changes inside an edit, which is undone as a whole if one of them fails. A state of their own would be copied by the next change,
  /// so that an edit of many changes would take quadratic time.
  private func changeInEdit(_ changes: () throws(FerryError) -> Void) throws(FerryError) {
    do throws(FerryError) { try changes() } catch {
      currentChange.noteFailure(error)
      throw error
    }
  }

  func undo(to earlier: State) {
    state = earlier
    // The error is ignored: the archive could be opened before.
    if archive != nil { try? openArchive() }
  }

  /// Makes several changes, or none if one of them fails. The state of the file is kept only once, because the
  /// next change has to copy it.
  ///
  /// - Parameters:
  ///   - checksEach: True to check and repair the objects of an archive after each change, which takes time in
  ///     proportion to the size of the archive. False if they are checked afterwards; nil to keep what applies now.
  ///   - objects: The shared objects of the new value, to which references in the changes refer. Those of an archive
  ///     have their numbers in the archive.
  ///   - newlyShared: The paths to other objects of the archive, by the numbers that they have in the new value.
  ///   - undoes: False if the caller undoes the changes after an error. A kept state is copied by the next change, which takes time
  ///     in proportion to the size of the file.
  ///   - changes: Makes the changes.
  func changeAll(
    checksEach: Bool? = nil, sharing objects: [Int: ObjectValue] = [:],
    besides newlyShared: [Int: ValuePath] = [:], undoes: Bool = true, _ changes: () throws(FerryError) -> Void
  ) throws(FerryError) {
    let state = undoes ? state : nil
    let mode = CurrentChange.Mode(
      keepsState: false, checksObjects: checksEach ?? currentChange.mode.checksObjects)
    do throws(FerryError) {
      let editor = try editor().archive
      editor?.shared = EditedObjects(objects, numbers: try numbers(of: objects, newlyShared))
      try changing(by: mode, changes)
      editor?.shared = nil
      try editor?.finish()
    } catch {
      if let state { undo(to: state) }
      throw error
    }
    if archive != nil { try openArchive() }
  }

  /// Returns the numbers of the objects of the archive among the shared objects of a value.
  private func numbers(
    of objects: [Int: ObjectValue], _ newlyShared: [Int: ValuePath]
  ) throws(FerryError) -> [Int: ObjectNumber] {
    guard let archive else { return [:] }
    var numbers: [Int: ObjectNumber] = [:]
    for identity in objects.keys where identity < archive.count {
      numbers[identity] = ObjectNumber(identity)
    }
    for (identity, path) in newlyShared {
      let walk = try self.walk(to: path)
      let object = try walker.target(of: walk.location)
      guard walk.rest.isEmpty, object.trail.children.count == 2,
        case .element(let number)? = object.trail.children.last
      else { continue }
      numbers[identity] = ObjectNumber(number)
    }
    return numbers
  }

  /// Throws if objects of a typedstream cannot have their new values.
  func checkTypedstream() throws(FerryError) {
    if let typedstream { _ = try TypedstreamEdits(of: list, over: typedstream).bytes() }
  }
}
