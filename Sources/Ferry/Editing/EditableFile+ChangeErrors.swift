// Checks of changes, and the errors of changes that are not possible at their paths.

extension EditableFile {
  /// Throws if a change is inside a key of a dictionary, because the key could become equal to another one.
  func checkKey(_ walk: Walk, _ change: Change) throws(FerryError) {
    guard walk.location.isKey || walk.passed.contains(where: \.isKey) else { return }
    let advice = "remove the entry and insert one with the new key"
    if case .remove = change {
      throw FerryError(.path(.cannotRemove("it is a part of a key (\(advice))")), path: walk.path)
    }
    throw FerryError(.path(.cannotPut("another key", .other(advice))), path: walk.path)
  }

  /// Throws if a change would give an object of an archive another class, whose keys the object does not
  /// have.
  func checkClass(_ location: ValueLocation, _ change: Change) throws(FerryError) {
    guard archive != nil, case .set = change, case .value(let entry)? = location.trail.children.last else {
      return
    }
    let object = try list.node(at: location.trail.parent)
    guard location.isField, try list.isString(list.key(entry, of: object), "$class") else { return }
    throw FerryError(.path(.cannotPut("this value", .keepsClass)))
  }

  /// Throws if a change would renumber objects of an archive in raw form, because other objects refer to them
  /// by number.
  func checkNumbers(_ location: ValueLocation, _ change: Change, _ last: ValuePath.Step?)
    throws(FerryError)
  {
    guard let last, try list.isKeyedArchive,
      try location.node == list.value("$objects", of: list.root),
      case .array(let count) = try list.kind(of: location.node)
    else { return }
    switch (change, last) {
    case (.insert, .end), (.insert, .index(count)), (.remove, .index(count - 1)), (.remove, .index(-1)):
      return
    case (.remove, _):
      throw FerryError(.path(.cannotRemove("objects refer to each other by number, so only the last can go")))
    default:
      throw FerryError(
        .path(
          .cannotInsert("objects refer to each other by number, so a new one goes to the end: $objects[]")))
    }
  }

  /// Throws if a new value in `depth` collections would make the file so deep that it could not be read again.
  func checkDepth(of value: Value, in depth: Int) throws(FerryError) {
    let limit = options.budget.depth
    guard value.isNested(deeperThan: limit - depth) else { return }
    throw FerryError(.overBudget(.depth(limit)))
  }

  // MARK: Errors

  /// Returns the error of a change that needs a last step for a path without steps.
  func noLastStep(_ change: Change) -> FerryError {
    guard case .remove = change else {
      return FerryError(
        .path(.cannotInsert("the path does not say where the new value goes (items[] is after the last)")))
    }
    return FerryError(.path(.isRoot))
  }

  /// Returns the error of a missing key as that of the name of a new file, which a path has divided at its points. Returns nil for other
  /// errors.
  func namingNewFile(
    _ error: FerryError, _ steps: ArraySlice<ValuePath.Step>, after path: ValuePath
  ) -> FerryError? {
    guard hasFiles, case .path(.noKey(let key, _, _)) = error.reason,
      error.path.steps.count == path.steps.count
    else { return nil }
    var keys: [String] = []
    for step in steps {
      guard case .key(let key) = step else { return nil }
      keys.append(key)
    }
    let name = keys.joined(separator: ".")
    return FerryError(.path(.dividedKey(key, of: name, isNew: true)), path: error.path)
  }

  /// Adds to the error of a missing last step that `insert` can add the value. Leaves the error of an object in an archive unchanged,
  /// because the class determines an object's keys.
  func namingInsertion(_ error: FerryError) -> FerryError {
    guard case .path(let problem) = error.reason, takesNewParts(at: pathInside(error.path)) else {
      return error
    }
    switch problem.ofOne {
    case .noKey: break
    case .noElement(let index, let count) where index == count: break
    default: return error
    }
    return FerryError(.path(.onlyInsertable(problem)), path: error.path)
  }

  /// Returns false for an object in an archive, a part of its decoded form, and a value in data in the archive.
  private func takesNewParts(at path: ValuePath) -> Bool {
    guard archive != nil else { return true }
    guard let walk = try? walk(to: path), walk.endsAtNode,
      let parts = try? walker.parts(of: walk.location)
    else { return false }
    return switch parts {
    case .none, .entries(_, _, isObject: true), .decodedObject: false
    case .elements, .numbered, .entries, .pairs, .numberedPairs: true
    }
  }
}

extension FerryError {
  /// True if the error is about a new value, and not about the collection that would get it.
  var isOfNewValue: Bool {
    switch reason {
    case .path(.badText), .path(.cannotPut), .cannotHold: true
    default: false
    }
  }

  /// The error for the new value of an edit. A value that the class of an object does not accept has no place in the file.
  var ofEdit: FerryError {
    guard case .archive(.noDecodedForm) = reason else { return self }
    return FerryError(.path(.cannotPut("this value", .other("\(reason)"))), path: path)
  }
}
