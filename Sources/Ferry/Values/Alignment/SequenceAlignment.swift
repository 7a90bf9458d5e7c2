/// An alignment of the elements of two sequences, in near-linear time.
///
///     old  a b c d        a b c d
///     new  a x d c   →    0 1 3 2      (b became x, c and d changed places)
///
/// Elements are numbers, equal for equal elements. The alignment has four steps:
///
/// 1. Match equal elements in the same order: at both ends, then around elements that occur once in each
///    sequence (as in patience diff), then with a table for short remainders.
/// 2. Match equal elements that have moved.
/// 3. On request, match similar elements anywhere, which have moved and changed.
/// 4. Match similar elements between the same neighbors.
struct SequenceAlignment {
  /// For each element of the old sequence, the index of the matching new one; -1 for a removed element.
  private(set) var matches: [Int]
  /// For each element of the new sequence, true if it matches an old one.
  private(set) var isKnown: [Bool]

  /// True if elements match because they are similar, wherever they are.
  private(set) var hasSimilarPairs = false

  private let old: [Int]
  private let new: [Int]
  /// The number of comparisons left. If hostile input uses them up, the remaining elements count as removed
  /// and added, which is also a correct result.
  private var work: Int

  /// The features of the elements of both sequences, by their indices.
  struct Features {
    let old, new: (Int) -> ElementFeatures
  }

  /// Aligns two sequences.
  ///
  /// - Parameters:
  ///   - features: The features by which elements are found that have moved and changed; nil not to search for these.
  ///   - likeness: Returns how similar an old and a new element are, by their indices, and 0 for different ones. If it is given, elements
  ///     may also have moved or changed.
  init(_ old: [Int], _ new: [Int], features: Features? = nil, likeness: ((Int, Int) -> Int)? = nil) {
    (self.old, self.new) = (old, new)
    matches = [Int](repeating: -1, count: old.count)
    isKnown = [Bool](repeating: false, count: new.count)
    work = 64 * (old.count + new.count) + 1 << 22
    matchInOrder()
    guard let likeness else { return }
    let inOrder = matches
    matchMoved()
    if let features { matchSimilar(inOrder, features) }
    matchChanged(inOrder, likeness)
  }

  private mutating func match(_ a: Int, _ b: Int) {
    matches[a] = b
    isKnown[b] = true
  }

  // MARK: Equal elements in the same order

  private mutating func matchInOrder() {
    var ranges = [(old.startIndex..<old.endIndex, new.startIndex..<new.endIndex)]
    while let (a, b) = ranges.popLast() {
      let (a, b) = trimmed(a, b)
      guard !a.isEmpty, !b.isEmpty, work > 0 else { continue }
      work -= a.count + b.count
      let anchors = anchors(a, b)
      guard !anchors.isEmpty else {
        matchByTable(a, b)
        continue
      }
      var (nextOld, nextNew) = (a.lowerBound, b.lowerBound)
      for (i, j) in anchors {
        match(i, j)
        ranges.append((nextOld..<i, nextNew..<j))
        (nextOld, nextNew) = (i + 1, j + 1)
      }
      ranges.append((nextOld..<a.upperBound, nextNew..<b.upperBound))
    }
  }

  /// Matches equal elements at both ends, and returns the ranges between them.
  private mutating func trimmed(_ a: Range<Int>, _ b: Range<Int>) -> (Range<Int>, Range<Int>) {
    var (first, firstNew) = (a.lowerBound, b.lowerBound)
    var (last, lastNew) = (a.upperBound, b.upperBound)
    while first < last, firstNew < lastNew, old[first] == new[firstNew] {
      match(first, firstNew)
      (first, firstNew) = (first + 1, firstNew + 1)
    }
    while first < last, firstNew < lastNew, old[last - 1] == new[lastNew - 1] {
      (last, lastNew) = (last - 1, lastNew - 1)
      match(last, lastNew)
    }
    return (first..<last, firstNew..<lastNew)
  }

  /// Returns pairs of elements that occur once in each range and have the same order in both.
  private func anchors(_ a: Range<Int>, _ b: Range<Int>) -> [(Int, Int)] {
    var occurrences: [Int: (old: Int, new: Int)] = [:]
    // -1 for an element that was not found, -2 for an element that was found more than once.
    for index in a {
      occurrences[old[index], default: (-1, -1)].old = occurrences[old[index]] == nil ? index : -2
    }
    for index in b {
      guard let known = occurrences[new[index]] else { continue }
      occurrences[new[index]]?.new = known.new == -1 ? index : -2
    }
    var pairs: [(Int, Int)] = []
    for index in a {
      if let occurrence = occurrences[old[index]], occurrence.old == index, occurrence.new >= 0 {
        pairs.append((index, occurrence.new))
      }
    }
    return IncreasingSubsequence(of: pairs.map { $0.1 }).indices.map { pairs[$0] }
  }

  /// Matches the longest common subsequence of two short ranges. Of several, matches one that skips two
  /// different elements together, as a changed element. So of equal elements, mostly the one at the same index matches.
  private mutating func matchByTable(_ a: Range<Int>, _ b: Range<Int>) {
    let (rows, isTooLarge) = (a.count + 1).multipliedReportingOverflow(by: b.count + 1)
    guard !isTooLarge, rows <= work else { return }
    work -= rows
    let width = b.count + 1
    var lengths = [Int32](repeating: 0, count: rows)
    for i in stride(from: a.count - 1, through: 0, by: -1) {
      for j in stride(from: b.count - 1, through: 0, by: -1) {
        lengths[i * width + j] =
          old[a.lowerBound + i] == new[b.lowerBound + j]
          ? lengths[(i + 1) * width + j + 1] + 1
          : max(lengths[(i + 1) * width + j], lengths[i * width + j + 1])
      }
    }
    var (i, j) = (0, 0)
    while i < a.count, j < b.count {
      if old[a.lowerBound + i] == new[b.lowerBound + j] {
        match(a.lowerBound + i, b.lowerBound + j)
        (i, j) = (i + 1, j + 1)
      } else if lengths[(i + 1) * width + j + 1] == lengths[i * width + j] {
        (i, j) = (i + 1, j + 1)
      } else if lengths[(i + 1) * width + j] >= lengths[i * width + j + 1] {
        i += 1
      } else {
        j += 1
      }
    }
  }

  // MARK: Moved and changed elements

  private mutating func matchMoved() {
    var newIndices: [Int: [Int]] = [:]
    for index in new.indices.reversed() where !isKnown[index] {
      newIndices[new[index], default: []].append(index)
    }
    for index in old.indices where matches[index] < 0 {
      if let newIndex = newIndices[old[index]]?.popLast() { match(index, newIndex) }
    }
  }

  /// Matches unmatched elements that are similar. The neighbors of a moved element are others.
  private mutating func matchSimilar(_ inOrder: [Int], _ features: Features) {
    let gone = old.indices.filter { matches[$0] < 0 }
    let added = new.indices.filter { !isKnown[$0] }
    guard !gone.isEmpty, !added.isEmpty else { return }
    let kept = old.indices.filter { matches[$0] >= 0 }
    var similar = SimilarElements(
      gone.map(features.old), added.map(features.new), besides: kept.lazy.map(features.old))
    let gaps = Self.gaps(inOrder, new.count)
    let pairs = similar.pairs(in: max(old.count, new.count)) { gaps.old[gone[$0]] == gaps.new[added[$1]] }
    for pair in pairs { match(gone[pair.old], added[pair.new]) }
    hasSimilarPairs = !pairs.isEmpty
  }

  /// Returns the number of matches in order before each old and each new element.
  private static func gaps(_ inOrder: [Int], _ count: Int) -> (old: [Int], new: [Int]) {
    var gaps = (old: [Int](repeating: 0, count: inOrder.count), new: [Int](repeating: 0, count: count))
    var (matched, next) = (0, 0)
    for (index, match) in inOrder.enumerated() {
      gaps.old[index] = matched
      guard match >= 0 else { continue }
      for other in next...match { gaps.new[other] = matched }
      (matched, next) = (matched + 1, match + 1)
    }
    for other in next..<count { gaps.new[other] = matched }
    return gaps
  }

  /// Matches the unmatched elements between the same neighbors: similar elements in order, and as many elements as before with
  /// each other.
  private mutating func matchChanged(_ inOrder: [Int], _ likeness: (Int, Int) -> Int) {
    var (first, firstNew) = (0, 0)
    for index in 0...old.count {
      let end = index < old.count ? inOrder[index] : new.count
      guard end >= 0 else { continue }
      matchChanged(first..<index, firstNew..<end, likeness)
      (first, firstNew) = (index + 1, end + 1)
    }
  }

  private mutating func matchChanged(_ a: Range<Int>, _ b: Range<Int>, _ likeness: (Int, Int) -> Int) {
    let gone = a.filter { matches[$0] < 0 }
    let added = b.filter { !isKnown[$0] }
    guard !gone.isEmpty, !added.isEmpty else { return }
    let pairs = similarPairs(gone, added, likeness)
    guard gone.count == added.count else {
      for pair in pairs { match(gone[pair.old], added[pair.new]) }
      return
    }
    // As many elements as before have changed in place, unless more similar ones show that others were removed and added.
    let inPlace = zip(gone, added).reduce(0) { $0 + likeness($1.0, $1.1) }
    let inOrder = pairs.reduce(0) { $0 + likeness(gone[$1.old], added[$1.new]) }
    guard inOrder > inPlace else { return match(gone[...], added[...]) }
    var next = (old: 0, new: 0)
    for pair in pairs + [(gone.count, added.count)] {
      let (before, new) = (gone[next.old..<pair.old], added[next.new..<pair.new])
      if before.count == new.count { match(before, new) }
      if pair.old < gone.count { match(gone[pair.old], added[pair.new]) }
      next = (pair.old + 1, pair.new + 1)
    }
  }

  private mutating func match(_ gone: ArraySlice<Int>, _ added: ArraySlice<Int>) {
    for (i, j) in zip(gone, added) { match(i, j) }
  }

  /// The most pairs of elements between the same neighbors that are all compared.
  private static let comparisons = 4096

  /// The number of elements that the search for a changed element looks ahead among more.
  private static let reach = 16

  /// Returns the positions of similar elements in the same order: the pairs that are most similar together or, among many elements, for
  /// each element the first similar one.
  private func similarPairs(
    _ gone: [Int], _ added: [Int], _ likeness: (Int, Int) -> Int
  ) -> [(old: Int, new: Int)] {
    let (cells, isTooLarge) = gone.count.multipliedReportingOverflow(by: added.count)
    guard isTooLarge || cells > Self.comparisons else { return mostSimilarPairs(gone, added, likeness) }
    var pairs: [(old: Int, new: Int)] = []
    var next = 0
    for (position, i) in gone.enumerated() {
      guard let found = added[next...].prefix(Self.reach).firstIndex(where: { likeness(i, $0) > 0 }) else {
        continue
      }
      pairs.append((position, found))
      next = found + 1
    }
    return pairs
  }

  /// Returns the positions of the elements in the same order that are most similar together. Of several results, returns the one with the first
  /// elements.
  private func mostSimilarPairs(
    _ gone: [Int], _ added: [Int], _ likeness: (Int, Int) -> Int
  ) -> [(old: Int, new: Int)] {
    let width = added.count + 1
    let likenesses = gone.map { old in added.map { likeness(old, $0) } }
    /// The greatest sums for the elements from two positions on.
    var sums = [Int](repeating: 0, count: (gone.count + 1) * width)
    for i in gone.indices.reversed() {
      for j in added.indices.reversed() {
        sums[i * width + j] = max(
          likenesses[i][j] + sums[(i + 1) * width + j + 1], sums[(i + 1) * width + j], sums[i * width + j + 1]
        )
      }
    }
    var pairs: [(old: Int, new: Int)] = []
    var (i, j) = (0, 0)
    while i < gone.count, j < added.count {
      let sum = sums[i * width + j]
      if likenesses[i][j] > 0, likenesses[i][j] + sums[(i + 1) * width + j + 1] == sum {
        pairs.append((i, j))
        (i, j) = (i + 1, j + 1)
      } else if sums[i * width + j + 1] == sum {
        j += 1
      } else {
        i += 1
      }
    }
    return pairs
  }
}
