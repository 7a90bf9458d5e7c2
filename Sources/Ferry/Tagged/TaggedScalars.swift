/// Shows the scalars that a target has no syntax for, each as a dictionary with a tag:
///
///     null             {"$null": true}
///     NaN, infinities  {"$real": "nan"}, {"$real": "-inf"}, {"$real": "nan:7ff8000000000001"}
///     32-bit reals     {"$single": 0.1}
///     decimals         {"$number": "2.20"}
///     data             {"$data": "AAEC"}
///     dates            {"$date": "2014-06-01T09:30:00.25Z"}, beyond all calendars {"$date": 1e300}
///     references       {"$uid": 4}
///     strings          {"$string": "\\u001b"}, and keys `$"\\u001b"`, where characters are not allowed
///
/// `UntaggedScalars` is the way back. JSON needs no tag for null, decimals and strings, a property list none for data,
/// dates of whole seconds, references, NaN and infinities.
final class TaggedScalars: ForwardingSink {
  private let holding: Holding
  /// How many documents may still be opened inside each other; 0 opens none.
  private let nesting: Int
  private let budget: Budget

  /// `nesting` is how many documents in data may be opened inside each other.
  init(to next: any ValueSink, holding: Holding, nesting: Int = 0, budget: Budget = Budget()) {
    self.holding = holding
    self.nesting = nesting
    self.budget = budget
    super.init(to: next)
  }

  private func tag(_ tag: TypedNotation.Scalar, _ send: () throws(Failure) -> Void) throws(Failure) {
    try next.beginDictionary(count: 1)
    try next.key(Text(tag.rawValue.utf8.span))
    try send()
    try next.endDictionary()
  }

  private func tag(_ tag: TypedNotation.Scalar, _ text: String) throws(Failure) {
    try self.tag(tag) { () throws(Failure) in try next.string(Text(text.utf8.span)) }
  }

  override func null() throws(Failure) {
    guard !holding.contains(.nulls) else { return try next.null() }
    try tag(.null) { () throws(Failure) in try next.boolean(true) }
  }

  override func real(_ value: Double) throws(Failure) {
    guard let text = TypedNotation.text(of: value) else { return try next.real(value) }
    let hasPayload = text.hasPrefix("nan:")
    guard !holding.contains(.notFinite) || hasPayload else { return try next.real(value) }
    try tag(.real, text)
  }

  override func single(_ value: Float) throws(Failure) {
    guard !holding.contains(.singles) else { return try next.single(value) }
    if let text = TypedNotation.text(of: value) { return try tag(.single, text) }
    // The shortest digits that give the 32 bits back, as a number of 64 bits.
    let shortest = Double(value.description) ?? Double(value)
    try tag(.single) { () throws(Failure) in try next.real(shortest) }
  }

  override func number(_ text: Text) throws(Failure) {
    guard !holding.contains(.decimals) else { return try next.number(text) }
    try tag(.number, String(text))
  }

  override func data(_ bytes: Span<UInt8>) throws(Failure) {
    if nesting > 0, let document = TypedNestedData.document([UInt8](copying: bytes), budget: budget) {
      return try tag(.data) { () throws(Failure) in
        try document.replay(
          into: TaggedScalars(to: next, holding: holding, nesting: nesting - 1, budget: budget))
      }
    }
    guard !holding.contains(.data) else { return try next.data(bytes) }
    let text = Base64.encode(bytes)
    try tag(.data) { () throws(Failure) in try next.string(Text(checked: text.span, isASCII: true)) }
  }

  override func date(_ seconds: Double) throws(Failure) {
    if holding.contains(.dates) { return try next.date(seconds) }
    guard let text = ISODate.text(seconds), ISODate.seconds(text)?.bitPattern == seconds.bitPattern else {
      if let text = TypedNotation.text(of: seconds) { return try tag(.date, text) }
      return try tag(.date) { () throws(Failure) in try next.real(seconds) }
    }
    // Years of other than four digits are left to the tag: not every reader of property lists takes them.
    guard holding.contains(.wholeDates), text.utf8.count == "2001-01-01T00:00:00Z".utf8.count else {
      return try tag(.date, text)
    }
    try next.date(seconds)
  }

  override func uid(_ number: UInt64) throws(Failure) {
    guard !holding.contains(.uids) else { return try next.uid(number) }
    try tag(.uid) { () throws(Failure) in try next.integer(Int128(number)) }
  }

  override func string(_ text: Text) throws(Failure) {
    guard !holding.contains(.surrogates), EscapedText.isNeeded(for: text) else {
      return try next.string(text)
    }
    var escaped: [UInt8] = []
    EscapedText.append(text, to: &escaped)
    let bytes = escaped
    try tag(.string) { () throws(Failure) in try next.string(Text(bytes.span)) }
  }

  override func key(_ text: Text) throws(Failure) {
    // A dictionary with this key alone is a reference to readers of property lists.
    let isMistaken = holding.contains(.uids) && text.equals("CF$UID")
    guard isMistaken || (!holding.contains(.surrogates) && EscapedText.isNeeded(for: text)) else {
      return try next.key(text)
    }
    var escaped = Array("$\"".utf8)
    EscapedText.append(text, to: &escaped)
    escaped.append(UInt8(ascii: "\""))
    let bytes = escaped
    try next.key(Text(bytes.span))
  }
}
