/// An alignment of the records of a side with those of the base, by their content.
///
///     base {a: 1} {b: 2}    side {a: 1} {b: 9} {d: 4}    →    {b: 2} became {b: 9}, and {d: 4} is new
///
/// Between two records that the side kept, it may have removed some and added others. If one of each has the same keys, they are versions of
/// one record. Other ones may be versions of each other or not, so the added records replace the removed ones as a whole. As many records
/// as before are matched by their position, but only to compare their values: that proves nothing about their order.
struct RecordAlignment {
  /// Records of the base that a side has removed, and those that it has added at their position.
  struct Replacement {
    /// The indices of the removed records in the base, in ascending order.
    let old: [Int]
    /// The indices of the added records in the side, in ascending order.
    let new: [Int]
    /// True if the records are matched by their position.
    let isPaired: Bool
  }

  /// For each record of the base, the index of its version in the side; -1 for a removed record.
  private(set) var matches: [Int]
  /// The replacements of several records, or by several.
  private(set) var replacements: [Replacement] = []
  /// The records of the base that the side has in another version.
  private(set) var changed: Set<Int> = []
  /// The changed records for which it is unknown if the other version is of the same record.
  private(set) var unlike: Set<Int> = []

  /// For each record of the side, true if it is a version of a record of the base.
  private var isKnown: [Bool]
  /// The class and the keys of a record of the base, and of one of the side, by their indices.
  private let shapes: (old: (Int) -> Shape, new: (Int) -> Shape)

  /// The class and the keys of a record.
  private struct Shape: Hashable {
    let type: ObjectClass?
    let keys: Set<Value>

    init(_ record: Value) {
      type = if case .object(let object) = record { object.type } else { nil }
      keys = Set(record.dictionaryValue?.keys ?? [])
    }
  }

  /// Aligns two versions of a list.
  ///
  /// - Parameters:
  ///   - old: The numbers of the records of the base, equal for equal records.
  ///   - new: The numbers of the records of the side.
  ///   - base: Returns a record of the base.
  ///   - side: Returns a record of the side.
  init(_ old: [Int], _ new: [Int], base: @escaping (Int) -> Value, side: @escaping (Int) -> Value) {
    let likeness = { base($0).likeness(to: side($1)) }
    let alignment = SequenceAlignment(old, new, likeness: likeness)
    (matches, isKnown) = (alignment.matches, alignment.isKnown)
    shapes = ({ Shape(base($0)) }, { Shape(side($0)) })
    let changes = gaps(between: { old[$0] == new[$1] })
    let unsure = Set(changes.filter { !isChangedInPlace($0) }.flatMap(\.gone))
    unmatchTies(in: changes, likeness)
    // Pairs by position are taken back, so that the only records with the same keys match first.
    for (record, match) in matches.enumerated() where match >= 0 && old[record] != new[match] {
      if likeness(record, match) == 0 { unmatch(record) }
    }
    for gap in gaps(between: { _, _ in true }) { alignRest(gap.gone, gap.added) }
    for (record, match) in matches.enumerated() where match >= 0 && old[record] != new[match] {
      changed.insert(record)
      let isVersion =
        unsure.contains(record) ? base(record).isMostlyAlike(side(match)) : likeness(record, match) > 0
      if !isVersion { unlike.insert(record) }
    }
  }

  /// Returns true if the side has as many records as before between two kept ones, each matched by its position. Otherwise a record that has
  /// half of its fields in common with one of the base may be another, because the side has also added or removed records there.
  private func isChangedInPlace(_ gap: Gap) -> Bool {
    gap.gone.count == gap.added.count && zip(gap.gone, gap.added).allSatisfy { matches[$0] == $1 }
  }

  private mutating func unmatch(_ record: Int) {
    isKnown[matches[record]] = false
    matches[record] = -1
  }

  /// The records of the base and of the side between two kept ones, without those that have moved there.
  private typealias Gap = (gone: [Int], added: [Int])

  /// Returns the records between those that the side kept in their order.
  ///
  /// - Parameter isKept: Returns true if a record of the base counts as kept with its match.
  private func gaps(between isKept: (Int, Int) -> Bool) -> [Gap] {
    let kept = matches.enumerated().map { $1 >= 0 && isKept($0, $1) ? $1 : -1 }
    guard kept.contains(-1) else { return [] }
    var isKeptThere = [Bool](repeating: false, count: isKnown.count)
    for match in kept where match >= 0 { isKeptThere[match] = true }
    var gaps: [Gap] = []
    var next = (old: 0, new: 0)
    for index in IncreasingSubsequence(of: kept).indices + [kept.count] {
      let end = (old: index, new: index < kept.count ? kept[index] : isKnown.count)
      let gone = (next.old..<end.old).filter { kept[$0] < 0 }
      let added = (next.new..<end.new).filter { !isKeptThere[$0] }
      if !gone.isEmpty, !added.isEmpty { gaps.append((gone, added)) }
      next = (end.old + 1, end.new + 1)
    }
    return gaps
  }

  /// The number of records around one that are compared with its version.
  private static let reach = 16

  /// Takes pairs of similar records back if another record is as similar, so that either may be the version. As many records as before have
  /// changed in place.
  private mutating func unmatchTies(in gaps: [Gap], _ likeness: (Int, Int) -> Int) {
    for gap in gaps where gap.gone.count != gap.added.count {
      let positions = Dictionary(uniqueKeysWithValues: zip(gap.added, gap.added.indices))
      var ties: [Int] = []
      for (position, record) in gap.gone.enumerated() {
        guard let match = positions[matches[record]] else { continue }
        let added = gap.added[match]
        let same = likeness(record, added)
        if Self.near(position, in: gap.gone).contains(where: { likeness($0, added) >= same })
          || Self.near(match, in: gap.added).contains(where: { likeness(record, $0) >= same })
        {
          ties.append(record)
        }
      }
      ties.forEach { unmatch($0) }
    }
  }

  /// Returns the records around a position, without the one there.
  private static func near(_ position: Int, in records: [Int]) -> some Sequence<Int> {
    let range = max(0, position - reach)..<min(records.count, position + reach + 1)
    return range.lazy.filter { $0 != position }.map { records[$0] }
  }

  /// Aligns records that the side removed with those that it added between the same neighbors.
  private mutating func alignRest(_ gone: [Int], _ added: [Int]) {
    guard !gone.isEmpty, !added.isEmpty else { return }
    let (old, new) = (Self.only(gone, shapes.old), Self.only(added, shapes.new))
    var partners = [Int](repeating: -1, count: gone.count)
    for (shape, position) in old { partners[position] = new[shape] ?? -1 }
    var next = (old: 0, new: 0)
    for position in IncreasingSubsequence(of: partners).indices {
      matches[gone[position]] = added[partners[position]]
      isKnown[added[partners[position]]] = true
      replace(gone[next.old..<position], by: added[next.new..<partners[position]])
      next = (position + 1, partners[position] + 1)
    }
    replace(gone[next.old...], by: added[next.new...])
  }

  private mutating func replace(_ gone: ArraySlice<Int>, by added: ArraySlice<Int>) {
    guard !gone.isEmpty, !added.isEmpty else { return }
    let isPaired = gone.count == added.count
    if isPaired {
      for (record, match) in zip(gone, added) { (matches[record], isKnown[match]) = (match, true) }
    }
    guard gone.count > 1 || added.count > 1 else { return }
    replacements.append(Replacement(old: Array(gone), new: Array(added), isPaired: isPaired))
  }

  /// Returns the shapes that one record alone has, with the position of that among the records.
  private static func only(_ records: [Int], _ shape: (Int) -> Shape) -> [Shape: Int] {
    var positions: [Shape: [Int]] = [:]
    for (position, record) in records.enumerated() { positions[shape(record), default: []].append(position) }
    return positions.compactMapValues { $0.count == 1 ? $0[0] : nil }
  }
}
