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
  ///   - replacing: True to replace a value for the same key. Otherwise it is an error.
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
      let storage = archivedStorage
      defer { archivedStorage = storage }
      if let archive, storage == nil {
        // A value is stored as it was at its old path.
        (archivedStorage, archiveEditor) = (ArchivedStorage(of: archive), nil)
      }
      return try transfer(path, to: newPath, "move") { source, target throws(FerryError) in
        let isMoved = try transferInData(source, target) { inner, source, target throws(FerryError) in
          try inner.move(source, to: target, replacing: replacing)
        }
        guard !isMoved else { return }
        try checkOutside(source, target)
        let contents = try movedContents(at: source)
        try move(source, to: target) { () throws(FerryError) in
          if let contents { try check(target, isOutside: contents) }
          return try self.target(of: target, replaces: replacing)
        }
      }
    }
  }

  /// Copies the value at a path to another one, also into another collection. It keeps its type and, in an archive, its class.
  ///
  ///     try file.copy("window.main", to: "window.second")
  ///
  /// - Parameters:
  ///   - path: The path of an existing value, or of several, as that of `move(_:to:replacing:)`.
  ///   - newPath: The path of the copy.
  ///   - replacing: True to replace a value for the same key. Otherwise it is an error.
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
    /// True if the last step is a key in a dictionary or an object that has it.
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
  /// - Parameter verb: What happens to the values, for a message.
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
    _ change: (EditableFile, _ source: ValuePath, _ target: ValuePath) throws(FerryError) -> Int
  ) throws(FerryError) -> Bool {
    guard let from = try? walk(to: source), from.isInData, !from.rest.isEmpty, from.location.inner.isEmpty,
      let to = try? walk(to: target), to.isInData, !to.rest.isEmpty, to.location.inner.isEmpty,
      to.location.trail == from.location.trail, try walker.dataLocation(of: from.location) != nil
    else { return false }
    try changeAll(undoes: false) { () throws(FerryError) in
      try changeData(at: from) { inner throws(FerryError) in
        inner.remainingCopyWeight = remainingCopyWeight
        _ = try change(inner, ValuePath(Array(from.rest)), ValuePath(Array(to.rest)))
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

  /// Throws if a target is inside the value that moves there.
  private func checkOutside(_ source: ValuePath, _ target: ValuePath) throws(FerryError) {
    guard !target.steps.starts(with: source.steps) else { throw insideItself(source) }
    // The paths may name the value in different ways. The move throws the error of a path that leads to nothing.
    guard let from = try? walk(to: source), from.endsAtNode, let around = try? walk(to: target.parent) else {
      return
    }
    for location in around.passed + [around.location] where location.inner.isEmpty {
      guard location.trail != from.location.trail else { throw insideItself(source) }
    }
  }

  func insideItself(_ path: ValuePath) -> FerryError {
    FerryError(
      .path(.cannotPut("a value", "it would be inside itself")), path: outerPath.appending(path.steps[...]))
  }

  /// Resolves the path that a value gets.
  ///
  /// - Parameter replaces: True to replace a value for the same key, which is otherwise an error of the insertion.
  private func target(of path: ValuePath, replaces: Bool) throws(FerryError) -> Target {
    guard let last = path.steps.last else {
      guard replaces else {
        throw FerryError(.path(.cannotInsert("the root has a value already, and the new path has no key")))
      }
      return Target(path: path, isEntry: true)
    }
    if let index = last.negativeIndex { return Target(path: try insertion(at: index, path)) }
    guard replaces, case .key = last, (try? count(at: path)) ?? 0 > 0 else { return Target(path: path) }
    // In a list, a number is the index of a new element.
    let owners = try summaries(at: [path.parent])
    return Target(path: path, isEntry: owners.first?.elementCount == nil)
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

  // MARK: Values

  /// Adds a value of the file at another path. In a typedstream, the objects in it keep their classes and C types, and in a table, cells
  /// that move keep their text, as values in other texts do. In a ZIP archive, a file keeps its attributes.
  private func add(_ value: Value, of node: NodeID?, at target: Target, isCopy: Bool) throws(FerryError) {
    guard let node, try isInside(target) else { return try add(value, at: target) }
    guard !opensFiles else {
      try add(value, at: target)
      return try list.setOrigins(of: walk(to: target.path).location.node, copying: node)
    }
    guard typedstream != nil || isTable else {
      return try list.carrying(node, as: value) { () throws(FerryError) in try add(value, at: target) }
    }
    try list.moving(node, copy: isCopy ? value : nil) { () throws(FerryError) in
      try add(.reference(0), at: target)
    }
  }

  /// Returns the node at a path of a typedstream, a table, a text or a ZIP archive; nil in other formats, and in a file inside data or an
  /// archive.
  private func node(at path: ValuePath) throws(FerryError) -> NodeID? {
    let isText = archive == nil && !opensFiles && list.base is PropertyListTree
    guard typedstream != nil || isTable || isText || opensFiles && path.steps.count == 1 else { return nil }
    let walk = try walk(to: path)
    return walk.isComplete ? walk.location.node : nil
  }

  /// Returns true if a new value is part of this file, and not of a file inside its data.
  private func isInside(_ target: Target) throws(FerryError) -> Bool {
    guard !opensFiles else { return target.path.steps.count == 1 }
    let walk = try walk(to: target.path.parent)
    guard walk.isComplete else { return false }
    return try walker.dataLocation(of: walk.location) == nil
  }

  /// Lets the copies of a patch or of a change be as large as the expansion of the file may be.
  func allowCopies() {
    remainingCopyWeight = options.budget.allowance(forInputBytes: list.byteCount)
  }

  /// Copies a value. A copy refers to the objects that contain the original, as the original does: a copy of a child has the same parent, and
  /// not a copy of the parent.
  ///
  /// - Parameters:
  ///   - path: The other path, which need not be resolved.
  ///   - resolveTarget: Resolves the other path.
  func copy(
    _ source: ValuePath, to path: ValuePath, _ resolveTarget: () throws(FerryError) -> Target
  ) throws(FerryError) {
    try checkDeclarations(source, path)
    let target: Target
    var (copied, enclosing) = (Value.null, [Int: ValuePath]())
    if try isInArchive(source) {
      enclosing = try objects(around: source)
      target = try resolveTarget()
      // A file inside data has objects of its own. The change itself throws the error of a path that leads to nothing.
      let isInside = (try? isInside(target)) == true
      if !isInside { enclosing = [:] }
      copied = try isInside ? value(at: source, referringTo: enclosing) : value(at: source)
    } else {
      copied = try value(at: source, movedTo: path)
      target = try resolveTarget()
    }
    let value = copied
    remainingCopyWeight -= value.weight
    guard remainingCopyWeight >= 0 else { throw options.budget.overAmplification }
    try check(namespaces(in: value, at: source), at: target.path)
    let node = try node(at: source)
    guard !enclosing.isEmpty, value.references.contains(where: { enclosing[$0] != nil }) else {
      return try add(value, of: node, at: target, isCopy: true)
    }
    try changeAll(besides: enclosing, undoes: false) { () throws(FerryError) in
      try add(value, of: node, at: target, isCopy: true)
    }
  }

  /// Returns the paths of the objects of the archive that contain the value at a path, by their numbers.
  private func objects(around path: ValuePath) throws(FerryError) -> [Int: ValuePath] {
    guard archive != nil else { return [:] }
    let walk = try walk(to: path)
    guard walk.endsAtNode else { return [:] }
    var objects: [Int: ValuePath] = [:]
    var outer = ValuePath()
    for step in path.steps {
      if let number = try objectNumber(at: outer) { objects[number] = outer }
      outer.steps.append(step)
    }
    return objects
  }

  /// Returns true if a path leads to a value in the objects of an archive.
  private func isInArchive(_ path: ValuePath) throws(FerryError) -> Bool {
    guard archive != nil else { return false }
    let walk = try walk(to: path)
    guard walk.isComplete else { return false }
    return try !walker.leadsBesideObjects(path.steps.first)
  }

  /// Returns the value at a path in an archive, with references to objects around it by their numbers. An object inside it that has several
  /// references is sent once.
  private func value(
    at path: ValuePath, referringTo enclosing: [Int: ValuePath]
  ) throws(FerryError) -> Value {
    let builder = ValueBuilder()
    try send(
      walk(to: path).location, into: builder, .identities,
      referringTo: enclosing.keys.map { ObjectNumber($0) })
    return try builder.result()
  }

  /// Moves a value. An object of an archive stays the same object, to which others may refer.
  ///
  /// - Parameters:
  ///   - path: The other path, which need not be resolved.
  ///   - target: Resolves the other path, after the value was removed.
  func move(
    _ source: ValuePath, to path: ValuePath, _ target: () throws(FerryError) -> Target
  ) throws(FerryError) {
    try checkDeclarations(source, path)
    var moved = MovedObjects()
    if archive != nil, try isObject(at: source) { moved.add(source) }
    let value: Value =
      if let identity = moved.identities[source] {
        .reference(identity)
      } else {
        try value(at: source, movedTo: path)
      }
    let namespaces = try namespaces(in: value, at: source)
    let node = try node(at: source)
    try changeAll(besides: moved.paths, undoes: false) { () throws(FerryError) in
      _ = try FerryError.moving { () throws(FerryError) in try remove(at: source) }
      let target = try target()
      try check(namespaces, at: target.path)
      try add(content(ofMoved: value, for: target), of: node, at: target, isCopy: false)
    }
  }

  /// Returns the object that a reference to a moved object means, if it moves into a file inside data, which has objects of its own.
  /// Returns other values as they are.
  private func content(ofMoved value: Value, for target: Target) throws(FerryError) -> Value {
    guard case .reference(let identity) = value, try !isInside(target), let editor = try editor().archive,
      let number = editor.shared?.numbers[identity]
    else { return value }
    return try self.value(at: editor.location(of: number))
  }
}

extension ValuePath.Step {
  /// The index of an element counted from the end, also as a key: `/tags/-1`.
  fileprivate var negativeIndex: Int? {
    switch self {
    case .index(let index) where index < 0: index
    case .key(let key): Int(key).flatMap { $0 < 0 ? $0 : nil }
    default: nil
    }
  }
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

extension Value {
  /// The weight of the value in a budget.
  fileprivate var weight: Int {
    var (weight, waiting) = (0, [self])
    while let value = waiting.popLast() {
      weight += Budget.valueCost
      switch value {
      case .string(let text), .number(let text): weight += text.utf8.count
      case .unpairedString(let units): weight += 2 * units.count
      case .data(let bytes): weight += bytes.count
      default: waiting += value.parts
      }
    }
    return weight
  }
}
