// The values that moves and copies put at another path, with their nodes, objects and storage.

extension EditableFile {
  /// Moves a value. An object of an archive stays the same object, to which others may refer.
  ///
  /// - Parameters:
  ///   - path: The other path, which need not be resolved.
  ///   - resolveTarget: Resolves the other path, after the value was removed.
  func move(
    _ source: ValuePath, to path: ValuePath, _ resolveTarget: () throws(FerryError) -> Target
  ) throws(FerryError) {
    try checkDeclarations(source, path)
    var moved = MovedObjects()
    if try isObject(at: source) { moved.add(source) }
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
      do throws(FerryError) {
        let target = try resolveTarget()
        try check(namespaces, at: target.path)
        try add(content(ofMoved: value, for: target), of: node, at: target, isCopy: false)
      } catch {
        let isBesideMoved = pathInside(error.path) == source.parent
        throw (isBesideMoved ? error.countingMovedElement : error).ofNewPath
      }
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
      target = try FerryError.atNewPath(resolveTarget)
      // A file inside data has objects of its own. The change itself throws the error of a path that leads to nothing.
      let isInside = (try? isInside(target)) == true
      if !isInside { enclosing = [:] }
      copied = try isInside ? value(at: source, referringTo: enclosing) : value(at: source)
    } else {
      copied = try value(at: source, movedTo: path)
      target = try FerryError.atNewPath(resolveTarget)
    }
    let value = copied
    remainingCopyWeight -= value.weight
    guard remainingCopyWeight >= 0 else { throw options.budget.overAmplification }
    let namespaces = try namespaces(in: value, at: source)
    let node = try node(at: source)
    let refers = !enclosing.isEmpty && value.refers(toAnyOf: Set(enclosing.keys))
    try FerryError.atNewPath { () throws(FerryError) in
      try check(namespaces, at: target.path)
      guard refers else { return try add(value, of: node, at: target, isCopy: true) }
      try changeAll(besides: enclosing, undoes: false) { () throws(FerryError) in
        try add(value, of: node, at: target, isCopy: true)
      }
    }
  }

  /// Returns the paths of the objects of the archive that contain the value at a path, by their numbers.
  private func objects(around path: ValuePath) throws(FerryError) -> [Int: ValuePath] {
    guard try walk(to: path).endsAtNode else { return [:] }
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

  /// Adds a value of the file at another path. In a typedstream, the objects in it keep their classes and C types, and in a table, cells
  /// that move keep their text, as values in other texts do. In a ZIP archive, a file keeps its attributes.
  private func add(_ value: Value, of node: NodeID?, at target: Target, isCopy: Bool) throws(FerryError) {
    guard let node, try isInside(target) else { return try add(value, at: target) }
    guard !opensFiles else {
      try add(value, at: target)
      return try list.setOrigins(of: walk(to: target.path).location.node, copying: node)
    }
    // A reference skips the checks of new values, which the value of this file may not pass.
    let isReferred = typedstream != nil || isTable
    let standIn = isReferred ? .reference(0) : value
    try list.carrying(node, as: standIn, copy: isReferred && !isCopy ? nil : value) { () throws(FerryError) in
      try add(standIn, at: target)
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

  /// Makes changes in which a value that is added in place of a removed one, or moves, is stored like that in an archive.
  func keepingStorage<Result>(
    if isNeeded: Bool = true, _ changes: () throws(FerryError) -> Result
  ) throws(FerryError) -> Result {
    let storage = archivedStorage
    defer { archivedStorage = storage }
    if isNeeded, let archive, storage == nil {
      (archivedStorage, archiveEditor) = (ArchivedStorage(of: archive), nil)
    }
    return try changes()
  }

  /// Lets the copies of a patch or of a change be as large as the expansion of the file may be.
  func allowCopies() {
    remainingCopyWeight = options.budget.allowance(forInputBytes: list.byteCount)
  }
}

extension FerryError {
  /// Runs a function that adds a value at a new path. The error of a missing value becomes one about this path.
  fileprivate static func atNewPath<Result>(
    _ body: () throws(FerryError) -> Result
  ) throws(FerryError) -> Result {
    do throws(FerryError) { return try body() } catch { throw error.ofNewPath }
  }

  /// The error of the path to which a value moves, instead of that of a missing value: the value that moves exists.
  fileprivate var ofNewPath: FerryError {
    guard isMissingValue, case .path(let problem) = reason else { return self }
    var error = self
    error.reason = .path(.noNewPath(problem))
    return error
  }

  /// The error of a move inside a list, with the moved element added to the count, because the move removes it before it finds the error.
  fileprivate var countingMovedElement: FerryError {
    guard case .path(.noElement(let index, let count)) = reason else { return self }
    var error = self
    error.reason = .path(.noElement(index, count: count + 1))
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
