extension Conversion {
  /// Returns the options for reading an input, so that its values have the shape that the target needs.
  func readingOptions(for source: Format) -> ReadingOptions {
    var options = ReadingOptions()
    options.representation = representation
    options.shared = shared
    options.catalog = catalog
    options.schema = schema
    options.matchesSchemas = matchesSchemas
    (options.select, options.xml) = (select, xml)
    // The typed form has everything that is inside the elements.
    if representation == .typed, xml.convention == .ferry { options.xml.markup = .all }
    // `table` names the table to write to, unless the input is a database too.
    options.table = target == .sqlite && source != .sqlite ? nil : table
    options.expandsData = expandsData
    options.budget = budget
    options.streamsObjects = streamsObjects
    let keepsObjects = target.isArchive || target.description.keepsKnownClasses
    options.marksScalars = !keepsObjects
    options.reportsArchiveParts = !target.isArchive
    // In a conversion between archives, objects keep their keys and identities. Otherwise they are decoded.
    options.decodedForms = target.isArchive ? .scalars : .all
    options.objectSharing = keepsObjects ? .allIdentities : .init(shared)
    options.keys = target.isArchive ? .archived : .words
    options.keepsNames = target == .xml && representation != .typed
    (options.encoding, options.csv) = (encoding, csv)
    if infersSchema, !source.hasTypedColumns { options.csv.infersTypes = false }
    // A line, or a row, with the whole document would be of no use.
    options.findsRecordList = target.description.isListOfRecords && representation == .plain
    if case .rows? = target.description.writer, representation == .plain {
      options.elements = .records
      options.holdsOneTable = true
      options.csv.readsEmptyCellsAsNull = true
    }
    return options
  }

  /// True if the target is written from a stream of events or from a tape, so that deep nesting cannot
  /// overflow the stack.
  var streamsObjects: Bool { !target.isSingle && target != .sqlite }
}
