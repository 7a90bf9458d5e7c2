/// The properties of records in the source or the target of a conversion. The record mapper checks these
/// properties instead of the format.
struct RecordDialect: Sendable {
  /// The data that a document can have around its records.
  enum Envelope {
    /// A dictionary with the version of the records and other entries.
    case dictionary
    /// Only the version of the records: in an attribute of the collection element, or in a separate table.
    case version
    /// Nothing from this input: a dictionary with the version is around the records of several inputs.
    case ofAllInputs
    /// Nothing: the document is a list of records.
    case nothing
  }

  /// True if fields are identified by their archived keys.
  var usesArchiveKeys = false
  /// True if keys are names of elements and attributes.
  var hasElements = false
  /// True if every scalar is text. The type of its field determines how the text is parsed.
  var scalarsAreText = false
  /// True if the scalars of fields are sent to the writer as text.
  var sendsText = false
  /// True if records are objects of a class, and URLs and UUIDs are objects.
  var holdsObjects = false
  /// True if fields are in the order in which the class encodes them.
  var encodes = false
  /// True if attributes precede elements.
  var putsAttributesFirst = false
  /// True if booleans are represented by 0 and 1.
  var booleansAreIntegers = false
  /// True if a date may be a number of seconds since 1970, or a text without a time zone, which means UTC.
  var datesAreLoose = false
  /// True if nested records and lists are stored as JSON text.
  var nestsAsText = false
  /// True if the fields of a nested record are columns of their own, and only other nested values are JSON text.
  var putsRecordsInColumns = false
  /// True if null represents a missing value, as in a row of a table.
  var nullIsMissing = false
  /// True if null represents an empty text in a required field, as an empty cell does.
  var nullIsEmptyText = false
  /// The data around the records of a document.
  var envelope = Envelope.dictionary
  /// The kinds of values that can be represented.
  var capabilities: FormatCapabilities

  /// The dialect of values that already have the types of their fields, as version rules need them.
  static let values = RecordDialect(
    capabilities: [.nulls, .dates, .data, .decimals, .numbers, .notFinite, .nanPayloads, .surrogates])
  static let xml = RecordDialect(
    hasElements: true, scalarsAreText: true, putsAttributesFirst: true, envelope: .version,
    capabilities: [.dates, .textDates, .data, .decimals, .numbers, .notFinite])
  /// The dialect of XML that was written with types, whose values are like those of JSON.
  static let xmlWithTypes = RecordDialect(capabilities: .xmlWithTypes)
  static let json = RecordDialect(capabilities: .json)
  static let jsonLines = RecordDialect(envelope: .nothing, capabilities: .json)
  static let csv = RecordDialect(
    scalarsAreText: true, nestsAsText: true, nullIsMissing: true, nullIsEmptyText: true, envelope: .nothing,
    capabilities: [.nulls, .decimals, .numbers, .notFinite, .nanPayloads])
  static let openStep = RecordDialect(scalarsAreText: true, sendsText: true, capabilities: .openStep)
  static let sqlite = RecordDialect(
    booleansAreIntegers: true, datesAreLoose: true, nestsAsText: true, nullIsMissing: true,
    envelope: .version, capabilities: .sqlite)
  static let archive = RecordDialect(
    usesArchiveKeys: true, holdsObjects: true, encodes: true, capabilities: .archive)
}
