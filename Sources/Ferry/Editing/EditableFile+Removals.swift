// Removals at several paths, which all mean the file as it is.

extension EditableFile {
  /// Removes the elements and entries at several paths, or none if one cannot be removed.
  ///
  ///     try file.remove(at: ["people[0]", "people[1]"])   // the first two people
  ///
  /// - Parameter paths: The paths, as those of `remove(at:)`. All count in the file as it is: the removal of one element does not change the
  ///   number of another. A value to which several of the paths lead is removed once.
  /// - Returns: The number of removed values.
  /// - Throws: The errors of `remove(at:)`.
  @discardableResult
  public func remove(at paths: [ValuePath]) throws(FerryError) -> Int {
    guard paths.count != 1 else { return try remove(at: paths[0]) }
    return try naming { () throws(FerryError) in
      let removals = try removals(at: paths)
      try editAll(removals.count) { index throws(FerryError) in try change(.remove, removals[index].path) }
      return removals.count
    }
  }

  /// A removal of a part from a collection.
  private struct Removal {
    let path: ValuePath
    let owner: PartOwner
    /// The index of the element or entry.
    let index: Int
  }

  /// A collection, or an object with parts.
  private struct PartOwner: Hashable {
    /// The trails to the collection, and to the data of each file around it, outermost first.
    var trails: [NodeTrail]
    /// The steps in the decoded form of an object.
    var inner: [ValuePath.Step]
  }

  /// Returns the removals of the values that paths select, in an order in which none changes the meaning of a later path: the parts of a value
  /// before the value, and the last elements of a list first.
  private func removals(at paths: [ValuePath]) throws(FerryError) -> [Removal] {
    var removals: [Removal] = []
    var known: [PartOwner: Set<Int>] = [:]
    var depths: [PartOwner: Int] = [:]
    var selected: [ValuePath] = []
    for path in paths { selected += try singlePaths(selectedBy: path) }
    for path in selected {
      let (owner, index, isElement) = try part(at: path)
      depths[owner] = max(depths[owner] ?? 0, path.steps.count)
      guard known[owner, default: []].insert(index).inserted else { continue }
      // An index from the end would mean another element after a removal.
      let last = isElement ? ValuePath.Step.index(index) : path.steps[path.steps.count - 1]
      removals.append(
        Removal(path: ValuePath(path.steps.dropLast() + [last]), owner: owner, index: index))
    }
    var numbers: [PartOwner: Int] = [:]
    for removal in removals where numbers[removal.owner] == nil { numbers[removal.owner] = numbers.count }
    func order(_ removal: Removal) -> (Int, Int, Int) {
      (-(depths[removal.owner] ?? 0), numbers[removal.owner] ?? 0, -removal.index)
    }
    return removals.sorted { order($0) < order($1) }
  }

  /// Returns the paths of the values that a path selects.
  private func singlePaths(selectedBy path: ValuePath) throws(FerryError) -> [ValuePath] {
    guard path.selectsList, path.steps.last != .end else { return [path] }
    var matches = Matches(areChanged: true)
    try collect(path, into: &matches)
    guard !matches.all.isEmpty else {
      throw FerryError(.path(.noMatch), path: outerPath.appending(path.steps[...]))
    }
    return matches.all.map { pathInside($0.path) }
  }

  /// Returns the collection around the value at a path, the index of the value in it, and true if it is an element of a list.
  private func part(at path: ValuePath) throws(FerryError) -> (owner: PartOwner, index: Int, isElement: Bool)
  {
    guard let last = path.steps.last else { throw FerryError(.path(.isRoot)) }
    let walk = try walk(to: ValuePath(Array(path.steps.dropLast())))
    let owner = try walker.target(of: walk.location)
    guard try walk.isInData ? true : walker.dataLocation(of: walk.location) != nil else {
      do throws(FerryError) {
        let parts = try walker.parts(of: walk.location)
        let step = try walker.numbered(last, in: parts)
        let index = try editor().index(of: step, in: parts, at: walk.location)
        return (PartOwner(trails: [owner.trail], inner: owner.inner), index, parts.isList)
      } catch {
        throw explaining(error, at: walk).placed(path: walk.path)
      }
    }
    let file = try nested(at: walk.location, after: walk.path, for: walk.rest.first ?? last)
    var (inner, index, isElement) = try file.locating { () throws(FerryError) in
      try file.part(at: ValuePath(Array(walk.rest) + [last]))
    }
    inner.trails.insert(owner.trail, at: 0)
    return (inner, index, isElement)
  }
}
