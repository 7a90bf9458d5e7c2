extension Document {
  /// Saves the document at its path, even if it has no changes. Creates the file if the document was never
  /// opened or saved.
  ///
  /// When the function returns, the contents at the time of the call are on disk. Calls that wait at the same
  /// time share one save and its error.
  ///
  /// - Throws: A `FerryError` with the reason `DocumentProblem.changedByAnother`, `removed` or `moved` if the file is not the version that
  ///   was last opened or saved; `FileProblem.exists` if the document was never opened and the path is taken; an error of the system; or
  ///   the error of `contents(forType:)`. The version on disk is unchanged in that case.
  public func save() async throws(FerryError) {
    if waitingSave == nil {
      waitingSave = Task {
        do throws(FerryError) {
          try await inTurn { () throws(FerryError) in
            waitingSave = nil
            try await storeInPlace()
          }
          return .success(())
        } catch {
          return .failure(error)
        }
      }
    }
    try await waitingSave?.value.get()
  }

  /// Saves the document if it has changes.
  ///
  /// - Throws: The errors of `save()`.
  public func autosave() async throws(FerryError) {
    if history.hasChanges { try await save() }
  }

  /// Saves the document to a path, which becomes its path. Opens the document if it was closed.
  ///
  ///     try await document.save(to: "people.pplgrp", for: .creating)
  ///
  /// - Parameters:
  ///   - path: The new path.
  ///   - operation: With `creating`, an existing file is never replaced. With `overwriting`, any file at
  ///     another path is replaced, but at the document's own path only the version that was last opened or
  ///     saved.
  /// - Throws: A `FerryError` with the reason `FileProblem.exists` if `creating` finds a file at the path; otherwise the errors of
  ///   `save()`.
  public func save(to path: String, for operation: SaveOperation) async throws(FerryError) {
    try await inTurn { () throws(FerryError) in
      switch operation {
      case .creating: try await store(at: path, if: .absent)
      case .overwriting where version != nil && DocumentFile.isSame(path, self.path):
        try await storeInPlace()
      case .overwriting: try await store(at: path, if: .anything)
      }
    }
  }

  /// The condition under which a save may replace the file at the document's path.
  var unchanged: SaveCondition { version.map { .version($0) } ?? .absent }

  /// Saves the document at its path. The caller must be inside `inTurn`.
  func storeInPlace() async throws(FerryError) {
    guard !wasClosed else { throw FerryError(.document(.notOpen)) }
    try await store(at: path, if: unchanged)
  }

  /// Saves the document. The caller must be inside `inTurn`.
  func store(at path: String, if condition: SaveCondition) async throws(FerryError) {
    let mark = history.mark()
    do throws(FerryError) {
      let contents = try contents(forType: fileType)
      let file = DocumentFile(path: path, layout: fileType.layout)
      let (saved, stored) = try await withProgress { progress throws(FerryError) in
        try await inBackground { () throws(FerryError) in
          try await file.write(contents, if: condition, progress)
        }
      }
      history.saved(mark)
      self.path = path
      (version, theirs, isMissing, wasClosed) = (stored, nil, false, false)
      (savingError, retryTime) = (nil, .zero)
      didSave(saved)
      state.subtract([.closed, .savingError, .inConflict])
      if history.hasChanges { scheduleAutosave() } else { stopAutosaving() }
    } catch {
      let error = error.placed(inFile: path)
      history.forget(mark)
      await noteError(error, at: path)
      throw error
    }
  }

  private func noteError(_ error: FerryError, at path: String) async {
    savingError = error
    switch error.reason {
    case .document(.changedByAnother):
      let file = DocumentFile(path: path, layout: fileType.layout)
      noteConflict(with: try? await inBackground { () throws(FerryError) in try file.version() })
    case .document(.removed), .document(.moved): noteMissing()
    default: state.insert(.savingError)
    }
    tell(.saveFailed(error))
  }
}
