/// The changes from one version of a set to another one: its removed, added and changed members, by their indices.
///
///     {a, b: 1, c} → {c, b: 2, d}     at first removed [0, 1], added [1, 2]
///                                     after `pair([(1, 1)])` removed [0], added [2], changed [(1, 1)]
struct MemberChanges {
  /// The old members that the new version does not have, in order.
  private(set) var removed: [Int] = []
  /// The new members that the old version does not have, in order.
  private(set) var added: [Int] = []
  /// The pairs of members that are two versions of one member.
  private(set) var changed: [(old: Int, new: Int)] = []
  /// The old members that the new version has, too, in order.
  private(set) var kept: [Int] = []

  /// True if there are removed and added members, which may be versions of one member.
  var mayBePaired: Bool { !removed.isEmpty && !added.isEmpty }

  /// Finds the members of each version without an equal one in the other version.
  ///
  /// - Parameters:
  ///   - old: A hash of the content of each old member.
  ///   - new: A hash of the content of each new member.
  init(from old: [Int], to new: [Int]) {
    var counts: [Int: Int] = [:]
    for content in new { counts[content, default: 0] += 1 }
    for (index, content) in old.enumerated() {
      guard let count = counts[content], count > 0 else {
        removed.append(index)
        continue
      }
      counts[content] = count - 1
      kept.append(index)
    }
    // Of equal new members, the last ones are those that the old version lacks.
    for (index, content) in new.enumerated().reversed() {
      guard let count = counts[content], count > 0 else { continue }
      counts[content] = count - 1
      added.append(index)
    }
    added.reverse()
  }

  /// Takes the members that are known to be versions of one member.
  ///
  /// - Parameters:
  ///   - matches: The index of the new member for each old one, or -1 if it was removed.
  ///   - contents: A hash of the content of each old, and of each new member.
  init(_ matches: [Int], between contents: (old: [Int], new: [Int])) {
    for (index, match) in matches.enumerated() {
      guard match >= 0 else {
        removed.append(index)
        continue
      }
      if contents.old[index] == contents.new[match] {
        kept.append(index)
      } else {
        changed.append((index, match))
      }
    }
    let known = Set(matches)
    added = contents.new.indices.filter { !known.contains($0) }
  }

  /// Pairs removed and added members with equal hashes, in order.
  ///
  /// - Parameters:
  ///   - oldHash: Returns the hash of an old member; nil for one that is not paired.
  ///   - newHash: Returns the hash of a new member; nil for one that is not paired.
  mutating func pair(_ oldHash: (Int) -> Int?, _ newHash: (Int) -> Int?) {
    let removed = removed.compactMap { index in oldHash(index).map { (index: index, hash: $0) } }
    guard !removed.isEmpty else { return }
    var known: [Int: [Int]] = [:]
    for index in added.reversed() {
      if let hash = newHash(index) { known[hash, default: []].append(index) }
    }
    var found: [(old: Int, new: Int)] = []
    for (index, hash) in removed {
      if let other = known[hash]?.popLast() { found.append((index, other)) }
    }
    pair(found)
  }

  /// Moves pairs from the removed and added members to the changed ones.
  mutating func pair(_ found: [(old: Int, new: Int)]) {
    let (paired, taken) = (Set(found.map(\.old)), Set(found.map(\.new)))
    removed.removeAll(where: paired.contains)
    added.removeAll(where: taken.contains)
    changed += found
  }
}
