/// The facts about the source of values on which the sinks of a conversion depend.
struct SourceFacts {
  /// The format whose shape the values have.
  var format: Format
  /// The number of objects in the archive, whose identities are their numbers: those of objects in opened data
  /// are higher. It is 0 for other sources, and for an archive in the raw form.
  var objectCount = 0
  /// True if the values are sent from nodes, and not from a stream.
  var hasNodes = false
  /// The size of the input if its values may refer to each other, otherwise 0.
  var byteCount = 0
  /// Returns the columns of a table in the source's database, or of its single table; empty if the source is
  /// not a database.
  var columns: (_ table: String?) throws(FerryError) -> [String]
  /// Returns the name of the source's table whose records are the whole value; nil if there is none.
  var tableName: () throws(FerryError) -> String?

  /// The facts about an input.
  init(_ opened: OpenedInput, _ options: ReadingOptions) {
    format = opened.format
    objectCount = opened.objectCount(options)
    hasNodes = opened.nodes != nil
    byteCount = opened.byteCount
    columns = { name throws(FerryError) in try opened.columns(ofTable: name, options) }
    tableName = { () throws(FerryError) in try opened.tableName(options) }
  }

  /// The facts about values that are in the shape of a format.
  init(valuesAsIn format: Format, objectCount: Int, byteCount: Int) {
    self.format = format
    self.objectCount = objectCount
    self.byteCount = byteCount
    columns = { _ in [] }
    tableName = { nil }
  }

  /// True if the values are those of an archive.
  var isArchive: Bool { format.isArchive }

  /// True if keys may occur twice in one dictionary, and the reader does not report them.
  var mayRepeatKeys: Bool { mayHaveObjectKeys || format == .xmlPropertyList }

  /// True if keys may be values other than strings.
  var mayHaveObjectKeys: Bool { format.description.hasObjectKeys }

  /// Returns true if the source is an XML document that no schema reads, so that its root element encloses
  /// the records.
  func isXMLByConvention(_ conversion: Conversion, _ schema: Schema?) -> Bool {
    format == .xml && schema == nil && conversion.select == nil
  }
}
