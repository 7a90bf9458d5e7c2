internal import CLibXML2

/// An evaluation of an XPath 1.0 expression in a document.
///
/// libxml2 takes quadratic time for large results: to sort nodes, it searches the siblings of one for the other, and to join the operands of
/// a union, it compares all pairs. The nodes are therefore collected without an order, and put in order by one walk through the document.
@safe final class XPathEvaluation {
  private let expression: XPathExpression
  private let document: xmlDocPtr
  private let context: xmlXPathContextPtr
  private let mostSteps: Int

  /// Creates an evaluation.
  ///
  /// - Parameters:
  ///   - namespaces: The namespaces by prefix. Other prefixes have the namespaces of their first declarations in the document.
  ///   - mostSteps: The maximum number of steps in the evaluation.
  /// - Throws: A `FerryError` with the reason `XMLProblem.badXPath` if the expression is not valid, `undeclaredPrefix` or
  ///   `noDefaultNamespace` if a prefix is not declared.
  init(
    of xpath: String, in document: xmlDocPtr, root: xmlNodePtr, namespaces: [String: String], mostSteps: Int
  ) throws(FerryError) {
    guard let context = unsafe xmlXPathNewContext(document) else {
      throw FerryError(.xml(.badXPath(xpath, why: "out of memory")))
    }
    unsafe (self.document, self.context) = (document, context)
    (expression, self.mostSteps) = (XPathExpression(xpath), mostSteps)
    // A relative path begins at the document.
    unsafe context.pointee.node = Self.node(document)
    // Nested conditions can take time that is a power of the number of elements.
    unsafe context.pointee.opLimit = UInt(clamping: mostSteps)
    unsafe registerPrefixes(namespaces, root)
    try checkSyntax()
    try checkNames()
  }

  deinit { unsafe xmlXPathFreeContext(context) }

  private func registerPrefixes(_ namespaces: [String: String], _ root: xmlNodePtr) {
    var known: Set<ExactString> = []
    for (prefix, uri) in namespaces {
      known.insert(ExactString(prefix))
      _ = unsafe xmlXPathRegisterNs(context, prefix, uri)
    }
    var node = unsafe Optional(root)
    while let element = unsafe node {
      var declaration = unsafe element.pointee.type == XML_ELEMENT_NODE ? element.pointee.nsDef : nil
      while let next = unsafe declaration {
        let isDefault = unsafe next.pointee.prefix == nil
        let prefix = unsafe string(next.pointee.prefix) ?? "_"
        if unsafe !isDefault || element == root, known.insert(prefix).inserted {
          _ = unsafe xmlXPathRegisterNs(context, prefix, next.pointee.href)
        }
        unsafe declaration = next.pointee.next
      }
      unsafe node = next(after: element, within: root)
    }
  }

  /// Returns the namespace of a prefix; nil if it is not declared.
  func namespace(of prefix: String) -> String? { unsafe string(xmlXPathNsLookup(context, prefix)) }

  /// Returns a document or an attribute as a node. Their first fields are those of a node.
  private static func node(_ pointer: UnsafeMutableRawPointer) -> xmlNodePtr {
    unsafe pointer.assumingMemoryBound(to: xmlNode.self)
  }

  // MARK: Mistakes

  private func problem(_ why: String) -> FerryError {
    FerryError(.xml(.badXPath(expression.xpath, why: why)))
  }

  private func checkSyntax() throws(FerryError) {
    let errors = XMLErrors()
    let compiled = unsafe errors.hear { unsafe xmlXPathCtxtCompile(context, expression.textForLibXML) }
    unsafe xmlXPathFreeCompExpr(compiled)
    if unsafe compiled == nil { throw problem(errors.words(inXPath: expression)) }
  }

  /// Throws for an unknown name. libxml2 finds it only if the evaluation comes to it, which depends on the document.
  private func checkNames() throws(FerryError) {
    let unknown = expression.prefixes.filter { unsafe xmlXPathNsLookup(context, $0) == nil }
    if unknown.contains(exactly: "xmlns") {
      let why =
        "the declaration of a namespace is not an attribute in an XPath (write a path, as in a[\"@xmlns:p\"])"
      throw problem(why)
    }
    // No document declares the prefix `_`, so another one is named first.
    if let prefix = unknown.first(where: { !$0.equals("_") }) {
      let why = "the prefix \(MessageText.quoted(prefix)) is not declared in the document"
      throw FerryError(.xml(.undeclaredPrefix(expression.xpath, why: why)))
    }
    guard unknown.isEmpty else { throw FerryError(.xml(.noDefaultNamespace(expression.xpath))) }
    if expression.hasVariable { throw problem("variables are not supported") }
    for call in expression.calls {
      guard isKnown(call.function) else {
        throw problem("XPath 1.0 has no function \(MessageText.quoted(call.function.text))")
      }
      if let why = XPathFunctions.problem(with: call) { throw problem(why) }
    }
  }

  private func isKnown(_ function: XPathToken) -> Bool {
    guard let prefix = function.prefix else {
      return unsafe xmlXPathFunctionLookup(context, function.text) != nil
    }
    let namespace = unsafe xmlXPathNsLookup(context, prefix)
    return unsafe xmlXPathFunctionLookupNS(context, function.localName, namespace) != nil
  }

  // MARK: Values

  /// Calls a function with the result of an expression.
  private func evaluate<Result>(
    _ text: String, _ body: (xmlXPathObjectPtr) throws(FerryError) -> Result
  ) throws(FerryError) -> Result {
    let errors = XMLErrors()
    let result = unsafe errors.hear { unsafe xmlXPathEvalExpression(text, context) }
    guard let result = unsafe result else {
      guard unsafe context.pointee.opCount < context.pointee.opLimit else {
        throw FerryError(.overBudget(.steps(mostSteps)))
      }
      throw errors.isOutOfRoom ? FerryError(.xml(.tooManyNodes(expression.xpath))) : problem(errors.words)
    }
    defer { unsafe xmlXPathFreeObject(result) }
    return try unsafe body(result)
  }

  /// Calls a function with the result of the expression, in which libxml2 has put nodes in order.
  func withResult<Result>(
    _ body: (xmlXPathObjectPtr) throws(FerryError) -> Result
  ) throws(FerryError) -> Result {
    try unsafe evaluate(expression.textForLibXML, body)
  }

  /// Returns the nodes that the expression selects, in document order. Returns nil if it may have a single value.
  func nodes() throws(FerryError) -> SelectedNodes? {
    // No function of the expression has this name: its names are checked.
    guard let paths = expression.paths(withCondition: "ferry-collect()") else { return nil }
    _ = unsafe xmlXPathRegisterFunc(context, "ferry-collect", collect)
    let nodes = SelectedNodes()
    unsafe context.pointee.userData = Unmanaged.passUnretained(nodes).toOpaque()
    defer { unsafe context.pointee.userData = nil }
    // libxml2 does not sort what it only counts, and the condition leaves nothing to count.
    for path in paths { try unsafe evaluate("count(\(path))") { _ in } }
    unsafe nodes.sort(by: document)
    return nodes
  }

  /// The nodes that an expression selects.
  @safe final class SelectedNodes {
    /// The nodes in document order, after `sort`.
    private(set) var ordered: [xmlNodePtr] = unsafe []
    /// True if declarations of namespaces are selected, which libxml2 copies from the document.
    private(set) var hasNamespaces = false
    private var found: Set<xmlNodePtr> = unsafe []

    fileprivate func add(_ node: xmlNodePtr) {
      if unsafe node.pointee.type == XML_NAMESPACE_DECL {
        hasNamespaces = true
      } else {
        unsafe found.insert(node)
      }
    }

    private func take(_ node: xmlNodePtr) {
      if unsafe found.remove(node) != nil { unsafe ordered.append(node) }
    }

    fileprivate func sort(by document: xmlDocPtr) {
      unsafe take(XPathEvaluation.node(document))
      var top = unsafe document.pointee.children
      while let outer = unsafe top, unsafe !found.isEmpty {
        var node = unsafe Optional(outer)
        while let current = unsafe node {
          unsafe take(current)
          unsafe takeAttributes(of: current)
          unsafe node = next(after: current, within: outer)
        }
        unsafe top = outer.pointee.next
      }
    }

    private func takeAttributes(of node: xmlNodePtr) {
      guard unsafe node.pointee.type == XML_ELEMENT_NODE else { return }
      var attribute = unsafe node.pointee.properties
      while let next = unsafe attribute {
        unsafe take(XPathEvaluation.node(next))
        unsafe attribute = next.pointee.next
      }
    }
  }
}

/// Adds the current node to those that are collected, and returns false to libxml2.
@c private func collect(_ parser: xmlXPathParserContextPtr?, _ argumentCount: Int32) {
  guard let parser = unsafe parser, let context = unsafe parser.pointee.context else { return }
  if let pointer = unsafe context.pointee.userData, let node = unsafe context.pointee.node {
    unsafe Unmanaged<XPathEvaluation.SelectedNodes>.fromOpaque(pointer).takeUnretainedValue().add(node)
  }
  unsafe xmlXPathFalseFunction(parser, 0)
}
