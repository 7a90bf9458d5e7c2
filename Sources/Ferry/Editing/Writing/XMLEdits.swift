/// A writer of an edited XML document. It changes the texts, attributes and elements of the changed values,
/// and keeps everything else: comments, layout, quotation marks, entities and the order of elements.
///
///     <box id="1">                   box.@id becomes 2          <box id="2">
///       <pen>red</pen>  <!-- a -->   box.pen[1] is added          <pen>red</pen>  <!-- a -->
///     </box>                                                      <pen>blue</pen>
///                                                               </box>
///
/// There are three steps:
///
/// 1. A comparison of the old and the new values collects the edits of texts, attributes and new elements, and the changes of elements
///    on which other edits depend: `changes`.
/// 2. `XMLRemovals` adds the edits that remove elements. They depend on these changes.
/// 3. The edited text is read again. If it does not have the changed values, an error is thrown: XML cannot hold them there.
struct XMLEdits {
  let list: EditedPropertyList
  let tree: PropertyListTree
  let markup: XMLMarkup
  let encoding: XMLDocumentEncoding
  /// True if the elements are found in the text: its encoding contains ASCII, and is not one with shifts, such as ISO-2022-JP.
  private let isScanned: Bool
  var losses: LossReport
  /// True if keys are like those of JSON, as in a document with types: they have no namespaces, and the elements of a list are together.
  let hasKeysLikeJSON: Bool
  /// The name of the element of a record, if the document was read by a built-in schema.
  let recordElement: [UInt8]?
  /// One level of indentation.
  let indentation: [UInt8]
  /// The values that are changed, and those around them.
  private var touched: Set<NodeID> = []
  /// The edits of texts, attributes and new elements.
  var edits: [ByteEdit] = []
  /// The changes of elements on which other edits depend.
  var changes = XMLElementChanges()
  /// The ranges of the elements that other ones replace, in the order of the changes.
  var replaced: [Range<Int>] = []
  var elementsWithText: ElementsWithText
  var prefixes: XMLPrefixes
  /// The notations of the empty elements in the document; nil until a new element is written.
  var empties: XMLEmptyElements?
  /// The elements of the values in the original document; nil until a value is written at another place.
  var sources: [NodeID: CarriedElement]?
  /// The elements whose text is written at another place, in the order of the changes.
  var carried: [CarriedElementText] = []
  /// The treatment of white space that was layout in elements whose text is written at another place.
  var spaceInCarried = SpaceInCarried()

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
  ///   - hasKeysLikeJSON: True if keys are like those of JSON, as in a document with types. The colon in the name of a new element whose
  ///     prefix is not declared is escaped then.
  ///   - losses: Receives what the document cannot hold, and comments and instructions inside replaced elements.
  init(
    of list: EditedPropertyList, over tree: PropertyListTree, source text: [UInt8], schema: Schema?,
    hasKeysLikeJSON: Bool, losses: LossReport
  ) {
    self.hasKeysLikeJSON = hasKeysLikeJSON
    recordElement = schema.map { Array($0.record.element.utf8) }
    (self.list, self.tree, self.losses) = (list, tree, losses)
    let unicode = XMLTextEncoding(of: text)
    let utf8 = unicode.utf8(text)
    encoding = XMLDocumentEncoding(unicode, of: utf8)
    markup = XMLMarkup(utf8, encoding: encoding.declared)
    // XML does not allow the character that begins a shift.
    isScanned = !markup.elements.isEmpty && (encoding.isUnicode || !utf8.contains(0x1b))
    elementsWithText = ElementsWithText(in: markup)
    prefixes = XMLPrefixes(in: markup, areEscaped: hasKeysLikeJSON)
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
  /// - Parameters:
  ///   - read: Reads the nodes of a document.
  ///   - send: Sends the values of a document to a sink.
  /// - Throws: A `FerryError` with the reason `PathProblem.cannotPut` if the document cannot have the changed values.
  func bytes(
    reading read: ([UInt8]) throws(FerryError) -> any PropertyListNodes,
    sending send: ([UInt8], any ValueSink) throws(FerryError) -> Void
  ) throws(FerryError) -> [UInt8] {
    var copy = self
    copy.touched = try touchedNodes()
    let removals = try copy.collectEdits()
    copy.reportRemovedMarkup()
    // The changed values do not have the white space that becomes a part of a text, so they are compared without it.
    let spaces = removals.keptSpace.map { ByteEdit(range: $0, text: []) }
    let compared = encoding.bytes(of: (removals.edits + spaces).applied(to: markup.text))
    let isExact = NodeComparison.finds(list) { sink throws(FerryError) in try send(compared, sink) }
    // Other events may have the same values in the terms of XML.
    let nodes: any PropertyListNodes = isExact ? list : try copy.nodes(of: compared, reading: read)
    if !isExact, try !copy.isSame(list.root, as: nodes.root, in: nodes) { throw copy.unreadable }
    try copy.reportCollections(in: list.root, readAs: nodes.root, nodes)
    let lines = removals.editsWithLines()
    guard lines != nil || !spaces.isEmpty || copy.spaceInCarried.isFound else { return compared }
    var final = lines ?? removals.edits
    if copy.spaceInCarried.isFound { final = try editsWithSpaceInCarried(touching: copy.touched) }
    let edited = encoding.bytes(of: final.applied(to: markup.text))
    _ = try copy.nodes(of: edited, reading: read)
    return edited
  }

  /// Collects the edits of all changes again, with the white space in elements whose text is written at another place that became text.
  private func editsWithSpaceInCarried(touching nodes: Set<NodeID>) throws(FerryError) -> [ByteEdit] {
    var copy = self
    (copy.touched, copy.losses) = (nodes, LossReport())
    copy.spaceInCarried.isKept = true
    let removals = try copy.collectEdits()
    return removals.editsWithLines() ?? removals.edits
  }

  /// Collects the edits of all changes. Returns them with those that remove elements.
  private mutating func collectEdits() throws(FerryError) -> XMLRemovals {
    try collect()
    addAttributes()
    return removals(in: markup.elements.indices)
  }

  /// Returns the collected edits with those that remove elements.
  ///
  /// - Parameter scope: The elements in which these are.
  func removals(in scope: Range<Int>) -> XMLRemovals {
    XMLRemovals(
      of: changes, from: markup, in: scope, hasRecords: recordElement != nil, elementsWithText, after: edits)
  }

  /// Reads the edited text again.
  private func nodes(
    of text: [UInt8], reading read: ([UInt8]) throws(FerryError) -> any PropertyListNodes
  ) throws(FerryError) -> any PropertyListNodes {
    do throws(FerryError) { return try read(text) } catch { throw refused(.unreadable(error.reason)) }
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

  // MARK: Values

  /// Returns the entries of a dictionary; none for other values.
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

  /// Returns the elements of a list; none for other values.
  func elements(of node: NodeID, in nodes: any PropertyListNodes) throws(FerryError) -> [NodeID] {
    guard case .array(let count) = try nodes.kind(of: node) else { return [] }
    var elements: [NodeID] = []
    for index in 0..<count { elements.append(try nodes.element(index, of: node)) }
    return elements
  }

  /// Returns the elements of a list, or another value as the only one.
  func listed(_ node: NodeID, in nodes: any PropertyListNodes) throws(FerryError) -> [NodeID] {
    try nodes.kind(of: node).isArray ? elements(of: node, in: nodes) : [node]
  }

  /// Returns true if a value or a part of it is changed.
  func isTouched(_ node: NodeID) -> Bool { touched.contains(node) }

  /// Returns the values that are changed, and those around them.
  private func touchedNodes() throws(FerryError) -> Set<NodeID> {
    func isChanged(_ node: NodeID) -> Bool { node >= list.firstNewNode || list.isChanged(node) }
    var touched: Set<NodeID> = []
    var collections: [(node: NodeID, parent: Int?)] = [(list.root, nil)]
    var isTouched = [isChanged(list.root)]
    var next = 0
    while next < collections.count {
      let parent = next
      try list.forEachChild(of: collections[next].node) { child throws(FerryError) in
        if try list.kind(of: child).isCollection {
          collections.append((child, parent))
          isTouched.append(isChanged(child))
        } else if isChanged(child) {
          touched.insert(child)
          isTouched[parent] = true
        }
      }
      next += 1
    }
    // A parent is visited before its children.
    for index in collections.indices.reversed() where isTouched[index] {
      touched.insert(collections[index].node)
      if let parent = collections[index].parent { isTouched[parent] = true }
    }
    return touched
  }
}

extension NodeKind {
  /// True for an array.
  var isArray: Bool { if case .array = self { true } else { false } }
}

extension PathProblem.Obstacle {
  /// The problem of a removal from XML with this obstacle.
  var ofRemoval: PathProblem {
    guard case .readsBackOtherwise = self else { return .cannotRemove(description) }
    return .cannotRemove("read from XML, the rest would be another value")
  }
}
