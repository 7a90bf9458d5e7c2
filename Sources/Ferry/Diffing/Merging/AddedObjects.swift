/// The objects that both sides of a merge have added: pairs of equal objects that refer to equal objects.
struct AddedObjects {
  /// For each object of their version, the equal object of our version.
  private(set) var pairs: [Int: Int] = [:]

  /// A version, and the numbers of the objects that the base has.
  private struct Side {
    let shared: SharedObjects
    let known: [Int: Int]
  }

  private let ours, theirs: Side
  private var taken: Set<Int> = []

  /// The objects of our version with one content, in order.
  private struct Candidates {
    private var untried: ArraySlice<Int> = []
    /// The first objects that were not taken at the last search.
    private var first: [Int] = []

    /// The maximum number of objects that are compared with an object.
    private static let most = 8

    mutating func append(_ number: Int) { untried.append(number) }

    /// Returns the first objects that are not taken.
    mutating func first(besides taken: Set<Int>) -> [Int] {
      first.removeAll { taken.contains($0) }
      while first.count < Self.most, let number = untried.popFirst() {
        if !taken.contains(number) { first.append(number) }
      }
      return first
    }
  }

  /// Finds the pairs.
  ///
  /// - Parameters:
  ///   - ours: Our version.
  ///   - theirs: Their version.
  ///   - known: For each side, the numbers in the base of the objects that the base has.
  init(ours: SharedObjects, theirs: SharedObjects, besides known: [MergeSide: [Int: Int]]) {
    self.ours = Side(shared: ours, known: known[.ours] ?? [:])
    self.theirs = Side(shared: theirs, known: known[.theirs] ?? [:])
    let contents = SharedContents.whole(in: ours, as: self.ours.known)
    let otherContents = SharedContents.whole(in: theirs, as: self.theirs.known)
    var equal: [Int: Candidates] = [:]
    for number in ours.numbersInOrder where self.ours.known[number] == nil {
      if let content = contents[number] { equal[content, default: Candidates()].append(number) }
    }
    // An object is compared before those to which it refers, so that these are paired by their paths in it.
    for other in theirs.numbersInOrder where self.theirs.known[other] == nil && pairs[other] == nil {
      guard let content = otherContents[other], let numbers = equal[content]?.first(besides: taken) else {
        continue
      }
      for number in numbers {
        guard let found = pairs(of: number, and: other) else { continue }
        pairs.merge(found) { known, _ in known }
        taken.formUnion(found.values)
        break
      }
    }
  }

  /// Returns the pairs of objects at the same paths in two objects. Returns nil if the objects are not equal.
  private func pairs(of number: Int, and other: Int) -> [Int: Int]? {
    var found = [other: number]
    var used: Set<Int> = [number]
    var waiting = [(number, other)]
    func areSame(_ mine: Value, _ others: Value) -> Bool {
      switch (mine, others) {
      case (.reference(let number), .reference(let other)):
        if let known = ours.known[number] { return theirs.known[other] == known }
        if let known = found[other] { return known == number }
        guard theirs.known[other] == nil, pairs[other] == nil, !taken.contains(number),
          used.insert(number).inserted
        else { return false }
        found[other] = number
        waiting.append((number, other))
        return true
      case (.object(let mine), .object(let others)):
        return mine.type == others.type && areSame(mine.content, others.content)
      case (.dictionary(let mine), .dictionary(let others)):
        return mine.count == others.count
          && mine.allSatisfy { key, value in others[key].map { areSame(value, $0) } ?? false }
      case (.array(let mine), .array(let others)), (.set(let mine), .set(let others)):
        return mine.count == others.count && zip(mine, others).allSatisfy { areSame($0, $1) }
      default: return mine == others
      }
    }
    while let (number, other) = waiting.popLast() {
      guard let mine = ours.shared.objects[number], let others = theirs.shared.objects[other],
        areSame(.object(mine), .object(others))
      else { return nil }
    }
    return found
  }
}

extension SharedObjects {
  /// The numbers of the objects, each after one that refers to it.
  fileprivate var numbersInOrder: [Int] {
    var (order, known): ([Int], Set<Int>) = ([], [])
    var waiting = [root]
    var next = 0
    while next < waiting.count {
      let value = waiting[next]
      next += 1
      if case .reference(let number) = value, known.insert(number).inserted, let object = objects[number] {
        order.append(number)
        waiting.append(object.content)
      }
      waiting += value.parts
    }
    return order
  }
}
