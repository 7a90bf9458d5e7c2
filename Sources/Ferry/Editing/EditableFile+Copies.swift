// Changes of values that others of the text copy, such as the value of an anchor in YAML.

extension EditableFile.Options {
  /// Throws if aliases are to be changed in a file of a format that has none.
  func checkAliases(for format: Format) throws(FerryError) {
    guard changesAliases, !format.description.hasMergeKeys, !format.isArchiveOfFiles else { return }
    throw FerryError(.yaml(.notYAML(format: format.rawValue)))
  }
}

extension EditableFile {
  /// Makes a change at a location. If others copy the value there, makes it at the value in its own place and at all copies.
  ///
  /// - Parameters:
  ///   - last: The step of the part that is inserted or removed; nil to set the whole value.
  ///   - make: Makes the change at a location.
  func withCopies(
    _ change: Change, _ last: ValuePath.Step?, at location: ValueLocation,
    _ make: (ValueLocation) throws(FerryError) -> Void
  ) throws(FerryError) {
    guard let editor = try aliasEditor() else { return try make(location) }
    try editor.apply(change, last, at: location, make)
  }

  /// Notes that a path leads to a value that another one has changed already.
  func noteGiven(_ change: Change, at path: ValuePath) {
    let steps = change.isOfCollection ? Array(path.steps.dropLast()) : path.steps
    guard options.changesAliases, let walk = try? walk(to: ValuePath(steps)), walk.rest.isEmpty else {
      return
    }
    list.copies.noteGiven(walk.location.trail)
  }

  /// Returns the location of the collection that has a part in its own place, for a location in a text whose aliases are changed.
  func originalLocation(
    of location: ValueLocation, around last: ValuePath.Step?
  ) throws(FerryError) -> ValueLocation {
    try aliasEditor()?.originalLocation(of: location, around: last) ?? location
  }

  /// Returns the value that a merge key adds to a dictionary under a name after the changes so far. Nil if there is none.
  func mergedValue(_ name: String, in dictionary: NodeID) throws(FerryError) -> Value? {
    guard let copies = try copiesInText() else { return nil }
    return try AliasEditor(file: self, copies: copies).mergedValue(name, in: dictionary)
  }

  /// Puts entries that changes have added by merge keys into the order in which the changed text is read.
  func orderMergedEntries() throws(FerryError) {
    guard let copies = unchanged.textCopies else { return }
    try AliasEditor(file: self, copies: copies).orderMergedEntries()
  }

  /// True if changes of values are made at all of their copies in the text.
  func changesCopies() throws(FerryError) -> Bool { try aliasEditor() != nil }

  /// Returns an editor of the values that others copy. Nil if there are none, or if they are not changed with their copies.
  private func aliasEditor() throws(FerryError) -> AliasEditor? {
    guard options.changesAliases, format.description.hasMergeKeys, archive == nil,
      let copies = try copiesInText()
    else { return nil }
    return AliasEditor(file: self, copies: copies)
  }

  /// Returns the copies in the text before any changes. Nil if there are none.
  private func copiesInText() throws(FerryError) -> TextCopies? {
    if let known = unchanged.textCopies { return known.sources.isEmpty ? nil : known }
    let found = try syntaxOfText()?.copies()
    unchanged.textCopies = found ?? TextCopies()
    return found
  }
}

extension FerryError {
  /// The error of a change that is made at an anchor and its aliases.
  var ofAllAliases: FerryError {
    var error = self
    switch reason {
    case .yaml(.sharedValue(let anchor)), .yaml(.mergedEntry(_, let anchor?)):
      error.reason = .yaml(.notAtAliases(anchor: anchor))
    case .yaml(.mergedEntry(_, nil)): error.reason = .yaml(.notChanged)
    default: break
    }
    return error
  }
}
