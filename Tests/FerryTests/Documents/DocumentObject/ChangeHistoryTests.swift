import Testing

@testable import Ferry

@Suite struct `Whether there are unsaved changes` {
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
  func `follows what is done, undone and done again`(_ changes: [ChangeKind], _ hasChanges: Bool) {
    #expect(history(changes).hasChanges == hasChanges)
  }

  @Test(
    arguments: [
      ([], false), ([.done], true), ([.done, .undone], false), ([.undone], true),
      ([.undone, .redone], false),
      ([.undone, .done], true), ([.undone, .undone, .done, .done], true),
    ] as [([ChangeKind], Bool)])
  func `and so it does during a save`(_ changes: [ChangeKind], _ hasChanges: Bool) {
    var history = history([.done, .done])
    let mark = history.mark()
    for change in changes { history.count(change) }
    history.saved(mark)
    #expect(history.hasChanges == hasChanges)
  }

  @Test func `a save that fails saves nothing`() {
    var history = history([.done])
    let mark = history.mark()
    history.forget(mark)
    #expect(history.hasChanges)
    history.count(.undone)
    #expect(!history.hasChanges)
  }

  @Test func `what is lost on disk is unsaved, however much is undone`() {
    var history = history([.done])
    history.lose()
    history.count(.undone)
    #expect(history.hasChanges)
  }
}
