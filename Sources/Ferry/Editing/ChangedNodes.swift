/// A property list with changes over a base. Nodes of the base keep their numbers, so that a writer can keep
/// the text of every unchanged node.
protocol ChangedNodes: PropertyListNodes {
  /// The number of the first new node.
  var firstNewNode: Int { get }
  /// Returns true if a node of the base has other children now.
  func isChanged(_ node: Int) -> Bool
}
