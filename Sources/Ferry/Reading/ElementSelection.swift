/// The elements that an XPath selects from a document.
enum ElementSelection {
  /// The elements of a tree.
  case nodes([XMLNode])
  /// The elements that are found while the document is read.
  case pattern(XPathPattern)

  /// Evaluates an XPath. If it can be matched while the document is read, nothing is read yet. Otherwise, and for
  /// a writer of XML, which needs the namespaces around each element, the whole document is read into a tree.
  init(_ xpath: String, of document: DetectedInput, _ options: ReadingOptions) throws(FerryError) {
    if let pattern = XPathPattern(xpath), !options.elements.isDocument,
      !pattern.usesDefaultNamespace || RootNamespace.find(in: document.head, budget: options.budget) != nil
    {
      self = .pattern(pattern)
      return
    }
    let reader = try XMLTreeReader(budget: options.budget)
    try reader.readAll(document.input)
    self = .nodes(try reader.tree().select(xpath))
  }

  /// The local names of the elements.
  var names: [String] {
    switch self {
    case .nodes(let nodes): nodes.map(\.name.local)
    case .pattern(let pattern): pattern.names
    }
  }
}
