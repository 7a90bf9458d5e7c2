extension Document {
  /// Ends a conflict: by saving what is here over what is there, or by loading what is there.
  ///
  ///     try await document.resolveConflict(keeping: .ours)
  ///
  /// A third way keeps both: `save(to: "Mine.pplgrp", for: .creating)` takes ours elsewhere. To merge them, open theirs as
  /// another document, change this one, and keep ours. Nothing happens when there is no conflict.
  ///
  /// Throws as `save()` and `revert()` do; `PackageProblem.changed` names files of a package that theirs has replaced and that
  /// were never read here, so that ours are nowhere any more. When theirs has changed again since the conflict was noticed, keeping ours fails
  /// once more with `DocumentProblem.changedByAnother`: nobody has seen what would be lost.
  public func resolveConflict(keeping winner: ConflictWinner) async throws(Failure) {
    try await inTurn { () throws(Failure) in
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

  /// Notes that what is on disk is what we know, which it may not have been the last time.
  func noteReturn() {
    if isMissing {
      (isMissing, savingFailure) = (false, nil)
      state.remove(.savingError)
    }
    theirs = nil
    state.remove(.inConflict)
    scheduleAutosave()
  }

  /// Notes that the document is gone: what it holds is nowhere else now.
  @discardableResult
  func noteMissing() -> ExternalChange {
    let wasRemoved = version?.isRemoved ?? true
    isMissing = true
    history.lose()
    stopAutosaving()
    savingFailure = Failure(.document(wasRemoved ? .removed : .moved))
    state.insert(.savingError)
    return wasRemoved ? .removed : .moved
  }
}
