// The origins of values in a document of XML that was written with types, which is changed as one without them.

extension EditableFile {
  /// Notes which new elements of the document without types have the values of original ones, so that they keep their texts.
  ///
  /// - Parameters:
  ///   - stored: The document without types, whose root element has its new value.
  ///   - isWrapper: True if the root element is not part of the values.
  func setOrigins(
    ofElementsIn stored: EditableFile, isWrapper: Bool
  ) throws(FerryError) {
    let base = stored.list.base
    guard let before = try Self.rootValue(in: list.base, isWrapper: isWrapper),
      let after = try Self.rootValue(in: list, isWrapper: isWrapper),
      let storedBefore = try Self.rootValue(in: base, isWrapper: false),
      let storedAfter = try Self.rootValue(in: stored.list, isWrapper: false)
    else { return }
    var originals: [NodeID: NodeID] = [:]
    try Self.forEachElement(of: before, in: list.base, storedAs: storedBefore, base) { originals[$0] = $1 }
    try Self.forEachElement(of: after, in: list, storedAs: storedAfter, stored.list) { node, new in
      guard let origin = list.original(of: node), let original = originals[origin] else { return }
      stored.list.setOrigin(of: new, replacing: original)
    }
  }

  /// Returns the value of the root element.
  private static func rootValue(
    in nodes: any PropertyListNodes, isWrapper: Bool
  ) throws(FerryError) -> NodeID? {
    guard !isWrapper else { return nodes.root }
    guard case .dictionary(1) = try nodes.kind(of: nodes.root) else { return nil }
    return try nodes.value(0, of: nodes.root)
  }

  /// Calls a function with the values of elements, and with the same elements in a document without types.
  private static func forEachElement(
    of node: NodeID, in nodes: any PropertyListNodes, storedAs stored: NodeID,
    _ others: any PropertyListNodes,
    _ body: (NodeID, NodeID) -> Void
  ) throws(FerryError) {
    var waiting = [(node, stored)]
    while let (node, stored) = waiting.popLast() {
      body(node, stored)
      guard case .dictionary(let count) = try nodes.kind(of: node),
        case .dictionary(let storedCount) = try others.kind(of: stored)
      else { continue }
      var values: [[UInt8]: NodeID] = [:]
      for index in 0..<storedCount {
        let key = try others.withText(of: others.key(index, of: stored)) { [UInt8](copying: $0.utf8) }
        values[key] = try others.value(index, of: stored)
      }
      for index in 0..<count {
        let key = try nodes.withText(of: nodes.key(index, of: node)) { [UInt8](copying: $0.utf8) }
        guard key.first != UInt8(ascii: "@"), !key.elementsEqual("#text".utf8), let value = values[key] else {
          continue
        }
        let elements = try listed(nodes.value(index, of: node), in: nodes)
        let storedElements = try listed(value, in: others)
        if elements.count == storedElements.count { waiting += zip(elements, storedElements) }
      }
    }
  }

  /// Returns the elements of a list, or another value as the only one.
  private static func listed(_ node: NodeID, in nodes: any PropertyListNodes) throws(FerryError) -> [NodeID] {
    guard case .array(let count) = try nodes.kind(of: node) else { return [node] }
    var elements: [NodeID] = []
    for index in 0..<count { elements.append(try nodes.element(index, of: node)) }
    return elements
  }
}
