/// The events that a reader has found and not yet sent.
///
/// If the sink prefers batches, events are collected until the reader calls `flush`, which it does at the end of
/// each chunk at the latest. Otherwise each event is sent immediately.
struct EventSender: ~Copyable {
  private let sink: any ValueSink
  /// The sink, if it prefers batches.
  private let sinkForBatches: (any BatchSink)?
  /// The sink, if events are collected for it now.
  private var batchSink: (any BatchSink)?
  private var entries: [EventBatch.Entry] = []
  private var copied: [UInt8] = []
  private var objects: [EventBatch.Object] = []
  /// True if the sink for batches takes objects of classes in them.
  private let takesObjects: Bool
  /// True if an error in a complete record is located at a value of it, and not at its end.
  private let locatesValues: Bool
  private static let capacity = 512

  /// Creates a sender.
  ///
  /// - Parameter isPrompt: True to send each event immediately until `beginBatches` is called. A sink that reads the source
  ///   location of each event needs this.
  /// - Parameter locatesValues: True to locate an error in a complete record at the value that causes it.
  init(to sink: any ValueSink, isPrompt: Bool, locatesValues: Bool = false) {
    (self.sink, self.locatesValues) = (sink, locatesValues)
    sinkForBatches = sink.forBatches
    takesObjects = sinkForBatches?.takesObjects ?? false
    batchSink = isPrompt ? nil : sinkForBatches
    if batchSink != nil { entries.reserveCapacity(Self.capacity) }
  }

  /// Collects events from now on, if the sink prefers batches.
  mutating func beginBatches() { batchSink = sinkForBatches }

  /// Sends each event immediately from now on. The collected events must have been sent.
  mutating func endBatches() { batchSink = nil }

  /// True if events are collected. Otherwise each is sent immediately.
  var isCollecting: Bool { batchSink != nil }

  /// True if the reader should flush before the next event.
  var isFull: Bool { entries.count >= Self.capacity }

  /// Removes the collected events.
  mutating func removeAll() {
    entries.removeAll(keepingCapacity: true)
    copied.removeAll(keepingCapacity: true)
    objects.removeAll(keepingCapacity: true)
  }

  /// Sends the collected events.
  ///
  /// - Parameters:
  ///   - chunk: The chunk that contains the texts.
  ///   - offset: Receives the offset of the event for which the sink throws an error.
  ///   - isWhole: True if the events are whole values, so that an error gets the path in one of them.
  mutating func flush(
    _ chunk: Span<UInt8>, failedAt offset: inout Int, isWhole: Bool = false
  ) throws(FerryError) {
    guard let batchSink, !entries.isEmpty || !objects.isEmpty else { return }
    var events: [EventBatch.Entry] = []
    swap(&events, &entries)
    defer {
      events.removeAll(keepingCapacity: true)
      swap(&events, &entries)
      copied.removeAll(keepingCapacity: true)
      objects.removeAll(keepingCapacity: true)
    }
    do throws(EventFailure) {
      try batchSink.receive(
        EventBatch(events.span, input: chunk, copied: copied.span, objects: objects.span))
    } catch {
      // An object at the end of the batch begins with the next event.
      if error.index < events.count {
        let batch = EventBatch(events.span, input: chunk, copied: copied.span, objects: objects.span)
        offset = locatesValues ? batch.offset(of: error) : batch.offset(error.index)
        if isWhole { throw error.error.placed(path: batch.path(of: error.index)) }
      }
      throw error.error
    }
  }

  mutating func null(at offset: Int) throws(FerryError) {
    guard batchSink != nil else { return try sink.null() }
    add(.null, at: offset)
  }

  mutating func boolean(_ value: Bool, at offset: Int) throws(FerryError) {
    guard batchSink != nil else { return try sink.boolean(value) }
    add(.boolean, value ? 1 : 0, at: offset)
  }

  mutating func integer(_ value: Int128, at offset: Int) throws(FerryError) {
    guard batchSink != nil else { return try sink.integer(value) }
    entries.append(EventBatch.Entry(integer: value, offset: offset))
  }

  mutating func real(_ value: Double, at offset: Int) throws(FerryError) {
    guard batchSink != nil else { return try sink.real(value) }
    add(.real, value.bitPattern, at: offset)
  }

  /// Sends a number, string or key.
  ///
  /// - Parameters:
  ///   - start: The offset of the text in the chunk, or nil to copy the text.
  ///   - isPlain: True if the text has no control characters, quotation marks or backslashes.
  mutating func text(
    _ kind: EventBatch.Kind, _ text: borrowing BorrowedText, from start: Int?, isPlain: Bool = false,
    at offset: Int
  ) throws(FerryError) {
    guard batchSink != nil else { return try sendText(kind, text) }
    entries.append(
      EventBatch.Entry(
        kind: kind, isASCII: text.isASCII, hasSurrogates: text.hasSurrogates, isCopied: start == nil,
        isPlain: isPlain, offset: offset, payload: UInt64(start ?? copied.count),
        extra: text.utf8.count))
    if start == nil { copied.append(copying: text.utf8) }
  }

  /// Collects a text in the chunk, if events are collected.
  mutating func collect(
    _ kind: EventBatch.Kind, from start: Int, count: Int, isASCII: Bool, isPlain: Bool, at offset: Int
  ) {
    entries.append(
      EventBatch.Entry(
        kind: kind, isASCII: isASCII, isPlain: isPlain, offset: offset, payload: UInt64(start), extra: count))
  }

  /// The number of events after which the reader should flush; 0 if it should do so now.
  var room: Int { max(Self.capacity - entries.count, 0) }

  /// Collects events that the reader has prepared, if events are collected. Their texts are in the chunk.
  ///
  /// - Parameters:
  ///   - count: The maximum number of events.
  ///   - prepare: Appends the events.
  @inline(__always)
  mutating func collect(upTo count: Int, _ prepare: (inout OutputSpan<EventBatch.Entry>) -> Void) {
    entries.append(addingCapacity: count, initializingWith: prepare)
  }

  /// Collects events whose texts are in the chunk or copied, if events are collected.
  ///
  /// - Parameters:
  ///   - count: The maximum number of events.
  ///   - prepare: Appends the events, and the copied texts.
  @inline(__always)
  mutating func collect(
    upTo count: Int, _ prepare: (inout OutputSpan<EventBatch.Entry>, inout [UInt8]) -> Void
  ) {
    var texts: [UInt8] = []
    swap(&texts, &copied)
    entries.append(addingCapacity: count) { events in prepare(&events, &texts) }
    swap(&texts, &copied)
  }

  // MARK: Collected events

  /// Removes the events that were collected last.
  mutating func removeLast(_ count: Int) { entries.removeLast(count) }

  /// The number of collected events.
  var collectedCount: Int { entries.count }

  /// Returns the collected events from an index on.
  func collected(from first: Int) -> [EventBatch.Entry] { Array(entries[first...]) }

  /// Calls a function with the collected events, whose texts are in the chunk or copied.
  func withCollected<Result>(
    in chunk: Span<UInt8>, _ body: (borrowing EventBatch) -> Result
  ) -> Result {
    body(EventBatch(entries.span, input: chunk, copied: copied.span, objects: objects.span))
  }

  /// Exchanges the collected events and the copied texts with others. A loop takes them out to add many events, because each access to them
  /// in the sender would be checked.
  mutating func exchangeCollected(_ events: inout [EventBatch.Entry], _ texts: inout [UInt8]) {
    swap(&events, &entries)
    swap(&texts, &copied)
  }

  private func sendText(_ kind: EventBatch.Kind, _ text: borrowing BorrowedText) throws(FerryError) {
    switch kind {
    case .key: try sink.key(copy text)
    case .number: try sink.number(copy text)
    default: try sink.string(copy text)
    }
  }

  mutating func beginArray(count: Int? = nil, at offset: Int) throws(FerryError) {
    guard batchSink != nil else { return try sink.beginArray(count: count) }
    add(.beginArray, at: offset)
  }

  mutating func endArray(at offset: Int) throws(FerryError) {
    guard batchSink != nil else { return try sink.endArray() }
    add(.endArray, at: offset)
  }

  mutating func beginDictionary(count: Int? = nil, at offset: Int) throws(FerryError) {
    guard batchSink != nil else { return try sink.beginDictionary(count: count) }
    add(.beginDictionary, at: offset)
  }

  mutating func endDictionary(at offset: Int) throws(FerryError) {
    guard batchSink != nil else { return try sink.endDictionary() }
    add(.endDictionary, at: offset)
  }

  /// True if objects of classes are collected, too. Otherwise the reader flushes, and sends them to the sink.
  var collectsObjects: Bool { takesObjects && batchSink != nil }

  /// Collects the beginning of an object, whose content begins with the next event.
  mutating func beginObject(_ type: ObjectClass, identity: Int?) {
    objects.append(EventBatch.Object(event: entries.count, type: type, identity: identity))
  }

  /// Collects an event that the reader has prepared, if events are collected. Its text is in the chunk.
  mutating func collect(_ event: EventBatch.Entry) { entries.append(event) }

  /// Collects events again that are among the collected ones, or others with the same texts.
  mutating func collect(_ events: [EventBatch.Entry]) { entries.append(contentsOf: events) }

  /// Collects an event that the reader has prepared, with another location.
  mutating func collect(_ event: EventBatch.Entry, at offset: Int) {
    var event = event
    event.offset = offset
    entries.append(event)
  }

  private mutating func add(_ kind: EventBatch.Kind, _ payload: UInt64 = 0, at offset: Int) {
    entries.append(EventBatch.Entry(kind: kind, offset: offset, payload: payload))
  }
}
