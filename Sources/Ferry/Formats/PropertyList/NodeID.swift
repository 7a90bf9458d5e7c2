/// The number of a node in a property list. In a binary file, it is the number of an object.
///
/// A node number is valid only for the list that it comes from, and for an edited list based on that list.
struct NodeID: Hashable, Comparable {
  // In four bytes, because there are lists of millions of nodes.
  private let number: UInt32

  /// Creates the number of a node. An index that is negative or too large is the number of no node.
  @inline(__always)
  init(_ index: Int) { number = UInt32(exactly: index) ?? .max }

  /// The number, from 0 on: an index into arrays with an element for each node.
  @inline(__always)
  var index: Int { Int(number) }

  static func < (a: NodeID, b: NodeID) -> Bool { a.number < b.number }
}
