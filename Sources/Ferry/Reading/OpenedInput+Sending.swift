extension OpenedInput {
  /// Sends the value of the input to a sink. Does not call `finish`.
  ///
  /// - Parameters:
  ///   - sink: Receives the events.
  ///   - options: The options, with the schema for the records.
  ///   - losses: Receives a loss for each part of the input that events cannot express.
  ///   - failed: Receives the errors of lines and records that are left out; nil to throw the first one.
  ///   - locator: Receives source locations; nil if no sink needs them.
  func send(
    into sink: any ValueSink, _ options: ReadingOptions, losses: LossReport, failed: FailedRecords? = nil,
    locator: SourceLocator? = nil
  ) throws(FerryError) {
    guard options.select == nil || format == .xml else { throw FerryError(.xml(.notXML(format.rawValue))) }
    guard options.table == nil || format == .sqlite else {
      throw FerryError(.database(.noTables(format: format.rawValue)))
    }
    switch contents {
    case .stream(let makeReader):
      let context = ReaderContext(budget: options.budget, losses: losses, locator: locator, failed: failed)
      try makeReader(sink, context).readAll(input)
    case .elements(let selection):
      try XMLSource(input, selection, options, losses, locator, failed).send(into: sink)
    case .nodes(let nodes, let typedLayout) where options.representation == .typed:
      let layout = try (nodes as? BinaryPropertyList).map(BinaryLayout.init(of:)) ?? typedLayout
      try TypedDocument.send(nodes, layout: layout, isArchive: isArchive, to: sink, budget: options.budget)
    case .nodes(let nodes, _) where isArchive && options.representation != .raw:
      try send(ArchiveObjects(nodes), into: sink, options, losses)
    case .nodes(let nodes, _):
      try nodes.replay(
        nodes.root, into: sink, budget: options.sendingBudget, marksShared: options.marksShared,
        shared: options.shared, refersToScalars: options.refersToScalars)
    case .typedstream(let typedstream):
      let reader = TypedstreamReader(
        typedstream, into: sink, sharing: options.sharing, representation: options.representation,
        keys: options.keys, losses: losses)
      try reader.read()
    case .database(let file): try StoreSource(file, options, losses).send(into: sink)
    }
  }

  private func send(
    _ objects: ArchiveObjects, into sink: any ValueSink, _ options: ReadingOptions, _ losses: LossReport
  ) throws(FerryError) {
    if options.reportsArchiveParts {
      if !objects.archiver.equals("NSKeyedArchiver") { losses.add(.archiverName) }
      if !objects.hasOnlyRoot { losses.add(.topLevelNames) }
    }
    let reader = ArchiveReader(
      objects, into: sink, sharing: options.sharing, budget: options.objectBudget,
      catalog: options.catalog.removing(classesOf: options.schema), decodedForms: options.decodedForms,
      refersToScalars: options.refersToScalars)
    defer { notes += reader.notes }
    try reader.read()
  }
}
