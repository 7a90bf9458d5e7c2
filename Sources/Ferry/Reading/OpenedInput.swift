/// An input whose format is known, ready to send its value.
///
/// Streams are read only when they are sent. Binary files, and archives in XML, are read completely when they
/// are opened, because their objects refer to each other.
final class OpenedInput {
  /// The contents of an input, as far as they are read in advance.
  enum Contents {
    /// A stream. The closure makes a reader that takes chunks of bytes and sends events.
    case stream(@Sendable (any ValueSink, ReaderContext) throws(FerryError) -> any ChunkReader)
    /// An XML document, or what an XPath selects from it.
    case elements(selection: ElementSelection?)
    /// A property list, or an archive as its raw property list. If the input is a typed document of a binary
    /// file, `typedLayout` is the layout of that file.
    case nodes(any PropertyListNodes, typedLayout: BinaryLayout?)
    case typedstream(Typedstream)
    case database(SQLiteFile)
    case files(ZIPArchive)
  }

  /// The format as determined by the contents: a binary property list may turn out to be an archive, and an
  /// archive in XML another property list.
  private(set) var format: Format
  let contents: Contents
  /// The kind of document whose values the input describes; `other` for values of its own format.
  let kind: DocumentProbe.Kind
  private(set) var input: any ByteInput
  /// The start of the part of the input that is read; nil if the whole input is read.
  private(set) var rest: InputRest?
  /// Notes for the report: why a document with the names or the class of a built-in schema was not read with
  /// that schema, and which objects do not match their class file.
  var notes: [Note] = []
  /// The forms of the elements in selected elements of XML, after these have been sent; nil for other inputs.
  var listForms: ListForms?
  /// The indices of the lists in the options that elements matched, after the elements of XML have been sent; nil if they are
  /// not needed.
  var usedLists: Set<Int>?
  /// True for one of the parts that several threads convert, and false for the rest of an input after parts.
  let isPart: Bool
  /// The names and paths in a part of an XML document, after it has been sent; nil for other inputs.
  var names: XMLPartNames?
  /// Receives the names of the records' elements in a document of XML, if the records are written as elements of another one; otherwise nil.
  var recordElements: RecordElements?
  /// The losses of bytes that a typed document describes, because its values have changed since.
  let layoutLosses = LossReport()
  /// The columns of CSV without rows, after it has been sent; empty for other inputs.
  var columnsWithoutRows: [String] = []
  /// Knows whether the input has several documents, as soon as the list of them is sent.
  let documents = FoundDocuments()
  /// The first bytes of the input.
  let head: [UInt8]
  /// The elements of an XML document, if it was read before.
  let elements: KeptElements?
  /// The shape of an XML document, if an attempt to read it once has found it.
  var shape: XMLShape?
  /// The shape of the beginning of an XML document, if it was found to cut the document into parts.
  var shapeOfBeginning: XMLShape?
  /// The result of the search for types in the first bytes; nil before the search.
  private var foundTypes: RootTypes??
  /// The number of references to each object in a binary archive, if several threads have counted them.
  var referenceCounts: [UInt8]?
  /// The columns of a database, found when they are first needed.
  private var tablesOfDatabase: StoreSource.Tables?

  /// Opens an input.
  init(_ detected: DetectedInput, _ options: ReadingOptions) throws(FerryError) {
    (input, format, head, isPart) = (detected.input, detected.format, detected.head, false)
    elements = detected.elements
    notes = detected.notes(on: options)
    try options.xml.check(for: detected.format)
    // No path leads into the text of a document in XML.
    let readsText = options.readsTypedText && detected.format.typedSyntax != .map
    let kind = readsText ? .other : try detected.kind(budget: options.budget)
    if kind == .typed {
      self.kind = kind
      let tape = try TypedDocument.tape(
        reading: input, format: format, budget: options.budget, losses: layoutLosses)
      if let bytes = try TypedstreamDocument.bytes(in: tape, budget: options.budget, losses: layoutLosses) {
        contents = .typedstream(try Typedstream(bytes, budget: options.budget))
        format = .typedstream
        return
      }
      let document = try TypedDocument(consume tape, budget: options.budget)
      contents = .nodes(document.nodes, typedLayout: document.layout)
      format = document.isArchive ? .archive : .binaryPropertyList
      return
    }
    if kind == .rawArchive, let archive = try detected.rawArchive(budget: options.budget) {
      self.kind = kind
      contents = .nodes(archive, typedLayout: nil)
      format = .archive
      return
    }
    self.kind = .other
    // An archive in XML may turn out to be another property list, which is then read again as a stream.
    if !detected.isGiven, format.isArchive { try input.makeRewindable() }
    let opened = try Self.contents(of: detected, options)
    notes += Self.notes(on: opened, options)
    // The objects determine whether the file is an archive, unless the format is given.
    guard case .nodes(let nodes, _) = opened, !detected.isGiven else {
      contents = opened
      return
    }
    format = try nodes.isKeyedArchive ? format.asArchive : format.asPropertyList
    if case .stream(let makeReader) = format.description.reader {
      try input.rewind()
      contents = .stream(makeReader)
    } else {
      contents = opened
    }
  }

  /// Returns a note if a document of XML is held in memory for an XPath.
  private static func notes(on contents: Contents, _ options: ReadingOptions) -> [Note] {
    guard case .elements(let selection?) = contents, let tree = selection.tree, let xpath = options.select
    else { return [] }
    // An XPath with a prefix that the document lacks has no obstacle.
    var part = xpath
    do throws(XPathObstacle) { _ = try StreamedXPath(xpath, namespaces: options.xml.prefixes) } catch {
      part = error.part
    }
    return [.heldInMemory(part: part, byteCount: tree.byteCount)]
  }

  /// Creates an input whose format and contents are known: a part of an input.
  init(part input: any ByteInput, _ format: Format, _ contents: Contents) {
    (self.input, self.format, self.contents, kind, head, isPart) = (input, format, contents, .other, [], true)
    elements = nil
  }

  /// Opens the contents of an input by its format alone. A document that describes other values stays as it is.
  static func contents(
    of detected: DetectedInput, _ options: ReadingOptions
  ) throws(FerryError) -> Contents {
    let (input, budget) = (detected.input, options.budget)
    switch detected.format.description.reader {
    case .stream(let makeReader): return .stream(makeReader)
    case .nodes(let open): return .nodes(try open(input, budget), typedLayout: nil)
    case .elements:
      return .elements(
        selection: try options.select.map { xpath throws(FerryError) in
          try ElementSelection.selecting(xpath, from: detected, options)
        })
    case .typedstream: return .typedstream(try Typedstream(try input.readAll(), budget: budget))
    case .files: return .files(try ZIPArchive(reading: input, budget: budget))
    case .database: return .database(try DatabaseInput.database(in: input, budget: budget))
    case nil: throw FerryError(.file(.notRead(detected.format.rawValue)))
    }
  }

  /// Continues with the rest of the input, after several threads have read its beginning.
  func `continue`(with input: any ByteInput, from rest: InputRest) { (self.input, self.rest) = (input, rest) }

  /// The nodes of a property list or an archive, or nil for other contents.
  var nodes: (any PropertyListNodes)? {
    if case .nodes(let nodes, _) = contents { nodes } else { nil }
  }

  /// True if the input is a typedstream, or a typed document of one.
  var isTypedstream: Bool { if case .typedstream = contents { true } else { false } }

  /// Returns the types that the root element of an XML document declares; nil if there are none, or if they are not read.
  func rootTypes(_ options: ReadingOptions) -> RootTypes? {
    guard case .elements = contents else { return nil }
    if let foundTypes { return foundTypes }
    let types = RootTypes.find(in: head, options.xml, budget: options.budget)
    foundTypes = .some(types)
    return types
  }

  /// Returns the dialect of the records. A schema describes those of an XML document with types by their keys, as in JSON.
  func recordDialect(_ options: ReadingOptions) -> RecordDialect {
    rootTypes(options) == nil ? format.recordDialect : .xmlWithTypes
  }

  /// Returns true if the values of an XML document have the types that its attributes declare, although Ferry did not write it.
  func readsTypeAttributes(_ options: ReadingOptions) -> Bool {
    guard case .elements = contents else { return false }
    return options.schema == nil && options.xml.convention == .ferry && options.xml.types == .attributes
  }

  /// True if the input is a keyed archive, binary or XML.
  var isArchive: Bool { format.isArchive }

  /// The size of the input in bytes if its values may refer to each other, otherwise 0.
  var byteCount: Int {
    switch contents {
    case .nodes(let nodes, _): nodes.byteCount
    case .typedstream(let typedstream): typedstream.shapes.bytes.count
    case .stream, .elements, .database, .files: 0
    }
  }

  /// Returns the number of objects in the archive, whose identities are their object numbers. (Objects in
  /// opened data have higher identities.) Returns 0 for any other input, and for an archive in raw form.
  func objectCount(_ options: ReadingOptions) -> Int {
    guard let nodes, isArchive, options.representation != .raw else { return 0 }
    // The error of an invalid archive is thrown later, when the archive is read.
    guard let list = try? nodes.value("$objects", of: nodes.root),
      case .array(let count)? = try? nodes.kind(of: list)
    else { return 0 }
    return count
  }

  /// Writes a binary property list to an output with its exact bytes, also if the input is a typed document
  /// of a binary file. Returns false for other inputs.
  func writeBinary(to output: any ByteOutput) throws(FerryError) -> Bool {
    guard case .nodes(let nodes, let typedLayout) = contents else { return false }
    if let typedLayout, let tree = nodes as? PropertyListTree {
      try BinaryObjects.write(tree, layout: typedLayout, to: output, losses: layoutLosses)
      if !isArchive, tree.hasSet { notes.append(.setsKept) }
      return true
    }
    guard let file = nodes as? BinaryPropertyList else { return false }
    let layout = try BinaryLayout(of: file)
    let order = try ObjectOrder(of: file, layout: layout, sharing: .stored)
    try BinaryObjects.write(order, of: file, layout: layout, to: output)
    return true
  }

  /// Sends nodes in the typed form. An archive that a typed document describes is written, and read from these bytes,
  /// so that the result is that of the archive itself, with its layout.
  ///
  /// - Parameters:
  ///   - typedLayout: The layout of the binary file that the typed document describes; nil for another input.
  ///   - losses: Receives the loss of a patch for other values.
  func sendTyped(
    _ nodes: any PropertyListNodes, _ typedLayout: BinaryLayout?, into sink: any ValueSink, budget: Budget,
    losses: LossReport
  ) throws(FerryError) {
    var (nodes, layout) = (nodes, typedLayout)
    if isArchive, let typedLayout, let tree = nodes as? PropertyListTree {
      let output = MemoryOutput()
      try BinaryObjects.write(tree, layout: typedLayout, to: output, losses: losses)
      nodes = try BinaryPropertyList(output.bytes, budget: budget)
    }
    var known: KnownScalars?
    if let file = nodes as? BinaryPropertyList {
      let (learned, sharing) = try BinaryLayout.learned(from: file)
      layout = learned
      if isArchive { known = KnownScalars(sharing) }
    }
    try TypedDocument.send(
      nodes, layout: layout, known: known.take(), isArchive: isArchive, to: sink, budget: budget)
  }

  /// Writes a typedstream to an output with its exact bytes, also if the input is a typed document of one. Returns false for
  /// other inputs.
  func writeTypedstream(to output: any ByteOutput) throws(FerryError) -> Bool {
    guard case .typedstream(let typedstream) = contents else { return false }
    let bytes = typedstream.shapes.bytes
    try output.write(bytes.span)
    return true
  }

  /// Returns the columns of a table in a database. Without a name, returns the columns of the database's
  /// table that is sent, or those of CSV without rows. Returns an empty array for other inputs. All calls have the same options.
  func columns(ofTable name: String?, _ options: ReadingOptions) throws(FerryError) -> [String] {
    guard case .database(let file) = contents else { return name == nil ? columnsWithoutRows : [] }
    return try tables(of: file, options).columns(of: name)
  }

  /// Returns the stored version of the records in a table of a database. Without a name, returns that of the database's table that is
  /// sent. Returns nil for other inputs. All calls have the same options.
  func version(ofTable name: String?, _ options: ReadingOptions) throws(FerryError) -> Int? {
    guard case .database(let file) = contents else { return nil }
    return try tables(of: file, options).version(of: name)
  }

  private func tables(of file: SQLiteFile, _ options: ReadingOptions) throws(FerryError) -> StoreSource.Tables
  {
    if let tablesOfDatabase { return tablesOfDatabase }
    let tables = try StoreSource(file, options, LossReport()).openedTables()
    tablesOfDatabase = tables
    return tables
  }

  /// Returns the name of the only table of the input's database that is sent; nil if several are, or if the
  /// input is not a database.
  func tableName(_ options: ReadingOptions) throws(FerryError) -> String? {
    guard case .database(let file) = contents else { return nil }
    return try StoreSource(file, options, LossReport()).nameOfOnlyRecords()
  }

  /// Returns the names of the tables of the input's database, if it has several that are sent by their names.
  func tableNames(_ options: ReadingOptions) throws(FerryError) -> [String] {
    guard case .database(let file) = contents else { return [] }
    return try StoreSource(file, options, LossReport()).namesOfAll()
  }

  /// True if a built-in schema may match an input of this kind.
  var mayMatchSchema: Bool {
    switch contents {
    case .elements: true
    case .nodes: isArchive
    case .stream, .typedstream, .database, .files: false
    }
  }

  /// Returns true if all selected elements have a name.
  private func selects(
    only name: String, _ selection: ElementSelection, _ options: ReadingOptions
  ) throws(FerryError) -> Bool {
    if let names = selection.names { return names.allSatisfy { $0.equals(name) } }
    guard case .pattern(let pattern) = selection else { return false }
    var areAll = true
    let selector = ElementSelector(
      pattern,
      receive: { events, _, _ in if !events.name(events[0]).local.equals(name) { areAll = false } })
    try input.makeRewindable()
    // The error of an invalid document is thrown later, when the document is read.
    try? XMLStream(document: selector, budget: options.budget, entities: options.xml.entities)
      .readAll(input)
    try input.rewind()
    return areAll
  }

  /// Returns the built-in schema that matches the root element or the class of the input, or nil.
  func matchingSchema(_ options: ReadingOptions) throws(FerryError) -> Schema? {
    switch contents {
    case .elements(let selection):
      guard options.xml.isUsual, selection?.hasElementsAlone ?? true else { return nil }
      let probe = SchemaProbe(head, elements, budget: options.budget)
      guard let schema = probe.schema else {
        notes += probe.mismatch.map { [$0] } ?? []
        return nil
      }
      // The selected elements may be a part of the document that does not hold the records.
      guard let selection else { return schema }
      return try selects(only: schema.record.element, selection, options) ? schema : nil
    case .nodes(let nodes, _) where isArchive:
      // The error of an invalid archive is thrown later, when the archive is read.
      guard let objects = try? ArchiveObjects(nodes),
        let probe = try? ArchiveSchemaProbe(objects, options.catalog)
      else { return nil }
      notes += probe.mismatch.map { [$0] } ?? []
      return probe.schema
    case .stream, .nodes, .typedstream, .database, .files: return nil
    }
  }
}
