/// An adapter that converts each scalar that the target format cannot represent to a dictionary with a tag:
///
///     null             {"$null": true}
///     NaN, infinities  {"$real": "nan"}, {"$real": "-inf"}, {"$real": "nan:7ff8000000000001"}
///     32-bit reals     {"$single": 0.1}
///     decimals         {"$number": "2.20"}
///     data             {"$data": "AAEC"}
///     dates            {"$date": "2014-06-01T09:30:00.25Z"}, outside of the calendar {"$date": 1e300}
///     references       {"$uid": 4}
///     strings          {"$string": "\\u001b"}, and keys `$"\\u001b"`, if characters are not allowed
///
/// `UntaggedScalars` is the inverse. In JSON, null, decimals and strings need no tag. In a property list,
/// data, dates of whole seconds, references, NaN and infinities need none.
final class TaggedScalars: ForwardingSink, BatchSink {
  private let capabilities: FormatCapabilities
  /// The number of levels of nested documents in data that may still be opened; 0 means that data is not
  /// opened.
  private let nesting: Int
  /// The memory that nested documents may still use.
  private let room: RoomForDocuments
  /// The next sink, if it prefers batches, and if the events in batches need no tags: null, decimals, keys and strings.
  private let nextForBatches: (any BatchSink)?

  /// Creates an adapter.
  ///
  /// - Parameter nesting: The number of levels of nested documents in data to open; 0 to leave data
  ///   unchanged.
  convenience init(
    to next: any ValueSink, capabilities: FormatCapabilities, nesting: Int, budget: Budget
  ) {
    self.init(to: next, capabilities: capabilities, nesting: nesting, room: RoomForDocuments(budget))
  }

  private init(to next: any ValueSink, capabilities: FormatCapabilities, nesting: Int, room: RoomForDocuments)
  {
    self.capabilities = capabilities
    self.nesting = nesting
    self.room = room
    let needsNoTags =
      capabilities.isSuperset(of: [.nulls, .decimals, .surrogates]) && !capabilities.contains(.uids)
    nextForBatches = needsNoTags ? next.forBatches : nil
    super.init(to: next)
  }

  var prefersBatches: Bool { nextForBatches != nil }
  var reportsNumbersAsTexts: Bool { nextForBatches?.reportsNumbersAsTexts ?? false }

  func receive(_ events: borrowing EventBatch) throws(EventFailure) {
    guard let nextForBatches, events.hasFiniteReals, nextForBatches.takes(events) else {
      return try receiveSingly(events)
    }
    try nextForBatches.receive(events)
  }

  private func tag(_ tag: TypedNotation.Scalar, _ send: () throws(FerryError) -> Void) throws(FerryError) {
    try next.beginDictionary(count: 1)
    try next.key(BorrowedText(tag.rawValue.utf8.span))
    try send()
    try next.endDictionary()
  }

  private func tag(_ tag: TypedNotation.Scalar, _ text: String) throws(FerryError) {
    try self.tag(tag) { () throws(FerryError) in try next.string(BorrowedText(text.utf8.span)) }
  }

  override func null() throws(FerryError) {
    guard !capabilities.contains(.nulls) else { return try next.null() }
    try tag(.null) { () throws(FerryError) in try next.boolean(true) }
  }

  override func real(_ value: Double) throws(FerryError) {
    guard let text = TypedNotation.text(of: value) else { return try next.real(value) }
    let hasPayload = text.hasPrefix("nan:")
    guard !capabilities.contains(.notFinite) || hasPayload else { return try next.real(value) }
    try tag(.real, text)
  }

  override func single(_ value: Float) throws(FerryError) {
    guard !capabilities.contains(.singles) else { return try next.single(value) }
    if let text = TypedNotation.text(of: value) { return try tag(.single, text) }
    // The shortest digits that give the 32 bits back, as a 64-bit number.
    let shortest = Double(value.notation) ?? Double(value)
    try tag(.single) { () throws(FerryError) in try next.real(shortest) }
  }

  override func number(_ text: BorrowedText) throws(FerryError) {
    guard !capabilities.contains(.decimals) else { return try next.number(text) }
    try tag(.number, String(text))
  }

  override func data(_ bytes: Span<UInt8>) throws(FerryError) {
    if nesting > 0, let document = room.document([UInt8](copying: bytes)) {
      return try tag(.data) { () throws(FerryError) in
        try document.replay(
          into: TaggedScalars(to: next, capabilities: capabilities, nesting: nesting - 1, room: room))
      }
    }
    guard !capabilities.contains(.data) else { return try next.data(bytes) }
    let text = Base64.encode(bytes)
    try tag(.data) { () throws(FerryError) in try next.string(BorrowedText(checked: text.span, isASCII: true))
    }
  }

  override func date(_ seconds: Double) throws(FerryError) {
    if capabilities.contains(.dates) { return try next.date(seconds) }
    guard let text = ISODate.text(seconds), ISODate.seconds(text)?.bitPattern == seconds.bitPattern else {
      if let text = TypedNotation.text(of: seconds) { return try tag(.date, text) }
      return try tag(.date) { () throws(FerryError) in try next.real(seconds) }
    }
    // A year without exactly four digits gets a tag, because some readers of property lists refuse it.
    guard capabilities.contains(.wholeDates), text.utf8.count == "2001-01-01T00:00:00Z".utf8.count else {
      return try tag(.date, text)
    }
    try next.date(seconds)
  }

  override func uid(_ number: UInt64) throws(FerryError) {
    guard !capabilities.contains(.uids) else { return try next.uid(number) }
    try tag(.uid) { () throws(FerryError) in try next.integer(Int128(number)) }
  }

  override func string(_ text: BorrowedText) throws(FerryError) {
    guard !capabilities.contains(.surrogates), EscapedText.isNeeded(for: text) else {
      return try next.string(text)
    }
    var escaped: [UInt8] = []
    EscapedText.append(text, to: &escaped)
    let bytes = escaped
    try tag(.string) { () throws(FerryError) in try next.string(BorrowedText(bytes.span)) }
  }

  override func key(_ text: BorrowedText) throws(FerryError) {
    // Readers of property lists take a dictionary with this only key for a reference.
    let isMistaken = capabilities.contains(.uids) && text.equals("CF$UID")
    guard isMistaken || (!capabilities.contains(.surrogates) && EscapedText.isNeeded(for: text)) else {
      return try next.key(text)
    }
    var escaped = Array("$\"".utf8)
    EscapedText.append(text, to: &escaped)
    escaped.append(UInt8(ascii: "\""))
    let bytes = escaped
    try next.key(BorrowedText(bytes.span))
  }
}

/// A limit for nested documents. All of them together, at any depth, stay within the budget of one input.
/// When the limit is reached, the remaining data is not opened.
private final class RoomForDocuments {
  private var budget: Budget
  private var rest: Int

  init(_ budget: Budget) {
    self.budget = budget
    rest = budget.amplificationFloor
  }

  /// Returns the document in data, or nil if there is none or it would exceed the limit.
  func document(_ bytes: [UInt8]) -> EventTape? {
    let own = 8 * bytes.count
    guard rest + own > 0 else { return nil }
    budget.amplificationFloor = rest + own
    guard let document = TypedNestedData.document(bytes, budget: budget) else { return nil }
    rest -= max(0, document.weight - own)
    return document
  }
}
