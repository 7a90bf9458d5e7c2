extension EditableFile {
  /// A location that matches a path, in this file or in a nested one.
  struct Match {
    let file: EditableFile
    let location: ValueLocation
    /// The path of the value, in the outermost file.
    let path: ValuePath
    /// The path of the outermost data around the value, with the steps inside it as the user gives them; nil if the value is in no data.
    var pathIntoData: ValuePath?

    /// True if the value is all of its file, which may be a file in data.
    fileprivate var isWhole: Bool {
      get throws(FerryError) { try file.isWhole(location) }
    }

    /// Returns the report of losses in the value, which adds them to that of the file.
    fileprivate func losses(in report: LossReport) -> LossReport {
      LossReport(to: report, inside: path)
    }

    /// True if the value is the text of a document in the typed form.
    fileprivate var isTypedText: Bool {
      get throws(FerryError) {
        guard try isWhole, try file.list.entry("$ferry", of: location.node) != nil else { return false }
        return try file.format.isTypedDocument(file.source.copy, budget: file.options.budget)
      }
    }

    /// True if the value is the list of the documents of its file.
    fileprivate var isListOfDocuments: Bool {
      get throws(FerryError) { file.documents.areSeveral ? try isWhole : false }
    }
  }

  /// Returns the value at a path. For a slice, returns an array of the values.
  ///
  /// - Throws: A `FerryError` with a `PathProblem` as its reason and the part of the path that exists as its path, or an error of the file.
  public func value(at path: ValuePath) throws(FerryError) -> Value {
    let builder = ValueBuilder()
    try send(path, into: builder)
    return try naming { () throws(FerryError) in try builder.result() }
  }

  /// Sends the value at a path to a sink. For a slice, sends an array of the values. Does not call `finish`.
  ///
  /// - Throws: A `FerryError` with a `PathProblem` as its reason and the part of the path that exists as its path, or an error of the file.
  public func send(_ path: ValuePath, into sink: any ValueSink) throws(FerryError) {
    try naming { () throws(FerryError) in try sendMatches(of: path, into: sink) }
  }

  private func sendMatches(of path: ValuePath, into sink: any ValueSink) throws(FerryError) {
    let found = try matches(of: path)
    guard found.isSeveral else {
      for match in found.matches { try match.file.send(match.location, into: sink) }
      return
    }
    try sink.beginArray(count: found.matches.count)
    for match in found.matches { try match.file.send(match.location, into: sink) }
    try sink.endArray()
  }

  /// Returns the value at a location.
  func value(at location: ValueLocation) throws(FerryError) -> Value {
    let builder = ValueBuilder()
    try send(location, into: builder)
    return try builder.result()
  }

  /// Sends the value at a location.
  ///
  /// - Parameter losses: Receives the entries of an archive beside its objects if the value is that of the archive, or nil.
  func send(
    _ location: ValueLocation, into sink: any ValueSink, _ given: ObjectSharing? = nil, budget: Budget? = nil,
    referringTo enclosing: [ObjectNumber] = [], losses: LossReport? = nil
  ) throws(FerryError) {
    try locating { () throws(FerryError) in
      try sendValue(location, into: sink, given, budget ?? options.budget, referringTo: enclosing, losses)
    }
  }

  private func sendValue(
    _ location: ValueLocation, into sink: any ValueSink, _ given: ObjectSharing?, _ budget: Budget,
    referringTo enclosing: [ObjectNumber], _ losses: LossReport?
  ) throws(FerryError) {
    let sharing = given ?? .init(options.shared)
    if opensFiles { return try sendFiles(location, into: sink, losses: losses) }
    guard let archive else {
      return try list.replay(
        location.node, into: sink, budget: options.budget, refersToScalars: sharing == .leavesInFull)
    }
    if let losses, try isWhole(location) { try archive.reportOtherEntries(to: losses) }
    let use = sharing == .allIdentities ? DecodedFormUse.scalars : options.decodedForms
    // The reader adds its notes about classes to those of the file.
    let forms = decodedForms.flatMap { $0.use == use ? $0 : nil }
    var reader = ArchiveReader(
      forms ?? ArchiveDecodedForms(of: archive, options.catalog, use), into: sink, sharing: sharing,
      budget: budget)
    guard !location.inner.isEmpty else {
      return try reader.read(from: location.node, referringTo: enclosing)
    }
    guard let part = try walker.decodedForm(at: location) else { return }
    try reader.read(part, of: location.node)
  }

  /// Returns true if the value at a location is all of this file.
  fileprivate func isWhole(_ location: ValueLocation) throws(FerryError) -> Bool {
    guard location.inner.isEmpty else { return false }
    return try location.node == walker.start([]).location.node
  }

  /// Writes the values at paths in another format. For several paths, a slice or a filter, writes an array of the values.
  ///
  /// - Parameters:
  ///   - paths: The paths of the values.
  ///   - writing: The format and the layout of the output. Its `shared` is not used: the options of the file have the style of
  ///     objects that have several references.
  ///   - output: The output.
  /// - Returns: The losses: data that the format cannot represent.
  /// - Throws: A `FerryError` with a `PathProblem` as its reason, an error of the file, or an error if the format cannot represent the
  ///   value at all.
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

  /// Returns true if a path matches a value. The error of a missing key would name similar keys, which takes time in proportion to the
  /// number of keys.
  package func hasValue(at path: ValuePath) throws(FerryError) -> Bool {
    let lists = listsKeys
    listsKeys = false
    defer { listsKeys = lists }
    do throws(FerryError) { return try count(at: path) > 0 } catch {
      guard error.isMissingValue else { throw error }
      return false
    }
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

  /// Returns the number of values that match a path. It is 1 unless the path has a slice, a filter or `[]`.
  ///
  /// - Throws: A `FerryError` with a `PathProblem` as its reason and the part of the path that exists as its path, or an error of the file.
  public func count(at path: ValuePath) throws(FerryError) -> Int {
    try naming { () throws(FerryError) in try matches(of: path).matches.count }
  }

  /// Returns true if the value at a location is printed as plain text. A reference in raw form is not: it is
  /// printed as JSON, `{"CF$UID": 5}`.
  func printsText(of location: ValueLocation) throws(FerryError) -> Bool {
    if archive == nil, case .uid = try list.kind(of: location.node) { return false }
    return try walker.isScalar(location)
  }

  /// Returns the bytes of the data at a path, the UTF-8 bytes of the string, or the bytes of the file in a ZIP archive, which may be of any
  /// format and need not be valid.
  ///
  /// - Throws: A `FerryError` with a `PathProblem` as its reason if the value is neither data nor a string, and no file of an archive.
  public func contents(at path: ValuePath) throws(FerryError) -> [UInt8] {
    if let bytes = try naming({ () throws(FerryError) in try fileBytes(at: path) }) { return bytes }
    let value = try value(at: path)
    return try naming { () throws(FerryError) in try contents(of: value, at: path) }
  }

  private func contents(of value: Value, at path: ValuePath) throws(FerryError) -> [UInt8] {
    switch value.scalar {
    case .data(let bytes): return bytes
    case .string(let text): return Array(text.utf8)
    case .unpairedString:
      let found = "a string with unpaired surrogates, which UTF-8 does not have"
      throw FerryError(.path(.noStep("bytes", into: found)), path: path)
    default: throw FerryError(.path(.noStep("bytes", into: "neither data nor a string")), path: path)
    }
  }

  /// The result of following steps.
  struct Walk {
    var location: ValueLocation
    /// The remaining steps: none, those from the first slice on, or those inside a file in the data at this
    /// location.
    var rest: ArraySlice<ValuePath.Step>
    var path: ValuePath
    var isInData = false
    /// The locations on the path, outermost first.
    var passed: [ValueLocation] = []

    /// True if no steps remain, and the location is that of a value of this file.
    var isComplete: Bool { rest.isEmpty && !isInData }
    /// True if that value is a node, and not a part of the decoded form of an object.
    var endsAtNode: Bool { isComplete && location.inner.isEmpty }
  }

  /// Follows steps to the end, or to the first step that may match several elements. With `isReading`, these
  /// steps include `[key=value]` and `[]`.
  ///
  /// - Parameter last: The step that follows the others in the path, for the errors of these; nil if there is none.
  func walk(
    _ steps: ArraySlice<ValuePath.Step>, before last: ValuePath.Step? = nil, from location: ValueLocation,
    after path: ValuePath, isReading: Bool
  ) throws(FerryError) -> Walk {
    let walker = walker
    var walk = Walk(location: location, rest: steps, path: path)
    while let step = walk.rest.first {
      do throws(FerryError) {
        if step.isSlice || (isReading && step.selects) {
          walk.isInData = try walker.dataLocation(of: walk.location) != nil
          return walk
        }
        guard let next = try walker.step(step, from: walk.location) else {
          walk.isInData = true
          return walk
        }
        walk.passed.append(walk.location)
        walk.location = next
      } catch {
        throw explaining(error, at: walk, before: last).placed(path: walk.path)
      }
      walk.path.steps.append(step)
      walk.rest.removeFirst()
    }
    return walk
  }

  /// Returns the error of a step with its reason: `#content` is only for reading, a key with points needs quotation marks, and the values
  /// that a document in the typed form describes have other paths in its text.
  func explaining(
    _ error: FerryError, at walk: Walk, before last: ValuePath.Step? = nil
  ) -> FerryError {
    if let named = namingPathInText(error, at: walk, before: last) { return named }
    guard case .path(.noKey(let key, _, _)) = error.reason else { return error }
    if format.isOfElements, walk.rest.first == .key("#content") {
      return FerryError(.path(.notEditable(format: "\"#content\"", .keysOfElements)))
    }
    guard let whole = keyWithPoints(at: walk, before: last) else { return error }
    return FerryError(.path(.dividedKey(key, of: whole)))
  }

  /// Returns the error of the first step of a path to a value that a document in the typed form describes, such as the path of a conflict of
  /// `merge`, with the path in its text. Returns nil for other errors.
  private func namingPathInText(
    _ error: FerryError, at walk: Walk, before last: ValuePath.Step?
  ) -> FerryError? {
    switch error.reason {
    case .path(.noKey), .path(.noElement), .path(.noStep): break
    default: return nil
    }
    guard format.typedSyntax != nil, !format.isOfElements, walk.path.steps.count == outerPath.steps.count,
      let first = walk.rest.first, let parts = try? walker.parts(of: walk.location),
      (try? walker.child("$ferry", of: walk.location, parts)) != nil
    else { return nil }
    let steps = Array(walk.rest) + (last.map { [$0] } ?? [])
    let prefix = Self.pathsOfDescribedValues.first { prefix in
      var location = walk.location
      for step in prefix + steps.prefix(while: { !$0.isSlice && !$0.selects }) {
        guard let next = try? walker.step(step, from: location) else { return false }
        location = next
      }
      return true
    }
    guard let prefix else { return nil }
    let found = "a document in the typed form (write \(ValuePath(prefix + steps)))"
    return FerryError(.path(.noStep(first.inWords, into: found)))
  }

  /// The paths of the root object of an archive, and of the value of a property list, in a document in the typed form.
  private static let pathsOfDescribedValues: [[ValuePath.Step]] = [
    [.key("$top"), .key("root")], [.key("$value")],
  ]

  /// Returns an existing key with points, such as the name of a file, whose parts are the next steps of a path: `a.json`. Nil if there is no
  /// such key.
  private func keyWithPoints(at walk: Walk, before last: ValuePath.Step?) -> String? {
    guard let parts = try? walker.parts(of: walk.location) else { return nil }
    var whole: String?
    for step in (walk.rest + (last.map { [$0] } ?? [])).prefix(Self.mostPoints + 1) {
      guard case .key(let key) = step else { return nil }
      let longer = whole.map { "\($0).\(key)" }
      if let longer, (try? walker.child(longer, of: walk.location, parts)) != nil { return longer }
      whole = longer ?? key
    }
    return nil
  }

  /// The maximum number of points in a key that an error suggests.
  private static let mostPoints = 8

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
}

extension ValuePath.Step {
  /// True for `[*]` and `[1:3]`.
  fileprivate var isSlice: Bool { if case .slice = self { true } else { false } }

  /// True for `[key=value]` and `[]`, which may match several elements when reading, but one when changing.
  fileprivate var selects: Bool {
    switch self {
    case .filter, .end: true
    default: false
    }
  }
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
