// The conversion of JSON to values of the format of a file.

extension EditableFile {
  /// Parses JSON as a value with the classes and types of the value at a location.
  func likened(_ text: String, at location: ValueLocation) throws(FerryError) -> Value {
    // The value may have a key twice, as `get` prints it.
    if let same = try collection(shownAs: text, at: location) { return same }
    return try likened(TextType.json.value(of: text, budget: options.budget), at: location)
  }

  /// Returns JSON as a value with the classes and types of the value at a location.
  func likened(_ json: Value, at location: ValueLocation) throws(FerryError) -> Value {
    guard !format.hasOnlyJSONValues else { return json }
    let shown = try shown(at: location)
    let lost = LostNotations()
    let likeness = EditedLikeness(
      catalog: options.catalog, lost: lost,
      notation: { json throws(FerryError) in try self.value(ofJSON: json, isTyped: false, lost) },
      entry: { key, json throws(FerryError) in try self.entry(key, json, lost) },
      keepsKeyTypes: archive == nil && list.capabilities.contains(.objectKeys),
      keepsNumberText: capabilities.keepsNumberText,
      demandsReal: { path throws(FerryError) in try self.demandsReal(at: path, of: location) },
      reference: { self.printed?.reference(for: $0) },
      isMoving: { self.printed?.isMoving($0) == true },
      objects: EditedLikeness.objects(in: shown.value, shown: shown.json))
    let value = try likeness.value(
      of: json, shown: shown.json, like: shown.value, at: ValuePath())
    report(lost)
    // Between changes of parts, references mean objects of the archive.
    guard try editor().archive?.shared == nil else { return value }
    return value.completed(with: likeness.objects.mapValues(\.object))
  }

  /// Converts JSON to a value in this file's format, and reports the numbers that lose their notation.
  func value(ofJSON json: Value, isTyped: Bool = false) throws(FerryError) -> Value {
    let lost = LostNotations()
    let value = try value(ofJSON: json, isTyped: isTyped, lost)
    report(lost)
    return value
  }

  /// Converts JSON to a value in this file's format, and counts the numbers that lose their notation.
  func value(ofJSON json: Value, isTyped: Bool, _ lost: LostNotations) throws(FerryError) -> Value {
    if format.hasOnlyJSONValues, !isTyped { return json }
    guard options.representation != .raw || format.hasOnlyJSONValues else {
      let builder = ValueBuilder()
      let references = RawReferences(to: builder)
      try json.replay(into: references)
      try references.finish()
      let value = try builder.result()
      if try list.isKeyedArchive { try value.checkReferences() }
      return try numbers.stored(value, lost)
    }
    return try notation(isTyped: isTyped, lost).value(of: json)
  }

  /// Converts an entry of a dictionary in JSON. Returns nil if the key alone is a tag.
  private func entry(
    _ key: Value, _ json: Value, _ lost: LostNotations
  ) throws(FerryError) -> (Value, Value)? {
    guard options.representation != .raw else {
      return (key, try value(ofJSON: json, isTyped: false, lost))
    }
    return try notation(isTyped: false, lost).entry(key, json)
  }

  private func notation(isTyped: Bool, _ lost: LostNotations) -> ObjectNotation {
    let hasObjects = archive != nil || format.isArchive || format.description.hasEditableObjects
    let numbers = numbers
    return ObjectNotation(
      isTyped: isTyped, hasObjects: hasObjects, printed: printed,
      number: { text throws(FerryError) in try numbers.stored(text, lost) },
      { name throws(FerryError) in try self.type(named: name) })
  }

  private func type(named name: String) throws(FerryError) -> ObjectClass? {
    try editor().archive?.type(named: name)
  }
}

extension Value {
  /// Throws if a dictionary in the value only looks like a reference. The depth of the value is limited
  /// by the JSON reader.
  fileprivate func checkReferences() throws(FerryError) {
    switch self {
    case .array(let values): for value in values { try value.checkReferences() }
    case .dictionary(let entries):
      guard entries.count != 1 || entries["CF$UID"] == nil else {
        throw FerryError(
          .path(.cannotPut("this CF$UID", "a reference has the number of an object: {\"CF$UID\": 5}")))
      }
      for (_, value) in entries { try value.checkReferences() }
    default: return
    }
  }
}
