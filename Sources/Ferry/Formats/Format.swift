/// The formats: the one list of them. A new one is a compile error in every place that has to know it.
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

  /// The format of this name or alias, whatever its case; nil when there is none.
  public init?(name: String) {
    let name = name.lowercased()
    guard let format = Self.allCases.first(where: { $0.rawValue == name || $0.aliases.contains(name) }) else {
      return nil
    }
    self = format
  }

  /// Other names on the command line.
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

  /// Extensions of files of the format, the usual one first.
  public var extensions: [String] {
    switch self {
    case .xml: ["xml"]
    case .json: ["json"]
    case .jsonLines: ["jsonl", "ndjson"]
    case .xmlPropertyList: ["plist"]
    case .binaryPropertyList: ["bplist"]
    case .archive: ["archive", "pplgrp", "keyedarchive"]
    case .xmlArchive: []
    // Found by content: the files have the extensions of their apps.
    case .typedstream: []
    case .sqlite: ["db", "sqlite", "sqlite3", "storedata"]
    case .text: ["txt"]
    case .tinyPix: ["tinypix"]
    case .png: ["png"]
    }
  }

  /// Whether Ferry writes the format; it reads all of them, but databases only when it is built with its trait `SQLite`.
  public var canWrite: Bool {
    switch self {
    case .typedstream: false
    case .sqlite: PackageTraits.hasSQLite
    default: true
    }
  }

  /// The formats that a conversion may have as its target.
  public static var written: [Format] { allCases.filter(\.canWrite) }

  /// The formats that hold values of any kind; the others hold tables, one text, or one picture.
  public static var general: [Format] { ofRecords.filter { $0 != .sqlite } }

  /// The formats that hold records: those for any value, and tables.
  public static var ofRecords: [Format] { allCases.filter { $0.canWrite && !$0.isSingle } }

  /// Whether a file of the format is one text or one picture.
  var isSingle: Bool { self == .text || self == .tinyPix || self == .png }

  /// Whether the format is a keyed archive.
  public var isArchive: Bool { self == .archive || self == .xmlArchive }

  /// What the format has a syntax for.
  public var holding: Holding {
    switch self {
    case .json, .jsonLines: [.nulls, .decimals, .surrogates, .numbers]
    // An empty element stands for null; the writer says so.
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
    // What it has no booleans and no NaN for its writer says, which knows what a schema brings back.
    case .sqlite: [.nulls, .data, .notFinite, .numbers]
    case .text, .tinyPix, .png: []
    }
  }

  /// Whether the format is a binary property list.
  var isBinary: Bool { self == .archive || self == .binaryPropertyList }

  /// What the format has a syntax for in the typed form, where text is not taken for what it may mean.
  var typedHolding: Holding {
    switch self {
    case .xmlPropertyList, .xmlArchive: Self.xmlPropertyList.holding
    // Typed XML is JSON in elements.
    case .json, .jsonLines, .xml, .binaryPropertyList, .archive, .typedstream, .sqlite, .text, .tinyPix, .png:
      Self.json.holding
    }
  }

  /// One line for a list of formats.
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

  /// Whether memory stays flat however large the input, when the format is read; the others are read whole.
  public var streams: Bool {
    switch self {
    case .xml, .json, .jsonLines, .xmlPropertyList, .sqlite: true
    case .binaryPropertyList, .archive, .xmlArchive, .typedstream, .text, .tinyPix, .png: false
    }
  }
}
