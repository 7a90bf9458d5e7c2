/// The layout of text, such as JSON and XML, and its escapes.
///
///     OutputStyle.compact                                     [{"a":1}] in JSON
///     OutputStyle.pretty                                      two spaces for each level
///     OutputStyle(indentation: .tab, isASCII: true)           tabs, and escapes such as \u00e9
public struct OutputStyle: Hashable, Sendable {
  /// One level of indentation. Each element and entry is on a separate line. Nil writes compact text in JSON, and the usual
  /// layout in XML and YAML, which have no compact one: two spaces for each level.
  public var indentation: Indentation?
  /// True to write an escape for each character beyond ASCII, also in XML, YAML and property lists as text.
  public var isASCII = false
  /// True to write each element of a list as a document of its own, in YAML. Other values are a single document. A conversion of YAML with
  /// several documents to YAML writes documents in any case.
  public var hasDocuments = false

  /// Creates a layout.
  ///
  /// - Parameters:
  ///   - indentation: One level of indentation, or nil for compact text in JSON, and the usual layout in other formats.
  ///   - isASCII: True to write an escape for each character beyond ASCII.
  ///   - hasDocuments: True to write each element of a list as a document of its own, in YAML.
  public init(indentation: Indentation? = nil, isASCII: Bool = false, hasDocuments: Bool = false) {
    (self.indentation, self.isASCII, self.hasDocuments) = (indentation, isASCII, hasDocuments)
  }

  /// `[{"a":1}]` in JSON. XML and YAML are written with two spaces for each level.
  public static let compact = OutputStyle()
  /// Each element and entry is on a separate line, indented by two spaces for each level: `"a": 1`.
  public static let pretty = OutputStyle(indentation: .spaces(2))
}
