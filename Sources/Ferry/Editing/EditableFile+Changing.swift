extension EditableFile {
  /// A new value for a location.
  enum NewValue {
    case value(Value)
    /// A value that a program gives. In the place of an object of a class in the class catalog, it becomes the object's decoded form.
    case given(Value)
    case text(String, TextType?)
    /// JSON, whose values get the types and classes of those that they replace.
    case json(Value)
    /// A text of a patch. In the place of a value whose type JSON does not have, such as a date or a color, it gets this type.
    case patchText(String)
    /// The contents of a file: text, or bytes for a data value.
    case contents([UInt8], TextType?)

    /// The text, if it gets the type of the value that it replaces.
    var typedText: String? {
      switch self {
      case .text(let text, nil), .patchText(let text): text
      default: nil
      }
    }
  }

  enum Change {
    case set(NewValue)
    case insert(NewValue)
    /// Sets a value if there is one, and inserts it otherwise. An entry that a merge key adds gets one beside it that takes precedence.
    case setOrInsert(NewValue)
    case remove
    /// Gives an entry another key. With `replaces`, removes an entry that has the other key; otherwise such an entry is an error.
    case rename(String, replaces: Bool)

    /// True if the change is one of the collection around the last step of a path.
    var isOfCollection: Bool {
      switch self {
      case .set, .setOrInsert: false
      case .insert, .remove, .rename: true
      }
    }
  }

  /// Replaces the value at a path.
  ///
  /// In an archive, a reference stays a reference. If the old object has no other references, it is replaced;
  /// otherwise the reference changes to another object. An object of a class in the class catalog (NSDate,
  /// NSURL, NSColor, NSValue …) keeps its class, and the value becomes its decoded form; a string such as
  /// `2014-06-01T09:30:00Z` for an NSDate is parsed. A value that is not a decoded form of the class is refused: only null,
  /// `Value.object` with the class of the new object, or a text with a `TextType` replaces the object. Collections and
  /// objects in the value become objects of the archive.
  ///
  /// - Parameters:
  ///   - value: The new value.
  ///   - path: The path of an existing value. With `[*]`, `[1:3]` or a filter, all values that the path selects are replaced, or none if
  ///     one cannot be. Elements without the rest of the path are left out.
  ///   - insertsMissing: True to insert the value, as `insert(_:at:)` does, if the last step is a key that a dictionary lacks, or leads to
  ///     the end of a list. Then each collection at the steps before the last gets the value. The key of an object of a class is an error.
  /// - Returns: The number of values. An object that the path selects twice, because the file has two references to it, counts once.
  /// - Throws: A `FerryError` with a `PathProblem` as its reason if the path matches no value, or if an object keeps its class and the value
  ///   is not of it (`cannotPut`); or an error if the format cannot represent the value.
  @discardableResult
  public func set(_ value: Value, at path: ValuePath, insertsMissing: Bool = false) throws(FerryError) -> Int
  {
    try set(new: .given(value), at: path, insertsMissing: insertsMissing)
  }

  /// Replaces the value at a path by one that may have another class, for values that come from another version of the file.
  func replace(with value: Value, at path: ValuePath) throws(FerryError) {
    _ = try set(new: .value(value), at: path, insertsMissing: false)
  }

  /// Replaces the value at a path by parsing a text. The new value has the type of the existing one, unless
  /// `type` is given.
  ///
  /// - Parameters:
  ///   - text: The text to parse, for example `2014-06-01T09:30:00Z` for a date.
  ///   - type: The type of the new value; nil for the type of the existing value.
  ///   - path: The path of an existing value, or of several, as that of `set(_:at:insertsMissing:)`.
  ///   - insertsMissing: True to insert a missing value, as `insert(text:as:at:)` does.
  /// - Returns: The number of values.
  /// - Throws: The errors of `set(_:at:insertsMissing:)`, and `PathProblem.badText` if the text is not a value of the type.
  @discardableResult
  public func set(
    text: String, as type: TextType? = nil, at path: ValuePath, insertsMissing: Bool = false
  ) throws(FerryError) -> Int {
    try set(new: .text(text, type), at: path, insertsMissing: insertsMissing)
  }

  /// Replaces the value at a path by the contents of a file. A data value gets the bytes; any other value is
  /// parsed from the text without its final line feed.
  ///
  /// - Parameters:
  ///   - contents: The bytes of the file.
  ///   - type: The type of the new value; nil for the type of the existing value.
  ///   - path: The path of an existing value, or of several, as that of `set(_:at:insertsMissing:)`.
  ///   - insertsMissing: True to insert a missing value, as `insert(contents:as:at:)` does.
  /// - Returns: The number of values.
  /// - Throws: The errors of `set(text:as:at:insertsMissing:)`.
  @discardableResult
  public func set(
    contents: [UInt8], as type: TextType? = nil, at path: ValuePath, insertsMissing: Bool = false
  ) throws(FerryError) -> Int {
    try set(new: .contents(contents, type), at: path, insertsMissing: insertsMissing)
  }

  private func set(new: NewValue, at path: ValuePath, insertsMissing: Bool) throws(FerryError) -> Int {
    try changeNamed(insertsMissing ? .setOrInsert(new) : .set(new), path)
  }

  /// Inserts an element before the one at the path, or at the end (`items[]`). In a dictionary, adds an entry
  /// with a new key.
  ///
  /// - Parameters:
  ///   - value: The new value.
  ///   - path: The path that the new value will have. With `[*]`, `[1:3]` or a filter before the last step, each collection that the path
  ///     selects gets the value, or none if one cannot.
  /// - Returns: The number of inserted values.
  /// - Throws: The errors of `set(_:at:insertsMissing:)`, and `PathProblem.exists` if the key exists.
  @discardableResult
  public func insert(_ value: Value, at path: ValuePath) throws(FerryError) -> Int {
    try changeNamed(.insert(.value(value)), path)
  }

  /// Inserts a value by parsing a text. The value has the type of the preceding element, or else is a string,
  /// unless `type` is given.
  ///
  /// - Parameters:
  ///   - text: The text to parse.
  ///   - type: The type of the new value; nil for the type of the preceding element, or else a string.
  ///   - path: The path that the new value will have, or several, as that of `insert(_:at:)`.
  /// - Returns: The number of inserted values.
  /// - Throws: The errors of `set(text:as:at:insertsMissing:)` and `insert(_:at:)`.
  @discardableResult
  public func insert(text: String, as type: TextType? = nil, at path: ValuePath) throws(FerryError) -> Int {
    try changeNamed(.insert(.text(text, type)), path)
  }

  /// Inserts the contents of a file: the bytes if the type is data, otherwise the value parsed from the text.
  ///
  /// - Parameters:
  ///   - contents: The bytes of the file.
  ///   - type: The type of the new value; nil for the type of the preceding element, or else a string.
  ///   - path: The path that the new value will have, or several, as that of `insert(_:at:)`.
  /// - Returns: The number of inserted values.
  /// - Throws: The errors of `insert(text:as:at:)`.
  @discardableResult
  public func insert(contents: [UInt8], as type: TextType? = nil, at path: ValuePath) throws(FerryError)
    -> Int
  {
    try changeNamed(.insert(.contents(contents, type)), path)
  }

  /// Removes an element or an entry, or all that a path with `[*]`, `[1:3]` or a filter selects.
  ///
  /// - Returns: The number of removed values.
  /// - Throws: A `FerryError` with a `PathProblem` as its reason if the path matches no value, or if it is the root.
  @discardableResult
  public func remove(at path: ValuePath) throws(FerryError) -> Int {
    try changeNamed(.remove, path)
  }

  /// Makes a change at each location that a path selects, and adds the path of the file to an error.
  private func changeNamed(_ change: Change, _ path: ValuePath) throws(FerryError) -> Int {
    try naming { () throws(FerryError) in try changeSelected(change, path) }
  }

  func change(_ change: Change, _ path: ValuePath) throws(FerryError) {
    lastPatch = nil
    do throws(FerryError) {
      currentChange.depth += 1
      defer { currentChange.depth -= 1 }
      if try leadsBesideObjects(path, change) {
        return try asStored { () throws(FerryError) in try self.change(change, path) }
      }
      let start = try walker.start(path.steps[...], leadsBeside: false)
      try apply(
        change, path.steps.dropFirst(start.taken), from: start.location,
        after: outerPath.appending(path.steps.prefix(start.taken)))
    } catch {
      currentChange.noteFailure(error)
      throw error
    }
  }

  /// Returns true if a change is one of an entry that an archive has beside its objects, or of a part of it. A new key is added to the
  /// archive's value.
  private func leadsBesideObjects(_ path: ValuePath, _ change: Change) throws(FerryError) -> Bool {
    if case .insert = change, path.steps.count == 1 { return false }
    return try walker.leadsBesideObjects(path.steps.first)
  }

  private func apply(
    _ change: Change, _ steps: ArraySlice<ValuePath.Step>, from location: ValueLocation, after path: ValuePath
  ) throws(FerryError) {
    guard isEditable else {
      throw FerryError(.path(.notEditable(format, isInData: nesting > 0)), path: path)
    }
    var last: ValuePath.Step?
    var walked = steps
    if change.isOfCollection {
      last = walked.popLast()
      guard last != nil else { throw noLastStep(change) }
    }
    var walk: Walk
    do throws(FerryError) {
      walk = try self.walk(walked, before: last, from: location, after: path, isReading: false)
    } catch {
      if case .insert = change, let named = namingNewFile(error, steps, after: path) { throw named }
      let isLastStep = error.path.steps.count == path.steps.count + steps.count - 1
      throw last == nil && isLastStep ? namingInsertion(error) : error
    }
    try checkKey(walk, change)
    if hasFiles { return try changeFiles(change, last, at: walk) }
    if try changeRun(change, pathInside(path.appending(steps)), walk) { return }
    if let last {
      walk.rest.append(last)
      if !walk.isInData, walk.rest.count == 1 {
        walk.isInData = try walker.dataLocation(of: walk.location) != nil
      }
    }
    if try meansNestedRoot(change, walk) { walk.isInData = true }
    guard !walk.isInData else { return try changeData(change, walk) }
    try apply(change, last, at: walk)
  }

  /// Applies a change to a value of this file itself, and not of a file in its data.
  ///
  /// - Parameter last: The step of the changed part; nil to set the whole value.
  private func apply(_ change: Change, _ last: ValuePath.Step?, at walk: Walk) throws(FerryError) {
    try checkClass(walk.location, change)
    do throws(FerryError) { try checkReferences(in: change, at: walk.location) } catch {
      throw error.placed(path: walk.path)
    }
    if case .slice? = walk.rest.first { throw FerryError(.path(.severalValues), path: walk.path) }
    var shared: ArchiveEditor.SharedParts?
    let isOutermost = printed == nil
    defer { if isOutermost { printed = nil } }
    if case .set(let new) = change {
      switch try setParts(new, at: walk) {
      case .changed: return
      case .isWhole: break
      case .isCopy: shared = try sharedParts(at: walk.location)
      }
    }
    do throws(FerryError) {
      var last = last
      if let step = last {
        let parts = try walker.parts(of: walk.location)
        last = try walker.numbered(step, in: parts)
        // A new element gets the type of the one beside it, whether its index is in brackets or is written as a key.
        if case (.insert, .key(let key)) = (change, step), parts.isList, let index = Int(key) {
          last = .index(index)
        }
      }
      try checkNumbers(walk.location, change, last)
      let path = pathInside(walk.path)
      try guarded(walk) { () throws(FerryError) in
        try withCopies(change, last, at: walk.location) { location throws(FerryError) in
          try perform(change, last, at: location, path)
        }
      }
    } catch {
      throw explaining(error.ofEdit, at: walk).placed(path: walk.path)
    }
    if archive != nil { try openArchive() }
    if let shared {
      let path = pathInside(walk.path)
      if try shared.isLost(in: sharedParts(at: self.walk(to: path).location)) {
        changeLosses.add(.sharedInFull, path: path)
      }
    }
  }

  /// Makes a change. Undoes it if it fails, or if programs could not read the result.
  private func guarded(_ walk: Walk, _ body: () throws(FerryError) -> Void) throws(FerryError) {
    let state = currentChange.mode.keepsState ? state : nil
    do throws(FerryError) {
      let archiveGuard =
        currentChange.mode.checksObjects
        ? try ArchiveGuard(of: list, options.catalog, walk, asStored: archive == nil) : nil
      try body()
      try archiveGuard?.check(with: archiveEditor)
      if currentChange.mode.checksObjects { try checkTypedstream() }
    } catch {
      if let state { self.state = state }
      archiveEditor = nil
      throw error
    }
  }

  /// Makes a change at a location, which has a path in this file.
  private func perform(
    _ change: Change, _ last: ValuePath.Step?, at location: ValueLocation, _ path: ValuePath
  ) throws(FerryError) {
    let editor = try editor()
    let depth = path.steps.count
    switch (change, last) {
    case (.set(let new), _), (.setOrInsert(let new), _):
      let value = try inlined(value(new, at: location), at: location)
      // A value that moves to the place of an equal one takes its text along.
      if try list.carries(value) ? true : !isUnchanged(value, at: location) {
        try checkLookalikes(in: value)
        try checkDepth(of: value, in: depth)
        try checkCells(of: value, in: depth)
        let isOverride =
          if case .setOrInsert = change { try overrideMerged(location, at: path, with: value) } else { false }
        if !isOverride {
          let isMoved = list.carries(value)
          if try !setKeepingEqualParts(new, value, at: location) { try editor.set(value, at: location) }
          // The element stays the same one, also if it moves after that.
          if format.description.hasEditableElements, !isMoved {
            try list.setOrigin(of: list.node(at: location.trail), replacing: location.node)
          }
        }
        reportOtherForms(of: value, at: path)
      }
    case (.insert(let new), let last?):
      if let key = try newIndexKey(last, in: location, path) { indexKeys.append(key) }
      if try insert(new, at: last, intoElement: location, path) { return }
      if try insert(new, at: last, intoMissingRoot: location) { return }
      let inserted = path.appending(last)
      do throws(FerryError) {
        let value = try value(new, insertedAt: last, of: location)
        try checkLookalikes(in: value)
        try checkDepth(of: value, in: depth + 1)
        // A table, which is a list, has no keys.
        if depth > 0 || !last.isKey { try checkCells(of: value, in: depth + 1) }
        try editor.insert(value, last, into: removingMergedEntry(last, from: location))
        reportOtherForms(of: value, at: inserted)
      } catch {
        guard case .key = last, error.isOfNewValue else { throw error }
        throw error.placed(path: outerPath.appending(inserted.steps[...]))
      }
      try checkLookalike(at: location)
    case (.remove, let last?):
      try checkCells(of: nil, in: depth + 1)
      try editor.remove(last, from: location)
      try checkLookalike(at: location)
    case (.rename(let key, let replaces), let last?):
      try checkCells(of: nil, in: depth + 1)
      if let key = try newIndexKey(.key(key), in: location, path) { indexKeys.append(key) }
      let location = try removingMergedEntry(.key(key), from: location)
      try editor.rename(last, to: key, in: location, replacing: replaces)
      try checkLookalike(at: location)
    default: break
    }
  }

  /// Returns true if the value at a location already equals the new value.
  private func isUnchanged(_ value: Value, at location: ValueLocation) throws(FerryError) -> Bool {
    let mayBeLarge = try !walker.isScalar(location)
    switch value {
    case .array, .set, .dictionary, .object, .reference: break
    default: if mayBeLarge { return false }
    }
    return (try? self.value(at: location)) == value
  }

  func editor() throws(FerryError) -> PropertyEditor {
    if archive != nil, archiveEditor == nil {
      archiveEditor = try ArchiveEditor(list, options.catalog, storage: archivedStorage)
    }
    return PropertyEditor(list: list, walker: walker, archive: archiveEditor)
  }
}
