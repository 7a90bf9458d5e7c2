/// The printer of the JSON writers: the position in the grammar, and the output.
struct JSONPrinter: EventPrinter, ~Copyable {
  static let formatName = "JSON"

  /// The position of the next event in the grammar.
  private enum State {
    case root
    /// After the value, and after its final line feed.
    case end, whole
    case firstElement, element
    case firstKey, key, value
    /// In an array whose elements are lines.
    case firstLine, line
  }

  private var output: OutputBuffer
  private let isPretty: Bool
  private let style: OutputStyle
  private let layout: JSONLayout
  private let dialect: JSONDialect
  private var state = State.root
  /// The size of the output up to the end of the last complete line, in bytes.
  private var lineEnd = 0
  /// For each open container, the position after its end.
  private var enclosing: [State] = []

  init(
    to output: any ByteOutput, _ style: OutputStyle, _ layout: JSONLayout = .document,
    _ dialect: JSONDialect = .strict
  ) {
    self.output = OutputBuffer(to: output)
    (self.style, self.layout, self.dialect) = (style, layout, dialect)
    isPretty = style.indentation != nil && layout != .lines
  }

  /// Writes the events of a batch.
  mutating func receive(_ events: borrowing EventBatch) throws(EventFailure) {
    var index = 0
    while index < events.count {
      do throws(FerryError) {
        if try appendEntry(events, index) {
          index += 2
          continue
        }
        // The most common events are handled here, which saves a call for each.
        switch events.kind(index) {
        case .key: try key(events.text(index), isPlain: events.isPlain(index))
        case .integer: try integer(events.integer(index))
        case .beginDictionary: try beginDictionary()
        case .endDictionary: try endDictionary()
        default: try write(events, index)
        }
      } catch {
        throw EventFailure(error: error, index: index)
      }
      index += 1
    }
  }

  /// Writes a key and its value, or the beginning of its dictionary, which are most of the events, if the texts are plain, the output is
  /// compact and the buffer has room. Returns false without an effect otherwise. The only errors are those of the output.
  @inline(__always)
  private mutating func appendEntry(_ events: borrowing EventBatch, _ index: Int) throws(FerryError) -> Bool {
    guard state == .key || state == .firstKey, !isPretty, !style.isASCII, index < events.count &- 1,
      events.kind(index) == .key, events.isPlain(index)
    else { return false }
    let value = index &+ 1
    let kind = events.kind(value)
    switch kind {
    case .string:
      guard events.isPlain(value),
        output.appendIfRoom(
          events.text(index).utf8, events.text(value).utf8, isFirst: state == .firstKey)
      else { return false }
    case .integer, .boolean, .beginDictionary:
      guard output.appendIfRoom(events.text(index).utf8, isFirst: state == .firstKey) else { return false }
      switch kind {
      case .integer: try output.append(decimal: events.integer(value))
      case .boolean: try output.append(events.boolean(value) ? "true" : "false")
      default:
        try output.append(UInt8(ascii: "{"))
        enclosing.append(.key)
        state = .firstKey
        return true
      }
    default: return false
    }
    state = .key
    return true
  }

  mutating func null() throws(FerryError) { try word("null") }

  mutating func boolean(_ value: Bool) throws(FerryError) { try word(value ? "true" : "false") }

  private mutating func word(_ word: StaticString) throws(FerryError) {
    try beginValue()
    try output.append(word)
  }

  mutating func integer(_ value: Int128) throws(FerryError) {
    try beginValue()
    try output.append(decimal: value)
  }

  mutating func real(_ value: Double) throws(FerryError) {
    guard value.isFinite else { return try notFinite(value) }
    try beginValue()
    try output.append(value.notation)
  }

  private mutating func notFinite(_ value: Double) throws(FerryError) {
    guard dialect.permits(.moreNumbers) else { throw cannotHold(value.isNaN ? "NaN" : "infinity") }
    try beginValue()
    try output.append(value.javaScriptNotation)
  }

  mutating func number(_ text: BorrowedText) throws(FerryError) {
    guard text.utf8.flawInJSONNumber == nil else { throw cannotHold("the number \(String(text))") }
    try beginValue()
    try output.append(text.utf8)
  }

  mutating func string(_ text: BorrowedText, isPlain: Bool = false) throws(FerryError) {
    try beginValue()
    try append(quoted: text, isPlain: isPlain)
  }

  mutating func beginArray() throws(FerryError) {
    if layout != .document, state == .root {
      state = .firstLine
      return
    }
    try beginValue()
    enclosing.append(state)
    state = .firstElement
    try output.append(UInt8(ascii: "["))
  }

  mutating func endArray() throws(FerryError) {
    switch state {
    case .firstElement, .element: try end(isEmpty: state == .firstElement, UInt8(ascii: "]"))
    case .firstLine: state = .whole
    case .line: state = .end
    default: throw misplaced("the end of an array")
    }
  }

  mutating func beginDictionary() throws(FerryError) {
    try beginValue()
    enclosing.append(state)
    state = .firstKey
    try output.append(UInt8(ascii: "{"))
  }

  mutating func key(_ text: BorrowedText, isPlain: Bool = false) throws(FerryError) {
    if isPlain, !isPretty, !style.isASCII, state == .key || state == .firstKey {
      let separator = state == .key ? UInt8(ascii: ",") : nil
      state = .value
      return try output.append(quoted: text.utf8, after: separator, before: UInt8(ascii: ":"))
    }
    switch state {
    case .firstKey: break
    case .key: try output.append(UInt8(ascii: ","))
    default: throw misplaced("a key")
    }
    if isPretty { try newLine() }
    try append(quoted: text, isPlain: isPlain)
    try output.append(UInt8(ascii: ":"))
    if isPretty { try output.append(UInt8(ascii: " ")) }
    state = .value
  }

  mutating func endDictionary() throws(FerryError) {
    guard state == .firstKey || state == .key else { throw misplaced("the end of a dictionary") }
    try end(isEmpty: state == .firstKey, UInt8(ascii: "}"))
  }

  mutating func finish() throws(FerryError) {
    switch state {
    case .end: try output.append(layout.terminator)
    case .whole: break
    default: throw misplaced("the end")
    }
    state = .whole
    try output.flush()
  }

  /// Writes the output so far; of lines, only the complete ones.
  mutating func flushComplete() throws(FerryError) {
    guard layout != .document else { return try output.flush() }
    if state == .line {
      try endLine()
      // The separator of the next line has been written.
      state = .firstLine
    }
    try output.flush(upTo: lineEnd)
  }

  private mutating func endLine() throws(FerryError) {
    try output.append(layout.terminator)
    lineEnd = output.count
  }

  private mutating func beginLine() throws(FerryError) {
    if layout == .textSequence { try output.append(JSONBytes.recordSeparator) }
  }

  private mutating func beginValue() throws(FerryError) {
    switch state {
    case .value: state = .key
    case .element:
      try output.append(UInt8(ascii: ","))
      if isPretty { try newLine() }
    case .firstElement:
      if isPretty { try newLine() }
      state = .element
    case .line:
      try endLine()
      try beginLine()
    case .firstLine:
      state = .line
      try beginLine()
    case .root:
      state = .end
      try beginLine()
    case .end, .whole: throw misplaced("a second value")
    case .firstKey, .key: throw misplaced("a value without a key")
    }
  }
  private mutating func end(isEmpty: Bool, _ bracket: UInt8) throws(FerryError) {
    state = enclosing.popLast() ?? .end
    if isPretty, !isEmpty { try newLine() }
    try output.append(bracket)
  }

  private mutating func newLine() throws(FerryError) {
    try output.append(UInt8(ascii: "\n"))
    guard let indentation = style.indentation else { return }
    for _ in 0..<min(enclosing.count, Budget.indentedDepth) * indentation.count {
      try output.append(indentation.byte)
    }
  }

  private mutating func append(quoted text: BorrowedText, isPlain: Bool) throws(FerryError) {
    let isEscaped = style.isASCII && !text.isASCII
    guard !isPlain || isEscaped else { return try output.append(quoted: text.utf8) }
    try output.append(UInt8(ascii: "\""))
    if isEscaped {
      try appendInASCII(text)
    } else if text.hasSurrogates {
      try appendWithSurrogates(text)
    } else {
      try append(escaped: text.utf8)
    }
    try output.append(UInt8(ascii: "\""))
  }

  private mutating func append(escaped bytes: Span<UInt8>) throws(FerryError) {
    var index = 0
    while true {
      let end = bytes.plainJSONRun(from: index).end
      if end > index { try output.append(bytes.extracting(index..<end)) }
      guard end < bytes.count else { return }
      try append(escape: bytes[end])
      index = end + 1
    }
  }

  private mutating func append(escape byte: UInt8) throws(FerryError) {
    try output.append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): try output.append(byte)
    case 0x08: try output.append(UInt8(ascii: "b"))
    case 0x09: try output.append(UInt8(ascii: "t"))
    case 0x0a: try output.append(UInt8(ascii: "n"))
    case 0x0c: try output.append(UInt8(ascii: "f"))
    case 0x0d: try output.append(UInt8(ascii: "r"))
    default: try append(unit: UInt32(byte))
    }
  }

  /// Appends `u00xx` or `udxxx`, which follows a backslash.
  private mutating func append(unit: UInt32) throws(FerryError) {
    let digits = String(unit + 0x1_0000, radix: 16).dropFirst()
    try output.append("u\(digits)")
  }

  private mutating func appendWithSurrogates(_ text: BorrowedText) throws(FerryError) {
    var index = 0
    while index < text.utf8.count {
      let (scalar, length) = text.utf8.scalar(at: index)
      if scalar & 0xffff_f800 == 0xd800 {
        try output.append(UInt8(ascii: "\\"))
        try append(unit: scalar)
      } else {
        try append(escaped: text.utf8.extracting(index..<min(index + length, text.utf8.count)))
      }
      index += length
    }
  }

  /// Appends a text with an escape for each UTF-16 code unit beyond ASCII.
  private mutating func appendInASCII(_ text: BorrowedText) throws(FerryError) {
    var index = 0
    while index < text.utf8.count {
      let (scalar, length) = text.utf8.scalar(at: index)
      switch scalar {
      case 0..<0x80: try append(escaped: text.utf8.extracting(index..<index + length))
      case 0x1_0000...:
        let offset = scalar - 0x1_0000
        for unit in [0xd800 + (offset >> 10), 0xdc00 + (offset & 0x3ff)] {
          try output.append(UInt8(ascii: "\\"))
          try append(unit: unit)
        }
      default:
        try output.append(UInt8(ascii: "\\"))
        try append(unit: scalar)
      }
      index += length
    }
  }

  private func misplaced(_ event: String) -> FerryError { FerryError(.cannotHold(.misplaced(event))) }

  private func cannotHold(_ kind: String) -> FerryError {
    FerryError(.cannotHold(.kind(kind, format: Self.formatName)))
  }
}
