internal import CLibXML2

// The callbacks of libxml2. Each finds the parser and passes the arguments on as bytes. After the parser has
// failed, nothing is passed on.
//
// The user data of the callbacks is the parser. It is not libxml2's own context, as is usual for trees,
// because libxml2 would then look up an entity itself if `entityIsNeeded` refuses it. A tree is still built
// by libxml2's functions, with the document's context even for the content of entities. Therefore an entity
// is read again, and its cost is counted, at each reference.

/// Returns the parser, or nil if it has failed.
private func parser(_ pointer: UnsafeMutableRawPointer?) -> XMLPushParser? {
  guard let pointer = unsafe pointer else { return nil }
  let parser = unsafe Unmanaged<XMLPushParser>.fromOpaque(pointer).takeUnretainedValue()
  return parser.hasFailed ? nil : parser
}

/// Calls a function with the parser unless it has failed. It is used in the most frequent callbacks.
@inline(always)
private func withParser(_ pointer: UnsafeMutableRawPointer?, _ body: (XMLPushParser) -> Void) {
  guard let pointer = unsafe pointer else { return }
  unsafe Unmanaged<XMLPushParser>.fromOpaque(pointer)._withUnsafeGuaranteedRef { parser in
    if !parser.hasFailed { body(parser) }
  }
}

@c private func documentDidStart(_ pointer: UnsafeMutableRawPointer?) {
  guard let parser = unsafe parser(pointer) else { return }
  unsafe xmlSAX2StartDocument(parser.context)
}

@c private func elementDidStart(
  _ pointer: UnsafeMutableRawPointer?, _ local: UnsafePointer<xmlChar>?, _ prefix: UnsafePointer<xmlChar>?,
  _ namespace: UnsafePointer<xmlChar>?, _ declarationCount: Int32,
  _ declarations: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, _ attributeCount: Int32,
  _ defaultedCount: Int32,
  _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
) {
  guard let local = unsafe local else { return }
  let tag = unsafe XMLPushParser.StartTag(
    local: local, prefix: prefix, namespace: namespace, declarationCount: Int(declarationCount),
    declarations: declarations, attributeCount: Int(attributeCount),
    defaultedCount: Int(defaultedCount), attributes: attributes)
  unsafe withParser(pointer) { parser in
    unsafe parser.start(tag)
    guard parser.isTree, !parser.hasFailed else { return }
    // In a tree, default attributes are ordinary attributes, so their number is passed as 0.
    unsafe xmlSAX2StartElementNs(
      parser.context, local, prefix, namespace, declarationCount, declarations, attributeCount, 0, attributes)
    parser.storeLocation()
  }
}

@c private func elementDidEnd(
  _ pointer: UnsafeMutableRawPointer?, _ local: UnsafePointer<xmlChar>?, _ prefix: UnsafePointer<xmlChar>?,
  _ namespace: UnsafePointer<xmlChar>?
) {
  unsafe withParser(pointer) { parser in
    if parser.isTree { unsafe xmlSAX2EndElementNs(parser.context, local, prefix, namespace) }
    parser.end()
  }
}

@c private func textDidCome(
  _ pointer: UnsafeMutableRawPointer?, _ start: UnsafePointer<xmlChar>?, _ count: Int32
) {
  guard let start = unsafe start else { return }
  unsafe withParser(pointer) { parser in
    if parser.isTree { return unsafe xmlSAX2Characters(parser.context, start, count) }
    unsafe parser.text(Span(_unsafeStart: start, count: Int(count)))
  }
}

@c private func cdataDidCome(
  _ pointer: UnsafeMutableRawPointer?, _ start: UnsafePointer<xmlChar>?, _ count: Int32
) {
  guard let start = unsafe start, let parser = unsafe parser(pointer) else { return }
  unsafe parser.cdata(Span(_unsafeStart: start, count: Int(count)))
}

@c private func commentDidCome(_ pointer: UnsafeMutableRawPointer?, _ start: UnsafePointer<xmlChar>?) {
  guard let start = unsafe start, let parser = unsafe parser(pointer),
    !parser.isInDoctype
  else { return }
  if parser.isTree { return unsafe xmlSAX2Comment(parser.context, start) }
  unsafe parser.comment(Span(_unsafeStart: start, count: Int(xmlStrlen(start))))
}

@c private func instructionDidCome(
  _ pointer: UnsafeMutableRawPointer?, _ target: UnsafePointer<xmlChar>?, _ data: UnsafePointer<xmlChar>?
) {
  guard let target = unsafe target, let parser = unsafe parser(pointer),
    !parser.isInDoctype
  else { return }
  if parser.isTree { return unsafe xmlSAX2ProcessingInstruction(parser.context, target, data) }
  let name = unsafe Span(_unsafeStart: target, count: Int(xmlStrlen(target)))
  guard let data = unsafe data else { return parser.processingInstruction(target: name, data: Span()) }
  unsafe parser.processingInstruction(
    target: name, data: Span(_unsafeStart: data, count: Int(xmlStrlen(data))))
}

@c private func doctypeDidCome(
  _ pointer: UnsafeMutableRawPointer?, _ name: UnsafePointer<xmlChar>?, _ publicID: UnsafePointer<xmlChar>?,
  _ systemID: UnsafePointer<xmlChar>?
) {
  guard let parser = unsafe parser(pointer) else { return }
  unsafe xmlSAX2InternalSubset(parser.context, name, publicID, systemID)
  parser.doctype()
}

/// libxml2 calls this at the end of a document type declaration, also if there is no external subset.
@c private func doctypeDidEnd(
  _ pointer: UnsafeMutableRawPointer?, _ name: UnsafePointer<xmlChar>?, _ publicID: UnsafePointer<xmlChar>?,
  _ systemID: UnsafePointer<xmlChar>?
) {
  unsafe parser(pointer)?.endDoctype()
}

@c private func entityIsDeclared(
  _ pointer: UnsafeMutableRawPointer?, _ name: UnsafePointer<xmlChar>?, _ kind: Int32,
  _ publicID: UnsafePointer<xmlChar>?, _ systemID: UnsafePointer<xmlChar>?,
  _ content: UnsafeMutablePointer<xmlChar>?
) {
  guard let parser = unsafe parser(pointer), parser.processesDeclarations else { return }
  unsafe xmlSAX2EntityDecl(parser.context, name, kind, publicID, systemID, content)
  guard let content = unsafe content else { return }
  unsafe parser.declareEntity(content: Span(_unsafeStart: content, count: Int(xmlStrlen(content))))
}

@c private func unparsedEntityIsDeclared(
  _ pointer: UnsafeMutableRawPointer?, _ name: UnsafePointer<xmlChar>?, _ publicID: UnsafePointer<xmlChar>?,
  _ systemID: UnsafePointer<xmlChar>?, _ notation: UnsafePointer<xmlChar>?
) {
  guard let parser = unsafe parser(pointer) else { return }
  unsafe xmlSAX2UnparsedEntityDecl(parser.context, name, publicID, systemID, notation)
}

@c private func notationIsDeclared(
  _ pointer: UnsafeMutableRawPointer?, _ name: UnsafePointer<xmlChar>?, _ publicID: UnsafePointer<xmlChar>?,
  _ systemID: UnsafePointer<xmlChar>?
) {
  guard let parser = unsafe parser(pointer) else { return }
  unsafe xmlSAX2NotationDecl(parser.context, name, publicID, systemID)
}

@c private func attributeIsDeclared(
  _ pointer: UnsafeMutableRawPointer?, _ element: UnsafePointer<xmlChar>?, _ name: UnsafePointer<xmlChar>?,
  _ type: Int32, _ rule: Int32, _ value: UnsafePointer<xmlChar>?, _ choices: xmlEnumerationPtr?
) {
  guard let parser = unsafe parser(pointer), parser.processesDeclarations else {
    return unsafe xmlFreeEnumeration(choices)
  }
  if unsafe value != nil { unsafe parser.declareDefault(of: name) }
  unsafe xmlSAX2AttributeDecl(parser.context, element, name, type, rule, value, choices)
}

@c private func entityIsNeeded(
  _ pointer: UnsafeMutableRawPointer?, _ name: UnsafePointer<xmlChar>?
) -> xmlEntityPtr? {
  guard let parser = unsafe parser(pointer) else { return nil }
  return unsafe parser.expandable(xmlSAX2GetEntity(parser.context, name) ?? parser.givenEntity(name))
}

@c private func parameterEntityIsNeeded(
  _ pointer: UnsafeMutableRawPointer?, _ name: UnsafePointer<xmlChar>?
) -> xmlEntityPtr? {
  guard let parser = unsafe parser(pointer) else { return nil }
  return unsafe parser.expandableParameterEntity(xmlSAX2GetParameterEntity(parser.context, name))
}

@c private func parserDidFail(_ pointer: UnsafeMutableRawPointer?, _ error: xmlErrorPtr?) {
  guard let error = unsafe error, let parser = unsafe parser(pointer) else { return }
  unsafe parser.fail(error.pointee)
}

extension XMLPushParser {
  /// Declares an entity that is given for documents which do not declare it. Returns nil if there is none of this name.
  fileprivate func givenEntity(_ name: UnsafePointer<xmlChar>?) -> xmlEntityPtr? {
    guard !entities.isEmpty, let name = unsafe name,
      let text = unsafe entities.replacement(of: string(name) ?? ""),
      let document = unsafe context?.pointee.myDoc
    else { return nil }
    if unsafe document.pointee.extSubset == nil { _ = unsafe xmlNewDtd(document, "given", nil, nil) }
    declareEntity(content: text.span)
    let content = text + [0]
    return unsafe content.withUnsafeBufferPointer { content in
      unsafe xmlAddDtdEntity(
        document, name, Int32(XML_INTERNAL_GENERAL_ENTITY.rawValue), nil, nil, content.baseAddress)
    }
  }

  /// Returns the entity, or nil if it may not be expanded. Nil ends the parsing.
  fileprivate func expandable(_ entity: xmlEntityPtr?) -> xmlEntityPtr? {
    guard let entity = unsafe entity, unsafe mayExpand(entity) else { return nil }
    return unsafe entity
  }

  /// Returns the parameter entity, or an empty one in place of one that is declared outside of the document.
  /// Returns nil if it may not be expanded. Nil ends the parsing.
  fileprivate func expandableParameterEntity(_ entity: xmlEntityPtr?) -> xmlEntityPtr? {
    guard let entity = unsafe entity else { return unsafe isStandalone ? nil : skippedParameterEntity() }
    guard unsafe entity.pointee.etype == XML_EXTERNAL_PARAMETER_ENTITY else {
      return unsafe expandable(entity)
    }
    return unsafe skippedParameterEntity()
  }

  /// Returns the table of callbacks for libxml2.
  static func handlers() -> xmlSAXHandler {
    var handlers = unsafe xmlSAXHandler()
    unsafe handlers.initialized = XML_SAX2_MAGIC
    unsafe handlers.startDocument = documentDidStart
    unsafe handlers.serror = parserDidFail
    unsafe handlers.startElementNs = elementDidStart
    unsafe handlers.endElementNs = elementDidEnd
    unsafe handlers.characters = textDidCome
    unsafe handlers.ignorableWhitespace = textDidCome
    unsafe handlers.cdataBlock = cdataDidCome
    unsafe handlers.comment = commentDidCome
    unsafe handlers.processingInstruction = instructionDidCome
    unsafe handlers.internalSubset = doctypeDidCome
    unsafe handlers.externalSubset = doctypeDidEnd
    unsafe handlers.entityDecl = entityIsDeclared
    unsafe handlers.unparsedEntityDecl = unparsedEntityIsDeclared
    unsafe handlers.notationDecl = notationIsDeclared
    unsafe handlers.attributeDecl = attributeIsDeclared
    unsafe handlers.getEntity = entityIsNeeded
    unsafe handlers.getParameterEntity = parameterEntityIsNeeded
    // Callbacks that are not set do nothing. All references are expanded, and no external subset is loaded.
    return unsafe handlers
  }
}
