/// The way in which one side of a conversion shows records: a set of properties for the mapping to ask for,
/// so that it need not know the format.
struct RecordDialect: Sendable {
  /// True if fields are identified by their archived keys.
  var usesArchiveKeys = false
  /// True if every scalar is text, which the type of its field interprets.
  var scalarsAreText = false
  /// True if records are objects of a class, and URLs and UUIDs too.
  var holdsObjects = false
  /// True if fields are in the order in which the class encodes them.
  var encodes = false
  /// True if attributes precede elements.
  var putsAttributesFirst = false
  /// True if booleans are 0 and 1.
  var booleansAreIntegers = false
  /// True if a date may be a number, the seconds since 1970, or a text without a time zone, which is UTC.
  var datesAreLoose = false
  /// True if records and lists inside a record are JSON text.
  var nestsAsText = false
  /// True if null stands for a missing value, as in a row of a table.
  var nullIsMissing = false
  /// The kinds of values with a syntax of their own.
  var capabilities: FormatCapabilities

  /// The dialect of values that have the types of their fields, for the rules of versions.
  static let values = RecordDialect(
    capabilities: [.nulls, .dates, .data, .decimals, .numbers, .notFinite, .surrogates])
  static let xml = RecordDialect(
    scalarsAreText: true, putsAttributesFirst: true,
    capabilities: [.dates, .data, .decimals, .numbers, .notFinite])
  static let json = RecordDialect(capabilities: .json)
  static let sqlite = RecordDialect(
    booleansAreIntegers: true, datesAreLoose: true, nestsAsText: true, nullIsMissing: true,
    capabilities: .sqlite)
  static let archive = RecordDialect(
    usesArchiveKeys: true, holdsObjects: true, encodes: true,
    capabilities: .archive)
}
