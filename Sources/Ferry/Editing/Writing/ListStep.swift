/// A step from an old list to a new one. The elements are given by their indices.
///
///     a b c d  →  a x c y d        keep a, replace b by x, keep c, insert y, keep d
enum ListStep {
  case keep(Int, Int)
  case replace(Int, by: Int)
  case remove(Range<Int>)
  case insert(Range<Int>)

  var isInsertion: Bool {
    if case .insert = self { true } else { false }
  }

  /// Returns the steps from one list to another, in order. Neighboring removals are one step, and so are neighboring
  /// insertions. Takes near-linear time, also if all elements have moved.
  static func steps<Element: Hashable>(from old: [Element], to new: [Element]) -> [ListStep] {
    var numbers: [Element: Int] = [:]
    func number(_ element: Element) -> Int {
      if let number = numbers[element] { return number }
      numbers[element] = numbers.count
      return numbers.count - 1
    }
    let alignment = SequenceAlignment(old.map(number), new.map(number))
    func isRemoved(_ index: Int) -> Bool { index < old.count && alignment.matches[index] < 0 }
    func isInserted(_ index: Int) -> Bool { index < new.count && !alignment.isKnown[index] }
    var steps: [ListStep] = []
    var (from, to) = (0, 0)
    while from < old.count || to < new.count {
      switch (isRemoved(from), isInserted(to)) {
      case (false, false):
        steps.append(.keep(from, to))
        (from, to) = (from + 1, to + 1)
      case (true, true):
        steps.append(.replace(from, by: to))
        (from, to) = (from + 1, to + 1)
      case (true, false):
        let start = from
        while isRemoved(from) { from += 1 }
        steps.append(.remove(start..<from))
      case (false, true):
        let start = to
        while isInserted(to) { to += 1 }
        steps.append(.insert(start..<to))
      }
    }
    return steps
  }
}
