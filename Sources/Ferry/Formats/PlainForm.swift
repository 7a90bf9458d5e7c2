/// The plain form: an adapter that sends values in the form that a person would write in the target format.
///
/// It comes before a writer, and converts values without a syntax in the target, reporting each as a loss
/// with its path: a date becomes text, a set an array, an object its content. A repeated object becomes a
/// reference by path, `{"$ref": "#/people/3"}`, so the output for a shared or cyclic archive stays in
/// proportion to its size.
final class PlainForm: ForwardingSink {
  private let holding: Holding
  private let losses: LossReport
  private let shared: SharedObjectStyle
  private var tracker = PathTracker()
  /// The path of each object that has references, as a JSON Pointer.
  private var places: [Int: String] = [:]
  /// A key whose value may be left out.
  private var heldKey: [UInt8] = []
  private var heldKeyIsASCII = true
  private var heldKeyHasSurrogates = false
  private var isHoldingKey = false
  /// The text of a key that is not a string, while it is received.
  private var keyDepth = 0
  private var buffer: [UInt8] = []

  /// The remaining allowance for the bytes of pointers to objects, in memory and in the output. The deeper an
  /// object is, the longer its pointer.
  private var restOfPointers: Int
  private let budget: Budget

  /// Creates an adapter before a writer. `inputBytes` is the size of an input with objects that refer to each
  /// other, otherwise 0.
  init(
    to next: any ValueSink, holding: Holding, losses: LossReport, inputBytes: Int = 0,
    budget: Budget = Budget(), shared: SharedObjectStyle = .reference
  ) {
    self.shared = shared
    self.budget = budget
    restOfPointers = budget.allowance(forInputBytes: inputBytes)
    self.holding = holding
    self.losses = losses
    super.init(to: next)
  }

  /// Sends a key that is not a scalar as the JSON of its value: `{"first":"Ada"}`. A reference to an object
  /// inside the key has a `#` between the pointer to the key's value and the pointer inside the key:
  /// `#/{"first":"Ada"}#/first`.
  func key(valueOn tape: EventTape) throws(Failure) {
    let output = MemoryOutput()
    let form = PlainForm(
      to: JSONWriter(to: output), holding: Format.json.holding, losses: LossReport())
    form.places = places
    try tape.replay(into: form)
    try form.finish()
    let text = output.bytes.dropLast()
    lose(.objectKey)
    let bytes = Array(text)
    try key(Text(bytes.span))
    for (identity, pointer) in form.places where places[identity] == nil {
      try keep(tracker.pointer + pointer, of: identity)
    }
  }

  /// The path of the current value.
  var path: ValuePath { tracker.path }

  private func lose(_ kind: Loss.Kind) { losses.add(kind, path: tracker.path) }

  /// Sends the key that was held until its value.
  private func sendHeldKey() throws(Failure) {
    guard isHoldingKey else { return }
    isHoldingKey = false
    let heldKey = heldKey
    try sendKey(Text(checked: heldKey.span, isASCII: heldKeyIsASCII, hasSurrogates: heldKeyHasSurrogates))
  }

  private func sendKey(_ text: Text) throws(Failure) {
    guard text.hasSurrogates, !holding.contains(.surrogates) else { return try next.key(text) }
    lose(.surrogate)
    let repaired = String(text)
    try next.key(Text(repaired.utf8.span))
  }

  // MARK: Scalars

  override func null() throws(Failure) {
    if holding.contains(.nulls) {
      try willSend()
      try next.null()
    } else if isHoldingKey {
      lose(.nullLeftOut)
      isHoldingKey = false
    } else {
      lose(.nullAsText)
      try next.string(Text("".utf8.span))
    }
    tracker.finishValue()
  }

  override func boolean(_ value: Bool) throws(Failure) {
    try willSend()
    if keyDepth > 0 {
      try keyText(value ? "true" : "false")
    } else if holding.contains(.numbers) {
      try next.boolean(value)
    } else {
      lose(.booleanAsText)
      try next.string(Text((value ? "true" : "false").utf8.span))
    }
    tracker.finishValue()
  }

  override func integer(_ value: Int128) throws(Failure) {
    try willSend()
    if keyDepth > 0 {
      try keyText(value.description)
    } else if holding.contains(.numbers) {
      try next.integer(value)
    } else {
      try sendAsText(value.description, .numberAsText)
    }
    tracker.finishValue()
  }

  override func real(_ value: Double) throws(Failure) {
    try willSend()
    if keyDepth > 0 {
      try keyText(value.description)
    } else if !value.isFinite, !holding.contains(.notFinite) {
      try sendAsText(value.isNaN ? "NaN" : value < 0 ? "-Infinity" : "Infinity", .notFinite)
    } else if holding.contains(.numbers) {
      try next.real(value)
    } else {
      try sendAsText(value.description, .numberAsText)
    }
    tracker.finishValue()
  }

  override func single(_ value: Float) throws(Failure) {
    guard !holding.contains(.singles) || keyDepth > 0 else {
      try willSend()
      try next.single(value)
      return tracker.finishValue()
    }
    lose(.singleWidth)
    try real(Double(value))
  }

  override func number(_ text: Text) throws(Failure) {
    try willSend()
    if keyDepth > 0 {
      try keyText(String(text))
    } else if holding.contains(.decimals) || isShortDecimal(text) {
      try next.number(text)
    } else if holding.contains(.numbers), let value = Double(String(text)), value.isFinite {
      lose(.numberAsReal)
      try next.real(value)
    } else {
      lose(.numberAsText)
      try next.string(text)
    }
    tracker.finishValue()
  }

  /// Returns true if the target can represent a decimal with all its digits.
  private func isShortDecimal(_ text: Text) -> Bool {
    holding.contains(.shortDecimals) && DecimalNumber.keepsNotation(of: String(text))
  }

  override func string(_ text: Text) throws(Failure) {
    try willSend()
    if keyDepth > 0 {
      try keyText(text)
    } else if text.hasSurrogates, !holding.contains(.surrogates) {
      try sendAsText(String(text), .surrogate)
    } else {
      try next.string(text)
    }
    tracker.finishValue()
  }

  override func data(_ bytes: Span<UInt8>) throws(Failure) {
    try willSend()
    if holding.contains(.data), keyDepth == 0 {
      try next.data(bytes)
    } else {
      buffer.removeAll(keepingCapacity: true)
      Base64.encode(bytes, into: &buffer)
      if keyDepth == 0 { lose(.dataAsText) }
      let buffer = buffer
      try sendText(Text(checked: buffer.span, isASCII: true))
    }
    tracker.finishValue()
  }

  override func date(_ secondsSince2001: Double) throws(Failure) {
    try willSend()
    let isWhole = secondsSince2001.rounded(.down) == secondsSince2001
    if keyDepth == 0, holding.contains(.dates) || (holding.contains(.wholeDates) && secondsSince2001.isFinite)
    {
      if !holding.contains(.dates), !isWhole { lose(.dateFraction) }
      try next.date(secondsSince2001)
    } else {
      if keyDepth == 0 { lose(.dateAsText) }
      let text = ISODate.text(secondsSince2001) ?? secondsSince2001.description
      try sendText(Text(text.utf8.span))
    }
    tracker.finishValue()
  }

  override func uid(_ number: UInt64) throws(Failure) {
    try willSend()
    if holding.contains(.uids), keyDepth == 0 {
      try next.uid(number)
    } else if keyDepth > 0 {
      try keyText("CF$UID \(number)")
    } else {
      lose(.uidAsDictionary)
      try next.beginDictionary(count: 1)
      try next.key(Text("CF$UID".utf8.span))
      try next.integer(Int128(number))
      try next.endDictionary()
    }
    tracker.finishValue()
  }

  private func sendAsText(_ text: String, _ loss: Loss.Kind) throws(Failure) {
    lose(loss)
    try next.string(Text(text.utf8.span))
  }

  private func sendText(_ text: Text) throws(Failure) {
    if keyDepth > 0 { try keyText(text) } else { try next.string(text) }
  }

  private func keyText(_ text: String) throws(Failure) { try keyText(Text(text.utf8.span)) }

  /// Sends the text of a key that is not a string. The text is a step in the paths of the value under the
  /// key.
  private func keyText(_ text: Text) throws(Failure) {
    tracker.key(text.utf8)
    try next.key(text)
  }

  private func willSend() throws(Failure) { try sendHeldKey() }

  // MARK: Collections

  override func beginArray(count: Int?) throws(Failure) {
    try willBegin("an array")
    try next.beginArray(count: count)
    tracker.beginList()
  }

  override func endArray() throws(Failure) {
    try next.endArray()
    tracker.end()
  }

  override func beginSet(count: Int?) throws(Failure) {
    try willBegin("a set")
    if holding.contains(.sets) {
      try next.beginSet(count: count)
    } else {
      lose(.setAsArray)
      try next.beginArray(count: count)
    }
    tracker.beginList()
  }

  override func endSet() throws(Failure) {
    if holding.contains(.sets) { try next.endSet() } else { try next.endArray() }
    tracker.end()
  }

  override func beginDictionary(count: Int?) throws(Failure) {
    try willBegin("a dictionary")
    try next.beginDictionary(count: count)
    tracker.beginDictionary()
  }

  override func endDictionary() throws(Failure) {
    try next.endDictionary()
    tracker.end()
  }

  private func willBegin(_ what: String) throws(Failure) {
    guard keyDepth == 0 else {
      throw Failure(.cannotHold(.kind("\(what) as a key", format: "the plain form")), path: tracker.path)
    }
    try sendHeldKey()
  }

  override func key(_ text: Text) throws(Failure) {
    tracker.key(text.utf8)
    guard !holding.contains(.nulls) else { return try sendKey(text) }
    heldKey.removeAll(keepingCapacity: true)
    heldKey.append(copying: text.utf8)
    (heldKeyIsASCII, heldKeyHasSurrogates) = (text.isASCII, text.hasSurrogates)
    isHoldingKey = true
  }

  override func beginKey() throws(Failure) {
    if holding.contains(.objectKeys) { return try next.beginKey() }
    lose(.objectKey)
    keyDepth += 1
  }

  override func endKey() throws(Failure) {
    if holding.contains(.objectKeys) { return try next.endKey() }
    keyDepth -= 1
  }

  // MARK: Objects

  override func beginObject(_ type: ObjectClass, identity: Int?) throws(Failure) {
    if holding.contains(.objects) {
      try sendHeldKey()
      return try next.beginObject(type, identity: identity)
    }
    if keyDepth == 0, type !== ObjectClass.none { lose(.className) }
    guard let identity else { return }
    if shared == .inFull, places[identity] != nil { lose(.sharedInFull) }
    try keep(tracker.pointer, of: identity)
  }

  private func keep(_ pointer: String, of identity: Int) throws(Failure) {
    if let replaced = places[identity] { restOfPointers += replaced.utf8.count }
    try spend(pointer)
    places[identity] = pointer
  }

  private func spend(_ pointer: String) throws(Failure) {
    restOfPointers -= pointer.utf8.count
    guard restOfPointers >= 0 else {
      throw Failure(.overBudget(.amplification(budget.amplification)), path: tracker.path)
    }
  }

  override func endObject() throws(Failure) {
    if holding.contains(.objects) { try next.endObject() }
  }

  override func reference(_ identity: Int) throws(Failure) {
    try willBegin("a reference")
    if holding.contains(.objects) {
      try next.reference(identity)
    } else {
      guard let place = places[identity] else {
        throw Failure(.archive(.unknownIdentity(identity)), path: tracker.path)
      }
      lose(.sharedIdentity)
      try spend(place)
      try next.beginDictionary(count: 1)
      try next.key(Text("$ref".utf8.span))
      try next.string(Text(place.utf8.span))
      try next.endDictionary()
    }
    tracker.finishValue()
  }
}
