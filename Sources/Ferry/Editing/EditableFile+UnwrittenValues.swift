// The paths of new values that the format of a file cannot represent.

extension EditableFile {
  /// Returns the error of a text that cannot be written with the path of the first new value that has it. Returns errors with a path, and of
  /// other files, as they are.
  func placingValue(_ error: FerryError) -> FerryError {
    guard error.path.isEmpty, error.location.isEmpty, archive == nil, list.base is PropertyListTree else {
      return error
    }
    let path = try? pathOfValue(in: list.root, at: outerPath) { value throws(FerryError) in
      try isRefused(value, with: error.reason)
    }
    return path.map { error.placed(path: $0) } ?? error
  }

  /// Returns the path of the first new scalar in a value for which a function returns true. The depth of the file is limited by its budget.
  private func pathOfValue(
    in node: NodeID, at path: ValuePath, _ isSought: (NodeID) throws(FerryError) -> Bool
  ) throws(FerryError) -> ValuePath? {
    switch try list.kind(of: node) {
    case .array(let count), .set(let count):
      for index in 0..<count {
        let element = try list.element(index, of: node)
        if let found = try pathOfValue(in: element, at: path.appending(.index(index)), isSought) {
          return found
        }
      }
      return nil
    case .dictionary(let count):
      for index in 0..<count {
        let (key, value) = try list.entry(index, of: node)
        let inner = path.appending(.key(try walker.text(ofKey: key) ?? ""))
        if key >= list.firstNewNode, try isSought(key) { return inner }
        if let found = try pathOfValue(in: value, at: inner, isSought) { return found }
      }
      return nil
    default:
      guard node >= list.firstNewNode, try isSought(node) else { return nil }
      return path
    }
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
