extension Document {
  /// Reads the document and loads its contents. Nothing happens when it is open already.
  ///
  ///     try await document.open(creatingIfMissing: true)      // on the first run there is none
  ///
  /// Where there is no document, one is made of what this one holds if `creatingIfMissing` is true.
  ///
  /// Throws `DocumentProblem.notFound`, why it cannot be read or made, or what `load(fromContents:ofType:)` throws; it stays
  /// closed then.
  public func open(creatingIfMissing: Bool = false) async throws(Failure) {
    try await inTurn { () throws(Failure) in
      guard state.contains(.closed) else { return }
      do throws(Failure) {
        try await reload()
      } catch {
        guard creatingIfMissing, error.reason == .document(.notFound) else { throw error }
        try await createOrReload()
      }
      wasClosed = false
    }
  }

  /// Makes the document, or reads it after all if somebody else was faster.
  private func createOrReload() async throws(Failure) {
    do throws(Failure) {
      try await store(at: path, if: .absent)
    } catch {
      guard error.reason == .file(.exists) else { throw error }
      try await reload()
    }
  }

  /// Reads the document again; changes that are not saved are gone.
  ///
  /// Throws why it cannot be read or loaded; everything stays as it is then.
  public func revert() async throws(Failure) {
    try await inTurn { () throws(Failure) in
      guard !state.contains(.closed) else { throw Failure(.document(.notOpen)) }
      try await reload()
    }
  }

  /// Saves what is not saved yet, and closes the document. Nothing happens when it is closed already.
  ///
  /// Throws why it cannot be saved; it stays open then, so that nothing is lost. `discardingChanges` closes it in any case.
  public func close(discardingChanges: Bool = false) async throws(Failure) {
    try await inTurn { () throws(Failure) in
      guard !state.contains(.closed) else { return }
      state.insert(.editingDisabled)
      defer { state.remove(.editingDisabled) }
      while history.hasChanges, !discardingChanges { try await store(at: path, if: unchanged) }
      stopAutosaving()
      history.count(.cleared)
      (version, theirs, isMissing, savingFailure, wasClosed) = (nil, nil, false, nil, true)
      state = [.closed, .editingDisabled]
    }
  }

  /// Looks whether somebody else has changed the document, and loads what they wrote if there are no changes here.
  ///
  ///     switch try await document.checkForExternalChange() {
  ///     case .conflict: …       // ask the user, then document.resolveConflict(keeping: .theirs)
  ///
  /// For when an app comes to the front, say. A document that was removed or moved stays open with what it holds, which now
  /// counts as unsaved: saving it fails until `save(to:for: .creating)` says where it shall be.
  ///
  /// Throws why it cannot be read or loaded; the document is then in conflict with what is there.
  @discardableResult
  public func checkForExternalChange() async throws(Failure) -> ExternalChange {
    try await inTurn { () throws(Failure) in
      guard !state.contains(.closed) else { throw Failure(.document(.notOpen)) }
      let file = DocumentFile(path: path, layout: fileType.layout)
      let known = version
      let found = try await inBackground { () throws(Failure) in try file.version(comparedTo: known) }
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
      do throws(Failure) {
        try await reload(unlessChanged: true)
        return .reloaded
      } catch {
        noteConflict(with: current)
        if error.reason == .document(.changedByAnother) { return .conflict }
        throw error
      }
    }
  }

  /// Reads and loads, in our turn.
  func reload(unlessChanged: Bool = false) async throws(Failure) {
    let wasDisabled = state.contains(.editingDisabled)
    state.insert(.editingDisabled)
    defer { if !wasDisabled { state.remove(.editingDisabled) } }
    let file = DocumentFile(path: path, layout: fileType.layout)
    let (contents, read) = try await withProgress { progress throws(Failure) in
      try await inBackground { () throws(Failure) in try await file.read(progress) }
    }
    // While we were reading.
    if unlessChanged, history.hasChanges { throw Failure(.document(.changedByAnother)) }
    try load(fromContents: contents, ofType: fileType)
    stopAutosaving()
    history = ChangeHistory()
    (version, theirs, isMissing, savingFailure) = (read, nil, false, nil)
    state.subtract([.closed, .inConflict, .savingError])
    tell(.loaded)
  }

  /// Runs something when nothing else runs that reads or writes the document.
  func inTurn<Result>(_ work: () async throws(Failure) -> Result) async throws(Failure) -> Result {
    await turns.begin()
    defer { turns.finish() }
    return try await work()
  }

  /// Runs something whose progress can be watched.
  func withProgress<Result>(
    _ work: (DocumentProgress) async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
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
