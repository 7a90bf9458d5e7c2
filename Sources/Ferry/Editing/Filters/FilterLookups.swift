/// The indexes by which filters with `=` find elements of long lists in an edited list. Testing all elements for each of many changes would
/// take quadratic time.
final class FilterLookups {
  /// An index is made for a list of at least this many elements, after this many lookups.
  private static let (longList, mostLookups) = (32, 2)

  /// A list, with the path of a condition.
  private struct Key: Hashable {
    let list: NodeID
    let path: [ValuePath.Step]
  }

  /// The change of a collection.
  enum Change {
    /// Elements, or values of entries, are replaced by others.
    case children([Int])
    /// Elements or entries are added at the end.
    case addition
    /// Any change.
    case others
  }

  private var indexes: [Key: FilterIndex] = [:]
  private var counts: [Key: Int] = [:]

  /// Returns the indices of the elements that may meet the conditions of a filter, in order; nil if all may.
  func indices(
    thatMayMeet test: FilterTest, in list: ValueLocation, count: Int, of nodes: EditedPropertyList,
    by walker: PathWalker
  ) throws(FerryError) -> [Int]? {
    guard count >= Self.longList, let condition = test.conditions.first(where: { $0.comparison == .equal }),
      let keys = condition.operand.keys
    else { return nil }
    let key = Key(list: list.node, path: condition.path)
    guard let index = indexes[key] else {
      counts[key, default: 0] += 1
      if counts[key, default: 0] > Self.mostLookups { indexes[key] = FilterIndex() }
      return nil
    }
    try index.update(condition.path, in: list, count: count, of: nodes, by: walker)
    return index.indices(of: keys)
  }

  /// Notes that a collection changes.
  func note(_ change: Change, of node: NodeID) {
    for (key, index) in indexes where !index.note(change, of: node, isList: key.list == node) {
      indexes[key] = nil
    }
  }

  /// Removes all indexes, because any collections have changed.
  func removeAll() { if !indexes.isEmpty { indexes.removeAll() } }
}
