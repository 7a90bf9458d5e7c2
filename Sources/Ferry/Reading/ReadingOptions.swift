/// The options for reading the values of an input. They can be used for any number of inputs, also
/// concurrently.
///
///     var options = ReadingOptions()
///     options.table = "people"
///     try options.read(FileInput(path: "people.db"), into: sink)
///
/// With the default options, each format sends values in its native shape. A conversion needs them in the
/// shape that suits its target, so it changes its `reading`; `Conversion.readingOptions(for:)` is the only function that
/// depends on both formats.
public struct ReadingOptions: Sendable {
  /// The format of the input, or nil to detect it from the content, then from the name.
  public var format: Format?
  /// The formats that document types declare, by the names of files. They apply if `format` is nil.
  package var declaredFormats = DeclaredFormats()
  /// The representation of archives. With `raw`, an archive is sent as a property list with `$objects`.
  public var representation = Representation.plain
  /// The style of objects that have several references.
  public var shared = SharedObjectStyle.reference
  /// True to send a collection of a binary property list that has several references as an object (of the
  /// class `ObjectClass.none`) with an identity, and each later occurrence as a reference. Then shared and
  /// even cyclic collections cost no more than their size in the file.
  public var marksShared = false
  /// The objects of an archive that are decoded: only those whose decoded form is a single scalar, or all
  /// objects of classes in the class catalog.
  public var decodedForms = DecodedFormUse.scalars
  /// The classes whose objects have a decoded form.
  public var catalog = ClassCatalog.standard
  /// The schema for XML, or nil to match the built-in schemas.
  public var schema: Schema?
  /// True to match built-in schemas if `schema` is nil.
  public var matchesSchemas = true
  /// An XPath that selects elements, attributes or texts of an XML document, or has a single value, or a path that selects values in other
  /// formats: `people[*]`.
  public var select: String?
  /// The options for XML.
  public var xml = XMLReadingOptions()
  /// The table of a database to read. If it is nil, the schema's table or all tables are read.
  public var table: String?
  /// True to report the parts of a database that are in none of its tables, such as virtual tables, even if `table` names a table,
  /// because the others are read, too.
  package var reportsPartsOutsideTables = false
  /// The encoding of a text that does not show it, such as CSV: a name that the system's `iconv` knows. Nil means UTF-8, or
  /// UTF-16 or UTF-32 if the first bytes show it. It takes precedence over an XML declaration, but not over a byte order mark.
  public var encoding: String?
  /// The properties of CSV that the text itself does not show.
  public var csv = CSVReadingOptions()
  /// True to open a property list, an archive or JSON inside data.
  public var expandsData = false
  /// The limits on the cost of the input.
  public var budget = Budget()

  /// The shape in which XML elements are sent.
  enum ElementForm {
    /// The value of the root element, or an array of the values of selected elements.
    case values
    /// The list of records in a document without a schema, or else the root element as the only record.
    case records
    /// The value of the root element, with its children put together by name, because each name is a table.
    case tables
    /// The value of the root element without its name, or an array of the values of selected elements.
    case content
    /// As `tables`, with the children of all elements put together by name, because an object has no list of contents.
    case objects
  }

  /// The treatment of objects with several references. If it is nil, `shared` determines it, and all objects
  /// have identities.
  var objectSharing: ObjectSharing?
  /// True to send repeated long strings and data as objects and references. Nil means the value of
  /// `marksShared`.
  var marksScalars: Bool?
  /// True to send a key that is not a scalar as its JSON text, which paths use as the key's name. Nil means the value of `marksShared`.
  var showsKeys: Bool?
  /// The naming of the keys in a typedstream's records.
  var keys = TypedstreamKeys.words
  var elements = ElementForm.values
  /// The name of the elements that are the records of a document without a schema, in upper or lower case. If it is nil, or if the
  /// root element has no such children, the records are found without a name.
  var recordElement: String?
  /// True to send only the list of records of a document without a schema, if it has one (see `RecordList`).
  var findsRecordList = false
  /// True if each element of a list becomes a document of its own.
  var listsDocuments = false
  /// Documents that were read to find their common shape; nil if there are none.
  var documents: ReadDocuments?
  /// True if `schema` is that of the records in the list that `findsRecordList` finds, because it was inferred from them.
  var isSchemaOfRecordList = false
  /// True if the sink has room for one table of a database.
  var holdsOneTable = false
  /// True if the keys of records are for a writer of XML, which writes each name as it is in the input.
  var keepsNames = false
  /// True to read a document in the typed form, or an archive in the raw form, as the values of its text, to which paths lead. Those of
  /// a document in XML have no paths: the values that it describes are read.
  var readsTypedText = false
  /// True if the sink processes objects without recursion, so that deep nesting cannot overflow the stack. A
  /// caller's sink may build a value, whose release is recursive.
  var streamsObjects = false
  /// True to report losses for the parts of an archive outside of its objects: the archiver's name, and the
  /// roots.
  var reportsArchiveParts = false
  /// The definitions in the database that is written. The parts of the input database that define its tables are reported if the
  /// other does not have them. Nil reports none.
  var definitionsOfTarget: DatabaseDefinitions?
  /// True to mark the bytes in texts of a database that are not UTF-8, so that texts of different bytes differ (see `ByteMarkedText`). Otherwise
  /// such texts are repaired.
  var marksInvalidText = false
  /// True to send all tables of a database as the entries of a dictionary, also the only one. The options then have no schema and name no table.
  var namesTables = false
  /// True to check also the parts of a database that are not sent, such as indexes.
  var checksDatabases = false
  /// True to report the versions that a database has for the records in its tables, if they are not sent.
  var reportsVersions = false
  /// True if the sink keeps the names of the columns of a table without rows, and false if it does not, which is reported. Nil
  /// reports those of a stream only.
  var keepsColumnNames: Bool?

  /// Creates the default options.
  public init() {}

  var sharing: ObjectSharing { objectSharing ?? (shared == .inFull ? .inFull : .identities) }

  var refersToScalars: Bool { shared == .reference && (marksScalars ?? marksShared) }

  /// True if the elements of a list are records for the sink, and any other value is a single record.
  var sendsRecords: Bool { findsRecordList || elements == .records || listsDocuments }

  /// The budget for the values that are sent. If the caller handles references, the depth is not limited.
  var sendingBudget: Budget {
    var budget = budget
    if marksShared { budget.depth = .max }
    return budget
  }

  /// The budget for the objects of an archive.
  var objectBudget: Budget {
    schema == nil && streamsObjects ? budget.ofStreamedObjects : sendingBudget
  }
}
