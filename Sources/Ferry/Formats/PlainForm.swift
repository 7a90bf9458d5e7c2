/// An adapter that sends values in the plain form: as a person would write them in the target format.
///
/// It precedes a writer, and converts values that the target cannot represent: a date to text, a set to an
/// array, an object to its content. Each is reported as a loss with its path. A repeated object becomes a
/// reference by path, `{"$ref": "#/people/3"}`, so that the output for a shared or cyclic archive is
/// proportional to its size. If the path is long, the object number is used instead, `#/$objects/17`.
final class PlainForm: ForwardingSink, BatchSink {
  private let capabilities: FormatCapabilities
  private let losses: LossReport
  private let shared: SharedObjectStyle
  private var tracker = PathTracker()
  /// The keys of the open dictionaries, or nil if the reader itself reports repeated keys.
  private var openKeys: OpenKeys?
  /// The keys of the open dictionaries that can become equal when surrogates are replaced; nil if the target
  /// holds surrogates.
  private var repairedKeys: RepairedKeys?
  private let pointers: ObjectPointers
  /// The next sink, if it prefers batches.
  private let nextForBatches: (any BatchSink)?
  /// The step at which the pointers to objects in this value begin.
  private let root: Int
  /// A key that is not sent yet, because its value may be left out.
  private var heldKey: [UInt8] = []
  private var heldKeyIsASCII = true
  private var heldKeyHasSurrogates = false
  private var isHoldingKey = false
  /// The nesting depth inside a key that is not a string, and the text of this key.
  private var keyDepth = 0
  private var buffer: [UInt8] = []

  /// Creates an adapter that precedes a writer.
  ///
  /// - Parameters:
  ///   - pointers: For a value that is a key, the pointers of the enclosing value.
  ///   - reportsRepeatedKeys: True to report keys that occur twice in a dictionary, including keys that
  ///     become equal as text.
  init(
    to next: any ValueSink, capabilities: FormatCapabilities, losses: LossReport,
    shared: SharedObjectStyle = .reference, pointers: ObjectPointers = ObjectPointers(budget: Budget()),
    reportsRepeatedKeys: Bool = false
  ) {
    openKeys = reportsRepeatedKeys ? OpenKeys() : nil
    repairedKeys = capabilities.contains(.surrogates) ? nil : RepairedKeys()
    self.pointers = pointers
    root = pointers.addRoot()
    nextForBatches = next.forBatches
    self.shared = shared
    self.capabilities = capabilities
    self.losses = losses
    super.init(to: next)
  }

  /// Sends a key that is not a scalar as the JSON of its value: `{"first":"Ada"}`. A reference to an object
  /// in the key has a second `#` after the pointer to the key's value: `#/{"first":"Ada"}#/first`.
  func key(valueOn tape: EventTape) throws(FerryError) {
    let (text, inner) = try Self.json(ofKey: tape, pointers: pointers)
    try key(BorrowedText(text.span))
    lose(.objectKey)
    if pointers.removeUnused(root: inner) { return }
    pointers.put(tracker.step(in: pointers, after: root), before: inner)
  }

  /// Returns the JSON of a key that is not a scalar, and the step at which the pointers to objects in the key
  /// begin.
  static func json(ofKey tape: EventTape, pointers: ObjectPointers) throws(FerryError) -> (
    text: [UInt8], root: Int
  ) {
    try pointers.checkText(ofKeysNested: tape.keyDepth)
    let output = MemoryOutput()
    let form = PlainForm(
      to: JSONWriter(to: output), capabilities: Format.json.capabilities, losses: LossReport(),
      pointers: pointers)
    let sink = ObjectKeys(to: form)
    try tape.replay(into: sink)
    try sink.finish()
    let text = Array(output.bytes.dropLast())
    try pointers.spend(text.count)
    return (text, form.root)
  }

  /// The path of the current value.
  var path: ValuePath { tracker.path }
  /// The number of elements in the outermost list that has ended.
  var outermostCount: Int { tracker.outermostCount }

  private func lose(_ kind: Loss.Kind) { losses.add(kind, path: tracker.path) }

  /// Sends the key that was held back until its value arrived.
  private func sendHeldKey() throws(FerryError) {
    guard isHoldingKey else { return }
    isHoldingKey = false
    let heldKey = heldKey
    try sendKey(
      BorrowedText(checked: heldKey.span, isASCII: heldKeyIsASCII, hasSurrogates: heldKeyHasSurrogates))
  }

  private func sendKey(_ text: BorrowedText) throws(FerryError) {
    if repairedKeys?.insert(text) == true { lose(.duplicateKey) }
    guard text.hasSurrogates, !capabilities.contains(.surrogates) else { return try next.key(text) }
    lose(.surrogate)
    let repaired = String(text)
    try next.key(BorrowedText(repaired.utf8.span))
  }

  // MARK: Batches

  /// True if the next sink takes batches, and most of them unchanged.
  var prefersBatches: Bool {
    guard let nextForBatches else { return false }
    return capabilities.contains(.numbers) || nextForBatches.reportsNumbersAsTexts
  }

  /// True if objects are only reported, so that their ends do not matter.
  var takesObjects: Bool { prefersBatches && !capabilities.contains(.objects) }

  func receive(_ events: borrowing EventBatch) throws(EventFailure) {
    guard events.objectCount > 0 else { return try receive(content: events) }
    // An object is reported with its path, so the events before it are tracked first. An object without an identity is
    // only counted once the list of losses is full, except the first one: the kinds of losses have the order in which
    // they first occur.
    var (start, first) = (0, 0)
    var hasLostClass = losses.counts.contains { $0.kind == .className }
    for index in 0..<events.objectCount {
      let object = events.object(index)
      if object.identity == nil, hasLostClass, losses.isListFull { continue }
      hasLostClass = hasLostClass || object.type !== ObjectClass.none
      try receive(events, start..<object.event, objects: first..<index)
      do throws(FerryError) { try beginObject(object.type, identity: object.identity) } catch {
        throw EventFailure(error: error, index: object.event)
      }
      (start, first) = (object.event, index + 1)
    }
    try receive(events, start..<events.count, objects: first..<events.objectCount)
  }

  /// Receives a part of a batch whose objects are only counted.
  private func receive(
    _ events: borrowing EventBatch, _ range: Range<Int>, objects: Range<Int>
  ) throws(EventFailure) {
    for index in objects where events.object(index).type !== ObjectClass.none { losses.add(.className) }
    guard !range.isEmpty else { return }
    do throws(EventFailure) { try receive(content: events.content(range)) } catch {
      throw EventFailure(error: error.error, index: range.lowerBound + error.index)
    }
  }

  /// Receives events without objects.
  private func receive(content events: borrowing EventBatch) throws(EventFailure) {
    guard keyDepth == 0, isUnchanged(events), nextForBatches?.takes(events) == true else {
      return try receiveSingly(events)
    }
    do throws(FerryError) { try sendHeldKey() } catch { throw EventFailure(error: error, index: 0) }
    let last = events.count - 1
    guard last >= 0, !capabilities.contains(.nulls), events.kind(last) == .key else {
      return try receive(unchanged: events)
    }
    // The key is left out if a null follows it.
    try receive(unchanged: events.content(0..<last))
    do throws(FerryError) { try key(events.text(last)) } catch {
      throw EventFailure(error: error, index: last)
    }
  }

  /// Sends a batch to the next sink as it is.
  private func receive(unchanged events: borrowing EventBatch) throws(EventFailure) {
    guard let nextForBatches else { return }
    let repeated = openKeys?.receive(events) ?? []
    guard repeated.isEmpty else { return try receive(events, reporting: repeated) }
    repairedKeys?.receive(events)
    do throws(EventFailure) { try nextForBatches.receive(events) } catch {
      tracker.receive(events, failedAt: error.index)
      throw error
    }
    tracker.receive(events, failedAt: nil)
  }

  /// Returns true if the next sink receives the events of a batch as they are.
  private func isUnchanged(_ events: borrowing EventBatch) -> Bool {
    let kinds = events.kinds
    if !capabilities.contains(.nulls), kinds.contains(.null) { return false }
    if capabilities.contains(.numbers), !capabilities.contains(.decimals), kinds.contains(.number) {
      return false
    }
    if kinds.contains(.real), !capabilities.contains(.nanPayloads), !events.hasFiniteReals { return false }
    return repairedKeys == nil || events.hasPairedSurrogates
  }

  /// Receives the events of a batch one by one, and reports the keys at some indices as repeated.
  private func receive(_ events: borrowing EventBatch, reporting repeated: [Int]) throws(EventFailure) {
    var known: OpenKeys?
    swap(&known, &openKeys)
    defer { swap(&known, &openKeys) }
    for index in 0..<events.count {
      do throws(FerryError) { try events.send(index, to: self) } catch {
        throw EventFailure(error: error, index: index)
      }
      if repeated.contains(index) { lose(.duplicateKey) }
    }
  }

  // MARK: Scalars

  override func null() throws(FerryError) {
    if keyDepth > 0 {
      try keyText("null")
    } else if capabilities.contains(.nulls) {
      try willSend()
      try next.null()
    } else if isHoldingKey {
      lose(.nullLeftOut)
      isHoldingKey = false
    } else {
      lose(.nullAsText)
      try next.string(BorrowedText("".utf8.span))
    }
    tracker.finishValue()
  }

  override func boolean(_ value: Bool) throws(FerryError) {
    try willSend()
    if keyDepth > 0 {
      try keyText(value ? "true" : "false")
    } else if capabilities.contains(.numbers) {
      try next.boolean(value)
    } else {
      lose(.booleanAsText)
      try next.string(BorrowedText((value ? "true" : "false").utf8.span))
    }
    tracker.finishValue()
  }

  override func integer(_ value: Int128) throws(FerryError) {
    try willSend()
    if keyDepth > 0 {
      try keyText(value.notation)
    } else if capabilities.contains(.numbers) {
      try next.integer(value)
    } else {
      try sendAsText(value.notation, .numberAsText)
    }
    tracker.finishValue()
  }

  override func real(_ value: Double) throws(FerryError) {
    try willSend()
    if keyDepth > 0 {
      try keyText(value.notation)
    } else if !value.isFinite, !capabilities.contains(.notFinite) {
      try sendAsText(value.javaScriptNotation, .notFinite)
    } else if capabilities.contains(.numbers) {
      if value.hasNaNPayload, !capabilities.contains(.nanPayloads) { lose(.nanPayload) }
      try next.real(value)
    } else {
      try sendAsText(value.notation, .numberAsText)
    }
    tracker.finishValue()
  }

  override func single(_ value: Float) throws(FerryError) {
    guard !capabilities.contains(.singles) || keyDepth > 0 else {
      try willSend()
      try next.single(value)
      return tracker.finishValue()
    }
    lose(.singleWidth)
    try real(Double(value))
  }

  override func number(_ text: BorrowedText) throws(FerryError) {
    try willSend()
    if keyDepth > 0 {
      try keyText(String(text))
    } else {
      switch capabilities.stored(number: text) {
      case .exact: try next.number(text)
      case .real(let value, let loss):
        lose(loss)
        try next.real(value)
      case .text:
        lose(.numberAsText)
        try next.string(text)
      }
    }
    tracker.finishValue()
  }

  override func string(_ text: BorrowedText) throws(FerryError) {
    try willSend()
    if keyDepth > 0 {
      try keyText(text)
    } else if text.hasSurrogates, !capabilities.contains(.surrogates) {
      try sendAsText(String(text), .surrogate)
    } else {
      try next.string(text)
    }
    tracker.finishValue()
  }

  override func data(_ bytes: Span<UInt8>) throws(FerryError) {
    try willSend()
    if capabilities.contains(.data), keyDepth == 0 {
      try next.data(bytes)
    } else {
      buffer.removeAll(keepingCapacity: true)
      Base64.encode(bytes, into: &buffer)
      if keyDepth == 0 { lose(.dataAsText) }
      let buffer = buffer
      try sendText(BorrowedText(checked: buffer.span, isASCII: true))
    }
    tracker.finishValue()
  }

  override func date(_ secondsSince2001: Double) throws(FerryError) {
    try willSend()
    let isWhole = secondsSince2001.rounded(.down) == secondsSince2001
    if keyDepth == 0, capabilities.holds(date: secondsSince2001) {
      if !isWhole, !capabilities.contains(.dates) { lose(.dateFraction) }
      if secondsSince2001.isNegativeZero, !capabilities.hasDatesOfNegativeZero { lose(.negativeZero) }
      try next.date(secondsSince2001)
    } else {
      if keyDepth == 0 { lose(.dateAsText) }
      let text = ISODate.text(secondsSince2001) ?? secondsSince2001.notation
      try sendText(BorrowedText(text.utf8.span))
    }
    tracker.finishValue()
  }

  override func uid(_ number: UInt64) throws(FerryError) {
    try willSend()
    if capabilities.contains(.uids), keyDepth == 0 {
      try next.uid(number)
    } else if keyDepth > 0 {
      try keyText("CF$UID \(number)")
    } else {
      lose(.uidAsDictionary)
      try next.beginDictionary(count: 1)
      try next.key(BorrowedText("CF$UID".utf8.span))
      if capabilities.contains(.numbers) {
        try next.integer(Int128(number))
      } else {
        try next.string(BorrowedText(number.description.utf8.span))
      }
      try next.endDictionary()
    }
    tracker.finishValue()
  }

  private func sendAsText(_ text: String, _ loss: Loss.Kind) throws(FerryError) {
    lose(loss)
    try next.string(BorrowedText(text.utf8.span))
  }

  private func sendText(_ text: BorrowedText) throws(FerryError) {
    if keyDepth > 0 { try keyText(text) } else { try next.string(text) }
  }

  private func keyText(_ text: String) throws(FerryError) { try keyText(BorrowedText(text.utf8.span)) }

  /// Adds to the text of a key that is not a string. The text becomes a step in the paths of the key's value.
  private func keyText(_ text: BorrowedText) throws(FerryError) {
    setKey(text)
    lose(.objectKey)
    try sendKey(text)
  }

  private func willSend() throws(FerryError) { try sendHeldKey() }

  // MARK: Collections

  override func beginArray(count: Int?) throws(FerryError) {
    try willBegin("an array")
    try next.beginArray(count: count)
    tracker.beginList()
  }

  override func endArray() throws(FerryError) {
    try next.endArray()
    tracker.end()
  }

  override func beginSet(count: Int?) throws(FerryError) {
    try willBegin("a set")
    if capabilities.contains(.sets) {
      try next.beginSet(count: count)
    } else {
      lose(.setAsArray)
      try next.beginArray(count: count)
    }
    tracker.beginList()
  }

  override func endSet() throws(FerryError) {
    if capabilities.contains(.sets) { try next.endSet() } else { try next.endArray() }
    tracker.end()
  }

  override func beginDictionary(count: Int?) throws(FerryError) {
    try willBegin("a dictionary")
    try next.beginDictionary(count: count)
    tracker.beginDictionary()
    openKeys?.open()
    repairedKeys?.open()
  }

  override func endDictionary() throws(FerryError) {
    try next.endDictionary()
    tracker.end()
    openKeys?.close()
    repairedKeys?.close()
  }

  private func willBegin(_ what: String) throws(FerryError) {
    guard keyDepth == 0 else {
      throw FerryError(.cannotHold(.kind("\(what) as a key", format: "the plain form")), path: tracker.path)
    }
    try sendHeldKey()
  }

  /// Sets the key of the next value.
  private func setKey(_ text: BorrowedText) {
    tracker.key(text.utf8)
    if openKeys?.insert(text.utf8) == true { lose(.duplicateKey) }
  }

  override func key(_ text: BorrowedText) throws(FerryError) {
    setKey(text)
    guard !capabilities.contains(.nulls) else { return try sendKey(text) }
    heldKey.removeAll(keepingCapacity: true)
    heldKey.append(copying: text.utf8)
    (heldKeyIsASCII, heldKeyHasSurrogates) = (text.isASCII, text.hasSurrogates)
    isHoldingKey = true
  }

  override func beginKey() throws(FerryError) {
    if capabilities.contains(.objectKeys) { return try next.beginKey() }
    keyDepth += 1
  }

  override func endKey() throws(FerryError) {
    if capabilities.contains(.objectKeys) { return try next.endKey() }
    keyDepth -= 1
  }

  // MARK: Objects

  override func beginObject(_ type: ObjectClass, identity: Int?) throws(FerryError) {
    if capabilities.contains(.objects) {
      try sendHeldKey()
      // The text of a key may refer to the object.
      if let identity, !capabilities.contains(.objectKeys) {
        pointers.set(tracker.step(in: pointers, after: root), for: identity)
      }
      return try next.beginObject(type, identity: identity)
    }
    if keyDepth == 0, type !== ObjectClass.none { lose(.className) }
    guard let identity else { return }
    if shared == .inFull, pointers.contains(identity) { lose(.sharedInFull) }
    pointers.set(tracker.step(in: pointers, after: root), for: identity)
  }

  override func endObject() throws(FerryError) {
    if capabilities.contains(.objects) { try next.endObject() }
  }

  override func reference(_ identity: Int) throws(FerryError) {
    try willBegin("a reference")
    if capabilities.contains(.objects) {
      try next.reference(identity)
    } else {
      guard let pointer = pointers.pointer(to: identity) else {
        // The callers add the path, as to the errors of a writer.
        throw FerryError(.archive(.unknownIdentity(identity)))
      }
      lose(.sharedIdentity)
      try pointers.spend(pointer.utf8.count)
      try next.beginDictionary(count: 1)
      try next.key(BorrowedText("$ref".utf8.span))
      try next.string(BorrowedText(pointer.utf8.span))
      try next.endDictionary()
    }
    tracker.finishValue()
  }
}
