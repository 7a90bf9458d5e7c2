/// A document nested in data: a property list, a keyed archive, a typedstream or JSON, in UTF-8 if it is a text.
///
///     {"NS.data": "bplist00…"}   ▸ --expand ▸   {"NS.data": {"name": "Ada"}}
struct NestedData {
  /// The contents of a document, as far as its reader opens it.
  enum Contents {
    /// The nodes of a property list or an archive.
    case nodes(any PropertyListNodes)
    case typedstream(Typedstream)
    /// The reader of JSON, which has read the document without an error.
    case stream(@Sendable (any ValueSink, ReaderContext) throws(FerryError) -> any ChunkReader)
  }

  /// The kind of a document. A program does not read a document of one kind as one of another kind.
  enum Kind { case propertyList, keyedArchive, typedstream, json }

  let contents: Contents
  /// The kind of the document. Property lists in XML and in binary are of one kind.
  let kind: Kind

  /// The nodes of the document if it is an archive; otherwise nil.
  var archive: (any PropertyListNodes)? {
    if kind == .keyedArchive, case .nodes(let nodes) = contents { nodes } else { nil }
  }

  /// Opens the document in data. Fails if there is no document of a supported format, or if it is incomplete.
  init?(_ bytes: [UInt8], budget: Budget) {
    guard let format = Format.detect(data: bytes.span),
      format.description.textEncoding == nil || Self.isUTF8WithoutMark(bytes)
    else { return nil }
    do throws(FerryError) {
      switch format.description.reader {
      case .nodes, .stream:
        let description = format.description
        // Compiled nib files have nodes, too.
        if description.archiveFormat != nil || description.isKeyedArchive,
          let nodes = try format.nodes(of: MemoryInput(bytes), budget: budget)
        {
          (contents, kind) = (.nodes(nodes), try nodes.isKeyedArchive ? .keyedArchive : .propertyList)
          return
        }
        // Empty brackets are too short to be meant as a document.
        guard format == .json, bytes.count > 2, case .stream(let makeReader) = description.reader else {
          return nil
        }
        try makeReader(NullSink(), ReaderContext(budget: budget)).readAll(bytes.span)
        (contents, kind) = (.stream(makeReader), .json)
      case .typedstream:
        (contents, kind) = (.typedstream(try Typedstream(bytes, budget: budget)), .typedstream)
      case .elements, .database, .files, nil: return nil
      }
    } catch {
      return nil
    }
  }

  /// Returns false for a text in another encoding, or with a byte order mark: a changed document would be written without them.
  private static func isUTF8WithoutMark(_ text: [UInt8]) -> Bool {
    guard let first = text.first(where: { !" \t\r\n".utf8.contains($0) }), first > 0, first < 0x80 else {
      return false
    }
    return !text.prefix(FormatHead.size).contains(0)
  }
}

/// A sink that is told which values were data before their contents were opened.
package protocol OpenedDataSink: ValueSink {
  /// Called before the next value, which is the content of these bytes.
  func willOpenData(_ bytes: Span<UInt8>) throws(FerryError)
}

extension OpenedDataSink where Self: ForwardingSink {
  package func willOpenData(_ bytes: Span<UInt8>) throws(FerryError) {
    try (next as? any OpenedDataSink)?.willOpenData(bytes)
  }
}

/// An adapter that replaces data by the document nested in it, recursively.
///
/// It precedes `PlainForm`. The objects of a nested archive get identities that differ from those around
/// them.
final class ExpandedData: ForwardingSink, ArchiveEntrySink {
  private let budget: Budget
  private let asStored: Bool
  private let shared: SharedObjectStyle
  /// The treatment of objects in nested archives.
  private let sharing: ObjectSharing
  private let opened: OpenedDocuments
  private let announced: (any OpenedDataSink)?
  private let losses: LossReport?
  private let path: () -> ValuePath
  private var depth = 0
  /// The document in the last data that was in no other document; nil if that data is not opened.
  private(set) var document: NestedData?
  /// The offset added to the identities of the current document.
  private var offset = 0
  private var highest: Int

  /// Creates an adapter.
  ///
  /// - Parameters:
  ///   - asStored: True to send nested archives as their raw property lists.
  ///   - sharing: The treatment of objects in nested archives; nil for that of the style `shared`.
  ///   - objectCount: The number of objects in the archive that contains the data, because their identities
  ///     are object numbers.
  ///   - losses: Receives the entries of nested archives beside their objects, or nil.
  ///   - path: Returns the path of the current value, for the losses.
  init(
    to next: any ValueSink, budget: Budget, asStored: Bool, shared: SharedObjectStyle,
    sharing: ObjectSharing? = nil, objectCount: Int, losses: LossReport? = nil,
    path: @escaping () -> ValuePath = { ValuePath() }
  ) {
    (self.losses, self.path) = (losses, path)
    self.sharing = sharing ?? .init(shared)
    highest = objectCount
    self.budget = budget
    self.asStored = asStored
    self.shared = shared
    opened = OpenedDocuments(to: next, budget: budget)
    announced = next as? any OpenedDataSink
    super.init(to: opened)
  }

  override func data(_ bytes: Span<UInt8>) throws(FerryError) {
    if depth == 0 { document = nil }
    guard depth < budget.nesting else { return try next.data(bytes) }
    let copy = [UInt8](copying: bytes)
    guard let nested = NestedData(copy, budget: budget), try isComplete(nested, copy) else {
      return try next.data(bytes)
    }
    try announced?.willOpenData(bytes)
    let around = offset
    offset = highest + 1
    if depth == 0 { opened.open(bytes.count) }
    depth += 1
    try reportEntries(of: nested)
    try send(nested, copy, into: self)
    if takesArchiveEntries { try archive(in: nested)?.sendOtherEntries(to: self, isInData: true) }
    depth -= 1
    if depth == 0 {
      opened.close()
      document = nested
    }
    offset = around
  }

  /// Reports the entries that a nested archive has beside its objects.
  private func reportEntries(of nested: NestedData) throws(FerryError) {
    guard let losses else { return }
    try archive(in: nested)?.reportOtherEntries(to: LossReport(to: losses, inside: path()))
  }

  /// Returns a nested archive; nil for another document, and if archives are sent as their raw property lists.
  private func archive(in nested: NestedData) throws(FerryError) -> ArchiveObjects? {
    guard !asStored, let nodes = nested.archive else { return nil }
    return try ArchiveObjects(nodes)
  }

  /// Returns false if a document is damaged, so that its data stays data and the values around it can be read.
  ///
  /// - Throws: An error if the document exceeds the budget.
  private func isComplete(_ nested: NestedData, _ bytes: [UInt8]) throws(FerryError) -> Bool {
    // JSON was read when it was opened.
    if case .stream = nested.contents { return true }
    do throws(FerryError) {
      try send(nested, bytes, into: NullSink())
      if takesArchiveEntries { try archive(in: nested)?.replayOtherEntries(into: NullSink()) }
      return true
    } catch {
      guard case .overBudget = error.reason else { return false }
      throw error
    }
  }

  private func send(_ nested: NestedData, _ bytes: [UInt8], into sink: any ValueSink) throws(FerryError) {
    switch nested.contents {
    case .nodes(let nodes): try send(nodes, nested.kind == .keyedArchive, into: sink)
    case .typedstream(let stream):
      try stream.replay(into: sink, sharing: sharing == .named ? .named : .identities)
    case .stream(let makeReader):
      try makeReader(Unfinished(to: sink), ReaderContext(budget: budget)).readAll(bytes.span)
    }
  }

  private func send(
    _ nodes: any PropertyListNodes, _ isArchive: Bool, into sink: any ValueSink
  ) throws(FerryError) {
    guard isArchive, !asStored else {
      return try nodes.replay(nodes.root, into: sink, budget: budget, refersToScalars: shared == .reference)
    }
    var reader = ArchiveReader(
      try ArchiveObjects(nodes), into: sink, sharing: sharing, budget: budget,
      decodedForms: sharing == .named ? .scalars : .all)
    try reader.read()
  }

  override func beginObject(_ type: ObjectClass, identity: Int?) throws(FerryError) {
    if let identity { highest = max(highest, identity + offset) }
    try next.beginObject(type, identity: identity.map { $0 + offset })
  }

  override func reference(_ identity: Int) throws(FerryError) { try next.reference(identity + offset) }
}

/// A filter that limits the total cost of all nested documents. Each document alone may be small, but expand
/// to the minimum that the budget allows for every document.
private final class OpenedDocuments: InterceptingSink, ArchiveEntrySink {
  private let budget: Budget
  private var isOpen = false
  private var openedBytes = 0
  private var weight = 0

  init(to next: any ValueSink, budget: Budget) {
    self.budget = budget
    super.init(to: next)
  }

  func open(_ byteCount: Int) {
    isOpen = true
    openedBytes += byteCount
  }

  func close() { isOpen = false }

  override func willSend() throws(FerryError) { try add(0) }

  override func string(_ text: BorrowedText) throws(FerryError) {
    try add(text.utf8.count)
    try super.string(text)
  }

  override func data(_ bytes: Span<UInt8>) throws(FerryError) {
    try add(bytes.count)
    try super.data(bytes)
  }

  override func key(_ text: BorrowedText) throws(FerryError) {
    try add(text.utf8.count)
    try super.key(text)
  }

  private func add(_ bytes: Int) throws(FerryError) {
    guard isOpen else { return }
    weight += Budget.valueCost + bytes
    guard weight <= budget.allowance(forInputBytes: openedBytes) else { throw budget.overAmplification }
  }
}

/// A filter that drops `finish`, because the stream continues after the end of a nested document.
private final class Unfinished: ForwardingSink {
  override func finish() throws(FerryError) {}
}
