/// The formats, in the order in which lists show them.
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

  /// The description of the format. This is the one list of the descriptions.
  var description: FormatDescription {
    switch self {
    case .xml: .xml
    case .json: .json
    case .jsonLines: .jsonLines
    case .xmlPropertyList: .xmlPropertyList
    case .binaryPropertyList: .binaryPropertyList
    case .archive: .archive
    case .xmlArchive: .xmlArchive
    case .typedstream: .typedstream
    case .sqlite: .sqlite
    case .text: .text
    case .tinyPix: .tinyPix
    case .png: .png
    }
  }

  /// The other names of the format on the command line.
  public var aliases: [String] { description.aliases }

  /// The extensions of the format's files, the usual one first.
  public var extensions: [String] { description.extensions }

  /// A description in one line, for a list of formats.
  public var summary: String { description.summary }

  /// True if Ferry writes the format. It reads all of them, but databases only if it was built with its trait
  /// `SQLite`.
  public var canWrite: Bool { description.isWritten }

  /// The formats that a conversion can have as its target.
  public static var written: [Format] { allCases.filter(\.canWrite) }

  /// The formats that represent values of any kind; the others represent tables, one text, or one picture.
  public static var general: [Format] { written.filter { $0.description.content == .values } }

  /// The formats of records: those for values of any kind, and tables.
  public static var ofRecords: [Format] { written.filter { !$0.isSingle } }

  /// True if a file of the format is one text or one picture.
  var isSingle: Bool { description.content == .single }

  /// True if the format is a keyed archive.
  public var isArchive: Bool { description.isArchive }

  /// True if the format is a binary property list.
  var isBinary: Bool { description.isBinary }

  /// True if values in a file of the format can be changed by path. Files of other formats are read as JSON,
  /// in which no change can be written back.
  var isEditedByPath: Bool { description.isEditedByPath }

  /// The dialect in which the format shows records.
  var recordDialect: RecordDialect { description.dialect ?? RecordDialect(capabilities: capabilities) }

  /// The kinds of values for which the format has a syntax.
  public var capabilities: FormatCapabilities { description.capabilities }

  /// The kinds of values for which the format has a syntax in the typed form.
  var typedCapabilities: FormatCapabilities { description.typedCapabilities }

  /// True if the memory for reading the format is independent of the size of the input; other formats are
  /// read as a whole.
  public var streams: Bool { description.streams }
}
