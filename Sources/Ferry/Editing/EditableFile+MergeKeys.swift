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

  /// Returns true if a merge key adds the entry with a key to its dictionary.
  func isMerged(_ key: NodeID) throws(FerryError) -> Bool {
    guard key < list.firstNewNode else { return list.copies.mergedKeys.contains(key) }
    return try syntaxOfText()?.isMerged(key) ?? false
  }

  /// Returns the syntax of the text before any changes.
  func syntaxOfText() throws(FerryError) -> (any TextSyntax)? {
    if textSyntax == nil, let tree = list.base as? PropertyListTree {
      textSyntax =
        try TextEdits(of: list, over: tree, source: source.copy, format: format, losses: LossReport()).syntax
    }
    return textSyntax
  }
}
