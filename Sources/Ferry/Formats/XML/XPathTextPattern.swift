/// An XPath of attributes and texts that is matched while a document streams. It is one of the common kind: the paths of an `XPathPattern`
/// that end with an attribute or with `text()`.
///
///     //book/@id      //@id      /list/*/@*      //book[@lang='en']/title/text()      //a/@x | //a/text()
struct XPathTextPattern: Sendable {
  /// A path to attributes or texts.
  struct Path: Sendable {
    /// The steps to their elements. Without steps, it begins at the document.
    var steps: [XPathPattern.Step]
    /// True if `//` is before the last step: the attributes and texts of elements inside these elements belong to the selection.
    var isInside: Bool
    var target: Target
  }

  /// The last step of a path.
  enum Target: Sendable {
    /// The attributes with a name, or all of them.
    case attribute(String?, XPathPattern.Namespace)
    case text

    var isText: Bool { if case .text = self { true } else { false } }
  }

  /// The paths, joined by `|`.
  let paths: [Path]

  /// True if a name has the prefix `_`.
  var usesDefaultNamespace: Bool {
    paths.contains { path in
      if case .attribute(_, .ofRoot) = path.target { return true }
      return path.steps.contains { $0.namespace == .ofRoot }
    }
  }
}
