/// A document in the typed form: a value with the layout of the original binary file, or an archive.
///
///     {"$ferry": 1, "$value": […], "$layout": {…}}
///     {"$ferry": 1, "$archiver": "NSKeyedArchiver", "$top": {"root": …}, "$classes": {…}, "$layout": {…}}
///
/// The document is read completely before anything is written, because its target is usually a binary file.
struct TypedDocument {
  /// The nodes of the property list, or of the archive's raw property list.
  let nodes: PropertyListTree
  let isArchive: Bool
  let layout: BinaryLayout

  private static let tags: Set<ExactString> = ["$ferry", "$value", "$layout"]

  /// Reads a document from a tape without tagged scalars. An error outside of its values is located at the
  /// beginning of the document.
  init(_ tape: EventTape) throws(FerryError) {
    do throws(FerryError) {
      try self.init(partsOf: tape)
    } catch {
      throw tape.count > 0 ? error.placed(at: tape.location(at: .start)) : error
    }
  }

  /// Reads a document from an input in the given format.
  init(reading input: any Input, format: Format, budget: Budget) throws(FerryError) {
    let locator = SourceLocator()
    let tapeSink = TapeSink(locator: locator)
    let sink = UntaggedScalars(to: tapeSink)
    switch format.description.typedSyntax {
    case .dictionary:
      try XMLPropertyListReader(into: sink, budget: budget, losses: nil, locator: locator).readAll(input)
    case .map: try JSONElements.read(input, into: sink, budget: budget, locator: locator)
    case .object, nil:
      try JSONReader(into: sink, budget: budget, losses: nil, locator: locator).readAll(input)
    }
    try self.init(tapeSink.tape)
  }

  private init(partsOf tape: EventTape) throws(FerryError) {
    guard tape.isBalanced, tape.count > 0, tape.kind(at: .start) == .beginDictionary else {
      throw FerryError(.typed(.missing("\"$ferry\"")))
    }
    let parts = try tape.parts(of: .start)
    guard let version = try tape.integer("$ferry", in: parts) else {
      throw FerryError(.typed(.missing("\"$ferry\"")))
    }
    guard version == TypedNotation.version else { throw FerryError(.typed(.version("\(version)"))) }
    let layoutParts = try parts["$layout"].map(tape.parts) ?? [:]
    nodes = PropertyListTree()
    if parts["$top"] != nil {
      try TypedArchiveReader(tape, parts, layoutParts).send(to: nodes)
      isArchive = true
    } else {
      guard let value = parts["$value"] else { throw FerryError(.typed(.missing("\"$value\" or \"$top\""))) }
      if let other = parts.keys.first(where: { !Self.tags.contains($0) }) {
        throw FerryError(.typed(.unknownTag(other.string)))
      }
      var reader = TypedValueReader(tape, into: nodes)
      try reader.read(valueAt: value)
      isArchive = try nodes.isKeyedArchive
    }
    try nodes.finish()
    layout = try TypedLayout.read(layoutParts, of: tape, rule: isArchive ? .archiver : .equalScalars)
  }

  /// Sends nodes as a document. An archive is sent as its objects if these reproduce the archive exactly,
  /// otherwise as its raw property list.
  static func send(
    _ nodes: any PropertyListNodes, layout: BinaryLayout?, isArchive: Bool, to sink: any ValueSink,
    budget: Budget
  ) throws(FerryError) {
    if isArchive, let document = try archiveDocument(nodes, layout, budget) {
      return try document.replay(into: sink)
    }
    try begin(sink)
    try sink.key(BorrowedText("$value".utf8.span))
    var list = try TypedPropertyList(nodes, to: sink, budget: budget)
    try list.send()
    try send(layout, nil, to: sink)
    try sink.endDictionary()
  }

  private static func begin(_ sink: any ValueSink) throws(FerryError) {
    try sink.beginDictionary(count: nil)
    try sink.key(BorrowedText("$ferry".utf8.span))
    try sink.integer(Int128(TypedNotation.version))
  }

  private static func send(_ layout: BinaryLayout?, _ archive: ArchiveLayout?, to sink: any ValueSink)
    throws(FerryError)
  {
    guard layout?.isEmpty == false || archive?.isEmpty == false else { return }
    try sink.key(BorrowedText("$layout".utf8.span))
    try sink.beginDictionary(count: nil)
    if let archive { try archive.send(to: sink) }
    if let layout { try TypedLayout.send(layout, to: sink) }
    try sink.endDictionary()
  }

  /// Returns the maximum size in bytes of an archive's objects in the typed form, which are kept in memory to
  /// verify them. A larger archive is sent as its raw property list.
  private static func largestGraph(_ nodes: any PropertyListNodes, _ budget: Budget) -> Int {
    var budget = budget
    budget.amplification = min(budget.amplification, 8)
    return budget.allowance(forInputBytes: nodes.byteCount)
  }

  /// Returns a document of an archive's objects that reproduces the archive, or nil if there is none.
  private static func archiveDocument(
    _ nodes: any PropertyListNodes, _ layout: BinaryLayout?, _ budget: Budget
  ) throws(FerryError) -> EventTape? {
    do throws(FerryError) {
      let archive = try ArchiveObjects(nodes)
      let graph = try ArchiveGraph(archive, limit: largestGraph(nodes, budget))
      let archiveLayout = try ArchiveLayout(of: archive, graph)
      let tapeSink = TapeSink()
      try begin(tapeSink)
      var objects = try TypedArchive(graph, to: tapeSink)
      try objects.send(isOld: archiveLayout.outermost == ArchiveLayout.oldOutermost)
      try send(layout, archiveLayout, to: tapeSink)
      try tapeSink.endDictionary()
      return try proves(tapeSink.tape, nodes) ? tapeSink.tape : nil
    } catch {
      // An invalid archive can still be sent as its raw property list.
      if case .overBudget = error.reason { throw error }
      return nil
    }
  }

  /// Returns true if a document reproduces the original: its bytes if it is a binary file, otherwise its
  /// values.
  private static func proves(_ tape: EventTape, _ nodes: any PropertyListNodes) throws(FerryError) -> Bool {
    let document = try TypedDocument(tape)
    if let file = nodes as? BinaryPropertyList {
      let output = MemoryOutput()
      try document.write(to: output)
      let written = output.bytes
      return file.holds(written)
    }
    return try document.nodes.holdsSame(as: nodes)
  }

  /// Writes the document as a binary file.
  func write(to output: any ByteOutput) throws(FerryError) {
    let order = try ObjectOrder(of: nodes.arena, layout: layout, sharing: .noted(layout.deviations))
    try BinaryObjects.write(order, of: nodes.arena, layout: layout, to: output)
  }

  /// Returns true if an input begins like a typed document in a format. Returns nil if its first bytes `head`
  /// do not decide it.
  static func begins(_ head: [UInt8], format: Format) -> Bool? {
    switch format.description.typedSyntax {
    case .object:
      let start = "{\"$ferry\":".utf8
      let text = head.lazy.filter { !" \t\r\n".utf8.contains($0) }.prefix(start.count)
      return start.starts(with: text) ? (text.count < start.count ? nil : true) : false
    case .dictionary:
      guard var tag = head.span.nextTag(from: 0) else { return nil }
      if head.span.extracting(tag).equals("plist") {
        guard let end = head.span.firstIndex(of: UInt8(ascii: ">"), from: tag.upperBound),
          let next = head.span.nextTag(from: end + 1)
        else { return nil }
        tag = next
      }
      guard head.span.extracting(tag).equals("dict") else { return false }
      return head.span.hasFirst("<key>", in: "<key>$ferry</key>", from: tag.upperBound)
    case .map:
      guard let tag = head.span.nextTag(from: 0) else { return nil }
      let name = head[tag]
      guard name.elementsEqual("map".utf8) || name.reversed().starts(with: ":map".utf8.reversed()) else {
        return false
      }
      return head.span.hasFirst("key=", in: "key=\"$ferry\"", from: tag.upperBound)
    case nil: return false
    }
  }
}

extension Span<UInt8> {
  /// Returns the range of the name in the next tag. Skips the comments, the instructions and the document
  /// type declaration before it. Returns nil if the name does not end in these bytes.
  fileprivate func nextTag(from start: Int) -> Range<Int>? {
    var scan = PrologScan()
    var index = start
    while !scan.isOver {
      guard let end = scan.end(in: self, from: index) else { return nil }
      index = end
    }
    var end = index
    while end < count, !self[end].isSpace, self[end] != UInt8(ascii: ">"), self[end] != UInt8(ascii: "/") {
      end += 1
    }
    return end < count ? index..<end : nil
  }

  /// Returns true if the first occurrence of a text, from `start` on, is in a longer text that begins with
  /// it. Returns nil if these bytes do not decide it.
  fileprivate func hasFirst(_ text: StaticString, in longer: StaticString, from start: Int) -> Bool? {
    guard let index = firstIndex(of: text, from: start) else { return nil }
    let found = extracting(index...)
    return found.count < longer.utf8CodeUnitCount ? nil : found.starts(with: longer)
  }
}

extension PropertyListNodes {
  /// Returns true if two property lists have equal values, ignoring the order of keys.
  fileprivate func holdsSame(as other: any PropertyListNodes) throws(FerryError) -> Bool {
    var waiting = [(root, other.root)]
    var steps = 0
    while let (a, b) = waiting.popLast() {
      steps += 1
      guard steps < 1 << 26 else { return false }
      let kind = try kind(of: a)
      guard kind.isCollection else {
        guard try isSameScalar(a, as: b, of: other) else { return false }
        continue
      }
      guard try kind == other.kind(of: b) else { return false }
      switch kind {
      case .array(let count), .set(let count):
        for index in 0..<count {
          waiting.append((try element(index, of: a), try other.element(index, of: b)))
        }
      case .dictionary(let count):
        var values: [[UInt8]: NodeID] = [:]
        for index in 0..<count {
          values[try bytes(ofText: key(index, of: a))] = try value(index, of: a)
        }
        for index in 0..<count {
          guard let value = values[try other.bytes(ofText: other.key(index, of: b))] else { return false }
          waiting.append((value, try other.value(index, of: b)))
        }
      default: break
      }
    }
    return true
  }
}
