// The values at paths.

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
    var isWhole: Bool {
      get throws(FerryError) { try file.isWhole(location) }
    }

    /// Returns the report of losses in the value, which adds them to that of the file.
    func losses(in report: LossReport) -> LossReport {
      LossReport(to: report, inside: path)
    }

    /// True if the value is the text of a document in the typed form.
    var isTypedText: Bool {
      get throws(FerryError) {
        guard try isWhole, try file.list.entry("$ferry", of: location.node) != nil else { return false }
        return try file.format.isTypedDocument(file.source.copy, budget: file.options.budget)
      }
    }

    /// True if the value is the list of the documents of its file.
    var isListOfDocuments: Bool {
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
  func isWhole(_ location: ValueLocation) throws(FerryError) -> Bool {
    guard location.inner.isEmpty else { return false }
    return try location.node == walker.start([]).location.node
  }

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

}
