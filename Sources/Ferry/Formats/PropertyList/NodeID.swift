/// The number of a node in a property list. In a binary file, it is the number of an object.
///
/// A node number is valid only for the list that it comes from, and for an edited list based on that list.
struct NodeID: Hashable, Comparable {
  /// The number, from 0 on: an index into arrays with an element for each node.
  let index: Int

  init(_ index: Int) { self.index = index }

  static func < (a: NodeID, b: NodeID) -> Bool { a.index < b.index }
}
