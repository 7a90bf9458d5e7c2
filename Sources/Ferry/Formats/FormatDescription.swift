/// A description of a format: everything about it apart from its reader and writer.
///
/// The folder of each format has its description. `Format.description` is the one list of them; a new format
/// is a case of `Format`, a description, a reader and a writer.
struct FormatDescription: Sendable {
  /// The kind of values that a file of the format contains.
  enum Content {
    /// Values of any kind.
    case values
    /// Tables of records.
    case tables
    /// One text, or one picture.
    case single
  }

  /// A description in one line, for a list of formats.
  var summary: String
  /// The other names of the format on the command line.
  var aliases: [String] = []
  /// The extensions of the format's files, the usual one first.
  var extensions: [String] = []
  var content = Content.values
  /// True if Ferry writes the format.
  var isWritten = true
  /// True if the memory for reading the format is independent of the size of the input.
  var streams = false
  /// True if the format is a keyed archive.
  var isArchive = false
  /// True if the format is a binary property list.
  var isBinary = false
  /// True if values in a file of the format can be changed by path.
  var isEditedByPath = false
  /// The way to change a file of a format whose values cannot be changed by path; nil if they can.
  var editingHint: String?
  /// True if keys may be values other than strings.
  var hasObjectKeys = false
  /// The kinds of values for which the format has a syntax.
  var capabilities: FormatCapabilities = []
  /// The kinds of values for which the format has a syntax in the typed form, in which text is never
  /// interpreted.
  var typedCapabilities = FormatCapabilities.json

  /// The hint for a format whose files an editor opens as text.
  static let useEditor = "use ferry edit to open the file"
}

extension FormatCapabilities {
  /// The kinds of values for which JSON has a syntax.
  static let json: FormatCapabilities = [.nulls, .decimals, .surrogates, .numbers]
  /// The kinds of values for which an XML property list has a syntax.
  static let xmlPropertyList: FormatCapabilities = [.wholeDates, .data, .uids, .notFinite, .numbers]
}
