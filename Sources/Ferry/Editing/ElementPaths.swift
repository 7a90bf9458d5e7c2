/// The paths of the values of elements in a document of XML.
///
///     <hosts><host id="1"/><host id="2"><port>80</port></host></hosts>
///
///     the element port      hosts.host[1].port
///
/// A path is found by the names of the elements, and by the numbers of those that have the same name and the same parent. An element has no
/// path if the values are not those of the elements, as in some documents with types or a schema.
struct ElementPaths {
  /// The value of an element, with its path.
  struct Place {
    let path: ValuePath
    let node: NodeID
    /// The list of the elements with its name in its parent, if the value is an element of it.
    var list: NamedList?
  }

  /// The list of all elements with one name in one parent.
  struct NamedList: Hashable {
    let path: ValuePath
    let count: Int
    /// True if an attribute says that the only element is one of a list. An empty list has such an attribute, too.
    let isMarked: Bool
  }

  private let list: EditedPropertyList
  /// True if the values are those of the root element, by its name.
  let hasRootElement: Bool
  /// The name of the element of a record, if a schema describes the values.
  private let recordElement: String?
  /// The places of the examined elements; nil for those without a path.
  private var places: [XMLTreeElement.ID: Place?] = [:]
  /// The entries of the last dictionary, in which the values of many attributes may be found.
  private var lastEntries: (node: NodeID, entries: [[UInt8]: NodeID])?

  /// Creates the paths in the values of a document.
  ///
  /// - Parameters:
  ///   - list: The values, in their current state.
  ///   - hasRootElement: True if the values are those of the root element, by its name.
  ///   - recordElement: The name of the element of a record, if a schema describes the values.
  init(in list: EditedPropertyList, hasRootElement: Bool, recordElement: String?) {
    (self.list, self.hasRootElement, self.recordElement) = (list, hasRootElement, recordElement)
  }

  /// Returns the value of an element, or nil if it has no path.
  mutating func place(of element: XMLTreeElement) throws(FerryError) -> Place? {
    var unknown: [XMLTreeElement] = []
    var next = Optional(element)
    while let current = next, places[current.id] == nil {
      unknown.append(current)
      next = current.parent
    }
    while let current = unknown.popLast() {
      guard places[current.id] == nil else { continue }
      if let parent = current.parent {
        try addChildren(of: parent)
      } else {
        places[current.id] = .some(try root(current))
      }
    }
    return places[element.id] ?? nil
  }

  /// Returns the entries of a dictionary by their keys, without a key that occurs twice: that of an attribute and of an element such as
  /// `_x0040_a`. A path leads to one of their values.
  mutating func entries(of node: NodeID) throws(FerryError) -> [[UInt8]: NodeID] {
    if let lastEntries, lastEntries.node == node { return lastEntries.entries }
    guard case .dictionary(let count) = try list.kind(of: node) else { return [:] }
    var (entries, known) = ([[UInt8]: NodeID](), Set<[UInt8]>())
    for index in 0..<count {
      let key = try list.withText(of: list.key(index, of: node)) { [UInt8](copying: $0.utf8) }
      entries[key] = known.insert(key).inserted ? try list.value(index, of: node) : nil
    }
    lastEntries = (node, entries)
    return entries
  }

  /// Replaces the node of an element's value, or that of an entry of this value.
  mutating func note(_ node: NodeID, at path: ValuePath, of element: XMLTreeElement) {
    lastEntries = nil
    guard let place = places[element.id] ?? nil, place.path == path else { return }
    places[element.id] = Place(path: path, node: node, list: place.list)
  }

  /// Returns true if the values of elements around an element are some nodes.
  func hasPlaces(around element: XMLTreeElement, among nodes: Set<NodeID>) -> Bool {
    var next = element.parent
    while let parent = next {
      guard let place = places[parent.id] ?? nil, nodes.contains(place.node) else { return false }
      next = parent.parent
    }
    return true
  }

  /// Returns the key for the name of an element.
  static func key(of name: XMLName) -> [UInt8] {
    let text = XMLNamespaceStyle.kept.text(of: name)
    return XMLNamespaceStyle.kept.key(for: text.utf8.span)
  }

  private mutating func root(_ element: XMLTreeElement) throws(FerryError) -> Place? {
    guard hasRootElement else { return Place(path: ValuePath(), node: list.root) }
    let key = Self.key(of: element.name)
    guard let node = try entries(of: list.root)[key] else { return nil }
    return Place(path: ValuePath([.key(String(decoding: key, as: UTF8.self))]), node: node)
  }

  private mutating func addChildren(of parent: XMLTreeElement) throws(FerryError) {
    let children = parent.children
    for child in children { places[child.id] = .some(nil) }
    guard let outer = places[parent.id] ?? nil else { return }
    switch try list.kind(of: outer.node) {
    case .array: try add(children.filter(isElementOfList), ofListAt: outer)
    case .dictionary:
      let entries = try entries(of: outer.node)
      for (key, children) in Dictionary(grouping: children, by: { Self.key(of: $0.name) }) {
        guard let node = entries[key] else { continue }
        let path = outer.path.appending(.key(String(decoding: key, as: UTF8.self)))
        try add(children, at: Place(path: path, node: node))
      }
    default: break
    }
  }

  /// Returns true if a child of the root element is a record, or if there are no records.
  private func isElementOfList(_ element: XMLTreeElement) -> Bool {
    recordElement.map { element.name.local.equals($0) } ?? true
  }

  /// Adds the elements with one name and one parent.
  ///
  /// - Parameter place: The value with this name.
  private mutating func add(_ elements: [XMLTreeElement], at place: Place) throws(FerryError) {
    let isList = if case .array = try list.kind(of: place.node) { true } else { false }
    guard elements.count == 1, !isList || elements[0].isMarked("type", "list"),
      !elements[0].isMarked("list", "true")
    else {
      let isMarked = elements.count == 1 && elements[0].isMarked("list", "true")
      let list = NamedList(path: place.path, count: elements.count, isMarked: isMarked)
      return try add(elements, ofListAt: place, named: list)
    }
    places[elements[0].id] = place
  }

  /// Adds the elements whose values are those of a list.
  ///
  /// - Parameter list: The list, if its elements are those with one name in one parent.
  private mutating func add(
    _ elements: [XMLTreeElement], ofListAt place: Place, named list: NamedList? = nil
  ) throws(FerryError) {
    guard case .array(elements.count) = try self.list.kind(of: place.node) else { return }
    for (index, element) in elements.enumerated() {
      places[element.id] = Place(
        path: place.path.appending(.index(index)), node: try self.list.element(index, of: place.node),
        list: list)
    }
  }
}

extension XMLTreeElement {
  /// Returns true if an attribute of the types of values has a value.
  fileprivate func isMarked(_ name: String, _ value: String) -> Bool {
    attributes.contains { attribute in
      attribute.name.local.equals(name) && attribute.value.equals(value)
        && attribute.name.namespace.equals(XMLTypeAttribute.ferry)
    }
  }
}
