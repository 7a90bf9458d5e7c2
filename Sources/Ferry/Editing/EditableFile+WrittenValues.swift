// The output of values at paths, in another format or as text.

extension EditableFile {
  /// Writes the values at paths in another format. For several paths, a slice or a filter, writes an array of the values.
  ///
  /// - Parameters:
  ///   - paths: The paths of the values.
  ///   - writing: The format and the layout of the output. Its `shared` is not used: the options of the file have the style of
  ///     objects that have several references. In the typed form, the values are a document without a layout.
  ///   - output: The output.
  /// - Returns: The losses: data that the format cannot represent.
  /// - Throws: A `FerryError` with a `PathProblem` as its reason, an error of the file, or an error if the format cannot represent the
  ///   value at all, as the typed form cannot represent a part of an archive (`TypedProblem.partOfArchive`).
  public func write(_ paths: [ValuePath], as writing: WritingOptions, to output: any ByteOutput)
    throws(FerryError)
    -> Losses
  {
    try naming { () throws(FerryError) in try writeValues(paths, as: writing, to: output) }
  }

  private func writeValues(_ paths: [ValuePath], as writing: WritingOptions, to output: any ByteOutput)
    throws(FerryError)
    -> Losses
  {
    let found = try matches(of: paths)
    if writing.representation == .typed {
      for match in found.matches { try checkHasTypedForm(match) }
    }
    // The number of elements that a filter finds must not change the form of the output.
    let isList = found.isSeveral || paths.contains(where: \.selectsList)
    let losses = readingLosses
    let budget = writing.streamsObjects ? options.budget.ofStreamedObjects : options.budget
    let objectCount = found.matches.map { self.objectCount(for: $0) }.min() ?? 0
    var conversion = conversion(writing: writing)
    if writing.format.isArchive {
      conversion.writing.archivedStorage.add(storage(of: found.matches))
      if !isList, let match = found.matches.first, let archive = match.file.archive,
        try match.isWhole
      {
        conversion.writing.archiveTop = ArchiveTop(of: archive)
      }
    }
    if !found.isSeveral, let match = found.matches.first {
      if try match.isListOfDocuments { conversion.writing.style.hasDocuments = true }
      conversion.writing.keepsTypedText = try match.isTypedText
    }
    try conversion.write(
      to: output, losses: losses, objectCount: objectCount, byteCount: list.byteCount
    ) { sink throws(FerryError) in
      if isList { try sink.beginArray(count: found.matches.count) }
      for match in found.matches {
        try match.file.send(
          match.location, into: sink, writing.format.isArchive ? .allIdentities : .init(options.shared),
          budget: budget, losses: match.losses(in: losses))
      }
      if isList { try sink.endArray() }
    }
    return losses.all
  }

  /// Throws if a value may have objects, which have a typed form only as parts of their file.
  private func checkHasTypedForm(_ match: Match) throws(FerryError) {
    guard match.file.archive == nil, !match.file.format.hasObjects else {
      throw FerryError(.typed(.partOfArchive), path: match.path)
    }
  }

  /// Returns the storage of scalars in the archives with the matches.
  private func storage(of matches: [Match]) -> ArchivedStorage {
    var (storage, known) = (ArchivedStorage(), Set<ObjectIdentifier>())
    for match in matches {
      guard let archive = match.file.archive, known.insert(ObjectIdentifier(archive)).inserted else {
        continue
      }
      storage.add(ArchivedStorage(of: archive))
    }
    return storage
  }

  /// Writes the values at paths as plain text, one on each line: a string without quotation marks, other
  /// scalars as their text, data in Base64, and collections as JSON.
  ///
  /// - Parameters:
  ///   - paths: The paths of the values.
  ///   - style: The layout of collections.
  ///   - output: The output.
  /// - Returns: The losses: data that JSON cannot represent.
  /// - Throws: A `FerryError` with a `PathProblem` as its reason, or an error of the file.
  public func writeText(_ paths: [ValuePath], style: OutputStyle = .compact, to output: any ByteOutput)
    throws(FerryError)
    -> Losses
  {
    try naming { () throws(FerryError) in
      let losses = readingLosses
      try writeLines(paths, style: style, to: output, adding: losses)
      return losses.all
    }
  }

  /// Writes the values at paths as `writeText(_:style:to:)`, and a text for each path without a value.
  package func writeText(
    _ paths: [ValuePath], or replacement: String, style: OutputStyle, to output: any ByteOutput
  ) throws(FerryError) -> Losses {
    let losses = readingLosses
    for path in paths {
      if try hasValue(at: path) {
        try naming { () throws(FerryError) in
          try writeLines([path], style: style, to: output, adding: losses)
        }
      } else {
        try output.write("\(replacement)\n".utf8.span)
      }
    }
    return losses.all
  }

  private func writeLines(
    _ paths: [ValuePath], style: OutputStyle, to output: any ByteOutput, adding losses: LossReport
  ) throws(FerryError) {
    var writing = WritingOptions(to: .json)
    writing.style = style
    var json = conversion(writing: writing)
    let budget = options.budget.ofStreamedObjects
    for match in try matches(of: paths).matches {
      let (file, location, lossesOfMatch) = (match.file, match.location, match.losses(in: losses))
      guard try file.printsText(of: location) else {
        json.writing.keepsTypedText = try match.isTypedText
        try json.write(
          to: output, losses: lossesOfMatch, objectCount: objectCount(for: match), byteCount: list.byteCount
        ) { sink throws(FerryError) in
          try file.send(location, into: sink, budget: budget, losses: lossesOfMatch)
        }
        continue
      }
      let builder = ValueBuilder()
      try file.send(location, into: builder, losses: lossesOfMatch)
      let value = try builder.result()
      if case .unpairedString = value.scalar { losses.add(.surrogate, path: match.path) }
      let line = (value.plainText ?? "null") + "\n"
      try output.write(line.utf8.span)
    }
  }

  /// Returns the conversion that writes values of the file, with the options by which the file was opened.
  private func conversion(writing: WritingOptions) -> Conversion {
    Conversion(writing: writing, ofFileOpenedBy: options)
  }

  /// A report with the losses of reading the file.
  private var readingLosses: LossReport { LossReport(leavingOutReferences: leftOutReferences) }

  /// Returns the number of this archive's objects if the match is in this file, so that the identities of its
  /// objects are their object numbers. Otherwise returns 0.
  private func objectCount(for match: Match) -> Int { match.file === self ? archive?.count ?? 0 : 0 }
}

extension Conversion {
  /// Creates the conversion that writes values of a file, with the options by which the file was opened.
  init(writing: WritingOptions, ofFileOpenedBy options: EditableFile.Options) {
    self.init(writing: writing)
    self.writing.shared = options.shared
    (reading.catalog, reading.budget) = (options.catalog, options.budget)
  }
}

extension LossReport {
  /// Creates a report of references to undeclared entities that the values of a file do not have.
  convenience init(leavingOutReferences count: Int) {
    self.init()
    for _ in 0..<count { add(.undeclaredEntity) }
  }
}
