/// The formats, in the order of lists shown to users.
public enum Format: String, CaseIterable, Sendable {
  /// XML, by the conventions of Ferry or others, or by a schema.
  case xml
  /// JSON (RFC 8259): one value.
  case json
  /// JSON Lines: a value on each line.
  case jsonLines = "jsonl"
  /// JSON text sequences (RFC 7464): a record separator before each value.
  case jsonSequence = "json-seq"
  /// JSON values, each with a NUL after it.
  case nulSeparatedJSON = "json-nul"
  /// JSON values one after the other, with or without white space between them.
  case concatenatedJSON = "json-concat"
  /// JSON with comments and a comma after the last value.
  case jsonc
  /// JSON5: JSON with comments, keys without quotes, NaN and more.
  case json5
  /// YAML 1.2, whose documents are records if there are several.
  case yaml
  /// Comma-separated values (RFC 4180), and other delimiters.
  case csv
  /// Tab-separated values.
  case tsv
  /// A table with aligned columns, for a terminal. Only written.
  case table
  /// A property list in XML.
  case xmlPropertyList = "plist-xml"
  /// A binary property list.
  case binaryPropertyList = "plist-binary"
  /// A property list in the text format of OpenStep.
  case openStepPropertyList = "plist-openstep"
  /// A property list in GNUstep's text format, which adds types to OpenStep's.
  case gnustepPropertyList = "plist-gnustep"
  /// An Xcode project (`project.pbxproj`), in Xcode's layout.
  case xcodeProject = "pbxproj"
  /// A table of strings (`.strings`).
  case strings
  /// A keyed archive, as `NSKeyedArchiver` writes it in a binary property list.
  case archive
  /// A keyed archive in an XML property list.
  case xmlArchive = "archive-xml"
  /// A typedstream, as `NSArchiver` writes it.
  case typedstream
  /// A compiled interface (`NIBArchive`). Only read.
  case nibArchive = "nib"
  /// An SQLite database, or a Core Data store in one.
  case sqlite
  /// A ZIP archive whose files are a document. It is read, and its files are changed, but none is written anew.
  case zip
  /// A text, which is a single string.
  case text
  /// A picture of TinyPix, eight rows of eight pixels.
  case tinyPix = "tinypix"
  /// A picture in PNG, which is a single value.
  case png

  /// Creates the format with a name or alias, ignoring case. Fails if there is none.
  public init?(name: String) {
    let name = name.lowercased()
    guard let format = Self.allCases.first(where: { $0.rawValue == name || $0.aliases.contains(name) }) else {
      return nil
    }
    self = format
  }

  /// The description of the format.
  var description: FormatDescription {
    // A copy would retain each of its many parts.
    _read { yield Self.descriptions[Self.allCases.firstIndex(of: self) ?? 0] }
  }

  /// The descriptions of the formats, in their order.
  private static let descriptions = allCases.map(\.listedDescription)

  /// The description of the format. This is the only list of descriptions.
  private var listedDescription: FormatDescription {
    switch self {
    case .xml: .xml
    case .json: .json
    case .jsonLines: .jsonLines
    case .jsonSequence: .jsonSequence
    case .nulSeparatedJSON: .nulSeparatedJSON
    case .concatenatedJSON: .concatenatedJSON
    case .jsonc: .jsonc
    case .json5: .json5
    case .yaml: .yaml
    case .csv: .csv
    case .tsv: .tsv
    case .table: .table
    case .xmlPropertyList: .xmlPropertyList
    case .binaryPropertyList: .binaryPropertyList
    case .openStepPropertyList: .openStepPropertyList
    case .gnustepPropertyList: .gnustepPropertyList
    case .xcodeProject: .xcodeProject
    case .strings: .strings
    case .archive: .archive
    case .xmlArchive: .xmlArchive
    case .typedstream: .typedstream
    case .nibArchive: .nibArchive
    case .sqlite: .sqlite
    case .zip: .zip
    case .text: .text
    case .tinyPix: .tinyPix
    case .png: .png
    }
  }

  /// The other names of the format on the command line.
  public var aliases: [String] { description.aliases }

  /// The file extensions of the format without a dot, the preferred one first.
  public var extensions: [String] { description.extensions }

  /// A one-line description for a list of formats.
  public var summary: String { description.summary }

  /// True if Ferry can read the format; databases only in a build with the trait `SQLite`.
  public var canRead: Bool { description.isRead }

  /// True if Ferry can write the format.
  public var canWrite: Bool { description.isWritten }

  /// Throws if Ferry does not write the format.
  package func checkCanWrite() throws(FerryError) {
    guard canWrite else { throw FerryError(.file(.notWritten(rawValue))) }
  }

  /// The formats that Ferry can write.
  public static var written: [Format] { allCases.filter(\.canWrite) }

  /// The formats that represent values of any kind, rather than tables, a single text or a single picture.
  public static var general: [Format] { written.filter { $0.description.content == .values } }

  /// The formats that can represent records to read them again: those for values of any kind, and tables.
  public static var ofRecords: [Format] {
    written.filter { [.values, .tables].contains($0.description.content) && $0.canRead }
  }

  /// True if a file of the format contains a single text or a single picture.
  package var isSingle: Bool { description.content == .single }

  /// True if the format is that of keyed archives.
  public var isArchive: Bool { description.isArchive }

  /// True if the format is that of databases.
  package var isDatabase: Bool { description.isDatabase }

  /// True if the format is a table of rows as text, such as CSV.
  package var isTextTable: Bool { description.shape == .rows && !isDatabase }

  /// True if the values in files of the format are objects of classes.
  package var hasObjects: Bool { description.shape == .objects }

  /// True if files of the format consist of elements, which the options for XML read and write.
  package var isOfElements: Bool { description.shape == .elements }

  /// True if the format is that of archives of files, each in its own format.
  package var isArchiveOfFiles: Bool { description.isArchiveOfFiles }

  /// True if a file of the format consists of elements, or may contain files that do.
  package var mayContainElements: Bool { isOfElements || isArchiveOfFiles }

  /// True if keys may be values other than strings.
  package var hasObjectKeys: Bool { description.hasObjectKeys }

  /// True if Apple's writers sort keys, so that an archive in the format has lost the order of its keys.
  package var sortsKeys: Bool { description.sortsKeys }

  /// True if the outputs for several inputs can be written one after the other.
  package var isWrittenInSequence: Bool { description.isWrittenInSequence }

  /// True if types are inferred for the columns of the format, while it is read.
  package var hasTypedColumns: Bool { description.columnTypes != nil }

  /// True if a file of the format is a list of records, such as lines or rows.
  package var isListOfRecords: Bool { description.isListOfRecords }

  /// True if the format is that of typedstreams.
  var isTypedstream: Bool { description.isTypedstream }

  /// True if the format is a binary property list.
  var isBinaryPropertyList: Bool { description.isBinaryPropertyList }

  /// True if values in a file of the format can be changed by path. Other formats are read as JSON, and
  /// changes cannot be written back.
  var isEditedByPath: Bool { description.isEditedByPath }

  /// The dialect of records in the format.
  var recordDialect: RecordDialect { description.dialect ?? RecordDialect(capabilities: capabilities) }

  /// The kinds of values that the format can represent.
  public var capabilities: FormatCapabilities { description.capabilities }

  /// The kinds of values that the format can represent without tags in the typed form.
  var typedCapabilities: FormatCapabilities { description.typedCapabilities }

  /// True if reading takes constant memory, regardless of the size of the input. Other formats are read as a
  /// whole.
  public var streams: Bool { description.streams }
}
