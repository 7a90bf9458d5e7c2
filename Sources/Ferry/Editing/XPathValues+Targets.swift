// The new elements and attributes that XPaths name, inside the elements that their last step but one selects, or before elements of a list.

extension XPathValues {
  /// A new child of an element, or one that exists.
  struct Child {
    /// The element around it; nil for the document.
    let parent: XMLTreeElement?
    /// The value of the element around it.
    let around: ElementPaths.Place
    /// The nodes with its name.
    let nodes: [XMLTreeNode]
  }

  // MARK: Insertions

  /// Returns the paths of insertions at an XPath, in an order in which none changes the paths of the next ones. Returns none if the XPath
  /// selects no element that gets the value.
  ///
  /// - Throws: A `FerryError` with `XMLProblem.noTarget` as its reason if the XPath does not say where a new value goes.
  mutating func insertions(at xpath: String) throws(FerryError) -> [SelectedValue] {
    switch XPathTarget.ending(of: xpath) {
    case .target(let target): try isMissingRoot(target, xpath) ? [] : newValues(at: target, xpath)
    case .anywhere, .union, .unknown: throw try noTarget(xpath)
    case .other: try elements(before: xpath)
    }
  }

  /// Returns the paths of the values that an XPath selects, and of those that are missing in elements that its last step but one selects.
  mutating func valuesToSetOrInsert(
    at xpath: String, for change: SelectedChange
  ) throws(FerryError) -> [SelectedValue] {
    let target: XPathTarget
    switch XPathTarget.ending(of: xpath) {
    case .target(let found): target = found
    case .union: throw try noTarget(xpath)
    case .anywhere, .other, .unknown: return try values(of: nodes(xpath), selectedBy: xpath, for: change)
    }
    let isTyped = target.parents.equals("/") && documentPath == nil
    if try isTyped ? true : isMissingRoot(target, xpath) {
      return try values(of: nodes(xpath), selectedBy: xpath, for: change)
    }
    let children = try children(at: target, xpath)
    let nodes = children.flatMap(\.nodes)
    var selected = try values(of: nodes, selectedBy: xpath, for: change)
    let changed = Set(nodes.compactMap { $0.element?.id })
    for child in children where child.nodes.isEmpty {
      guard !isInside(child.parent, changed) else {
        let name = target.qualifiedName
        let others = "\(target.parents)[not(ancestor-or-self::\(name))]/\(name)"
        let why = "it would put a value inside another one that it sets (leave these out: \(others))"
        throw FerryError(.xml(.noTarget(xpath, why: why)), path: child.around.path)
      }
      selected.append(try value(of: child, at: target, xpath))
    }
    return selected
  }

  /// Returns the path of the child of each element that an XPath names as the new element around a value, or one that is replaced.
  mutating func destinations(at xpath: String) throws(FerryError) -> [SelectedValue] {
    guard case .target(let target) = XPathTarget.ending(of: xpath) else {
      throw try noDestination(xpath)
    }
    let values = try newValues(at: target, xpath)
    for value in values {
      guard case .key(let key)? = value.path.steps.last, key.begins(with: "{") || key.begins(with: "@{")
      else {
        continue
      }
      throw noPrefix(target, xpath)
    }
    return values
  }

  /// Returns true if a target is a root element that the document does not have, so that the argument may be a JSON pointer.
  private func isMissingRoot(_ target: XPathTarget, _ xpath: String) throws(FerryError) -> Bool {
    guard target.parents.equals("/"), documentPath != nil, !target.isAttribute else { return false }
    return try nodes(xpath).isEmpty
  }

  private mutating func newValues(
    at target: XPathTarget, _ xpath: String
  ) throws(FerryError) -> [SelectedValue] {
    var values: [SelectedValue] = []
    for child in try children(at: target, xpath) { values.append(try value(of: child, at: target, xpath)) }
    return values
  }

  /// Returns true if an element is one of several, or inside one.
  private func isInside(_ element: XMLTreeElement?, _ elements: Set<XMLTreeElement.ID>) -> Bool {
    var next = elements.isEmpty ? nil : element
    while let current = next {
      if elements.contains(current.id) { return true }
      next = current.parent
    }
    return false
  }

  /// Returns the child with the name of a target in each element that the XPath before the name selects.
  private mutating func children(at target: XPathTarget, _ xpath: String) throws(FerryError) -> [Child] {
    var existing: [XMLTreeElement.ID?: [XMLTreeNode]] = [:]
    for node in try nodes(xpath) {
      switch node {
      case .element(let element): existing[element.parent?.id, default: []].append(node)
      case .text(_, let owner): existing[owner.element?.id, default: []].append(node)
      case .other(let kind): throw FerryError(.xml(.noValues(xpath, node: kind)))
      }
    }
    if target.parents.equals("/") {
      guard let path = documentPath, !target.isAttribute else {
        throw FerryError(.xml(.noTarget(xpath, why: "a document has one root element, which keeps its name")))
      }
      let around = ElementPaths.Place(path: path, node: file.list.root)
      return [Child(parent: nil, around: around, nodes: existing[nil] ?? [])]
    }
    var children: [Child] = []
    for node in try nodes(target.parents) {
      guard let parent = node.element else {
        throw FerryError(
          .xml(.noTarget(xpath, why: "only an element can contain it, and this would be in \(node.kind)")))
      }
      let around = try place(of: parent, selectedBy: target.parents)
      children.append(Child(parent: parent, around: around, nodes: existing[parent.id] ?? []))
    }
    return children
  }

  /// Returns the value of a child, which may be missing.
  private mutating func value(
    of child: Child, at target: XPathTarget, _ xpath: String
  ) throws(FerryError) -> SelectedValue {
    let (path, kind) = (child.around.path, try file.list.kind(of: child.around.node))
    if case .array = kind {
      let why =
        "the value around it is a list, and a path names a new element of it (write \(path.appending(.end)))"
      throw FerryError(.xml(.noTarget(xpath, why: why)))
    }
    let key =
      switch child.nodes.first {
      case .element(let element): String(decoding: ElementPaths.key(of: element.name), as: UTF8.self)
      case .text(_, let owner):
        if let name = owner.attribute {
          String(decoding: XMLNamespaceStyle.kept.key(ofAttribute: name), as: UTF8.self)
        } else {
          throw try noTarget(xpath)
        }
      case .other, nil: try key(ofNew: target, child, xpath)
      }
    if child.nodes.isEmpty, case .dictionary = kind,
      try paths.entries(of: child.around.node)[Array(key.utf8)] != nil
    {
      let why = "another value has the key \(MessageText.quoted(key)) here, such as one in another namespace"
      throw FerryError(.xml(.noTarget(xpath, why: why)), path: path)
    }
    var value = SelectedValue(path: path.appending(.key(key)))
    value.parent = path
    return value
  }

  // MARK: Names

  /// Returns the key of a new element or attribute in an element, with a prefix that has its namespace there. If there is none, the key has
  /// the namespace in braces.
  private func key(
    ofNew target: XPathTarget, _ child: Child, _ xpath: String
  ) throws(FerryError) -> String {
    let name = Array(target.localName.utf8)
    guard XMLNamespaceStyle.kept.key(for: name.span) == name else {
      throw FerryError(
        .xml(.noTarget(xpath, why: "a new name with an escape such as _x0041_ is written as a path")))
    }
    let mark = target.isAttribute ? "@" : ""
    let inScope = (child.parent?.namespacesInScope ?? []).map {
      (name: $0.name.qualified, $0.namespace.span.decodedString)
    }
    /// Returns the namespace that a declaration gives.
    func declared(_ declaration: String) -> String? {
      inScope.first { $0.name.equals(declaration) }.flatMap { $0.1.isEmpty ? nil : $0.1 }
    }
    guard let namespace = try namespace(of: target, xpath) else {
      guard !target.isAttribute, let found = declared("xmlns") else { return mark + target.localName }
      let why =
        "a new element without a prefix would be in the namespace \(MessageText.quoted(found)) here "
        + "(write _:\(target.localName) if that is meant)"
      throw FerryError(.xml(.noTarget(xpath, why: why)))
    }
    if namespace.equals(XMLNamespace.xml) { return "\(mark)xml:\(target.localName)" }
    if let prefix = target.prefix, declared("xmlns:\(prefix)").equals(namespace) {
      return "\(mark)\(prefix):\(target.localName)"
    }
    if !target.isAttribute, declared("xmlns").equals(namespace) { return target.localName }
    let prefix = inScope.first { $0.name.begins(with: "xmlns:") && $0.1.equals(namespace) }?.name
    if let prefix { return "\(mark)\(prefix.dropFirst("xmlns:".count)):\(target.localName)" }
    let key = "{\(namespace)}\(target.localName)"
    // The key of an insertion into the value of the whole file declares no namespace, and neither does one whose namespace lacks a colon.
    guard !child.around.path.steps.isEmpty, ExpandedName(key: key.utf8.span)?.isAbsolute == true else {
      throw noPrefix(target, xpath)
    }
    return mark + key
  }

  /// Returns the namespace of a new name; nil for none.
  private func namespace(of target: XPathTarget, _ xpath: String) throws(FerryError) -> String? {
    guard let prefix = target.prefix else {
      guard !target.isAttribute || !target.localName.equals("xmlns") else {
        let why =
          "the declaration of a namespace is not an attribute in an XPath (write a path, as in a[\"@xmlns\"])"
        throw FerryError(.xml(.noTarget(xpath, why: why)))
      }
      return nil
    }
    return try namespace(of: prefix)
  }

  // MARK: Elements of lists

  /// Returns the paths that new elements before those that an XPath selects have, the last one first.
  private mutating func elements(before xpath: String) throws(FerryError) -> [SelectedValue] {
    var values: [SelectedValue] = []
    // An insertion changes the indices of later elements of the list, and the paths of values inside these.
    for node in try nodes(xpath).reversed() {
      guard let element = node.element else {
        let why = "it selects \(node.kind), and a new element goes only before an element (\(Self.advice))"
        throw FerryError(.xml(.noTarget(xpath, why: why)))
      }
      guard element.parent != nil else {
        let why = "it selects the root element, and a document has one (\(Self.advice))"
        throw FerryError(.xml(.noTarget(xpath, why: why)))
      }
      guard element.hasNamespaceOfParent else {
        let why = "\(node.kind) declares its namespace itself, which a new element before it would not have"
        throw FerryError(.xml(.noTarget(xpath, why: why)))
      }
      let place = try place(of: element, selectedBy: xpath)
      var path = place.path
      if case .index? = path.steps.last {
      } else {
        if case .array = try file.list.kind(of: place.node) {
          let why =
            "\(node.kind) is a list of its own, so that its path names a new element (write \(path.appending(.index(0))))"
          throw FerryError(.xml(.noTarget(xpath, why: why)))
        }
        path = path.appending(.index(0))
      }
      values.append(SelectedValue(path: path))
    }
    return values
  }

  // MARK: Errors

  /// Returns the error of a name whose namespace has no prefix at the new value.
  private func noPrefix(_ target: XPathTarget, _ xpath: String) -> FerryError {
    let name = MessageText.quoted(target.qualifiedName)
    return FerryError(
      .xml(
        .noTarget(xpath, why: "no prefix has the namespace of \(name) there (insert its declaration first)")))
  }

  /// Returns the error of an XPath that does not end with the name that a moved or copied value gets. If it selects an element, the path names
  /// the position of this element in its list.
  ///
  /// - Throws: The error of an XPath that is not valid.
  private mutating func noDestination(_ xpath: String) throws(FerryError) -> FerryError {
    guard case .other = XPathTarget.ending(of: xpath) else { return try noTarget(xpath) }
    let nodes = try nodes(xpath)
    guard nodes.count == 1, let element = nodes[0].element, element.parent != nil,
      let place = try paths.place(of: element)
    else {
      let why =
        "its last step is not a name (write the name that the value gets last, as in //book/title, or a path with its index "
        + "in a list)"
      return FerryError(.xml(.noTarget(xpath, why: why)))
    }
    let isInList = if case .index? = place.path.steps.last { true } else { false }
    let path = isInList ? place.path : place.path.appending(.index(0))
    let why = "its last step is not a name (for a place in a list, write the path of this element: \(path))"
    return FerryError(.xml(.noTarget(xpath, why: why)))
  }

  private static let advice = "write the name of a new element or attribute last, as in //book/lang"

  /// Returns the error of an XPath that does not end with a name in selected elements.
  ///
  /// - Throws: The error of an XPath that is not valid.
  private func noTarget(_ xpath: String) throws(FerryError) -> FerryError {
    _ = try nodes(xpath)
    let why =
      switch XPathTarget.ending(of: xpath) {
      case .anywhere:
        "its last // means all elements (\(Self.advice); in all elements: //*/lang)"
      case .union: "a union has several places (write an XPath for each)"
      case .target, .other, .unknown: "its last step is not a name (\(Self.advice))"
      }
    return FerryError(.xml(.noTarget(xpath, why: why)))
  }
}

extension XMLTreeElement {
  /// True if the prefix of the name, or the default namespace, is the same in the element around this one.
  fileprivate var hasNamespaceOfParent: Bool {
    let declaration = name.prefix.map { "xmlns:\($0)" } ?? "xmlns"
    let scope = parent?.namespacesInScope ?? []
    let outer = scope.first { $0.name.qualified.equals(declaration) }?.namespace ?? []
    return outer == Array((name.namespace ?? "").utf8)
  }
}
