/// The formats. A new format is a compile error in every file that must know it.
public enum Format: String, CaseIterable, Sendable {
  case xml
  case json
  case jsonLines = "jsonl"
  case xmlPropertyList = "plist-xml"
  case binaryPropertyList = "plist-binary"
  case archive
  case xmlArchive = "archive-xml"
  case typedstream
  case sqlite
  case text
  case tinyPix = "tinypix"
  case png

  /// Creates the format with a name or alias, ignoring case; nil if it is unknown.
  public init?(name: String) {
    let name = name.lowercased()
    guard let format = Self.allCases.first(where: { $0.rawValue == name || $0.aliases.contains(name) }) else {
      return nil
    }
    self = format
  }

  /// The other names of the format on the command line.
  public var aliases: [String] {
    switch self {
    case .xml: []
    case .json: []
    case .jsonLines: ["json-lines", "ndjson"]
    case .xmlPropertyList: ["xml1", "plist"]
    case .binaryPropertyList: ["binary1", "bplist"]
    case .archive: ["keyed-archive"]
    case .xmlArchive: ["keyed-archive-xml"]
    case .typedstream: ["nsarchiver"]
    case .sqlite: ["sqlite3"]
    case .text: ["txt"]
    case .tinyPix, .png: []
    }
  }

  /// The extensions of the format's files, the usual one first.
  public var extensions: [String] {
    switch self {
    case .xml: ["xml"]
    case .json: ["json"]
    case .jsonLines: ["jsonl", "ndjson"]
    case .xmlPropertyList: ["plist"]
    case .binaryPropertyList: ["bplist"]
    case .archive: ["archive", "pplgrp", "keyedarchive"]
    case .xmlArchive: []
    // Detected by content: the files have the extensions of their apps.
    case .typedstream: []
    case .sqlite: ["db", "sqlite", "sqlite3", "storedata"]
    case .text: ["txt"]
    case .tinyPix: ["tinypix"]
    case .png: ["png"]
    }
  }

  /// True if Ferry writes the format. It reads all of them, but databases only if it was built with its trait
  /// `SQLite`.
  public var canWrite: Bool {
    switch self {
    case .typedstream: false
    case .sqlite: PackageTraits.hasSQLite
    default: true
    }
  }

  /// The formats that a conversion can have as its target.
  public static var written: [Format] { allCases.filter(\.canWrite) }

  /// The formats that represent values of any kind; the others represent tables, one text, or one picture.
  public static var general: [Format] { ofRecords.filter { $0 != .sqlite } }

  /// The formats of records: those for values of any kind, and tables.
  public static var ofRecords: [Format] { allCases.filter { $0.canWrite && !$0.isSingle } }

  /// True if a file of the format is one text or one picture.
  var isSingle: Bool { self == .text || self == .tinyPix || self == .png }

  /// True if the format is a keyed archive.
  public var isArchive: Bool { self == .archive || self == .xmlArchive }

  /// True if values in a file of the format can be changed by path. Files of other formats are read as JSON,
  /// in which no change can be written back.
  var isEditedByPath: Bool {
    switch self {
    case .json, .xmlPropertyList, .binaryPropertyList, .archive, .xmlArchive: true
    case .xml, .jsonLines, .typedstream, .sqlite, .text, .tinyPix, .png: false
    }
  }

  /// The kinds of values for which the format has a syntax.
  public var capabilities: FormatCapabilities {
    switch self {
    case .json, .jsonLines: [.nulls, .decimals, .surrogates, .numbers]
    // Null becomes an empty element, which the writer reports.
    case .xml: [.nulls]
    case .xmlPropertyList: [.wholeDates, .data, .uids, .notFinite, .numbers]
    case .binaryPropertyList:
      [.nulls, .dates, .data, .uids, .singles, .notFinite, .numbers, .surrogates]
    case .archive:
      [
        .nulls, .dates, .data, .sets, .singles, .notFinite, .numbers, .shortDecimals, .surrogates,
        .objectKeys, .objects,
      ]
    case .xmlArchive:
      [.nulls, .dates, .data, .sets, .notFinite, .numbers, .shortDecimals, .objectKeys, .objects]
    case .typedstream:
      [.nulls, .dates, .data, .sets, .singles, .notFinite, .numbers, .objectKeys, .objects]
    // The writer reports missing kinds, booleans and NaN among them, because it knows those that a schema
    // restores.
    case .sqlite: [.nulls, .data, .notFinite, .numbers]
    case .text, .tinyPix, .png: []
    }
  }

  /// True if the format is a binary property list.
  var isBinary: Bool { self == .archive || self == .binaryPropertyList }

  /// The kinds of values for which the format has a syntax in the typed form, in which text is never
  /// interpreted.
  var typedCapabilities: FormatCapabilities {
    switch self {
    case .xmlPropertyList, .xmlArchive: Self.xmlPropertyList.capabilities
    // Typed XML is JSON in elements.
    case .json, .jsonLines, .xml, .binaryPropertyList, .archive, .typedstream, .sqlite, .text, .tinyPix, .png:
      Self.json.capabilities
    }
  }

  /// A description in one line, for a list of formats.
  public var summary: String {
    switch self {
    case .xml: "XML: records through a schema, anything else by convention (@attribute, #text)"
    case .json: "JSON (RFC 8259)"
    case .jsonLines: "JSON Lines: one record a line"
    case .xmlPropertyList: "XML property list"
    case .binaryPropertyList: "binary property list (bplist00)"
    case .archive: "keyed archive (NSKeyedArchiver), binary"
    case .xmlArchive: "keyed archive (NSKeyedArchiver) as an XML property list"
    case .typedstream: "typedstream (NSArchiver, NeXTSTEP): the older archives, values in order"
    case .sqlite: "SQLite database: tables of records; Core Data stores entity by entity"
    case .text: "text in UTF-8, which is one string"
    case .tinyPix: "TinyPix: a picture of 8 × 8 pixels in eight bytes; as values eight rows of # and ."
    case .png: "PNG picture of 8 × 8 black and white pixels; as values eight rows of # and ."
    }
  }

  /// True if the memory for reading the format is independent of the size of the input; other formats are
  /// read as a whole.
  public var streams: Bool {
    switch self {
    case .xml, .json, .jsonLines, .xmlPropertyList, .sqlite: true
    case .binaryPropertyList, .archive, .xmlArchive, .typedstream, .text, .tinyPix, .png: false
    }
  }
}
