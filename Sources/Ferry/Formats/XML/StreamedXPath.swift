/// An XPath that is matched while a document streams: paths to elements, to attributes and to texts, joined by `|`.
///
///     //person      //person/@id      //person[@id='7']/@id | //city
struct StreamedXPath: Sendable {
  /// The paths to elements; nil if there are none.
  let elements: XPathPattern?
  /// The paths to attributes and texts; nil if there are none.
  let texts: XPathTextPattern?

  /// Creates the patterns of an expression that is of the common kind (see `XPathPattern` and `XPathTextPattern`).
  ///
  /// - Parameter namespaces: The namespaces of prefixes. A path with another prefix is not of the common kind.
  /// - Throws: The first part of the expression for which the whole document must be known. It is the whole expression if its syntax is not
  ///   that of an XPath.
  init(_ xpath: String, namespaces: [String: String] = [:]) throws(XPathObstacle) {
    let expression = XPathExpression(xpath)
    guard let syntax = expression.syntax else { throw XPathObstacle(part: xpath) }
    var streaming = XPathStreaming(of: expression, namespaces: namespaces)
    try streaming.add(syntax)
    elements = streaming.elements.isEmpty ? nil : XPathPattern(paths: streaming.elements)
    texts = streaming.texts.isEmpty ? nil : XPathTextPattern(paths: streaming.texts)
  }

  /// True if a name has the prefix `_`.
  var usesDefaultNamespace: Bool {
    elements?.usesDefaultNamespace == true || texts?.usesDefaultNamespace == true
  }
}

/// The first part of an XPath for which the whole document must be known.
///
///     //person[last()]      [last()]
///     count(//person)       count()
///     //a/parent::b         parent::
struct XPathObstacle: Error, Equatable {
  let part: String
}
