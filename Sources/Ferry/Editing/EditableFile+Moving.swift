// Moves and copies of values to other paths of their file.

extension EditableFile {
  /// Moves the value at a path to another one, also into another collection. It keeps its type and, in an archive, its identity.
  ///
  ///     try file.move("server.adress", to: "server.address")
  ///     try file.move("people[0]", to: "former[]")
  ///
  /// If only the last key differs, the entry is renamed: it keeps its place, with the comments and the layout around it.
  ///
  /// - Parameters:
  ///   - path: The path of an existing value. With `[*]`, `[1:3]` or a filter, all values that it selects move, each to the path in which the
  ///     last step of `newPath` replaces its own; then the steps before the last are the same in both paths. All values move, or none.
  ///   - newPath: The path that the value has after that: a new key, the index that an element gets, or the end of a list (`items[]`).
  ///   - replacing: True to replace the value for the same key or the element with the index. Otherwise a key that exists is an error, and an
  ///     element is inserted before the one with the index.
  /// - Returns: The number of values. An object that the path selects twice, because the file has two references to it, counts once.
  /// - Throws: A `FerryError` with a `PathProblem` as its reason if the path matches no value, if the new key exists, or if the value would be
  ///   inside itself; or an error if the format cannot represent the value at the new path.
  @discardableResult
  public func move(
    _ path: ValuePath, to newPath: ValuePath, replacing: Bool = false
  ) throws(FerryError) -> Int {
    try naming { () throws(FerryError) in
      guard path != newPath else { return try count(at: path) }
      try checkDeclarations(path, newPath)
      if let key = newKey(ofMoving: path, to: newPath) {
        return try FerryError.moving { () throws(FerryError) in
          try changeSelected(.rename(key, replaces: replacing), path)
        }
      }
      do throws(FerryError) {
        return try keepingStorage { () throws(FerryError) in
          try transfer(path, to: newPath, "move") { source, target throws(FerryError) in
            try moveOne(source, to: target, replacing: replacing)
          }
        }
      } catch {
        throw listingKeys(beforeMoving: path, error)
      }
    }
  }

  /// Returns the error of a move to a missing key with the keys that the file has. The move, which is undone, has found the error after it
  /// removed the value with its key.
  private func listingKeys(beforeMoving path: ValuePath, _ failed: FerryError) -> FerryError {
    let owner = pathInside(failed.path)
    // The elements of a list have other indices after the removal of one of them, and their keys are not removed.
    guard case .path(.noNewPath(.noKey(let key, _, _))) = failed.reason,
      owner.steps.count < path.steps.count
    else { return failed }
    do throws(FerryError) {
      _ = try walk(to: owner.appending(.key(key)))
      return failed
    } catch {
      guard case .path(let problem) = error.reason, case .noKey(key, _, _) = problem else { return failed }
      return FerryError(.path(.noNewPath(problem)), at: failed.location, path: failed.path)
    }
  }

  private func moveOne(
    _ source: ValuePath, to target: ValuePath, replacing: Bool
  ) throws(FerryError) {
    let isMoved = try transferInData(source, target) { inner, source, target throws(FerryError) in
      try inner.move(source, to: target, replacing: replacing)
    }
    guard !isMoved else { return }
    try checkOutside(source, target)
    let contents = try movedContents(at: source)
    let replaced = replacing && source.parent == target.parent ? try element(at: target) : nil
    try move(source, to: target) { () throws(FerryError) in
      if let contents { try check(target, isOutside: contents) }
      if let replaced, try element(at: target) != replaced {
        throw FerryError(.path(.cannotMove(Self.otherElement)))
      }
      return try self.target(of: target, replaces: replacing)
    }
  }

  private static let otherElement =
    "without the moved element, the new index is that of another element than before (remove the element to replace, and move then)"

  /// Returns the node of the element at a path; nil if the path leads to another value, or to none.
  private func element(at path: ValuePath) throws(FerryError) -> NodeID? {
    guard path.steps.last?.indexInList != nil, try summaries(at: [path.parent]).first?.elementCount != nil,
      try hasValue(at: path)
    else { return nil }
    return try walk(to: path).location.node
  }

  /// Copies the value at a path to another one, also into another collection. It keeps its type and, in an archive, its class.
  ///
  ///     try file.copy("window.main", to: "window.second")
  ///
  /// - Parameters:
  ///   - path: The path of an existing value, or of several, as that of `move(_:to:replacing:)`.
  ///   - newPath: The path of the copy.
  ///   - replacing: True to replace the value for the same key or the element with the index, as that of `move(_:to:replacing:)`.
  /// - Returns: The number of copies.
  /// - Throws: The errors of `move(_:to:replacing:)`, except that a copy may be inside its original.
  @discardableResult
  public func copy(
    _ path: ValuePath, to newPath: ValuePath, replacing: Bool = false
  ) throws(FerryError) -> Int {
    try naming { () throws(FerryError) in
      try transfer(path, to: newPath, "be copied") { source, target throws(FerryError) in
        let isCopied = try transferInData(source, target) { inner, source, target throws(FerryError) in
          try inner.copy(source, to: target, replacing: replacing)
        }
        guard !isCopied else { return }
        try copy(source, to: target) { () throws(FerryError) in
          try self.target(of: target, replaces: replacing)
        }
      }
    }
  }

  // MARK: Paths

  /// A path to which a value moves.
  struct Target {
    /// The path, with `[]` for the index after the last element of a list.
    var path = ValuePath()
    /// True if the value replaces another one, that of a key or an element. Otherwise it is inserted.
    var isEntry = false
  }

  /// Returns the new key if a move only gives entries of dictionaries another key; otherwise nil.
  private func newKey(ofMoving path: ValuePath, to newPath: ValuePath) -> String? {
    guard case .key(let old)? = path.steps.last, case .key(let new)? = newPath.steps.last,
      path.parent == newPath.parent
    else { return nil }
    // In a list, numbers are indices of elements: `/tags/0`.
    guard Int(old) != nil, Int(new) != nil else { return new }
    let owners = try? summaries(at: [path.parent])
    return owners?.first?.elementCount == nil ? new : nil
  }

  /// Calls a function with each value that a path selects and the path that it gets. Undoes all changes if one fails.
  ///
  /// - Parameter verb: The verb of the error for several values that would get one path: `move`, `be copied`.
  private func transfer(
    _ path: ValuePath, to newPath: ValuePath, _ verb: String,
    _ change: (_ source: ValuePath, _ target: ValuePath) throws(FerryError) -> Void
  ) throws(FerryError) -> Int {
    let pairs = try transfers(from: path, to: newPath, verb)
    // The changes may be made twice, the second time from the first one on.
    try editAll(pairs.count) { index throws(FerryError) in
      if index == 0 { allowCopies() }
      try change(pairs[index].source, pairs[index].target)
    }
    return pairs.count
  }

  /// Makes a change of a value that stays in one file inside data: that file moves or copies it. Returns false for other values.
  func transferInData(
    _ source: ValuePath, _ target: ValuePath,
    _ change: (EditableFile, _ source: ValuePath, _ target: ValuePath) throws(FerryError) -> Void
  ) throws(FerryError) -> Bool {
    guard let from = try existingWalk(to: source), from.isInData, !from.rest.isEmpty,
      from.location.inner.isEmpty,
      let to = try existingWalk(to: target), to.isInData, !to.rest.isEmpty, to.location.inner.isEmpty,
      to.location.trail == from.location.trail, try walker.dataLocation(of: from.location) != nil
    else { return false }
    try changeAll(undoes: false) { () throws(FerryError) in
      try changeData(at: from) { inner throws(FerryError) in
        inner.remainingCopyWeight = remainingCopyWeight
        try change(inner, ValuePath(Array(from.rest)), ValuePath(Array(to.rest)))
        remainingCopyWeight = inner.remainingCopyWeight
      }
    }
    return true
  }

  /// Returns the path of each value that a path selects, with the path that the value gets.
  private func transfers(
    from path: ValuePath, to newPath: ValuePath, _ verb: String
  ) throws(FerryError) -> [(source: ValuePath, target: ValuePath)] {
    guard path.selectsList else { return [(path, newPath)] }
    let sources = try matchedPaths(of: path)
    if let last = newPath.steps.last, ValuePath(Array(path.steps.suffix(1))).selectsList == false,
      path.parent == newPath.parent
    {
      return sources.map { ($0, $0.parent.appending(last)) }
    }
    guard sources.count == 1, !newPath.hasSlice else {
      let problem = "several values can only \(verb) to another key beside each: [*].old to [*].new"
      throw FerryError(.path(.cannotInsert(problem)))
    }
    return [(sources[0], newPath)]
  }

  /// Resolves the path that a value gets.
  ///
  /// - Parameter replaces: True to replace a value for the same key, which is otherwise an error of the insertion, or the element with the index.
  private func target(of path: ValuePath, replaces: Bool) throws(FerryError) -> Target {
    guard let last = path.steps.last else {
      guard replaces else {
        throw FerryError(.path(.cannotInsert("the root has a value already, and the new path has no key")))
      }
      return Target(path: path, isEntry: true)
    }
    let isOne = last.isKey || last.indexInList != nil
    guard try replaces && isOne ? !hasValue(at: path) : true else {
      return Target(path: path, isEntry: true)
    }
    if replaces, try isSingleElement(at: path) { return Target(path: path.parent, isEntry: true) }
    guard let index = last.negativeIndex else { return Target(path: path) }
    return Target(path: try insertion(at: index, path))
  }

  /// Returns true for the path of the only element of XML with a name, by its index in a list that it is not yet: `book[0]` for `<book/>`.
  private func isSingleElement(at path: ValuePath) throws(FerryError) -> Bool {
    guard format.description.hasEditableElements,
      path.steps.last == .index(0) || path.steps.last == .index(-1),
      try path.steps.count > 2 ? true : !hasRootElement(),
      let element = try? summaries(at: [path.parent]).first
    else { return false }
    return element.elementCount == nil
  }

  /// Returns the path at which an insertion gives an element an index that counts from the end, with the element itself. Returns a path that is
  /// not that of an element as it is.
  private func insertion(at index: Int, _ path: ValuePath) throws(FerryError) -> ValuePath {
    let list = path.parent
    guard let count = try summaries(at: [list]).first?.elementCount, count + 1 + index >= 0 else {
      return path
    }
    return list.appending(index == -1 ? .end : .index(count + 1 + index))
  }
}

extension ValuePath.Step {
  var isKey: Bool { if case .key = self { true } else { false } }

  /// The index of an element counted from the end, also as a key: `/tags/-1`.
  fileprivate var negativeIndex: Int? { indexInList.flatMap { $0 < 0 ? $0 : nil } }
}

extension ValuePath {
  /// True if a step is `[*]` or `[1:3]`.
  fileprivate var hasSlice: Bool {
    steps.contains { step in if case .slice = step { true } else { false } }
  }
}

extension FerryError {
  /// Runs a function that moves a value. An error about its removal from the old path becomes one about the move.
  package static func moving<Result>(_ body: () throws(FerryError) -> Result) throws(FerryError) -> Result {
    do throws(FerryError) { return try body() } catch { throw error.ofMove }
  }

  /// The error of a move, instead of that of a removal.
  package var ofMove: FerryError {
    guard case .path(.cannotRemove(let why)) = reason else { return self }
    var error = self
    error.reason = .path(.cannotMove(why))
    return error
  }
}
