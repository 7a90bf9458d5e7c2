/// The records that the sides of a merge have added in place of records of the base, and their order in the result.
///
///     base A B C    ours A X Y C (in place of B)    theirs A B Z C    →    A X Y Z C
///
/// The replaced record gives the position of those that replace it, so that an addition of the other side stays before or after them.
struct RecordReplacements {
  /// The numbers of added records by that of the record of the base at whose position they are.
  private var added: [MergeSide: [Int: [Int]]] = [:]

  init() {}

  /// Finds the records that replace others. They are in the result if the other side still has the replaced records, unchanged, together and
  /// in their order. Otherwise there is a conflict: of one record if nothing else is in the place of the replaced ones, else of the lists as
  /// a whole, so that no part of the losing side stays in the result. Returns nil for a conflict of the lists.
  ///
  /// - Parameters:
  ///   - alignments: The alignments of both sides with the base.
  ///   - numbers: The numbers of the records of each version. Those of the base are their indices.
  ///   - replaced: The records of the base that a side has in another version, of which it is unknown if it is the same record.
  init?(
    _ alignments: [MergeSide: RecordAlignment], _ numbers: inout Versions<[Int]>,
    _ replaced: inout [MergeSide: Set<Int>]
  ) {
    guard let ours = alignments[.ours], let theirs = alignments[.theirs] else { return }
    guard !ours.replacements.isEmpty || !theirs.replacements.isEmpty else { return }
    let sides = (ours: Side(ours, numbers.ours), theirs: Side(theirs, numbers.theirs))
    guard !sides.ours.hasTorn(theirs.replacements), !sides.theirs.hasTorn(ours.replacements) else {
      return nil
    }
    let mine = Self.own(sides.ours, besides: sides.theirs)
    let others = Self.own(sides.theirs, besides: sides.ours)
    guard let outcome = Self.outcome(of: mine, others, sides.theirs),
      let theirOutcome = Self.outcome(of: others, mine, sides.ours)
    else { return nil }
    for (side, outcome) in [(MergeSide.ours, outcome), (.theirs, theirOutcome)] {
      added[side] = Self.added(outcome.added, numbers[side])
      for version in outcome.versions {
        numbers[side][version.index] = version.record
        replaced[side, default: []].insert(version.record)
      }
    }
  }

  /// A side and its records.
  private struct Side {
    let alignment: RecordAlignment
    let numbers: [Int]
    /// The indices of the records, by their numbers.
    let positions: [Int: Int]

    init(_ alignment: RecordAlignment, _ numbers: [Int]) {
      (self.alignment, self.numbers) = (alignment, numbers)
      positions = Dictionary(zip(numbers, numbers.indices)) { first, _ in first }
    }

    /// Returns true if the side has a record of the base as it was.
    func hasUnchanged(_ record: Int) -> Bool {
      positions[record] != nil && !alignment.changed.contains(record)
    }

    /// Returns true if the side has moved some of the records that the other side has replaced together, or has others among them.
    func hasTorn(_ replacements: [RecordAlignment.Replacement]) -> Bool {
      replacements.contains { replacement in
        let found = replacement.old.compactMap { positions[$0] }
        guard let first = found.first else { return false }
        return found != Array(first..<first + found.count)
      }
    }
  }

  /// The records that a side has added in place of others, of which it is unknown which are versions of which.
  private struct Own {
    let old: [Int]
    /// The numbers of the added records.
    let numbers: [Int]
    /// The indices of those that the other side has not added, too.
    let new: [Int]
  }

  /// A record that counts as a version of one that it replaces.
  private struct Version {
    let record: Int
    let index: Int
  }

  private struct Outcome {
    /// The replacements by one side whose records are in the result.
    var added: [Own] = []
    /// The records that are in conflict with the other side.
    var versions: [Version] = []
  }

  private static func own(_ side: Side, besides other: Side) -> [Own] {
    side.alignment.replacements.compactMap { replacement in
      guard !replacement.isPaired else { return nil }
      return Own(
        old: replacement.old, numbers: replacement.new.map { side.numbers[$0] },
        new: replacement.new.filter { other.positions[side.numbers[$0]] == nil })
    }
  }

  /// Returns the outcome of the replacements of a side. Returns nil if records of either side may be versions of the replaced ones.
  ///
  /// - Parameters:
  ///   - others: The replacements of the other side.
  ///   - side: The other side.
  private static func outcome(of replacements: [Own], _ others: [Own], _ side: Side) -> Outcome? {
    var owners: [Int: Int] = [:]
    for (index, other) in others.enumerated() { for record in other.old { owners[record] = index } }
    var outcome = Outcome()
    for own in replacements {
      if own.old.allSatisfy(side.hasUnchanged) {
        outcome.added.append(own)
        continue
      }
      let common = Set(own.old.compactMap { owners[$0] }).map { others[$0] }
      if own.new.isEmpty, common.allSatisfy(\.new.isEmpty) { continue }
      guard let record = own.old.first, own.new.count <= 1, own.old.allSatisfy({ side.positions[$0] == nil }),
        common.allSatisfy({ $0.old == own.old && $0.new.count <= 1 })
      else { return nil }
      if let index = own.new.first { outcome.versions.append(Version(record: record, index: index)) }
    }
    return outcome
  }

  /// Returns the numbers of added records by that of the first record in whose place they are. Records after a moved one follow that.
  private static func added(_ replacements: [Own], _ numbers: [Int]) -> [Int: [Int]] {
    var added: [Int: [Int]] = [:]
    for own in replacements {
      guard let first = own.new.first, let record = own.old.first else { continue }
      added[record] = zip(own.new, first...).prefix { $0 == $1 }.map { numbers[$0.0] }
    }
    return added
  }

  /// Returns the merged order of the records.
  func order(of numbers: Versions<[Int]>) -> [Int] {
    let order = MergedOrder.of(Versions { positions(of: numbers[$0], $0) })
    guard !added.isEmpty else { return order }
    return order.flatMap { number in
      [number] + (added[.ours]?[number] ?? []) + (added[.theirs]?[number] ?? [])
    }
  }

  /// Returns the record numbers of a version, with each replacing record's number exchanged for that of the record it replaces.
  private func positions(of numbers: [Int], _ side: MergeSide) -> [Int] {
    guard let added = added[side], !added.isEmpty else { return numbers }
    /// The numbers of replaced records by that of the first record in their place, and -1 for the other records there.
    var replaced: [Int: Int] = [:]
    for (record, new) in added {
      for (index, number) in new.enumerated() { replaced[number] = index == 0 ? record : -1 }
    }
    return numbers.map { replaced[$0] ?? $0 }.filter { $0 >= 0 }
  }
}
