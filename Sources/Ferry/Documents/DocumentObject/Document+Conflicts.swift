extension Document {
  /// Ends a conflict: by replacing the version on disk with the one in memory, or by loading the version on
  /// disk.
  ///
  ///     try await document.resolveConflict(keeping: .ours)
  ///
  /// A third way keeps both: `save(to: "Mine.pplgrp", for: .creating)` saves ours elsewhere. To merge the
  /// versions, open theirs as another document, change this document, and keep ours. Does nothing if there is
  /// no conflict.
  ///
  /// - Throws: The errors of `save()` and `revert()`. `PackageProblem.changed` names files of a package that
  ///   theirs has replaced and that were never read here, so that ours no longer exist. If theirs has changed
  ///   again since the conflict was detected, keeping ours fails once more with
  ///   `DocumentProblem.changedByAnother`, because nobody has seen the data that would be lost.
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

  /// Records that the document is on disk again in the known version.
  func noteReturn() {
    if isMissing {
      (isMissing, savingError) = (false, nil)
      state.remove(.savingError)
    }
    theirs = nil
    state.remove(.inConflict)
    scheduleAutosave()
  }

  /// Records that the document is missing, so that its contents exist only in memory.
  @discardableResult
  func noteMissing() -> ExternalChange {
    let wasRemoved = version?.isRemoved ?? true
    isMissing = true
    history.lose()
    stopAutosaving()
    savingError = FerryError(.document(wasRemoved ? .removed : .moved))
    state.insert(.savingError)
    return wasRemoved ? .removed : .moved
  }
}
