/// An input of a known format, ready to be sent.
///
/// Streams are not read before they are sent. Binary files, and archives in XML, are read as a whole, because
/// their objects refer to each other.
final class OpenedInput {
  /// The contents of an input, as far as they are read before they are sent.
  enum Contents {
    /// Events, which a reader of chunks will send.
    case stream(@Sendable (any ValueSink, ReaderContext) throws(FerryError) -> any ChunkReader)
    /// XML elements; those that an XPath selects are in a tree.
    case elements(selection: [XMLNode]?)
    /// A property list, or the raw property list of an archive. A typed document of a binary file has the
    /// layout of that file.
    case nodes(any PropertyListNodes, typedLayout: BinaryLayout?)
    case typedstream(Typedstream)
    case database(SQLiteFile)
  }

  /// The final format: a binary property list may turn out to be an archive, and an archive in XML another
  /// property list.
  private(set) var format: Format
  let contents: Contents
  let input: any Input
  /// Sentences about the way in which the input was read: the reason why an XML document with the names of a
  /// built-in schema, or an archive with its class, was not read by it, and the objects that a class file does
  /// not fit.
  var notes: [String] = []
  private let head: [UInt8]

  /// Opens an input.
  init(_ detected: DetectedInput, _ options: ReadingOptions) throws(FerryError) {
    (input, format, head) = (detected.input, detected.format, detected.head)
    if TypedDocument.begins(head, format: format) {
      let document = try TypedDocument(reading: input, format: format, budget: options.budget)
      contents = .nodes(document.nodes, typedLayout: document.layout)
      format = document.isArchive ? .archive : .binaryPropertyList
      return
    }
    // An archive in XML may turn out to be another property list, which is read once more, as a stream.
    if !detected.isGiven, format.isArchive { try input.makeRewindable() }
    let opened = try Self.contents(of: detected, options)
    // Unless the format is given, the objects tell whether the file is an archive.
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

  private static func contents(
    of detected: DetectedInput, _ options: ReadingOptions
  ) throws(FerryError) -> Contents {
    let (input, budget) = (detected.input, options.budget)
    switch detected.format.description.reader {
    case .stream(let makeReader): return .stream(makeReader)
    case .nodes(let open): return .nodes(try open(input, budget), typedLayout: nil)
    case .elements:
      guard let xpath = options.select else { return .elements(selection: nil) }
      let reader = try XMLTreeReader(budget: budget)
      try reader.readAll(input)
      return .elements(selection: try reader.tree().select(xpath))
    case .typedstream: return .typedstream(try Typedstream(try input.readAll(), budget: budget))
    case .database: return .database(try SQLiteFile(input, budget: budget))
    }
  }

  /// The nodes of a property list or an archive; nil for other contents.
  var nodes: (any PropertyListNodes)? {
    if case .nodes(let nodes, _) = contents { nodes } else { nil }
  }

  /// True if the input is an archive, in any form.
  var isArchive: Bool { format.isArchive }

  /// The size of the input if its values may refer to each other, otherwise 0.
  var byteCount: Int {
    switch contents {
    case .nodes(let nodes, _): nodes.byteCount
    case .typedstream(let typedstream): typedstream.shapes.bytes.count
    case .stream, .elements, .database: 0
    }
  }

  /// Returns the number of objects in the archive, whose identities are their numbers: those of objects in
  /// opened data are higher. Returns 0 for any other input, and for an archive in the raw form.
  func objectCount(_ options: ReadingOptions) -> Int {
    guard let nodes, isArchive, options.representation != .raw else { return 0 }
    // A defective archive is reported with its source location when it is read.
    guard let list = try? nodes.value("$objects", of: nodes.root),
      case .array(let count)? = try? nodes.kind(of: list)
    else { return 0 }
    return count
  }

  /// Writes a binary file, or the binary file of a typed document, with exactly its bytes. Returns false if
  /// the input is neither.
  func writeBinary(to output: any ByteOutput) throws(FerryError) -> Bool {
    guard case .nodes(let nodes, let typedLayout) = contents else { return false }
    if let typedLayout, let tree = nodes as? PropertyListTree {
      let order = try ObjectOrder(
        of: tree.arena, layout: typedLayout, sharing: .noted(typedLayout.deviations))
      try BinaryObjects.write(order, of: tree.arena, layout: typedLayout, to: output)
      if !isArchive, tree.hasSet {
        notes.append("sets stay sets, as the typed form has them; few programs read sets in property lists")
      }
      return true
    }
    guard let file = nodes as? BinaryPropertyList else { return false }
    let layout = try BinaryLayout(of: file)
    let order = try ObjectOrder(of: file, layout: layout, sharing: .stored)
    try BinaryObjects.write(order, of: file, layout: layout, to: output)
    return true
  }

  /// Returns the columns of a table in the input's database, or of its single table; empty if the input is
  /// not a database.
  func columns(ofTable name: String?, _ options: ReadingOptions) throws(FerryError) -> [String] {
    guard case .database(let file) = contents else { return [] }
    return try StoreSource(file, options, LossReport()).columns(of: name)
  }

  /// Returns the name of the only table of the input's database that is sent; nil if several are, or if the
  /// input is not a database.
  func tableName(_ options: ReadingOptions) throws(FerryError) -> String? {
    guard case .database(let file) = contents else { return nil }
    return try StoreSource(file, options, LossReport()).nameOfOnlyRecords()
  }

  /// Returns the built-in schema that matches the input's root element or class.
  func matchingSchema(_ options: ReadingOptions) throws(FerryError) -> Schema? {
    switch contents {
    case .elements(let selection):
      let probe = SchemaProbe(head, budget: options.budget)
      guard let schema = probe.schema else {
        notes += probe.mismatch.map { [$0] } ?? []
        return nil
      }
      // The selected elements may be another part of the document than its records.
      return selection?.allSatisfy { $0.name.local == schema.record.element } == false ? nil : schema
    case .nodes(let nodes, _) where isArchive:
      // A defective archive is reported with its source location when it is read.
      guard let objects = try? ArchiveObjects(nodes),
        let probe = try? ArchiveSchemaProbe(objects, options.catalog)
      else { return nil }
      notes += probe.mismatch.map { [$0] } ?? []
      return probe.schema
    case .stream, .nodes, .typedstream, .database: return nil
    }
  }
}
