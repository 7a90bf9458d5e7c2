/// A way to cut an input into parts, each of which is read like the input itself.
struct InputParts: Sendable {
  /// A part of an input.
  struct Part: Sendable {
    /// The index among all parts.
    let index: Int
    fileprivate(set) var bytes: [UInt8]
    /// True if no other part follows.
    let isLast: Bool

    init(index: Int, bytes: [UInt8], isLast: Bool) {
      (self.index, self.bytes, self.isLast) = (index, bytes, isLast)
    }

    /// Removes and returns the bytes.
    mutating func takeBytes() -> [UInt8] {
      defer { bytes = [] }
      return bytes
    }
  }

  /// The contents of a part.
  fileprivate enum Contents: Sendable {
    case stream(@Sendable (any ValueSink, ReaderContext) throws(FerryError) -> any ChunkReader)
    /// An XML document, or the elements that a pattern selects from it.
    case elements(XPathPattern?)
  }

  let boundary: PartBoundary
  private let format: Format
  private let contents: Contents

  fileprivate init(of format: Format, _ contents: Contents, at boundary: PartBoundary) {
    (self.format, self.contents, self.boundary) = (format, contents, boundary)
  }

  /// True if the number of names in the whole input is limited, not only that in a part.
  var limitsNames: Bool { if case .elements = contents { true } else { false } }

  /// Opens a part.
  func open(_ part: Part) -> OpenedInput {
    let frame = boundary.frame
    return open([part.index == 0 ? [] : frame.before, part.bytes, part.isLast ? [] : frame.after])
  }

  /// The size of the chunks of XML. Its scanner copies a chunk, for which it keeps memory of this size.
  private static let chunkOfElements = 32 << 10

  /// Opens a part without bytes.
  func openNothing() -> OpenedInput { open([]) }

  private func open(_ pieces: [[UInt8]]) -> OpenedInput {
    switch contents {
    case .stream(let makeReader): return OpenedInput(PartInput(pieces), format, .stream(makeReader))
    case .elements(let pattern):
      let input = PartInput(pieces, chunkSize: Self.chunkOfElements)
      return OpenedInput(input, format, .elements(selection: pattern.map { .pattern($0) }))
    }
  }
}

extension OpenedInput {
  /// Returns a way to cut the input into parts; nil if it can only be read as a whole.
  func parts(_ options: ReadingOptions) -> InputParts? {
    // A part does not show that a schema describes the values of a document with types.
    guard options.schema == nil || rootTypes(options) == nil else { return nil }
    switch contents {
    case .stream(let makeReader):
      guard options.select == nil, let boundary = format.description.partBoundary(head) else { return nil }
      return InputParts(of: format, .stream(makeReader), at: boundary)
    case .elements(.pattern(let pattern)?):
      guard options.xml.convention == .ferry, let name = pattern.nameInRoot,
        let boundary = PartBoundary(betweenElements: name, in: head)
      else { return nil }
      return InputParts(of: format, .elements(pattern), at: boundary)
    case .elements(nil):
      // Without a schema, only the whole document shows which elements are lists.
      guard let schema = options.schema, !schema.record.element.equals(schema.collectionElement),
        let boundary = PartBoundary(
          betweenElements: schema.record.element.withoutPrefix, in: head,
          ofRoot: schema.collectionElement.withoutPrefix)
      else { return nil }
      return InputParts(of: format, .elements(nil), at: boundary)
    case .elements(.nodes?), .elements(.texts?), .elements(.values?), .nodes, .typedstream, .database, .files:
      return nil
    }
  }
}
