// Patches of documents in the typed form, and of archives in the raw form. They change the text of the document, as `EditableFile` does, so
// that the texts are compared:
//
//     old.json     {"$ferry": 1, "$value": {"d": {"$date": "2020-01-01T00:00:00Z"}}}
//     new.plist    in the typed form {"$ferry": 1, "$value": {"d": {"$date": "2021-01-01T00:00:00Z"}}}
//     patch        replace /$value/d/$date

extension FileComparison {
  /// The comparison of two files by the texts of their documents.
  struct TypedTexts {
    /// The comparison, which reads the texts.
    let comparison: FileComparison
    /// The second file, as a document like the first one.
    let new: File
  }

  /// A document in the typed form, or an archive in the raw form.
  struct Document: Hashable {
    /// True for an archive in the raw form.
    let isRaw: Bool
    /// The format of the text.
    let format: Format
  }

  /// Returns the kind and the format of a file that is a document in the typed form, or an archive in the raw form; nil for other files, and
  /// if texts are read.
  func document(of file: File) -> Document? {
    guard !reading.readsTypedText, let detected = detected(file),
      let kind = try? detected.kind(budget: reading.budget)
    else { return nil }
    let document = Document(isRaw: kind == .rawArchive, format: detected.format.asPropertyList)
    switch kind {
    case .typed: return document
    case .rawArchive: return (try? detected.rawArchive(budget: reading.budget)) == nil ? nil : document
    case .other: return nil
    }
  }

  /// Returns a file, or the only file in a ZIP archive, with its format; nil for an invalid file, whose error is reported when its values
  /// are read.
  private func detected(_ file: File) -> DetectedInput? {
    let options = options(for: file)
    return try? DetectedInput(MemoryInput(file.bytes), named: file.name, options, opensArchive: true)
  }

  /// Returns the comparison by texts of two files, if the first is a document, or a ZIP archive with documents; nil for others, and if the
  /// values are not those of the whole files.
  ///
  /// - Throws: An error if the second file is not such a document, and does not contain one.
  func typedTexts(of old: File, _ new: File) throws(VersionError) -> TypedTexts? {
    guard !reading.readsTypedText, reading.schema == nil, reading.select == nil, hasValue(old), hasValue(new)
    else { return nil }
    var comparison = self
    comparison.reading.readsTypedText = true
    // Options for XML may be for the second file before it is converted.
    comparison.refusesUnusedOptions = false
    // The data in a document must have exactly the bytes of the second one.
    (comparison.reading.expandsData, comparison.comparesRecords) = (false, false)
    guard let document = document(of: old) else {
      guard try comparison.haveDocuments(inFilesOf: old, new) else { return nil }
      return TypedTexts(comparison: comparison, new: new)
    }
    guard document.format.typedSyntax != .map else { throw .old(FerryError(.path(.notEditableTypedXML))) }
    comparison.reading.format = document.format
    guard self.document(of: new) != document else { return TypedTexts(comparison: comparison, new: new) }
    let text = try comparison.read(old, as: nil, or: VersionError.old).value
    let converted = try self.document(of: new, like: document, expandsData: text?.hasOpenedData ?? false)
    return TypedTexts(comparison: comparison, new: converted)
  }

  /// Returns a file as a document like another one.
  ///
  /// - Parameter expandsData: True to open the documents in data.
  private func document(
    of file: File, like document: Document, expandsData: Bool
  ) throws(VersionError) -> File {
    let problem = document.isRaw ? PathProblem.noPatch("the other file is not an archive") : .notTyped
    guard hasAllTypes(file) else { throw .old(FerryError(.path(problem))) }
    let way = Way(
      format: document.format, representation: document.isRaw ? .raw : .typed, convertsNew: true)
    let text = try converted(
      file, by: way, expandsData: expandsData && !document.isRaw, or: VersionError.new)
    let kind = try? document.format.kind(of: text.bytes, budget: reading.budget)
    guard kind == (document.isRaw ? .rawArchive : .typed) else { throw .old(FerryError(.path(problem))) }
    // The format is given, so that the name of the file in its own format is not needed.
    return File(text.bytes, name: "text")
  }

  /// Returns the differences of the archiver's name and of the superclasses of classes in two archives, of which the first is a document in
  /// the typed form. The objects do not show them. Returns nil if there are none, and for other files.
  func differencesOfDescriptions(from old: File, to new: File) -> ValueDifferences? {
    guard reading.schema == nil, reading.select == nil, document(of: old)?.isRaw == false, hasAllTypes(new),
      let before = descriptions(in: old), let after = descriptions(in: new)
    else { return nil }
    let differences = ValueDifferences(from: .dictionary(before), to: .dictionary(after))
    return differences.all.isEmpty ? nil : differences
  }

  /// Returns the entries for the archiver and for classes in the typed form of a file; nil for another file.
  private func descriptions(in file: File) -> KeyedValues? {
    var texts = self
    (texts.reading.readsTypedText, texts.reading.format, texts.comparesRecords) = (true, .json, false)
    (texts.reading.expandsData, texts.refusesUnusedOptions) = (false, false)
    let json = Document(isRaw: false, format: .json)
    guard let text = try? document(of: file, like: json, expandsData: false),
      case .dictionary(let entries)? = try? texts.read(text, as: nil, or: VersionError.old).value
    else { return nil }
    var found = KeyedValues()
    for key in ["$archiver", "$classes"] { found[key] = entries[key] }
    return found
  }

  /// Returns true if a file is such a document, or of a format whose typed form has all types that documents have.
  func hasAllTypes(_ file: File) -> Bool {
    document(of: file) != nil || detected(file)?.format.hasTypedDocuments == true
  }

  /// Returns true if a ZIP archive has files that are documents.
  ///
  /// - Throws: An error if a file of the second ZIP archive has the name of a document, but is not a document.
  private func haveDocuments(inFilesOf old: File, _ new: File) throws(VersionError) -> Bool {
    guard formatOrNil(of: old)?.isArchiveOfFiles == true,
      case .dictionary(let files)? = try read(old, as: nil, or: VersionError.old).value,
      files.values.contains(where: \.isDocumentText)
    else { return false }
    guard case .dictionary(let others)? = try read(new, as: nil, or: VersionError.new).value else {
      return true
    }
    for (name, text) in files where text.isDocumentText {
      guard others[name]?.isDocumentText ?? true else {
        throw .old(FerryError(.path(.notTyped), path: ValuePath([.key(name.plainText ?? "")])))
      }
    }
    return true
  }

  /// Returns a JSON patch of the text of a document, which gives exactly the second document.
  func patch(of texts: TypedTexts, from old: File) throws(VersionError) -> Patch {
    let comparison = texts.comparison
    let differences = try comparison.differences(from: old, to: texts.new)
    let patch = try comparison.patch(of: differences, from: old, to: texts.new)
    guard reading.expandsData, patch.untested == nil else { return patch }
    let replaced = try VersionError.of(VersionError.old) { () throws(FerryError) in
      let changed = try comparison.patched(old, by: patch.bytes, comparison.editing(old))
      return try replacedData(from: old, to: changed)
    }
    if let replaced { throw .old(FerryError(.path(.replacesData(replaced)))) }
    return patch
  }

  /// Returns the operations that put the keys of documents in a file in the order that they have in another file with equal values. The
  /// order of an object's keys is that of its archive. Returns none if the values of documents are read.
  func keyOrder(from file: File, to other: File) throws(VersionError) -> [ValueDifferences.Operation] {
    guard reading.readsTypedText, let value = try read(file, as: nil, or: VersionError.old).value,
      let ordered = try read(other, as: nil, or: VersionError.new).value
    else { return [] }
    var operations: [ValueDifferences.Operation] = []
    guard reading.format?.isArchiveOfFiles ?? true else {
      value.addKeyOrder(of: ordered, at: ValuePath(), to: &operations)
      return operations
    }
    guard case .dictionary(let files) = value, case .dictionary(let others) = ordered else { return [] }
    for (name, text) in files where text.isDocumentText {
      guard let other = others[name], let key = name.plainText else { continue }
      text.addKeyOrder(of: other, at: ValuePath([.key(key)]), to: &operations)
    }
    return operations
  }
}

extension Format {
  /// True if the typed form of a file in this format has all types that documents in the typed form have.
  fileprivate var hasTypedDocuments: Bool { isArchive || asArchive.isArchive || isTypedstream }
}

extension Value {
  /// True if the value is the text of a document in the typed form, or of an archive in the raw form.
  fileprivate var isDocumentText: Bool {
    guard case .dictionary(let entries) = self else { return false }
    return entries[DocumentProbe.mark.string] != nil
      || DocumentProbe.requiredArchiveKeys.allSatisfy { entries[$0.string] != nil }
  }

  /// True if the value is the text of a document in the typed form that has documents in place of data.
  fileprivate var hasOpenedData: Bool {
    var waiting = [self]
    while let value = waiting.popLast() {
      if case .dictionary(let entries) = value, case .dictionary? = entries["$data"] { return true }
      waiting += value.parts
    }
    return false
  }

  /// Adds the operations that put the keys in the order of another value, which is equal apart from this order. A key that comes too early is
  /// removed and added again, at the end.
  fileprivate func addKeyOrder(
    of other: Value, at path: ValuePath, to operations: inout [ValueDifferences.Operation]
  ) {
    switch (self, other) {
    case (.array(let values), .array(let others)):
      for (index, (value, other)) in zip(values, others).enumerated() {
        value.addKeyOrder(of: other, at: path.appending(.index(index)), to: &operations)
      }
    case (.dictionary(let entries), .dictionary(let others)):
      // The first keys of the other value, as far as they follow each other here.
      var kept = 0
      let ordered = others.keys
      for key in entries.keys where kept < ordered.count && key == ordered[kept] { kept += 1 }
      for (index, key) in ordered.enumerated() {
        guard let name = key.plainText, let value = entries[key], let other = others[key] else { continue }
        let inner = path.appending(.key(name))
        if index < kept {
          value.addKeyOrder(of: other, at: inner, to: &operations)
        } else {
          operations += [.remove(at: inner), .add(other, at: inner)]
        }
      }
    default: break
    }
  }
}
