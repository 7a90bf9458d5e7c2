/// Events of elements that a reader sends together, in document order.
///
/// The attributes of an element follow its start, and its namespace declarations follow these.
///
///     <a id="1">x<b/></a>     start a, attribute id = 1, text x, start b, end, end
struct ElementBatch: ~Copyable, ~Escapable {
  enum Kind: UInt8 {
    case start, end, attribute, declaration, text, cdata, comment
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
    /// The number of the name of an element, attribute or declaration.
    var name: Int32 = 0
    /// The offset of the text. For the start of an element, the offset of its `<` in the input.
    var start = 0
    /// The length of the text. For the start of an element, the number of attributes without declarations.
    var count = 0

    /// True for an attribute or a namespace declaration.
    var isAttribute: Bool { kind == .attribute || kind == .declaration }
  }

  private let entries: Span<Entry>
  /// The bytes that contain the texts which are not copied.
  let input: Span<UInt8>
  private let copied: Span<UInt8>
  private let names: Span<XMLName>

  /// Creates a batch of events with texts in the input, or copied.
  @_lifetime(copy entries, copy input, copy copied, copy names)
  init(_ entries: Span<Entry>, input: Span<UInt8>, copied: Span<UInt8>, names: Span<XMLName>) {
    (self.entries, self.input, self.copied, self.names) = (entries, input, copied, names)
  }

  /// The number of events.
  var count: Int { entries.count }

  /// Returns an event.
  subscript(index: Int) -> Entry { entries[index] }

  /// Returns the name of an element, attribute or declaration.
  func name(_ entry: Entry) -> XMLName { names[Int(entry.name)] }

  /// The number of the table of the names.
  var table: Int { names.isEmpty ? 0 : names[0].table }

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

/// A delegate that reads all elements of a document itself, and takes their events in batches too.
public class ElementBatchDelegate: ElementDelegate {
  /// Receives the losses of the comments in batches.
  final var commentLosses: LossReport?

  /// Receives events. They have the same effect as when the delegate is called for each.
  func receive(_ events: borrowing ElementBatch) throws(EventFailure) {}
}
