/// The values of the nodes that XPaths select from a document of XML with its changes.
struct XPathValues {
  typealias SelectedValue = EditableFile.SelectedValue
  typealias SelectedChange = EditableFile.SelectedChange

  let file: EditableFile
  private let document: XPathDocument
  private var tree: XMLTree { document.tree }
  var paths: ElementPaths {
    get { document.paths }
    _modify { yield &document.paths }
  }

  /// Opens the document of a file.
  init(of file: EditableFile) throws(FerryError) {
    self.file = file
    document = try file.documentForXPaths()
  }

  /// Returns the nodes that an XPath selects, in document order.
  func nodes(_ xpath: String) throws(FerryError) -> [XMLTreeNode] {
    let result = try tree.evaluate(xpath, namespaces: file.options.xml.prefixes)
    guard case .nodes(let nodes) = result else { throw FerryError(.xml(.noNodes(xpath))) }
    return nodes
  }

  /// Returns the namespace of a prefix in XPaths.
  func namespace(of prefix: String) throws(FerryError) -> String? {
    try tree.namespace(ofXPathPrefix: prefix, namespaces: file.options.xml.prefixes)
  }

  /// Returns the place of an element.
  ///
  /// - Throws: A `FerryError` if it has no path.
  mutating func place(
    of element: XMLTreeElement, selectedBy xpath: String
  ) throws(FerryError) -> ElementPaths.Place {
    guard let place = try paths.place(of: element) else {
      throw FerryError(.xml(.noPath(xpath, node: XMLTreeNode.element(element).kind)))
    }
    return place
  }

  /// The path of the document, to which the root element belongs by its name; nil if the values are those inside the root element.
  var documentPath: ValuePath? { paths.hasRootElement ? ValuePath() : nil }

  /// Returns the paths of the values that nodes have, each once.
  mutating func values(
    of nodes: [XMLTreeNode], selectedBy xpath: String, for change: SelectedChange
  ) throws(FerryError) -> [SelectedValue] {
    var (selected, known) = ([SelectedValue](), Set<SelectedValue>())
    for node in nodes {
      let value: SelectedValue? =
        switch node {
        case .element(let element): try self.value(of: element, for: change)
        case .text(_, let owner): try self.value(of: owner)
        case .other(let kind): throw FerryError(.xml(.noValues(xpath, node: kind)))
        }
      guard let value else { throw FerryError(.xml(.noPath(xpath, node: node.kind))) }
      document.note(value, node)
      if known.insert(value).inserted { selected.append(value) }
    }
    let selectedPaths = selected.map(\.path)
    if case .replacement = change, let path = selectedPaths.firstInside(anyOf: Set(selectedPaths)) {
      throw FerryError(.xml(.noPath(xpath, node: "a value inside another one")), path: path)
    }
    return selected
  }

  /// Returns the value of an element, or nil if it has no path. For a new text, returns that of the text if the element has attributes, and no
  /// elements inside.
  private mutating func value(
    of element: XMLTreeElement, for change: SelectedChange
  ) throws(FerryError) -> SelectedValue? {
    guard let place = try paths.place(of: element) else { return nil }
    var value = SelectedValue(path: place.path)
    value.list = place.list
    value.parent =
      try element.parent.map { parent throws(FerryError) in
        try paths.place(of: parent)?.path
      } ?? documentPath
    guard case .text = change, element.children.isEmpty else { return value }
    let keys = try paths.entries(of: place.node).keys
    guard keys.contains(where: { $0.first == UInt8(ascii: "@") }) else { return value }
    value = SelectedValue(path: place.path.appending(.key("#text")))
    value.isMissingText = !keys.contains(Array("#text".utf8))
    return value
  }

  /// Returns the value of an attribute or a text, or nil if it has no path.
  private mutating func value(of owner: XMLTextOwner) throws(FerryError) -> SelectedValue? {
    guard let element = owner.element, let place = try paths.place(of: element) else { return nil }
    let key: [UInt8]
    if let name = owner.attribute {
      key = XMLNamespaceStyle.kept.key(ofAttribute: name)
    } else {
      guard owner.isOnlyText else { return nil }
      key = Array("#text".utf8)
      if try file.list.kind(of: place.node) == .string {
        var value = SelectedValue(path: place.path)
        (value.isWholeText, value.parent) = (true, place.path)
        return value
      }
    }
    // The elements inside may have such a key, too, as _x0040_a has.
    let hasElement = element.children.contains { ElementPaths.key(of: $0.name) == key }
    guard !hasElement, let node = try paths.entries(of: place.node)[key],
      try !file.list.kind(of: node).isCollection
    else { return nil }
    var value = SelectedValue(path: place.path.appending(.key(String(decoding: key, as: UTF8.self))))
    value.parent = place.path
    return value
  }
}

extension [ValuePath] {
  /// Returns the first path whose value is inside one of others; nil if there is none.
  func firstInside(anyOf others: Set<ValuePath>) -> ValuePath? {
    guard !others.isEmpty else { return nil }
    return first { path in
      path.steps.indices.contains { others.contains(ValuePath([ValuePath.Step](path.steps.prefix($0)))) }
    }
  }
}

extension XMLTreeNode {
  /// The kind of the node in plain words.
  var kind: String {
    switch self {
    case .element(let element): "the element \(MessageText.name(element.name.qualified))"
    case .text(_, let owner):
      if let name = owner.attribute {
        "the attribute \(MessageText.name(name.qualified))"
      } else {
        owner.isOnlyText ? "a text" : "one of several texts in an element"
      }
    case .other(let kind): kind
    }
  }
}
