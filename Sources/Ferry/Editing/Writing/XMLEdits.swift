/// A writer of an edited XML document. It changes the texts, attributes and elements of the changed values,
/// and keeps everything else: comments, layout, quotation marks, entities and the order of elements.
///
///     <box id="1">                   box.@id becomes 2          <box id="2">
///       <pen>red</pen>  <!-- a -->   box.pen[1] is added          <pen>red</pen>  <!-- a -->
///     </box>                                                      <pen>blue</pen>
///                                                               </box>
///
/// The edited text is read again. If it does not have the changed values, an error is thrown: XML cannot hold them there.
struct XMLEdits {
  let list: EditedPropertyList
  let tree: PropertyListTree
  let markup: XMLMarkup
  /// True if the text is in UTF-8 or UTF-16. A text in another encoding is edited in that encoding.
  let isUnicode: Bool
  /// The name of the encoding that the document declares; nil for UTF-8, UTF-16, ASCII and encodings that are not supported.
  let declaredEncoding: String?
  let encoding: XMLTextEncoding
  /// True if the document declares XML 1.1, which demands references for some characters.
  let isVersion11: Bool
  /// True if the elements are found in the text: its encoding contains ASCII, and is not one with shifts, such as ISO-2022-JP.
  private let isScanned: Bool
  let losses: LossReport
  /// The name of the element of a record, if the document was read by a built-in schema.
  let recordElement: [UInt8]?
  /// True to escape the colon in the name of a new element whose prefix is not declared.
  let escapesPrefixes: Bool
  var edits: [ByteEdit] = []
  /// The elements that are removed.
  var removed: Set<Int> = []
  /// The attributes that are added to start tags, by the ends of these.
  var addedAttributes: [Int: [UInt8]] = [:]
  /// The ranges of the elements that other ones replace.
  var replaced: [Range<Int>] = []
  /// The elements whose text is written at another place.
  var carried: Set<Int> = []
  /// The elements of the values in the original document; nil until a value is written at another place.
  var sources: [NodeID: CarriedElement]?
  /// The elements whose children are all removed.
  var emptied: Set<Int> = []
  /// The elements after which new ones are inserted.
  var followed: Set<Int> = []
  /// The elements with text from which others are removed.
  var mixed: Set<Int> = []
  /// The elements whose text directly inside is another one.
  var changedTexts: Set<Int> = []
  /// White space that was layout and becomes a part of a text, because it keeps words apart.
  var keptSpace: [Range<Int>] = []
  /// For each element that was examined, true if it has text beside its elements.
  var elementsWithText: [Int: Bool] = [:]
  /// The values that are changed, and those around them.
  private var touched: Set<NodeID> = []
  /// The prefixes that the values of compared elements declare, also by an attribute that is new or has a default value.
  var declaredPrefixes: [Int: [[UInt8]]] = [:]
  /// The prefixes that any element of the original document declares.
  let knownPrefixes: Set<[UInt8]>
  /// The other prefixes that names of the original document encode; nil until a new element has a prefix that is not declared. To find
  /// them takes time in proportion to the document.
  var encodedPrefixes: Set<[UInt8]>?
  /// One level of indentation.
  let indentation: [UInt8]

  /// The entries of a dictionary by their keys, in order.
  struct Entries {
    var keys: [[UInt8]] = []
    var values: [[UInt8]: NodeID] = [:]
  }

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - list: The values with their changes.
  ///   - tree: The values of the original document.
  ///   - text: The bytes of the original document.
  ///   - schema: The schema by which the document was read, or nil.
  ///   - escapesPrefixes: True to escape the colon in the name of a new element whose prefix is not declared.
  ///   - losses: Receives what the document cannot hold, and comments and instructions inside replaced elements.
  init(
    of list: EditedPropertyList, over tree: PropertyListTree, source text: [UInt8], schema: Schema?,
    escapesPrefixes: Bool, losses: LossReport
  ) {
    self.escapesPrefixes = escapesPrefixes
    recordElement = schema.map { Array($0.record.element.utf8) }
    (self.list, self.tree, self.losses) = (list, tree, losses)
    encoding = XMLTextEncoding(of: text)
    let utf8 = encoding.utf8(text)
    isUnicode = encoding != .utf8 || !XMLTextEncoding.declaresOther(utf8)
    declaredEncoding = isUnicode ? nil : XMLTextEncoding.otherDeclared(in: utf8)
    isVersion11 = XML11.isDeclared(in: utf8.span)
    markup = XMLMarkup(utf8, encoding: declaredEncoding)
    // XML does not allow the character that begins a shift.
    isScanned = !markup.elements.isEmpty && (isUnicode || !utf8.contains(0x1b))
    knownPrefixes = markup.declaredPrefixes
    indentation = Self.indentation(in: markup)
  }

  /// Returns the indentation of one level: the white space by which the first element that begins a line inside its parent is indented
  /// further than the parent.
  private static func indentation(in markup: XMLMarkup) -> [UInt8] {
    var indents: [[UInt8]?] = []
    for element in markup.elements {
      let inner = markup.indent(ofLineAt: element.range.lowerBound)
      indents.append(inner)
      guard let parent = element.parent, let inner, let outer = indents[parent] else { continue }
      if inner.count > outer.count, inner.starts(with: outer) {
        return Array(inner.dropFirst(outer.count))
      }
    }
    return Array("  ".utf8)
  }

  /// Returns the edited document, in its original encoding.
  ///
  /// - Throws: A `FerryError` with the reason `PathProblem.cannotPut` if the document cannot have the changed values.
  func bytes(
    reading read: ([UInt8]) throws(FerryError) -> any PropertyListNodes
  ) throws(FerryError) -> [UInt8] {
    var copy = self
    try copy.collect()
    copy.addAttributes()
    copy.reportRemovedMarkup()
    copy.removeElements()
    copy.writeEmptyTags()
    copy.removeLayoutBesideText()
    // The changed values do not have the white space that becomes a part of a text, so they are compared without it.
    let removals = copy.keptSpace.map { ByteEdit(range: $0, text: []) }
    let compared = encoding.encoded((copy.edits + removals).applied(to: markup.text))
    let nodes = try copy.nodes(of: compared, reading: read)
    guard try copy.isSame(list.root, as: nodes.root, in: nodes) else { throw copy.unreadable }
    try copy.reportCollections(in: list.root, readAs: nodes.root, nodes)
    let lines = copy.editsWithLines()
    guard lines != nil || !removals.isEmpty else { return compared }
    let edited = encoding.encoded((lines ?? copy.edits).applied(to: markup.text))
    _ = try copy.nodes(of: edited, reading: read)
    return edited
  }

  /// Reads the edited text again.
  private func nodes(
    of text: [UInt8], reading read: ([UInt8]) throws(FerryError) -> any PropertyListNodes
  ) throws(FerryError) -> any PropertyListNodes {
    do throws(FerryError) { return try read(text) } catch { throw refused(.unreadable(error.reason)) }
  }

  /// Returns true if two values are the same in the terms of XML.
  private func isSame(
    _ wanted: NodeID, as found: NodeID, in nodes: any PropertyListNodes
  ) throws(FerryError) -> Bool {
    var waiting = [(wanted, found)]
    while let (wanted, found) = waiting.popLast() {
      if let children = try childrenInOrder(of: wanted, found, in: nodes) {
        waiting += children
      } else {
        let (wanted, found) = (try list.builtValue(of: wanted), try nodes.builtValue(of: found))
        guard
          wanted == found || wanted.asElements == found.asElements || isNumber(wanted, as: found)
        else { return false }
      }
    }
    return true
  }

  /// Returns true if a schema reads the text of a number as a real with the same digits.
  private func isNumber(_ wanted: Value, as found: Value) -> Bool {
    guard recordElement != nil, case .number(let text) = wanted else { return false }
    switch found {
    case .real(let real): return real.isFinite && real.isNotation(of: text)
    case .single(let real): return real.isFinite && real.isNotation(of: text)
    default: return false
    }
  }

  /// Returns the pairs of children of two collections with the same keys, and none for two equal texts. Returns nil for other
  /// values.
  private func childrenInOrder(
    of wanted: NodeID, _ found: NodeID, in nodes: any PropertyListNodes
  ) throws(FerryError) -> [(NodeID, NodeID)]? {
    switch (try list.kind(of: wanted), try nodes.kind(of: found)) {
    case (.dictionary(let count), .dictionary(let other)):
      guard count == other, try hasKeys(of: wanted, found, count, in: nodes) else { return nil }
      var pairs: [(NodeID, NodeID)] = []
      for index in 0..<count {
        pairs.append((try list.value(index, of: wanted), try nodes.value(index, of: found)))
      }
      return pairs
    case (.array(let count), .array(let other)):
      guard count == other else { return nil }
      return Array(zip(try elements(of: wanted, in: list), try elements(of: found, in: nodes)))
    case (.string, .string): return try isText(wanted, found, in: nodes) ? [] : nil
    default: return nil
    }
  }

  /// Returns true if two dictionaries have the same keys in the same order.
  private func hasKeys(
    of wanted: NodeID, _ found: NodeID, _ count: Int, in nodes: any PropertyListNodes
  ) throws(FerryError) -> Bool {
    for index in 0..<count {
      let (key, other) = (try list.key(index, of: wanted), try nodes.key(index, of: found))
      guard try isText(key, other, in: nodes) else { return false }
    }
    return true
  }

  func isText(
    _ wanted: NodeID, _ found: NodeID, in nodes: any PropertyListNodes
  ) throws(FerryError) -> Bool {
    try list.withText(of: wanted) { wanted throws(FerryError) in
      try nodes.withText(of: found) { found throws(FerryError) in wanted.utf8.equals(found.utf8) }
    }
  }

  /// Reports new lists of one element that are read as the element, and new empty collections.
  ///
  /// - Parameter found: The value that is read in its place, or nil.
  func reportCollections(
    in node: NodeID, readAs found: NodeID?, _ nodes: any PropertyListNodes
  ) throws(FerryError) {
    guard touched.contains(node) else { return }
    let isNew = node >= list.firstNewNode
    switch try list.kind(of: node) {
    case .array(let count):
      let isList = try found.map { found throws(FerryError) in try nodes.kind(of: found).isArray } ?? false
      if isNew, count == 0 { losses.add(.emptyCollection) }
      if isNew, count == 1, !isList { losses.add(.arrayOfOne) }
      let read =
        isList
        ? try found.map { found throws(FerryError) in try elements(of: found, in: nodes) } ?? []
        : [found].compactMap(\.self)
      for (index, element) in try elements(of: node, in: list).enumerated() {
        try reportCollections(in: element, readAs: index < read.count ? read[index] : nil, nodes)
      }
    case .dictionary(let count):
      if isNew, count == 0 { losses.add(.emptyCollection) }
      let read = try found.map { found throws(FerryError) in try entries(of: found, in: nodes) } ?? Entries()
      for (key, value) in try entries(of: node, in: list).values {
        try reportCollections(in: value, readAs: read.values[key], nodes)
      }
    default: break
    }
  }

  /// The error for a change that the document cannot have.
  var unreadable: FerryError {
    refused(.readsBackOtherwise(isUnicode: isScanned))
  }

  /// Returns the error for a change that puts a value into the document, or only removes values.
  func refused(_ obstacle: PathProblem.Obstacle) -> FerryError {
    guard !touched.isEmpty, touched.allSatisfy({ $0 < list.firstNewNode }) else {
      return FerryError(.path(.cannotPut("the value", obstacle)))
    }
    return FerryError(.path(obstacle.ofRemoval))
  }

  var notDeclared: FerryError {
    isScanned ? refused("the element comes from an entity or the document type declaration") : unreadable
  }

  // MARK: Finding changes

  private mutating func collect() throws(FerryError) {
    touched = try touchedNodes()
    guard !markup.elements.isEmpty else { throw unreadable }
    if let recordElement, try tree.kind(of: tree.root).isArray, try list.kind(of: list.root).isArray {
      let (old, new) = (try elements(of: tree.root, in: tree), try elements(of: list.root, in: list))
      return try compare(old, new, markup.children(of: 0, withKey: recordElement), key: recordElement)
    }
    let (old, new) = (try entries(of: tree.root, in: tree), try entries(of: list.root, in: list))
    guard let key = old.keys.first, old.keys == new.keys, old.keys.count == 1,
      let before = old.values[key], let after = new.values[key], try !list.kind(of: after).isArray
    else { throw refused("an XML document has one root element, which keeps its name") }
    try compare(before, after, element: 0, key: key)
  }

  func entries(of node: NodeID, in nodes: any PropertyListNodes) throws(FerryError) -> Entries {
    var entries = Entries()
    guard case .dictionary(let count) = try nodes.kind(of: node) else { return entries }
    for index in 0..<count {
      let key = try nodes.withText(of: nodes.key(index, of: node)) { [UInt8](copying: $0.utf8) }
      entries.keys.append(key)
      entries.values[key] = try nodes.value(index, of: node)
    }
    return entries
  }

  private func elements(of node: NodeID, in nodes: any PropertyListNodes) throws(FerryError) -> [NodeID] {
    guard case .array(let count) = try nodes.kind(of: node) else { return [] }
    var elements: [NodeID] = []
    for index in 0..<count { elements.append(try nodes.element(index, of: node)) }
    return elements
  }

  /// Collects the changes of an element's value.
  private mutating func compare(
    _ old: NodeID, _ new: NodeID, element: Int, key: [UInt8]
  ) throws(FerryError) {
    guard try isChanged(old, new) else { return }
    guard try !isCarried(new, insteadOf: old) else { return try replace(element, by: new, key: key) }
    switch (try tree.kind(of: old), try list.kind(of: new)) {
    case (.dictionary, .dictionary):
      try compareEntries(of: entries(of: old, in: tree), entries(of: new, in: list), element)
    case (let before, let after) where !before.isCollection && !after.isCollection:
      if old != new { try replaceText(of: element, by: new) }
    case (.string, .dictionary):
      // The text of an element without attributes and children. White space alone becomes layout beside elements, and stays text beside
      // attributes.
      let entries = try entries(of: new, in: list)
      var text = Entries()
      let isBlank = try tree.withText(of: old) { $0.isBlank }
      let hasSpace = try isBlank ? tree.length(of: old) > 0 : false
      let staysText = hasSpace ? try addsOnlyAttributes(entries, to: element) : false
      if hasSpace, !staysText, markup.elements[element].keepsSpace {
        throw refused("the white space here is text, because of xml:space")
      }
      if !isBlank || staysText {
        (text.keys, text.values) = ([Array("#text".utf8)], [Array("#text".utf8): old])
      }
      try compareEntries(of: text, entries, element)
    case (.dictionary, .string) where try keepsMarkup(of: element, without: new):
      // Without entries, an element is an empty text. Its comments stay.
      try compareEntries(of: entries(of: old, in: tree), Entries(), element)
    default: try replace(element, by: new, key: key)
    }
  }

  /// Returns true if an element gets an empty text as its value, and has comments or instructions, but no text, which white space would be
  /// beside them.
  private mutating func keepsMarkup(of element: Int, without new: NodeID) throws(FerryError) -> Bool {
    try list.length(of: new) == 0 && !hasText(element) && !markup.content(of: element).markup.isEmpty
  }

  /// Returns true if the entries of an element's new value are attributes, apart from its text.
  private func addsOnlyAttributes(_ new: Entries, to element: Int) throws(FerryError) -> Bool {
    let entries = markup.entries(of: element)
    for (key, node) in new.values {
      switch entries.part(of: key) {
      case .text: break
      case .attribute: if try list.kind(of: node).isCollection { return false }
      case .elements: return false
      }
    }
    return true
  }

  /// Returns true if a value or a part of it is changed.
  func isTouched(_ node: NodeID) -> Bool { touched.contains(node) }

  /// Returns true if a value is another one. A new value may be equal to the old one.
  private func isChanged(_ old: NodeID, _ new: NodeID) throws(FerryError) -> Bool {
    guard old != new else { return touched.contains(new) }
    let (old, new) = (try tree.builtValue(of: old), try list.builtValue(of: new))
    return old != new && old.asElements != new.asElements
  }

  private mutating func compareEntries(of old: Entries, _ new: Entries, _ element: Int) throws(FerryError) {
    let entries = markup.entries(of: element)
    try noteDeclarations(among: new, entries, of: element)
    let old = try renaming(old, new, entries, of: element)
    // Beside new elements, white space is layout and stays.
    let addsElements = new.keys.contains { key in
      if old.values[key] == nil, case .elements = entries.part(of: key) { true } else { false }
    }
    for key in old.keys where new.values[key] == nil {
      let part = entries.part(of: key)
      if case .text = part, addsElements, !hasText(element) { continue }
      try remove(part, from: element)
    }
    var added: [(key: [UInt8], node: NodeID)] = []
    for key in new.keys {
      guard let after = new.values[key] else { continue }
      switch (entries.part(of: key), old.values[key]) {
      case (.text, let before?) where addsElements:
        let mustChange = try isChanged(before, after) ? true : isOnlyText(after, of: element)
        if mustChange { try replaceText(of: element, by: after, besideElements: true) }
      case (let part, let before?): try compare(before, after, under: key, at: part, in: element)
      case (.text, nil): try replaceText(of: element, by: after, besideElements: addsElements)
      case (.attribute, nil) where try !list.kind(of: after).isCollection:
        try insertAttribute(key, after, into: element)
      // An attribute is a text, and another value has an element.
      case (.attribute, nil), (.elements, nil): added += try listed(after, in: list).map { (key, $0) }
      }
    }
    if !added.isEmpty { try insert(added, into: element) }
  }

  /// Notes the prefixes that the attributes of an element declare.
  private mutating func noteDeclarations(
    among new: Entries, _ entries: XMLMarkup.Entries, of element: Int
  ) throws(FerryError) {
    for key in new.keys where key.starts(with: "@xmlns:".utf8) {
      guard case .attribute = entries.part(of: key), let node = new.values[key],
        try !list.kind(of: node).isCollection
      else { continue }
      declaredPrefixes[element, default: []].append(Array(key.dropFirst("@xmlns:".utf8.count)))
    }
  }

  /// Returns the elements of a list, or another value as the only one.
  func listed(_ node: NodeID, in nodes: any PropertyListNodes) throws(FerryError) -> [NodeID] {
    try nodes.kind(of: node).isArray ? elements(of: node, in: nodes) : [node]
  }

  /// Collects the changes of the value under a key.
  private mutating func compare(
    _ old: NodeID, _ new: NodeID, under key: [UInt8], at part: XMLMarkup.Entries.Part, in element: Int
  ) throws(FerryError) {
    switch part {
    case .attribute(let attribute):
      guard try isChanged(old, new) else { return }
      // A declaration in the document type may give a value to an attribute that is not there.
      guard let attribute else { return try insertAttribute(key, new, into: element) }
      let quote = markup.text[attribute.value.upperBound]
      try edits.append(ByteEdit(range: attribute.value, text: attributeText(of: new, in: quote)))
    case .text:
      if try isChanged(old, new) { try replaceText(of: element, by: new) }
    case .elements(let children):
      try compare(listed(old, in: tree), listed(new, in: list), children, key: key)
    }
  }

  /// Collects the changes of elements with one name.
  private mutating func compare(
    _ old: [NodeID], _ new: [NodeID], _ children: [Int], key: [UInt8]
  ) throws(FerryError) {
    // Elements from the text of an entity have no place in the document.
    guard old.count == children.count else {
      guard old == new, new.allSatisfy({ !touched.contains($0) }) else { throw notDeclared }
      return
    }
    if old.count == new.count, try !hasMoved(new, among: old) {
      for index in old.indices { try compare(old[index], new[index], element: children[index], key: key) }
      return
    }
    let oldNodes = Set(old)
    var newNodes = new
    for (index, node) in new.enumerated() where !oldNodes.contains(node) {
      if let origin = try list.textOrigin(of: node) { newNodes[index] = origin }
    }
    let common = oldNodes.intersection(newNodes)
    let steps = ListStep.steps(
      from: try identities(of: old, in: tree, common), to: try identities(of: newNodes, in: list, common))
    var anchor: Int?
    for step in steps {
      switch step {
      case .keep(let from, let to), .replace(let from, let to):
        try compare(old[from], new[to], element: children[from], key: key)
        anchor = children[from]
      case .remove(let range): for child in children[range] { remove(child) }
      case .insert(let range):
        let nodes = new[range].map { (key, $0) }
        if let anchor {
          try insert(nodes, after: anchor)
        } else {
          try insert(nodes, before: children[0])
        }
      }
    }
  }

  /// Returns true if an element of a list has the node or the text of an element with another index.
  private func hasMoved(_ new: [NodeID], among old: [NodeID]) throws(FerryError) -> Bool {
    guard old != new else { return false }
    let indices = Dictionary(zip(old, old.indices)) { first, _ in first }
    for (index, node) in new.enumerated() where node != old[index] {
      let origin = indices[node] == nil ? try list.textOrigin(of: node) : node
      if let origin, let other = indices[origin], other != index { return true }
    }
    return false
  }

  /// The identity of an element in a list: its node if that is in both lists, or else its value.
  private enum Identity: Hashable {
    case node(NodeID)
    case value(Value)
  }

  private func identities(
    of list: [NodeID], in nodes: any PropertyListNodes, _ common: Set<NodeID>
  ) throws(FerryError) -> [Identity] {
    var identities: [Identity] = []
    for node in list {
      identities.append(common.contains(node) ? .node(node) : .value(try nodes.builtValue(of: node)))
    }
    return identities
  }

  /// Returns the values that are changed, and those around them.
  private func touchedNodes() throws(FerryError) -> Set<NodeID> {
    var visited: [(node: NodeID, parent: Int?)] = [(list.root, nil)]
    var next = 0
    while next < visited.count {
      let parent = next
      try list.forEachChild(of: visited[next].node) { child in visited.append((child, parent)) }
      next += 1
    }
    var isTouched = visited.map { $0.node >= list.firstNewNode || list.isChanged($0.node) }
    var touched: Set<NodeID> = []
    // A parent is visited before its children.
    for index in visited.indices.reversed() where isTouched[index] {
      touched.insert(visited[index].node)
      if let parent = visited[index].parent { isTouched[parent] = true }
    }
    return touched
  }
}

extension NodeKind {
  fileprivate var isArray: Bool { if case .array = self { true } else { false } }
}

extension PathProblem.Obstacle {
  /// The problem of a removal from XML with this obstacle.
  var ofRemoval: PathProblem {
    guard case .readsBackOtherwise = self else { return .cannotRemove(description) }
    return .cannotRemove("read from XML, the rest would be another value")
  }
}
