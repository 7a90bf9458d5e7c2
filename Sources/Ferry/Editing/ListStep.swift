/// A step from an old list to a new one. The elements are given by their indices.
///
///     a b c d  →  a x c y d        keep a, replace b by x, keep c, insert y, keep d
enum ListStep {
  case keep(Int, Int)
  case replace(Int, by: Int)
  case remove(Range<Int>)
  case insert(Range<Int>)

  /// The indices of the old elements that are removed or replaced.
  var removedIndices: Range<Int> {
    switch self {
    case .keep, .insert: 0..<0
    case .replace(let index, _): index..<index + 1
    case .remove(let indices): indices
    }
  }

  /// Returns the steps from one list to another, in order. No two steps in a row remove, or insert.
  static func steps<Element: Hashable>(from old: [Element], to new: [Element]) -> [ListStep] {
    var (removed, inserted): (Set<Int>, Set<Int>) = ([], [])
    for change in new.difference(from: old) {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    var steps: [ListStep] = []
    var (from, to) = (0, 0)
    while from < old.count || to < new.count {
      switch (removed.contains(from), inserted.contains(to)) {
      case (false, false):
        steps.append(.keep(from, to))
        (from, to) = (from + 1, to + 1)
      case (true, true):
        steps.append(.replace(from, by: to))
        (from, to) = (from + 1, to + 1)
      case (true, false):
        let start = from
        while removed.contains(from) { from += 1 }
        steps.append(.remove(start..<from))
      case (false, true):
        let start = to
        while inserted.contains(to) { to += 1 }
        steps.append(.insert(start..<to))
      }
    }
    return steps
  }
}
