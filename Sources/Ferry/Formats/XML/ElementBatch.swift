/// Events of elements that a reader sends together, in document order.
///
/// The attributes of an element follow its start, and its namespace declarations follow these.
///
///     <a id="1">x<b/></a>     start a, attribute id = 1, text x, start b, end, end
struct ElementBatch: ~Copyable, ~Escapable {
  enum Kind: UInt8 {
    case start, end, attribute, declaration, text, cdata, comment, instruction
  }

  /// An event, whose text is elsewhere.
  struct Entry {
    var kind: Kind
    /// True if the text is in the copied bytes, and not in the input.
    var isCopied = false
    var isASCII = true
    /// True if the text has no control characters, quotation marks or backslashes. False if that is not known.
    var isPlain = false
    /// True if the text is known to be white space.
    var isBlank = false
    /// The number of the name of an element, attribute or declaration. For a processing instruction, whose text is its
    /// target and its data, the length of the target. For a comment whose text is copied, the offset of its `<` in the input, if there is one.
    var name: Int32 = 0
    /// The offset of the text. For the start of an element, the offset of its `<` in the input.
    var start = 0
    /// The length of the text. For the start of an element, the number of attributes without declarations.
    var count = 0

    /// The offset in the input of the `<` of a comment, or nil if it is not known.
    var markupStart: Int? { kind == .comment ? isCopied ? Int(name) : start - 4 : nil }

    /// True for an attribute or a namespace declaration.
    var isAttribute: Bool { kind == .attribute || kind == .declaration }
  }

  let entries: Span<Entry>
  /// The bytes that contain the texts which are not copied.
  let input: Span<UInt8>
  let copied: Span<UInt8>
  let names: Span<XMLName>
  /// The source location of the first byte of the input.
  let location: InputLocation
  /// The source locations of the elements; empty if they are those of their `<` in the input.
  private let startLocations: Span<InputLocation>

  /// Creates a batch of events with texts in the input, or copied.
  @_lifetime(copy entries, copy input, copy copied, copy names)
  init(
    _ entries: Span<Entry>, input: Span<UInt8>, copied: Span<UInt8>, names: Span<XMLName>,
    at location: InputLocation
  ) {
    (self.entries, self.input, self.copied, self.names) = (entries, input, copied, names)
    (self.location, startLocations) = (location, Span())
    table = names.isEmpty ? 0 : names[0].table
  }

  /// Creates a batch of events with copied texts. The start of an element has the index of its location.
  @_lifetime(copy entries, copy copied, copy names, copy startLocations)
  init(_ entries: Span<Entry>, copied: Span<UInt8>, names: Span<XMLName>, startLocations: Span<InputLocation>)
  {
    (self.entries, input, self.copied, self.names) = (entries, Span(), copied, names)
    (location, self.startLocations) = (InputLocation(), startLocations)
    table = names.isEmpty ? 0 : names[0].table
  }

  @_lifetime(copy entries, copy events)
  private init(_ entries: Span<Entry>, of events: borrowing ElementBatch) {
    (self.entries, input, copied, names) = (entries, events.input, events.copied, events.names)
    (location, startLocations, table) = (events.location, events.startLocations, events.table)
  }

  /// Returns a part of the events.
  @_lifetime(copy self)
  func extracting(_ range: Range<Int>) -> ElementBatch {
    ElementBatch(entries.extracting(range), of: self)
  }

  /// The number of events.
  var count: Int { entries.count }

  /// Returns an event.
  subscript(index: Int) -> Entry { entries[index] }

  /// Returns the name of an element, attribute or declaration.
  func name(_ entry: Entry) -> XMLName { names[Int(entry.name)] }

  /// The number of names in the table, which is greater than each number of a name.
  var nameCount: Int { names.count }

  /// The number of the table of the names.
  let table: Int

  /// Returns the text of an event.
  @_lifetime(copy self)
  func text(_ entry: Entry) -> BorrowedText {
    let range = entry.start..<entry.start + entry.count
    return BorrowedText(
      checked: entry.isCopied ? copied.extracting(range) : input.extracting(range), isASCII: entry.isASCII)
  }

  /// Returns the index of the start of the element that an event belongs to. If the element started before the batch,
  /// returns nil and the number of such elements inside it that have ended before the event.
  func start(ofElementAt index: Int) -> (index: Int?, ended: Int) {
    if entries[index].kind == .start { return (index, 0) }
    var ended = 0
    for earlier in stride(from: index - 1, through: 0, by: -1) {
      if entries[earlier].kind == .end {
        ended += 1
      } else if entries[earlier].kind == .start {
        if ended == 0 { return (earlier, 0) }
        ended -= 1
      }
    }
    return (nil, ended)
  }
}

extension ElementBatch {
  /// Returns true if an element starts at an index that has no attributes and only text, and ends in the batch.
  @inline(__always)
  func hasOnlyText(at index: Int) -> Bool {
    index < count - 2 && self[index].kind == .start && self[index + 1].kind == .text
      && self[index + 2].kind == .end
  }

  /// Returns the index after the end of the element that starts at an index, or the number of events.
  func endOfElement(at start: Int) -> Int {
    var depth = 0
    for index in start..<count {
      switch self[index].kind {
      case .start: depth += 1
      case .end:
        depth -= 1
        if depth == 0 { return index + 1 }
      default: break
      }
    }
    return count
  }

  /// True if the batch has the locations of elements.
  var hasLocations: Bool { !startLocations.isEmpty }

  /// Returns the location of the element that starts at an index, if the batch has the locations of elements.
  func location(ofStart index: Int) -> InputLocation {
    startLocations.isEmpty ? location : startLocations[self[index].start]
  }

  /// Returns the location of a comment, or nil if it is not known.
  func location(ofMarkup entry: Entry, _ locations: inout OffsetLocations) -> InputLocation? {
    guard let start = entry.markupStart, start >= 0, start < input.count else { return nil }
    return locations.location(of: start, in: input)
  }

  /// Calls delegates for the element that the events describe, as if it were the root of a document. The batch must
  /// have the locations of elements.
  func replay(to document: ElementDelegate, budget: Budget, losses: LossReport?) throws(EventFailure) {
    var chain = ElementChain(document: document, budget: budget, losses: losses)
    var attributes = XMLAttributes()
    let locator = OpenElementLocator()
    for index in 0..<count {
      if self[index].kind == .start { locator.open.append(location(ofStart: index)) }
      do throws(FerryError) { try send(index, to: &chain, &attributes, locator) } catch {
        throw EventFailure(error: error, index: index)
      }
      if self[index].kind == .end { locator.open.removeLast() }
    }
    do throws(FerryError) { try chain.finish() } catch { throw EventFailure(error: error, index: 0) }
  }

  /// Calls delegates for an event.
  func send(
    _ index: Int, to chain: inout ElementChain, _ attributes: inout XMLAttributes, _ locator: ElementLocator
  ) throws(FerryError) {
    let entry = self[index]
    switch entry.kind {
    case .start:
      if chain.isSkipping { return try chain.startSkipped() }
      attributes.removeAll()
      var other = index + 1
      while other < count, self[other].isAttribute {
        attributes.add(name(self[other]), text(self[other]).utf8)
        other += 1
      }
      let (list, values) = (attributes.list, attributes.values)
      try chain.start(
        XMLStartTag(
          name: Unretained(name(entry)), attributes: list.span, attributeCount: entry.count,
          values: values.span, locator: Unretained(locator)))
    case .end: try chain.end()
    case .attribute, .declaration: break
    case .text: try chain.text(text(entry))
    case .cdata: try chain.text(text(entry), isCDATA: true)
    case .comment: try chain.comment(text(entry), at: locator.location(ofMarkupAt: entry.markupStart))
    case .instruction:
      let (text, target) = (text(entry).utf8, Int(entry.name))
      try chain.processingInstruction(
        target: BorrowedText(text.extracting(..<target)), data: BorrowedText(text.extracting(target...)),
        at: locator.location(ofMarkupAt: entry.markupStart))
    }
  }
}

/// A delegate that reads all elements of a document itself, and takes their events in batches too.
public class ElementBatchDelegate: ElementDelegate {
  /// Receives the losses of the comments and processing instructions in batches.
  final var markupLosses: LossReport?
  /// The markup that the delegate keeps, which is not a loss.
  final var markup: XMLMarkupKinds = []

  /// Receives events. They have the same effect as when the delegate is called for each.
  func receive(_ events: borrowing ElementBatch) throws(EventFailure) {}
}

/// The source locations of the open elements of a batch.
private final class OpenElementLocator: ElementLocator {
  var open: [InputLocation] = []

  override var elementLocation: InputLocation { open.last ?? InputLocation(line: 1, column: 1) }
}
