/// A description of a format: its names, its signature, its capabilities, and how to read, write and edit its
/// files.
///
/// The folder of each format contains its description. `Format` has the only list of them. A new format needs a
/// case of `Format`, a description, a reader and a writer.
struct FormatDescription: Sendable {
  /// The kind of values that a file of the format contains.
  enum Content {
    /// Values of any kind.
    case values
    /// Tables of records.
    case tables
    /// A dictionary of texts.
    case texts
    /// A single text or a single picture.
    case single
  }

  /// The shape that values have in a format.
  enum Shape {
    /// Archived objects.
    case objects
    case propertyList
    case json
    case elements
    case rows
    /// A single text or a single picture.
    case single
  }

  /// The syntax of documents in the typed form.
  enum TypedSyntax {
    /// A JSON object.
    case object
    /// A dictionary of an XML property list.
    case dictionary
    /// A mapping of YAML.
    case mapping
    /// An element `map` in the W3C's vocabulary for JSON.
    case map
  }

  /// The encoding of a text format.
  enum TextEncoding {
    case utf8
    /// The encoding that the text itself declares, as XML does.
    case declared
    /// UTF-8, or the encoding that the first bytes show, or one that is given.
    case marked
  }

  /// A one-line description for a list of formats.
  var summary: String
  /// The name of the format in messages, with an article: "an XML property list".
  var noun: String
  /// The other names of the format on the command line.
  var aliases: [String] = []
  /// The file extensions of the format without a dot, the preferred one first.
  var extensions: [String] = []
  var content = Content.values
  var shape: Shape
  /// The uniform type identifiers that the format conforms to.
  var typeIdentifiers = ["public.data", "public.content"]
  /// The signature that identifies files of the format.
  var signature: FormatSignature
  /// True if an empty file is valid: a list without records in JSON Lines, an empty text.
  var canBeEmpty = false
  /// The reader of the format, or nil if Ferry cannot read it.
  var reader: FormatReader?
  /// Reads an input to find the types of the columns of a table whose cells are text. Nil for other formats.
  var columnTypes: (@Sendable (any ByteInput, ReaderContext) throws(FerryError) -> [CSVFoundColumn])?
  /// The other formats whose files a reader of this format reads as the same values.
  var otherReadFormats: [Format] = []
  /// Finds the boundary between records in the first bytes of a text, which can be cut there into parts. Returns nil if the text has none. The
  /// property is nil if no text of the format can be cut.
  var partBoundary: (@Sendable (_ head: [UInt8]) -> PartBoundary?)?
  /// The layout of a list of records, by which the texts of its parts can be joined; nil if they cannot be joined.
  var listLayout: ListLayout?
  /// The writer of the format, or nil if Ferry cannot write it.
  var writer: FormatWriter?
  /// The options for the layout of the writer's output that have an effect.
  var layoutOptions: FormatLayoutOptions = []
  /// True if the reader can leave out records that are not valid, and read the others.
  var leavesOutRecords = false
  /// True if the writer keeps the classes of some objects, and reports the others. The writer of an archive keeps all.
  var keepsKnownClasses = false
  /// True if reading takes constant memory, regardless of the size of the input.
  var streams = false
  /// The encoding of the text, or nil if the format is not text.
  var textEncoding: TextEncoding?
  /// True if NUL bytes are valid in a text. In other formats, they indicate UTF-16 or UTF-32.
  var hasNULs = false
  /// The format of keyed archives with the syntax of this format, or nil if this is not a format of property
  /// lists.
  var archiveFormat: Format?
  /// The format of the property list that stores an archive, or nil if this is not a format of archives.
  var propertyListFormat: Format?
  /// True if the format is a binary property list.
  var isBinaryPropertyList = false
  /// Finds the ranges of values in a text, so that they can be changed. Nil if values in the format cannot be
  /// changed by path, or if the format is not text.
  var textLayout: TextLayout.Finder?
  /// True if values can be changed by changing the elements of a document.
  var hasEditableElements = false
  /// True if values can be changed by changing the objects of a typedstream.
  var hasEditableObjects = false
  /// Finds the cells of a table in its text, so that they can be changed. Nil for other formats.
  var editableTable: (@Sendable (_ text: [UInt8], ReaderContext) throws(FerryError) -> CSVTable)?
  /// True if values can be changed by changing files in an archive.
  var hasEditableFiles = false
  /// True if a conversion to the same format copies the text as it is, if no option changes anything, because its writer leaves comments out.
  var copiesText = false
  /// Another way to change files of the format, if values cannot be changed by path; otherwise nil.
  var editingAlternative: PathProblem.Alternative?
  /// True if an archive in the format names its archiver and the version of its layout.
  var namesArchiver = true
  /// True if the reader sends a key that a dictionary contains twice without a report.
  var repeatsKeys = false
  /// True if the outputs for several inputs can be written one after the other.
  var isWrittenInSequence = false
  /// True if a document that is made in the format is pretty-printed, and one that was pretty-printed is written so again.
  var isPrettyInDocuments = false
  /// True if Apple's writers sort keys, so that an archive in the format has lost the order of its keys.
  var sortsKeys = false
  /// True if keys may be values other than strings.
  var hasObjectKeys = false
  /// True if a key may add the entries of other dictionaries to its own, which take precedence over them.
  var hasMergeKeys = false
  /// The kinds of values that the format can represent.
  var capabilities: FormatCapabilities = []
  /// The kinds of values that the format can represent without tags in the typed form, in which text is never
  /// converted to another type.
  var typedCapabilities = FormatCapabilities.json
  /// The syntax of documents in the typed form, or nil if the format has no typed form.
  var typedSyntax: TypedSyntax?
  /// The dialect of records in the format. Nil means a dialect with the format's capabilities.
  var dialect: RecordDialect?

  /// True if Ferry can read the format.
  var isRead: Bool { reader != nil }
  /// True if the format is that of databases.
  var isDatabase: Bool { if case .database? = reader { true } else { false } }
  /// True if the format is that of typedstreams.
  var isTypedstream: Bool { if case .typedstream? = reader { true } else { false } }
  /// True if the format is that of archives of files, each in its own format.
  var isArchiveOfFiles: Bool { if case .files? = reader { true } else { false } }
  /// True if a file of the format is a list of records, so that the list of records in a document is written to it.
  var isListOfRecords: Bool {
    if case .nothing? = dialect?.envelope { true } else { false }
  }
  /// True if the values of a text are read one after the other, so that the last one is that in which an error is.
  var hasValuesInOrder: Bool { textLayout != nil || content == .tables }
  /// True if a text of the format may declare its encoding, as an XML declaration does.
  var declaresEncoding: Bool { textEncoding == .declared }
  /// True if Ferry can write the format.
  var isWritten: Bool { writer != nil }
  /// True if values in a file of the format can be changed by path.
  var isEditedByPath: Bool {
    isBinaryPropertyList || textLayout != nil || hasEditableElements || hasEditableObjects
      || editableTable != nil || hasEditableFiles
  }
  /// True if the format is that of keyed archives.
  var isArchive: Bool { propertyListFormat != nil }
  /// True if the format is that of the archives of `NSKeyedArchiver`.
  var isKeyedArchive: Bool { isArchive && namesArchiver }
  /// True if the format is that of property lists, which may contain archives.
  var isPropertyList: Bool { archiveFormat != nil || isArchive }
}

extension FormatCapabilities {
  /// The kinds of values in XML with attributes of types.
  static let xmlWithTypes: FormatCapabilities = [
    .nulls, .numbers, .dates, .textDates, .data, .notFinite, .decimals,
  ]
  /// The kinds of values that JSON can represent.
  static let json: FormatCapabilities = [.nulls, .decimals, .surrogates, .numbers]
  /// The kinds of values that an XML property list can represent.
  static let xmlPropertyList: FormatCapabilities = [.wholeDates, .data, .uids, .notFinite, .numbers]
}
