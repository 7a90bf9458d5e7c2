/// The properties of the source that the sinks after its reader depend on.
struct SourceFacts {
  /// The format in whose shape the values are.
  var format: Format
  /// The dialect of the records.
  let recordDialect: RecordDialect
  /// True if every scalar is text, which may mean a value of another type.
  let scalarsAreText: Bool
  /// True if an element of XML is a list because another one with its path is.
  private(set) var hasListsByPath = false
  /// True if the root element of an XML document with types only wraps the value, which is then sent without it.
  private(set) var isWrapped = false
  /// The number of objects in the archive, whose identities are their object numbers. (Objects in opened data
  /// have higher identities.) It is 0 for other sources, and for an archive in raw form.
  var objectCount = 0
  /// The archive whose whole value is sent; nil for other sources, and for a part of an archive.
  var wholeArchive: ArchiveObjects?
  /// True if the values are sent from nodes rather than from a stream.
  var hasNodes = false
  /// True if the reader itself sends the typed form.
  var sendsTypedForm = false
  /// The size of the input in bytes if its values may refer to each other, otherwise 0.
  var byteCount = 0
  /// True if the values have the plain form that the target takes, so that their repeated keys have been reported.
  var isInPlainForm = false
  /// True if the values come from XML, with keys for a writer of XML.
  var keepsNames = false
  /// True if the values are the rows of a table in text, which all have the same columns.
  private(set) var hasEqualRows = false
  /// Knows whether the whole value is a list of documents, or is nil if it is another value.
  private(set) var documents: FoundDocuments?
  /// Returns the columns of a table in the source database. Without a name, returns the columns of the table
  /// that is the whole value, also those of CSV without rows after it has been read. Returns an empty array for other values.
  var columns: (_ table: String?) throws(FerryError) -> [String]
  /// Returns the stored version of the records in a table of the source database. Without a name, returns the version of the table that is
  /// the whole value. Returns nil for other values.
  var version: (_ table: String?) throws(FerryError) -> Int? = { _ in nil }
  /// True if the whole values of a file are sent, so that `version` is that of the records.
  private(set) var keepsVersions = false
  /// Returns the name of the source's table whose records are the whole value; nil if there is none.
  var tableName: () throws(FerryError) -> String?

  /// Creates the properties of an opened input.
  init(_ opened: OpenedInput, _ options: ReadingOptions) {
    format = opened.format
    recordDialect = opened.recordDialect(options)
    scalarsAreText = recordDialect.scalarsAreText && !opened.readsTypeAttributes(options)
    let types = opened.rootTypes(options)
    isWrapped = types?.wrapper != nil
    hasListsByPath =
      recordDialect.hasElements && options.schema == nil && options.xml.convention == .ferry && types == nil
      && !opened.readsTypeAttributes(options)
    objectCount = opened.objectCount(options)
    // The error of an invalid archive is thrown later, when the archive is read.
    if options.select == nil, opened.isArchive, options.representation != .raw, let nodes = opened.nodes {
      wholeArchive = try? ArchiveObjects(nodes)
    }
    hasNodes = opened.nodes != nil
    sendsTypedForm = hasNodes || opened.isTypedstream
    byteCount = opened.byteCount
    keepsNames = recordDialect.hasElements && options.keepsNames
    hasEqualRows = format.hasTypedColumns && options.select == nil && options.csv.hasEqualRows
    documents = options.select == nil ? opened.documents : nil
    columns = { name throws(FerryError) in
      // The selected values may be others than those of a table.
      options.select == nil ? try opened.columns(ofTable: name, options) : []
    }
    keepsVersions = options.select == nil
    if keepsVersions {
      version = { name throws(FerryError) in try opened.version(ofTable: name, options) }
    }
    tableName = { () throws(FerryError) in try opened.tableName(options) }
  }

  /// Creates the properties of values that a program sends, for which no file is read. Each value has its own type.
  ///
  /// - Parameter isArchived: True if the objects in the values have archived keys.
  init(isArchived: Bool = false, objectCount: Int = 0, byteCount: Int = 0) {
    // A property list in binary form has the types of all values.
    format = isArchived ? .archive : .binaryPropertyList
    recordDialect = format.recordDialect
    scalarsAreText = recordDialect.scalarsAreText
    self.objectCount = objectCount
    self.byteCount = byteCount
    columns = { _ in [] }
    tableName = { nil }
  }

  /// The properties of records that have left their input in the plain form of the target.
  static var recordsInPlainForm: SourceFacts {
    var facts = SourceFacts()
    facts.isInPlainForm = true
    return facts
  }

  /// Returns the properties of the values that a change of entries makes of the source's values.
  func changed(by change: EntryChange) -> SourceFacts {
    var facts = self
    // The values are in plain form, as those that a program sends.
    (facts.format, facts.isWrapped, facts.wholeArchive) = (.binaryPropertyList, false, nil)
    (facts.keepsNames, facts.documents) = (false, nil)
    facts.hasEqualRows = change.makesRecords
    facts.tableName = { nil }
    (facts.version, facts.keepsVersions) = ({ _ in nil }, false)
    facts.columns = { table in
      guard table == nil, case .toRecords(let key, let value) = change else { return [] }
      return [key, value]
    }
    return facts
  }

  /// True if the values come from an archive.
  var isArchive: Bool { format.isArchive }

  /// True if a dictionary may contain a key twice without a report from the reader.
  var mayRepeatKeys: Bool { !isInPlainForm && (mayHaveObjectKeys || format.description.repeatsKeys) }

  /// True if keys may be values other than strings.
  var mayHaveObjectKeys: Bool { !isInPlainForm && format.description.hasObjectKeys }
}
