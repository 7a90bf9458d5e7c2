/// A parser of the tags and texts of an XML property list. It checks the order of elements, and converts them to events.
///
/// Each event has an offset in the chunk, where its error is located. Events are collected until `flush` is called, if the sink prefers
/// batches.
struct XMLPropertyListParser: ~Copyable {
  /// The state of the document outside of collections.
  private enum Root {
    case missing, plistIsOpen, plistHasValue, plistIsClosed
    /// A value without `<plist>`.
    case bareValue
  }

  private enum Frame {
    case array
    case dictionary(awaitsValue: Bool)
  }

  /// The part of a dictionary that is not sent yet, because the dictionary may be a reference of an archive.
  private enum Held {
    case nothing, begin, key
    case value(UInt64)
  }

  private let sink: any ValueSink
  private var sender: EventSender
  private let depth: Int
  private var root = Root.missing
  private var frames: [Frame] = []
  private var held = Held.nothing
  /// The last key, for messages: in the chunk, or copied from an earlier one.
  private var lastKeyRange: Range<Int>?
  private var lastKey: [UInt8] = []
  /// The open element if it contains text and no elements, such as `<string>`.
  private(set) var leaf: XMLPropertyListElement?

  private let reportsLosses: Bool
  /// The losses that the scanner reports after the current event: the markup since the beginning of a dictionary that is held back, and a number
  /// that became another one, whose location is not known here.
  var heldLosses: [Loss] = []

  /// Creates a parser.
  ///
  /// - Parameter isPrompt: True to send each event immediately, because the sink reads its source location.
  init(into sink: any ValueSink, depth: Int, reportsLosses: Bool, isPrompt: Bool) {
    (self.sink, self.depth, self.reportsLosses) = (sink, depth, reportsLosses)
    sender = EventSender(to: sink, isPrompt: isPrompt)
  }

  /// True if events are collected. Otherwise each is sent immediately.
  var isCollecting: Bool { sender.isCollecting }

  /// True if the events should be sent before the next one.
  var isFull: Bool { sender.isFull }

  /// Sends the collected events.
  ///
  /// - Parameters:
  ///   - chunk: The chunk that contains their texts.
  ///   - offset: Receives the offset of the event for which the sink throws an error.
  mutating func flush(_ chunk: Span<UInt8>, failedAt offset: inout Int) throws(FerryError) {
    keepLastKey(of: chunk)
    try sender.flush(chunk, failedAt: &offset)
  }

  /// Copies the last key if it is in the chunk, which may end.
  private mutating func keepLastKey(of chunk: Span<UInt8>) {
    guard let range = lastKeyRange else { return }
    lastKey = [UInt8](copying: chunk.extracting(range))
    lastKeyRange = nil
  }

  /// True before the first element, where a DOCTYPE is allowed.
  var isBeforeRoot: Bool {
    if case .missing = root { return true }
    return false
  }

  /// True if the value is complete, and `<plist>` is closed if it was opened.
  var isWhole: Bool {
    switch root {
    case .plistIsClosed, .bareValue: frames.isEmpty && leaf == nil
    default: false
    }
  }

  /// The innermost open element, for messages.
  var surroundings: String {
    if let leaf { return leaf.tag }
    return switch (frames.last, root) {
    case (.array, _): "<array>"
    case (.dictionary, _): "<dict>"
    case (nil, .plistIsOpen), (nil, .plistHasValue): "<plist>"
    default: "the document"
    }
  }

  /// Begins an element. For a leaf, `endLeaf` must follow.
  mutating func begin(
    _ element: XMLPropertyListElement, at offset: Int, in chunk: Span<UInt8>
  ) throws(FerryError) {
    guard leaf == nil else { throw unexpected(element.name) }
    switch element {
    case .plist:
      guard isBeforeRoot else { throw unexpected("plist") }
      root = .plistIsOpen
    case .array:
      try beginValue()
      try open(.array)
      try sendHeld(at: offset)
      try sender.beginArray(at: offset)
    case .dict:
      try beginValue()
      try open(.dictionary(awaitsValue: false))
      try sendHeld(at: offset)
      held = .begin
    case .key:
      guard case .dictionary(let awaitsValue)? = frames.last else { throw unexpected("key") }
      guard !awaitsValue else { throw missingValue(in: chunk) }
      leaf = .key
    default:
      try beginValue()
      leaf = element
    }
  }

  /// Ends an element that is not a leaf.
  ///
  /// - Parameters:
  ///   - offset: The offset of its end tag.
  ///   - chunk: The chunk that contains the texts of the collected events.
  mutating func end(
    _ element: XMLPropertyListElement, at offset: Int, in chunk: Span<UInt8>, failedAt failed: inout Int
  ) throws(FerryError) {
    switch (element, frames.last) {
    case (.array, .array):
      frames.removeLast()
      try sendHeld(at: offset)
      try sender.endArray(at: offset)
    case (.dict, .dictionary(let awaitsValue)):
      guard !awaitsValue else { throw missingValue(in: chunk) }
      frames.removeLast()
      if case .value(let number) = held {
        held = .nothing
        try flush(chunk, failedAt: &failed)
        try sink.uid(number)
      } else {
        try sendHeld(at: offset)
        try sender.endDictionary(at: offset)
      }
    case (.plist, nil):
      switch root {
      case .plistHasValue: root = .plistIsClosed
      case .plistIsOpen: throw badRoot("the property list holds no value")
      default: throw unexpected("/plist")
      }
    default: throw unexpected("/\(element.name)")
    }
  }

  /// Ends a leaf, and sends the value of its text.
  ///
  /// - Parameters:
  ///   - start: The offset of the text in the chunk, or nil if it is elsewhere.
  ///   - offset: The offset at which an error is located.
  ///   - chunk: The chunk that contains the texts of the collected events.
  ///   - failed: Receives the offset of an earlier event for which the sink throws an error.
  mutating func endLeaf(
    _ text: Span<UInt8>, from start: Int?, at offset: Int, in chunk: Span<UInt8>, failedAt failed: inout Int
  ) throws(FerryError) {
    guard let element = leaf else { return }
    leaf = nil
    switch element {
    case .key:
      frames[frames.count - 1] = .dictionary(awaitsValue: true)
      lastKeyRange = start.map { $0..<$0 + text.count }
      if start == nil { lastKey = [UInt8](copying: text) }
      if case .begin = held, text.equals("CF$UID") {
        held = .key
      } else {
        try sendHeld(at: offset)
        try sender.text(.key, BorrowedText(text), from: start, at: offset)
      }
    case .string:
      try sendHeld(at: offset)
      try sender.text(.string, BorrowedText(text), from: start, at: offset)
    case .integer:
      guard let value = XMLPropertyListScalar.integer(text) else {
        throw badValue(text, "an integer from −2⁶³ to 2⁶⁴−1")
      }
      if case .key = held, let number = UInt64(exactly: value) {
        held = .value(number)
      } else {
        try sendHeld(at: offset)
        try sender.integer(value, at: offset)
      }
    case .real:
      guard let value = XMLPropertyListScalar.real(text) else { throw badValue(text, "a real number") }
      // A number that is too small for a real becomes zero, as for other readers.
      if value == 0, text.hasNonzeroMantissa, reportsLosses { heldLosses.append(Loss(.numberAsReal)) }
      try sendHeld(at: offset)
      try sender.real(value, at: offset)
    case .yes, .no:
      guard text.isEmpty else { throw FerryError(.propertyList(.unexpectedText(inside: element.tag))) }
      try sendHeld(at: offset)
      try sender.boolean(element == .yes, at: offset)
    case .date, .data:
      try sendHeld(at: offset)
      try flush(chunk, failedAt: &failed)
      try sendScalar(element, text)
    case .plist, .array, .dict: break
    }
  }

  /// Takes a leaf that is in the chunk as a whole, if events are collected. Returns false without an effect if the leaf is not
  /// allowed or not valid, or if it may belong to a reference of an archive.
  mutating func take(_ leaf: XMLPropertyListLeaf, in chunk: Span<UInt8>) throws(FerryError) -> Bool {
    let isKey = leaf.element == .key
    switch frames.last {
    case .dictionary(let awaitsValue):
      guard awaitsValue != isKey, try takesHeld(before: leaf, in: chunk) else { return false }
    case .array:
      guard !isKey else { return false }
    case nil: return false
    }
    let offset = leaf.text.lowerBound
    switch leaf.element {
    case .key, .string:
      sender.collect(
        isKey ? .key : .string, from: offset, count: leaf.text.count, isASCII: leaf.isASCII,
        isPlain: leaf.isPlain, at: offset)
    case .integer:
      guard let value = XMLPropertyListScalar.integer(chunk.extracting(leaf.text)) else { return false }
      try sender.integer(value, at: offset)
    default: try sender.boolean(leaf.element == .yes, at: offset)
    }
    if case .dictionary = frames.last { frames[frames.count - 1] = .dictionary(awaitsValue: isKey) }
    if isKey { lastKeyRange = leaf.text }
    return true
  }

  /// Sends the beginning of a dictionary if it was held back and a key follows that no reference of an archive has. Returns false
  /// without an effect if the dictionary may be such a reference.
  @inline(__always)
  private mutating func takesHeld(
    before leaf: XMLPropertyListLeaf, in chunk: Span<UInt8>
  ) throws(FerryError) -> Bool {
    switch held {
    case .nothing: return true
    case .begin:
      guard !chunk.extracting(leaf.text).equals("CF$UID") else { return false }
      try sendHeldDictionary(at: leaf.text.lowerBound)
      return true
    case .key, .value: return false
    }
  }

  /// Sends a value that batches do not have.
  private func sendScalar(_ element: XMLPropertyListElement, _ text: Span<UInt8>) throws(FerryError) {
    guard element == .date else {
      guard let bytes = Base64.decode(text) else { throw badValue(text, "Base64") }
      return try sink.data(bytes.span)
    }
    guard let seconds = XMLPropertyListScalar.date(text) else {
      throw badValue(text, "a date as 2001-02-03T04:05:06Z")
    }
    try sink.date(seconds)
  }

  /// Throws if a value is not allowed here.
  private mutating func beginValue() throws(FerryError) {
    guard let top = frames.last else {
      switch root {
      case .missing: root = .bareValue
      case .plistIsOpen: root = .plistHasValue
      default: throw badRoot("a property list holds one value, and this is a second")
      }
      return
    }
    guard case .dictionary(let awaitsValue) = top else { return }
    guard awaitsValue else { throw FerryError(.propertyList(.missingKey)) }
    frames[frames.count - 1] = .dictionary(awaitsValue: false)
  }

  private mutating func open(_ frame: Frame) throws(FerryError) {
    guard frames.count < depth else { throw FerryError(.overBudget(.depth(depth))) }
    frames.append(frame)
  }

  /// True if the beginning of a dictionary is held back, until it shows if it is a reference.
  var holdsDictionary: Bool {
    if case .nothing = held { return false }
    return true
  }

  /// Sends the beginning of a dictionary without a key.
  mutating func sendHeldBeginning(at offset: Int) throws(FerryError) {
    if case .begin = held { try sendHeldDictionary(at: offset) }
  }

  /// Sends the part of a dictionary that was held back, because the dictionary is not a reference.
  @inline(__always)
  private mutating func sendHeld(at offset: Int) throws(FerryError) {
    if case .nothing = held { return }
    try sendHeldDictionary(at: offset)
  }

  private mutating func sendHeldDictionary(at offset: Int) throws(FerryError) {
    let waiting = held
    held = .nothing
    try sender.beginDictionary(at: offset)
    if case .begin = waiting { return }
    try sender.text(.key, BorrowedText("CF$UID".utf8.span), from: nil, at: offset)
    if case .value(let number) = waiting { try sender.integer(Int128(number), at: offset) }
  }

  /// Returns the error for an element that is not allowed here, or for an end tag if the name begins with a
  /// slash.
  func unexpected(_ name: String) -> FerryError {
    FerryError(.propertyList(.unexpectedElement(name, inside: surroundings)))
  }

  private func badRoot(_ what: String) -> FerryError { FerryError(.propertyList(.badRoot(what))) }

  private func badValue(_ text: Span<UInt8>, _ type: String) -> FerryError {
    FerryError(.propertyList(.badValue(text.extracting(first: 100).decodedString, type: type)))
  }

  private mutating func missingValue(in chunk: Span<UInt8>) -> FerryError {
    keepLastKey(of: chunk)
    return FerryError(.propertyList(.missingValue(key: String(decoding: lastKey, as: UTF8.self))))
  }
}

extension Span<UInt8> {
  /// True if a number in decimal notation has a digit other than zero before its exponent.
  fileprivate var hasNonzeroMantissa: Bool {
    for index in indices {
      switch self[index] {
      case UInt8(ascii: "1")...UInt8(ascii: "9"): return true
      case UInt8(ascii: "e"), UInt8(ascii: "E"): return false
      default: continue
      }
    }
    return false
  }
}
