/// A scanner of the elements in a document in UTF-8, from the root element's start tag on.
///
/// It reads what most documents contain, several times faster than libxml2: elements, attributes, namespaces, text,
/// references to characters, CDATA sections and comments. At anything else, be it rare or a mistake, it stops
/// before the markup or text in question, and `XMLPushParser` reads the rest. Every error is therefore libxml2's. After the
/// root element it reads nothing but white space.
///
/// The bytes stay where they are. A token that is incomplete at the end of a piece is scanned again with the next one.
struct ContentScanner: ~Copyable {
  /// The result of scanning one token.
  enum Step {
    /// The token ends before an index.
    case next(Int)
    /// The token may continue after the bytes.
    case incomplete
    /// The token is left to libxml2.
    case unusual
  }

  struct Open {
    var name: Int
    /// The namespaces in scope.
    var scope: Int
    /// The name of the last child, or -1.
    var lastChild = -1
    /// The offset of the start tag in the bytes, unless it is stored.
    var tagStart: Int
    var tagEnd: Int
  }

  /// An open element that began in earlier bytes.
  private struct Stored {
    var tag: [UInt8]
    var location: InputLocation
  }

  /// An attribute or declaration of a start tag.
  struct Attribute {
    /// The range of the name in the bytes.
    var range: Range<Int>
    /// The number that attributes with the same local name and namespace have in common, once the name of the attribute is found.
    var expandedNumber = Int.min
    var entry: ElementBatch.Entry
  }

  /// The bytes that are not read yet.
  private var unread = [UInt8(ascii: "<")]
  /// The location of the first byte.
  private var base: InputLocation
  private var locations: OffsetLocations
  /// The open elements, or the root element after its end, because libxml2 may have to read it once more.
  var open: [Open] = []
  /// True after the end of the root element.
  var hasEnded = false
  /// The outermost elements that were open when the batch began, if they began in earlier bytes.
  private var stored: [Stored] = []
  /// The number of these that are still open.
  var storedCount = 0
  /// The lowest number of open elements after the end of an element in the batch.
  var lowestDepth = Int.max
  /// The elements that were open when the batch began.
  private var openBefore: [Open] = []
  var names: ScannedNames
  var entries = ElementEntries(capacity: 64)
  var copied: [UInt8] = []
  var attributes: [Attribute] = []
  var bindings: [(prefix: [UInt8], namespace: [UInt8])] = []
  /// The number of bytes of text since the last tag.
  var textBytes = 0
  /// The white space that last preceded a tag.
  var layout = LikelySpace()
  private(set) var budget: Budget
  /// True if offsets in the text are those in the document, which may have another encoding.
  private var showsBytes: Bool

  private static let capacity = 1024
  /// The length from which an incomplete token is not kept.
  static let longToken = 1 << 16

  /// Creates a scanner of the bytes after the `<` of the root element's start tag, which is at a location.
  init(at location: InputLocation, budget: Budget, showsBytes: Bool) {
    (base, locations, self.budget) = (location, OffsetLocations(from: location), budget)
    self.showsBytes = showsBytes
    names = ScannedNames(budget: budget)
  }

  /// True if the scanner needs little memory, so that it can be kept for another document.
  var isWorthKeeping: Bool {
    names.isWorthKeeping && entries.capacity <= 4 * Self.capacity
      && max(unread.capacity, copied.capacity) <= 1 << 16
      && max(open.capacity, attributes.capacity) <= 256
  }

  /// Begins to scan another document, as a new scanner does, with the names and the memory of the last one.
  mutating func begin(at location: InputLocation, budget: Budget, showsBytes: Bool) {
    (base, locations, self.budget) = (location, OffsetLocations(from: location), budget)
    self.showsBytes = showsBytes
    names.beginDocument(budget: budget)
    unread.removeAll(keepingCapacity: true)
    unread.append(UInt8(ascii: "<"))
    open.removeAll(keepingCapacity: true)
    openBefore.removeAll(keepingCapacity: true)
    stored.removeAll(keepingCapacity: true)
    (hasEnded, storedCount, lowestDepth, textBytes) = (false, 0, .max, 0)
    entries.truncate(to: 0)
    copied.removeAll(keepingCapacity: true)
    attributes.removeAll(keepingCapacity: true)
    bindings.removeAll(keepingCapacity: true)
  }
}

// MARK: - Reading

extension ContentScanner {
  /// A receiver of events.
  typealias Receiver = (borrowing ElementBatch) throws(EventFailure) -> Void

  /// Reads a piece of the document. Returns false if libxml2 should read the rest.
  ///
  /// - Parameters:
  ///   - piece: The piece.
  ///   - locator: Receives the bytes to which the events refer.
  ///   - receive: Receives the events.
  mutating func read(
    _ piece: Span<UInt8>, locator: ScannedElementLocator, to receive: Receiver
  ) throws(FerryError) -> Bool {
    guard mayEndToken(piece) else {
      unread.append(copying: piece)
      return true
    }
    var bytes: [UInt8] = []
    swap(&bytes, &unread)
    bytes.append(copying: piece)
    defer { swap(&bytes, &unread) }
    noteOpenBefore()
    locator.begin(bytes, at: shownBase)
    let (end, isUsual) = try scan(bytes.span, to: receive)
    storeOpen(in: bytes.span)
    base = locations.location(of: end, in: bytes.span)
    locations = OffsetLocations(from: base)
    locator.end()
    bytes.removeSubrange(..<end)
    return isUsual && bytes.count < Self.longToken
  }

  /// Returns false if a piece cannot complete the long token that is unread.
  private func mayEndToken(_ piece: Span<UInt8>) -> Bool {
    guard unread.count > 1024 else { return true }
    let isText = unread[0] != UInt8(ascii: "<")
    return unread.count + piece.count >= (isText ? Self.longToken / 2 : Self.longToken)
      || piece.firstIndex(of: UInt8(ascii: isText ? "<" : ">"), from: 0) != nil
  }

  /// Scans tokens and sends their events. Returns the offset at which the first token begins that was not read.
  private mutating func scan(
    _ bytes: Span<UInt8>, to receive: Receiver
  ) throws(FerryError) -> (end: Int, isUsual: Bool) {
    var index = 0
    while index < bytes.count {
      switch token(bytes, from: index) {
      case .next(let end): index = end
      case .incomplete:
        try send(bytes, to: receive)
        return (index, true)
      case .unusual:
        try send(bytes, to: receive)
        return (index, false)
      }
      if isFull { try send(bytes, to: receive) }
    }
    try send(bytes, to: receive)
    return (index, true)
  }

  /// True if the batch should end here. It ends after one of the outermost elements in it if possible, so that elements of
  /// the same kind as these are whole.
  private var isFull: Bool {
    entries.count >= Self.mostEntries(open: open.count, lowestDepth: lowestDepth)
  }

  /// Returns the number of entries from which the batch should end after the next token.
  ///
  /// - Parameters:
  ///   - openCount: The number of open elements.
  ///   - lowestDepth: The lowest number of them after the end of an element in the batch.
  @inline(__always)
  static func mostEntries(open openCount: Int, lowestDepth: Int) -> Int {
    openCount <= lowestDepth ? capacity : 4 * capacity
  }

  private mutating func token(_ bytes: Span<UInt8>, from start: Int) -> Step {
    let copiedBefore = copied.count
    let step = tagOrText(bytes, from: start)
    if case .next = step { return step }
    copied.removeSubrange(copiedBefore...)
    return step
  }

  private mutating func tagOrText(_ bytes: Span<UInt8>, from start: Int) -> Step {
    guard !hasEnded else {
      return bytes.endOfSpace(from: start) == bytes.count ? .next(bytes.count) : .unusual
    }
    guard bytes[start] == UInt8(ascii: "<") else { return text(bytes, from: start) }
    guard start + 1 < bytes.count else { return .incomplete }
    return switch bytes[start + 1] {
    case UInt8(ascii: "/"): endTag(bytes, from: start)
    case UInt8(ascii: "!"): comment(bytes, from: start)
    case UInt8(ascii: "?"): .unusual
    default: startTag(bytes, from: start)
    }
  }

  private mutating func send(_ bytes: Span<UInt8>, to receive: Receiver) throws(FerryError) {
    guard !entries.isEmpty else { return }
    do throws(EventFailure) {
      try receive(
        ElementBatch(
          entries.span, input: bytes, copied: copied.span, names: names.table.names.span,
          at: shownBase))
    } catch {
      throw error.error.placed(at: elementLocation(ofEvent: error.index, in: bytes))
    }
    entries.truncate(to: 0)
    copied.removeAll(keepingCapacity: true)
    noteOpenBefore()
    lowestDepth = .max
    stored.removeLast(stored.count - storedCount)
  }
}

// MARK: - Source locations

extension ContentScanner {
  /// Notes the open elements before a batch. Their memory is not shared, because the list of them changes next.
  private mutating func noteOpenBefore() {
    openBefore.removeAll(keepingCapacity: true)
    openBefore.append(contentsOf: open)
  }

  /// The location of the first byte in the document.
  private var shownBase: InputLocation {
    showsBytes ? base : InputLocation(line: base.line, column: base.column)
  }

  /// Returns the location of the element that contains an event of the batch.
  private mutating func elementLocation(ofEvent index: Int, in bytes: Span<UInt8>) -> InputLocation {
    let batch = ElementBatch(
      entries.span, input: bytes, copied: copied.span, names: names.table.names.span,
      at: base)
    let (start, ended) = batch.start(ofElementAt: index)
    if let start { return locations.location(of: entries[start].start, in: bytes) }
    let element = openBefore.count - 1 - ended
    guard element >= 0 else { return InputLocation(line: 1, column: 1, byte: 0) }
    return element < stored.count
      ? stored[element].location : locations.location(of: openBefore[element].tagStart, in: bytes)
  }

  /// Stores the open elements that began in these bytes.
  private mutating func storeOpen(in bytes: Span<UInt8>) {
    for index in stored.count..<open.count {
      let tag = [UInt8](copying: bytes.extracting(open[index].tagStart..<open[index].tagEnd))
      stored.append(Stored(tag: tag, location: locations.location(of: open[index].tagStart, in: bytes)))
    }
    storedCount = stored.count
  }
}

// MARK: - The rest

extension ContentScanner {
  /// The state of the document at the place from which libxml2 reads it.
  struct Rest {
    /// The start tags of the open elements. If the root element has ended, both of its tags.
    var tags: [UInt8] = []
    /// The number of start tags.
    var startTags: Int
    /// The locations of the open elements.
    var open: [InputLocation] = []
    /// The location of the first unread byte.
    var location: InputLocation
    var unread: [UInt8]
    /// The number of bytes of text since the last tag.
    var textBytes: Int
  }

  /// The state in which libxml2 reads the rest of the document.
  var rest: Rest {
    var rest = Rest(startTags: stored.count, location: base, unread: unread, textBytes: textBytes)
    for element in stored {
      rest.tags += element.tag
      if !hasEnded { rest.open.append(element.location) }
    }
    if hasEnded, !rest.tags.suffix(2).elementsEqual("/>".utf8) {
      let nameEnd = rest.tags.span.endOfScannedName(from: 1)
      rest.tags += Array("</".utf8) + rest.tags[1..<nameEnd] + Array(">".utf8)
    }
    return rest
  }

  /// The location of the end of the document if nothing but white space has followed the root element, otherwise nil.
  var documentEnd: InputLocation? { hasEnded ? base : nil }

  /// The names in the document so far.
  var namesOfDocument: [XMLName] { names.table.namesOfDocument }

  /// The names of the document.
  consuming func takeNames() -> XMLNameTable { names.takeTable() }
}

/// The source location of an element whose start has been scanned, which is computed if a delegate asks for it.
final class ScannedElementLocator: ElementLocator {
  private var bytes: [UInt8] = []
  private var locations = OffsetLocations(from: InputLocation())
  /// The offset of the element's `<`.
  var offset = 0

  override var elementLocation: InputLocation {
    let bytes = bytes
    return offset < bytes.count ? locations.location(of: offset, in: bytes.span) : InputLocation()
  }

  override func location(ofMarkupAt offset: Int?) -> InputLocation {
    let bytes = bytes
    guard let offset, offset >= 0, offset < bytes.count else { return InputLocation() }
    return locations.location(of: offset, in: bytes.span)
  }

  /// Begins to locate elements in some bytes.
  func begin(_ bytes: [UInt8], at location: InputLocation) {
    (self.bytes, locations) = (bytes, OffsetLocations(from: location))
  }

  /// Releases the bytes.
  func end() { bytes = [] }
}
