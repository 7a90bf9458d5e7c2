internal import CLibXML2

/// An XML document in memory, for XPath and for access in any order.
///
///     let tree = try XMLTree(parsing: bytes)
///     tree.root.name.local                               // "people"
///     for person in try tree.select("//person[@id='1']") { print(person.text) }
///
/// A tree accepts the same documents as `XMLStream`. The same delegates can read both, because `replay(to:)`
/// makes the same calls in the same order. No public operation changes a tree.
@safe public final class XMLTree {
  private let document: xmlDocPtr
  private let rootPointer: xmlNodePtr
  fileprivate var names: XMLParserNames
  private let leftOutReferences: Int
  private let budget: Budget
  /// The size of the document in bytes.
  let byteCount: Int

  /// Parses a whole document.
  ///
  /// - Throws: A `FerryError` with the source location if the document is not well-formed or exceeds the budget.
  public convenience init(parsing bytes: Span<UInt8>, budget: Budget = Budget()) throws(FerryError) {
    let reader = try XMLTreeReader(budget: budget)
    try reader.read(bytes)
    try self.init(reader)
  }

  /// Parses a whole document.
  ///
  /// - Throws: A `FerryError` with the source location if the document is not well-formed or exceeds the budget.
  public convenience init(parsing bytes: [UInt8], budget: Budget = Budget()) throws(FerryError) {
    try self.init(parsing: bytes.span, budget: budget)
  }

  /// Creates the tree that a reader has built.
  fileprivate init(_ reader: XMLTreeReader) throws(FerryError) {
    guard let document = unsafe try reader.takeDocument(), let root = unsafe xmlDocGetRootElement(document)
    else {
      throw FerryError(.xml(.notWellFormed("the document is empty")))
    }
    unsafe self.document = document
    unsafe rootPointer = root
    (budget, byteCount) = (reader.budget, reader.byteCount)
    leftOutReferences = reader.leftOutReferences
    names = XMLParserNames(table: XMLNameTable(budget: reader.budget))
  }

  deinit { unsafe xmlFreeDoc(document) }

  /// The root element.
  public var root: XMLTreeElement { unsafe XMLTreeElement(tree: self, pointer: rootPointer) }

  /// Returns the elements that an XPath 1.0 expression selects, in document order.
  ///
  /// A relative path begins at the document: `people/person` is `/people/person`. A prefix that is not given has the namespace of its
  /// first declaration in the document. XPath has no default namespace; the default namespace of the root element has the prefix `_`
  /// here, as in `//_:entry`.
  ///
  /// - Parameters:
  ///   - xpath: The expression.
  ///   - namespaces: The namespaces of prefixes.
  /// - Throws: A `FerryError` with the reason `XMLProblem.badXPath` if the expression cannot be evaluated, `notElements` if it selects
  ///   anything other than elements, or `Budget.Limit.steps` if the evaluation takes too many steps.
  public func select(
    _ xpath: String, namespaces: [String: String] = [:]
  ) throws(FerryError) -> [XMLTreeElement] {
    guard case .nodes(let nodes) = try evaluate(xpath, namespaces: namespaces) else {
      throw FerryError(.xml(.notElements(xpath)))
    }
    var elements: [XMLTreeElement] = []
    for node in nodes {
      guard case .element(let element) = node else { throw FerryError(.xml(.notElements(xpath))) }
      elements.append(element)
    }
    return elements
  }

  /// Returns the result of an XPath 1.0 expression, as `select`. Nodes are in document order. Text beside a CDATA section is one node with it.
  func evaluate(
    _ xpath: String, namespaces: [String: String] = [:]
  ) throws(FerryError) -> XPathResult {
    let texts = unsafe JoinedTexts(in: rootPointer)
    defer { texts.restore() }
    let evaluation = try unsafe XPathEvaluation(
      of: xpath, in: document, root: rootPointer, namespaces: namespaces,
      mostSteps: budget.workAllowance(forInputBytes: byteCount))
    if let selected = try evaluation.nodes() {
      let nodes = unsafe selected.ordered.map { unsafe node($0) }
      return .nodes(selected.hasNamespaces ? nodes + [.other("the declaration of a namespace")] : nodes)
    }
    return try unsafe evaluation.withResult { result throws(FerryError) in
      switch unsafe result.pointee.type {
      case XPATH_NODESET: return .nodes(unsafe nodes(in: result.pointee.nodesetval))
      case XPATH_NUMBER: return .number(unsafe result.pointee.floatval)
      case XPATH_BOOLEAN: return .boolean(unsafe result.pointee.boolval != 0)
      case XPATH_STRING: return .string(unsafe [UInt8](copying: contentSpan(result.pointee.stringval)))
      default: throw FerryError(.xml(.notElements(xpath)))
      }
    }
  }

  /// Returns the namespace that a prefix has in the XPaths of `evaluate`; nil if it has none.
  func namespace(
    ofXPathPrefix prefix: String, namespaces: [String: String]
  ) throws(FerryError) -> String? {
    try unsafe XPathEvaluation(
      of: "/", in: document, root: rootPointer, namespaces: namespaces,
      mostSteps: budget.workAllowance(forInputBytes: byteCount)
    ).namespace(of: prefix)
  }

  /// Returns true if the document has elements with one of the given local names, and all of those with this name are in namespaces.
  func hasOnlyInNamespaces(anyOf names: [String]) -> Bool {
    guard !names.isEmpty else { return false }
    let wanted = Set(names.map { ExactString($0) })
    var (inNamespaces, others): (Set<ExactString>, Set<ExactString>) = ([], [])
    var node = unsafe Optional(rootPointer)
    while let current = unsafe node {
      if unsafe current.pointee.type == XML_ELEMENT_NODE, let name = unsafe string(current.pointee.name),
        wanted.contains(ExactString(name))
      {
        if unsafe current.pointee.ns == nil {
          others.insert(ExactString(name))
        } else {
          inNamespaces.insert(ExactString(name))
        }
      }
      unsafe node = next(after: current, within: rootPointer)
    }
    return !inNamespaces.isSubset(of: others)
  }

  private func nodes(in set: xmlNodeSetPtr?) -> [XMLTreeNode] {
    guard let set = unsafe set, let list = unsafe set.pointee.nodeTab else { return [] }
    var nodes: [XMLTreeNode] = []
    for index in unsafe 0..<Int(set.pointee.nodeNr) {
      guard let node = unsafe list[index] else { continue }
      unsafe nodes.append(self.node(node))
    }
    return nodes
  }

  private func node(_ pointer: xmlNodePtr) -> XMLTreeNode {
    switch unsafe pointer.pointee.type {
    case XML_ELEMENT_NODE: .element(unsafe XMLTreeElement(tree: self, pointer: pointer))
    // The first fields of an attribute are those of a node, and its value is its child.
    case XML_ATTRIBUTE_NODE:
      .text(
        unsafe [UInt8](copying: contentSpan(pointer.pointee.children?.pointee.content)),
        of: unsafe XMLTextOwner(tree: self, pointer: pointer))
    case XML_TEXT_NODE, XML_CDATA_SECTION_NODE:
      .text(
        unsafe [UInt8](copying: contentSpan(pointer.pointee.content)),
        of: unsafe XMLTextOwner(tree: self, pointer: pointer))
    case XML_COMMENT_NODE: .other("a comment")
    case XML_PI_NODE: .other("a processing instruction")
    case XML_NAMESPACE_DECL: .other("the declaration of a namespace")
    default: .other("the document itself")
    }
  }
}

/// A reader that builds a tree from a document in chunks.
///
///     let reader = try XMLTreeReader()
///     while let chunk = source.next() { try reader.read(chunk) }
///     let tree = try reader.tree()
public final class XMLTreeReader: ChunkReader {
  private let parser: XMLPushParser
  fileprivate let budget: Budget
  fileprivate private(set) var byteCount = 0

  /// Creates a reader of a single document.
  ///
  /// - Throws: An error if libxml2 cannot create a parser.
  public init(budget: Budget = Budget(), entities: XMLEntities = XMLEntities()) throws(FerryError) {
    parser = try XMLPushParser(to: nil, budget: budget, entities: entities)
    self.budget = budget
  }

  public func read(_ chunk: Span<UInt8>) throws(FerryError) {
    byteCount += chunk.count
    try parser.read(chunk)
  }

  public func finish() throws(FerryError) { try parser.finish() }

  /// Returns the tree of the document.
  ///
  /// - Throws: A `FerryError` with the source location if the document is incomplete.
  public func tree() throws(FerryError) -> XMLTree { try XMLTree(self) }

  fileprivate var leftOutReferences: Int { parser.leftOutReferences }

  fileprivate func takeDocument() throws(FerryError) -> xmlDocPtr? {
    try parser.finish()
    return unsafe parser.takeDocument()
  }
}

extension XMLTree {
  /// Calls delegates for the document, in the same way as `XMLStream`.
  ///
  /// - Throws: An error of a delegate.
  public func replay(to document: ElementDelegate, losses: LossReport? = nil) throws(FerryError) {
    noteLosses(in: losses)
    var chain = ElementChain(document: document, budget: budget, losses: losses)
    var child = unsafe self.document.pointee.children
    while let node = unsafe child {
      unsafe try replay(node, to: &chain)
      unsafe child = node.pointee.next
    }
    try chain.finish()
  }

  /// Reports a loss for each part of the document that the tree does not contain.
  func noteLosses(in losses: LossReport?) {
    for _ in 0..<leftOutReferences { losses?.add(.undeclaredEntity) }
  }

  /// Calls delegates for one element, as if it were the root of a document.
  fileprivate func replay(
    _ node: XMLTreeElement, to document: ElementDelegate, bringsContext: Bool, losses: LossReport?
  ) throws(FerryError) {
    var chain = ElementChain(document: document, budget: budget, losses: losses)
    unsafe try replay(node.pointer, to: &chain, bringsContext: bringsContext)
    try chain.finish()
  }

  /// Calls delegates for the nodes in document order. Does not recurse, because a document may be deep.
  private func replay(
    _ top: xmlNodePtr, to chain: inout ElementChain, bringsContext: Bool = false
  ) throws(FerryError) {
    let locator = unsafe NodeLocator(top)
    var node = unsafe top
    while true {
      let isOutermost = unsafe bringsContext && node == top
      do {
        unsafe try begin(node, in: &chain, locator: locator, bringsContext: isOutermost)
      } catch {
        throw error.placed(at: locator.elementLocation)
      }
      if unsafe node.pointee.type == XML_ELEMENT_NODE, let child = unsafe node.pointee.children {
        unsafe node = child
        continue
      }
      while true {
        if unsafe node.pointee.type == XML_ELEMENT_NODE {
          unsafe locator.node = node
          do { try chain.end() } catch { throw error.placed(at: locator.elementLocation) }
        }
        if unsafe node == top { return }
        if let next = unsafe node.pointee.next {
          unsafe node = next
          break
        }
        guard let parent = unsafe node.pointee.parent else { return }
        unsafe node = parent
      }
    }
  }

  /// Calls the delegates for the beginning of a node.
  private func begin(
    _ node: xmlNodePtr, in chain: inout ElementChain, locator: NodeLocator, bringsContext: Bool = false
  ) throws(FerryError) {
    switch unsafe node.pointee.type {
    case XML_ELEMENT_NODE:
      unsafe locator.node = node
      guard !chain.isSkipping else { return try chain.startSkipped() }
      let name = unsafe names.name(of: node)
      let attributes = unsafe attributes(of: node, bringsContext: bringsContext)
      let (list, values) = (attributes.all.list, attributes.all.values)
      try chain.start(
        XMLStartTag(
          name: name, attributes: list.span, attributeCount: attributes.count, values: values.span,
          locator: Unretained(locator)))
    case XML_TEXT_NODE, XML_CDATA_SECTION_NODE:
      unsafe locator.node = node.pointee.parent ?? node
      let text = unsafe contentSpan(node.pointee.content)
      let isCDATA = unsafe node.pointee.type == XML_CDATA_SECTION_NODE
      try chain.text(BorrowedText(checked: text, isASCII: text.isASCII), isCDATA: isCDATA)
    case XML_COMMENT_NODE:
      unsafe locator.node = node.pointee.parent ?? node
      unsafe try chain.comment(
        BorrowedText(contentSpan(node.pointee.content)), at: locator.elementLocation)
    case XML_PI_NODE:
      unsafe locator.node = node.pointee.parent ?? node
      unsafe try chain.processingInstruction(
        target: BorrowedText(contentSpan(node.pointee.name)),
        data: BorrowedText(contentSpan(node.pointee.content)), at: locator.elementLocation)
    case XML_DTD_NODE: chain.doctype(at: InputLocation())
    default: break
    }
  }

  /// Returns an element's attributes, followed by the namespaces declared on it. With `bringsContext`, the attributes
  /// include an inherited `xml:space="preserve"`, and the namespaces are all in scope.
  fileprivate func attributes(
    of node: xmlNodePtr, bringsContext: Bool = false
  ) -> (all: XMLAttributes, count: Int) {
    var all = XMLAttributes()
    var attribute = unsafe node.pointee.properties
    while let next = unsafe attribute {
      unsafe add(next, to: &all)
      unsafe attribute = next.pointee.next
    }
    if bringsContext, unsafe space(of: node) == nil, let space = unsafe inheritedSpace(of: node) {
      unsafe add(space, to: &all)
    }
    let count = all.list.count
    var declared: Set<ObjectIdentifier> = []
    var element = unsafe Optional(node)
    while let current = unsafe element, unsafe current.pointee.type == XML_ELEMENT_NODE {
      unsafe addDeclarations(of: current, to: &all, unlessIn: &declared)
      unsafe element = bringsContext ? current.pointee.parent : nil
    }
    return (all, count)
  }

  private func add(_ attribute: xmlAttrPtr, to all: inout XMLAttributes) {
    unsafe all.add(names.name(of: attribute), contentSpan(attribute.pointee.children?.pointee.content))
  }

  /// Returns the attribute `xml:space` of an element, or nil.
  private func space(of node: xmlNodePtr) -> xmlAttrPtr? {
    var attribute = unsafe node.pointee.properties
    while let next = unsafe attribute, unsafe !names.name(of: next).isSpace {
      unsafe attribute = next.pointee.next
    }
    return unsafe attribute
  }

  /// Returns the attribute `xml:space="preserve"` that an element inherits, or nil.
  fileprivate func inheritedSpace(of node: xmlNodePtr) -> xmlAttrPtr? {
    var element = unsafe node.pointee.parent
    while let current = unsafe element, unsafe current.pointee.type == XML_ELEMENT_NODE {
      if let space = unsafe space(of: current) {
        let value = unsafe contentSpan(space.pointee.children?.pointee.content)
        return BorrowedText(value).equals("preserve") ? unsafe space : nil
      }
      unsafe element = current.pointee.parent
    }
    return nil
  }

  /// Adds the namespaces declared on an element, except for prefixes that an inner element redeclares.
  ///
  /// - Parameter declared: The names of the declarations that have been added.
  private func addDeclarations(
    of node: xmlNodePtr, to all: inout XMLAttributes, unlessIn declared: inout Set<ObjectIdentifier>
  ) {
    var declaration = unsafe node.pointee.nsDef
    while let next = unsafe declaration {
      let name = unsafe names.declaration(of: UnsafePointer(next.pointee.prefix))
      if declared.insert(ObjectIdentifier(name)).inserted {
        unsafe all.add(name, contentSpan(next.pointee.href))
      }
      unsafe declaration = next.pointee.next
    }
  }
}

/// Returns the bytes of a libxml2 string, which are valid as long as the tree. A null pointer has no bytes.
@_lifetime(immortal)
private func contentSpan(_ start: UnsafePointer<xmlChar>?) -> Span<UInt8> {
  guard let start = unsafe start else { return Span() }
  let span = unsafe Span(_unsafeStart: start, count: Int(xmlStrlen(start)))
  return unsafe _overrideLifetime(span, borrowing: ())
}

/// Returns the next node in document order, or nil at the end of `top`.
func next(after node: xmlNodePtr, within top: xmlNodePtr) -> xmlNodePtr? {
  if unsafe node.pointee.type == XML_ELEMENT_NODE, let child = unsafe node.pointee.children {
    return unsafe child
  }
  var node = unsafe node
  while unsafe node != top {
    if let next = unsafe node.pointee.next { return unsafe next }
    guard let parent = unsafe node.pointee.parent else { return nil }
    unsafe node = parent
  }
  return nil
}

/// The source location of a node, as the parser stored it in the tree.
@safe private final class NodeLocator: ElementLocator {
  var node: xmlNodePtr

  init(_ node: xmlNodePtr) { unsafe self.node = node }

  override var elementLocation: InputLocation {
    guard unsafe node.pointee.type == XML_ELEMENT_NODE else { return InputLocation(line: 1, column: 1) }
    let packed = unsafe UInt(bitPattern: node.pointee._private)
    let column = Int(packed & 0xffff_ffff)
    return InputLocation(line: Int(packed >> 32), column: column == 0 ? nil : column)
  }
}

/// An element in a tree.
@safe public struct XMLTreeElement {
  /// The tree that contains the element.
  public let tree: XMLTree
  fileprivate let pointer: xmlNodePtr

  /// The name of the element.
  public var name: XMLName { unsafe tree.names.name(of: pointer).object }

  /// The line and column of the element's `<`.
  public var location: InputLocation { unsafe NodeLocator(pointer).elementLocation }

  /// The attributes in document order.
  public var attributes: [(name: XMLName, value: String)] {
    let (all, count) = unsafe tree.attributes(of: pointer)
    return all.list.prefix(count).map { attribute in
      (attribute.name, String(decoding: all.values[attribute.start..<attribute.end], as: UTF8.self))
    }
  }

  /// The namespace declarations in scope, the innermost first, with one for each prefix.
  var namespacesInScope: [(name: XMLName, namespace: [UInt8])] {
    let (all, count) = unsafe tree.attributes(of: pointer, bringsContext: true)
    return all.list.dropFirst(count).map { declaration in
      (declaration.name, Array(all.values[declaration.start..<declaration.end]))
    }
  }

  /// True if the element declares a prefix for Ferry's attributes, or one around it does.
  var declaresTypes: Bool {
    namespacesInScope.contains { XMLTypeAttribute.isOfFerry($0.namespace.span) }
  }

  /// True if `xml:space` of an element around it preserves white space.
  var inheritsSpace: Bool { unsafe tree.inheritedSpace(of: pointer) != nil }

  /// Returns the value of the first attribute with a local name in any namespace, or nil.
  public func attribute(_ local: String) -> String? {
    attributes.first { $0.name.local.equals(local) }?.value
  }

  /// The identity of an element in its tree.
  struct ID: Hashable {
    fileprivate let address: UInt
  }

  /// The identity of the element.
  var id: ID { unsafe ID(address: UInt(bitPattern: pointer)) }

  /// The element around this one; nil for the root element.
  var parent: XMLTreeElement? {
    guard let parent = unsafe pointer.pointee.parent, unsafe parent.pointee.type == XML_ELEMENT_NODE else {
      return nil
    }
    return unsafe XMLTreeElement(tree: tree, pointer: parent)
  }

  /// The child elements.
  public var children: [XMLTreeElement] {
    var children: [XMLTreeElement] = []
    var child = unsafe pointer.pointee.children
    while let node = unsafe child {
      if unsafe node.pointee.type == XML_ELEMENT_NODE {
        unsafe children.append(XMLTreeElement(tree: tree, pointer: node))
      }
      unsafe child = node.pointee.next
    }
    return children
  }

  /// The text of the element and its descendants.
  public var text: String {
    var bytes: [UInt8] = []
    var node = unsafe next(after: pointer, within: pointer)
    while let current = unsafe node {
      let type = unsafe current.pointee.type
      if type == XML_TEXT_NODE || type == XML_CDATA_SECTION_NODE {
        unsafe bytes.append(copying: contentSpan(current.pointee.content))
      }
      unsafe node = next(after: current, within: pointer)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Calls delegates for the element, as if it were the root of a document.
  ///
  /// - Throws: An error of a delegate.
  public func replay(to document: ElementDelegate, losses: LossReport? = nil) throws(FerryError) {
    try tree.replay(self, to: document, bringsContext: false, losses: losses)
  }

  /// Calls delegates for the element, with the namespaces in scope and an inherited `xml:space`.
  func replayWithContext(to document: ElementDelegate) throws(FerryError) {
    try tree.replay(self, to: document, bringsContext: true, losses: nil)
  }
}

extension XMLTree {
  /// True if the document has a document type declaration, which may give attributes other types and elements other texts.
  var hasDoctype: Bool { unsafe document.pointee.intSubset != nil || document.pointee.extSubset != nil }
}

extension XMLTreeElement {
  /// The text of an element that has one text, and nothing else inside; nil for other elements.
  var onlyText: XMLTextOwner? {
    guard let child = unsafe pointer.pointee.children, unsafe child.pointee.type == XML_TEXT_NODE,
      unsafe child.pointee.next == nil
    else { return nil }
    return unsafe XMLTextOwner(tree: tree, pointer: child)
  }
}

extension XMLTextOwner {
  /// Replaces the text of an attribute, or of an element that has one text and nothing else inside. Returns false, and does nothing, for
  /// other texts.
  func replaceText(by text: [UInt8]) -> Bool {
    // libxml2 finds elements by their IDs in a table.
    if let name = attribute, name.namespace.equals(XMLNamespace.xml) { return false }
    let isAttribute = unsafe pointer.pointee.type == XML_ATTRIBUTE_NODE
    guard let node = unsafe isAttribute ? pointer.pointee.children : pointer,
      unsafe node.pointee.type == XML_TEXT_NODE, unsafe node.pointee.prev == nil,
      unsafe node.pointee.next == nil
    else { return false }
    let length = Int32(clamping: text.count)
    guard Int(length) == text.count else { return false }
    unsafe text.withUnsafeBufferPointer { bytes in
      unsafe xmlNodeSetContentLen(node, bytes.baseAddress, length)
    }
    return true
  }
}

/// The place of a text that an XPath selects: an attribute, or a text node of an element.
@safe struct XMLTextOwner {
  private let tree: XMLTree
  private let pointer: xmlNodePtr

  fileprivate init(tree: XMLTree, pointer: xmlNodePtr) { unsafe (self.tree, self.pointer) = (tree, pointer) }

  /// The element with the attribute or the text.
  var element: XMLTreeElement? {
    unsafe pointer.pointee.parent.map { unsafe XMLTreeElement(tree: tree, pointer: $0) }
  }

  /// The name of the attribute; nil for a text node.
  var attribute: XMLName? {
    guard unsafe pointer.pointee.type == XML_ATTRIBUTE_NODE else { return nil }
    // The first fields of an attribute are those of a node.
    return unsafe tree.names.name(
      of: UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: xmlAttr.self))
  }

  /// True if the element has no other text node. White space beside an element or a comment is one, too.
  var isOnlyText: Bool {
    guard let parent = unsafe pointer.pointee.parent else { return false }
    var node = unsafe parent.pointee.children
    // A text beside a CDATA section is one node with it, and begins with the first of both.
    var isAfterText = false
    while let current = unsafe node {
      let type = unsafe current.pointee.type
      let isText = type == XML_TEXT_NODE || type == XML_CDATA_SECTION_NODE
      if isText, !isAfterText, unsafe current != pointer { return false }
      isAfterText = isText
      unsafe node = current.pointee.next
    }
    return true
  }
}
