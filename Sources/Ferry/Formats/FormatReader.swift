/// The kind of reader of a format. Higher layers use it to open inputs.
enum FormatReader: Sendable {
  /// A reader of chunks, which sends a stream of events to a sink.
  case stream(@Sendable (any ValueSink, ReaderContext) throws(FerryError) -> any ChunkReader)
  /// A property list whose nodes refer to each other. It is opened as a whole.
  case nodes(@Sendable (any ByteInput, Budget) throws(FerryError) -> any PropertyListNodes)
  /// A reader of XML elements, which are interpreted by a schema or by convention.
  case elements
  /// A typedstream. It is opened as a whole.
  case typedstream
  /// The tables of a database.
  case database
  /// The files of an archive, each in its own format.
  case files
}

/// The limits of a reader, and the receivers of what it reports in addition to events.
struct ReaderContext {
  var budget: Budget
  /// Receives a loss for each part of the input that events cannot express.
  var losses: LossReport?
  /// Receives the source locations of values, or nil if no sink needs them.
  var locator: SourceLocator?
  /// Receives the errors of records that are left out, or nil to throw the first of them.
  var failed: FailedRecords?
  /// The treatment of tags that YAML does not define.
  var tags = Tags.ignored
  /// The encoding of a text that does not show it, or nil.
  var encoding: String?
  /// The properties of CSV.
  var csv = CSVReadingOptions()
  /// Receives that a text has several documents, or nil if only their values matter.
  var documents: FoundDocuments?

  /// The treatments of tags that YAML does not define, such as `!Ref`.
  enum Tags {
    /// A value with a tag is an object of a class.
    case classes
    /// Tags are left out, and each is reported as a loss of its class. The typed form has objects for archives only.
    case reported
    /// Tags are left out, because they stay in the text that is edited, or because only the values matter.
    case ignored
  }

  init(
    budget: Budget, losses: LossReport? = nil, locator: SourceLocator? = nil, failed: FailedRecords? = nil
  ) {
    (self.budget, self.losses, self.locator, self.failed) = (budget, losses, locator, failed)
  }
}

extension ChunkReader {
  /// Reads a whole input, chunk by chunk.
  func readAll(_ input: any ByteInput) throws(FerryError) {
    try input.forEachChunk { chunk throws(FerryError) in try read(chunk) }
    try finish()
  }
}

extension Format {
  /// The format of archives in this format of property lists, or this format if there is none.
  var asArchive: Format { description.archiveFormat ?? self }
  /// The format of the property list that stores an archive of this format, or this format if it is not one
  /// of archives.
  var asPropertyList: Format { description.propertyListFormat ?? self }

  /// Opens an input as the nodes of a property list. Returns nil if the format's values are not property
  /// lists.
  ///
  /// - Parameters:
  ///   - documents: Receives that the input has several documents, or nil.
  ///   - adapt: Returns the sink for the values that a stream sends, before the tree of these values.
  func nodes(
    of input: any ByteInput, budget: Budget, documents: FoundDocuments? = nil,
    adapting adapt: (PropertyListTree) -> any ValueSink = { $0 }
  ) throws(FerryError) -> (any PropertyListNodes)? {
    switch description.reader {
    case .nodes(let open): return try open(input, budget)
    case .stream(let makeReader) where description.textLayout != nil:
      return try PropertyListTree(of: input, as: description.noun, budget: budget) {
        tree throws(FerryError) in
        var context = ReaderContext(budget: budget)
        context.documents = documents
        return try makeReader(adapt(tree), context)
      }
    case .stream, .elements, .typedstream, .database, .files, nil: return nil
    }
  }
}

extension PropertyListTree {
  /// Reads the property list in an input.
  ///
  /// - Parameters:
  ///   - format: The name of the format in messages about values that it cannot represent.
  ///   - budget: The limits with which the values are read.
  convenience init(
    of input: any ByteInput, as format: String, budget: Budget,
    _ makeReader: (PropertyListTree) throws(FerryError) -> any ChunkReader
  ) throws(FerryError) {
    self.init(for: format, budget: budget)
    try makeReader(self).readAll(input)
    try finish()
  }

  /// Reads a JSON text.
  convenience init(json bytes: [UInt8], budget: Budget) throws(FerryError) {
    try self.init(of: MemoryInput(bytes), as: "JSON", budget: budget) { tree in
      JSONReader(into: tree, budget: budget)
    }
  }

  /// Reads an XML property list.
  convenience init(xml input: any ByteInput, budget: Budget) throws(FerryError) {
    try self.init(of: input, as: "an XML property list", budget: budget) { tree in
      XMLPropertyListReader(into: tree, budget: budget)
    }
  }
}
