/// A source of the values of an XML document: records by a schema, other elements by convention; or the
/// elements that an XPath selects, as an array.
struct XMLSource {
  private let input: any Input
  private let selection: [XMLNode]?
  private let budget: Budget
  private let losses: LossReport

  /// Creates a source from a document, or from the selected elements.
  init(_ input: any Input, _ selection: [XMLNode]?, _ budget: Budget, _ losses: LossReport) {
    self.input = input
    self.selection = selection
    self.budget = budget
    self.losses = losses
  }

  func send(into sink: any ValueSink, schema: Schema?) throws(Failure) {
    if let selection {
      try send(selection, into: sink, schema: schema)
    } else if let schema {
      let document = RecordDocumentDelegate(schema, into: sink, losses: losses)
      try read(with: XMLStream(document: document, budget: budget, losses: losses))
    } else {
      // The elements that are lists are known only at the end, so the document is read twice.
      try input.makeRewindable()
      let shape = XMLShape(budget: budget)
      try read(with: XMLStream(document: shape, budget: budget))
      try input.rewind()
      try read(with: XMLValueReader(into: sink, shape: shape, budget: budget, losses: losses))
    }
  }

  private func read(with reader: any ChunkReader) throws(Failure) {
    try input.forEachChunk { chunk throws(Failure) in try reader.read(chunk) }
    try reader.finish()
  }

  private func send(_ nodes: [XMLNode], into sink: any ValueSink, schema: Schema?) throws(Failure) {
    try sink.beginArray(count: nodes.count)
    for node in nodes {
      if let schema {
        try node.replay(to: RecordDocumentDelegate(schema, into: sink, losses: losses), losses: losses)
      } else {
        let shape = XMLShape(budget: budget)
        try node.replay(to: shape)
        try node.replay(
          to: XMLValueDelegate(into: EntryValue(to: sink), shape: shape, losses: losses), losses: losses)
      }
    }
    try sink.endArray()
  }
}

/// An adapter that replaces a dictionary of one entry by the value of the entry: `{"person": {…}}` becomes
/// the person.
final class EntryValue: ForwardingSink {
  private var depth = 0

  override func beginDictionary(count: Int?) throws(Failure) {
    depth += 1
    if depth > 1 { try next.beginDictionary(count: count) }
  }

  override func key(_ text: Text) throws(Failure) {
    if depth > 1 { try next.key(text) }
  }

  override func endDictionary() throws(Failure) {
    if depth > 1 { try next.endDictionary() }
    depth -= 1
  }
}
