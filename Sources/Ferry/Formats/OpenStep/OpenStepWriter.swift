/// A writer of OpenStep property lists, strings files and GNUstep's property lists, in UTF-8.
///
///     {                                 "name" = "Ada";
///     	name = Ada;                     "motto" = "first, and exact";
///     	tags = (
///     		x,
///     	);
///     }
final class OpenStepWriter: PlainSink {
  private var buffer: OutputBuffer
  private let dialect: OpenStepDialect
  private var frames: [Frame] = []
  private var isDone = false

  /// An open collection.
  private struct Frame {
    let isDictionary: Bool
    /// False for the outermost dictionary of a strings file.
    var hasBraces = true
    var isEmpty = true
    /// True after a key.
    var awaitsValue = false
  }

  init(to output: any ByteOutput, _ dialect: OpenStepDialect) {
    buffer = OutputBuffer(to: output)
    self.dialect = dialect
  }

  var formatName: String { dialect.noun }

  // MARK: Scalars

  func string(_ text: BorrowedText) throws(FerryError) {
    try beginValue()
    let text = OpenStepString.text(text, quotesAll: dialect.quotesAll)
    try buffer.append(text.span)
    try endValue()
  }

  func data(_ bytes: Span<UInt8>) throws(FerryError) {
    try beginValue()
    try buffer.append("<")
    for index in 0..<bytes.count {
      if index > 0, index.isMultiple(of: 4) { try buffer.append(" ") }
      for digit in [bytes[index] >> 4, bytes[index] & 0xf] {
        try buffer.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
      }
    }
    try buffer.append(">")
    try endValue()
  }

  func null() throws(FerryError) { throw cannotHold("null") }
  func boolean(_ value: Bool) throws(FerryError) { try typed(.boolean(value), "a boolean") }
  func integer(_ value: Int128) throws(FerryError) {
    try value.check64Bits(for: formatName)
    try typed(.integer(value), "a number")
  }
  func real(_ value: Double) throws(FerryError) { try typed(.real(value), "a number") }
  func single(_ value: Float) throws(FerryError) { try real(Double(value)) }
  func number(_ text: BorrowedText) throws(FerryError) { throw cannotHold("the number \(String(text))") }
  func date(_ secondsSince2001: Double) throws(FerryError) { try typed(.date(secondsSince2001), "a date") }

  private func typed(_ value: GNUstepValue, _ words: String) throws(FerryError) {
    guard dialect.permissions.contains(.typedValues), let text = value.text else { throw cannotHold(words) }
    try beginValue()
    try buffer.append(text)
    try endValue()
  }

  // MARK: Collections

  func beginArray(count: Int?) throws(FerryError) {
    try beginValue()
    guard !frames.isEmpty || !dialect.omitsBraces else {
      throw FerryError(.cannotHold(.kind("an array around its entries", format: formatName)))
    }
    frames.append(Frame(isDictionary: false))
    try buffer.append("(")
  }

  func beginDictionary(count: Int?) throws(FerryError) {
    try beginValue()
    let hasBraces = !frames.isEmpty || !dialect.omitsBraces
    frames.append(Frame(isDictionary: true, hasBraces: hasBraces))
    if hasBraces { try buffer.append("{") }
  }

  func key(_ text: BorrowedText) throws(FerryError) {
    guard let frame = frames.last, frame.isDictionary, !frame.awaitsValue else {
      throw FerryError(.cannotHold(.misplaced("a key")))
    }
    try beginLine()
    let text = OpenStepString.text(text, quotesAll: dialect.quotesAll)
    try buffer.append(text.span)
    try buffer.append(" = ")
    frames[frames.count - 1].awaitsValue = true
  }

  func endArray() throws(FerryError) { try end(isDictionary: false) }
  func endDictionary() throws(FerryError) { try end(isDictionary: true) }

  private func end(isDictionary: Bool) throws(FerryError) {
    guard let frame = frames.last, frame.isDictionary == isDictionary, !frame.awaitsValue else {
      throw FerryError(.cannotHold(.misplaced("the end of a collection")))
    }
    frames.removeLast()
    if frame.hasBraces {
      // Apple's and Xcode's writers break the line also in an empty collection.
      try newLine()
      try buffer.append(isDictionary ? "}" : ")")
    }
    try endValue()
  }

  func finish() throws(FerryError) {
    guard isDone else { throw FerryError(.cannotHold(.misplaced("the end"))) }
    if !dialect.omitsBraces { try buffer.append("\n") }
    try buffer.flush()
  }

  // MARK: Layout

  private func beginValue() throws(FerryError) {
    guard let frame = frames.last else {
      guard !isDone else { throw FerryError(.cannotHold(.misplaced("a second value"))) }
      return
    }
    guard frame.isDictionary else { return try beginLine() }
    guard frame.awaitsValue else { throw FerryError(.cannotHold(.misplaced("a value without a key"))) }
  }

  /// Begins the line of an entry or an element.
  private func beginLine() throws(FerryError) {
    guard let frame = frames.last else { return }
    if !frame.isDictionary, !frame.isEmpty, !dialect.endsArraysInComma { try buffer.append(",") }
    frames[frames.count - 1].isEmpty = false
    if frame.hasBraces { try newLine() }
  }

  private func endValue() throws(FerryError) {
    guard let frame = frames.last else {
      isDone = true
      return
    }
    if frame.isDictionary {
      frames[frames.count - 1].awaitsValue = false
      try buffer.append(frame.hasBraces ? ";" : ";\n")
    } else if dialect.endsArraysInComma {
      try buffer.append(",")
    }
  }

  private func newLine() throws(FerryError) {
    try buffer.append("\n")
    let depth = frames.count - (frames.first?.hasBraces == false ? 1 : 0)
    for _ in 0..<min(depth, Budget.indentedDepth) { try buffer.append(dialect.indentation) }
  }
}
