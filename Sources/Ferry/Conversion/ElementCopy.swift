/// A copy of an XML document, or of the elements that an XPath selects from it, with everything that is in them.
///
///     a document                 the same text in UTF-8, checked
///     indented                   the prolog as it is, then the elements with new layout
///     inside a root element      the elements, comments and instructions of the document inside an element
///     selected elements          each with the namespaces in scope
struct ElementCopy {
  private let input: any ByteInput
  /// True if the input has the text of a document in another encoding.
  private let isTranscoded: Bool
  private let selection: ElementSelection?
  private let style: ElementCopier.Style
  private let root: String?
  private let budget: Budget
  private let entities: XMLEntities
  private let losses: LossReport
  private let output: any ByteOutput

  /// Creates a copy.
  ///
  /// - Parameters:
  ///   - isTranscoded: True if the input has the text of a document in another encoding.
  ///   - selection: The selected elements, or nil for the whole document.
  ///   - style: The style of the elements.
  ///   - root: The name of an element to put around the elements, or nil.
  ///   - losses: Receives what the copy cannot contain.
  init(
    of input: any ByteInput, isTranscoded: Bool, _ selection: ElementSelection?, _ style: ElementCopier.Style,
    root: String?, budget: Budget, entities: XMLEntities, losses: LossReport, to output: any ByteOutput
  ) {
    (self.input, self.isTranscoded, self.selection) = (input, isTranscoded, selection)
    (self.style, self.root) = (style, root)
    (self.budget, self.entities, self.losses, self.output) = (budget, entities, losses, output)
  }

  /// Writes the copy.
  func write() throws(FerryError) {
    try selection?.requireElements("only elements can be written as XML here")
    switch selection {
    case .nodes(let nodes, let tree): try write(nodes, of: tree)
    case .pattern(let pattern): try write(pattern)
    case .texts, .values: break
    case nil:
      // A reference to an entity that is given would not be declared in the copy.
      guard root == nil, style.isPlain, entities.isEmpty else { return try writeElements() }
      let copier = try XMLCopier(to: output, budget: budget, entities: entities, isTranscoded: isTranscoded)
      try copier.readAll(input)
    }
  }

  /// Reports references to entities that are declared outside of the document.
  private func note(_ leftOutReferences: Int) {
    for _ in 0..<leftOutReferences { losses.add(.undeclaredEntity) }
  }

  // MARK: Selected elements

  private func makeWriter() throws(FerryError) -> SelectedElementsWriter {
    try SelectedElementsWriter(to: output, root: root, style, budget: budget)
  }

  private func write(_ nodes: [XMLTreeElement], of tree: XMLTree) throws(FerryError) {
    tree.noteLosses(in: losses)
    let writer = try makeWriter()
    writer.namespaces.inputBytes = tree.byteCount
    for node in nodes {
      try writer.write(in: ElementContext()) { delegate throws(FerryError) in
        try node.replayWithContext(to: delegate)
      }
    }
    try finish(writer)
  }

  private func write(_ pattern: XPathPattern) throws(FerryError) {
    let writer = try makeWriter()
    let selector = ElementSelector(pattern, needs: .namespaces) {
      events, _, context throws(EventFailure) in
      do throws(FerryError) { try write(events, in: context, to: writer) } catch {
        throw EventFailure(error: error, index: 0)
      }
    }
    let stream = try XMLStream(document: selector, budget: budget, entities: entities)
    try input.forEachChunk { chunk throws(FerryError) in
      writer.namespaces.inputBytes += chunk.count
      try stream.read(chunk)
    }
    try stream.finish()
    note(stream.leftOutReferences)
    try finish(writer)
  }

  private func write(
    _ events: borrowing ElementBatch, in context: ElementContext, to writer: SelectedElementsWriter
  ) throws(FerryError) {
    var tape = ElementTape()
    tape.appendAll(events)
    try writer.write(in: context) { delegate throws(FerryError) in
      try tape.send(elementAt: 0) { events throws(EventFailure) in
        try events.replay(to: delegate, budget: budget, losses: nil)
      }
    }
  }

  private func finish(_ writer: SelectedElementsWriter) throws(FerryError) {
    if writer.count == 0 { losses.add(.nothingSelected) }
    try writer.finish()
  }

  // MARK: Whole documents

  /// Writes the elements of the document anew: after its prolog, or inside a root element with a given name.
  private func writeElements() throws(FerryError) {
    try input.makeRewindable()
    let (prolog, paths) = try surveyed()
    try input.rewind()
    let declares = root != nil
    if !declares { try output.write(prolog.span) }
    var xml = try XMLPrinter(to: output, indentation: style.indentation, declaration: declares)
    if let root {
      let name = try XMLKeyName.rootName(Array(root.utf8))
      try xml.startElement(name.span)
    }
    let copier = ElementCopier(to: xml, style, paths: paths, writesProlog: root != nil)
    let found = LossReport()
    let stream = try XMLStream(document: copier, budget: budget, entities: entities, losses: found)
    try stream.readAll(input)
    try copier.finish(endingElement: root != nil)
    note(stream.leftOutReferences)
    if root != nil, found.counts.contains(where: { $0.kind == .doctype }) { losses.add(.doctype) }
  }

  /// Returns the prolog of the document and, if the elements are indented, their paths.
  private func surveyed() throws(FerryError) -> (prolog: [UInt8], paths: XMLPaths?) {
    let shape = XMLShape(budget: budget, findsMixedContent: style.isIndented)
    var prolog = PrologText(budget: budget, isTranscoded: isTranscoded)
    let stream = try XMLStream(document: shape, budget: budget, entities: entities)
    try input.forEachChunk { chunk throws(FerryError) in
      prolog.take(chunk)
      try stream.read(chunk)
    }
    try stream.finish()
    // Elements are written with line feeds.
    let text = String(decoding: prolog.text, as: UTF8.self).replacing("\r\n", with: "\n").replacing(
      "\r", with: "\n")
    return (Array(text.utf8), style.isIndented ? shape.paths : nil)
  }
}
