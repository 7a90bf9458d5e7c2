// The paths of new values that the format of a file cannot represent.

extension EditableFile {
  /// Returns the error of a text that cannot be written with the path of the first new value that has it. Returns errors with a path, and of
  /// other files, as they are.
  func placingValue(_ error: FerryError) -> FerryError {
    guard error.path.isEmpty, error.location.isEmpty, archive == nil, list.base is PropertyListTree else {
      return error
    }
    // If the values cannot be read again, the error has no path.
    let path = try? pathOfNewScalar { value throws(FerryError) in
      try isRefused(value, with: error.reason)
    }
    return path.map { error.placed(path: $0) } ?? error
  }

  /// A collection on the way to a value, and the index of the next child.
  private struct OpenCollection {
    let node: NodeID
    let kind: NodeKind
    var next = 0

    init?(_ node: NodeID, _ kind: NodeKind) {
      guard kind.isCollection else { return nil }
      (self.node, self.kind) = (node, kind)
    }
  }

  /// Returns the path of the first new key or scalar for which a function returns true. Visits each collection once, without recursion, as a
  /// file may be deeper than the stack.
  private func pathOfNewScalar(
    where isSought: (NodeID) throws(FerryError) -> Bool
  ) throws(FerryError) -> ValuePath? {
    var isVisited = [Bool](repeating: false, count: list.nodeCount)
    var open: [OpenCollection] = []
    var next: NodeID? = list.root
    while true {
      if let node = next, !isVisited[node.index] {
        if let collection = OpenCollection(node, try list.kind(of: node)) {
          isVisited[node.index] = true
          open.append(collection)
        } else if node >= list.firstNewNode, try isSought(node) {
          return try path(through: open)
        }
      }
      guard let last = open.indices.last else { return nil }
      let (collection, index) = (open[last], open[last].next)
      guard index < collection.kind.childCount else {
        open.removeLast()
        next = nil
        continue
      }
      open[last].next += 1
      guard case .dictionary = collection.kind else {
        next = try list.element(index, of: collection.node)
        continue
      }
      let key = try list.key(index, of: collection.node)
      if key >= list.firstNewNode, try isSought(key) { return try path(through: open) }
      next = try list.value(index, of: collection.node)
    }
  }

  /// Returns the path of the child before the next one of the last collection.
  private func path(through open: [OpenCollection]) throws(FerryError) -> ValuePath {
    var path = outerPath
    for collection in open {
      let index = collection.next - 1
      guard case .dictionary = collection.kind else {
        path.steps.append(.index(index))
        continue
      }
      let key = try list.key(index, of: collection.node)
      path.steps.append(.key(try walker.text(ofKey: key) ?? ""))
    }
    return path
  }

  /// Returns true if the writer of the format refuses a scalar for a reason.
  private func isRefused(_ node: NodeID, with reason: FerryError.Reason) throws(FerryError) -> Bool {
    guard let writer = try format.valueWriter(to: MemoryOutput()) else { return false }
    do throws(FerryError) {
      try list.replay(node, into: writer, budget: options.budget)
      try writer.finish()
      return false
    } catch {
      return error.reason == reason
    }
  }
}
