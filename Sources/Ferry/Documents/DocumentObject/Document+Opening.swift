extension Document {
  /// Reads the document and loads its contents. Does nothing if the document is open.
  ///
  ///     try await document.open(creatingIfMissing: true)      // creates the document on first launch
  ///
  /// - Parameter creatingIfMissing: Pass true to create a missing document from the contents in memory.
  /// - Throws: A `FerryError` with the reason `DocumentProblem.notFound`, the error of reading or creating the document, or the error of
  ///   `load(fromContents:ofType:)`. The document stays closed in that case.
  public func open(creatingIfMissing: Bool = false) async throws(FerryError) {
    try await inTurn { () throws(FerryError) in
      guard state.contains(.closed) else { return }
      do throws(FerryError) {
        try await reload()
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
      try await reload()
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

  /// Saves unsaved changes, and closes the document. Does nothing if the document is closed.
  ///
  /// - Parameter discardingChanges: Pass true to close the document without saving.
  /// - Throws: The error of saving. The document stays open in that case, so that nothing is lost.
  public func close(discardingChanges: Bool = false) async throws(FerryError) {
    try await inTurn { () throws(FerryError) in
      guard !state.contains(.closed) else { return }
      state.insert(.editingDisabled)
      defer { state.remove(.editingDisabled) }
      while history.hasChanges, !discardingChanges { try await store(at: path, if: unchanged) }
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
        try await reload(unlessChanged: true)
        return .reloaded
      } catch {
        noteConflict(with: current)
        if error.reason == .document(.changedByAnother) { return .conflict }
        throw error
      }
    }
  }

  /// Reads and loads the document. The caller must be inside `inTurn`.
  func reload(unlessChanged: Bool = false) async throws(FerryError) {
    let wasDisabled = state.contains(.editingDisabled)
    state.insert(.editingDisabled)
    defer { if !wasDisabled { state.remove(.editingDisabled) } }
    let file = DocumentFile(path: path, layout: fileType.layout)
    let (contents, read) = try await withProgress { progress throws(FerryError) in
      try await inBackground { () throws(FerryError) in try await file.read(progress) }
    }
    // An edit may have changed the document while its file was read.
    if unlessChanged, history.hasChanges { throw FerryError(.document(.changedByAnother)) }
    do throws(FerryError) { try load(fromContents: contents, ofType: fileType) } catch {
      throw error.placed(inFile: path)
    }
    stopAutosaving()
    history = ChangeHistory()
    (version, theirs, isMissing, savingError) = (read, nil, false, nil)
    state.subtract([.closed, .inConflict, .savingError])
    tell(.loaded)
  }

  /// Runs a function while no other operation reads or writes the document.
  func inTurn<Result>(_ work: () async throws(FerryError) -> Result) async throws(FerryError) -> Result {
    await turns.begin()
    defer { turns.finish() }
    return try await work()
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
