// Moves that would put a value inside itself. Several paths may lead to one object, so it is not enough to compare the two paths.

extension EditableFile {
  /// A value that moves, with the objects to which a path leads through it.
  struct MovedContents {
    let path: ValuePath
    /// The number of the value's object, or nil for a value that is not an object.
    let object: Int?
    /// The numbers of the objects inside the value.
    let inner: Set<Int>

    /// Returns true if the value would contain itself after a move into the object with a number. A value that contains itself already, as
    /// one with a reference to its parent does, may move into the objects to which it refers.
    func isAround(_ number: Int) -> Bool {
      guard let object else { return inner.contains(number) }
      return number == object || inner.contains(number) && !inner.contains(object)
    }
  }

  /// Throws if a target is inside the value that moves there.
  func checkOutside(_ source: ValuePath, _ target: ValuePath) throws(FerryError) {
    guard !target.steps.starts(with: source.steps) else { throw insideItself(source) }
    // The paths may name the value in different ways. The move throws the error of a path that leads to nothing.
    guard let from = try existingWalk(to: source), from.endsAtNode,
      let around = try existingWalk(to: target.parent)
    else { return }
    for location in around.passed + [around.location] where location.inner.isEmpty {
      guard location.trail != from.location.trail else { throw insideItself(source) }
    }
  }

  func insideItself(_ path: ValuePath) -> FerryError {
    FerryError(
      .path(.cannotPut("a value", "it would be inside itself")), path: outerPath.appending(path.steps[...]))
  }

  /// Returns the value at a path with its objects. Returns nil in a file without objects, and for a value inside data.
  func movedContents(at path: ValuePath) throws(FerryError) -> MovedContents? {
    // The move throws the error of a path that leads to nothing.
    guard archive != nil || typedstream != nil, let walk = try existingWalk(to: path), walk.endsAtNode
    else { return nil }
    let value = try walker.target(of: walk.location)
    let isObject = typedstream != nil || value.trail.children.count == 2
    return MovedContents(
      path: path, object: isObject ? try objectNumber(of: value) : nil, inner: try objects(inside: value.node)
    )
  }

  /// Throws if a path leads to an object that is inside a value which moves there, or that is the value itself.
  func check(_ path: ValuePath, isOutside moved: MovedContents) throws(FerryError) {
    guard let around = try existingWalk(to: path.parent) else { return }
    for location in (around.passed + [around.location]).reversed() {
      guard let number = try objectNumber(of: walker.target(of: location)) else { continue }
      guard !moved.isAround(number) else { throw insideItself(moved.path) }
      // The objects around this one contain it already.
      return
    }
  }

  /// Returns the number of the object that has the value at a location, or is this value. Returns nil for a value outside of all objects.
  func objectNumber(of location: ValueLocation) throws(FerryError) -> Int? {
    if let typedstream { return typedstream.object(at: location.node)?.index }
    // An inline root has a trail of two steps, too, through `$top`.
    guard location.trail.children.count >= 2, case .element(let number) = location.trail.children[1],
      let objects = try list.entry("$objects", of: list.root), location.trail.children[0] == .value(objects)
    else { return nil }
    return number
  }

  /// Returns the numbers of the objects inside a value, at any depth.
  private func objects(inside value: NodeID) throws(FerryError) -> Set<Int> {
    typedstream == nil ? try archivedObjects(inside: value) : try streamedObjects(inside: value)
  }

  private func archivedObjects(inside value: NodeID) throws(FerryError) -> Set<Int> {
    guard let archive else { return [] }
    var (found, waiting) = (Set<Int>(), [value])
    while let node = waiting.popLast() {
      var numbers: [Int] = []
      try list.forEachReference(in: node) { uid in
        if let number = Int(exactly: uid), number > 0, number < archive.count { numbers.append(number) }
      }
      for number in numbers where found.insert(number).inserted {
        waiting.append(try archive.node(of: UInt64(number), referredFrom: node))
      }
    }
    return found
  }

  private func streamedObjects(inside value: NodeID) throws(FerryError) -> Set<Int> {
    var (found, visited, waiting) = (Set<Int>(), Set<NodeID>(), [value])
    while let node = waiting.popLast() {
      let target = try walker.target(of: ValueLocation(trail: NodeTrail(), node: node)).node
      guard visited.insert(target).inserted else { continue }
      try list.forEachChild(of: target) { child throws(FerryError) in
        if let number = typedstream?.object(at: child)?.index { found.insert(number) }
        waiting.append(child)
      }
    }
    return found
  }
}
