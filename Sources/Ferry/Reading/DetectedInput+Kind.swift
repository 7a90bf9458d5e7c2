// Documents whose values are those of another format: typed documents, and archives in the raw form.

extension Format {
  /// Returns true if bytes in this format are a document in the typed form.
  package func isTypedDocument(_ bytes: [UInt8], budget: Budget) throws(FerryError) -> Bool {
    try kind(of: bytes, budget: budget) == .typed
  }

  /// Returns the kind of a document in this format.
  func kind(of bytes: [UInt8], budget: Budget) throws(FerryError) -> DocumentProbe.Kind {
    try DetectedInput(MemoryInput(bytes), named: nil, given: self, budget: budget).kind(budget: budget)
  }
}

extension DetectedInput {
  /// Detects the format of an input with the options for reading it.
  ///
  /// - Parameter opensArchive: Pass true to read the only file in a ZIP archive in place of the archive.
  init(
    _ input: any ByteInput, named name: String?, _ options: ReadingOptions, opensArchive: Bool = false
  ) throws(FerryError) {
    try self.init(
      input, named: name, given: options.format, declared: options.declaredFormats,
      encoding: options.encoding, budget: options.budget, hasTableOptions: options.csv.areGiven,
      opensArchive: opensArchive)
  }

  /// Returns the kind of the input, whose decisive keys may follow others. An input with the keys of an archive can be read again.
  func kind(budget: Budget) throws(FerryError) -> DocumentProbe.Kind {
    switch DocumentProbe.beginning(of: head, format: format) {
    case .typed: return .typed
    case .other: return .other
    // The first bytes may have no key, but only white space or a long comment.
    case .needsAllKeys, nil:
      try input.makeRewindable()
      return try DocumentProbe.kind(of: input, format: format, budget: budget)
    }
  }

  /// Returns true for a document of other values in a text to which paths lead: the typed form, or the raw form of an archive, but not in
  /// XML. The input can be read again.
  func hasPathsOfText(budget: Budget) throws(FerryError) -> Bool {
    guard format.typedSyntax != .map else { return false }
    switch try kind(budget: budget) {
    case .typed: return true
    case .rawArchive: return try rawArchive(budget: budget) != nil
    case .other: return false
    }
  }

  /// Returns the raw property list of a document with the keys of an archive; nil if its values are not those of an archive, or cannot
  /// be read. The input can be read again.
  func rawArchive(budget: Budget) throws(FerryError) -> PropertyListTree? {
    guard let syntax = format.typedSyntax else { return nil }
    let tree = PropertyListTree(budget: budget)
    do throws(FerryError) {
      try TypedDocument.read(
        input, as: syntax, into: tree.receivingReferences, budget: budget, locator: SourceLocator())
      try tree.finish()
      if try tree.isKeyedArchive { return tree }
    } catch {
      // An error of the document is reported when it is read as another one.
    }
    try input.rewind()
    return nil
  }
}
