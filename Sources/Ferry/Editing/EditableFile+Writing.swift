extension EditableFile {
  /// Returns the file with all changes, compressed as the file was.
  ///
  ///     let (bytes, losses) = try file.edited()
  ///     losses.counts.first?.kind     // .comment
  ///
  /// - Returns: The bytes, which are the original ones if nothing was changed. And the losses: the comments, processing instructions and
  ///   attributes inside the old values that a change has replaced, and the shared objects inside that it has copied. Those beside the
  ///   values stay.
  /// - Throws: An error if the format cannot represent a value, with the operation if a patch gives it.
  public func edited() throws(FerryError) -> (bytes: [UInt8], losses: Losses) {
    let losses = LossReport()
    let bytes = try bytes(losses: losses)
    return (bytes, losses.all)
  }

  /// Returns the file's bytes as `edited()` does.
  ///
  /// - Parameter losses: Receives the losses.
  package func bytes(losses: LossReport = LossReport()) throws(FerryError) -> [UInt8] {
    try naming { () throws(FerryError) in try stored.bytes(with: contents(losses: losses)) }
  }

  /// Returns the decompressed bytes of the file with all changes.
  package func contents(losses: LossReport) throws(FerryError) -> [UInt8] {
    guard !list.isUnchanged else { return source.copy }
    do throws(FerryError) { return try changedContents(losses: losses) } catch {
      let named = namingOperation(of: error) { () throws(FerryError) in
        _ = try changedContents(losses: LossReport())
      }
      // The path of an operation is that of its value.
      if case .path(.inPatch) = named.reason { throw named }
      throw placingValue(named)
    }
  }

  private func changedContents(losses: LossReport) throws(FerryError) -> [UInt8] {
    guard !list.isUnchanged else { return source.copy }
    try orderMergedEntries()
    losses.add(changeLosses.all)
    let bytes = try writtenContents(losses: losses)
    // A document in the typed form that could not be read before may stay so.
    guard let problem = format.typedProblem(in: bytes, budget: options.budget),
      format.typedProblem(in: source.copy, budget: options.budget) == nil
    else { return bytes }
    throw FerryError(.path(.cannotPut("the change", .unreadable(problem.reason))))
  }

  private func writtenContents(losses: LossReport) throws(FerryError) -> [UInt8] {
    if let file = list.base as? BinaryPropertyList { return try binaryBytes(of: file) }
    if let files = list.base as? ZIPNodes { return try archiveBytes(of: files, losses) }
    if let typedstream { return try TypedstreamEdits(of: list, over: typedstream).bytes() }
    let text = source.copy
    guard let tree = list.base as? PropertyListTree else { return text }
    if let read = format.description.editableTable {
      var context = ReaderContext(budget: options.budget)
      context.csv = options.csv
      let edits = try CSVEdits(
        of: list, over: tree, source: read(text, context), options.csv, losses: losses)
      return try edits.bytes { text throws(FerryError) in try read(text, context) }
    }
    if format.description.hasEditableElements {
      guard (try? format.isTypedDocument(text, budget: options.budget)) != true else {
        throw FerryError(.path(.notEditableTypedXML))
      }
      if let bytes = try bytesWithTypes(text, losses) { return bytes }
      var options = options
      options.format = format
      return try elementEdits(over: tree, source: text, losses: losses).bytes(
        reading: { bytes throws(FerryError) in try EditableFile(bytes, options: options).list },
        sending: { bytes, sink throws(FerryError) in
          try EditableFile.sendValues(of: bytes, options, into: sink)
        })
    }
    do throws(FerryError) {
      return try textEdits(over: tree, losses: losses).bytes()
    } catch {
      throw options.changesAliases ? error.ofAllAliases : error
    }
  }

  /// Returns the writer of the changed text.
  func textEdits(over tree: PropertyListTree, losses: LossReport) throws(FerryError) -> TextEdits {
    let edits = try TextEdits(
      of: list, over: tree, source: source.copy, unchanged.textLayout, format: format, losses: losses)
    unchanged.textLayout = edits.layout
    return edits
  }

  /// Returns the writer of the changed elements of a document of XML.
  func elementEdits(over tree: PropertyListTree, source text: [UInt8], losses: LossReport) -> XMLEdits {
    XMLEdits(
      of: list, over: tree, source: text, schema: elementSchema(of: text),
      hasKeysLikeJSON: options.escapesPrefixes, losses: losses)
  }

  /// Returns the built-in schema that describes the values of a document of XML, or nil.
  func elementSchema(of text: [UInt8]) -> Schema? {
    SchemaProbe(Array(text.prefix(FormatDetector.headSize)), budget: options.budget).schema
  }

  /// Returns the text of a document of XML that was written with types; nil for others. The changed values become elements with the
  /// attributes of their types, and the document is changed as one without types.
  private func bytesWithTypes(_ text: [UInt8], _ losses: LossReport) throws(FerryError) -> [UInt8]? {
    guard let document = try documentWithTypes(text) else { return nil }
    do throws(FerryError) { return try bytes(of: document, losses) } catch {
      let hasNewValues = list.nodeCount > list.firstNewNode.index
      guard !hasNewValues, case .path(.cannotPut(_, let obstacle)) = error.reason else { throw error }
      throw FerryError(.path(obstacle.ofRemoval), path: error.path)
    }
  }

  /// The elements of a document of XML that was written with types.
  private struct DocumentWithTypes {
    /// The document as one without types.
    let stored: EditableFile
    let root: (key: Value, value: Value)
    let elements: TypedElements
  }

  private func documentWithTypes(_ text: [UInt8]) throws(FerryError) -> DocumentWithTypes? {
    let utf8 = XMLTextEncoding(of: text).utf8(text)
    guard options.findsTypes, XMLTypeAttribute.mayBeDeclared(in: utf8.span) else { return nil }
    var reading = options
    (reading.format, reading.findsTypes, reading.xml.types) = (format, false, .none)
    // The keys of a document with types are like those of JSON, which have no namespaces.
    reading.escapesPrefixes = true
    let stored = try EditableFile(text, options: reading)
    guard case .dictionary(let roots) = try stored.list.builtValue(of: stored.list.root), roots.count == 1,
      let elements = TypedElements(root: roots[0].value)
    else { return nil }
    return DocumentWithTypes(stored: stored, root: (roots[0].key, roots[0].value), elements: elements)
  }

  /// Returns true if the values of a document of XML are those of its root element, by the element's name. False for a list of records and
  /// for values in an element that is not part of them.
  func findRootElement() throws(FerryError) -> Bool {
    guard case .dictionary(1) = try list.base.kind(of: list.base.root) else { return false }
    guard let document = try documentWithTypes(source.copy) else { return true }
    return !document.elements.isWrapper(document.root.value)
  }

  /// Returns true for a document of XML that was written with types.
  func hasElementTypes() throws(FerryError) -> Bool {
    if let known = unchanged.hasElementTypes { return known }
    let isFound = try documentWithTypes(source.copy) != nil
    unchanged.hasElementTypes = isFound
    return isFound
  }

  private func bytes(of document: DocumentWithTypes, _ losses: LossReport) throws(FerryError) -> [UInt8] {
    let (stored, root, elements) = (document.stored, document.root, document.elements)
    let (old, new) = (try list.base.builtValue(of: list.base.root), try list.builtValue(of: list.root))
    let element: Value
    if elements.isWrapper(root.value) {
      element = elements.element(for: new, stored: root.value, old: old)
    } else {
      guard case .dictionary(let entries) = new, entries.count == 1, let value = entries[root.key],
        case .dictionary(let before) = old, let name = root.key.plainText, !name.isEmpty
      else {
        throw FerryError(
          .path(.cannotPut("the value", "an XML document has one root element, which keeps its name")))
      }
      element = elements.element(for: value, stored: root.value, old: before[root.key])
    }
    try stored.set(elements.declaringPrefixes(element), at: ValuePath([.key(root.key.plainText ?? "")]))
    try setOrigins(ofElementsIn: stored, isWrapper: elements.isWrapper(root.value))
    let found = LossReport()
    let bytes = try stored.contents(losses: found)
    var typed = options
    typed.format = format
    let read = try EditableFile(bytes, options: typed).list
    guard try TypedElements.isSame(read.builtValue(of: read.root), as: new) else {
      throw FerryError(.path(.cannotPut("the value", .readsBackOtherwise(isUnicode: true))))
    }
    // The types show the collections that would be lost without them.
    losses.add(found.all.filtered { $0 != .arrayOfOne && $0 != .emptyCollection })
    return bytes
  }

  /// Writes the file, replacing an existing file atomically. Keeps the file's mode, and follows a symbolic
  /// link.
  ///
  /// The existing file is replaced also if another program has changed it since this file was opened. To refuse that, begin an
  /// ``InPlaceEdit`` before opening the file, and replace the file with it:
  ///
  ///     let edit = try InPlaceEdit(of: path)
  ///     let file = try EditableFile(path: edit.path)
  ///     try file.set("Ada", at: "[0].name")
  ///     try edit.replace(with: file.edited().bytes)      // throws FileProblem.changedMeanwhile
  ///
  /// - Parameter path: The path of the file.
  /// - Returns: The losses, as those of `edited()`.
  /// - Throws: An error of the system, or if the format cannot represent a value. The existing file is
  ///   unchanged in that case.
  @discardableResult
  public func write(to path: String) throws(FerryError) -> Losses {
    let (bytes, losses) = try edited()
    let output = try FileOutput(path: path, replacing: true)
    try output.write(bytes.span)
    try output.commit()
    return losses
  }

  private func binaryBytes(of file: BinaryPropertyList) throws(FerryError) -> [UInt8] {
    let (layout, learned) = try learnedLayout(of: file)
    // New scalars share objects with equal scalars if the scalars of the existing file do.
    var sharing = ScalarSharing(learned, in: list)
    return try BinaryEdits(of: list, over: file, layout).bytes(sharing: sharing.shared(list.newScalars()))
  }

  private func learnedLayout(of file: BinaryPropertyList) throws(FerryError) -> UnchangedFile.LearnedLayout {
    if let known = unchanged.binaryLayout { return known }
    let learned = try BinaryLayout.learned(from: file)
    unchanged.binaryLayout = learned
    return learned
  }
}

extension Format {
  /// Returns the error of a document in the typed form that cannot be read; nil for one that can be, and for other files.
  fileprivate func typedProblem(in bytes: [UInt8], budget: Budget) -> FerryError? {
    guard !isArchive, typedSyntax != nil,
      let detected = try? DetectedInput(MemoryInput(bytes), named: nil, given: self, budget: budget),
      (try? detected.kind(budget: budget)) == .typed
    else { return nil }
    var options = ReadingOptions()
    options.budget = budget
    do throws(FerryError) {
      _ = try OpenedInput(detected, options)
      return nil
    } catch {
      return error
    }
  }
}
