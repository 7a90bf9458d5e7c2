/// The outcome of an attempt to change only the parts of a value that differ.
enum PartsOutcome {
  /// The parts are changed.
  case changed
  /// The new value replaces the old one as a whole.
  case isWhole
  /// The new value is a changed copy of the old one, whose parts cannot be changed one by one.
  case isCopy
}

extension EditableFile {
  /// The maximum number of parts that are changed one by one. It is smaller for large archives, because each change looks
  /// at all objects of the archive.
  private static let parts = 8...200
  private static let objects = 20_000_000

  /// Replaces a collection or an object of an archive by JSON, by changing only the parts that differ. Every other
  /// object stays the same, so that references to it from elsewhere are kept.
  ///
  /// Makes no change if the new value is not JSON or if its parts cannot be changed one by one.
  func setParts(_ new: NewValue, at walk: Walk) throws(FerryError) -> PartsOutcome {
    guard let archive, options.representation != .raw, let json = json(of: new) else { return .isWhole }
    let (old, shown) = try shown(at: walk.location)
    let printed = PrintedObjects(in: old, shown: shown)
    self.printed = printed
    let path = pathInside(walk.path)
    let most = min(max(Self.objects / max(archive.count, 1), Self.parts.lowerBound), Self.parts.upperBound)
    guard let changes = JSONChanges(of: old, shown: shown, to: json, at: path) else { return .isCopy }
    defer { printed.beginCopy(changes) }
    guard changes.all.count <= most else { return .isCopy }
    guard !changes.replaces(path) else {
      guard json.pointer != nil, try movedObjects(changes, from: path).paths.isEmpty else { return .isWhole }
      let objects = try referenced(by: json)
      guard let identity = objects.paths.keys.first else { return .isWhole }
      try change(.set(.value(.reference(identity))), path, referringTo: objects)
      return .changed
    }
    let moved = try movedObjects(changes, from: path)
    for replacesShared in [false, true] {
      printed.beginChanges(moved)
      if try make(changes, moved, replacesShared: replacesShared, at: path, from: shown, to: json) {
        return .changed
      }
    }
    return .isCopy
  }

  /// Returns the objects that move, and those to which the new value refers by path.
  private func movedObjects(
    _ changes: JSONChanges, from path: ValuePath
  ) throws(FerryError) -> MovedObjects {
    var moved = MovedObjects()
    for change in changes.all {
      if let source = change.source, try isObject(at: source) { moved.add(source) }
    }
    for move in changes.innerMoves where try isObject(at: move.source) {
      moved.add(move.source, printedAs: move.json)
    }
    for pointer in changes.pointers {
      guard let steps = ValuePath(printed: pointer)?.steps else { continue }
      let target = steps.first == .key("$objects") ? ValuePath(steps) : path.appending(steps[...])
      if try isObject(at: target) { moved.add(target, pointer: pointer) }
    }
    return moved
  }

  // MARK: References by paths in the file

  /// Inserts JSON in which `$ref` means the object at a path, as `get` prints it for the whole file. Returns false, without a change, if
  /// the value has no such reference.
  func insertReferring(_ new: NewValue, at path: ValuePath) throws(FerryError) -> Bool {
    // In JSON for a file in data, `$ref` may mean an object of this file or of the outer one.
    guard nesting == 0, archive != nil, options.representation != .raw, printed == nil,
      let json = json(of: new)
    else { return false }
    let objects = try referenced(by: json)
    guard !objects.paths.isEmpty else { return false }
    defer { printed = nil }
    try change(.insert(.json(json)), path, referringTo: objects)
    return true
  }

  /// Makes a change with a value that refers to objects of the archive.
  private func change(
    _ change: Change, _ path: ValuePath, referringTo objects: MovedObjects
  ) throws(FerryError) {
    let printed = PrintedObjects(in: .null, shown: .null)
    printed.beginChanges(objects)
    self.printed = printed
    try changeAll(besides: objects.paths, undoes: currentChange.mode.keepsState) { () throws(FerryError) in
      try self.change(change, path)
    }
  }

  /// Returns the objects of the archive to which JSON refers by their paths in the file.
  private func referenced(by json: Value) throws(FerryError) -> MovedObjects {
    var objects = MovedObjects()
    for pointer in json.pointers {
      guard let path = ValuePath(printed: pointer), try isObject(at: path) else { continue }
      objects.add(path, pointer: pointer)
    }
    return objects
  }

  /// Returns true if there is an object of the archive at a path.
  func isObject(at path: ValuePath) throws(FerryError) -> Bool { try objectNumber(at: path) != nil }

  /// Returns the number of the object of the archive at a path, or nil for any other value.
  func objectNumber(at path: ValuePath) throws(FerryError) -> Int? {
    guard archive != nil, let walk = try existingWalk(to: path), walk.endsAtNode else { return nil }
    let target = try walker.target(of: walk.location)
    return target.trail.children.count == 2 ? try objectNumber(of: target) : nil
  }

  /// Makes the changes of the parts of a value. Returns false, without a change, if the result is not the new value.
  ///
  /// - Parameters:
  ///   - replacesShared: True to replace the objects in which something changes by new ones if they have references from
  ///     other paths too, because the paths have different values now.
  ///   - moved: The objects to which references in new values are possible.
  private func make(
    _ changes: JSONChanges, _ moved: MovedObjects, replacesShared: Bool, at path: ValuePath,
    from shown: Value,
    to json: Value
  ) throws(FerryError) -> Bool {
    var copied: [ValuePath] = []
    do throws(FerryError) {
      try changeAll(sharing: printed?.shared ?? [:], besides: moved.paths) { () throws(FerryError) in
        var replaced: ValuePath?
        for change in changes.all {
          if let replaced, change.objects.contains(where: { $0.path == replaced }) { continue }
          guard replacesShared, let object = try outermostShared(change.objects, inside: path) else {
            try make(change, moved)
            continue
          }
          replaced = object.path
          let shared = try sharedParts(at: walk(to: object.path).location)
          try self.change(.set(.json(object.json)), object.path)
          if try shared.isLost(in: sharedParts(at: walk(to: object.path).location)) {
            copied.append(object.path)
          }
        }
        let now = try self.shown(at: walk(to: path).location).json
        guard ReferenceComparison.areSame(now, json.asPrinted, before: shown, newPaths: changes.newPaths)
        else {
          // No message shows this error, which undoes the changes.
          throw FerryError(.path(.cannotInsert("the parts cannot be changed one by one")))
        }
      }
    } catch {
      return false
    }
    for path in copied { changeLosses.add(.sharedInFull, path: path) }
    return true
  }

  private func make(_ change: JSONChanges.Located, _ moved: MovedObjects) throws(FerryError) {
    let reference = change.source.flatMap { moved.identities[$0] }.map { NewValue.value(.reference($0)) }
    switch change.change {
    case .set(let json) where change.isAnother:
      try self.change(.set(.value(value(ofJSON: json))), change.path)
    case .set(let json): try self.change(.set(reference ?? .json(json)), change.path)
    case .insert(let json): try self.change(.insert(reference ?? .json(json)), change.path)
    case .remove: try remove(at: change.path)
    case .order(let order): try self.order(order, at: change.path)
    }
  }

  /// Returns the first object inside a value that has several references.
  private func outermostShared(
    _ objects: [JSONChanges.PartObject], inside path: ValuePath
  ) throws(FerryError) -> JSONChanges.PartObject? {
    for object in objects where object.path != path {
      let location = try walk(to: object.path).location
      if try editor().archive?.isShared(at: walker.target(of: location).trail) == true { return object }
    }
    return nil
  }

  private func order(_ order: [Int], at path: ValuePath) throws(FerryError) {
    let location = try walk(to: path).location
    try editor().order(order, at: location)
  }

  /// Counts the references to the objects inside a value of an archive.
  func sharedParts(at location: ValueLocation) throws(FerryError) -> ArchiveEditor.SharedParts {
    guard let editor = try editor().archive else { return ArchiveEditor.SharedParts() }
    return try editor.sharedParts(in: walker.target(of: location).node)
  }

  /// Returns JSON that a user gives as a new value, or nil for other values.
  func json(of new: NewValue) -> Value? {
    switch new {
    case .text(let text, .json?): try? TextType.json.value(of: text, budget: options.budget)
    case .contents(let bytes, .json?):
      try? TextType.json.value(of: Self.text(of: bytes), budget: options.budget)
    default: nil
    }
  }
}

extension ValuePath {
  /// Creates the path of an object from the pointer that `get` prints for it, such as `#/people/3`. Fails for another text, which may be
  /// the value of an ordinary key.
  fileprivate init?(printed pointer: ExactString) {
    guard pointer.string.begins(with: "#"), let path = try? ValuePath(parsing: pointer.string) else {
      return nil
    }
    self = path
  }
}
