import Ferry

extension ConvertCommand {
  /// Returns the conversion that the options describe.
  func conversion(to format: Format) throws -> Conversion {
    var conversion = Conversion(reading: try readingOptions(), writing: try writingOptions(format))
    conversion.readsNewerVersions = versions.allowsNewer
    conversion.keepsGoing = keepsGoing
    conversion.classNames = classNames.rules.names
    conversion.entries = entries.change
    // Entries have no schema, so that only the types of columns can be inferred.
    conversion.infersSchema = csv.infersTypes && conversion.entries == nil
    conversion.isStrict = isStrict
    // Messages have only the numbers of losses. The advice for the only row of a table comes from their paths.
    conversion.locatesLosses = reportFile != nil
    conversion.listsLosses = reportFile != nil || canHaveEntries(format)
    conversion.keepsArchives = inPlace
    return conversion
  }

  private func readingOptions() throws -> ReadingOptions {
    var reading = ReadingOptions()
    reading.format = input.format
    reading.schema = try schema.load()
    reading.matchesSchemas = schema.matches
    reading.catalog = try classes.load()
    reading.select = self.reading.select
    reading.xml = try xml.load(types: types.notation)
    reading.xml.prefixes = self.reading.selection.prefixes
    reading.table = self.reading.table
    reading.encoding = encoding.name
    reading.csv = csv.reading
    reading.csv.nestsDottedColumns = csvLayout.dotted.nestsDottedColumns
    reading.expandsData = expansion.expandsData
    reading.budget = limits.budget
    return reading
  }

  private func writingOptions(_ format: Format) throws -> WritingOptions {
    var writing = WritingOptions(to: format)
    writing.representation = reading.representation
    writing.shared = shared.style
    (writing.rootElement, writing.itemElement) = (root, item)
    (writing.xml.convention, writing.xml.types) = (xml.convention, types.notation)
    writing.xml.hasExpandedNames = xml.namespaces == .expanded
    writing.table = reading.table
    writing.template = try document.loadTemplate(limits.budget)
    writing.encoding = outputEncoding.name
    writing.csv = csvLayout.layout
    writing.style = layout.style()
    writing.style.hasDocuments = yaml.hasDocuments
    writing.sortsKeys = sortsKeys
    writing.writesOlderKeys = writesOlderKeys
    return writing
  }
}
