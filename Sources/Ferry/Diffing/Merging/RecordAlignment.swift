/// An alignment of the records of a side with those of the base, by their content.
///
///     base {a: 1} {b: 2}    side {a: 1} {b: 9} {d: 4}    →    {b: 2} became {b: 9}, and {d: 4} is new
///
/// Between two records that the side kept, it may have removed some and added others. If one of each has the same keys, they are versions of
/// one record. Other ones may be versions of each other or not, so the added records replace the removed ones as a whole.
struct RecordAlignment {
  /// Records of the base that a side has removed, and those that it has added at their position.
  struct Replacement {
    /// The indices of the removed records in the base, in ascending order.
    let old: [Int]
    /// The indices of the added records in the side, in ascending order.
    let new: [Int]
  }

  /// For each record of the base, the index of its version in the side; -1 for a removed record.
  private(set) var matches: [Int]
  private(set) var replacements: [Replacement] = []

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
    let alignment = SequenceAlignment(old, new) { base($0).isAlike(side($1)) }
    (matches, isKnown) = (alignment.matches, alignment.isKnown)
    shapes = ({ Shape(base($0)) }, { Shape(side($0)) })
    guard matches.contains(-1), isKnown.contains(false) else { return }
    var next = (old: 0, new: 0)
    let kept = IncreasingSubsequence(of: matches).indices.map { (old: $0, new: matches[$0]) }
    for end in kept + [(old: old.count, new: new.count)] {
      alignRest(
        (next.old..<end.old).filter { matches[$0] < 0 }, (next.new..<end.new).filter { !isKnown[$0] })
      next = (end.old + 1, end.new + 1)
    }
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
    replacements.append(Replacement(old: Array(gone), new: Array(added)))
  }

  /// Returns the shapes that one record alone has, with the position of that among the records.
  private static func only(_ records: [Int], _ shape: (Int) -> Shape) -> [Shape: Int] {
    var positions: [Shape: [Int]] = [:]
    for (position, record) in records.enumerated() { positions[shape(record), default: []].append(position) }
    return positions.compactMapValues { $0.count == 1 ? $0[0] : nil }
  }
}
