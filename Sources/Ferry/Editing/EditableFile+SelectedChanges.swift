// Changes of all values that a path with `[*]`, `[1:3]` or a filter selects.

extension EditableFile {
  /// Makes a change at each location that a path selects, or at none if one fails. Elements without the rest of the path are left out.
  ///
  /// - Parameters:
  ///   - change: The change. For an insertion, all steps but the last select the collections that get the value.
  ///   - path: The path. It may select one value.
  /// - Returns: The number of values that are set, inserted or removed. A value that the path selects twice, because two places
  ///   refer to an object, counts once.
  func changeSelected(_ change: Change, _ path: ValuePath) throws(FerryError) -> Int {
    guard path.selectsSeveral(for: change) else {
      try make(change, at: path)
      return 1
    }
    do throws(FerryError) {
      return try make(change, atAll: places(of: change, path))
    } catch {
      // As a change at one location, a failed one counts also if its error is caught.
      if failure == nil { failure = error }
      throw error
    }
  }

  /// Makes a change at a path to one location.
  private func make(_ change: Change, at path: ValuePath) throws(FerryError) {
    guard case .insert(let new) = change else { return try self.change(change, path) }
    try insert(new: new, at: path)
  }

  private func make(_ change: Change, atAll places: [ChangedPlace]) throws(FerryError) -> Int {
    var (made, count) = (Set<ChangedPart>(), 0)
    // The changes may be made twice, the second time from the first one on.
    try editAll(places.count) { index throws(FerryError) in
      if index == 0 { (made, count) = ([], 0) }
      let place = places[index]
      if sharesObjects, let part = try part(around: place.path), made.contains(part) { return }
      try make(change, at: place.path)
      count += place.count
      // A change may separate objects, so that two places have a part each.
      if sharesObjects, let part = try part(around: place.path) { made.insert(part) }
    }
    return count
  }

  /// A path for a change, and the number of values at it: several in data, whose file is opened once for them.
  private struct ChangedPlace {
    var path: ValuePath
    var count = 1
  }

  /// An element or entry that a change sets, inserts or removes.
  private struct ChangedPart: Hashable {
    /// The collection or object around the part.
    let owner: Owner
    let inner: [ValuePath.Step]
    /// The steps from the collection to the part.
    let steps: [ValuePath.Step]

    enum Owner: Hashable {
      case trail(NodeTrail)
      /// The values at an entry of a typedstream, which may be shown at several places.
      case entry(Int)
    }
  }

  /// True if objects in the file may have several references.
  private var sharesObjects: Bool { archive != nil || typedstream != nil }

  /// Returns the places that a path selects, in the order in which they can be changed: an element that is removed changes the numbers of
  /// those after it.
  private func places(of change: Change, _ path: ValuePath) throws(FerryError) -> [ChangedPlace] {
    var (steps, last) = (path.steps[...], ArraySlice<ValuePath.Step>())
    if case .insert = change { last = [steps.removeLast()] }
    var matches = Matches(areChanged: true)
    do throws(FerryError) { try collect(ValuePath(Array(steps)), into: &matches) } catch {
      let isLastStep = error.path.steps.count == outerPath.steps.count + path.steps.count - 1
      guard case .set = change, isLastStep else { throw error }
      throw namingInsertion(error)
    }
    var (places, known) = ([ChangedPlace](), Set<ValuePath>())
    for match in matches.all {
      let path = pathInside(match.pathIntoData ?? match.path).appending(last)
      if match.pathIntoData != nil, places.last?.path == path {
        places[places.count - 1].count += 1
      } else if !matches.haveEntries || known.insert(path).inserted {
        places.append(ChangedPlace(path: path))
      }
    }
    guard !places.isEmpty else {
      throw FerryError(.path(.noMatch), path: outerPath.appending(path.steps[...]))
    }
    if case .remove = change { places.reverse() }
    return places
  }

  /// Returns the part of an archive or a typedstream that a change at a path means, or nil if the path is that of the root.
  private func part(around path: ValuePath) throws(FerryError) -> ChangedPart? {
    var steps = path.steps
    guard let last = steps.popLast() else { return nil }
    let walk = try walk(to: ValuePath(steps))
    let location = try walker.target(of: walk.location)
    let entry = try typedstream?.contents(of: location.node)
    return ChangedPart(
      owner: entry.map { .entry($0) } ?? .trail(location.trail), inner: location.inner,
      steps: Array(walk.rest) + [last])
  }
}

extension ValuePath {
  /// True if a change at the path is one of all values that the path selects. The last step of an insertion selects none, and `[]` at the
  /// end is the position after the last element.
  fileprivate func selectsSeveral(for change: EditableFile.Change) -> Bool {
    if case .insert = change { return ValuePath(steps.dropLast()).selectsList }
    return steps.last != .end && selectsList
  }
}
