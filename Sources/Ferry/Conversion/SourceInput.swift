/// An input of a known format, ready to be sent.
///
/// Streams are not read before they are sent. Binary files, and archives in XML, are read as a whole, because
/// their objects refer to each other.
final class SourceInput {
  /// The final format: a binary property list may turn out to be an archive.
  private(set) var format: Format
  /// The property list of a binary file or an archive.
  private var nodes: (any PropertyListNodes)?
  /// The layout of the binary file for which a typed document was written.
  private var typedLayout: BinaryLayout?
  private var typedstream: Typedstream?
  private var database: SQLiteFile?
  /// The elements of an XML document that an XPath selects; nil without an XPath.
  private var selection: [XMLNode]?
  /// Sentences about the way in which the input was read: the reason why an XML document with the names of a
  /// built-in schema was not read by it, and the objects that a class file does not fit.
  private(set) var notes: [String] = []
  private let catalog: ClassCatalog
  private let input: any Input
  /// The numbers of objects and bytes in the file from which given values were taken.
  private let given: (objects: Int, bytes: Int)
  private let head: [UInt8]
  private let budget: Budget

  init(_ input: any Input, format: Format, isGiven: Bool, head: [UInt8], _ conversion: Conversion)
    throws(FerryError)
  {
    self.input = input
    given = (0, 0)
    self.format = format
    self.head = head
    budget = conversion.budget
    catalog = conversion.catalog
    if TypedDocument.begins(head, format: format) {
      try readTyped(format)
      return
    }
    switch format {
    case .binaryPropertyList, .archive:
      let list = try BinaryPropertyList(try input.readAll(), budget: budget)
      nodes = list
      // A file detected as binary is an archive if it has the keys of one; a file declared to be a property
      // list is not examined.
      if format == .binaryPropertyList, !isGiven, try list.isKeyedArchive {
        self.format = .archive
      }
    case .xmlArchive:
      let tree = PropertyListTree()
      let reader = XMLPropertyListReader(into: tree, budget: budget)
      try input.forEachChunk { chunk throws(FerryError) in try reader.read(chunk) }
      try reader.finish()
      try tree.finish()
      nodes = tree
    case .typedstream: typedstream = try Typedstream(try input.readAll(), budget: budget)
    case .sqlite: database = try SQLiteFile(input, budget: budget)
    case .xml: selection = try conversion.select.map { xpath throws(FerryError) in try select(xpath) }
    case .json, .jsonLines, .xmlPropertyList, .text, .tinyPix, .png: break
    }
  }

  private func select(_ xpath: String) throws(FerryError) -> [XMLNode] {
    let reader = try XMLTreeReader(budget: budget)
    try stream(reader)
    return try reader.tree().select(xpath)
  }

  private func readTyped(_ format: Format) throws(FerryError) {
    let locator = SourceLocator()
    let recorder = TapeRecorder(locator: locator)
    let sink = UntaggedScalars(to: recorder)
    switch format {
    case .xmlPropertyList:
      try stream(XMLPropertyListReader(into: sink, budget: budget, losses: nil, locator: locator))
    case .xml: try JSONElements.read(input, into: sink, budget: budget, locator: locator)
    default: try stream(JSONReader(into: sink, budget: budget, losses: nil, locator: locator))
    }
    let document = try TypedDocument(recorder.tape)
    nodes = document.nodes
    typedLayout = document.layout
    self.format = document.isArchive ? .archive : .binaryPropertyList
  }

  /// Writes a binary file, or the binary file of a typed document, with exactly its bytes. Returns false if
  /// the input is neither, or is an archive whose objects are to be decoded.
  func writeBinary(to output: any ByteOutput, _ conversion: Conversion) throws(FerryError) -> Bool {
    guard !isArchive || conversion.representation != .plain else { return false }
    if let typedLayout, let tree = nodes as? PropertyListTree {
      let order = try ObjectOrder(
        of: tree.arena, layout: typedLayout, sharing: .noted(typedLayout.deviations))
      try BinaryObjects.write(order, of: tree.arena, layout: typedLayout, to: output)
      return true
    }
    guard let file = nodes as? BinaryPropertyList else { return false }
    let layout = try BinaryLayout(of: file)
    let order = try ObjectOrder(of: file, layout: layout, sharing: .stored)
    try BinaryObjects.write(order, of: file, layout: layout, to: output)
    return true
  }

  /// Creates a source for values that were taken from a file of a size. `objectCount` is the number of objects
  /// in the file if the values' identities are object numbers, otherwise 0.
  init(valuesFor conversion: Conversion, isArchived: Bool, objectCount: Int, byteCount: Int) {
    input = MemoryInput([])
    given = (objectCount, byteCount)
    head = []
    format = isArchived ? .archive : .binaryPropertyList
    budget = conversion.budget
    catalog = conversion.catalog
  }

  /// True if keys may be values other than strings.
  var mayHaveObjectKeys: Bool { format.description.hasObjectKeys }

  /// The size of the input if its values may refer to each other, otherwise 0.
  var byteCount: Int { nodes?.byteCount ?? typedstream?.shapes.bytes.count ?? given.bytes }

  /// Returns true if the input is an XML document that no schema reads, so that its root element encloses the
  /// records.
  func isXMLByConvention(_ conversion: Conversion, _ schema: Schema?) -> Bool {
    format == .xml && schema == nil && conversion.select == nil
  }

  /// Returns the columns of a table in the input's database, or of its single table; empty if the input is
  /// not a database.
  func columns(ofTable name: String?, _ conversion: Conversion) throws(FerryError) -> [String] {
    guard let database else { return [] }
    return try StoreSource(database, conversion, LossReport()).columns(of: name)
  }

  /// Returns the number of objects in the archive, whose identities are their numbers: those of objects in
  /// opened data are higher. Returns 0 for any other input, and for an archive in the raw form.
  func objectCount(_ conversion: Conversion) -> Int {
    guard let nodes, isArchive, conversion.representation != .raw else { return given.objects }
    // A defective archive is reported with its source location when it is read.
    guard let list = try? nodes.value("$objects", of: nodes.root),
      case .array(let count)? = try? nodes.kind(of: list)
    else { return 0 }
    return count
  }

  /// True if the input is an archive, in any form.
  var isArchive: Bool { format.isArchive }

  /// Returns the built-in schema that matches the input's root element or class.
  func matchingSchema() throws(FerryError) -> Schema? {
    switch format {
    case .xml:
      let probe = SchemaProbe(head, budget: budget)
      guard let schema = probe.schema else {
        notes += probe.mismatch.map { [$0] } ?? []
        return nil
      }
      // The selected elements may be another part of the document than its records.
      return selection?.allSatisfy { $0.name.local == schema.record.element } == false ? nil : schema
    case .archive, .xmlArchive:
      // A defective archive is reported with its source location when it is read.
      guard let nodes, let name = try? ArchiveObjects(nodes).nameOfFirstRecord() else { return nil }
      // A class in the user's class file takes precedence over a built-in schema.
      guard !catalog.isGiven(className: name) else { return nil }
      return Schema.builtIn.first { $0.record.accepts(className: name) }
    default: return nil
    }
  }

  /// Sends the value. If `findsRecords` is true, an XML document without a schema is sent as the records
  /// below its root.
  func send(
    into sink: any ValueSink, schema: Schema?, losses: LossReport, _ conversion: Conversion,
    decodedForms: DecodedFormUse, findsRecords: Bool = false, failed: FailedRecords? = nil,
    locator: SourceLocator? = nil
  ) throws(FerryError) {
    guard conversion.select == nil || format == .xml else { throw FerryError(.xml(.notXML(format.rawValue))) }
    guard conversion.table == nil || format == .sqlite || conversion.target == .sqlite else {
      throw FerryError(.database(.noTables(format: format.rawValue)))
    }
    if conversion.representation == .typed, try sendTyped(into: sink) { return }
    if typedLayout != nil, !isArchive { return try sendNodes(into: sink, conversion) }
    switch format {
    case .json: try stream(JSONReader(into: sink, budget: budget, losses: losses, locator: locator))
    case .jsonLines:
      if let failed, conversion.keepsGoing {
        try stream(
          ReadableLinesReader(
            into: sink, budget: budget, losses: losses, failed: failed, locator: locator ?? SourceLocator()))
      } else {
        try stream(JSONLinesReader(into: sink, budget: budget, losses: losses, locator: locator))
      }
    case .xmlPropertyList:
      try stream(XMLPropertyListReader(into: sink, budget: budget, losses: losses, locator: locator))
    case .binaryPropertyList: try sendNodes(into: sink, conversion)
    case .archive, .xmlArchive:
      guard conversion.representation != .raw else { return try sendNodes(into: sink, conversion) }
      let budget =
        schema == nil && conversion.streamsObjects ? budget.ofStreamedObjects : readingBudget(conversion)
      try sendArchive(
        into: sink, conversion, conversion.catalog.removing(classesOf: schema), decodedForms, losses, budget)
    case .typedstream: try sendTypedstream(into: sink, conversion, losses)
    case .sqlite:
      guard let database else { return }
      try StoreSource(database, conversion, losses).send(into: sink, schema: schema)
    case .text: try PlainText(input, budget: budget).send(into: sink)
    case .tinyPix: try TinyPicture(tinyPix: input.readAll(limit: budget.tokenBytes)).send(into: sink)
    case .png: try TinyPicture(png: input.readAll(limit: budget.tokenBytes)).send(into: sink)
    case .xml:
      let keepsElements =
        conversion.target == .xml && conversion.representation == .plain && !conversion.isForCaller
      try XMLSource(
        input, selection, keepsElements ? .document(root: conversion.rootElement) : .values,
        findsRecords: findsRecords, budget, losses, locator
      ).send(into: sink, schema: schema)
    }
  }

  private func stream(_ reader: any ChunkReader) throws(FerryError) {
    try input.forEachChunk { chunk throws(FerryError) in try reader.read(chunk) }
    try reader.finish()
  }

  /// Sends nodes in the typed form. Returns false if the input is a stream.
  private func sendTyped(into sink: any ValueSink) throws(FerryError) -> Bool {
    guard let nodes else { return false }
    var layout = typedLayout
    if let file = nodes as? BinaryPropertyList { layout = try BinaryLayout(of: file) }
    try TypedDocument.send(nodes, layout: layout, isArchive: isArchive, to: sink, budget: budget)
    return true
  }

  /// True if the typed form is made from nodes, and not from a stream.
  var hasNodes: Bool { nodes != nil }

  /// Returns the budget for the values that are sent. A caller that handles references accepts any depth.
  private func readingBudget(_ conversion: Conversion) -> Budget {
    var budget = budget
    if conversion.marksShared { budget.depth = .max }
    return budget
  }

  private func sendNodes(into sink: any ValueSink, _ conversion: Conversion) throws(FerryError) {
    guard let nodes else { return }
    try nodes.replay(
      nodes.root, into: sink, budget: readingBudget(conversion), marksShared: conversion.marksShared,
      shared: conversion.shared, refersToScalars: conversion.refersToScalars)
  }

  private func sendArchive(
    into sink: any ValueSink, _ conversion: Conversion, _ catalog: ClassCatalog,
    _ decodedForms: DecodedFormUse,
    _ losses: LossReport, _ budget: Budget
  ) throws(FerryError) {
    guard let nodes else { return }
    let objects = try ArchiveObjects(nodes)
    let keepsObjects = conversion.target.isArchive
    if !keepsObjects, !objects.archiver.equals("NSKeyedArchiver") { losses.add(.archiverName) }
    if !keepsObjects, !objects.hasOnlyRoot { losses.add(.topLevelNames) }
    let reader = ArchiveReader(
      objects, into: sink, sharing: conversion.sharing, budget: budget, catalog: catalog,
      decodedForms: decodedForms,
      refersToScalars: conversion.refersToScalars)
    defer { notes += reader.notes }
    try reader.read()
  }

  private func sendTypedstream(into sink: any ValueSink, _ conversion: Conversion, _ losses: LossReport)
    throws(FerryError)
  {
    guard let typedstream else { return }
    let isArchived = conversion.target.isArchive
    let reader = TypedstreamReader(
      typedstream, into: sink, sharing: conversion.sharing, representation: conversion.representation,
      keys: isArchived && !conversion.isForCaller ? .archived : .words, losses: losses)
    try reader.read()
  }
}

extension Conversion {
  /// True if the target is written while values arrive, or from a tape of them, so that their nesting costs no
  /// stack. A caller's sink may build a value, which is released recursively.
  var streamsObjects: Bool { !isForCaller && !target.isSingle && target != .sqlite }

  /// The treatment of objects with several references: an archive keeps their identities.
  var sharing: ObjectSharing {
    target.isArchive && !(isForCaller && shared == .inFull) ? .identities : .init(shared)
  }
}

extension ArchiveObjects {
  /// Returns the class of the root, or of the first element if the root is an array or set; nil if neither is
  /// an object.
  func nameOfFirstRecord() throws(FerryError) -> String? {
    guard top.count == 1, let root = try object(top[0].node) else { return nil }
    guard let list = try nodes.value("NS.objects", of: root.node),
      case .array(let count) = try nodes.kind(of: list)
    else {
      return root.type.name
    }
    guard count > 0 else { return nil }
    return try object(try nodes.element(0, of: list))?.type.name
  }

  private func object(_ reference: Int) throws(FerryError) -> (node: Int, type: ObjectClass)? {
    guard case .uid(let uid) = try nodes.kind(of: reference) else { return nil }
    let node = try node(of: uid, referredFrom: reference)
    guard case .dictionary(let count) = try nodes.kind(of: node), let type = try type(of: node, count: count)
    else {
      return nil
    }
    return (node, type)
  }
}
