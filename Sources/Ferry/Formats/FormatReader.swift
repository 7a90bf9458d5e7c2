/// The way to read the files of a format. The layers above the formats open an input by it.
enum FormatReader: Sendable {
  /// A stream of events, which a reader of chunks sends to a sink.
  case stream(@Sendable (any ValueSink, ReaderContext) throws(FerryError) -> any ChunkReader)
  /// A property list whose nodes refer to each other, so that it is opened as a whole.
  case nodes(@Sendable (any Input, Budget) throws(FerryError) -> any PropertyListNodes)
  /// Elements, which a schema or the convention for XML interprets.
  case elements
  /// A typedstream, which is opened as a whole.
  case typedstream
  /// The tables of a database.
  case database
}

/// The surroundings of a reader: its limits, and the receivers of everything that it reports beside events.
struct ReaderContext {
  var budget: Budget
  /// The receiver of the parts of the input that events do not carry.
  var losses: LossReport?
  /// The receiver of the source locations of values; nil if no sink asks for them.
  var locator: SourceLocator?
  /// The receiver of the errors of records that are left out; nil to throw the first of them.
  var failed: FailedRecords?

  init(
    budget: Budget, losses: LossReport? = nil, locator: SourceLocator? = nil, failed: FailedRecords? = nil
  ) {
    (self.budget, self.losses, self.locator, self.failed) = (budget, losses, locator, failed)
  }
}

extension ChunkReader {
  /// Reads a whole input in its chunks.
  func readAll(_ input: any Input) throws(FerryError) {
    try input.forEachChunk { chunk throws(FerryError) in try read(chunk) }
    try finish()
  }
}

extension Format {
  /// The format of keyed archives in the syntax of this format of property lists, or this format.
  var asArchive: Format { description.archiveFormat ?? self }
  /// The format of the property list that an archive of this format is stored as, or this format.
  var asPropertyList: Format { description.propertyListFormat ?? self }

  /// Opens an input as the nodes of a property list; nil if the values of the format are no property list.
  func nodes(of input: any Input, budget: Budget) throws(FerryError) -> (any PropertyListNodes)? {
    switch description.reader {
    case .nodes(let open): return try open(input, budget)
    case .stream(let makeReader) where isEditedByPath:
      return try PropertyListTree(of: input, as: description.noun) { tree throws(FerryError) in
        try makeReader(tree, ReaderContext(budget: budget))
      }
    case .stream, .elements, .typedstream, .database: return nil
    }
  }
}

extension PropertyListTree {
  /// Reads the property list in an input. Error messages name `format` as the format that cannot represent a
  /// value.
  convenience init(
    of input: any Input, as format: String,
    _ makeReader: (PropertyListTree) throws(FerryError) -> any ChunkReader
  ) throws(FerryError) {
    self.init(for: format)
    try makeReader(self).readAll(input)
    try finish()
  }

  /// Reads JSON.
  convenience init(json bytes: [UInt8], budget: Budget) throws(FerryError) {
    try self.init(of: MemoryInput(bytes), as: "JSON") { tree in JSONReader(into: tree, budget: budget) }
  }

  /// Reads an XML property list.
  convenience init(xml input: any Input, budget: Budget) throws(FerryError) {
    try self.init(of: input, as: "an XML property list") { tree in
      XMLPropertyListReader(into: tree, budget: budget)
    }
  }
}
