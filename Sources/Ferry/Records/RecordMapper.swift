/// An adapter that uses a schema to convert records between the names and types of two dialects.
///
/// Each record is buffered on a tape, checked, and sent in the shape of the target:
///
///     {"firstName": "Ada", "lastName": "Lovelace"}   ⇄   Person { last: "Lovelace", first: "Ada" }
///
/// The records are the elements of the outermost array or set, or the outermost value itself. Only the
/// current record is buffered.
final class RecordMapper: ForwardingSink, BatchSink {
  private let tapeSink: TapeSink
  private let record: RecordType
  private let translator: RecordTranslator
  private let losses: LossReport
  /// The key under which the collection is stored in the outermost dictionary, for paths in errors.
  var stepAround: ValuePath.Step?
  private let source: RecordDialect
  /// Receives the error of each record that is left out. Nil means that the first error ends the conversion.
  private let failed: FailedRecords?

  /// The current nesting depth, including levels on the tape.
  private var depth = 0
  /// The nesting depth of the collection of records, or nil before it begins.
  private var collectionDepth: Int?
  /// The number of records received so far.
  private var receivedCount = 0
  /// The class of the object that contains the collection of records.
  private var classAround: String?
  /// Provides the source location of the current record, if the reader supports it.
  private let locator: SourceLocator?
  /// True to store the source location of each record in `locations`.
  var keepsLocations = false
  /// The source locations of the records sent so far, in order, if the reader provides them.
  private(set) var locations: [InputLocation] = []
  /// The next sink, if it receives each record that is not converted by `compiledSchema` as a batch.
  private let batches: BatchingSink?
  /// The converter of whole records in batches.
  private var converter: EventRecords?
  /// A buffer for the converted record if errors do not end the conversion. It is sent only if the whole
  /// record is valid.
  private let checked = TapeSink()
  /// The check of the records' keys; nil if the keys are not checked.
  private var keyCheck: RecordKeyCheck?

  init(
    _ schema: Schema, from source: RecordDialect, to target: RecordDialect, into next: any ValueSink,
    options: RecordOptions, losses: LossReport, locator: SourceLocator? = nil,
    failed: FailedRecords? = nil
  ) {
    record = schema.record
    self.locator = locator
    tapeSink = TapeSink(locator: locator?.locatesValues == true ? locator : nil)
    self.source = source
    self.failed = failed
    translator = RecordTranslator(
      from: source, to: target, options: options, enclosingTypes: schema.record.enclosingTypes)
    self.losses = losses
    if options.checksKeys, failed != nil { keyCheck = RecordKeyCheck(of: schema.record) }
    // A writer of elements refuses some texts. Its errors get their paths when each event is sent.
    batches = target.hasElements ? nil : BatchingSink(before: next)
    super.init(to: next)
  }

  /// Sets the version of records that do not state their own, from a value of the enclosing document.
  func setVersion(at index: TapeIndex, named name: String, of tape: EventTape) throws(FerryError) {
    translator.versionAround = try translator.version(at: index, named: name, tape)
  }

  /// The version that the enclosing document states for its records, or nil if it states none.
  var versionAround: Int? { translator.versionAround }

  /// Refuses, or reports, a newer version of the enclosing document that no record had, because the document
  /// has no records or they state their own versions.
  func checkVersionAround(named name: String) throws(FerryError) {
    do throws(FerryError) {
      try translator.checkVersionAround(of: record)
    } catch {
      throw error.placed(under: .key(name))
    }
    guard !translator.losses.isEmpty else { return }
    translator.losses.prefix(.key(name), from: 0)
    losses.add(translator.losses.take())
  }

  // MARK: Converted records

  /// The schema for a reader that converts whole records itself, or nil if the mapper has to receive all of them.
  private(set) lazy var compiledSchema =
    next.forBatches == nil || keyCheck != nil
    ? nil : CompiledSchema(record, from: source, to: translator.target, options: translator.options)

  /// True if converted records can be received now.
  var isBetweenConvertibleRecords: Bool { depth == collectionDepth && isBetweenRecords && !keepsLocations }

  /// Receives whole records that the reader has converted by `compiledSchema`.
  ///
  /// - Parameters:
  ///   - records: The events of the records. The offset of each event is the index of its record's first event in the input.
  ///   - firstEvents: The index of the first event of each record in the input.
  func receive(converted records: borrowing EventBatch, firstEvents: [Int]) throws(EventFailure) {
    guard let sink = next.forBatches else { return }
    do throws(EventFailure) { try sink.receive(records) } catch {
      let firstEvent = records.offset(error.index)
      receivedCount += firstEvents.firstIndex(of: firstEvent) ?? 0
      var placed = error.error.placed(path: records.path(of: error.index))
      for step in steps.reversed() { placed = placed.placed(under: step) }
      throw EventFailure(error: placed, index: firstEvent)
    }
    receivedCount += firstEvents.count
  }

  var prefersBatches: Bool { compiledSchema != nil && !source.hasElements }

  /// Receives events. Converts the records that are whole and usual, and sends them together.
  func receive(_ events: borrowing EventBatch) throws(EventFailure) {
    var index = 0
    while index < events.count {
      if events.kind(index) == .beginDictionary, isBetweenConvertibleRecords {
        let end = try receive(recordsOf: events, from: index)
        guard end == index else {
          index = end
          continue
        }
      }
      do throws(FerryError) { try events.send(index, to: self) } catch {
        throw EventFailure(error: error, index: index)
      }
      index += 1
    }
  }

  /// Converts and sends consecutive usual records, from the one at an index on. Returns the index after the last of them.
  private func receive(recordsOf events: borrowing EventBatch, from first: Int) throws(EventFailure) -> Int {
    if converter == nil { converter = compiledSchema.map { EventRecords($0) } }
    var taken: EventRecords?
    swap(&taken, &converter)
    defer { swap(&taken, &converter) }
    guard let end = taken?.take(from: first, of: events), end > first else { return first }
    let firstEvents = taken?.records.firstEvents ?? []
    do throws(EventFailure) {
      try taken?.records.send(input: events.input) { batch throws(EventFailure) in
        try receive(converted: batch, firstEvents: firstEvents)
      }
    } catch {
      // The error of a record is located at its end, where it is sent.
      let next = firstEvents.firstIndex(of: error.index).map { $0 + 1 } ?? firstEvents.count
      throw EventFailure(error: error.error, index: (next < firstEvents.count ? firstEvents[next] : end) - 1)
    }
    return end
  }

  /// True if no record is being buffered.
  var isBetweenRecords: Bool { tapeSink.tape.count == 0 }

  private var isInCollection: Bool { collectionDepth != nil }

  /// The index of the current record among all of the input, also those that the reader could not read.
  private var index: Int { receivedCount + (failed?.unreadCount ?? 0) }

  /// The index of the current record among all of the input, also those that are left out; nil for the only
  /// one.
  var recordIndex: Int? { isInCollection ? index : nil }

  /// Called after each value. Sends the record if the value completes it.
  private func valueDidEnd() throws(FerryError) {
    guard depth == (collectionDepth ?? 0), tapeSink.tape.isBalanced else { return }
    try sendRecord()
  }

  /// The number of records so far, also of those that are left out.
  var recordCount: Int { index }

  private func sendRecord() throws(FerryError) {
    defer {
      addLosses()
      if keepsLocations { keepLocation() }
      tapeSink.removeAll()
      receivedCount += 1
    }
    // The record's reader has found, and reported, an error.
    if let failed, isInCollection, failed.takeError(inRecord: index) { return }
    var isBeingWritten = false
    do throws(FerryError) {
      guard failed != nil else {
        try translator.send(record, at: .start, of: tapeSink.tape, to: batches ?? next)
        try batches?.flush()
        return
      }
      checked.removeAll()
      try translator.send(record, at: .start, of: tapeSink.tape, to: checked)
      try checkKeys()
      isBeingWritten = true
      try checked.tape.replayWithPaths(valueAt: .start, into: batches ?? next)
      try batches?.flush()
    } catch {
      batches?.removeAll()
      var placed = error.namingReference.placed(at: tapeSink.tape.location(at: error.path))
        .placed(at: locator?.location ?? InputLocation())
      for step in steps.reversed() { placed = placed.placed(under: step) }
      // A document that is a single record has no value without it. A record that the output refuses may be
      // written in part, so no other record can follow it.
      guard let failed, isInCollection, !isBeingWritten else { throw placed }
      failed.add(unmapped: placed)
    }
  }

  /// Throws if an earlier record has the key of the current one, which is in `checked`.
  private func checkKeys() throws(FerryError) {
    guard keyCheck != nil else { return }
    try keyCheck?.add(checked.tape.value(at: .start), at: recordIndex, in: stepAround.map { [$0] } ?? [])
  }

  /// Stores the location of the current record: of its beginning, if the reader locates values.
  private func keepLocation() {
    let beginning = tapeSink.tape.location(at: .start)
    let location = beginning.isEmpty ? locator?.location ?? InputLocation() : beginning
    if !location.isEmpty { locations.append(location) }
  }

  /// The path of the current record.
  private var steps: [ValuePath.Step] {
    (stepAround.map { [$0] } ?? []) + (isInCollection ? [.index(index)] : [])
  }

  /// Reports the losses in the record, with the record's path added.
  private func addLosses() {
    guard !translator.losses.isEmpty else { return }
    if losses.usesLocations { locateLosses() }
    for step in steps.reversed() { translator.losses.prefix(step, from: 0) }
    losses.add(translator.losses.take())
  }

  /// Gives the losses in the record their source locations: the first ones those of their values, and the others that of the record, because
  /// each value has to be searched for.
  private func locateLosses() {
    guard let locator else { return }
    var record = tapeSink.tape.location(at: .start)
    if record.isEmpty { record = locator.location }
    var count = 0
    translator.losses.changeLocations { loss in
      count += 1
      loss.location = count <= Self.mostLocated ? tapeSink.tape.location(at: loss.path) : record
      if loss.location.isEmpty { loss.location = record }
    }
  }

  private static let mostLocated = 100

  /// The error for an object that neither is a record nor contains a collection of records.
  private var notARecord: FerryError {
    FerryError(.record(.notARecord(found: nameWithArticle(classAround ?? "object"), record: record.element)))
  }

  /// True if a collection that begins now is the collection of records.
  private var beginsCollection: Bool { !isInCollection && isBetweenRecords }

  override func null() throws(FerryError) {
    try tapeSink.null()
    try valueDidEnd()
  }
  override func boolean(_ value: Bool) throws(FerryError) {
    try tapeSink.boolean(value)
    try valueDidEnd()
  }
  override func integer(_ value: Int128) throws(FerryError) {
    try tapeSink.integer(value)
    try valueDidEnd()
  }
  override func real(_ value: Double) throws(FerryError) {
    try tapeSink.real(value)
    try valueDidEnd()
  }
  override func single(_ value: Float) throws(FerryError) {
    try tapeSink.single(value)
    try valueDidEnd()
  }
  override func number(_ text: BorrowedText) throws(FerryError) {
    try tapeSink.number(text)
    try valueDidEnd()
  }
  override func string(_ text: BorrowedText) throws(FerryError) {
    try tapeSink.string(text)
    try valueDidEnd()
  }
  override func data(_ bytes: Span<UInt8>) throws(FerryError) {
    try tapeSink.data(bytes)
    try valueDidEnd()
  }
  override func date(_ secondsSince2001: Double) throws(FerryError) {
    try tapeSink.date(secondsSince2001)
    try valueDidEnd()
  }
  override func uid(_ number: UInt64) throws(FerryError) {
    try tapeSink.uid(number)
    try valueDidEnd()
  }
  override func reference(_ identity: Int) throws(FerryError) {
    try tapeSink.reference(identity)
    try valueDidEnd()
  }
  override func key(_ text: BorrowedText) throws(FerryError) { try tapeSink.key(text) }
  override func beginKey() throws(FerryError) { try tapeSink.beginKey() }
  override func endKey() throws(FerryError) { try tapeSink.endKey() }

  override func beginArray(count: Int?) throws(FerryError) {
    if beginsCollection {
      collectionDepth = depth + 1
      try next.beginArray(count: count)
    } else {
      try tapeSink.beginArray(count: count)
    }
    depth += 1
  }

  override func endArray() throws(FerryError) {
    depth -= 1
    guard depth + 1 != collectionDepth else { return try next.endArray() }
    try tapeSink.endArray()
    try valueDidEnd()
  }

  override func beginSet(count: Int?) throws(FerryError) {
    if beginsCollection {
      collectionDepth = depth + 1
      try next.beginSet(count: count)
    } else {
      try tapeSink.beginSet(count: count)
    }
    depth += 1
  }

  override func endSet() throws(FerryError) {
    depth -= 1
    guard depth + 1 != collectionDepth else { return try next.endSet() }
    try tapeSink.endSet()
    try valueDidEnd()
  }

  override func beginDictionary(count: Int?) throws(FerryError) {
    try tapeSink.beginDictionary(count: count)
    depth += 1
  }

  override func endDictionary() throws(FerryError) {
    try tapeSink.endDictionary()
    depth -= 1
    try valueDidEnd()
  }

  override func beginObject(_ type: ObjectClass, identity: Int?) throws(FerryError) {
    // A mutable or shared array of records is sent as an object.
    if !isInCollection, isBetweenRecords, !translator.options.takesAnyClass,
      !record.accepts(className: type.name)
    {
      classAround = type.name
      try next.beginObject(type, identity: identity)
    } else {
      try tapeSink.beginObject(type, identity: identity)
    }
    depth += 1
  }

  override func endObject() throws(FerryError) {
    depth -= 1
    if isBetweenRecords { return try next.endObject() }
    guard !tapeSink.tape.isBalanced else { throw notARecord }
    try tapeSink.endObject()
    try valueDidEnd()
  }
}

extension FerryError {
  /// The error, with another reason for a reference to an object of the input that the output does not have at all, or not yet.
  fileprivate var namingReference: FerryError {
    guard case .archive(.unknownIdentity) = reason else { return self }
    let reference = "a reference to an object that the records do not have before it"
    return FerryError(.cannotHold(.kind(reference, format: "the plain form")), at: location, path: path)
  }
}
