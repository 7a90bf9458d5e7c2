/// The options for reading the values of an input: a value for any number of inputs, also concurrently.
///
///     var options = ReadingOptions()
///     options.table = "people"
///     try options.read(FileInput(path: "people.db"), into: sink)
///
/// The default options send values in their own form, for a sink of the caller. A conversion sends them as its
/// target needs them; `Conversion.readingOptions(for:)` is the only place that knows both.
public struct ReadingOptions: Sendable {
  /// The format of the input; nil to detect it from the content, then from the name.
  public var format: Format?
  /// The form of the values; `raw` sends an archive as its raw property list.
  public var representation = Representation.plain
  /// The style of objects with several references.
  public var shared = SharedObjectStyle.reference
  /// True to send a collection of a binary property list with more than one reference as an object without a
  /// class (`ObjectClass.none`) with an identity, and as a reference after that. So shared and even cyclic
  /// collections cost no more than their size in the file.
  public var marksShared = false
  /// The objects of an archive that are decoded: only those that stand for one scalar, or all in the class
  /// catalog.
  public var decodedForms = DecodedFormUse.scalars
  /// The classes whose archived objects are decoded.
  public var catalog = ClassCatalog.standard
  /// The schema that interprets XML; nil to match the built-in ones.
  public var schema: Schema?
  /// True to match built-in schemas if none is given.
  public var matchesSchemas = true
  /// An XPath that selects the elements of an XML document.
  public var select: String?
  /// The table of a database; nil for all tables, or the schema's.
  public var table: String?
  /// True to open a property list, an archive or JSON inside data.
  public var expandsData = false
  /// The limits on the cost of the input.
  public var budget = Budget()

  /// The ways to send XML elements.
  enum ElementForm {
    /// The values of the elements.
    case values
    /// The values of the records below the root element of a document without a schema.
    case records
    /// The document, for a writer of XML: selected elements with their names, inside a root element if there
    /// are several. A name that is given for the root is the writer's to write.
    case document(root: String?)
  }

  /// The treatment of objects with several references; nil for that of `shared`, with all identities.
  var objectSharing: ObjectSharing?
  /// True to send repeated long strings and data as objects and references; nil if `marksShared` is true.
  var marksScalars: Bool?
  /// The names of the keys in a typedstream's records.
  var keys = TypedstreamKeys.words
  var elements = ElementForm.values
  /// True if the sink receives objects without recursion, so that their nesting costs no stack. A caller's sink
  /// may build a value, which is released recursively.
  var streamsObjects = false
  /// True to report the parts of an archive around its objects: its archiver's name, and its roots.
  var reportsArchiveParts = false
  /// True to report the parts of a database that define its tables, for a new database that does not have them.
  var reportsDefinitions = false

  /// Creates the default options.
  public init() {}

  var sharing: ObjectSharing { objectSharing ?? (shared == .inFull ? .inFull : .identities) }

  var refersToScalars: Bool { shared == .reference && (marksScalars ?? marksShared) }

  /// The budget for the values that are sent. A caller that handles references accepts any depth.
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
