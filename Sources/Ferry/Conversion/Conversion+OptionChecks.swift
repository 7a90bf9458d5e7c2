// The checks that each option has an effect on the input and the output.

extension Conversion {
  /// Throws if dotted columns are asked for, and neither the input nor the output has columns. An archive of files may contain CSV.
  func checkDottedColumns(of source: OpenedInput) throws(FerryError) {
    guard reading.csv.nestsDottedColumns, refusesUnusedOptions,
      source.format.description.columnTypes == nil
    else { return }
    if case .files = source.contents { return }
    if case .rows? = writing.format.description.writer { return }
    throw FerryError(.csv(.noTable(format: source.format.rawValue)))
  }

  /// Throws if options for XML are given that have no effect. The convention, the types and expanded names may be those
  /// of the output. An archive of files may contain XML.
  func checkXMLOptions(of source: OpenedInput) throws(FerryError) {
    switch source.contents {
    case .elements, .files: return
    case .stream, .nodes, .typedstream, .database: break
    }
    guard refusesUnusedOptions else { return }
    let xml = reading.xml
    let writesExpandedNames = writing.xml.hasExpandedNames && writing.representation != .typed
    let readsAsUsual =
      (xml.namespaces == .kept || xml.namespaces == .expanded && writesExpandedNames) && xml.lists.isEmpty
      && xml.order == .needed && xml.markup.isEmpty && xml.entities.isEmpty && xml.prefixes.isEmpty
    guard readsAsUsual else { throw FerryError(.xml(.notXMLInput(source.format.rawValue))) }
    let isByFerry = xml.convention == .ferry && xml.types == .none && writing.xml.isUsual
    guard isByFerry || writing.format.isOfElements else {
      throw FerryError(.xml(.noXML(source.format.rawValue)))
    }
  }

  /// True if no option asks for another form of XML without a schema.
  var hasUsualXML: Bool { reading.xml.isUsual && writing.xml.isUsual }

  /// Throws if options for records by a schema, or without one, are given that have no effect. An archive of files may contain any.
  func checkRecordOptions(of source: OpenedInput, _ schema: Schema?) throws(FerryError) {
    guard refusesUnusedOptions else { return }
    if case .files = source.contents { return }
    guard reading.schema == nil || writing.representation == .typed || hasUsualXML else {
      throw FerryError(.xml(.onlyWithoutSchema))
    }
    guard !readsNewerVersions || schema?.record.hasVersions == true else {
      throw FerryError(.record(.noVersions))
    }
    guard !writing.writesOlderKeys || schema?.record.hasOlderKeys == true else {
      throw FerryError(.record(.noOlderKeys))
    }
    // A built-in schema may match another input of the run, unless the elements are copied.
    let mayMatch =
      reading.matchesSchemas && writing.representation == .plain && source.mayMatchSchema
      && !copiesElements(of: source)
    guard !keepsGoing || schema != nil || mayMatch || source.format.description.leavesOutRecords else {
      throw FerryError(.record(.nothingToLeaveOut(source.format.description.noun)))
    }
  }

  /// Throws if the output would replace the database that is the input, or would be a new Core Data store without a template.
  func checkTarget(
    named name: String?, _ output: any ByteOutput, of detected: DetectedInput, in input: any ByteInput
  ) throws(FerryError) {
    guard writing.template == nil, output.database == nil, let name else { return }
    // The detected input of a compressed file is not a file.
    if detected.format.isDatabase, let path = input.path, Folder.isSame(path, name) {
      throw FerryError(.database(.notRewritten))
    }
    guard !writing.format.isDatabase || !StoreTemplate.isNeeded(forFileNamed: name) else {
      throw FerryError(.database(.needsTemplate))
    }
  }
}
