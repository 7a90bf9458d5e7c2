/// Facts about a file before any changes. Each is found when it is first needed.
struct UnchangedFile {
  /// The layout of a binary file, and how its scalars share objects.
  typealias LearnedLayout = (layout: BinaryLayout, sharing: ScalarSharing<BinaryPropertyList>)

  /// The layout of the text.
  var textLayout: TextLayout?
  /// The values of the text that copy others.
  var textCopies: TextCopies?
  /// The texts of white space in an XML document that are known to be text, or to be layout.
  var knownSpace: XMLEdits.KnownSpace?
  /// True if the values of a document of XML are those of its root element, by the element's name.
  var hasRootElement: Bool?
  /// True for a document of XML that was written with types.
  var hasElementTypes: Bool?
  /// The layout of the objects of a binary file.
  var binaryLayout: LearnedLayout?
}
