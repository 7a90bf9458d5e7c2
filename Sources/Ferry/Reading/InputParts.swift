/// A way to divide an input into parts: pieces of a text, each of which is read like the input itself, or ranges of the elements of a binary
/// file.
struct InputParts: Sendable {
  /// A part of an input.
  struct Part: Sendable {
    enum Content: Sendable {
      /// A piece of a text; `isLast` is true if no other part follows.
      case text([UInt8], isLast: Bool)
      /// Elements of a binary file; `listsLosses` is true if losses are listed with their paths, and false if they are only counted.
      case elements(Range<Int>, listsLosses: Bool)
    }

    /// The index among all parts.
    let index: Int
    private(set) var content: Content

    init(index: Int, _ content: Content) { (self.index, self.content) = (index, content) }

    /// The number of bytes of a text; 0 for elements.
    var byteCount: Int { if case .text(let bytes, _) = content { bytes.count } else { 0 } }

    /// Removes and returns the bytes of a text.
    mutating func takeBytes() -> [UInt8] {
      guard case .text(let bytes, let isLast) = content else { return [] }
      content = .text([], isLast: isLast)
      return bytes
    }
  }

  /// The contents of a part.
  fileprivate enum Contents: Sendable {
    case stream(@Sendable (any ValueSink, ReaderContext) throws(FerryError) -> any ChunkReader)
    /// An XML document whose elements a schema describes, or the elements that a pattern selects from it.
    case elements(XPathPattern?)
    /// An XML document whose elements have the form of those in its beginning.
    case document(XMLPaths)
    /// Ranges of the elements of a binary file.
    case nodes(NodeRanges)
  }

  /// The boundary between two parts of a text; nil for a binary file, whose parts are ranges of elements.
  let boundary: PartBoundary?
  private let format: Format
  private let contents: Contents
  /// The keys of the dictionaries around the list of the records; empty if only the records are sent.
  let keysAroundList: [[UInt8]]

  fileprivate init(
    of format: Format, _ contents: Contents, at boundary: PartBoundary, keysAroundList: [[UInt8]] = []
  ) {
    (self.format, self.contents, self.boundary) = (format, contents, boundary)
    self.keysAroundList = keysAroundList
  }

  fileprivate init(of format: Format, _ ranges: NodeRanges) {
    (self.format, contents, boundary, keysAroundList) = (format, .nodes(ranges), nil, [])
  }

  /// The ranges of elements of a binary file; nil for a text.
  var ranges: NodeRanges? { if case .nodes(let ranges) = contents { ranges } else { nil } }

  /// True if a part may have no records because an XPath selects nothing in it.
  var mayHaveEmptyParts: Bool { if case .elements(_?) = contents { true } else { false } }

  /// The paths of elements in the beginning of an XML document without a schema, whose forms the elements in all parts must have; nil for other
  /// inputs.
  var beginning: XMLPaths? { if case .document(let paths) = contents { paths } else { nil } }

  /// Opens a piece of a text.
  func open(_ bytes: [UInt8], isFirst: Bool, isLast: Bool) throws(FerryError) -> OpenedInput {
    let frame = boundary?.frame ?? PartBoundary.Frame()
    return try open([isFirst ? [] : frame.before, bytes, isLast ? [] : frame.after])
  }

  /// The size of the chunks of XML. Its scanner copies a chunk, for which it keeps memory of this size.
  private static let chunkOfElements = 32 << 10

  /// Opens a part without bytes.
  func openNothing() throws(FerryError) -> OpenedInput { try open([]) }

  private func open(_ pieces: [[UInt8]]) throws(FerryError) -> OpenedInput {
    switch contents {
    case .nodes(let ranges): return try ranges.open()
    case .stream(let makeReader): return OpenedInput(part: PartInput(pieces), format, .stream(makeReader))
    case .elements(let pattern):
      let input = PartInput(pieces, chunkSize: Self.chunkOfElements)
      return OpenedInput(part: input, format, .elements(selection: pattern.map { .pattern($0) }))
    case .document:
      let input = PartInput(pieces, chunkSize: Self.chunkOfElements)
      return OpenedInput(part: input, format, .elements(selection: nil))
    }
  }
}

extension OpenedInput {
  /// Returns a way to cut the input into parts; nil if it can only be read as a whole.
  ///
  /// - Parameters:
  ///   - head: The first bytes; nil for those by which the format was detected, which may be few of a pipe.
  ///   - lookahead: The length in bytes of the beginning of an XML document whose shape is found first.
  ///   - threads: The number of threads that find the parts of a binary file.
  func parts(
    _ options: ReadingOptions, head: [UInt8]? = nil, lookahead: Int, threads: Int
  ) -> InputParts? {
    let head = head ?? self.head
    // A part does not show that a schema describes the values of a document with types.
    guard options.schema == nil || rootTypes(options) == nil else { return nil }
    switch contents {
    case .stream(let makeReader):
      guard options.select == nil, let boundary = format.description.partBoundary?(head) else { return nil }
      return InputParts(of: format, .stream(makeReader), at: boundary)
    case .elements(.pattern(let pattern)?):
      guard options.xml.convention == .ferry, let root = PrologScan.rootName(in: head),
        pattern.selectsAlone(inChildrenOf: root.span),
        let boundary = PartBoundary(betweenElementsIn: head)
      else { return nil }
      return InputParts(of: format, .elements(pattern), at: boundary)
    case .elements(nil):
      guard let schema = options.schema else { return partsOfOnlyList(options, lookahead: lookahead) }
      guard !schema.record.element.equals(schema.collectionElement),
        let boundary = PartBoundary(
          betweenElementsIn: head, ofRoot: schema.collectionElement.withoutPrefix)
      else { return nil }
      return InputParts(of: format, .elements(nil), at: boundary)
    case .nodes: return NodeRanges(self, options, threads: threads).map { InputParts(of: format, $0) }
    case .elements(.nodes?), .elements(.texts?), .elements(.values?), .typedstream, .database, .files:
      return nil
    }
  }

  /// Returns a way to cut an XML document without a schema, in whose beginning the root element has nothing but elements of one name.
  private func partsOfOnlyList(_ options: ReadingOptions, lookahead: Int) -> InputParts? {
    let source = XMLSource(input, options, reporting: LossReport())
    // The form of the elements in several documents depends on all of them.
    guard source.mayBeReadOnce, options.xml.commonShape == nil, rootTypes(options) == nil,
      let head = try? input.peek(upTo: lookahead), head.count == lookahead,
      let shape = try? source.shape(ofBeginning: head)
    else { return nil }
    shapeOfBeginning = shape
    guard let list = shape.paths.onlyListInRoot,
      let boundary = PartBoundary(betweenElementsIn: head)
    else { return nil }
    let keys = [1, list].map { shape.paths.decodedKey(of: $0) }
    let sendsRecords = source.recordList(in: shape) != nil
    shape.beginAgain()
    return InputParts(
      of: format, .document(shape.paths), at: boundary, keysAroundList: sendsRecords ? [] : keys)
  }
}
