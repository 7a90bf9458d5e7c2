// JSON merge patches (RFC 7396).

extension EditableFile {
  /// Applies a JSON merge patch (RFC 7396): all of it, or nothing if a part fails.
  ///
  ///     try file.merge(["port": 8080, "log": ["level": "debug"], "proxy": .null])
  ///
  /// The entries of a dictionary in the patch change those of the dictionary at the same path: null removes an entry, a dictionary is merged,
  /// and any other value replaces the entry or adds one. In a place without a dictionary, a dictionary of the patch becomes the value,
  /// without its nulls. A dictionary may also be an object of an archive, or the root of a file inside data or a ZIP archive.
  ///
  /// As with `set(text:as:at:insertsMissing:)` and JSON, a value that replaces another one keeps its type and class if these can represent
  /// it, and `{"$date": …}` and the other notations of such JSON are values. Values that JSON does not have keep their types. A text in the
  /// place of such a value, such as a date or a color, must have its notation.
  ///
  /// - Throws: A `FerryError` with a `PathProblem` as its reason, or an error if the format cannot represent a value. Some formats find that
  ///   only when the file is written, by `edited()`.
  public func merge(_ patch: Value) throws(FerryError) {
    try naming { () throws(FerryError) in
      var parts: [MergedPart] = []
      try collect(patch, at: ValuePath(), Position(rootOf: self), into: &parts)
      parts = try distinct(parts)
      try editAll(parts.count) { index throws(FerryError) in
        if try !isRemoved(parts[index]) {
          do throws(FerryError) { try make(parts[index]) } catch {
            throw error.placed(path: parts[index].path)
          }
        }
        if index == parts.count - 1 { try checkRemoved(parts) }
      }
    }
  }

  /// The value of the file as a merge patch. The values of an archive are those of its JSON, because another file does not have its objects.
  /// Nil if the file is YAML without a value, such as one with only comments, which changes nothing.
  package var mergePatch: Value? {
    get throws(FerryError) {
      if try isMissingRoot(walker.start([]).location) { return nil }
      // Such a file would replace all records, and may be one that was not written in full.
      if originalBytes.isEmpty, format.isListOfRecords { throw FerryError(.file(.empty)) }
      guard archive != nil || typedstream != nil else { return try value(at: ValuePath()) }
      let json = try PlainForm.json { sink throws(FerryError) in try send(ValuePath(), into: sink) }
      return try Value(json: json, budget: options.budget)
    }
  }

  /// A change that a merge patch makes at a path.
  private struct MergedPart {
    let change: Change
    /// The part of the patch.
    let patch: Value
    let path: ValuePath
  }

  private func make(_ part: MergedPart) throws(FerryError) {
    guard case .setOrInsert(.json) = part.change else { return _ = try make(part.change, at: part.path) }
    try notingTypes(at: part.path) { () throws(FerryError) in _ = try make(part.change, at: part.path) }
  }

  /// Returns the parts without those that change the value of an earlier one in the same way: an object of an archive and an anchor of YAML may
  /// have several paths. Throws if the patch changes such a value in two ways.
  private func distinct(_ parts: [MergedPart]) throws(FerryError) -> [MergedPart] {
    var known: [ChangedPart: MergedPart] = [:]
    var distinct: [MergedPart] = []
    for part in parts {
      if let place = try self.part(changedAt: part.path) {
        if let earlier = known[place] {
          guard earlier.patch == part.patch else {
            let why = "it is also the value at \(earlier.path), for which the patch has another value"
            throw FerryError(.path(.cannotPut(part.patch.kindInWords, .other(why))), path: part.path)
          }
          continue
        }
        known[place] = part
      }
      distinct.append(part)
    }
    return distinct
  }

  /// Collects the changes that a part of a patch makes at a path.
  ///
  /// - Parameter position: The position of the value at the path; nil if there is none.
  private func collect(
    _ patch: Value, at path: ValuePath, _ position: Position?, into parts: inout [MergedPart]
  ) throws(FerryError) {
    guard case .dictionary(let entries) = patch, !isNotation(entries), let position,
      let dictionary = try dictionary(at: position, path)
    else {
      try checkRecords(replacedBy: patch, at: position, path)
      let value = patch.withoutNullEntries
      let new = value.needsTags ? NewValue.value(value) : value.asInPatch
      return parts.append(MergedPart(change: .setOrInsert(new), patch: patch, path: path))
    }
    if let location = dictionary.location, try dictionary.file.isMergedEntry(at: location) {
      // The entry of the merged dictionary stays.
      let old = try dictionary.file.value(at: dictionary.path)
      return parts.append(
        MergedPart(
          change: .setOrInsert(.value(old.merged(with: patch))), patch: patch, path: path))
    }
    for (key, value) in entries {
      guard let name = key.pathText ?? key.plainText else {
        throw FerryError(.path(.cannotPut("this key", "the keys of a merge patch are texts")), path: path)
      }
      var next = dictionary
      let found = try foundStep(name, after: &next, path, mayBeEnd: false)
      let path = path.appending(found.step)
      if case .null = value {
        if found.isEntry { parts.append(MergedPart(change: .remove, patch: value, path: path)) }
        continue
      }
      if found.isEntry { try next.follow(found.step) }
      try collect(value, at: path, found.isEntry ? next : nil, into: &parts)
    }
  }

  /// Returns true for the removal of an entry that an earlier part of the patch has removed, as that of a merged entry in YAML.
  private func isRemoved(_ part: MergedPart) throws(FerryError) -> Bool {
    guard case .remove = part.change else { return false }
    return try !hasValue(at: part.path)
  }

  /// Throws if a key that a patch removes is still in the file, because a merge key adds it.
  private func checkRemoved(_ parts: [MergedPart]) throws(FerryError) {
    guard options.changesAliases else { return }
    for part in parts {
      guard case .remove = part.change, case .key(let name)? = part.path.steps.last,
        try hasValue(at: part.path)
      else { continue }
      let why = "the merge key << would give \(MessageText.quoted(name)) another value"
      throw FerryError(.path(.cannotRemove("\(why) (remove that one, too)")), path: part.path)
    }
  }

  /// Returns the position of a dictionary, which may be the root of a file inside data. Returns nil for any other value.
  private func dictionary(at position: Position, _ path: ValuePath) throws(FerryError) -> Position? {
    guard let location = position.location else { return nil }
    let file = position.file
    if try file.walker.dataLocation(of: location) != nil {
      guard let inner = try file.replaceableFile(at: location, after: path) else { return nil }
      return try dictionary(at: Position(rootOf: inner), path)
    }
    return try file.summary(at: location).keys == nil ? nil : position
  }

  /// Throws if a part of a patch would replace all records of a file, such as the documents of YAML, by a value other than a list.
  private func checkRecords(
    replacedBy patch: Value, at position: Position?, _ path: ValuePath
  ) throws(FerryError) {
    guard var file = position?.file, let location = position?.location, patch.listElements == nil else {
      return
    }
    if try file.walker.dataLocation(of: location) != nil {
      guard let inner = try file.replaceableFile(at: location, after: path) else { return }
      file = inner
    } else if !location.trail.children.isEmpty {
      return
    }
    guard file.documents.areSeveral || file.format.isListOfRecords else { return }
    let why = "the file is a list of \(file.documents.areSeveral ? "documents" : "records")"
    throw FerryError(
      .path(.cannotPut(patch.kindInWords, .other("\(why) (a JSON patch changes one of them)"))), path: path)
  }

  /// Returns true if a dictionary in JSON means a value that JSON does not have.
  private func isNotation(_ entries: KeyedValues) -> Bool {
    guard !format.hasOnlyJSONValues else { return false }
    if entries["$class"] != nil { return true }
    return entries.count == 1 && ["$date", "$data", "$set"].contains { entries[$0] != nil }
  }
}

extension Value {
  /// The new value that JSON in a patch gives.
  fileprivate var asInPatch: EditableFile.NewValue {
    if case .string(let text) = self { .patchText(text) } else { .json(self) }
  }

  /// The value after a merge patch.
  fileprivate func merged(with patch: Value) -> Value {
    guard case .dictionary(let changes) = patch, case .dictionary(var entries) = self else {
      return patch.withoutNullEntries
    }
    // A key of YAML may be a number.
    var keys: [ExactString: Value] = [:]
    for key in entries.keys {
      if let text = key.mergedText, keys[text] == nil { keys[text] = key }
    }
    var removed: Set<Value> = []
    for (name, value) in changes {
      let text = name.mergedText
      let key = text.flatMap { keys[$0] } ?? name
      if case .null = value {
        removed.insert(key)
      } else {
        let old = removed.remove(key) == nil ? entries[key] : nil
        entries[key] = old?.merged(with: value) ?? value.withoutNullEntries
        if let text { keys[text] = key }
      }
    }
    entries.removeAll(where: removed.contains)
    return .dictionary(entries)
  }

  /// The text of a key, by which a merge patch names it; nil for a key that is a collection.
  private var mergedText: ExactString? { (pathText ?? plainText).map { ExactString($0) } }

  /// The value that a merge patch gives in a place without a dictionary. The elements of a list are not merged, and keep their nulls.
  fileprivate var withoutNullEntries: Value {
    guard case .dictionary(let entries) = self else { return self }
    var kept = KeyedValues()
    for (key, value) in entries {
      if case .null = value { continue }
      kept[key] = value.withoutNullEntries
    }
    return .dictionary(kept)
  }
}
