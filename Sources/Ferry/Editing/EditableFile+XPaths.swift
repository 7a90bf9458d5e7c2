// The values that XPaths select from a document of XML, to change them by their paths.

extension EditableFile {
  /// A value that an XPath selects, or that a path names.
  package struct SelectedValue: Hashable {
    /// The path of the value.
    package let path: ValuePath
    /// True if the path is that of the text of an element with attributes, and the element has no text yet.
    package var isMissingText = false
    /// True if the XPath selects the text of an element whose value is this text alone.
    package var isWholeText = false

    package init(path: ValuePath) { self.path = path }
  }

  /// The change of values that an XPath selects.
  package enum SelectedChange {
    /// The values are replaced as a whole.
    case replacement
    /// The texts of elements are replaced. Those with attributes keep them.
    case text
    case removal
  }

  /// True if an XPath can select values of the file: a document of XML with values of its own.
  package var takesXPaths: Bool {
    guard format.isOfElements, nesting == 0 else { return false }
    // The values that a document in the typed form describes have paths.
    return (try? format.isTypedDocument(source.copy, budget: options.budget)) != true
  }

  /// Returns the paths of the values that an XPath selects from the document with its changes. Returns none if it selects nothing.
  ///
  /// - Throws: A `FerryError` with a reason of `XMLProblem`: `badXPath` or `undeclaredPrefix` for an XPath that cannot be evaluated,
  ///   `noNodes` for one with a single value, `noValues` if it selects a comment or another node without a value, and `noPath` if the
  ///   value of a node has no path, or is inside another one that is to be replaced.
  package func values(
    selectedBy xpath: String, for change: SelectedChange
  ) throws(FerryError) -> [SelectedValue] {
    let text = try contents(losses: LossReport())
    let reader = try XMLTreeReader(budget: options.budget, entities: options.xml.entities)
    try reader.readAll(document(text).input)
    let result = try reader.tree().evaluate(xpath, namespaces: options.xml.prefixes)
    guard case .nodes(let nodes) = result else { throw FerryError(.xml(.noNodes(xpath))) }
    let record = elementSchema(of: text)?.record.element
    var paths = ElementPaths(
      in: list, hasRootElement: record == nil ? try hasRootElement() : false, recordElement: record)
    var (selected, known) = ([SelectedValue](), Set<SelectedValue>())
    for node in nodes {
      let value: SelectedValue? =
        switch node {
        case .element(let element): try self.value(of: element, &paths, for: change)
        case .text(_, let owner): try self.value(of: owner, &paths)
        case .other(let kind): throw FerryError(.xml(.noValues(xpath, node: kind)))
        }
      guard let value else { throw FerryError(.xml(.noPath(xpath, node: node.kind))) }
      if known.insert(value).inserted { selected.append(value) }
    }
    if case .replacement = change, let path = Self.firstInside(selected.map(\.path)) {
      throw FerryError(.xml(.noPath(xpath, node: "a value inside another one")), path: path)
    }
    return selected
  }

  /// Returns the first of several paths whose value is inside that of another one; nil if there is none.
  private static func firstInside(_ paths: [ValuePath]) -> ValuePath? {
    let all = Set(paths)
    return paths.first { path in
      path.steps.indices.contains { all.contains(ValuePath(Array(path.steps.prefix($0)))) }
    }
  }

  private func document(_ text: [UInt8]) throws(FerryError) -> DetectedInput {
    try DetectedInput(
      MemoryInput(text), named: nil, given: format, encoding: options.encoding, budget: options.budget)
  }

  /// Returns the error of an XPath that selects nothing.
  package func nothing(selectedBy xpath: String) throws(FerryError) -> FerryError {
    guard !XPathExpression(xpath).elementNamesWithoutPrefix.isEmpty,
      let namespace = RootNamespace.find(in: try document(source.copy).head, budget: options.budget)
    else { return FerryError(.xml(.selectsNothing(xpath))) }
    return FerryError(.xml(.selectsNothingInNamespace(xpath, namespace: namespace)))
  }

  /// Returns the value of an element, or nil if it has no path. For a new text, returns that of the text if the element has attributes, and no
  /// elements inside.
  private func value(
    of element: XMLTreeElement, _ paths: inout ElementPaths, for change: SelectedChange
  ) throws(FerryError) -> SelectedValue? {
    guard let place = try paths.place(of: element) else { return nil }
    var value = SelectedValue(path: place.path)
    guard case .text = change, element.children.isEmpty else { return value }
    let keys = try paths.entries(of: place.node).keys
    guard keys.contains(where: { $0.first == UInt8(ascii: "@") }) else { return value }
    value = SelectedValue(path: place.path.appending(.key("#text")))
    value.isMissingText = !keys.contains(Array("#text".utf8))
    return value
  }

  /// Returns the value of an attribute or a text, or nil if it has no path.
  private func value(
    of owner: XMLTextOwner, _ paths: inout ElementPaths
  ) throws(FerryError) -> SelectedValue? {
    guard let element = owner.element, let place = try paths.place(of: element) else { return nil }
    let key: [UInt8]
    if let name = owner.attribute {
      key = XMLNamespaceStyle.kept.key(ofAttribute: name)
    } else {
      guard owner.isOnlyText else { return nil }
      key = Array("#text".utf8)
      if try list.kind(of: place.node) == .string {
        var value = SelectedValue(path: place.path)
        value.isWholeText = true
        return value
      }
    }
    // The elements inside may have such a key, too, as _x0040_a has.
    let hasElement = element.children.contains { ElementPaths.key(of: $0.name) == key }
    guard !hasElement, let node = try paths.entries(of: place.node)[key],
      try !list.kind(of: node).isCollection
    else { return nil }
    return SelectedValue(path: place.path.appending(.key(String(decoding: key, as: UTF8.self))))
  }

  /// Removes selected values, or none if one cannot be removed. An element whose text is its value, and is removed, becomes empty.
  ///
  /// - Returns: The number of removed values, without those inside other removed values.
  package func remove(_ values: [SelectedValue]) throws(FerryError) -> Int {
    let (texts, others) = (values.filter(\.isWholeText), values.filter { !$0.isWholeText })
    guard !texts.isEmpty else { return try remove(at: others.map(\.path)) }
    var count = 0
    try edit { file throws(FerryError) in
      for text in texts { try file.set(.string(""), at: text.path) }
      count = texts.count
      if !others.isEmpty { count += try file.remove(at: others.map(\.path)) }
    }
    return count
  }
}

extension XMLTreeNode {
  /// The kind of the node in plain words.
  fileprivate var kind: String {
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
