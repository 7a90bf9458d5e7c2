/// Pairs of elements that have changed and moved between two sequences, found by the features that they share, in near-linear time.
///
///     removed  {id: 3, name: "Lamp", n: 1}     added  {id: 3, name: "Lamp", n: 2}
///
/// Two elements are a pair if half of their parts are equal, and if one of the equal parts is rare in the sequences: elements that
/// only have the usual values in common are different elements.
struct SimilarElements {
  /// The features of the elements of each sequence without an equal one in the other sequence.
  private let removed, added: [ElementFeatures]
  private var uses: [Int: Uses] = [:]
  /// The number of features that may still be compared. If hostile input uses them up, the remaining elements have no partners, which
  /// is also a correct result.
  private var work = 1 << 22

  /// The elements that have a feature.
  private struct Uses {
    var removed: [Int] = []
    var added: [Int] = []
    /// The number of elements that are in both sequences.
    var others = 0
  }

  private struct Pair {
    let old, new: Int
    let similarity: Double
    let isNear: Bool

    /// Returns true if this pair is chosen before another one. The order does not depend on hashes.
    func precedes(_ other: Pair) -> Bool {
      if similarity != other.similarity { return similarity > other.similarity }
      if isNear != other.isNear { return isNear }
      return (old, new) < (other.old, other.new)
    }
  }

  /// Notes the uses of each distinctive feature.
  ///
  /// - Parameters:
  ///   - removed: The features of the elements that only the old sequence has.
  ///   - added: The features of the elements that only the new sequence has.
  ///   - others: The features of the elements that are in both.
  init(
    _ removed: [ElementFeatures], _ added: [ElementFeatures], besides others: some Sequence<ElementFeatures>
  ) {
    (self.removed, self.added) = (removed, added)
    for (index, element) in removed.enumerated() {
      for feature in element.distinctive { uses[feature, default: Uses()].removed.append(index) }
    }
    for (index, element) in added.enumerated() {
      for feature in element.distinctive { uses[feature]?.added.append(index) }
    }
    uses = uses.filter { !$0.value.added.isEmpty }
    guard !uses.isEmpty else { return }
    for element in others {
      for feature in element.distinctive { uses[feature]?.others += 1 }
    }
  }

  /// The maximum number of pairs that share a feature. A feature that more pairs share is not used to find partners.
  private static let mostPairs = 16

  /// Returns pairs of a removed and an added element by their indices, the most similar ones first. Each element is in one pair at most.
  ///
  /// - Parameters:
  ///   - count: The number of elements of the longer sequence.
  ///   - isNear: Returns true if a removed and an added element have the same neighbors, which are preferred among equally similar ones.
  mutating func pairs(in count: Int, isNear: (Int, Int) -> Bool = { _, _ in false }) -> [(old: Int, new: Int)]
  {
    guard !uses.isEmpty else { return [] }
    var candidates: [Pair] = []
    for (index, element) in removed.enumerated() where work > 0 {
      // An element with many fields may use up the work, so its partners are compared in order: that of a set differs from run to run.
      for other in partners(of: element, in: count).sorted() where work > 0 {
        work -= element.count + added[other].count
        guard let similarity = element.similarity(to: added[other]) else { continue }
        candidates.append(
          Pair(old: index, new: other, similarity: similarity, isNear: isNear(index, other)))
      }
    }
    var (isPaired, isTaken) = (Set<Int>(), Set<Int>())
    var pairs: [(old: Int, new: Int)] = []
    for pair in candidates.sorted(by: { $0.precedes($1) })
    where !isPaired.contains(pair.old) && !isTaken.contains(pair.new) {
      isPaired.insert(pair.old)
      isTaken.insert(pair.new)
      pairs.append((pair.old, pair.new))
    }
    return pairs
  }

  /// Returns the added elements that share a rare feature with a removed one.
  private func partners(of element: ElementFeatures, in count: Int) -> Set<Int> {
    let rare = max(1, count / 8)
    var found: Set<Int> = []
    for feature in element.distinctive {
      guard let uses = uses[feature], uses.removed.count * uses.added.count <= Self.mostPairs,
        max(uses.removed.count, uses.added.count) + uses.others <= rare
      else { continue }
      found.formUnion(uses.added)
    }
    return found
  }
}
