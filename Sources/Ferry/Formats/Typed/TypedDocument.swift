/// A document in the typed form: a value with the layout of the binary file that it was, or an archive.
///
///     {"$ferry": 1, "$value": […], "$layout": {…}}
///     {"$ferry": 1, "$archiver": "NSKeyedArchiver", "$top": {"root": …}, "$classes": {…}, "$layout": {…}}
///
/// Read whole: its target is nearly always a binary file, which has to be known whole to be written.
struct TypedDocument {
  /// The property list, or the archive as the property list that it is stored as.
  let nodes: PropertyListTree
  let isArchive: Bool
  let layout: BinaryLayout

  /// Reads what is on a tape, scalars without their tags.
  init(_ tape: EventTape) throws(Failure) {
    guard tape.isBalanced, tape.count > 0, tape.kind(at: 0) == .beginDictionary else {
      throw Failure(.typed(.missing("\"$ferry\"")))
    }
    let parts = try tape.parts(of: 0)
    guard let version = try tape.integer("$ferry", in: parts) else {
      throw Failure(.typed(.missing("\"$ferry\"")))
    }
    guard version == TypedNotation.version else { throw Failure(.typed(.version("\(version)"))) }
    let layoutParts = try parts["$layout"].map(tape.parts) ?? [:]
    nodes = PropertyListTree()
    if parts["$top"] != nil {
      try TypedArchiveReader(tape, parts, layoutParts).send(to: nodes)
      isArchive = true
    } else {
      guard let value = parts["$value"] else { throw Failure(.typed(.missing("\"$value\" or \"$top\""))) }
      if let other = parts.keys.first(where: { !["$ferry", "$value", "$layout"].contains($0) }) {
        throw Failure(.typed(.unknownTag(other)))
      }
      var reader = TypedValueReader(tape, into: nodes)
      try reader.read(valueAt: value)
      isArchive = try ArchiveObjects.isArchive(nodes)
    }
    try nodes.finish()
    layout = try TypedLayout.read(layoutParts, of: tape, rule: isArchive ? .archiver : .equalScalars)
  }

  /// Sends nodes as a document.
  static func send(
    _ nodes: any PropertyListNodes, layout: BinaryLayout?, isArchive: Bool, to sink: any ValueSink,
    budget: Budget
  ) throws(Failure) {
    try sink.beginDictionary(count: nil)
    try sink.key(Text("$ferry".utf8.span))
    try sink.integer(Int128(TypedNotation.version))
    try sink.key(Text("$value".utf8.span))
    var list = try TypedPropertyList(nodes, to: sink, budget: budget)
    try list.send()
    if let layout, !layout.isEmpty {
      try sink.key(Text("$layout".utf8.span))
      try sink.beginDictionary(count: nil)
      try TypedLayout.send(layout, to: sink)
      try sink.endDictionary()
    }
    try sink.endDictionary()
  }

  /// Whether an input's first bytes are those of a typed document in a format.
  static func begins(_ head: [UInt8], format: Format) -> Bool {
    let start: StaticString
    switch format {
    case .json, .jsonLines:
      let text = head.lazy.filter { !" \t\r\n".utf8.contains($0) }
      return text.starts(with: "{\"$ferry\":".utf8)
    case .xmlPropertyList: start = "<key>$ferry</key>"
    case .xml: start = "key=\"$ferry\""
    default: return false
    }
    // The first key, or element, that there is.
    let first: StaticString = format == .xml ? "key=" : "<key>"
    guard let place = head.span.firstIndex(of: first) else { return false }
    return head.span.extracting(place...).starts(with: start)
  }
}

extension Span<UInt8> {
  /// Where the bytes of a literal occur first.
  fileprivate func firstIndex(of literal: StaticString) -> Int? {
    let size = literal.utf8CodeUnitCount
    guard count >= size else { return nil }
    for index in 0...(count - size) where extracting(index..<index + size).equals(literal) { return index }
    return nil
  }
}
