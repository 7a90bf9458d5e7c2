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
  private let list: EditedPropertyList
  private let tree: PropertyListTree
  private let markup: XMLMarkup
  /// True if the text is in UTF-8 or UTF-16. A text in another encoding is edited in that encoding.
  private let isUnicode: Bool
  /// The name of the encoding that the document declares; nil for UTF-8, UTF-16, ASCII and encodings that are not supported.
  private let declaredEncoding: String?
  private let encoding: XMLTextEncoding
  /// True if the elements are found in the text: its encoding contains ASCII, and is not one with shifts, such as ISO-2022-JP.
  private let isScanned: Bool
  private let losses: LossReport
  /// The name of the element of a record, if the document was read by a built-in schema.
  private let recordElement: [UInt8]?
  private var edits: [ByteEdit] = []
  /// The elements that are removed.
  private var removed: Set<Int> = []
  /// The attributes that are added to start tags, by the ends of these.
  private var addedAttributes: [Int: [UInt8]] = [:]
  /// The elements whose children are all removed.
  private var emptied: Set<Int> = []
  /// The elements after which new ones are inserted.
  private var followed: Set<Int> = []
  /// The elements with text from which others are removed.
  private var mixed: Set<Int> = []
  /// For each element that was examined, true if it has text beside its elements.
  private var elementsWithText: [Int: Bool] = [:]
  /// The values that are changed, and those around them.
  private var touched: Set<NodeID> = []
  /// The prefixes that the values of compared elements declare, also by an attribute that is new or has a default value.
  private var declaredPrefixes: [Int: [[UInt8]]] = [:]
  /// The prefixes that any element of the original document declares.
  private let knownPrefixes: Set<[UInt8]>
  /// One level of indentation.
  private let indentation: [UInt8]

  /// The entries of a dictionary by their keys, in order.
  private struct Entries {
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
  ///   - losses: Receives what the document cannot hold, and comments and instructions inside replaced elements.
  init(
    of list: EditedPropertyList, over tree: PropertyListTree, source text: [UInt8], schema: Schema?,
    losses: LossReport
  ) {
    recordElement = schema.map { Array($0.record.element.utf8) }
    (self.list, self.tree, self.losses) = (list, tree, losses)
    encoding = XMLTextEncoding(of: text)
    let utf8 = encoding.utf8(text)
    isUnicode = encoding != .utf8 || !XMLTextEncoding.declaresOther(utf8)
    declaredEncoding = isUnicode ? nil : XMLTextEncoding.otherDeclared(in: utf8)
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
    copy.removeElements()
    copy.writeEmptyTags()
    copy.removeLayoutBesideText()
    let edited = encoding.encoded(copy.edits.applied(to: markup.text))
    let nodes: any PropertyListNodes
    do throws(FerryError) { nodes = try read(edited) } catch {
      throw copy.refused(.unreadable(error.reason))
    }
    guard try copy.isSame(list.root, as: nodes.root, in: nodes) else { throw copy.unreadable }
    try copy.reportCollections(in: list.root, readAs: nodes.root, nodes)
    return edited
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
        let (wanted, found) = (try value(wanted, in: list), try value(found, in: nodes))
        guard wanted == found || wanted.asElements == found.asElements || isNumber(wanted, as: found) else {
          return false
        }
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

  private func isText(
    _ wanted: NodeID, _ found: NodeID, in nodes: any PropertyListNodes
  ) throws(FerryError) -> Bool {
    try list.withText(of: wanted) { wanted throws(FerryError) in
      try nodes.withText(of: found) { found throws(FerryError) in wanted.utf8.equals(found.utf8) }
    }
  }

  /// Reports new lists of one element that are read as the element, and new empty collections.
  ///
  /// - Parameter found: The value that is read in its place, or nil.
  private func reportCollections(
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
  private var unreadable: FerryError {
    refused(.readsBackOtherwise(isUnicode: isScanned))
  }

  /// Returns the error for a change that puts a value into the document, or only removes values.
  private func refused(_ obstacle: PathProblem.Obstacle) -> FerryError {
    guard !touched.isEmpty, touched.allSatisfy({ $0 < list.firstNewNode }) else {
      return FerryError(.path(.cannotPut("the value", obstacle)))
    }
    guard case .readsBackOtherwise = obstacle else {
      return FerryError(.path(.cannotRemove(obstacle.description)))
    }
    return FerryError(.path(.cannotRemove("read from XML, the rest would be another value")))
  }

  private var notDeclared: FerryError {
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

  private func entries(of node: NodeID, in nodes: any PropertyListNodes) throws(FerryError) -> Entries {
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
    switch (try tree.kind(of: old), try list.kind(of: new)) {
    case (.dictionary, .dictionary):
      try compareEntries(of: entries(of: old, in: tree), entries(of: new, in: list), element)
    case (let before, let after) where !before.isCollection && !after.isCollection:
      if old != new { try replaceText(of: element, by: new) }
    case (.string, .dictionary):
      // The text of an element without attributes and children. White space alone becomes layout.
      var text = Entries()
      let isBlank = try tree.withText(of: old) { $0.isBlank }
      if isBlank, try tree.length(of: old) > 0, markup.elements[element].keepsSpace {
        throw refused("the white space here is text, because of xml:space")
      }
      if !isBlank {
        (text.keys, text.values) = ([Array("#text".utf8)], [Array("#text".utf8): old])
      }
      try compareEntries(of: text, entries(of: new, in: list), element)
    default: try replace(element, by: new, key: key)
    }
  }

  /// Returns true if a value is another one. A new value may be equal to the old one.
  private func isChanged(_ old: NodeID, _ new: NodeID) throws(FerryError) -> Bool {
    guard old != new else { return touched.contains(new) }
    let (old, new) = (try value(old, in: tree), try value(new, in: list))
    return old != new && old.asElements != new.asElements
  }

  private mutating func compareEntries(of old: Entries, _ new: Entries, _ element: Int) throws(FerryError) {
    let entries = markup.entries(of: element)
    for key in new.keys where key.starts(with: "@xmlns:".utf8) {
      guard case .attribute = entries.part(of: key), let node = new.values[key],
        try !list.kind(of: node).isCollection
      else { continue }
      declaredPrefixes[element, default: []].append(Array(key.dropFirst("@xmlns:".utf8.count)))
    }
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
      let part = entries.part(of: key)
      if let before = old.values[key] {
        try compare(before, after, under: key, at: part, in: element)
        continue
      }
      let isCollection = try list.kind(of: after).isCollection
      switch part {
      case .text: try replaceText(of: element, by: after)
      case .attribute where !isCollection: try insertAttribute(key, after, into: element)
      // An attribute is a text, and another value has an element.
      case .attribute, .elements: added += try listed(after, in: list).map { (key, $0) }
      }
    }
    if !added.isEmpty { try insert(added, into: element) }
  }

  /// Returns the elements of a list, or another value as the only one.
  private func listed(_ node: NodeID, in nodes: any PropertyListNodes) throws(FerryError) -> [NodeID] {
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
    if old.count == new.count {
      for index in old.indices { try compare(old[index], new[index], element: children[index], key: key) }
      return
    }
    let common = Set(old).intersection(new)
    let steps = ListStep.steps(
      from: try identities(of: old, in: tree, common), to: try identities(of: new, in: list, common))
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
      identities.append(common.contains(node) ? .node(node) : .value(try value(node, in: nodes)))
    }
    return identities
  }

  private func value(_ node: NodeID, in nodes: any PropertyListNodes) throws(FerryError) -> Value {
    let builder = ValueBuilder()
    try nodes.replay(node, into: builder, budget: nodes.budget)
    return try builder.result()
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

  // MARK: Text

  /// Replaces the text directly inside an element.
  private mutating func replaceText(of element: Int, by node: NodeID) throws(FerryError) {
    let text = try plainText(of: node)
    let content = markup.content(of: element)
    let hasChildren = !markup.elements[element].children.isEmpty
    let keepsSpace = markup.elements[element].keepsSpace
    let hasItems = !keepsSpace && (hasChildren || !content.markup.isEmpty)
    // Beside comments and instructions alone, white space is text.
    let pieces = content.texts.filter { !hasChildren || isText($0, in: element) }
    guard !markup.elements[element].isEmptyTag else {
      return fill(element, with: escaped(text, isInElement: hasItems))
    }
    guard let replaced = markup.replacedPiece(of: pieces) else {
      let end = markup.elements[element].content.upperBound
      return edits.append(ByteEdit(range: end..<end, text: escaped(text, isInElement: hasItems)))
    }
    // A text in several parts becomes the first of them that is not white space.
    let piece = pieces[replaced]
    for index in pieces.indices where index != replaced {
      edits.append(ByteEdit(range: pieces[index].wholeRange, text: []))
    }
    // A section cannot contain a reference to a character that the encoding lacks.
    if piece.isCDATA, XMLMarkup.fitsCDATA(text), let native = native(text), XMLMarkup.fitsCDATA(native) {
      edits.append(ByteEdit(range: piece.range, text: native))
    } else {
      edits.append(ByteEdit(range: piece.wholeRange, text: escaped(text, isInElement: hasItems)))
    }
  }

  /// Writes content into an empty tag.
  private mutating func fill(_ element: Int, with content: [UInt8]) {
    let source = markup.elements[element]
    let name = markup.text[source.name]
    edits.append(
      ByteEdit(
        range: source.tagEnd..<source.range.upperBound,
        text: Array(">".utf8) + content + Array("</".utf8) + name + Array(">".utf8)))
  }

  /// Returns the text of a scalar, and reports what XML does not show.
  private func plainText(of node: NodeID) throws(FerryError) -> [UInt8] {
    let builder = ValueBuilder()
    try list.replay(node, into: builder, budget: list.budget)
    switch try builder.result() {
    case .null:
      losses.add(.nullAsText)
      return []
    case .string(let text): return Array(text.utf8)
    case .boolean(let value):
      if recordElement == nil { losses.add(.booleanAsText) }
      return Array((value ? "true" : "false").utf8)
    case let value:
      guard let text = value.plainText else { throw unreadable }
      // A schema gives the text its type again.
      if recordElement == nil { losses.add(value.lossAsText) }
      return Array(text.utf8)
    }
  }

  /// Returns text as the content of an element. White space beside other items is put into a CDATA section, because a reader
  /// would drop it as layout.
  private func escaped(_ text: [UInt8], isInElement hasItems: Bool) -> [UInt8] {
    if hasItems, !text.isEmpty, text.allSatisfy(\.isSpace) {
      return Array("<![CDATA[".utf8) + text + Array("]]>".utf8)
    }
    return escaped(text) { ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"][$0] }
  }

  private func attributeText(of node: NodeID, in quote: UInt8) throws(FerryError) -> [UInt8] {
    guard try !list.kind(of: node).isCollection else { throw refused("an attribute is a text") }
    return escaped(try plainText(of: node)) { character in
      switch character {
      case "&": "&amp;"
      case "<": "&lt;"
      case "\"": quote == UInt8(ascii: "\"") ? "&quot;" : nil
      case "'": quote == UInt8(ascii: "'") ? "&apos;" : nil
      case "\t": "&#9;"
      case "\n": "&#10;"
      case "\r": "&#13;"
      default: nil
      }
    }
  }

  /// Returns a text with some characters replaced, and with character references for the characters that its encoding lacks.
  private func escaped(_ text: [UInt8], _ escape: (Unicode.Scalar) -> String?) -> [UInt8] {
    var result: [UInt8] = []
    for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
      if let escape = escape(scalar) {
        result += escape.utf8
      } else {
        result.append(scalar: scalar.value)
      }
    }
    return encoded(result)
  }

  /// Returns markup in UTF-8 in the encoding of the document.
  private func encoded(_ utf8: [UInt8]) -> [UInt8] {
    isUnicode ? utf8 : XMLTextEncoding.encoded(utf8, in: declaredEncoding)
  }

  /// Returns a text in the encoding of the document, or nil if that lacks one of its characters.
  private func native(_ text: [UInt8]) -> [UInt8]? {
    isUnicode ? text : XMLTextEncoding.native(text, in: declaredEncoding)
  }

  /// Returns a name in the encoding of the document. A name cannot have references to characters.
  private func encodedName(_ name: [UInt8]) throws(FerryError) -> [UInt8] {
    if let native = native(name) { return native }
    let lacking = String(decoding: name, as: UTF8.self).unicodeScalars.first { scalar in
      native(Array(String(scalar).utf8)) == nil
    }
    guard let lacking else { throw unreadable }
    throw refused(.lacksCharacter(lacking.value, encoding: declaredEncoding ?? "US-ASCII"))
  }

  /// Throws if the encoding of the document lacks a character of a name in new markup.
  private func checkNames(in text: [UInt8]) throws(FerryError) {
    guard !isUnicode, !text.span.isASCII else { return }
    let new = XMLMarkup(text)
    var checked: Set<[UInt8]> = []
    for element in new.elements {
      for range in [element.name] + element.attributes.map(\.name) {
        let name = Array(new.text[range])
        if checked.insert(name).inserted { _ = try encodedName(name) }
      }
    }
  }

  // MARK: Attributes and elements

  private mutating func remove(
    _ part: XMLMarkup.Entries.Part, from element: Int
  ) throws(FerryError) {
    switch part {
    case .attribute(let attribute):
      guard let attribute else { throw notDeclared }
      edits.append(ByteEdit(range: attribute.range, text: []))
    case .text:
      for piece in markup.content(of: element).texts {
        edits.append(ByteEdit(range: piece.wholeRange, text: []))
      }
    case .elements(let children):
      guard !children.isEmpty else { throw notDeclared }
      for child in children { remove(child) }
    }
  }

  private mutating func remove(_ element: Int) {
    removed.insert(element)
    reportMarkup(in: markup.elements[element].range)
  }

  /// Removes the removed elements from the text, those with one parent together.
  private mutating func removeElements() {
    for (parent, children) in Dictionary(grouping: removed, by: { markup.elements[$0].parent }) {
      if let parent { removeElements(children.sorted(), from: parent) }
    }
  }

  /// Removes elements from the text, with the white space beside them. If nothing but white space would be left in their parent,
  /// removes that too, because it would be text.
  private mutating func removeElements(_ children: [Int], from parent: Int) {
    let content = markup.content(of: parent)
    // Beside text, white space is text, too.
    if hasText(parent) {
      mixed.insert(parent)
    } else if markup.elements[parent].children.count == children.count,
      !children.contains(where: followed.contains)
    {
      for piece in content.texts { edits.append(ByteEdit(range: piece.range, text: [])) }
      emptied.insert(parent)
    } else {
      return removeElementsAndSpace(of: parent, content.markup)
    }
    for child in children { edits.append(ByteEdit(range: markup.elements[child].range, text: [])) }
  }

  /// Removes the removed children of an element with the white space before them. At the beginning of their parent, or with an
  /// element directly after them, removes the white space after them: the next element has their place.
  ///
  /// - Parameter others: The comments and instructions in the element.
  private mutating func removeElementsAndSpace(of parent: Int, _ others: [Range<Int>]) {
    let children = markup.elements[parent].children
    let firstKept = children.first { !removed.contains($0) }.map { markup.elements[$0].range.lowerBound }
    let firstOther = others.first?.lowerBound
    // If all elements are replaced, the white space before them comes with the new ones.
    let beginningEnd = firstKept.map { min($0, firstOther ?? .max) } ?? 0
    for (index, child) in children.enumerated() where removed.contains(child) {
      let range = markup.elements[child].range
      let next = children.dropFirst(index + 1).first
      let isBesideKept = next.map { next in
        markup.elements[next].range.lowerBound == range.upperBound && !removed.contains(next)
      }
      let rest = markup.text[range.upperBound...]
      let afterBlanks = rest.drop(while: \.isBlankInLine)
      let hasReplacement =
        followed.contains(child) && markup.endOfLineComments(after: range.upperBound) == range.upperBound
      if afterBlanks.starts(with: "<!--".utf8), !hasReplacement {
        // A comment after the element takes its place.
        edits.append(ByteEdit(range: range.lowerBound..<afterBlanks.startIndex, text: []))
      } else if range.lowerBound < beginningEnd || isBesideKept == true {
        let end = rest.firstIndex { !$0.isSpace } ?? range.upperBound
        edits.append(ByteEdit(range: range.lowerBound..<end, text: []))
      } else {
        let start = markup.space(before: range.lowerBound).lowerBound
        edits.append(ByteEdit(range: start..<range.upperBound, text: []))
      }
    }
  }

  /// Writes elements whose children are all removed, and that have no other content, with an empty tag if the document has empty
  /// tags. Otherwise they keep their two tags, because that changes the fewest bytes.
  private mutating func writeEmptyTags() {
    guard !emptied.isEmpty, let tagEnd = emptyTagEnd else { return }
    let filled = edits.filter { !$0.text.isEmpty }.map(\.range).sorted { $0.lowerBound < $1.lowerBound }
    var next = 0
    for element in emptied.sorted() {
      let source = markup.elements[element]
      while next < filled.count, filled[next].lowerBound < source.content.lowerBound { next += 1 }
      let hasContent = next < filled.count && filled[next].upperBound <= source.content.upperBound
      guard !hasContent, markup.content(of: element).markup.isEmpty else { continue }
      edits.append(ByteEdit(range: source.tagEnd..<source.range.upperBound, text: tagEnd))
    }
  }

  /// The end of an empty tag as the elements that stay have it, or the removed ones if none that stays is empty. Nil if those without
  /// content have two tags, or if there are none.
  private var emptyTagEnd: [UInt8]? {
    var gone = removed
    var hasPairs = false
    var endOfGone: [UInt8]?
    for (index, element) in markup.elements.enumerated() {
      if gone.contains(index) || element.parent.map(gone.contains) == true {
        gone.insert(index)
        if element.isEmptyTag, endOfGone == nil {
          endOfGone = Array(markup.text[element.tagEnd..<element.range.upperBound])
        }
      } else if element.isEmptyTag {
        return Array(markup.text[element.tagEnd..<element.range.upperBound])
      } else if element.content.isEmpty {
        hasPairs = true
      }
    }
    return hasPairs ? nil : endOfGone
  }

  /// Removes white space that a removed element kept apart from text. A reader took it for layout, and would take it for a part
  /// of the text now.
  private mutating func removeLayoutBesideText() {
    for element in mixed where !markup.elements[element].keepsSpace {
      let texts = markup.content(of: element).texts
      var next = texts.startIndex
      /// The texts between two children that stay, which are read as one, in parts between which elements are removed.
      var parts: [ArraySlice<XMLMarkup.TextPiece>] = []
      for child in markup.elements[element].children + [nil] {
        let end = child.map { markup.elements[$0].range.lowerBound } ?? .max
        let part = texts[next...].prefix { $0.range.lowerBound < end }
        next = part.endIndex
        parts.append(part)
        guard !(child.map(removed.contains) ?? false) else { continue }
        removeLayout(of: parts)
        parts = []
      }
    }
  }

  /// Removes those parts of a text that are white space, if others are not.
  private mutating func removeLayout(of parts: [ArraySlice<XMLMarkup.TextPiece>]) {
    let isLayout = parts.map { part in part.allSatisfy { !$0.isCDATA && markup.isSpace($0.range) } }
    guard isLayout.contains(false) else { return }
    for (part, isLayout) in zip(parts, isLayout) where isLayout {
      for piece in part { edits.append(ByteEdit(range: piece.range, text: [])) }
    }
  }

  /// Returns true if a piece of the content of an element is text, and not layout between other elements.
  private func isText(_ piece: XMLMarkup.TextPiece, in element: Int) -> Bool {
    piece.isCDATA || markup.elements[element].keepsSpace || !markup.isSpace(piece.range)
  }

  /// Returns the indentation of the line at an offset in the content of an element. Returns nil if elements have no lines of
  /// their own there, because other things are on the line, or because white space is text.
  private mutating func indent(ofLineAt offset: Int, in element: Int?) -> [UInt8]? {
    if let element, markup.elements[element].keepsSpace || hasText(element) { return nil }
    return markup.indent(ofLineAt: offset)
  }

  /// Returns true if an element has text beside its elements, so that all white space in it is text.
  private mutating func hasText(_ element: Int) -> Bool {
    if let known = elementsWithText[element] { return known }
    let hasText = markup.content(of: element).texts.contains { isText($0, in: element) }
    elementsWithText[element] = hasText
    return hasText
  }

  private func reportMarkup(in range: Range<Int>) {
    for piece in TextPieces.markup(of: markup.text[range]) where piece.first == UInt8(ascii: "<") {
      losses.add(piece.starts(with: "<?".utf8) ? .processingInstruction : .comment)
    }
  }

  private mutating func insertAttribute(
    _ key: [UInt8], _ node: NodeID, into element: Int
  ) throws(FerryError) {
    let end = markup.elements[element].tagEnd
    let bare = key.span.extracting(1...)
    let keepsName = markup.keepsName([UInt8](copying: bare), in: element, isAttribute: true)
    // The colon of a namespace in braces does not separate a prefix.
    let escaped = XMLKeyName.name(for: bare, keepsColon: ExpandedName(bare) == nil)
    let name = try encodedName(keepsName ? [UInt8](copying: bare) : escaped)
    let value = try attributeText(of: node, in: UInt8(ascii: "\""))
    addedAttributes[end, default: []] += [0x20] + name + Array("=\"".utf8) + value + [UInt8(ascii: "\"")]
  }

  private mutating func addAttributes() {
    for (end, text) in addedAttributes { edits.append(ByteEdit(range: end..<end, text: text)) }
  }

  /// Inserts elements at the end of an element.
  private mutating func insert(
    _ nodes: [(key: [UInt8], node: NodeID)], into element: Int
  ) throws(FerryError) {
    let source = markup.elements[element]
    if let last = source.children.last { return try insert(nodes, after: last) }
    guard !hasText(element) else {
      // No white space is added to text.
      let end = source.content.upperBound
      return edits.append(ByteEdit(range: end..<end, text: try rendered(nodes, inside: element, outer: nil)))
    }
    let indent = indent(ofLineAt: source.range.lowerBound, in: element)
    let inner = indent.map { $0 + indentation }
    let block = try rendered(nodes, inside: element, outer: inner)
    let text = (inner.map { markup.lineEnd + $0 } ?? []) + block + (indent.map { markup.lineEnd + $0 } ?? [])
    if source.isEmptyTag { return fill(element, with: text) }
    let start = max(markup.space(before: source.content.upperBound).lowerBound, source.content.lowerBound)
    edits.append(ByteEdit(range: start..<source.content.upperBound, text: text))
  }

  private mutating func insert(
    _ nodes: [(key: [UInt8], node: NodeID)], after sibling: Int
  ) throws(FerryError) {
    guard let parent = markup.elements[sibling].parent else { throw unreadable }
    followed.insert(sibling)
    let range = markup.elements[sibling].range
    let indent = indent(ofLineAt: range.lowerBound, in: parent)
    let end = markup.endOfLineComments(after: range.upperBound)
    let block = try rendered(nodes, inside: parent, outer: indent)
    edits.append(ByteEdit(range: end..<end, text: (indent.map { markup.lineEnd + $0 } ?? []) + block))
  }

  private mutating func insert(
    _ nodes: [(key: [UInt8], node: NodeID)], before sibling: Int
  ) throws(FerryError) {
    guard let parent = markup.elements[sibling].parent else { throw unreadable }
    let start = markup.elements[sibling].range.lowerBound
    let indent = indent(ofLineAt: start, in: parent)
    let block = try rendered(nodes, inside: parent, outer: indent)
    edits.append(ByteEdit(range: start..<start, text: block + (indent.map { markup.lineEnd + $0 } ?? [])))
  }

  /// Replaces an element by the elements for a value.
  private mutating func replace(_ element: Int, by node: NodeID, key: [UInt8]) throws(FerryError) {
    let nodes = try listed(node, in: list)
    guard !nodes.isEmpty else { return remove(element) }
    let range = markup.elements[element].range
    let parent = markup.elements[element].parent
    reportMarkup(in: range)
    guard nodes.count == 1 || parent != nil else { throw unreadable }
    let indent = indent(ofLineAt: range.lowerBound, in: parent)
    edits.append(
      ByteEdit(range: range, text: try rendered(nodes.map { (key, $0) }, inside: parent, outer: indent)))
  }

  /// Returns the text of elements for values.
  ///
  /// - Parameter outer: The indentation of their lines, or nil to write them on one line.
  private func rendered(
    _ nodes: [(key: [UInt8], node: NodeID)], inside parent: Int?, outer: [UInt8]?
  ) throws(FerryError) -> [UInt8] {
    var layout = XMLOutput.Layout(spaces: 0)
    if let outer { (layout.indentation, layout.outer, layout.lineEnd) = (indentation, outer, markup.lineEnd) }
    let prefixes = prefixes(in: parent)
    let declared = Set(prefixes)
    var text: [UInt8] = []
    for (index, (key, node)) in nodes.enumerated() {
      if index > 0, let outer { text += markup.lineEnd + outer }
      let output = MemoryOutput()
      let xml = XMLOutput(to: output, layout, declared: prefixes)
      let found = LossReport()
      let writer = try XMLValueWriter(of: key, to: xml, losses: found)
      let value = try value(node, in: list)
      // The document was read without these keys, which therefore name no elements here.
      if let mark = Value.dictionary([.string(key.span.decodedString): value]).keyOfMarkup {
        throw FerryError(.path(.notEditable(format: "\"\(mark)\"", .keysOfElements)))
      }
      // Without its declaration, the prefix would be a part of another name.
      if !knownPrefixes.isEmpty {
        var names: [[UInt8]: [UInt8]] = [:]
        value.addNames(under: key, declared: declared, to: &names)
        let undeclared = names.filter { knownPrefixes.contains($0.key) }
        if let (prefix, name) = undeclared.min(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
          throw refused(.notDeclared(prefix, of: name))
        }
      }
      try value.orderedAsElements.replay(into: writer)
      try writer.finish()
      losses.add(found.all.filtered { !isReportedElsewhere($0) })
      text += output.bytes.dropLast()
    }
    try checkNames(in: text)
    return encoded(text)
  }

  /// Returns the prefixes that an element and the elements around it declare after the change.
  private func prefixes(in element: Int?) -> [[UInt8]] {
    guard let element else { return [] }
    var prefixes = markup.prefixes(in: element)
    var next: Int? = element
    while let index = next {
      prefixes += declaredPrefixes[index] ?? []
      next = markup.elements[index].parent
    }
    return prefixes
  }

  /// Returns true for a loss in a new element that `reportCollections` reports, and for the types of texts if a schema gives
  /// them these again.
  private func isReportedElsewhere(_ loss: Loss.Kind) -> Bool {
    switch loss {
    case .emptyCollection, .arrayOfOne: true
    case .numberAsText, .booleanAsText: recordElement != nil
    default: false
    }
  }
}

extension UInt8 {
  /// True for a space or a tab.
  fileprivate var isBlankInLine: Bool { self == 0x20 || self == 0x09 }
}

extension Value {
  /// The loss if this scalar becomes text.
  fileprivate var lossAsText: Loss.Kind {
    switch self {
    case .data: .dataAsText
    case .date: .dateAsText
    default: .numberAsText
    }
  }

  /// The value with the entries of dictionaries in the order of XML: attributes, elements, and text. The recursion is bounded
  /// by the depth of a built value.
  fileprivate var orderedAsElements: Value {
    switch self {
    case .array(let values): return .array(values.map(\.orderedAsElements))
    case .dictionary(let entries):
      var ordered = KeyedValues()
      for wanted in [0, 1, 2] {
        for (key, value) in entries where key.orderInElement == wanted {
          ordered[key] = value.orderedAsElements
        }
      }
      // Text alone is not an entry.
      if ordered.count == 1, let text = ordered["#text"], text.plainText != nil { return text }
      return .dictionary(ordered)
    default: return self
    }
  }

  /// The first key in the value that represents contents in their order, a comment, an instruction or CDATA.
  fileprivate var keyOfMarkup: String? {
    switch self {
    case .array(let values):
      // `lazy.compactMap { … }.first` would call the closure twice for a value with such a key, at each level.
      for value in values {
        if let found = value.keyOfMarkup { return found }
      }
      return nil
    case .dictionary(let entries):
      for (key, value) in entries {
        if let name = key.plainText,
          ["#content", "#comment", "#instruction", "#cdata"].contains(exactly: name)
        {
          return name
        }
        if let found = value.keyOfMarkup { return found }
      }
      return nil
    default: return nil
    }
  }

  /// The order of an entry with this key: 0 for attributes, 1 for elements, 2 for text.
  private var orderInElement: Int {
    guard let name = plainText else { return 1 }
    return name.equals("#text") ? 2 : name.utf8.first == UInt8(ascii: "@") ? 0 : 1
  }

  /// The value in the terms of XML: scalars are text, a list of one element is that element, and empty collections are empty
  /// texts or missing.
  fileprivate var asElements: Value {
    switch self {
    case .array(let values):
      return values.count == 1 ? values[0].asElements : .array(values.map(\.asElements))
    case .dictionary(let entries):
      // Attributes, elements and text have an order of their own.
      var shown = KeyedValues()
      for (key, value) in entries.sorted(by: { ($0.key.plainText ?? "") < ($1.key.plainText ?? "") }) {
        if case .array(let values) = value, values.isEmpty { continue }
        shown[key] = value.asElements
      }
      // An element with text alone is its text.
      if shown["#text"] == .string("") { shown["#text"] = nil }
      if shown.count == 1, let text = shown["#text"] { return text }
      return shown.isEmpty ? .string("") : .dictionary(shown)
    case .null: return .string("")
    default: return plainText.map { .string($0) } ?? self
    }
  }
}

extension NodeKind {
  fileprivate var isArray: Bool { if case .array = self { true } else { false } }
}
