/// How one side of a conversion shows records: permissions that the mapping asks for, never the format itself.
struct RecordDialect: Sendable {
  /// Fields are known by their archive keys.
  var usesArchiveKeys = false
  /// Every scalar is text, and its field's type says what it means.
  var scalarsAreText = false
  /// Records are objects of a class, URLs and UUIDs too.
  var holdsObjects = false
  /// Fields follow the order in which the class encodes them.
  var encodes = false
  /// Attributes come before elements.
  var putsAttributesFirst = false
  /// Booleans are 0 and 1.
  var booleansAreIntegers = false
  /// A date may be a number, the seconds since 1970, or a text without a time zone, which is UTC.
  var datesAreLoose = false
  /// Records and lists inside a record are JSON text.
  var nestsAsText = false
  /// What has a syntax of its own.
  var holding: Holding

  /// What a field's own type holds, for rules to compute with.
  static let values = RecordDialect(
    holding: [.nulls, .dates, .data, .decimals, .numbers, .notFinite, .surrogates])
  static let xml = RecordDialect(
    scalarsAreText: true, putsAttributesFirst: true,
    holding: [.nulls, .dates, .data, .decimals, .numbers, .notFinite])
  static let json = RecordDialect(holding: Format.json.holding)
  static let sqlite = RecordDialect(
    booleansAreIntegers: true, datesAreLoose: true, nestsAsText: true, holding: Format.sqlite.holding)
  static let archive = RecordDialect(
    usesArchiveKeys: true, holdsObjects: true, encodes: true, holding: Format.archive.holding)
}

extension Format {
  /// How the format shows records.
  var recordDialect: RecordDialect {
    switch self {
    case .xml: .xml
    case .json, .jsonLines, .xmlPropertyList, .binaryPropertyList, .typedstream, .text, .tinyPix, .png:
      RecordDialect(holding: holding)
    case .sqlite: .sqlite
    case .archive, .xmlArchive: .archive
    }
  }
}
