/// The steps from collections to the values in them. The indices of all values in a collection are found at once, and again only after a
/// change: looking for each of many values would take quadratic time.
struct ChildIndices {
  /// The last known index of each value. An index counts only if the value is still there.
  private var indices: [NodeID: Int] = [:]
  /// For each collection, the number of changes of the list before its values were found.
  private var changeCounts: [NodeID: Int] = [:]

  /// Returns the step from a collection to a value, or nil if the collection does not have the value.
  mutating func child(
    _ node: NodeID, of collection: NodeID, in list: EditedPropertyList
  ) throws(FerryError) -> NodeTrail.Child? {
    let (count, isDictionary): (Int, Bool)
    switch try list.kind(of: collection) {
    case .array(let elements), .set(let elements): (count, isDictionary) = (elements, false)
    case .dictionary(let entries): (count, isDictionary) = (entries, true)
    default: return nil
    }
    func child(_ index: Int) -> NodeTrail.Child { isDictionary ? .value(index) : .element(index) }
    func isThere(_ index: Int) throws(FerryError) -> Bool {
      guard index < count else { return false }
      return try list.node(child(index), of: collection) == node
    }
    if let index = indices[node], try isThere(index) { return child(index) }
    guard changeCounts[collection] != list.changeCount else { return nil }
    changeCounts[collection] = list.changeCount
    for index in 0..<count { indices[try list.node(child(index), of: collection)] = index }
    guard let index = indices[node], try isThere(index) else { return nil }
    return child(index)
  }

  /// Notes the step to a new value.
  mutating func note(_ child: NodeTrail.Child?, to node: NodeID) { indices[node] = child?.index }
}
