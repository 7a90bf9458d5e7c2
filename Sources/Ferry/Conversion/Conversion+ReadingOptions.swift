extension Conversion {
  /// Returns the options for reading an input, so that its values have the shape that the target needs.
  func readingOptions(for source: Format) -> ReadingOptions {
    let target = writing.format
    var options = reading
    (options.representation, options.shared, options.marksShared) = (
      writing.representation, writing.shared, false
    )
    // The typed form has everything that is inside the elements.
    if writing.representation == .typed, reading.xml.convention == .ferry { options.xml.markup = .all }
    // A run with one table for both sides may have inputs that are not databases.
    if let table = writing.table, target.isDatabase, !source.isDatabase, reading.table.equals(table) {
      options.table = nil
    }
    options.streamsObjects = writing.streamsObjects
    // The values of a change of entries are in plain form.
    let changesEntries = entriesInUse != nil
    let isArchive = target.isArchive && !changesEntries
    let keepsObjects = isArchive || target.description.keepsKnownClasses && !changesEntries
    options.marksScalars = !keepsObjects
    options.reportsArchiveParts = !isArchive
    // In a conversion between archives, objects keep their keys and identities. Otherwise they are decoded.
    options.decodedForms = isArchive ? .scalars : .all
    options.objectSharing = keepsObjects ? .allIdentities : .init(writing.shared)
    if splitsRecords { options.objectSharing = .inFull }
    options.keys = isArchive ? .archived : .words
    // The names of inputs in other formats are keys.
    options.keepsNames =
      target.isOfElements && writing.representation != .typed && !changesEntries && !joinsRecords
    if infersSchema, !source.hasTypedColumns { options.csv.infersTypes = false }
    // A line, or a row, with the whole document would be of no use.
    options.findsRecordList =
      target.description.isListOfRecords && writing.representation == .plain || writing.choosesKeys
    if joinsRecords { options.findsRecordList = true }
    options.listsDocuments = writing.isListOfRecords && writing.representation == .plain
    if writing.choosesKeys { (options.elements, options.holdsOneTable) = (.records, true) }
    if case .rows? = target.description.writer, writing.representation == .plain {
      options.elements = .records
      options.holdsOneTable = true
      options.csv.readsEmptyCellsAsNull = true
    }
    if let entries = entriesInUse {
      options.findsRecordList = !entries.makesRecords && source.isOfElements
      options.elements = entries.makesRecords ? .content : .records
      options.holdsOneTable = !entries.makesRecords
    }
    return options
  }
}
