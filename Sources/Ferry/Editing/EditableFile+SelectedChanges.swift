// Changes of all values that a path with `[*]`, `[1:3]` or a filter selects.

extension EditableFile {
  /// Makes a change at each location that a path selects, or at none if one fails. Elements without the rest of the path are left out.
  ///
  /// - Parameters:
  ///   - change: The change. For an insertion, also one of a value that may be missing, all steps but the last select the collections that get the value.
  ///   - path: The path. It may select one value.
  /// - Returns: The number of values that are set, inserted, removed or renamed. An object that the path selects twice, because the file has two
  ///   references to it, counts once. A value of YAML counts at each path, also if its anchor is changed for several.
  func changeSelected(_ change: Change, _ path: ValuePath) throws(FerryError) -> Int {
    if path.addsPart(with: change), path.steps.dropLast().contains(.end) {
      throw FerryError(
        .path(.cannotInsert("[] is a new element only at the end of a path (write [*] for every element)")),
        path: outerPath)
    }
    guard path.selectsSeveral(for: change) else {
      _ = try make(change, at: path)
      return 1
    }
    do throws(FerryError) {
      return try make(change, atAll: paths(selectedBy: path, for: change))
    } catch {
      // `edit` undoes all changes after a failed one, also if its error is caught.
      currentChange.noteFailure(error)
      throw error
    }
  }

  /// Makes a change at a path to one location. Returns the change that was made, which is a set or an insertion for one that may be either.
  func make(_ change: Change, at path: ValuePath) throws(FerryError) -> Change {
    let change = try decided(change, at: path)
    if case .insert(let new) = change {
      try insert(new: new, at: path)
    } else {
      try self.change(change, path)
    }
    return change
  }

  /// Decides if a change that may set or insert a value does so at a path to one location. Returns a change in a file inside data, which
  /// decides that itself, one of an entry that a merge key adds, and other changes as they are.
  private func decided(_ change: Change, at path: ValuePath) throws(FerryError) -> Change {
    guard case .setOrInsert(let new) = change else { return change }
    guard path.steps.last != .end else { return .insert(new) }
    do throws(FerryError) {
      let walk = try withoutListingKeys { () throws(FerryError) in try self.walk(to: path) }
      // With the key `a`, the step `a#` leads to this key, but a value can be added under the key `a#`.
      guard !walk.location.isKey else { return .insert(new) }
      guard walk.isComplete else { return change }
      return try isMergedEntry(at: walk.location) ? change : .set(new)
    } catch {
      if try isInsertable(error, at: path) { return .insert(new) }
      // The same error, with the keys that there are.
      _ = try walk(to: path)
      throw error
    }
  }

  /// Returns true if a change can insert a value at a path to which a walk has ended with an error.
  private func isInsertable(_ error: FerryError, at path: ValuePath) throws(FerryError) -> Bool {
    guard error.path.steps.count == outerPath.steps.count + path.steps.count - 1 else { return false }
    return switch namingInsertion(error).reason {
    case .path(.onlyInsertable): true
    case .path(.noStep) where format.description.hasEditableElements && path.mayExtendElement: true
    case .path(.noStep) where path.steps.count == 1: try isMissingRoot(walker.start([]).location)
    default: false
    }
  }

  private func make(_ change: Change, atAll selected: [SelectedPath]) throws(FerryError) -> Int {
    var (made, count) = ([ChangedPart: Change](), 0)
    // A change at an anchor may remove the parts of its aliases to which other paths lead.
    var parts: [ChangedPart?]?
    if options.changesAliases {
      parts = try selected.map { selected throws(FerryError) in try part(changedAt: selected.path) }
    }
    // The changes may be made twice, the second time from the first one on.
    try editAll(selected.count) { index throws(FerryError) in
      if index == 0 { (made, count) = ([:], 0) }
      let path = selected[index].path
      let part = if let parts { parts[index] } else { try part(changedAt: path) }
      if let part, let change = made[part] {
        if case .original = part.owner { count += selected[index].count }
        return noteGiven(change, at: path)
      }
      let change = try make(change, at: path)
      count += selected[index].count
      // A change may separate objects, so that two paths have a part each. It does not separate an alias from its anchor.
      let changed = parts == nil ? try self.part(changedAt: path) : part
      if let changed { made[changed] = change }
    }
    return count
  }

  /// A path for a change, and the number of values there: several in data, whose file is opened once for them.
  private struct SelectedPath {
    var path: ValuePath
    var count = 1
  }

  /// An element or entry that a change sets, inserts, removes or renames.
  struct ChangedPart: Hashable {
    /// The collection or object around the part.
    let owner: Owner
    let inner: [ValuePath.Step]
    /// The steps from the collection to the part.
    let steps: [ValuePath.Step]

    enum Owner: Hashable {
      case trail(NodeTrail)
      /// The values at an entry of a typedstream, which several paths may select.
      case entry(TypedstreamEntryIndex)
      /// A collection of YAML in its own place, of which others may be copies.
      case original(NodeID)
    }
  }

  /// Returns the paths of the values that a path selects, in the order in which they can be changed: an element that is removed changes the
  /// numbers of those after it.
  private func paths(selectedBy path: ValuePath, for change: Change) throws(FerryError) -> [SelectedPath] {
    var (steps, last) = (path.steps[...], ArraySlice<ValuePath.Step>())
    if path.addsPart(with: change) { last = [steps.removeLast()] }
    var matches = Matches(areChanged: true)
    do throws(FerryError) { try collect(ValuePath(Array(steps)), into: &matches) } catch {
      let isLastStep = error.path.steps.count == outerPath.steps.count + path.steps.count - 1
      guard case .set = change, isLastStep else { throw error }
      throw namingInsertion(error)
    }
    var (selected, known) = ([SelectedPath](), Set<ValuePath>())
    for match in matches.all {
      let path = pathInside(match.pathIntoData ?? match.path).appending(last)
      if match.pathIntoData != nil, selected.last?.path == path {
        selected[selected.count - 1].count += 1
      } else if !matches.haveEntries || known.insert(path).inserted {
        selected.append(SelectedPath(path: path))
      }
    }
    guard !selected.isEmpty else { throw noMatch(of: path) }
    if case .remove = change { selected.reverse() }
    return selected
  }

  /// Returns the part of an archive or a typedstream that a change at a path sets, inserts or removes, or that of a text whose aliases are
  /// changed. Returns nil for the root, and in other files.
  func part(changedAt path: ValuePath) throws(FerryError) -> ChangedPart? {
    var steps = path.steps
    guard archive != nil || typedstream != nil || options.changesAliases, let last = steps.popLast() else {
      return nil
    }
    let walk = try walk(to: ValuePath(steps))
    if archive == nil, typedstream == nil {
      let location = try originalLocation(of: walk.location, around: last)
      return ChangedPart(owner: .original(location.node), inner: [], steps: Array(walk.rest) + [last])
    }
    let location = try walker.target(of: walk.location)
    let entry = try typedstream?.contents(of: location.node)
    return ChangedPart(
      owner: entry.map { .entry($0) } ?? .trail(location.trail), inner: location.inner,
      steps: Array(walk.rest) + [last])
  }
}

extension ValuePath {
  /// True if the last step may add to an XML element with text an attribute or an element in it, or one after it.
  fileprivate var mayExtendElement: Bool {
    switch steps.last {
    case .key, .index(1): true
    default: false
    }
  }

  /// Returns true if the path may select several values for a change. The last step of an insertion selects none, and `[]` at the end is the
  /// position after the last element.
  fileprivate func selectsSeveral(for change: EditableFile.Change) -> Bool {
    if addsPart(with: change) { return parent.selectsList }
    return steps.last != .end && selectsList
  }

  /// Returns true if the last step of the path may be that of a new part, so that the others select the collections that get it.
  fileprivate func addsPart(with change: EditableFile.Change) -> Bool {
    switch (change, steps.last) {
    case (.insert, _), (.setOrInsert, .key), (.setOrInsert, .index), (.setOrInsert, .end): true
    case (.setOrInsert, _), (.set, _), (.remove, _), (.rename, _): false
    }
  }
}
