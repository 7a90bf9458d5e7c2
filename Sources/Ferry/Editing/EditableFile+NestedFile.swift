// The file inside data, which is opened, changed and written back into the data.

extension EditableFile {
  /// Opens the file inside the data at a location.
  func nested(at location: ValueLocation, after path: ValuePath, for step: ValuePath.Step? = nil)
    throws(FerryError)
    -> EditableFile
  {
    // Data has no name, and a file of an archive has one.
    let name = opensFiles ? try fileName(at: location) : nil
    do throws(FerryError) {
      let limit = options.budget.nesting
      guard nesting < limit else { throw FerryError(.overBudget(.nesting(limit))) }
      guard let data = try walker.dataLocation(of: location) else { throw FerryError(.path(.isRoot)) }
      let bytes = try list.withData(of: data.node) { bytes throws(FerryError) in [UInt8](copying: bytes) }
      var options = options
      options.format = nil
      if name == nil { options.declaredFormats = DeclaredFormats() }
      return try EditableFile(
        FileBytes(bytes), named: name, options: options, nesting: nesting + 1, at: path,
        inside: containers + [name])
    } catch {
      // The advice in errors about files, such as naming the format, does not apply to a file inside data.
      if case .file = error.reason {
        throw FerryError(.path(.unreadData(step: step.map(\.inWords) ?? "value")), path: path)
      }
      var placed = placed(error, inFileNamed: name, at: path)
      if name == nil, case .json(let problem) = error.reason { placed.reason = .json(problem.inData) }
      throw placed
    }
  }

  /// Returns an error in the file inside data, or in a file of an archive, with its path and its location in this file.
  ///
  /// - Parameter name: The name of the file in an archive, or nil.
  func placed(_ error: FerryError, inFileNamed name: String?, at path: ValuePath) -> FerryError {
    var placed = error.placed(inside: containers + [name])
    placed.path = path.appending(error.path.steps[...])
    guard let name, placed.location.isEmpty else { return placed.placed(inInput: filePath) }
    return placed.placed(inFile: filePath.map { "\($0)/\(name)" })
  }

  /// Returns true if a new value replaces the root of the file inside data, and not the data. That is so for a JSON collection, and for a
  /// text that can express the root object of an archive, such as a color. Base64 of a file, as `get` prints it, replaces the data.
  func meansNestedRoot(_ change: Change, _ walk: Walk) throws(FerryError) -> Bool {
    guard case .set(let new) = change, walk.isComplete, try walker.dataLocation(of: walk.location) != nil
    else { return false }
    if let json = given(by: new), json.isCollection {
      guard let inner = try replaceableFile(at: walk.location, after: walk.path),
        inner.archive?.hasOnlyRoot ?? true
      else { return false }
      // `{"$data": …}` is new data, and replaces the data. The conversion fails for objects of classes that only the archive inside can have.
      return (try? value(ofJSON: json, isTyped: false, LostNotations()))?.isCollectionOrObject ?? true
    }
    // A text replaces data that is not a file, or not a valid one.
    guard let text = new.typedText, let inner = try? nested(at: walk.location, after: walk.path),
      inner.archive?.hasOnlyRoot ?? false
    else { return false }
    if let value = try value(shownAs: text, at: walk.location), case .data = value.scalar { return false }
    guard !isFileInBase64(text) else { return false }
    return try inner.isExpressibleAsText(at: inner.walker.start([]).location)
      || (try? TextType.data.value(of: text)) == nil
  }

  /// Returns the value that is given as JSON; nil for other values, and for a text that is not JSON, which is an error when it is set.
  private func given(by new: NewValue) -> Value? {
    if case .json(let value) = new { value } else { json(of: new) }
  }

  /// Returns true if a text is Base64 of a file of a format that data may hold. Other Base64 may also be a word or a number: `blue`, `2024`.
  private func isFileInBase64(_ text: String) -> Bool {
    guard case .data(let bytes)? = try? TextType.data.value(of: text) else { return false }
    return NestedData(bytes, budget: options.budget) != nil
  }

  /// Changes the file inside the data at a location, and replaces the data by the changed file in the same
  /// format.
  func changeData(_ change: Change, _ walk: Walk) throws(FerryError) {
    try changeData(at: walk) { inner throws(FerryError) in
      _ = try inner.changeSelected(change, ValuePath(Array(walk.rest)))
    }
  }

  /// Makes a change of the file inside the data at a location, and replaces the data by the changed file.
  func changeData(
    at walk: Walk, _ change: (EditableFile) throws(FerryError) -> Void
  ) throws(FerryError) {
    let inner = try nested(at: walk.location, after: walk.path, for: walk.rest.first)
    try inner.locating { () throws(FerryError) in try change(inner) }
    let losses = LossReport()
    do throws(FerryError) {
      let data = Value.data(try inner.bytes(losses: losses))
      try withCopies(.set(.value(data)), nil, at: walk.location) { location throws(FerryError) in
        try editor().set(data, at: location)
      }
      list.copies.changeCountInData += inner.changedCopies
    } catch {
      throw error.placed(path: walk.path)
    }
    changeLosses.add(losses.all, under: pathInside(walk.path).steps)
    if archive != nil { try openArchive() }
  }
}
