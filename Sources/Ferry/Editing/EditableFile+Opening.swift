// The values of a file that is opened: nodes, or a tree that is read.

extension EditableFile {
  /// Returns a file as it is stored.
  static func stored(
    _ source: FileBytes, named name: String?, _ options: Options
  ) throws(FerryError) -> EncodedFile {
    try EncodedFile.opening(
      source, named: name, format: options.format, declared: options.declaredFormats,
      encoding: options.encoding, hasTableOptions: options.csv.areGiven, budget: options.budget)
  }

  /// Returns the contents of a stored file, with their format.
  static func detected(
    _ stored: EncodedFile, named name: String?, _ options: Options
  ) throws(FerryError) -> DetectedInput {
    try DetectedInput(
      FileBytesInput(stored.storedContents), named: name, given: options.format,
      declared: options.declaredFormats, encoding: stored.isTranscoded ? nil : options.encoding,
      budget: options.budget, hasTableOptions: options.csv.areGiven)
  }

  /// Opens the nodes of a file, which are those of a tree in a typedstream. If its format has no nodes, reads its values into a tree. Counts
  /// the references to undeclared entities that the values do not have.
  static func nodes(
    of detected: DetectedInput, _ options: Options, _ documents: FoundDocuments,
    leavingOut leftOut: inout Int,
    adapting adapt: (PropertyListTree) -> any ValueSink
  ) throws(FerryError) -> (any PropertyListNodes, TypedstreamTree?) {
    let (format, budget) = (detected.format, options.budget)
    // A database is not even opened.
    guard !format.description.isDatabase else { throw FerryError(.database(.noPaths)) }
    if !format.canRead { try detected.checkNotEmpty() }
    var reading = ReadingOptions()
    reading.budget = budget
    switch try OpenedInput.contents(of: detected, reading) {
    case .typedstream(let stream):
      let tree = try TypedstreamTree(stream, sharing: options.shared)
      return (tree.nodes, tree)
    case .files(let archive): return (ZIPNodes(archive, budget: budget), nil)
    case .nodes(let nodes, _): return (nodes, nil)
    case .stream, .elements, .database:
      let nodes = try format.nodes(
        of: detected.input, budget: budget, documents: documents, adapting: adapt)
      if let nodes { return (nodes, nil) }
      return (try tree(of: detected, options, leavingOut: &leftOut, adapting: adapt), nil)
    }
  }

  /// Reads the values of a file into a tree.
  private static func tree(
    of detected: DetectedInput, _ options: Options, leavingOut leftOut: inout Int,
    adapting adapt: (PropertyListTree) -> any ValueSink
  ) throws(FerryError) -> PropertyListTree {
    let tree = PropertyListTree(for: "JSON", budget: options.budget)
    leftOut = try sendPlain(detected, options, into: adapt(tree))
    return tree
  }

  /// Sends the values of a file to a sink. Returns the number of references to undeclared entities that the values do not have.
  private static func sendPlain(
    _ detected: DetectedInput, _ options: Options, into sink: any ValueSink
  ) throws(FerryError) -> Int {
    var reading = readingOptions(for: detected, options)
    // The values that a document in the typed form describes have their own keys, and not those of a schema.
    reading.matchesSchemas = try detected.kind(budget: options.budget) != .typed
    var plain = PlainReading(reading)
    plain.capabilities = .values
    let result = try plain.send(detected.input, named: detected.name, into: sink)
    return result.losses.counts.first { $0.kind == .undeclaredEntity }?.count ?? 0
  }

  /// Sends the values of a text file in memory to a sink, as they would be in its tree.
  static func sendValues(
    of bytes: [UInt8], _ options: Options, into sink: any ValueSink
  ) throws(FerryError) {
    let stored = try stored(FileBytes(bytes), named: nil, options)
    _ = try sendValues(of: detected(stored, named: nil, options), options, into: sink)
  }

  /// Sends the values of a text file to a sink, as they would be in its tree. Returns the number of references to undeclared entities that
  /// the values do not have.
  static func sendValues(
    of detected: DetectedInput, _ options: Options, into sink: any ValueSink
  ) throws(FerryError) -> Int {
    try check(options, for: detected.format)
    guard detected.format.description.textLayout != nil,
      case .stream(let makeReader) = detected.format.description.reader
    else { return try sendPlain(detected, options, into: sink) }
    var context = ReaderContext(budget: options.budget)
    context.documents = FoundDocuments()
    try makeReader(sink, context).readAll(detected.input)
    return 0
  }

  static func check(_ options: Options, for format: Format) throws(FerryError) {
    try options.csv.check(for: format)
    try options.xml.check(for: format)
    try options.checkAliases(for: format)
  }

  private static func readingOptions(for detected: DetectedInput, _ options: Options) -> ReadingOptions {
    var reading = ReadingOptions()
    (reading.format, reading.encoding) = (detected.format, detected.isTranscoded ? nil : options.encoding)
    (reading.csv, reading.xml) = (options.csv, options.xml.forPaths(findsTypes: options.findsTypes))
    reading.budget = options.budget
    return reading
  }

  /// Returns an error in a text with the path of the value that was being read. Few files have an error, so that the path is only tracked when
  /// the text is read again.
  static func placed(
    _ error: FerryError, in detected: DetectedInput, _ options: Options
  ) -> FerryError {
    guard error.path.isEmpty, !error.location.isEmpty, detected.format.description.hasValuesInOrder else {
      return error
    }
    var reading = readingOptions(for: detected, options)
    reading.matchesSchemas = false
    let sink = PathTrackingSink(to: NullSink())
    do throws(FerryError) {
      try detected.input.rewind()
      try reading.read(detected.input, named: detected.name, into: sink)
      return error
    } catch let again {
      guard again.location == error.location else { return error }
      return error.placed(path: again.path.isEmpty ? sink.path : again.path)
    }
  }
}

extension FormatCapabilities {
  /// The kinds of values in the tree of a file. Its objects become references by path, as in JSON.
  fileprivate static let values: FormatCapabilities = [
    .nulls, .numbers, .dates, .data, .sets, .singles, .notFinite, .nanPayloads, .decimals, .surrogates,
  ]
}
