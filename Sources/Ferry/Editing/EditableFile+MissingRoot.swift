// Insertions into a text that has no value yet, such as YAML with only comments.

extension EditableFile {
  /// Inserts the first entry or element of a text without a value. Returns false for any other location.
  func insert(
    _ new: NewValue, at step: ValuePath.Step, intoMissingRoot location: ValueLocation
  ) throws(FerryError) -> Bool {
    guard try isMissingRoot(location) else { return false }
    let added = try value(new, insertedAt: step, of: location)
    let root: Value
    switch step {
    case .key(let key): root = [key: added]
    case .end, .index(0): root = [added]
    case .index, .slice, .filter: return false
    }
    try checkLookalikes(in: root)
    try checkDepth(of: root, in: 0)
    try editor().set(root, at: location)
    return true
  }

  /// Returns true for the null that a text means as a whole because it has no value.
  func isMissingRoot(_ location: ValueLocation) throws(FerryError) -> Bool {
    guard location.trail.children.isEmpty, location.node == list.base.root, archive == nil,
      case .null = try list.kind(of: location.node)
    else { return false }
    return try syntaxOfText()?.isUnwritten(location.node) ?? false
  }
}
