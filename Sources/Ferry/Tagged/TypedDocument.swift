/// A document in the typed form: a value with the layout of the original binary file, or an archive.
///
///     {"$ferry": 1, "$value": […], "$layout": {…}}
///     {"$ferry": 1, "$archiver": "NSKeyedArchiver", "$top": {"root": …}, "$classes": {…}, "$layout": {…}}
///
/// The document is read completely before anything is written, because its target is usually a binary file.
struct TypedDocument {
  /// The nodes of the property list, or of the archive's raw property list.
  let nodes: PropertyListTree
  let isArchive: Bool
  let layout: BinaryLayout

  private static let tags: Set<ExactString> = ["$ferry", "$value", "$layout"]

  /// Reads a document from a tape without tagged scalars. An error outside of its values is located at the
  /// beginning of the document.
  init(_ tape: consuming EventTape, budget: Budget) throws(FerryError) {
    let start = tape.count > 0 ? tape.location(at: .start) : nil
    do throws(FerryError) {
      try self.init(partsOf: consume tape, budget)
    } catch {
      throw start.map { error.placed(at: $0) } ?? error
    }
  }

  /// Reads a document from an input in the given format, as a tape without tagged scalars.
  ///
  /// - Parameter losses: Receives the losses of patches for other values in documents in data.
  static func tape(
    reading input: any ByteInput, format: Format, budget: Budget, losses: LossReport?
  ) throws(FerryError) -> EventTape {
    let locator = SourceLocator()
    let tapeSink = TapeSink(locator: locator)
    let syntax = format.typedSyntax ?? .object
    try read(
      input, as: syntax,
      into: UntaggedScalars(to: tapeSink, budget: budget, locator: locator, losses: losses),
      budget: budget, locator: locator)
    return tapeSink.tape
  }

  /// Reads an input in a syntax of the typed form.
  static func read(
    _ input: any ByteInput, as syntax: FormatDescription.TypedSyntax, into sink: any ValueSink,
    budget: Budget,
    locator: SourceLocator
  ) throws(FerryError) {
    switch syntax {
    case .dictionary:
      try XMLPropertyListReader(into: sink, budget: budget, losses: nil, locator: locator).readAll(input)
    case .mapping:
      try YAMLReader(into: sink, ReaderContext(budget: budget, locator: locator)).readAll(input)
    case .map: try JSONElements.read(input, into: sink, budget: budget, locator: locator)
    case .object:
      try JSONReader(into: sink, budget: budget, losses: nil, locator: locator).readAll(input)
    }
  }

  private init(partsOf tape: consuming EventTape, _ budget: Budget) throws(FerryError) {
    guard tape.isBalanced, tape.count > 0, tape.kind(at: .start) == .beginDictionary else {
      throw FerryError(.typed(.missing("\"$ferry\"")))
    }
    let parts = try tape.partsOfTypedDocument()
    let layoutParts = try Self.layoutParts(parts, of: tape)
    nodes = PropertyListTree(budget: budget)
    if parts["$top"] != nil {
      let (graph, archiveLayout) = try TypedArchiveReader.graph(tape, parts, layoutParts, budget: budget)
      layout = try TypedLayout.read(layoutParts, of: tape, rule: .archiver)
      // The events of a large document are not kept beside its nodes.
      tape = EventTape()
      var writer = try ArchiveGraphWriter(graph, archiveLayout, sharesKeys: layout.deviations.isEmpty)
      try writer.send(to: nodes)
      try nodes.finish()
      isArchive = true
    } else {
      guard let value = parts["$value"] else { throw FerryError(.typed(.missing("\"$value\" or \"$top\""))) }
      try tape.checkKeys(of: parts, Self.tags)
      var reader = TypedPropertyListReader(copy tape, into: nodes)
      try reader.read(valueAt: value)
      isArchive = try nodes.isKeyedArchive
      try nodes.finish()
      layout = try TypedLayout.read(layoutParts, of: tape, rule: isArchive ? .archiver : .equalScalars)
    }
  }

  /// Reads the value of a document without its layout.
  ///
  /// - Parameter tape: The document, without tagged scalars.
  /// - Returns: False if the document is an archive or a typedstream.
  static func readValue(of tape: EventTape, into nodes: PropertyListTree) throws(FerryError) -> Bool {
    let parts = try tape.partsOfTypedDocument()
    guard parts["$top"] == nil, parts["$stream"] == nil else { return false }
    guard let value = parts["$value"] else { throw FerryError(.typed(.missing("\"$value\""))) }
    try tape.checkKeys(of: parts, tags)
    var reader = TypedPropertyListReader(copy tape, into: nodes)
    try reader.read(valueAt: value)
    try nodes.finish()
    return true
  }

  /// Returns the tape indices of the properties in a document's layout.
  private static func layoutParts(
    _ parts: [ExactString: TapeIndex], of tape: EventTape
  ) throws(FerryError) -> [ExactString: TapeIndex] {
    let layoutParts = try parts["$layout"].map(tape.parts) ?? [:]
    try TypedLayout.checkNames(layoutParts, of: tape, isArchive: parts["$top"] != nil)
    return layoutParts
  }

  /// Sends nodes as a document. An archive is sent as its objects if these reproduce the archive exactly,
  /// otherwise as its raw property list.
  ///
  /// - Parameter known: The scalars of a binary file, if they were found with its layout.
  /// - Returns: True if the document is known to restore the bytes of the file. Only a file with a patch, or in XML, has to be written again to
  ///   know it: the layout of any other file was compared with its objects when it was derived.
  @discardableResult
  static func send(
    _ nodes: any PropertyListNodes, layout: BinaryLayout?, known: consuming KnownScalars? = nil,
    isArchive: Bool,
    to sink: any ValueSink, budget: Budget
  ) throws(FerryError) -> Bool {
    if isArchive, let archive = try ArchiveDocument(nodes, layout, known: consume known, budget) {
      if archive.isDetermined {
        try archive.send(to: sink)
        return true
      }
      if let tape = try archive.verifiedTape(of: nodes) {
        try tape.replay(into: sink)
        return true
      }
    }
    try begin(sink)
    try sink.key(BorrowedText("$value".utf8.span))
    var list = try TypedPropertyListWriter(nodes, to: sink, budget: budget)
    try list.send()
    try send(layout, nil, to: sink)
    try sink.endDictionary()
    return layout.map { $0.patch == nil } ?? false
  }

  /// Sends the beginning of a document.
  static func begin(_ sink: any ValueSink) throws(FerryError) {
    try sink.beginDictionary(count: nil)
    try sink.key(BorrowedText("$ferry".utf8.span))
    try sink.integer(Int128(TypedNotation.version))
  }

  /// Sends the layout of a document if it has one.
  static func send(_ layout: BinaryLayout?, _ archive: ArchiveLayout?, to sink: any ValueSink)
    throws(FerryError)
  {
    guard layout?.isEmpty == false || archive?.isEmpty == false else { return }
    try sink.key(BorrowedText("$layout".utf8.span))
    try sink.beginDictionary(count: nil)
    if let archive { try archive.send(to: sink) }
    if let layout { try TypedLayout.send(layout, to: sink) }
    try sink.endDictionary()
  }

  /// Writes the document as a binary file.
  ///
  /// - Parameter losses: Receives the loss of a patch for other values.
  func write(to output: any ByteOutput, losses: LossReport? = nil) throws(FerryError) {
    try BinaryObjects.write(nodes, layout: layout, to: output, losses: losses)
  }
}
