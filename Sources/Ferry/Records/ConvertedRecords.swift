/// Records that were converted by a compiled schema, as the events of a batch.
///
/// The keys of the output are the first copied bytes. Events with a key refer to them, so that no key is copied twice.
///
///     copied    idnamecity | Zoë
///     events    beginDictionary   key in 0..<2   integer 7   key in 2..<6   string, copied in 10..<14   endDictionary
struct ConvertedRecords: ~Copyable {
  /// A state to which the events can be reset.
  struct Mark {
    fileprivate var entries: Int
    fileprivate var copied: Int
  }

  private var entries: [EventBatch.Entry] = []
  private var copied: [UInt8] = []
  /// The event for the key of each field.
  private let keys: [EventBatch.Entry]
  private let keyBytes: Int
  private let target: RecordDialect
  /// The index of the first event of each record, which locates the errors of its events.
  private(set) var firstEvents: [Int] = []
  private var firstEvent = 0

  /// Creates an empty instance.
  init(_ schema: CompiledSchema) {
    target = schema.target
    var keys: [EventBatch.Entry] = []
    for field in schema.fields {
      let name = Array(field.name.utf8)
      keys.append(
        EventBatch.Entry(
          kind: .key, isASCII: name.span.isASCII, isCopied: true,
          isPlain: name.span.isPlainJSON,
          offset: 0, payload: UInt64(copied.count), extra: name.count))
      copied += name
    }
    (self.keys, keyBytes) = (keys, copied.count)
  }

  /// Removes all records.
  mutating func removeAll() {
    entries.removeAll(keepingCapacity: true)
    firstEvents.removeAll(keepingCapacity: true)
    copied.removeLast(copied.count - keyBytes)
  }

  /// Calls a function with the events.
  ///
  /// - Parameter input: The bytes that contain the texts which are not copied.
  func send<E: Error>(input: Span<UInt8>, _ receive: (borrowing EventBatch) throws(E) -> Void) throws(E) {
    try receive(EventBatch(entries.span, input: input, copied: copied.span, objects: Span()))
  }

  // MARK: Records

  /// Begins a record whose first event has an index.
  mutating func beginRecord(atEvent index: Int) -> Mark {
    firstEvent = index
    return Mark(entries: entries.count, copied: copied.count)
  }

  /// Ends a record.
  mutating func endRecord() { firstEvents.append(firstEvent) }

  /// Removes a record that has not ended.
  mutating func reset(to mark: Mark) {
    entries.removeLast(entries.count - mark.entries)
    copied.removeLast(copied.count - mark.copied)
  }

  mutating func begin(_ kind: EventBatch.Kind) { add(kind) }
  mutating func end(_ kind: EventBatch.Kind) { add(kind) }

  /// Appends the key of a field.
  mutating func key(of field: Int) {
    var entry = keys[field]
    entry.offset = firstEvent
    entries.append(entry)
  }

  /// Appends fields in a loop.
  @inline(__always)
  mutating func appendFields(_ append: (inout SimpleFields) -> Void) {
    var fields = SimpleFields(keys: keys, offset: firstEvent)
    swap(&fields.entries, &entries)
    swap(&fields.copied, &copied)
    append(&fields)
    swap(&fields.copied, &copied)
    swap(&fields.entries, &entries)
  }

  /// The events while fields are appended, outside of the records, because each access to them there would be checked.
  struct SimpleFields {
    fileprivate var entries: [EventBatch.Entry] = []
    fileprivate var copied: [UInt8] = []
    fileprivate let keys: [EventBatch.Entry]
    fileprivate let offset: Int

    fileprivate init(keys: [EventBatch.Entry], offset: Int) { (self.keys, self.offset) = (keys, offset) }

    /// Appends a field whose value is a text of an element. Returns false, without an effect, if the text is not usual for the type.
    @inline(__always)
    mutating func append(
      _ field: Int, _ type: CompiledSchema.Scalar, _ text: ElementBatch.Entry,
      _ events: borrowing ElementBatch
    ) -> Bool {
      var value = EventBatch.Entry(
        kind: .string, isASCII: text.isASCII, isCopied: text.isCopied, isPlain: text.isPlain, offset: offset,
        payload: UInt64(text.start), extra: text.count)
      switch type {
      case .string:
        if text.isCopied {
          value.payload = UInt64(copied.count)
          copied.append(copying: events.text(text).utf8)
        }
      case .integer:
        guard case .integer(let number) = DecimalText(json: events.text(text).utf8) else { return false }
        value = EventBatch.Entry(integer: number, offset: offset)
      case .boolean:
        guard let isTrue = events.text(text).boolean else { return false }
        value = EventBatch.Entry(kind: .boolean, offset: offset, payload: isTrue ? 1 : 0)
      case .real, .decimal, .date, .data, .url, .uuid: return false
      }
      var key = keys[field]
      key.offset = offset
      entries.append(key)
      entries.append(value)
      return true
    }
  }

  private mutating func add(_ kind: EventBatch.Kind, _ payload: UInt64 = 0, extra: Int = 0) {
    entries.append(EventBatch.Entry(kind: kind, offset: firstEvent, payload: payload, extra: extra))
  }

  // MARK: Scalars

  /// Appends a text of the input as a string or number.
  ///
  /// - Parameters:
  ///   - start: The offset of the text in the input, or nil to copy the text.
  ///   - isPlain: True if the text has no control characters, quotation marks or backslashes.
  private mutating func add(
    _ kind: EventBatch.Kind, _ text: borrowing BorrowedText, from start: Int?, isPlain: Bool
  ) {
    entries.append(
      EventBatch.Entry(
        kind: kind, isASCII: text.isASCII, hasSurrogates: text.hasSurrogates, isCopied: start == nil,
        isPlain: isPlain, offset: firstEvent, payload: UInt64(start ?? copied.count), extra: text.utf8.count))
    if start == nil { copied.append(copying: text.utf8) }
  }

  private mutating func add(integer: Int128) {
    add(.integer, UInt64(truncatingIfNeeded: integer), extra: Int(truncatingIfNeeded: integer >> 64))
  }

  /// Appends the value of a scalar that is text in the input, as every scalar in XML is. Returns false, without an effect, if
  /// the text is not usual for the type.
  @inline(__always)
  mutating func append(
    _ type: CompiledSchema.Scalar, text: borrowing BorrowedText, from start: Int?, isPlain: Bool
  ) -> Bool {
    switch type {
    case .string: add(.string, text, from: start, isPlain: isPlain)
    case .integer:
      guard case .integer(let number) = DecimalText(json: text.utf8) else { return false }
      add(integer: number)
    case .boolean:
      guard let value = text.boolean else { return false }
      add(.boolean, value ? 1 : 0)
    default: return append(rare: type, text: text, from: start, isPlain: isPlain)
    }
    return true
  }

  /// Appends the value of a scalar that has a type in the input. Returns false, without an effect, if the value is not usual for
  /// the type.
  mutating func append(
    _ type: CompiledSchema.Scalar, _ events: borrowing EventBatch, _ index: Int
  ) -> Bool {
    switch (events.kind(index), type) {
    case (.string, .string):
      add(.string, events.text(index), from: events.inputOffset(index), isPlain: events.isPlain(index))
    case (.integer, .integer), (.integer, .decimal): add(integer: events.integer(index))
    case (.integer, .real):
      // A real may not represent a larger number exactly.
      let number = events.integer(index)
      guard number.magnitude < 1 << 53 else { return false }
      add(.real, Double(number).bitPattern)
    case (.real, .real), (.real, .decimal):
      let number = events.real(index)
      guard number.isFinite else { return false }
      add(.real, number.bitPattern)
    case (.boolean, .boolean): add(.boolean, events.boolean(index) ? 1 : 0)
    case (.string, .date), (.string, .data), (.string, .url), (.string, .uuid):
      let text = events.text(index)
      guard !text.hasSurrogates else { return false }
      return append(
        rare: type, text: text, from: events.inputOffset(index), isPlain: events.isPlain(index))
    default: return false
    }
    return true
  }

  @inline(never)
  private mutating func append(
    rare type: CompiledSchema.Scalar, text: borrowing BorrowedText, from start: Int?, isPlain: Bool
  ) -> Bool {
    switch type {
    case .real:
      switch DecimalText(json: text.utf8) {
      case .real(let number): add(.real, number.bitPattern)
      // A real may not represent a larger number exactly.
      case .integer(let number) where number.magnitude < 1 << 53: add(.real, Double(number).bitPattern)
      default: return false
      }
    case .decimal:
      switch DecimalText(json: text.utf8) {
      case .integer(let number): add(integer: number)
      case .real(let number): add(.real, number.bitPattern)
      case .text:
        guard text.utf8.flawInJSONNumber == nil, target.capabilities.contains(.decimals) else { return false }
        add(.number, text, from: start, isPlain: true)
      }
    case .date:
      guard let parsed = ISODate.parse(text.utf8), parsed.isExact, isText(date: parsed.seconds),
        let written = ISODate.text(parsed.seconds)
      else { return false }
      add(.string, BorrowedText(written.utf8.span), from: nil, isPlain: true)
    case .data:
      guard let data = Base64.decode(text.utf8) else { return false }
      guard target.scalarsAreText || !target.capabilities.contains(.data) else { return false }
      let written = Base64.encode(data.span)
      add(.string, BorrowedText(checked: written.span, isASCII: true), from: nil, isPlain: true)
    case .url:
      // White space alone may be layout.
      guard !text.isBlank, URLText.flaw(of: String(text)) == nil else { return false }
      add(.string, text, from: start, isPlain: isPlain)
    case .uuid:
      guard UUIDText.bytes(text.utf8) != nil else { return false }
      add(.string, text, from: start, isPlain: isPlain)
    case .string, .integer, .boolean: return false
    }
    return true
  }

  /// Returns true if the target stores a date as text without a loss.
  private func isText(date seconds: Double) -> Bool {
    let capabilities = target.capabilities
    guard target.scalarsAreText else {
      return !capabilities.contains(.dates) && !capabilities.contains(.wholeDates)
    }
    return capabilities.hasYear(ofDate: seconds) && !seconds.isNegativeZero
  }
}

extension BorrowedText {
  /// The value of a text that is commonly used for a boolean; nil for any other text.
  fileprivate var boolean: Bool? {
    if equals("true") || equals("1") || equals("yes") { return true }
    return equals("false") || equals("0") || equals("no") ? false : nil
  }
}
