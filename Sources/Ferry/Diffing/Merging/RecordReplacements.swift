/// The records that the sides of a merge have added in place of records of the base, and their order in the result.
///
///     base A B C    ours A X Y C (in place of B)    theirs A B Z C    →    A X Y Z C
///
/// The replaced record gives the position of those that replace it, so that an addition of the other side stays before or after them.
struct RecordReplacements {
  /// The numbers of added records by that of the record of the base at whose position they are.
  private var added: [MergeSide: [Int: [Int]]] = [:]

  init() {}

  /// Finds the records that replace others. If both sides have replaced one record of the base, the first records in its place become
  /// its versions, which are in conflict. Returns nil if a side has added records between ones that the other side has replaced: their order
  /// in the result is unknown.
  ///
  /// - Parameters:
  ///   - alignments: The alignments of both sides with the base.
  ///   - numbers: The numbers of the records of each version. Those of the base are their indices.
  ///   - replaced: The records of the base that a side has in another version, of which it is unknown if it is the same record.
  init?(
    _ alignments: [MergeSide: RecordAlignment], _ numbers: inout [MergeSide: [Int]],
    _ replaced: inout [MergeSide: Set<Int>]
  ) {
    guard alignments.values.contains(where: { !$0.replacements.isEmpty }) else { return }
    let known = numbers.mapValues(Set.init)
    var ours = Self.own(alignments[.ours], numbers[.ours], besides: known[.theirs])
    var theirs = Self.own(alignments[.theirs], numbers[.theirs], besides: known[.ours])
    guard !Self.has(numbers[.theirs] ?? [], additionsAmong: ours, numbers[.base]?.count ?? 0),
      !Self.has(numbers[.ours] ?? [], additionsAmong: theirs, numbers[.base]?.count ?? 0)
    else { return nil }
    for (index, other, record) in Self.common(ours, theirs) {
      numbers[.ours]?[ours[index].new.removeFirst()] = record
      numbers[.theirs]?[theirs[other].new.removeFirst()] = record
      replaced[.ours, default: []].insert(record)
      replaced[.theirs, default: []].insert(record)
      (ours[index].isVersion, theirs[other].isVersion) = (true, true)
    }
    added[.ours] = Self.added(ours, numbers[.ours] ?? [], at: known[.theirs] ?? [])
    added[.theirs] = Self.added(theirs, numbers[.theirs] ?? [], at: known[.ours] ?? [])
  }

  /// The records that a side alone has added in place of others.
  private struct Own {
    let old: [Int]
    var new: [Int]
    /// True if the first added record is a version of one of the others.
    var isVersion = false
  }

  /// Returns the replacements of a side without records that the other side has added, too.
  private static func own(
    _ alignment: RecordAlignment?, _ numbers: [Int]?, besides others: Set<Int>?
  ) -> [Own] {
    guard let alignment, let numbers, let others else { return [] }
    return alignment.replacements.compactMap { replacement in
      guard !replacement.new.contains(where: { others.contains(numbers[$0]) }) else { return nil }
      return Own(old: replacement.old, new: replacement.new)
    }
  }

  /// Returns true if a side has added records directly between two that the other side has replaced together.
  ///
  /// - Parameter count: The number of records of the base. Added records have greater numbers.
  private static func has(_ numbers: [Int], additionsAmong replacements: [Own], _ count: Int) -> Bool {
    var replacement: [Int: Int] = [:]
    for (index, own) in replacements.enumerated() where own.old.count > 1 {
      for record in own.old { replacement[record] = index }
    }
    guard !replacement.isEmpty else { return false }
    var (last, hasAdditions): (Int?, Bool) = (nil, false)
    for number in numbers {
      guard number < count else {
        hasAdditions = true
        continue
      }
      let next = replacement[number]
      if hasAdditions, next != nil, next == last { return true }
      (last, hasAdditions) = (next, false)
    }
    return false
  }

  /// Returns the indices of replacements of both sides that have replaced a common record, and that record. Each has at most one partner.
  private static func common(_ ours: [Own], _ theirs: [Own]) -> [(ours: Int, theirs: Int, record: Int)] {
    var owners: [Int: Int] = [:]
    for (index, own) in theirs.enumerated() { for record in own.old { owners[record] = index } }
    var pairs: [(ours: Int, theirs: Int, record: Int)] = []
    for (index, own) in ours.enumerated() {
      let last = pairs.last?.theirs ?? -1
      guard let record = own.old.first(where: { owners[$0, default: -1] > last }), let other = owners[record]
      else { continue }
      pairs.append((index, other, record))
    }
    return pairs
  }

  /// Returns the numbers of added records by that of the record at whose position they are: one that the other side still has, if there
  /// is one. Records after a moved one follow that.
  private static func added(_ replacements: [Own], _ numbers: [Int], at known: Set<Int>) -> [Int: [Int]] {
    var added: [Int: [Int]] = [:]
    for own in replacements where !own.isVersion {
      guard let first = own.new.first, let record = own.old.first(where: known.contains) ?? own.old.first
      else { continue }
      added[record] = zip(own.new, first...).prefix { $0 == $1 }.map { numbers[$0.0] }
    }
    return added
  }

  /// Returns the merged order of the records.
  func order(of numbers: [MergeSide: [Int]]) -> [Int] {
    let order = MergedOrder.of(
      base: numbers[.base] ?? [], ours: positions(of: numbers[.ours] ?? [], .ours),
      theirs: positions(of: numbers[.theirs] ?? [], .theirs))
    guard !added.isEmpty else { return order }
    return order.flatMap { number in
      [number] + (added[.ours]?[number] ?? []) + (added[.theirs]?[number] ?? [])
    }
  }

  /// Returns the numbers of a side with those of replaced records instead of the records that replace them.
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
