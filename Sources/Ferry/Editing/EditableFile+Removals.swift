// Removals at several paths, which all mean the file as it is.

extension EditableFile {
  /// Removes the elements and entries at several paths, or none if one cannot be removed.
  ///
  ///     try file.remove(at: ["people[0]", "people[1]"])   // the first two people
  ///
  /// - Parameter paths: The paths, as those of `remove(at:)`. All count in the file as it is: the removal of one element does not change the
  ///   number of another. A value to which several of the paths lead is removed once.
  /// - Returns: The number of removed values, without those inside other removed values.
  /// - Throws: The errors of `remove(at:)`.
  @discardableResult
  public func remove(at paths: [ValuePath]) throws(FerryError) -> Int { try remove(at: paths, counting: [:]) }

  /// Removes the values at several paths.
  ///
  /// - Parameter counts: The numbers of values at paths that count as several.
  func remove(at paths: [ValuePath], counting counts: [ValuePath: Int]) throws(FerryError) -> Int {
    guard paths.count != 1 else {
      let count = try remove(at: paths[0])
      return counts[paths[0]] ?? count
    }
    return try naming { () throws(FerryError) in
      let (removals, count) = try removals(at: paths, counting: counts)
      try editAll(removals.count) { index throws(FerryError) in try change(.remove, removals[index].path) }
      return count
    }
  }

  /// A removal of a part from a collection.
  private struct Removal {
    let path: ValuePath
    /// The index of the element or entry.
    let index: Int
    /// The values around the element or entry, along the path.
    let around: [Part]
    /// The number of values that it counts as.
    let count: Int
  }

  /// An element or entry of a collection.
  private struct Part {
    let owner: PartOwner
    let index: Int
  }

  /// The values through which paths lead, as parts of their collections. Each is looked up once, because many paths may lead through it.
  private struct PartsOnPaths {
    /// A step from a value that has been looked up, by its number; −1 is the root.
    private struct KnownStep: Hashable {
      let outer: Int
      let step: ValuePath.Step
    }

    private var numbers: [KnownStep: Int] = [:]
    private var parts: [Part?] = []

    /// Returns the values around the one at a path, outermost first.
    ///
    /// - Parameter find: Returns the part at a path; nil if the value there is no part.
    mutating func parts(around path: ValuePath, _ find: (ValuePath) -> Part?) -> [Part] {
      var around: [Part] = []
      var outer = -1
      for (index, step) in path.steps.dropLast().enumerated() {
        let known = KnownStep(outer: outer, step: step)
        if let number = numbers[known] {
          outer = number
        } else {
          outer = parts.count
          numbers[known] = outer
          parts.append(find(ValuePath(Array(path.steps.prefix(index + 1)))))
        }
        if let part = parts[outer] { around.append(part) }
      }
      return around
    }
  }

  /// A collection, or an object with parts.
  private struct PartOwner: Hashable {
    /// The trails to the collection, and to the data of each file around it, outermost first.
    var trails: [NodeTrail]
    /// The steps in the decoded form of an object.
    var inner: [ValuePath.Step]
  }

  /// Returns the removals of the values that paths select, in an order in which none changes the meaning of a later path: the parts of a value
  /// before the value, and the last elements of a list first. Also returns the number of removed values that are not inside another one.
  private func removals(
    at paths: [ValuePath], counting counts: [ValuePath: Int]
  ) throws(FerryError) -> (ordered: [Removal], outermostCount: Int) {
    var removals: [PartOwner: [Int: Removal]] = [:]
    // The collections around each collection. In an archive it may have several paths.
    var outer: [PartOwner: Set<PartOwner>] = [:]
    var order: [PartOwner] = []
    var known = PartsOnPaths()
    for path in paths {
      let isSingle = !path.selectsList || path.steps.last == .end
      for path in try isSingle ? [path] : matchedPaths(of: path) {
        let (owner, index, isElement) = try part(at: path)
        if removals[owner] == nil { order.append(owner) }
        let around = known.parts(around: path) { path in
          (try? part(at: path)).map { Part(owner: $0.owner, index: $0.index) }
        }
        outer[owner, default: []].formUnion(around.map(\.owner))
        guard removals[owner, default: [:]][index] == nil else { continue }
        // An index from the end would mean another element after a removal.
        let last = isElement ? ValuePath.Step.index(index) : path.steps[path.steps.count - 1]
        removals[owner, default: [:]][index] = Removal(
          path: path.parent.appending(last), index: index, around: around, count: counts[path] ?? 1)
      }
    }
    let ordered = try innermostFirst(order, outer).flatMap { owner in
      (removals[owner] ?? [:]).values.sorted { $0.index > $1.index }
    }
    let outermost = ordered.filter { removal in
      !removal.around.contains { removals[$0.owner]?[$0.index] != nil }
    }
    return (ordered, outermost.reduce(0) { $0 + $1.count })
  }

  /// Returns collections in an order in which each is before those around it.
  private func innermostFirst(
    _ owners: [PartOwner], _ outer: [PartOwner: Set<PartOwner>]
  ) throws(FerryError) -> [PartOwner] {
    // The number of collections inside each collection that are not in the order yet.
    var inner: [PartOwner: Int] = [:]
    func around(_ owner: PartOwner) -> Set<PartOwner> { (outer[owner] ?? []).subtracting([owner]) }
    for owner in owners { for other in around(owner) { inner[other, default: 0] += 1 } }
    var ordered = owners.filter { inner[$0] == nil }
    var next = 0
    while next < ordered.count {
      for other in around(ordered[next]) {
        inner[other, default: 0] -= 1
        if inner[other] == 0, outer[other] != nil { ordered.append(other) }
      }
      next += 1
    }
    guard ordered.count == owners.count else {
      throw FerryError(
        .path(.cannotRemove("the paths lead through each other's values (remove them one by one)")),
        path: outerPath)
    }
    return ordered
  }

  /// Returns the collection around the value at a path, the index of the value in it, and true if it is an element of a list.
  private func part(at path: ValuePath) throws(FerryError) -> (owner: PartOwner, index: Int, isElement: Bool)
  {
    guard let last = path.steps.last else { throw FerryError(.path(.isRoot)) }
    let walk = try walk(to: path.parent)
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
