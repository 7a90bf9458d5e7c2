/// The shape of the values of a document.
struct RecordShape {
  private let format: Format
  private let hasTypes: Bool

  /// Creates the shape of a format.
  ///
  /// - Parameter hasTypes: True for a document of XML with types, whose values are like those of JSON.
  init(_ format: Format, hasTypes: Bool = false) { (self.format, self.hasTypes) = (format, hasTypes) }

  /// The dialect of the records.
  var dialect: RecordDialect { hasTypes ? .xmlWithTypes : format.recordDialect }

  /// True if the values are those of an archive.
  var isArchive: Bool { format.isArchive }

  /// True if the values are elements, whose scalars are text.
  var isOfElements: Bool { dialect.hasElements }

  /// The kinds of values that can be represented.
  var capabilities: FormatCapabilities { hasTypes ? .xmlWithTypes : format.capabilities }

  /// True if the values may be objects.
  var hasObjects: Bool { format.description.shape == .objects }

  /// The name of the format in messages, with an article: "an XML property list".
  var noun: String { format.description.noun }

  /// Returns true if the values of another document have this shape.
  func isLike(_ other: RecordShape) -> Bool {
    (hasTypes ? Format.json : format).description.shape
      == (other.hasTypes ? Format.json : other.format).description.shape
  }
}
