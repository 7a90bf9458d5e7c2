// Entries that a merge key adds to a dictionary, as `<<` of YAML does.

extension EditableFile {
  /// Removes the entry with a key if a merge key adds it, because a new entry takes precedence. The merge key stays in the text.
  ///
  /// - Returns: The location of the dictionary after that.
  func removingMergedEntry(
    _ step: ValuePath.Step, from location: ValueLocation
  ) throws(FerryError) -> ValueLocation {
    guard format.description.hasMergeKeys, case .key(let key) = step,
      case let parts = try walker.parts(of: location), let index = try walker.index(of: key, in: parts),
      let node = try parts.key(index, in: list), try isMerged(node)
    else { return location }
    try list.remove(.value(index), of: location.trail)
    var location = location
    location.node = try list.node(at: location.trail)
    return location
  }

  /// Returns true for the value of an entry that a merge key adds, if changes do not reach the merged dictionary.
  func isMergedEntry(at location: ValueLocation) throws(FerryError) -> Bool {
    guard format.description.hasMergeKeys, !options.changesAliases,
      case .value(let index)? = location.trail.children.last
    else { return false }
    let dictionary = try list.node(at: location.trail.parent)
    return try isMerged(list.key(index, of: dictionary))
  }

  /// Adds an entry that takes precedence over one that a merge key adds. Returns false for another entry, and if the merged entry has the new
  /// value by now, because the merged dictionary was changed.
  func overrideMerged(
    _ location: ValueLocation, at path: ValuePath, with value: Value
  ) throws(FerryError) -> Bool {
    guard case .key(let name)? = path.steps.last, try isMergedEntry(at: location) else { return false }
    let trail = location.trail.parent
    let dictionary = ValueLocation(trail: trail, node: try list.node(at: trail))
    guard try mergedValue(name, in: dictionary.node) != value else { return false }
    let step = ValuePath.Step.key(name)
    try editor().insert(value, step, into: removingMergedEntry(step, from: dictionary))
    return true
  }

  /// Returns true if a merge key adds the entry with a key to its dictionary.
  func isMerged(_ key: NodeID) throws(FerryError) -> Bool {
    guard key < list.firstNewNode else { return list.copies.mergedKeys.contains(key) }
    return try syntaxOfText()?.isMerged(key) ?? false
  }

  /// Returns the syntax of the text before any changes.
  func syntaxOfText() throws(FerryError) -> (any TextSyntax)? {
    guard let tree = list.base as? PropertyListTree else { return nil }
    if let layout = unchanged.textLayout { return layout.syntax }
    return try textEdits(over: tree, losses: LossReport()).layout.syntax
  }
}
