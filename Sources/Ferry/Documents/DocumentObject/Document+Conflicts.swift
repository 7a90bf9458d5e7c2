extension Document {
  /// Ends a conflict by keeping one version: `.ours` replaces the version on disk with the one in memory,
  /// `.theirs` loads the version on disk.
  ///
  ///     try await document.resolveConflict(keeping: .ours)
  ///
  /// To keep both versions, save ours elsewhere with `save(to: "Mine.pplgrp", for: .creating)`. To merge
  /// them, open theirs as another document, change this document, and keep ours. The function does nothing if
  /// there is no conflict.
  ///
  /// - Throws: The errors of `save()` and `revert()`. `PackageProblem.changed` if theirs replaced files of a
  ///   package that were never read here, so that our versions of those files no longer exist.
  ///   `DocumentProblem.changedByAnother` if theirs has changed again since the conflict was detected,
  ///   because nobody has seen the data that would be lost.
  public func resolveConflict(keeping winner: ConflictWinner) async throws(FerryError) {
    try await inTurn { () throws(FerryError) in
      guard state.contains(.inConflict) else { return }
      switch winner {
      case .ours: try await store(at: path, if: theirs.map { .theirs($0) } ?? .anything)
      case .theirs: try await reload()
      }
    }
  }

  func noteConflict(with other: DocumentVersion?) {
    theirs = other
    state.insert(.inConflict)
    stopAutosaving()
  }

  /// Ends the missing state: the last known version is at its path again.
  func noteReturn() {
    if isMissing {
      (isMissing, savingError) = (false, nil)
      state.remove(.savingError)
    }
    theirs = nil
    state.remove(.inConflict)
    scheduleAutosave()
  }

  /// Records that the document is missing, so that its contents exist only in memory and count as unsaved.
  @discardableResult
  func noteMissing() -> ExternalChange {
    let wasRemoved = version?.isRemoved ?? true
    isMissing = true
    history.lose()
    stopAutosaving()
    savingError = FerryError(.document(wasRemoved ? .removed : .moved)).placed(inFile: path)
    state.insert(.savingError)
    return wasRemoved ? .removed : .moved
  }
}
