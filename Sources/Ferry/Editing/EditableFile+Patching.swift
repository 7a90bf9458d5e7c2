extension EditableFile {
  /// Applies a JSON patch (RFC 6902): all of its operations, or none if one fails.
  ///
  ///     try file.apply(JSONPatch(Array(#"[{"op": "remove", "path": "/tags/0"}]"#.utf8)))
  ///
  /// As with `set(text:as:at:)` and JSON, a value without tags that `replace` gives keeps the type and the class of the old value
  /// if these can represent it. A text in the place of a value that JSON does not have, such as a date or a color, must have its notation.
  /// `add` gives exactly the type that the patch names, also in place of an
  /// existing entry of a dictionary.
  ///
  /// - Throws: A `FerryError` with the reason `PathProblem.inPatch`, which has the operation and its problem: a path that matches no value,
  ///   a tested value that is another one, or a value that the format cannot represent. Some formats find that only when the file is
  ///   written, by `bytes(losses:)`.
  public func apply(_ patch: JSONPatch) throws(FerryError) {
    try naming { () throws(FerryError) in try applyOperations(of: patch) }
  }

  private func applyOperations(of patch: JSONPatch) throws(FerryError) {
    let before = state
    allowCopies()
    let storage = archivedStorage
    defer { archivedStorage = storage }
    if let archive, storage == nil, patch.addsAfterRemoving {
      // A value that is added in place of a removed one is stored like that.
      (archivedStorage, archiveEditor) = (ArchivedStorage(of: archive), nil)
    }
    try editAll(patch.operations.count, naming: { error, index in error.ofOperation(index, in: patch) }) {
      index throws(FerryError) in
      try apply(patch.operations[index])
    }
    lastPatch = AppliedPatch(patch: patch, before: before)
  }

  /// A patch that was applied after all other changes.
  struct AppliedPatch {
    fileprivate let patch: JSONPatch
    /// The state before its operations.
    fileprivate let before: State
  }

  /// Returns the error of a file that cannot be written, with the operation of the last patch from which on it cannot. Returns the
  /// error as it is if no patch is the reason.
  func namingOperation(of error: FerryError, writing write: () throws(FerryError) -> Void) -> FerryError {
    guard let applied = lastPatch else { return error }
    let (after, outer) = (state, (keepsState, checksObjects, failure))
    (keepsState, checksObjects) = (false, false)
    defer {
      undo(to: after)
      (keepsState, checksObjects, failure) = outer
      lastPatch = applied
    }
    /// Returns the error after a number of operations; nil if the file can be written.
    func problem(after count: Int) -> FerryError? {
      undo(to: applied.before)
      allowCopies()
      do throws(FerryError) {
        for operation in applied.patch.operations.prefix(count) { try apply(operation) }
        try write()
        return nil
      } catch {
        return error
      }
    }
    guard problem(after: 0) == nil else { return error }
    var (sound, broken, found) = (0, applied.patch.operations.count, error)
    while broken - sound > 1 {
      let middle = (sound + broken) / 2
      if let problem = problem(after: middle) { (broken, found) = (middle, problem) } else { sound = middle }
    }
    return found.ofOperation(broken - 1, in: applied.patch)
  }

  private func apply(_ operation: JSONPatch.Operation) throws(FerryError) {
    switch operation {
    case .add(let json, let path):
      let value = try patchValue(json)
      try add(value, at: location(of: path, isNew: true))
    case .remove(let path): try remove(at: location(of: path).path)
    case .replace(let json, let path) where !format.hasOnlyJSONValues && json.hasTags || json.needsTags:
      try set(patchValue(json), at: location(of: path).path)
    case .replace(.string(let text), let path): try change(.set(.patchText(text)), location(of: path).path)
    case .replace(let json, let path):
      let text = try PlainForm.json { sink throws(FerryError) in try json.replay(into: sink) }
      try set(text: String(decoding: text, as: UTF8.self), as: .json, at: location(of: path).path)
    case .move(let from, let path): try move(from, to: path)
    case .copy(let from, let path): try copy(from, to: path)
    case .test(let json, let path): try test(json, at: location(of: path).path)
    }
  }

  // MARK: Paths

  /// The path in the file that a path of a patch denotes.
  private struct Target {
    /// The path, with indices for the elements of lists, and `[]` for the index after the last one.
    var path = ValuePath()
    /// True if the last step is a key in a dictionary or an object that has it.
    var isEntry = false
  }

  /// The value at the first steps of a path.
  struct Position {
    /// The file, or a file inside its data.
    var file: EditableFile
    /// The steps in this file.
    var path = ValuePath()
    /// The location of the value; nil if there is no value at these steps.
    var location: ValueLocation?

    /// Creates the position of the root of a file.
    init(rootOf file: EditableFile) {
      self.file = file
      location = (try? file.walk(to: ValuePath()))?.location
    }

    /// Follows one more step. The walk does not begin at the root again, so that a path takes time in proportion to its length.
    mutating func follow(_ step: ValuePath.Step) {
      let isFirst = path.isEmpty
      path.steps.append(step)
      guard let location else { return }
      // The first step may lead to a part of an archive, such as `$top`.
      let walk =
        isFirst
        ? try? file.walk(to: path)
        : try? file.walk([step], from: location, after: file.outerPath, isReading: false)
      self.location = walk.flatMap { $0.rest.isEmpty ? $0.location : nil }
    }
  }

  /// Resolves a path, whose steps are keys.
  ///
  /// - Parameter isNew: True if a value is added at the path, which may then be the end of a list.
  private func location(of pointer: ValuePath, isNew: Bool = false) throws(FerryError) -> Target {
    var target = Target()
    var position = Position(rootOf: self)
    for (index, step) in pointer.steps.enumerated() {
      guard case .key(let key) = step else { continue }
      let isLast = index == pointer.steps.count - 1
      let found = try foundStep(key, after: &position, target.path, mayBeEnd: isNew && isLast)
      target.path.steps.append(found.step)
      target.isEntry = found.isEntry
      if !isLast { position.follow(found.step) }
    }
    return target
  }

  /// Resolves a key of a path at a position. If the key belongs to a file inside data, the position becomes the root of that file.
  ///
  /// - Parameters:
  ///   - position: The position of the value at the steps before the key.
  ///   - path: These steps.
  ///   - mayBeEnd: True if the key may mean the end of a list.
  func foundStep(
    _ key: String, after position: inout Position, _ path: ValuePath, mayBeEnd: Bool
  ) throws(FerryError) -> (step: ValuePath.Step, isEntry: Bool) {
    guard let location = position.location else { return (.key(key), false) }
    let file = position.file
    if try file.isInData(key, at: location) {
      // The change itself throws the error of data that is not a file.
      guard let inner = try? file.nested(at: location, after: path) else {
        position.location = nil
        return (.key(key), false)
      }
      position = Position(rootOf: inner)
      return try foundStep(key, after: &position, path, mayBeEnd: mayBeEnd)
    }
    let walker = file.walker
    let parts = try walker.parts(of: location)
    if parts.isList {
      // RFC 6901 has neither signs nor leading zeros.
      let index = key == "-" ? parts.count : Int(key)
      guard let index, index >= 0, key == "-" || String(index) == key else {
        if position.path.isEmpty, try walker.leadsBesideObjects(.key(key)) { return (.key(key), true) }
        let found = try walker.name(of: location)
        throw FerryError(.path(.noStep("element \(MessageText.quoted(key))", into: found)), path: path)
      }
      if index < parts.count { return (.index(index), false) }
      if mayBeEnd, index == parts.count { return (.end, false) }
      let problem = key == "-" ? PathProblem.afterLast : .noElement(index, count: parts.count)
      throw FerryError(.path(problem), path: path)
    }
    if try file.hasEntry(key, at: location, parts, after: position.path) { return (.key(key), true) }
    // In the typed form, a key that begins with `$` has one more, also in a file of another format inside this one.
    guard !format.hasOnlyJSONValues, key.begins(with: "$$") else { return (.key(key), false) }
    let single = String(key.dropFirst())
    return (.key(single), try file.hasEntry(single, at: location, parts, after: position.path))
  }

  /// Returns true if a key belongs to the file inside data, and not to the object with the data.
  private func isInData(_ key: String, at location: ValueLocation) throws(FerryError) -> Bool {
    guard try walker.dataLocation(of: location) != nil else { return false }
    return try walker.child(key, of: location, walker.parts(of: location)) == nil
  }

  /// Returns true if a value has an entry. The error of a missing key would name similar keys, which takes time in proportion to the
  /// number of keys.
  private func hasEntry(
    _ key: String, at location: ValueLocation, _ parts: NodeParts, after path: ValuePath
  ) throws(FerryError) -> Bool {
    // `$top` and others are steps to the parts of an archive.
    if path.isEmpty, try walker.start([.key(key)]).taken > 0 { return true }
    if location.inner.isEmpty { return try walker.child(key, of: location, parts)?.isKey == false }
    return (try? count(at: path.appending(.key(key)))) != nil
  }

  // MARK: Values

  /// Returns the value that JSON in a patch means, in the notation of the typed form unless the format is JSON.
  private func patchValue(_ json: Value, _ lost: LostNotations? = nil) throws(FerryError) -> Value {
    guard !format.hasOnlyJSONValues else { return json }
    let builder = ValueBuilder()
    let untagged = UntaggedScalars(to: builder, budget: options.budget)
    try json.replay(into: untagged)
    try untagged.finish()
    let isTyped = options.representation != .raw
    guard let lost else { return try value(ofJSON: builder.result(), isTyped: isTyped) }
    return try value(ofJSON: builder.result(), isTyped: isTyped, lost)
  }

  private func add(_ value: Value, at target: Target) throws(FerryError) {
    let isSet = target.isEntry || target.path.isEmpty
    try change(isSet ? .set(.value(value)) : .insert(.value(value)), target.path)
  }

  /// Adds a value of the file at another path. In a typedstream, the objects in it keep their classes and C types, and in a table, cells
  /// that move keep their text. In a ZIP archive, a file keeps its attributes.
  private func add(_ value: Value, of node: NodeID?, at target: Target, isCopy: Bool) throws(FerryError) {
    guard let node, try isInside(target) else { return try add(value, at: target) }
    guard !opensFiles else {
      try add(value, at: target)
      return try list.setOrigins(of: walk(to: target.path).location.node, copying: node)
    }
    try list.moving(node, copy: isCopy ? value : nil) { () throws(FerryError) in
      try add(.reference(0), at: target)
    }
  }

  /// Returns the node at a path of a typedstream, a table or a ZIP archive; nil in other formats, and in a file inside data or an archive.
  private func node(at path: ValuePath) throws(FerryError) -> NodeID? {
    guard typedstream != nil || isTable || opensFiles && path.steps.count == 1 else { return nil }
    let walk = try walk(to: path)
    return walk.rest.isEmpty && !walk.isInData ? walk.location.node : nil
  }

  /// Returns true if a new value is part of this file, and not of a file inside its data.
  private func isInside(_ target: Target) throws(FerryError) -> Bool {
    guard !opensFiles else { return target.path.steps.count == 1 }
    let walk = try walk(to: ValuePath(Array(target.path.steps.dropLast())))
    guard walk.rest.isEmpty, !walk.isInData else { return false }
    return try walker.dataLocation(of: walk.location) == nil
  }

  /// Lets the copies of a patch be as large as the expansion of the file may be.
  private func allowCopies() {
    remainingCopyWeight = options.budget.allowance(forInputBytes: list.byteCount)
  }

  /// Copies a value. A copy refers to the objects that contain the original, as the original does: a copy of a child has the same parent, and
  /// not a copy of the parent.
  private func copy(_ from: ValuePath, to pointer: ValuePath) throws(FerryError) {
    let source = try location(of: from).path
    var enclosing = try objects(around: source)
    var copied = enclosing.isEmpty ? try value(at: source, movedTo: pointer) : .null
    let target = try location(of: pointer, isNew: true)
    if !enclosing.isEmpty {
      // A file inside data has objects of its own. The change itself throws the error of a path that leads to nothing.
      if (try? isInside(target)) != true { enclosing = [:] }
      copied = try value(at: source, referringTo: enclosing)
    }
    let value = copied
    remainingCopyWeight -= value.weight
    guard remainingCopyWeight >= 0 else { throw options.budget.overAmplification }
    try check(namespaces(in: value, at: source), at: target.path)
    let node = try node(at: source)
    guard value.refers(toAnyOf: enclosing) else {
      return try add(value, of: node, at: target, isCopy: true)
    }
    try changeAll(checksEach: checksObjects, sharing: [:], besides: enclosing, undoes: false) {
      () throws(FerryError) in
      try add(value, of: node, at: target, isCopy: true)
    }
  }

  /// Returns the paths of the objects of the archive that contain the value at a path, by their numbers.
  private func objects(around path: ValuePath) throws(FerryError) -> [Int: ValuePath] {
    guard archive != nil else { return [:] }
    let walk = try walk(to: path)
    guard walk.rest.isEmpty, !walk.isInData, walk.location.inner.isEmpty else { return [:] }
    var objects: [Int: ValuePath] = [:]
    var outer = ValuePath()
    for step in path.steps {
      if try isObject(at: outer),
        case .element(let number)? = try walker.target(of: self.walk(to: outer).location).trail.children.last
      {
        objects[number] = outer
      }
      outer.steps.append(step)
    }
    return objects
  }

  /// Returns the value at a path, with references to objects around it by their numbers.
  private func value(
    at path: ValuePath, referringTo enclosing: [Int: ValuePath]
  ) throws(FerryError) -> Value {
    guard !enclosing.isEmpty else { return try value(at: path) }
    let builder = ValueBuilder()
    try send(walk(to: path).location, into: builder, referringTo: enclosing.keys.map { ObjectNumber($0) })
    return try builder.result()
  }

  /// Moves a value. An object of an archive stays the same object, to which others may refer.
  private func move(_ from: ValuePath, to pointer: ValuePath) throws(FerryError) {
    let source = try location(of: from).path
    guard from != pointer else { return _ = try count(at: source) }
    guard !pointer.steps.starts(with: from.steps) else {
      throw FerryError(.path(.cannotPut("a value", "it would be inside itself")), path: source)
    }
    var moved = MovedObjects()
    if archive != nil, try isObject(at: source) { moved.add(source) }
    let value: Value =
      if let identity = moved.identities[source] {
        .reference(identity)
      } else {
        try value(at: source, movedTo: pointer)
      }
    let namespaces = try namespaces(in: value, at: source)
    let node = try node(at: source)
    try changeAll(checksEach: checksObjects, sharing: [:], besides: moved.paths, undoes: false) {
      () throws(FerryError) in
      try remove(at: source)
      let target = try location(of: pointer, isNew: true)
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
    let builder = ValueBuilder()
    try send(editor.location(of: number), into: builder)
    return try builder.result()
  }

  /// Throws unless a value is printed like a tested one.
  private func test(_ json: Value, at path: ValuePath) throws(FerryError) {
    let found = try printed { sink throws(FerryError) in try send(path, into: sink) }
    guard found != json.comparable else { return }
    // A test stores nothing.
    let tested = try patchValue(json, LostNotations())
    guard try found == printed({ sink throws(FerryError) in try tested.replay(into: sink) }) else {
      throw FerryError(.path(.otherThanTested), path: path)
    }
  }

  /// Returns the JSON of the value that a function sends, with the keys in one order and equal numbers in one notation.
  private func printed(_ send: (any ValueSink) throws(FerryError) -> Void) throws(FerryError) -> Value {
    try Value(json: PlainForm.json(send), budget: options.budget).comparable
  }
}

extension FerryError {
  /// Returns the error with the operation of a patch that it comes from.
  fileprivate func ofOperation(_ index: Int, in patch: JSONPatch) -> FerryError {
    guard patch.operations.indices.contains(index) else { return self }
    var failed = self
    failed.reason = .path(.inPatch(patch.operations[index].named(index: index), reason))
    return failed
  }
}

extension Value {
  /// True if a dictionary in JSON has a key that the typed form gives a meaning.
  fileprivate var hasTags: Bool {
    switch self {
    case .array(let values): values.contains(where: \.hasTags)
    case .dictionary(let entries):
      entries.contains { $0.stringValue?.begins(with: "$") == true || $1.hasTags }
    default: false
    }
  }

  /// Returns true if a reference in the value has one of several identities.
  fileprivate func refers(toAnyOf identities: [Int: ValuePath]) -> Bool {
    guard !identities.isEmpty else { return false }
    var waiting = [self]
    while let value = waiting.popLast() {
      if case .reference(let identity) = value, identities[identity] != nil { return true }
      waiting += value.parts
    }
    return false
  }

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

  /// JSON that is the same for values which a JSON patch calls equal: in any order of keys, and with numbers of the same size.
  fileprivate var comparable: Value { sameInJSON.withReals }

  private var withReals: Value {
    guard case .integer(let number) = self, let real = Double(exactly: number) else {
      return mappingParts(\.withReals)
    }
    return .real(real)
  }
}
