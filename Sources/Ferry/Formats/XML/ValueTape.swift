/// A buffer of events whose order is decided later. The events are those of XML values: text, arrays and
/// dictionaries.
///
///     0 jump 4 | 1 string 1 | 2 string 2 | 3 string 3
///     4 beginDictionary | key a | beginArray | play 1..<2 | play 3..<4 | endArray | key b | play 2..<3 | …
///
/// The reordered sequence refers to ranges of earlier events instead of copying them. A jump skips these.
struct ValueTape: ~Copyable {
  private enum Event {
    /// A text, as a range in `bytes`.
    case key(Range<Int>), string(Range<Int>)
    /// The text of a scalar with a type.
    case scalar(XMLScalarType, Range<Int>)
    case beginArray, endArray, beginDictionary, endDictionary
    /// A reference to a range of other events on the tape.
    case play(Range<Int>)
    /// A jump to another event.
    case jump(to: Int)
  }

  private var events: [Event] = []
  private var bytes: [UInt8] = []

  /// The number of events.
  var count: Int { events.count }
  /// The size of the events in bytes.
  var weight: Int { bytes.count + events.count * 24 }

  mutating func key(_ text: Span<UInt8>) { events.append(.key(keep(text))) }
  mutating func string(_ text: Span<UInt8>) { events.append(.string(keep(text))) }
  mutating func scalar(_ type: XMLScalarType, _ text: Span<UInt8>) {
    events.append(type == .string ? .string(keep(text)) : .scalar(type, keep(text)))
  }
  mutating func beginArray() { events.append(.beginArray) }
  mutating func endArray() { events.append(.endArray) }
  mutating func beginDictionary() { events.append(.beginDictionary) }
  mutating func endDictionary() { events.append(.endDictionary) }
  mutating func play(_ range: Range<Int>) { events.append(.play(range)) }

  /// Appends a jump without a target, and returns its index.
  mutating func jump() -> Int {
    events.append(.jump(to: count + 1))
    return count - 1
  }

  /// Makes the next event the target of a jump.
  mutating func land(_ jump: Int) { events[jump] = .jump(to: count) }

  private mutating func keep(_ text: Span<UInt8>) -> Range<Int> {
    let start = bytes.count
    bytes.append(copying: text)
    return start..<bytes.count
  }

  /// Returns the text of a key or scalar, which is empty for other events.
  @_lifetime(borrow self)
  func text(at index: Int) -> BorrowedText {
    switch events[index] {
    case .key(let range), .string(let range), .scalar(_, let range):
      return BorrowedText(bytes.span.extracting(range))
    default: return BorrowedText(bytes.span.extracting(first: 0))
    }
  }

  /// Sends a range of events to a sink.
  ///
  /// - Parameter scalar: Receives the scalars with a type.
  func replay(
    _ range: Range<Int>, into sink: any ValueSink,
    scalar: (XMLScalarType, borrowing BorrowedText) throws(FerryError) -> Void = { _, _ throws(FerryError) in
    }
  ) throws(FerryError) {
    try forEach(in: range, scalar: scalar) { kind, text throws(FerryError) in try kind.send(text, to: sink) }
  }

  /// Appends a range of events to bytes, from which `EncodedValues` sends them. Scalars with a type are strings there.
  func encode(_ range: Range<Int>, into encoded: inout [UInt8]) {
    var bytes: [UInt8] = []
    swap(&bytes, &encoded)
    forEach(in: range, scalar: { _, text in EncodedValues.append(.string, text, to: &bytes) }) { kind, text in
      EncodedValues.append(kind, text, to: &bytes)
    }
    swap(&bytes, &encoded)
  }

  /// Calls a function with the kind and the text of each event in a range, in the order of the values.
  private func forEach<E: Error>(
    in range: Range<Int>, scalar: (XMLScalarType, borrowing BorrowedText) throws(E) -> Void,
    _ body: (EncodedValues.Kind, borrowing BorrowedText) throws(E) -> Void
  ) throws(E) {
    let none = BorrowedText(checked: Span(), isASCII: true)
    var ranges = [range]
    while let range = ranges.popLast() {
      guard let index = range.first else { continue }
      ranges.append(index + 1..<range.upperBound)
      switch events[index] {
      case .key(let text): try body(.key, BorrowedText(bytes.span.extracting(text)))
      case .string(let text): try body(.string, BorrowedText(bytes.span.extracting(text)))
      case .scalar(let type, let text): try scalar(type, BorrowedText(bytes.span.extracting(text)))
      case .beginArray: try body(.beginArray, none)
      case .endArray: try body(.endArray, none)
      case .beginDictionary: try body(.beginDictionary, none)
      case .endDictionary: try body(.endDictionary, none)
      case .play(let part): ranges.append(part)
      case .jump(let target): ranges[ranges.count - 1] = target..<max(range.upperBound, target)
      }
    }
  }

  /// A state of the tape.
  struct Mark {
    fileprivate var events = 0
    fileprivate var bytes = 0
  }

  /// The current state.
  var mark: Mark { Mark(events: events.count, bytes: bytes.count) }

  /// Removes the events after a state.
  mutating func reset(to mark: Mark) {
    events.removeLast(events.count - mark.events)
    bytes.removeLast(bytes.count - mark.bytes)
  }

  /// Removes all events.
  mutating func removeAll() {
    events.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
  }
}
