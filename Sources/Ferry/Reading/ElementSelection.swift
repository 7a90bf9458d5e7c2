/// The elements that an XPath selects from a document.
enum ElementSelection {
  /// The elements of a tree.
  case nodes([XMLTreeElement])
  /// The elements that are found while the document is read.
  case pattern(XPathPattern)

  /// Returns the elements that an XPath selects from a document.
  ///
  /// Reads the whole document into a tree if the elements cannot be found while it is read. Otherwise reads nothing.
  static func selecting(
    _ xpath: String, from document: DetectedInput, _ options: ReadingOptions
  ) throws(FerryError) -> ElementSelection {
    if let pattern = XPathPattern(xpath, namespaces: options.xml.prefixes),
      !pattern.usesDefaultNamespace || RootNamespace.find(in: document.head, budget: options.budget) != nil
    {
      return .pattern(pattern)
    }
    let reader = try XMLTreeReader(budget: options.budget, entities: options.xml.entities)
    try reader.readAll(document.input)
    return .nodes(try reader.tree().select(xpath, namespaces: options.xml.prefixes))
  }

  /// The local names of the elements.
  var names: [String] {
    switch self {
    case .nodes(let nodes): nodes.map(\.name.local)
    case .pattern(let pattern): pattern.names
    }
  }
}
