/// An array or a set whose elements are requested one by one. In a binary file, parsing its marker takes longer than reading an element.
struct NodeList {
  let node: NodeID
  /// The number of elements in a binary file. Other nodes do not use it.
  var count = 0
  /// The offset of the first reference in a binary file. Other nodes do not use it.
  var start = 0
}
