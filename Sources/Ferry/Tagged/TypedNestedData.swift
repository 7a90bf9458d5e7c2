/// Documents nested in data, in the typed form:
///
///     {"$data": {"$ferry": 1, "$archiver": "NSKeyedArchiver", "$top": {…}}}        a binary file
///     {"$data": {"$ferry": 1, "$format": "plist-xml", "$value": {…}}}              an XML property list
///     {"$data": {"$ferry": 1, "$format": "json", "$style": "pretty", "$value": …}} JSON
///
/// Data is opened only if the document reproduces its bytes exactly. Other data is written as Base64.
///
/// The layout of a binary file is compared with its objects while it is derived, as for a file of its own. The layout of a text (its white
/// space, its escapes, the order of keys) and that of a typedstream are not derived, so these documents are written again to compare
/// their bytes, and so is a binary file with a patch.
enum TypedNestedData {
  /// Returns the document in data, without tagged scalars. Returns nil if the data contains no document that
  /// reproduces the bytes.
  static func document(_ bytes: [UInt8], budget: Budget) -> EventTape? {
    guard let nested = NestedData(bytes, budget: budget) else { return nil }
    do throws(FerryError) {
      let tapeSink = TapeSink()
      switch nested.contents {
      case .nodes(let list as BinaryPropertyList):
        let isArchive = nested.kind == .keyedArchive
        let (layout, sharing) = try BinaryLayout.learned(from: list)
        let isExact = try TypedDocument.send(
          list, layout: layout, known: isArchive ? KnownScalars(sharing) : nil, isArchive: isArchive,
          to: tapeSink, budget: budget)
        if isExact { return tapeSink.tape }
        return try self.bytes(of: tapeSink.tape, budget: budget) == bytes ? tapeSink.tape : nil
      case .nodes(let nodes):
        guard let tree = nodes as? PropertyListTree else { return nil }
        try send(tree, format: "plist-xml", style: nil, to: tapeSink, budget: budget)
        return try self.bytes(of: tapeSink.tape, budget: budget) == bytes ? tapeSink.tape : nil
      case .typedstream(let stream):
        try TypedstreamDocument.send(stream, to: tapeSink)
        return try self.bytes(of: tapeSink.tape, budget: budget) == bytes ? tapeSink.tape : nil
      case .stream:
        let tree = try PropertyListTree(json: bytes, budget: budget)
        guard let style = try Style(of: bytes, tree, budget: budget) else { return nil }
        try send(tree, format: "json", style: style, to: tapeSink, budget: budget)
        return try self.bytes(of: tapeSink.tape, budget: budget) == bytes ? tapeSink.tape : nil
      }
    } catch {
      // Data whose document cannot be represented is left unchanged.
      return nil
    }
  }

  /// The layout of a JSON document: compact or pretty-printed, with or without a final line feed.
  private enum Style: String, CaseIterable {
    case compact, pretty
    case compactLine = "compact-line"
    case prettyLine = "pretty-line"

    /// Finds the layout of a document with the values of a tree. Fails if it has none of these layouts.
    init?(of bytes: [UInt8], _ tree: PropertyListTree, budget: Budget) throws(FerryError) {
      let hasLine = bytes.last == UInt8(ascii: "\n")
      // A writer ends each document with a line feed.
      let expected = hasLine ? bytes : bytes + [UInt8(ascii: "\n")]
      for style: Style in hasLine ? [.compactLine, .prettyLine] : [.compact, .pretty] {
        let output = ComparedOutput(expected)
        do throws(FerryError) {
          let writer = JSONWriter(to: output, style: style.isPretty ? .pretty : .compact)
          try tree.replay(tree.root, into: writer, budget: budget)
          try writer.finish()
        } catch {
          guard output.differs else { throw error }
          continue
        }
        if output.isComplete {
          self = style
          return
        }
      }
      return nil
    }

    /// True if the document has a line for each value.
    var isPretty: Bool { self == .pretty || self == .prettyLine }
  }

  /// An output that compares bytes with others, and ends writing with an error at the first difference.
  private final class ComparedOutput: ByteOutput {
    private let expected: [UInt8]
    private var count = 0
    private(set) var differs = false

    init(_ expected: [UInt8]) { self.expected = expected }

    /// True if all expected bytes were written.
    var isComplete: Bool { !differs && count == expected.count }

    func write(_ bytes: Span<UInt8>) throws(FerryError) {
      let expected = expected
      let rest = expected.span.extracting(count...)
      guard bytes.count <= rest.count, bytes.equals(rest.extracting(first: bytes.count)) else {
        differs = true
        throw FerryError(.typed(.notExact))
      }
      count += bytes.count
    }
  }

  private static func send(
    _ tree: PropertyListTree, format: String, style: Style?, to sink: any ValueSink, budget: Budget
  ) throws(FerryError) {
    try sink.beginDictionary(count: nil)
    try sink.key(BorrowedText("$ferry".utf8.span))
    try sink.integer(Int128(TypedNotation.version))
    try sink.key(BorrowedText("$format".utf8.span))
    try sink.string(BorrowedText(format.utf8.span))
    if let style {
      try sink.key(BorrowedText("$style".utf8.span))
      try sink.string(BorrowedText(style.rawValue.utf8.span))
    }
    try sink.key(BorrowedText("$value".utf8.span))
    var list = try TypedPropertyListWriter(tree, to: sink, budget: budget)
    try list.send()
    try sink.endDictionary()
  }

  /// Returns the original bytes of a nested document.
  ///
  /// - Parameter losses: Receives the loss of a patch for other values.
  static func bytes(
    of tape: EventTape, budget: Budget, losses: LossReport? = nil
  ) throws(FerryError) -> [UInt8] {
    try tape.checkKeysAreStrings()
    if let bytes = try TypedstreamDocument.bytes(in: tape, budget: budget, losses: losses) { return bytes }
    let output = MemoryOutput()
    let parts = try tape.parts(of: .start)
    guard let format = try tape.string("$format", in: parts) else {
      try TypedDocument(tape, budget: budget).write(to: output, losses: losses)
      return output.bytes
    }
    try tape.checkKeys(of: parts, ["$ferry", "$format", "$style", "$value"])
    guard let value = parts["$value"] else { throw FerryError(.typed(.missing("\"$value\""))) }
    let tree = PropertyListTree(budget: budget)
    var reader = TypedPropertyListReader(tape, into: tree)
    try reader.read(valueAt: value)
    let writer: any ValueSink
    let styleName = try tape.string("$style", in: parts) ?? "compact"
    let style = Style(rawValue: styleName)
    switch (format, style) {
    case ("plist-xml", _): writer = XMLPropertyListWriter(to: output)
    case ("json", let style?):
      writer = JSONWriter(to: output, style: style.isPretty ? .pretty : .compact)
    case ("json", nil):
      throw FerryError(
        .typed(.badTag("$style", found: MessageText.quoted(styleName))),
        at: tape.location(at: parts["$style"] ?? .start))
    default:
      throw FerryError(
        .typed(.badTag("$format", found: MessageText.quoted(format))),
        at: tape.location(at: parts["$format"] ?? .start))
    }
    try tree.replay(tree.root, into: writer, budget: budget)
    try writer.finish()
    let hasLine = format != "json" || style == .compactLine || style == .prettyLine
    return hasLine ? output.bytes : output.bytes.dropLast()
  }
}
