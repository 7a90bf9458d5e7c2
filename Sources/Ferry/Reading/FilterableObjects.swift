/// The objects of an archive on a tape, as a filter tests them: its path follows references.
final class FilterableObjects: FilterableTree {
  private let values: FilterableTape
  private let budget: Budget
  /// The objects with an identity.
  private let objects: [Int: TapeIndex]
  /// The cost of all values that were visited so far, and its limit.
  private var cost = 0
  private let mostCost: Int
  /// The value that a filter tests next.
  var element = TapeIndex.start

  /// - Parameter mostCost: The maximum cost of the values that are visited, which may be visited many times.
  init(on tape: EventTape, _ objects: [Int: TapeIndex], firstKeyWins: Bool, mostCost: Int, budget: Budget) {
    values = FilterableTape(tape: tape, firstKeyWins: firstKeyWins)
    (self.objects, self.mostCost, self.budget) = (objects, mostCost, budget)
  }

  /// Returns true if the next element meets the conditions of a filter.
  func acceptsElement(_ test: FilterTest) throws(FerryError) -> Bool { try test.accepts(element, in: self) }

  func filteredEntry(_ key: String, of part: TapeIndex) throws(FerryError) -> TapeIndex? {
    try values.filteredEntry(key, of: visit(part))
  }

  func filteredEntries(of part: TapeIndex) throws(FerryError) -> [TapeIndex] {
    try values.filteredEntries(of: visit(part))
  }

  func filteredCount(of part: TapeIndex) throws(FerryError) -> Int? {
    try values.filteredCount(of: visit(part))
  }

  func filteredElements(_ indices: Range<Int>, of list: TapeIndex) throws(FerryError) -> [TapeIndex] {
    try values.filteredElements(indices, of: visit(list))
  }

  func filteredScalar(of part: TapeIndex) throws(FerryError) -> Value? {
    try values.filteredScalar(of: visit(part))
  }

  /// Returns the object to which a reference leads, or another value. Its parts cost as much as parts that are sent.
  private func visit(_ part: TapeIndex) throws(FerryError) -> TapeIndex {
    let tape = values.tape
    let target = tape.kind(at: part) == .reference ? objects[tape.reference(at: part)] ?? part : part
    var count = 1
    if let content = tape.content(of: target), tape.next(after: content) > content + 1 {
      count += tape.childCount(from: content + 1, to: tape.next(after: content) - 1)
    }
    cost += Budget.valueCost * count
    guard cost <= mostCost else { throw budget.overAmplification }
    return target
  }
}
