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
  ///   written, by `edited()`.
  public func apply(_ patch: JSONPatch) throws(FerryError) {
    try naming { () throws(FerryError) in try applyOperations(of: patch) }
  }

  private func applyOperations(of patch: JSONPatch) throws(FerryError) {
    let before = state
    allowCopies()
    try keepingStorage(if: patch.addsAfterRemoving) { () throws(FerryError) in
      try editAll(patch.operations.count, naming: { error, index in error.ofOperation(index, in: patch) }) {
        index throws(FerryError) in
        try apply(patch.operations[index])
      }
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
    let (after, outer) = (state, currentChange.failure)
    let mode = CurrentChange.Mode(keepsState: false, checksObjects: false)
    defer {
      undo(to: after)
      (currentChange.failure, lastPatch) = (outer, applied)
    }
    /// Returns the error after a number of operations; nil if the file can be written.
    func problem(after count: Int) -> FerryError? {
      undo(to: applied.before)
      allowCopies()
      do throws(FerryError) {
        try changing(by: mode) { () throws(FerryError) in
          for operation in applied.patch.operations.prefix(count) { try apply(operation) }
          try write()
        }
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
      try replace(with: patchValue(json), at: location(of: path).path)
    case .replace(.string(let text), let path): try change(.set(.patchText(text)), location(of: path).path)
    case .replace(let json, let path):
      let text = try PlainForm.json { sink throws(FerryError) in try json.replay(into: sink) }
      let path = try location(of: path).path
      try notingTypes(at: path) { () throws(FerryError) in
        try set(text: String(decoding: text, as: UTF8.self), as: .json, at: path)
      }
    case .move(let from, let path):
      let source = try location(of: from).path
      guard from != path else { return _ = try count(at: source) }
      guard !path.steps.starts(with: from.steps) else { throw insideItself(source) }
      let isMoved = try transferInData(source, path) { inner, source, target throws(FerryError) in
        try inner.apply(.move(from: from.suffix(source), to: path.suffix(target)))
      }
      guard !isMoved else { return }
      try move(source, to: path) { () throws(FerryError) in try location(of: path, isNew: true) }
    case .copy(let from, let path):
      let source = try location(of: from).path
      let isCopied = try transferInData(source, path) { inner, source, target throws(FerryError) in
        try inner.apply(.copy(from: from.suffix(source), to: path.suffix(target)))
      }
      guard !isCopied else { return }
      try copy(source, to: path) { () throws(FerryError) in
        try location(of: path, isNew: true)
      }
    case .test(let json, let path): try test(json, at: location(of: path).path)
    }
  }

  // MARK: Paths

  /// The value at the first steps of a path.
  struct Position {
    /// The file, or a file inside its data.
    var file: EditableFile
    /// The steps in this file.
    var path = ValuePath()
    /// The location of the value; nil if there is no value at these steps.
    var location: ValueLocation?

    /// Creates the position of the root of a file.
    init(rootOf file: EditableFile) throws(FerryError) {
      self.file = file
      location = try file.existingWalk(to: ValuePath())?.location
    }

    /// Follows one more step. The walk does not begin at the root again, so that a path takes time in proportion to its length.
    mutating func follow(_ step: ValuePath.Step) throws(FerryError) {
      let isFirst = path.isEmpty
      path.steps.append(step)
      guard let location else { return }
      let (file, path) = (file, path)
      let walk = try EditableFile.existing { () throws(FerryError) in
        // The first step may lead to a part of an archive, such as `$top`.
        try isFirst
          ? file.walk(to: path) : file.walk([step], from: location, after: file.outerPath, isReading: false)
      }
      self.location = walk.flatMap { $0.rest.isEmpty ? $0.location : nil }
    }
  }

  /// Resolves a path, whose steps are keys.
  ///
  /// - Parameter isNew: True if a value is added at the path, which may then be the end of a list.
  private func location(of pointer: ValuePath, isNew: Bool = false) throws(FerryError) -> Target {
    var target = Target()
    var position = try Position(rootOf: self)
    for (index, step) in pointer.steps.enumerated() {
      guard case .key(let key) = step else { continue }
      let isLast = index == pointer.steps.count - 1
      let found = try foundStep(key, after: &position, target.path, mayBeEnd: isNew && isLast)
      target.path.steps.append(found.step)
      target.isEntry = found.isEntry
      if !isLast { try position.follow(found.step) }
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
      guard let inner = try file.existingNested(at: location, after: path) else {
        position.location = nil
        return (.key(key), false)
      }
      position = try Position(rootOf: inner)
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
    return try hasValue(at: path.appending(.key(key)))
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

  func add(_ value: Value, at target: Target) throws(FerryError) {
    let isSet = target.isEntry || target.path.isEmpty
    try change(isSet ? .set(.value(value)) : .insert(.value(value)), target.path)
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

extension ValuePath {
  /// Returns the last steps of the path, as many as another one has.
  fileprivate func suffix(_ other: ValuePath) -> ValuePath {
    ValuePath(Array(steps.suffix(other.steps.count)))
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

  /// JSON that is the same for values which a JSON patch calls equal: in any order of keys, and with numbers of the same size.
  fileprivate var comparable: Value { sameInJSON.withReals }

  private var withReals: Value {
    guard case .integer(let number) = self, let real = Double(exactly: number) else {
      return mappingParts(\.withReals)
    }
    return .real(real)
  }
}
