/// An input whose format is known, ready to be sent.
///
/// Streams are not touched before they are sent. Binary files, and archives in XML, are read whole: their objects refer
/// to each other.
final class SourceInput {
  /// The format as it turned out: a binary property list may be an archive.
  private(set) var format: Format
  /// The property list of a binary file, or of an archive.
  private var nodes: (any PropertyListNodes)?
  /// The layout of the binary file that a typed document is of.
  private var typedLayout: BinaryLayout?
  private var typedstream: Typedstream?
  private var database: SQLiteFile?
  /// The elements of an XML document that an XPath selects; nil without one.
  private var selection: [XMLNode]?
  private let input: any Input
  private let head: [UInt8]
  private let budget: Budget

  init(_ input: any Input, format: Format, isGiven: Bool, head: [UInt8], _ conversion: Conversion)
    throws(Failure)
  {
    self.input = input
    self.format = format
    self.head = head
    budget = conversion.budget
    if TypedDocument.begins(head, format: format) {
      try readTyped(format)
      return
    }
    switch format {
    case .binaryPropertyList, .archive:
      let list = try BinaryPropertyList(try input.readAll(), budget: budget)
      nodes = list
      // A file that is found to be binary is an archive if it looks like one; one that is said to be a property list is
      // what it is said to be.
      if format == .binaryPropertyList, !isGiven, try list.isKeyedArchive {
        self.format = .archive
      }
    case .xmlArchive:
      let tree = PropertyListTree()
      let reader = XMLPropertyListReader(into: tree, budget: budget)
      try input.forEachChunk { chunk throws(Failure) in try reader.read(chunk) }
      try reader.finish()
      try tree.finish()
      nodes = tree
    case .typedstream: typedstream = try Typedstream(try input.readAll(), budget: budget)
    case .sqlite: database = try SQLiteFile(input, budget: budget)
    case .xml: selection = try conversion.select.map { xpath throws(Failure) in try select(xpath) }
    case .json, .jsonLines, .xmlPropertyList, .text, .tinyPix, .png: break
    }
  }

  private func select(_ xpath: String) throws(Failure) -> [XMLNode] {
    let reader = try XMLTreeReader(budget: budget)
    try stream(reader)
    return try reader.tree().select(xpath)
  }

  private func readTyped(_ format: Format) throws(Failure) {
    let recorder = TapeRecorder()
    let sink = UntaggedScalars(to: recorder)
    switch format {
    case .xmlPropertyList: try stream(XMLPropertyListReader(into: sink, budget: budget))
    case .xml: try JSONElements.read(input, into: sink, budget: budget)
    default: try stream(JSONReader(into: sink, budget: budget))
    }
    let document = try TypedDocument(recorder.tape)
    nodes = document.nodes
    typedLayout = document.layout
    self.format = document.isArchive ? .archive : .binaryPropertyList
  }

  /// Writes a binary file, or the one that a typed document is of, with just its bytes; false when the input is neither,
  /// or is an archive that is to be shown as what it means.
  func writeBinary(to output: any ByteOutput, _ conversion: Conversion) throws(Failure) -> Bool {
    guard !isArchive || conversion.form != .plain else { return false }
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

  /// A source that something else is sent instead of: values taken out of a file.
  init(valuesFor conversion: Conversion, isArchived: Bool) {
    input = MemoryInput([])
    head = []
    format = isArchived ? .archive : .binaryPropertyList
    budget = conversion.budget
  }

  /// Whether a key may be something other than a string.
  var mayHaveObjectKeys: Bool {
    switch format {
    case .binaryPropertyList, .archive, .xmlArchive, .typedstream: true
    case .xml, .json, .jsonLines, .xmlPropertyList, .sqlite, .text, .tinyPix, .png: false
    }
  }

  /// Whether the input is an archive, whatever form it is shown in.
  var isArchive: Bool { format.isArchive }

  /// The built-in schema that the input's root element or class calls for.
  func matchingSchema() throws(Failure) -> Schema? {
    switch format {
    case .xml:
      guard let schema = SchemaProbe.schema(of: head, budget: budget) else { return nil }
      // What is selected may be another part of the document than its records.
      return selection?.allSatisfy { $0.name.local == schema.record.element } == false ? nil : schema
    case .archive, .xmlArchive:
      // What is wrong with the archive will be said, with its place, when it is read.
      guard let nodes, let name = try? ArchiveObjects(nodes).nameOfFirstRecord() else { return nil }
      return Schema.builtIn.first { $0.record.accepts(className: name) }
    default: return nil
    }
  }

  /// Sends the value.
  func send(
    into sink: any ValueSink, schema: Schema?, losses: LossReport, _ conversion: Conversion,
    meanings: MeaningUse
  ) throws(Failure) {
    guard conversion.select == nil || format == .xml else { throw Failure(.xml(.notXML(format.rawValue))) }
    guard conversion.table == nil || format == .sqlite || conversion.target == .sqlite else {
      throw Failure(.database(.noTables(format: format.rawValue)))
    }
    if conversion.form == .typed, try sendTyped(into: sink) { return }
    if typedLayout != nil, !isArchive { return try sendNodes(into: sink, conversion) }
    switch format {
    case .json: try stream(JSONReader(into: sink, budget: budget, losses: losses))
    case .jsonLines: try stream(JSONLinesReader(into: sink, budget: budget, losses: losses))
    case .xmlPropertyList: try stream(XMLPropertyListReader(into: sink, budget: budget, losses: losses))
    case .binaryPropertyList: try sendNodes(into: sink, conversion)
    case .archive, .xmlArchive:
      guard conversion.form != .raw else { return try sendNodes(into: sink, conversion) }
      try sendArchive(
        into: sink, conversion, conversion.catalogue.removing(classesOf: schema), meanings, losses)
    case .typedstream: try sendTypedstream(into: sink, conversion, losses)
    case .sqlite:
      guard let database else { return }
      try StoreSource(database, conversion, losses).send(into: sink, schema: schema)
    case .text: try PlainText(input, budget: budget).send(into: sink)
    case .tinyPix: try TinyPicture(tinyPix: input.readAll(limit: budget.tokenBytes)).send(into: sink)
    case .png: try TinyPicture(png: input.readAll(limit: budget.tokenBytes)).send(into: sink)
    case .xml: try XMLSource(input, selection, budget, losses).send(into: sink, schema: schema)
    }
  }

  private func stream(_ reader: any ChunkReader) throws(Failure) {
    try input.forEachChunk { chunk throws(Failure) in try reader.read(chunk) }
    try reader.finish()
  }

  /// Sends nodes in the typed form; false when the input is a stream.
  private func sendTyped(into sink: any ValueSink) throws(Failure) -> Bool {
    guard let nodes else { return false }
    var layout = typedLayout
    if let file = nodes as? BinaryPropertyList { layout = try BinaryLayout(of: file) }
    try TypedDocument.send(nodes, layout: layout, isArchive: isArchive, to: sink, budget: budget)
    return true
  }

  /// Whether the typed form is made of nodes, not of a stream.
  var hasNodes: Bool { nodes != nil }

  private func sendNodes(into sink: any ValueSink, _ conversion: Conversion) throws(Failure) {
    guard let nodes else { return }
    try nodes.replay(nodes.root, into: sink, budget: budget, marksShared: conversion.marksShared)
  }

  private func sendArchive(
    into sink: any ValueSink, _ conversion: Conversion, _ catalogue: Catalogue, _ meanings: MeaningUse,
    _ losses: LossReport
  ) throws(Failure) {
    guard let nodes else { return }
    let objects = try ArchiveObjects(nodes)
    let keepsObjects = conversion.target.isArchive
    if !keepsObjects, objects.archiver != "NSKeyedArchiver" { losses.add(.archiverName) }
    if !keepsObjects, !objects.hasOnlyRoot { losses.add(.topLevelNames) }
    let reader = ArchiveReader(
      objects, into: sink, sharing: keepsObjects ? .identities : .leavesInFull, budget: budget,
      catalogue: catalogue, meanings: meanings)
    try reader.read()
  }

  private func sendTypedstream(into sink: any ValueSink, _ conversion: Conversion, _ losses: LossReport)
    throws(Failure)
  {
    guard let typedstream else { return }
    let isArchived = conversion.target.isArchive
    let reader = TypedstreamReader(
      typedstream, into: sink, sharing: isArchived ? .identities : .leavesInFull, form: conversion.form,
      keys: isArchived && !conversion.isForCaller ? .archived : .words, losses: losses)
    try reader.read()
  }
}

extension ArchiveObjects {
  /// The class of the root, or of the first element when the root is an array or set; nil when neither is an object.
  func nameOfFirstRecord() throws(Failure) -> String? {
    guard top.count == 1, let root = try object(top[0].node) else { return nil }
    guard let list = try nodes.value("NS.objects", of: root.node),
      case .array(let count) = try nodes.kind(of: list)
    else {
      return root.type.name
    }
    guard count > 0 else { return nil }
    return try object(try nodes.element(0, of: list))?.type.name
  }

  private func object(_ reference: Int) throws(Failure) -> (node: Int, type: ObjectClass)? {
    guard case .uid(let uid) = try nodes.kind(of: reference) else { return nil }
    let node = try node(of: uid, referredFrom: reference)
    guard case .dictionary(let count) = try nodes.kind(of: node), let type = try type(of: node, count: count)
    else {
      return nil
    }
    return (node, type)
  }
}
