/// A description of a format: its names, its signature, the kinds of values in it, and the ways to read, write
/// and edit it.
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

  /// The shape in which a format shows a value.
  enum Shape {
    /// Archived objects.
    case objects
    case propertyList
    case json
    case elements
    case rows
    /// One text, or one picture.
    case single
  }

  /// The syntax of the typed form in a format.
  enum TypedSyntax {
    /// A JSON object.
    case object
    /// A dictionary of an XML property list.
    case dictionary
    /// An element `map` of the W3C's vocabulary for JSON.
    case map
  }

  /// The encoding of a format that is text.
  enum TextEncoding {
    case utf8
    /// The encoding that the text declares, as XML does.
    case declared
  }

  /// A description in one line, for a list of formats.
  var summary: String
  /// The format in an error message: "an XML property list".
  var noun: String
  /// The other names of the format on the command line.
  var aliases: [String] = []
  /// The extensions of the format's files, the usual one first.
  var extensions: [String] = []
  var content = Content.values
  var shape: Shape
  /// The uniform type identifiers that the format conforms to.
  var typeIdentifiers = ["public.data", "public.content"]
  /// The way to recognize the files of the format.
  var signature: FormatSignature
  /// The way to read the files of the format.
  var reader: FormatReader
  /// The way to write the files of the format; nil if Ferry does not write it.
  var writer: FormatWriter?
  /// True if the memory for reading the format is independent of the size of the input.
  var streams = false
  /// The encoding of the text; nil if the format is not text.
  var textEncoding: TextEncoding?
  /// The format of keyed archives in the syntax of this format; nil if the format is not one of property
  /// lists.
  var archiveFormat: Format?
  /// The format of the property list that an archive is stored as; nil if the format is not one of archives.
  var propertyListFormat: Format?
  /// True if the format is a binary property list.
  var isBinary = false
  /// The finder of the values in a text, by which they are changed; nil if the format is not text, or is not
  /// changed by path.
  var textLayout: TextLayout.Finder?
  /// The way to change a file of a format whose values cannot be changed by path; nil if they can.
  var editingHint: String?
  /// True if Apple's writers sort the keys of such files, so that their order in an archive is lost.
  var sortsKeys = false
  /// True if keys may be values other than strings.
  var hasObjectKeys = false
  /// The kinds of values for which the format has a syntax.
  var capabilities: FormatCapabilities = []
  /// The kinds of values for which the format has a syntax in the typed form, in which text is never
  /// interpreted.
  var typedCapabilities = FormatCapabilities.json
  /// The syntax of documents in the typed form; nil if there is none of them in the format.
  var typedSyntax: TypedSyntax?
  /// The dialect in which the format shows records; nil for that of values with the format's capabilities.
  var dialect: RecordDialect?

  /// The hint for a format whose files an editor opens as text.
  static let useEditor = "use ferry edit to open the file"

  /// True if Ferry writes the format.
  var isWritten: Bool { writer != nil }
  /// True if values in a file of the format can be changed by path.
  var isEditedByPath: Bool { isBinary || textLayout != nil }
  /// True if the format is a keyed archive.
  var isArchive: Bool { propertyListFormat != nil }
  /// True if the format is a property list, which may be an archive.
  var isPropertyList: Bool { archiveFormat != nil || isArchive }
}

extension FormatCapabilities {
  /// The kinds of values for which JSON has a syntax.
  static let json: FormatCapabilities = [.nulls, .decimals, .surrogates, .numbers]
  /// The kinds of values for which an XML property list has a syntax.
  static let xmlPropertyList: FormatCapabilities = [.wholeDates, .data, .uids, .notFinite, .numbers]
}
