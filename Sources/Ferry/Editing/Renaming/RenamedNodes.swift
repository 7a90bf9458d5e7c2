/// A property list with some strings and data replaced.
///
/// Equal replacements of one node share a node, so that an object with several references stays one object.
final class RenamedNodes {
  let list: EditedPropertyList
  private var replacements: [Replacement: NodeID] = [:]

  private struct Replacement: Hashable {
    let node: NodeID
    let bytes: [UInt8]
  }

  init(_ base: any PropertyListNodes) { list = EditedPropertyList(base) }

  /// Returns the node of a string that replaces another.
  func string(_ text: String, for node: NodeID) -> NodeID {
    let bytes = Array(text.utf8)
    return replacement(for: node, bytes, .text(bytes, isASCII: bytes.span.isASCII, hasSurrogates: false))
  }

  /// Returns the node of data that replaces other data.
  func data(_ bytes: [UInt8], for node: NodeID) -> NodeID { replacement(for: node, bytes, .data(bytes)) }

  private func replacement(for node: NodeID, _ bytes: [UInt8], _ content: EditedPropertyList.Content)
    -> NodeID
  {
    let key = Replacement(node: node, bytes: bytes)
    if let known = replacements[key] { return known }
    let new = list.add(content)
    replacements[key] = new
    return new
  }
}
