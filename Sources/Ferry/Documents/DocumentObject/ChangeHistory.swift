/// A history that determines whether a document has unsaved changes, across undo and redo, and across changes
/// during a save.
///
/// A position in the history is the number of changes that lead to it. One position is the saved one. The
/// document has no unsaved changes if it is at the saved position, however it got there:
///
///     done done  save  done undone      nothing unsaved: back at the saved position
///     done done  save  undone done      unsaved: the new change makes the saved position unreachable
struct ChangeHistory {
  /// A position whose contents are being saved.
  struct Mark: Hashable { fileprivate let number: Int }

  private var position = 0
  /// The saved position, or nil if undo and redo can no longer reach it.
  private var saved: Int? = 0
  private var marks: [Mark: Int] = [:]
  private var markCount = 0

  var hasChanges: Bool { saved != position }

  /// Moves to the position after a change, an undo or a redo.
  mutating func count(_ change: ChangeKind) {
    switch change {
    case .done:
      // After a new change nothing can be redone, so the positions after this one no longer exist.
      if let saved, saved > position { self.saved = nil }
      marks = marks.filter { $0.value <= position }
      position += 1
    case .undone: position -= 1
    case .redone: position += 1
    case .cleared: saved = position
    }
  }

  /// Marks the current position before a save.
  mutating func mark() -> Mark {
    markCount += 1
    let mark = Mark(number: markCount)
    marks[mark] = position
    return mark
  }

  /// Makes the position at a mark the saved one.
  mutating func saved(_ mark: Mark) { saved = marks.removeValue(forKey: mark) }

  /// Removes a mark after a failed save.
  mutating func forget(_ mark: Mark) { marks[mark] = nil }

  /// Removes the saved position, so that the document has unsaved changes until the next save.
  mutating func lose() { saved = nil }
}
