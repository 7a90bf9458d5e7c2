extension Document {
  /// Reads the document and loads its contents. Does nothing if the document is open.
  ///
  ///     try await document.open(creatingIfMissing: true)      // creates the document on first launch
  ///
  /// - Parameter creatingIfMissing: Pass true to create a missing document from the contents in memory.
  /// - Throws: A `FerryError` with the reason `DocumentProblem.notFound`, the error of reading or creating the document, or the error of
  ///   `load(fromContents:ofType:)`; `DocumentProblem.unsavedChanges` if the document exists and was changed here before it was opened,
  ///   because loading would discard the changes. The document stays closed in that case, with its changes.
  public func open(creatingIfMissing: Bool = false) async throws(FerryError) {
    try await inTurn { () throws(FerryError) in
      guard state.contains(.closed) else { return }
      do throws(FerryError) {
        try await reload(unlessChanged: .unsavedChanges)
      } catch {
        guard creatingIfMissing, error.reason == .document(.notFound) else { throw error }
        try await createOrReload()
      }
      wasClosed = false
    }
  }

  /// Creates the document, or reads it if another process has created it in the meantime.
  private func createOrReload() async throws(FerryError) {
    do throws(FerryError) {
      try await store(at: path, if: .absent)
    } catch {
      guard error.reason == .file(.exists) else { throw error }
      try await reload(unlessChanged: .unsavedChanges)
    }
  }

  /// Reads the document again, and discards unsaved changes.
  ///
  /// - Throws: The error of reading or loading. Nothing changes in that case.
  public func revert() async throws(FerryError) {
    try await inTurn { () throws(FerryError) in
      guard !state.contains(.closed) else { throw FerryError(.document(.notOpen)) }
      try await reload()
    }
  }

  /// Saves unsaved changes, and closes the document. Does nothing if the document is closed and has no changes.
  ///
  /// A document that was changed before it was ever opened is created, as by `save()`.
  ///
  /// - Parameter discardingChanges: Pass true to close the document without saving.
  /// - Throws: The error of saving. The document stays as it was in that case, so that nothing is lost. `DocumentProblem.notOpen` for
  ///   changes that were made after the document was closed: save them elsewhere with `save(to:for:)`, or discard them.
  public func close(discardingChanges: Bool = false) async throws(FerryError) {
    try await inTurn { () throws(FerryError) in
      guard !state.contains(.closed) || history.hasChanges else { return }
      state.insert(.editingDisabled)
      defer { state.remove(.editingDisabled) }
      while history.hasChanges, !discardingChanges { try await storeInPlace() }
      stopAutosaving()
      history.count(.cleared)
      (version, theirs, isMissing, savingError, wasClosed) = (nil, nil, false, nil, true)
      state = [.closed, .editingDisabled]
    }
  }

  /// Checks whether another process has changed the document. Loads the new version if there are no unsaved
  /// changes here.
  ///
  ///     switch try await document.checkForExternalChange() {
  ///     case .conflict: …       // ask the user, then document.resolveConflict(keeping: .theirs)
  ///
  /// An app may call this function when it becomes active, for example. A document that was removed or moved
  /// stays open, and its contents count as unsaved. Saving then fails until `save(to:for:)` with `.creating`
  /// chooses a path.
  ///
  /// - Throws: The error of reading or loading. The document is then in conflict with the version on disk.
  @discardableResult
  public func checkForExternalChange() async throws(FerryError) -> ExternalChange {
    try await inTurn { () throws(FerryError) in
      guard !state.contains(.closed) else { throw FerryError(.document(.notOpen)) }
      let file = DocumentFile(path: path, layout: fileType.layout)
      let known = version
      let found = try await inBackground { () throws(FerryError) in try file.version(comparedTo: known) }
      guard let (current, isSame) = found else { return noteMissing() }
      if isSame {
        version = current
        noteReturn()
        return .none
      }
      isMissing = false
      guard !history.hasChanges else {
        noteConflict(with: current)
        return .conflict
      }
      do throws(FerryError) {
        try await reload(unlessChanged: .changedByAnother)
        return .reloaded
      } catch {
        noteConflict(with: current)
        if error.reason == .document(.changedByAnother) { return .conflict }
        throw error
      }
    }
  }

  /// Reads and loads the document. The caller must be inside `inTurn`.
  ///
  /// - Parameter problem: The error to throw if the document has unsaved changes, or nil to discard them.
  func reload(unlessChanged problem: DocumentProblem? = nil) async throws(FerryError) {
    let wasDisabled = state.contains(.editingDisabled)
    state.insert(.editingDisabled)
    defer { if !wasDisabled { state.remove(.editingDisabled) } }
    let file = DocumentFile(path: path, layout: fileType.layout)
    let (contents, read) = try await withProgress { progress throws(FerryError) in
      try await inBackground { () throws(FerryError) in try await file.read(progress) }
    }
    // An edit may have changed the document while its file was read.
    if let problem, history.hasChanges { throw FerryError(.document(problem)) }
    try load(fromContents: contents, ofType: fileType)
    stopAutosaving()
    history = ChangeHistory()
    (version, theirs, isMissing, savingError) = (read, nil, false, nil)
    state.subtract([.closed, .inConflict, .savingError])
    tell(.loaded)
  }

  /// Runs a function while no other operation reads or writes the document. Its errors name the document's file.
  func inTurn<Result>(_ work: () async throws(FerryError) -> Result) async throws(FerryError) -> Result {
    await turns.begin()
    defer { turns.finish() }
    do throws(FerryError) { return try await work() } catch { throw error.placed(inFile: path) }
  }

  /// Runs a function, and publishes its progress in `progress` meanwhile.
  func withProgress<Result>(
    _ work: (DocumentProgress) async throws(FerryError) -> Result
  ) async throws(FerryError) -> Result {
    let progress = DocumentProgress()
    self.progress = progress
    state.insert(.progressAvailable)
    defer {
      self.progress = nil
      state.remove(.progressAvailable)
    }
    return try await work(progress)
  }
}
