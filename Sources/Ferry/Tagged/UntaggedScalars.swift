/// An adapter that converts tagged dictionaries back to scalars. It is the inverse of `TaggedScalars`.
///
///     {"$date": "2014-06-01T09:30:00Z"}   ▸   the date
///
/// The beginning of a dictionary is forwarded only when its first key shows that it is not a tagged scalar.
/// Other tags are forwarded. A document in `$data` is converted to the original data.
final class UntaggedScalars: ForwardingSink {
  private enum State {
    case passing
    /// A dictionary has begun, and its first key is not known yet.
    case begun
    /// The value of a tag comes next.
    case inTag(TypedNotation.Scalar)
    /// The value of a tag has been received.
    case ending(TypedNotation.Scalar)
  }

  private let budget: Budget
  /// The locator of the reader, so that errors in documents in data are located there.
  private let locator: SourceLocator?
  private let losses: LossReport?
  private var state = State.passing
  /// The document in `$data` that is being read, or nil.
  private var nested: Nested?

  private struct Nested {
    let tapeSink: TapeSink
    let sink: UntaggedScalars
    /// The number of open dictionaries, including that of the document.
    var depth = 1

    init(_ budget: Budget, _ locator: SourceLocator?, _ losses: LossReport?) {
      tapeSink = TapeSink(locator: locator)
      sink = UntaggedScalars(to: tapeSink, budget: budget, locator: locator, losses: losses)
    }
  }

  /// Creates an adapter before a sink.
  ///
  /// - Parameters:
  ///   - budget: The limits of the document, which also hold for documents in its data.
  ///   - locator: The locator of the reader, or nil if errors in documents in data have no location of their own.
  ///   - losses: Receives the losses of patches for other values in documents in data, or nil.
  init(
    to next: any ValueSink, budget: Budget, locator: SourceLocator? = nil, losses: LossReport? = nil
  ) {
    (self.budget, self.locator, self.losses) = (budget, locator, losses)
    super.init(to: next)
  }

  /// The sink for events outside of tagged scalars.
  private var out: any ValueSink { nested?.sink ?? next }

  private func release() throws(FerryError) {
    guard case .begun = state else { return }
    state = .passing
    try next.beginDictionary(count: nil)
  }

  /// Returns the tag whose value this event is, or nil if the event is not in a tagged scalar.
  private func tag(_ event: StaticString) throws(FerryError) -> TypedNotation.Scalar? {
    switch state {
    case .passing: return nil
    case .begun:
      try release()
      return nil
    case .inTag(let tag): return tag
    case .ending: throw FerryError(.typed(.crowded(event.description)))
    }
  }

  private func end(_ sent: Bool, _ tag: TypedNotation.Scalar, _ found: @autoclosure () -> String)
    throws(FerryError)
  {
    guard sent else { throw FerryError(.typed(.badTag(tag.rawValue, found: found()))) }
    state = .ending(tag)
  }

  // MARK: Events

  override func null() throws(FerryError) {
    guard let tag = try tag("null") else { return try out.null() }
    try end(false, tag, "null")
  }

  override func boolean(_ value: Bool) throws(FerryError) {
    guard let tag = try tag("a boolean") else { return try out.boolean(value) }
    if tag == .null { try next.null() }
    try end(tag == .null, tag, "a boolean")
  }

  override func integer(_ value: Int128) throws(FerryError) {
    guard let tag = try tag("an integer") else { return try out.integer(value) }
    switch tag {
    case .uid:
      guard let number = UInt64(exactly: value) else { return try end(false, tag, "\(value)") }
      try next.uid(number)
    case .real, .single, .date:
      guard Int128(exactly: Double(value)) == value else { return try endInexact(tag, value.notation) }
      return try send(Double(value), tag)
    default: return try end(false, tag, "an integer")
    }
    try end(true, tag, "")
  }

  override func real(_ value: Double) throws(FerryError) {
    guard let tag = try tag("a number") else { return try out.real(value) }
    try send(value, tag)
  }

  override func number(_ text: BorrowedText) throws(FerryError) {
    guard let tag = try tag("a number") else { return try out.number(text) }
    let text = String(text)
    guard let value = Double(text), value.isFinite, value.isNotation(of: text) else {
      return try endInexact(tag, text)
    }
    try send(value, tag)
  }

  /// Sends the number of a tag.
  private func send(_ value: Double, _ tag: TypedNotation.Scalar) throws(FerryError) {
    switch tag {
    case .real: try next.real(value)
    case .single:
      // Other programs write the digits of the 64-bit real with the same value.
      guard value.isFinite, let single = value.single else { return try endInexact(tag, value.notation) }
      try next.single(single)
    case .date: try next.date(value)
    default: return try end(false, tag, "a real number")
    }
    try end(true, tag, "")
  }

  /// Throws the error for a number that the value of a tag cannot represent.
  private func endInexact(_ tag: TypedNotation.Scalar, _ text: String) throws(FerryError) {
    try end(
      false, tag,
      "the number \(MessageText.name(text)), which a \(tag == .single ? "32" : "64")-bit real cannot represent,"
    )
  }

  override func string(_ text: BorrowedText) throws(FerryError) {
    guard let tag = try tag("a string") else { return try out.string(text) }
    try end(try send(tag, text), tag, MessageText.quoted(String(text)))
  }

  private func send(_ tag: TypedNotation.Scalar, _ text: BorrowedText) throws(FerryError) -> Bool {
    switch tag {
    case .null, .uid: return false
    case .real:
      guard let value = TypedNotation.real(String(text)) else { return false }
      try next.real(value)
    case .single:
      guard let value = TypedNotation.single(String(text)) else { return false }
      try next.single(value)
    case .date:
      if let date = ISODate.parse(text.utf8) {
        guard date.isExact else { return false }
        try next.date(date.seconds)
      } else {
        guard let seconds = TypedNotation.real(String(text)) else { return false }
        try next.date(seconds)
      }
    case .number:
      guard Double(String(text)) != nil, text.utf8.isASCII else { return false }
      try next.number(text)
    case .data:
      guard let bytes = Base64.decode(text.utf8) else { return false }
      try next.data(bytes.span)
    case .string:
      guard let units = EscapedText.units(of: text) else { return false }
      let bytes = generalizedUTF8(units)
      try next.string(BorrowedText(generalized: bytes.span))
    }
    return true
  }

  override func data(_ bytes: Span<UInt8>) throws(FerryError) {
    guard let tag = try tag("data") else { return try out.data(bytes) }
    try end(false, tag, "data")
  }

  override func date(_ seconds: Double) throws(FerryError) {
    guard let tag = try tag("a date") else { return try out.date(seconds) }
    try end(false, tag, "a date")
  }

  override func uid(_ number: UInt64) throws(FerryError) {
    guard let tag = try tag("a reference") else { return try out.uid(number) }
    try end(false, tag, "a reference")
  }

  override func beginArray(count: Int?) throws(FerryError) {
    guard let tag = try tag("an array") else { return try out.beginArray(count: count) }
    try end(false, tag, "an array")
  }

  override func beginDictionary(count: Int?) throws(FerryError) {
    if let tag = try tag("a dictionary") {
      guard tag == .data else { return try end(false, tag, "a dictionary") }
      state = .passing
      nested = Nested(budget, locator, losses)
      try out.beginDictionary(count: count)
      return
    }
    guard nested == nil else {
      nested?.depth += 1
      return try out.beginDictionary(count: count)
    }
    state = .begun
  }

  override func beginKey() throws(FerryError) {
    if let tag = try tag("a key that is not a string") { return try end(false, tag, "a key") }
    try out.beginKey()
  }

  override func endKey() throws(FerryError) { try out.endKey() }

  override func key(_ text: BorrowedText) throws(FerryError) {
    guard nested == nil else { return try out.key(text) }
    switch state {
    case .begun:
      guard let tag = TypedNotation.Scalar.allCases.first(where: { text.equals($0.rawValue) }) else {
        break
      }
      state = .inTag(tag)
      return
    case .inTag(let tag), .ending(let tag):
      let key = String(text)
      let isRepeated = text.equals(tag.rawValue)
      throw FerryError(.typed(isRepeated ? .repeated(key) : .crowded("the key \(MessageText.quoted(key))")))
    case .passing: break
    }
    try release()
    guard text.utf8.starts(with: "$\"") else { return try next.key(text) }
    let escaped = text.utf8.extracting(2..<max(2, text.utf8.count - 1))
    guard text.utf8.count > 2, text.utf8[text.utf8.count - 1] == UInt8(ascii: "\""),
      let units = EscapedText.units(of: BorrowedText(checked: escaped, isASCII: text.isASCII))
    else { throw FerryError(.typed(.badKey(String(text)))) }
    let bytes = generalizedUTF8(units)
    try next.key(BorrowedText(generalized: bytes.span))
  }

  override func endDictionary() throws(FerryError) {
    if let document = nested {
      try document.sink.endDictionary()
      nested?.depth -= 1
      guard document.depth == 1 else { return }
      nested = nil
      let bytes = try TypedNestedData.bytes(of: document.tapeSink.tape, budget: budget, losses: losses)
      try next.data(bytes.span)
      state = .ending(.data)
      return
    }
    switch state {
    case .ending: state = .passing
    case .inTag(let tag): throw FerryError(.typed(.badTag(tag.rawValue, found: "nothing")))
    case .begun, .passing:
      try release()
      try next.endDictionary()
    }
  }

  override func endArray() throws(FerryError) {
    try release()
    try out.endArray()
  }
}

extension BorrowedText {
  fileprivate func equals(_ other: String) -> Bool { utf8.equals(other.utf8.span) }

  /// Creates a text from generalized UTF-8, which is searched for surrogates.
  @_lifetime(copy generalized)
  init(generalized: Span<UInt8>) {
    var hasSurrogates = false
    let text = BorrowedText(checked: generalized, isASCII: generalized.isASCII)
    text.forEachScalar { if $0 & 0xffff_f800 == 0xd800 { hasSurrogates = true } }
    self.init(checked: generalized, isASCII: generalized.isASCII, hasSurrogates: hasSurrogates)
  }
}
