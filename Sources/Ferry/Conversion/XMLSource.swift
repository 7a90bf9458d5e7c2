/// Sends an XML document: its records by a schema, anything else by convention; or the elements that an XPath selects,
/// as an array.
struct XMLSource {
  private let input: any Input
  private let conversion: Conversion
  private let losses: LossReport
  private var budget: Budget { conversion.budget }

  init(_ input: any Input, _ conversion: Conversion, _ losses: LossReport) {
    self.input = input
    self.conversion = conversion
    self.losses = losses
  }

  func send(into sink: any ValueSink, schema: Schema?) throws(Failure) {
    if let xpath = conversion.select {
      try sendSelection(xpath, into: sink, schema: schema)
    } else if let schema {
      let document = RecordDocumentDelegate(schema, into: sink, losses: losses)
      try read(with: XMLStream(document: document, budget: budget, losses: losses))
    } else {
      // Which elements are lists is only known at the end, so the document is read twice.
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

  private func sendSelection(_ xpath: String, into sink: any ValueSink, schema: Schema?) throws(Failure) {
    let reader = try XMLTreeReader(budget: budget)
    try read(with: reader)
    let nodes = try reader.tree().select(xpath)
    try sink.beginArray(count: nodes.count)
    for node in nodes {
      if let schema {
        try node.replay(to: RecordDocumentDelegate(schema, into: sink, losses: losses))
      } else {
        let shape = XMLShape(budget: budget)
        try node.replay(to: shape)
        try node.replay(to: XMLValueDelegate(into: EntryValue(to: sink), shape: shape, losses: losses))
      }
    }
    try sink.endArray()
  }
}

/// Sends on the value of a dictionary's one entry, without the dictionary: of `{"person": {…}}` what the person is.
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
