/// An XPath that is matched while a document streams: paths to elements, to attributes and to texts, joined by `|`.
///
///     //person      //person/@id      //person[@id='7']/@id | //city
struct StreamedXPath: Sendable {
  /// The paths to elements; nil if there are none.
  let elements: XPathPattern?
  /// The paths to attributes and texts; nil if there are none.
  let texts: XPathTextPattern?

  /// Parses an expression. Fails if it is not of the common kind (see `XPathPattern`), also if it is not an XPath at all.
  ///
  /// - Parameter namespaces: The namespaces of prefixes. A path with another prefix is not of the common kind.
  init?(_ xpath: String, namespaces: [String: String] = [:]) {
    var parser = XPathParser(xpath, namespaces: namespaces)
    guard let paths = parser.paths() else { return nil }
    elements = paths.elements.isEmpty ? nil : XPathPattern(paths: paths.elements)
    texts = paths.texts.isEmpty ? nil : XPathTextPattern(paths: paths.texts)
  }

  /// True if a name has the prefix `_`.
  var usesDefaultNamespace: Bool {
    elements?.usesDefaultNamespace == true || texts?.usesDefaultNamespace == true
  }
}
