/// Whether a document has changes that are not on disk, though changes are undone, and made while a save is under way.
///
/// A place in the history is how many changes lead there. What is saved is one place, and there are no unsaved changes when
/// we stand on it, whichever way we came:
///
///     done done  save  done undone      nothing unsaved: back where the save was
///     done done  save  undone done      unsaved for good: the new change leads to another place than the old one did
struct ChangeHistory {
  /// A place that a save has taken the contents of.
  struct Mark: Hashable { fileprivate let number: Int }

  private var place = 0
  /// The place that is on disk; nil when no undoing or redoing leads there any more.
  private var saved: Int? = 0
  private var marks: [Mark: Int] = [:]
  private var markCount = 0

  var hasChanges: Bool { saved != place }

  /// Goes to another place.
  mutating func count(_ change: ChangeKind) {
    switch change {
    case .done:
      // What had been undone cannot be redone after this, and those places are gone.
      if let saved, saved > place { self.saved = nil }
      marks = marks.filter { $0.value <= place }
      place += 1
    case .undone: place -= 1
    case .redone: place += 1
    case .cleared: saved = place
    }
  }

  /// Notes where we are, before a save.
  mutating func mark() -> Mark {
    markCount += 1
    let mark = Mark(number: markCount)
    marks[mark] = place
    return mark
  }

  /// What was there when the mark was made is on disk now.
  mutating func saved(_ mark: Mark) { saved = marks.removeValue(forKey: mark) }

  /// The save came to nothing.
  mutating func forget(_ mark: Mark) { marks[mark] = nil }

  /// What is in memory is nowhere else.
  mutating func lose() { saved = nil }
}
