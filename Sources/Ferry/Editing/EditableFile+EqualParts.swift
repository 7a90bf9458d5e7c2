// The parts of a text that stay as they are if JSON replaces the collection around them.

extension EditableFile.NewValue {
  /// True if the value is JSON, whose parts get the types of those that they replace.
  fileprivate var isJSON: Bool {
    switch self {
    case .json, .text(_, .json?), .contents(_, .json?): true
    default: false
    }
  }
}

extension EditableFile {
  /// Replaces a collection of a text by a value from JSON, by changing only the parts that differ. The others keep their comments, tags,
  /// anchors and notation.
  ///
  /// - Returns: False, without a change, if no part is equal, or if the collection is to be replaced as a whole (see `EqualParts`).
  func setKeepingEqualParts(
    _ new: NewValue, _ value: Value, at location: ValueLocation
  ) throws(FerryError) -> Bool {
    guard new.isJSON, hasTextLayout, try syntaxOfText()?.hasMarkup == true, try !changesCopies() else {
      return false
    }
    return try replaceKeepingEqualParts(value, at: location)
  }

  /// Replaces the value of a text by another one, by changing only the parts that differ.
  ///
  /// - Returns: False, without a change, as `setKeepingEqualParts` does, and for a file that is not a text with a layout.
  func replaceRootKeepingEqualParts(with value: Value) throws(FerryError) -> Bool {
    try replaceKeepingEqualParts(value, at: ValueLocation(trail: NodeTrail(children: []), node: list.root))
  }

  /// True if changed parts of the file are put into its text.
  private var hasTextLayout: Bool { archive == nil && format.description.textLayout != nil }

  private func replaceKeepingEqualParts(
    _ value: Value, at location: ValueLocation
  ) throws(FerryError) -> Bool {
    guard hasTextLayout, location.node < list.firstNewNode, try list.kind(of: location.node).isCollection,
      let syntax = try syntaxOfText()
    else { return false }
    var parts = EqualParts(list: list, syntax: syntax)
    guard try !parts.hasCopiesOfParts(of: location.node) else { return false }
    let old = try list.builtValue(of: location.node)
    guard try parts.find(location.node, at: location.trail, old, value) else { return false }
    for collection in parts.changed { try replaceChildren(of: collection) }
    return true
  }

  private func replaceChildren(of collection: EqualParts.Collection) throws(FerryError) {
    var (keys, children): ([NodeID], [NodeID]) = ([], [])
    for child in collection.children {
      if let key = child.key { keys.append(try addPart(key)) }
      children.append(try addPart(child.value))
    }
    guard collection.isDictionary else {
      return try list.replaceElements(of: collection.trail, by: children)
    }
    try list.replaceEntries(0..<collection.count, of: collection.trail, by: keys, children)
  }

  private func addPart(_ part: EqualParts.Part) throws(FerryError) -> NodeID {
    switch part {
    case .old(let node): node
    case .new(let value): try list.add(value: value)
    }
  }
}

/// The collections of a text whose children change if a value replaces one of them and the equal parts stay.
///
/// A dictionary is replaced as a whole, which reports its comments, if the keys that stay are in another order, or if others take the place of
/// keys: a comment would come beside another key. So is a collection with an anchor and an alias of it, because a change of one of them would
/// change both.
private struct EqualParts {
  /// A key or a value of the changed text.
  enum Part {
    case old(NodeID)
    case new(Value)
  }

  /// The children of a collection after the change.
  struct Collection {
    let trail: NodeTrail
    let isDictionary: Bool
    /// The number of children before the change.
    let count: Int
    var children: [(key: Part?, value: Part)] = []
  }

  let list: EditedPropertyList
  let syntax: any TextSyntax
  /// The changed collections, the outermost first.
  private(set) var changed: [Collection] = []

  /// Returns true if a value in a collection copies another value in it.
  func hasCopiesOfParts(of collection: NodeID) throws(FerryError) -> Bool {
    let originals = syntax.originalsOfCopies
    guard !originals.isEmpty else { return false }
    let counts = try list.referenceCounts(from: collection)
    return originals.contains { copy, original in
      [copy, original].allSatisfy { counts.indices.contains($0.index) && counts[$0.index] > 0 }
    }
  }

  /// Finds the changes that turn a collection into a new value. Returns false, without a change, if no part is equal.
  ///
  /// - Parameters:
  ///   - trail: The trail to the collection after the changes of those around it.
  ///   - old: The value of the collection.
  mutating func find(
    _ node: NodeID, at trail: NodeTrail, _ old: Value, _ new: Value
  ) throws(FerryError) -> Bool {
    guard node < list.firstNewNode, !syntax.isCopy(node) else { return false }
    switch (try list.kind(of: node), old, new) {
    case (.dictionary(let count), .dictionary(let old), .dictionary(let new)) where count == old.count:
      return try findEntries(of: node, at: trail, old, new)
    case (.array(let count), .array(let old), .array(let new)) where count == old.count:
      return try findElements(of: node, at: trail, old, new)
    default: return false
    }
  }

  private mutating func findEntries(
    of node: NodeID, at trail: NodeTrail, _ old: KeyedValues, _ new: KeyedValues
  ) throws(FerryError) -> Bool {
    let indices = Dictionary(uniqueKeysWithValues: zip(old.keys, 0...))
    var isMerged = [Bool](repeating: false, count: old.count)
    // The entries that a merge key adds stay only if all of them do.
    for (index, (key, value)) in old.enumerated() {
      let node = try list.key(index, of: node)
      isMerged[index] = node < list.firstNewNode && syntax.isMerged(node)
      if isMerged[index], new[key] != value { return false }
    }
    guard Self.keepsPlaces(new.keys.map { indices[$0] }, of: isMerged) else { return false }
    let (start, values) = (changed.count, old.values)
    changed.append(Collection(trail: trail, isDictionary: true, count: old.count))
    var keeps = false
    for (newIndex, (key, value)) in new.enumerated() {
      guard let index = indices[key] else {
        changed[start].children.append((.new(key), .new(value)))
        continue
      }
      let child = try list.value(index, of: node)
      let part = try part(child, at: trail.appending(.value(newIndex)), values[index], value)
      changed[start].children.append((.old(try list.key(index, of: node)), part.value))
      if part.keeps { keeps = true }
    }
    if !keeps { changed.removeSubrange(start...) }
    return keeps
  }

  /// Returns true if the entries that stay keep their order, and new ones come neither in place of others nor between those that a merge key
  /// adds.
  ///
  /// - Parameters:
  ///   - kept: The old index of each entry that stays, and nil for each new entry.
  ///   - isMerged: True for each old entry that a merge key adds.
  private static func keepsPlaces(_ kept: [Int?], of isMerged: [Bool]) -> Bool {
    var (next, followsNew) = (0, false)
    for index in kept + [isMerged.count] {
      guard let index else {
        followsNew = true
        continue
      }
      guard index >= next else { return false }
      if followsNew {
        let isBetweenMerged = next > 0 && isMerged[next - 1] && index < isMerged.count && isMerged[index]
        guard index == next, !isBetweenMerged else { return false }
      }
      (next, followsNew) = (index + 1, false)
    }
    return true
  }

  private mutating func findElements(
    of node: NodeID, at trail: NodeTrail, _ old: [Value], _ new: [Value]
  ) throws(FerryError) -> Bool {
    let start = changed.count
    changed.append(Collection(trail: trail, isDictionary: false, count: old.count))
    var keeps = false
    for step in ListStep.steps(from: old, to: new) {
      switch step {
      case .keep(let index, _):
        changed[start].children.append((nil, .old(try list.element(index, of: node))))
        keeps = true
      case .replace(let index, let newIndex):
        let child = try list.element(index, of: node)
        let part = try part(child, at: trail.appending(.element(newIndex)), old[index], new[newIndex])
        changed[start].children.append((nil, part.value))
        if part.keeps { keeps = true }
      case .remove: break
      case .insert(let range): for index in range { changed[start].children.append((nil, .new(new[index]))) }
      }
    }
    if !keeps { changed.removeSubrange(start...) }
    return keeps
  }

  /// Returns a part for the place of an old one, and true if text of the old one stays.
  private mutating func part(
    _ node: NodeID, at trail: NodeTrail, _ old: Value, _ new: Value
  ) throws(FerryError) -> (value: Part, keeps: Bool) {
    if old == new { return (.old(node), true) }
    return try find(node, at: trail, old, new) ? (.old(node), true) : (.new(new), false)
  }
}
