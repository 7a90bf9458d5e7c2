import Testing

@testable import Ferry

@Suite struct `Unsaved changes` {
  private func history(_ changes: [ChangeKind]) -> ChangeHistory {
    var history = ChangeHistory()
    for change in changes { history.count(change) }
    return history
  }

  @Test(
    arguments: [
      ([], false), ([.done], true), ([.done, .undone], false), ([.done, .undone, .redone], true),
      ([.done, .cleared], false), ([.done, .cleared, .undone], true),
      ([.done, .cleared, .undone, .redone], false),
      ([.undone], true), ([.undone, .redone], false),
      // Something else was done where the saved change had been undone.
      ([.done, .cleared, .undone, .done], true), ([.done, .cleared, .undone, .done, .undone, .redone], true),
    ] as [([ChangeKind], Bool)])
  func `Unsaved changes follow what is done, undone and done again`(
    _ changes: [ChangeKind], _ hasChanges: Bool
  ) {
    #expect(history(changes).hasChanges == hasChanges)
  }

  @Test(
    arguments: [
      ([], false), ([.done], true), ([.done, .undone], false), ([.undone], true),
      ([.undone, .redone], false),
      ([.undone, .done], true), ([.undone, .undone, .done, .done], true),
    ] as [([ChangeKind], Bool)])
  func `Unsaved changes follow what is done and undone during a save`(
    _ changes: [ChangeKind], _ hasChanges: Bool
  ) {
    var history = history([.done, .done])
    let mark = history.mark()
    for change in changes { history.count(change) }
    history.saved(mark)
    #expect(history.hasChanges == hasChanges)
  }

  @Test func `A failed save leaves the changes unsaved`() {
    var history = history([.done])
    let mark = history.mark()
    history.forget(mark)
    #expect(history.hasChanges)
    history.count(.undone)
    #expect(!history.hasChanges)
  }

  @Test func `A document that was lost on disk stays unsaved whatever is undone`() {
    var history = history([.done])
    history.lose()
    history.count(.undone)
    #expect(history.hasChanges)
  }
}
