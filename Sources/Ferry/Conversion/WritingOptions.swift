/// The options for writing an output. They can be used for any number of outputs, also concurrently.
///
///     var options = WritingOptions(to: .csv)
///     options.csv.delimiter = UInt8(ascii: ";")
///     options.encoding = "iso-8859-1"
///     let conversion = Conversion(writing: options)
public struct WritingOptions: Sendable {
  /// The format of the output.
  public var format: Format
  /// The representation of values in the output. A conversion reads an archive in this representation, too. Only the plain
  /// representation uses a schema.
  public var representation = Representation.plain
  /// The style of objects that have several references, in plain form. A conversion reads objects in this style, too.
  public var shared = SharedObjectStyle.reference
  /// The name of the root element in XML without a schema, or nil to derive it from the value.
  ///
  /// A name in a namespace has a prefix that the value declares, such as `p:list` beside the key `@xmlns:p`, or the namespace in braces:
  /// `{urn:a}list`. Other names with a prefix are refused, and those that XML does not allow are escaped.
  public var rootElement: String?
  /// The name of the elements of a list that is the whole value, in XML without a schema. Nil means `item`, and the name of the records of
  /// joined inputs if all of them are XML and have it in common. A name that XML does not allow, or one with a prefix, is escaped.
  public var itemElement: String?
  /// The convention and the notation of types in XML without a schema.
  public var xml = XMLWritingOptions()
  /// The table of a database to write to. If it is nil, the name of the input's table or the schema's table is used, or each list
  /// becomes a table.
  public var table: String?
  /// The Core Data store that is copied to receive the new objects, or nil to write another kind of database.
  public var template: StoreTemplate?
  /// The encoding of a text: a name that the system's `iconv` knows, or `utf-8-bom`. Nil means UTF-8. Characters that
  /// the encoding does not have become character references in XML, and escapes in JSON and OpenStep property lists; other
  /// formats throw `ContentProblem.notEncodable`.
  public var encoding: String?
  /// The layout of CSV.
  public var csv = CSVWritingOptions()
  /// The layout, in formats that can be compact or pretty-printed.
  public var style = OutputStyle.compact
  /// True to pretty-print the output, in formats that can also be compact.
  public var isPretty: Bool {
    get { style.indentation != nil }
    set { style.indentation = newValue ? style.indentation ?? .spaces(2) : nil }
  }
  /// True to sort the keys of dictionaries.
  public var sortsKeys = false
  /// True to write the older keys in `alsoWrite` in every format. Otherwise only archives get them.
  public var writesOlderKeys = false

  /// The storage of scalars in the objects of an archive.
  var archivedStorage = ArchivedStorage()
  /// The parts of an archive around its objects.
  var archiveTop = ArchiveTop()
  /// True to give a binary archive from a sorted XML property list the key order of an archiver, because its own order is
  /// lost. In the raw form, which the caller requests, keys keep the order of the input.
  var ordersArchivedKeys = false
  /// True if the values are those of a document in the typed form. The output is then meant to be read as one, and no loss says that it
  /// will be.
  var keepsTypedText = false

  /// Creates the default options for a format.
  public init(to format: Format) { self.format = format }

  /// True if the output is a list of records: lines, rows or documents.
  var isListOfRecords: Bool { format.description.isListOfRecords || listsDocuments }

  /// True if an adapter chooses the columns of the records, because the writer of the format knows no columns.
  var choosesKeys: Bool {
    csv.columns != nil && representation == .plain && format.layoutOptions.contains(.chosenKeys)
  }

  /// The dialect of records in the output. A list of documents, or of records with chosen keys, has no room for anything but records.
  var recordDialect: RecordDialect {
    var dialect = format.recordDialect
    if listsDocuments || choosesKeys { dialect.envelope = .nothing }
    return dialect
  }

  /// True if each element of a list is to be a document of its own.
  private var listsDocuments: Bool { style.hasDocuments && format.layoutOptions.contains(.documents) }

  /// True if the output is written from a stream of events or from a tape, so that deep nesting cannot
  /// overflow the stack.
  var streamsObjects: Bool { !format.isSingle && !format.isDatabase }
}
