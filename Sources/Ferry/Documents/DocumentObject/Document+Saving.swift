extension Document {
  /// Saves the document where it is, whether it has changed or not. One that was never opened nor saved is made.
  ///
  /// What it holds when this is called is on disk when this returns. Calls that come while an earlier one waits for its turn
  /// are one save, and fail together.
  ///
  /// Throws why nothing was saved: `DocumentProblem.changedByAnother`, `removed` or `moved` when the document is not what was
  /// left there, `FileProblem.exists` when it was never opened and something is there, the system's words, or what
  /// `contents(forType:)` throws. What was on disk is there still.
  public func save() async throws(Failure) {
    if waitingSave == nil {
      waitingSave = Task {
        await turns.begin()
        defer { turns.finish() }
        waitingSave = nil
        do throws(Failure) { return .success(try await storeInPlace()) } catch { return .failure(error) }
      }
    }
    try await waitingSave?.value.get()
  }

  /// Saves the document if it has changes.
  ///
  /// Throws as `save()` does.
  public func autosave() async throws(Failure) {
    if history.hasChanges { try await save() }
  }

  /// Saves the document to a path, where it is from then on. A document that was closed is open then.
  ///
  ///     try await document.save(to: "people.pplgrp", for: .creating)
  ///
  /// `creating` refuses, by `FileProblem.exists`, to replace anything. `overwriting` replaces whatever is at another path than
  /// the document's, and at its own what was opened or saved there.
  ///
  /// Throws as `save()` does.
  public func save(to path: String, for operation: SaveOperation) async throws(Failure) {
    try await inTurn { () throws(Failure) in
      switch operation {
      case .creating: try await store(at: path, if: .absent)
      case .overwriting where version != nil && DocumentFile.isSame(path, self.path):
        try await storeInPlace()
      case .overwriting: try await store(at: path, if: .anything)
      }
    }
  }

  /// What has to be at our path for a save to put the document there.
  var unchanged: SaveCondition { version.map { .version($0) } ?? .absent }

  private func storeInPlace() async throws(Failure) {
    guard !wasClosed else { throw Failure(.document(.notOpen)) }
    try await store(at: path, if: unchanged)
  }

  /// Saves, in our turn.
  func store(at path: String, if condition: SaveCondition) async throws(Failure) {
    let mark = history.mark()
    do throws(Failure) {
      let contents = try contents(forType: fileType)
      let file = DocumentFile(path: path, layout: fileType.layout)
      let (saved, stored) = try await withProgress { progress throws(Failure) in
        try await inBackground { () throws(Failure) in
          try await file.write(contents, if: condition, progress)
        }
      }
      history.saved(mark)
      self.path = path
      (version, theirs, isMissing, wasClosed) = (stored, nil, false, false)
      (savingFailure, retryTime) = (nil, .zero)
      didSave(saved)
      state.subtract([.closed, .savingError, .inConflict])
      if history.hasChanges { scheduleAutosave() } else { stopAutosaving() }
    } catch {
      history.forget(mark)
      await noteFailure(error, at: path)
      throw error
    }
  }

  private func noteFailure(_ failure: Failure, at path: String) async {
    savingFailure = failure
    switch failure.reason {
    case .document(.changedByAnother):
      let file = DocumentFile(path: path, layout: fileType.layout)
      noteConflict(with: try? await inBackground { () throws(Failure) in try file.version() })
    case .document(.removed), .document(.moved): noteMissing()
    default: state.insert(.savingError)
    }
    tell(.saveFailed(failure))
  }
}
