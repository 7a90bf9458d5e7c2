extension Conversion {
  /// Returns the options for reading an input in a format, so that its values suit the target.
  func readingOptions(for source: Format) -> ReadingOptions {
    var options = ReadingOptions()
    options.representation = representation
    options.shared = shared
    options.catalog = catalog
    options.schema = schema
    options.matchesSchemas = matchesSchemas
    options.select = select
    // Unless the input is a database, too, the table is the one to write to.
    options.table = target == .sqlite && source != .sqlite ? nil : table
    options.expandsData = expandsData
    options.budget = budget
    options.streamsObjects = streamsObjects
    options.marksScalars = !target.isArchive
    options.reportsArchiveParts = !target.isArchive
    // Between two archives objects keep their keys and identities; other outputs get decoded objects.
    options.decodedForms = target.isArchive ? .scalars : .all
    options.objectSharing = target.isArchive ? .identities : .init(shared)
    options.keys = target.isArchive ? .archived : .words
    if target == .xml, representation == .plain { options.elements = .document(root: rootElement) }
    return options
  }

  /// True if the target is written while values arrive, or from a tape of them, so that their nesting costs no
  /// stack.
  var streamsObjects: Bool { !target.isSingle && target != .sqlite }
}
