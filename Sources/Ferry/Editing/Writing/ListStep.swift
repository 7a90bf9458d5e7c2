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
    steps(matches: matches(old, new), newCount: new.count)
  }

  /// Returns the steps from one list to another in which elements may have moved. An element that has not moved is kept. A moved one is kept
  /// only if its old index is between those of the elements beside it that have not moved.
  ///
  ///     a b c  →  c′ b         c has moved: keep b, although keeping c would be as many steps
  ///     a b c  →  b′ c         b has moved, and still is before c: keep both
  ///
  /// - Parameters:
  ///   - old: The old elements.
  ///   - new: The new elements. One that has moved equals no old element.
  ///   - oldIdentities: For each old element, an identity.
  ///   - newIdentities: For each new element, an identity: that of an old element that it is, moved or not, or has the value of.
  static func steps<Element: Hashable, Identity: Hashable>(
    from old: [Element], to new: [Element], _ oldIdentities: [Identity], _ newIdentities: [Identity]
  ) -> [ListStep] {
    var matches = matches(old, new)
    var (nextOld, nextNew) = (0, 0)
    /// Matches the elements between two that have not moved.
    func match(before end: Int, _ newEnd: Int) {
      defer { (nextOld, nextNew) = (end + 1, newEnd + 1) }
      guard nextOld < end, nextNew < newEnd else { return }
      let moved = Self.matches(
        Array(oldIdentities[nextOld..<end]), Array(newIdentities[nextNew..<newEnd]))
      for (index, newIndex) in moved.enumerated() where newIndex >= 0 {
        matches[nextOld + index] = nextNew + newIndex
      }
    }
    for (index, newIndex) in matches.enumerated() where newIndex >= 0 { match(before: index, newIndex) }
    match(before: old.count, new.count)
    return steps(matches: matches, newCount: new.count)
  }

  /// Returns, for each old element, the index of the new one that equals it and keeps its order; -1 for the others.
  private static func matches<Element: Hashable>(_ old: [Element], _ new: [Element]) -> [Int] {
    var numbers: [Element: Int] = [:]
    func number(_ element: Element) -> Int {
      if let number = numbers[element] { return number }
      numbers[element] = numbers.count
      return numbers.count - 1
    }
    return SequenceAlignment(old.map(number), new.map(number)).matches
  }

  private static func steps(matches: [Int], newCount: Int) -> [ListStep] {
    let oldCount = matches.count
    var isKnown = [Bool](repeating: false, count: newCount)
    for newIndex in matches where newIndex >= 0 { isKnown[newIndex] = true }
    func isRemoved(_ index: Int) -> Bool { index < oldCount && matches[index] < 0 }
    func isInserted(_ index: Int) -> Bool { index < newCount && !isKnown[index] }
    var steps: [ListStep] = []
    var (from, to) = (0, 0)
    while from < oldCount || to < newCount {
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
