/// A sender of elements by the convention of another program.
struct ConventionReader {
  private let fragment: ElementFragment
  private let sink: any ValueSink
  private let losses: LossReport
  private let namespaces: NamespaceMeter
  /// The name of the element if it is not part of the value and of its paths.
  private let unsentName: String?
  /// The elements that are always lists.
  private let lists: Lists

  /// The elements that are always lists, and the indices of those paths that an element has had.
  final class Lists {
    fileprivate let paths: XMLListPaths
    fileprivate(set) var used: Set<Int> = []

    init(_ paths: [ValuePath]) { self.paths = XMLListPaths(paths) }
  }

  /// The maximum depth of an element, because its value is sent recursively.
  private static let deepest = 1000

  /// Sends an element and its name, or in Parker only its value.
  ///
  /// - Parameters:
  ///   - sendsName: False to send the value of the element without its name.
  ///   - lists: The elements that are always lists.
  static func send(
    _ fragment: ElementFragment, by convention: XMLConvention, sendsName: Bool, lists: Lists,
    in context: ElementContext = ElementContext(), into sink: any ValueSink, losses: LossReport,
    namespaces: NamespaceMeter
  ) throws(FerryError) {
    guard let root = fragment.elements.first else { return }
    let hasName = sendsName && convention != .parker
    let reader = ConventionReader(
      fragment: fragment, sink: sink, losses: losses, namespaces: namespaces,
      unsentName: hasName ? nil : root.name, lists: lists)
    if hasName {
      try sink.beginDictionary(count: 1)
      try reader.key(root.name)
    }
    let path = ValuePath(hasName ? [.key(root.name)] : [])
    switch convention {
    case .badgerfish:
      // The namespaces of the outermost elements come first, so that inner ones replace them.
      let outer = context.declarations.reversed().map { name, namespace in
        (prefix: name.prefix == nil ? "" : name.local, namespace: namespace)
      }
      try reader.sendBadgerfish(0, Scope().adding(outer), path)
    case .parker: try reader.sendParker(0, path)
    case .ferry, .jsonml, .xmltodict: try reader.sendXmltodict(0, path)
    }
    if hasName { try sink.endDictionary() }
  }

  private func key(_ text: String) throws(FerryError) { try sink.key(BorrowedText(text.utf8.span)) }

  private func string(_ text: [UInt8]) throws(FerryError) { try sink.string(BorrowedText(text.span)) }

  private func check(_ path: ValuePath) throws(FerryError) {
    guard path.steps.count <= Self.deepest else { throw FerryError(.overBudget(.depth(Self.deepest))) }
  }

  /// Returns true if the elements at a path are a list even if there is only one.
  private func isList(_ path: ValuePath) -> Bool {
    guard !lists.paths.isEmpty else { return false }
    var keys: [[UInt8]] = []
    for step in path.steps.reversed() {
      if case .key(let key) = step { keys.append(Array(key.utf8)) }
    }
    if let unsentName { keys.append(Array(unsentName.utf8)) }
    let found = lists.paths.indices(endingIn: keys)
    lists.used.formUnion(found)
    return !found.isEmpty
  }

  /// Sends the children of an element: one as its value, several with one name as a list.
  private func sendChildren(
    of element: Int, _ path: ValuePath, _ send: (Int, ValuePath) throws(FerryError) -> Void
  ) throws(FerryError) {
    let (groups, isScattered) = fragment.groups(in: element)
    if isScattered { losses.add(.siblingOrder, path: path) }
    for (name, elements) in groups {
      try key(name)
      let inner = path.appending([.key(name)])
      let isList = isList(inner)
      if elements.count == 1, !isList {
        try send(elements[0], inner)
        continue
      }
      try sink.beginArray(count: elements.count)
      for (index, element) in elements.enumerated() { try send(element, inner.appending([.index(index)])) }
      try sink.endArray()
    }
  }

  // MARK: xmltodict

  private func sendXmltodict(_ element: Int, _ path: ValuePath) throws(FerryError) {
    try check(path)
    let node = fragment.elements[element]
    let text = node.text.trimmed
    // White space between elements is layout, unless it is marked.
    if node.children.isEmpty || node.keepsSpace, text.count != node.text.count {
      losses.add(.space, path: path)
    }
    guard !node.attributes.isEmpty || !node.declarations.isEmpty || !node.children.isEmpty else {
      return text.isEmpty ? try sink.null() : try string(text)
    }
    try sink.beginDictionary(count: nil)
    for (name, value) in node.attributes {
      try key("@" + name)
      try string(value)
    }
    try namespaces.add(node.declarations)
    for (prefix, namespace) in node.declarations {
      try key(prefix.isEmpty ? "@xmlns" : "@xmlns:" + prefix)
      try string(namespace)
    }
    try sendChildren(of: element, path) { child, path throws(FerryError) in try sendXmltodict(child, path) }
    if !text.isEmpty {
      if !node.children.isEmpty { losses.add(.mixedContent, path: path) }
      try key("#text")
      try string(text)
    }
    try sink.endDictionary()
  }

  // MARK: BadgerFish

  /// The namespaces in scope, by prefix.
  private struct Scope {
    var namespaces: [(prefix: String, namespace: [UInt8])] = []

    func adding(_ declarations: [(prefix: String, namespace: [UInt8])]) -> Scope {
      var scope = self
      for declaration in declarations {
        scope.namespaces.removeAll { $0.prefix.equals(declaration.prefix) }
        scope.namespaces.append(declaration)
      }
      return scope
    }
  }

  private func sendBadgerfish(_ element: Int, _ outer: Scope, _ path: ValuePath) throws(FerryError) {
    try check(path)
    let node = fragment.elements[element]
    let scope = outer.adding(node.declarations)
    try sink.beginDictionary(count: nil)
    for (name, value) in node.attributes {
      try key("@" + name)
      try string(value)
    }
    if !scope.namespaces.isEmpty {
      try namespaces.add(scope.namespaces)
      try key("@xmlns")
      try sink.beginDictionary(count: scope.namespaces.count)
      for (prefix, namespace) in scope.namespaces {
        try key(prefix.isEmpty ? "$" : prefix)
        try string(namespace)
      }
      try sink.endDictionary()
    }
    let hasChildren = !node.children.isEmpty
    if !node.text.isEmpty, !hasChildren || !node.text.allSatisfy(\.isSpace) {
      if hasChildren { losses.add(.mixedContent, path: path) }
      try key("$")
      try string(node.text)
    } else if !node.text.isEmpty, node.keepsSpace {
      losses.add(.space, path: path)
    }
    try sendChildren(of: element, path) { child, path throws(FerryError) in
      try sendBadgerfish(child, scope, path)
    }
    try sink.endDictionary()
  }

  // MARK: Parker

  private func sendParker(_ element: Int, _ path: ValuePath) throws(FerryError) {
    try check(path)
    let node = fragment.elements[element]
    for _ in node.attributes { losses.add(.attribute, path: path) }
    for _ in node.declarations { losses.add(.namespace, path: path) }
    guard node.children.isEmpty else {
      if !node.text.allSatisfy(\.isSpace) {
        losses.add(.otherText, path: path)
      } else if !node.text.isEmpty, node.keepsSpace {
        losses.add(.space, path: path)
      }
      try sink.beginDictionary(count: nil)
      try sendChildren(of: element, path) { child, path throws(FerryError) in try sendParker(child, path) }
      return try sink.endDictionary()
    }
    let text = node.text
    if text.isEmpty {
      try sink.null()
    } else if text.elementsEqual("true".utf8) || text.elementsEqual("false".utf8) {
      try sink.boolean(text.count == 4)
    } else if text.span.flawInJSONNumber == nil {
      try sink.number(BorrowedText(text.span))
    } else {
      try string(text)
    }
  }
}

extension [UInt8] {
  /// The text without white space around it.
  fileprivate var trimmed: [UInt8] {
    let start = drop(while: \.isSpace)
    return Array(start.dropLast(start.reversed().prefix(while: \.isSpace).count))
  }
}
