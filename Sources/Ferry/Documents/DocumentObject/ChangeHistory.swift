/// A record of whether a document has changes that are not on disk, across undo, and across changes during a
/// save.
///
/// A position in the history is the number of changes that lead to it. One position is saved. The document
/// has no unsaved changes if it is at the saved position, by whatever sequence of changes:
///
///     done done  save  done undone      nothing unsaved: back at the saved position
///     done done  save  undone done      unsaved for good: the new change gives other contents
struct ChangeHistory {
  /// A position whose contents a save has taken.
  struct Mark: Hashable { fileprivate let number: Int }

  private var place = 0
  /// The saved position; nil if undo and redo cannot reach it any more.
  private var saved: Int? = 0
  private var marks: [Mark: Int] = [:]
  private var markCount = 0

  var hasChanges: Bool { saved != place }

  /// Moves to another position.
  mutating func count(_ change: ChangeKind) {
    switch change {
    case .done:
      // A new change ends the possibility of redo, and removes the positions after it.
      if let saved, saved > place { self.saved = nil }
      marks = marks.filter { $0.value <= place }
      place += 1
    case .undone: place -= 1
    case .redone: place += 1
    case .cleared: saved = place
    }
  }

  /// Marks the current position before a save.
  mutating func mark() -> Mark {
    markCount += 1
    let mark = Mark(number: markCount)
    marks[mark] = place
    return mark
  }

  /// Records that the contents at a mark are saved.
  mutating func saved(_ mark: Mark) { saved = marks.removeValue(forKey: mark) }

  /// Removes a mark after a failed save.
  mutating func forget(_ mark: Mark) { marks[mark] = nil }

  /// Records that no saved position exists any more.
  mutating func lose() { saved = nil }
}
