/// A printer of XML property lists: lines, indentation, tags and escapes.
struct XMLPropertyListPrinter: EventPrinter, ~Copyable {
  /// The kind of a collection.
  enum Shape { case array, dictionary }

  /// An open collection. Its start tag stays incomplete (`<dict` or `<array`) until its first child or its
  /// end shows whether it is empty.
  private struct Frame {
    let shape: Shape
    var isEmpty = true
    var awaitsValue = false
  }

  static let format = "an XML property list"

  private var buffer: OutputBuffer
  private var frames: [Frame] = []
  private var hasRoot = false
  /// One tab for each open collection.
  private var tabs: [UInt8] = []
  private var scratch: [UInt8] = []

  init(to output: any ByteOutput) { buffer = OutputBuffer(to: output) }

  /// Returns the text of this printer with escapes in place of the line feeds in strings and keys. In a file whose lines
  /// end with carriage returns, readers disagree about the line ends in strings: Apple's keep them, those of XML
  /// take each for a line feed.
  static func escapingLineFeeds(in text: [UInt8]) -> [UInt8] {
    var escaped: [UInt8] = []
    var isInString = false
    for (index, byte) in text.enumerated() {
      if byte == UInt8(ascii: "<") {
        let rest = text.span.extracting(index...)
        isInString = rest.starts(with: "<string>") || rest.starts(with: "<key>")
      }
      if byte == UInt8(ascii: "\n"), isInString {
        escaped.append(copying: "&#10;")
      } else {
        escaped.append(byte)
      }
    }
    return escaped
  }

  /// Returns the error for a value of a kind that the format cannot represent.
  static func cannotHold(_ kind: String) -> FerryError {
    FerryError(.cannotHold(.kind(kind, format: format)))
  }

  mutating func null() throws(FerryError) { throw Self.cannotHold("null") }

  mutating func number(_ text: BorrowedText) throws(FerryError) {
    throw Self.cannotHold("the number \(String(text)), which is not exactly an integer or a real")
  }

  mutating func boolean(_ value: Bool) throws(FerryError) {
    try beginValue("a boolean")
    try buffer.append(value ? "<true/>\n" : "<false/>\n")
  }

  mutating func integer(_ value: Int128) throws(FerryError) {
    try value.check64Bits(for: Self.format)
    try beginValue("an integer")
    try buffer.append("<integer>")
    try buffer.append(decimal: value)
    try buffer.append("</integer>\n")
  }

  mutating func real(_ value: Double) throws(FerryError) {
    try beginValue("a real number")
    scratch.removeAll(keepingCapacity: true)
    if value.isFinite {
      RealText.append(value, to: &scratch)
    } else {
      scratch.append(copying: value.isNaN ? "nan" : value > 0 ? "+infinity" : "-infinity")
    }
    try buffer.append("<real>")
    try buffer.append(scratch)
    try buffer.append("</real>\n")
  }

  mutating func string(_ text: BorrowedText, isPlain: Bool = false) throws(FerryError) {
    try beginValue("a string")
    try buffer.append("<string>")
    try buffer.append(xml: text)
    try buffer.append("</string>\n")
  }

  mutating func data(_ bytes: Span<UInt8>) throws(FerryError) {
    try beginValue("data")
    try buffer.append("<data>\n")
    // Lines of Base64 are indented by at most eight tabs, and a tab counts as eight characters.
    let tabCount = min(tabs.count, 8)
    let bytesInLine = (76 - 8 * tabCount) / 4 * 3
    var start = 0
    while start < bytes.count {
      let end = min(start + bytesInLine, bytes.count)
      scratch.removeAll(keepingCapacity: true)
      scratch.append(contentsOf: tabs.prefix(tabCount))
      Base64.encode(bytes.extracting(start..<end), into: &scratch)
      scratch.append(UInt8(ascii: "\n"))
      try buffer.append(scratch)
      start = end
    }
    try indent()
    try buffer.append("</data>\n")
  }

  mutating func date(_ text: String) throws(FerryError) {
    try beginValue("a date")
    try buffer.append("<date>")
    try buffer.append(text)
    try buffer.append("</date>\n")
  }

  mutating func uid(_ number: UInt64) throws(FerryError) {
    try begin(.dictionary)
    try key(BorrowedText("CF$UID".utf8.span))
    try integer(Int128(number))
    try end(.dictionary)
  }

  mutating func beginArray() throws(FerryError) { try begin(.array) }
  mutating func endArray() throws(FerryError) { try end(.array) }
  mutating func beginDictionary() throws(FerryError) { try begin(.dictionary) }
  mutating func endDictionary() throws(FerryError) { try end(.dictionary) }

  private mutating func begin(_ shape: Shape) throws(FerryError) {
    try beginValue(shape == .array ? "an array" : "a dictionary")
    try buffer.append(shape == .array ? "<array" : "<dict")
    frames.append(Frame(shape: shape))
    if frames.count <= Budget.indentedDepth { tabs.append(UInt8(ascii: "\t")) }
  }

  private mutating func end(_ shape: Shape) throws(FerryError) {
    guard let frame = frames.last, frame.shape == shape, !frame.awaitsValue else {
      throw misplaced(shape == .array ? "the end of an array" : "the end of a dictionary")
    }
    frames.removeLast()
    if frames.count < Budget.indentedDepth { tabs.removeLast() }
    guard !frame.isEmpty else { return try buffer.append("/>\n") }
    try indent()
    try buffer.append(shape == .array ? "</array>\n" : "</dict>\n")
  }

  mutating func key(_ text: BorrowedText, isPlain: Bool = false) throws(FerryError) {
    guard let top = frames.indices.last, frames[top].shape == .dictionary, !frames[top].awaitsValue else {
      throw misplaced("a key")
    }
    frames[top].awaitsValue = true
    try beginLine(top)
    try buffer.append("<key>")
    try buffer.append(xml: text)
    try buffer.append("</key>\n")
  }

  mutating func finish() throws(FerryError) {
    guard hasRoot, frames.isEmpty else { throw misplaced("the end") }
    try buffer.append("</plist>\n")
    try buffer.flush()
  }

  /// Writes the buffered output.
  mutating func flush() throws(FerryError) { try buffer.flush() }

  /// Begins the line of a value. Throws if a value is not allowed here.
  private mutating func beginValue(_ event: String) throws(FerryError) {
    guard let top = frames.indices.last else {
      guard !hasRoot else { throw misplaced("a second value") }
      hasRoot = true
      return try buffer.append(Self.header)
    }
    guard (frames[top].shape == .dictionary) == frames[top].awaitsValue else { throw misplaced(event) }
    frames[top].awaitsValue = false
    try beginLine(top)
  }

  private static let header: StaticString = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">

    """

  /// Begins a line in a collection. The first line completes the collection's start tag.
  private mutating func beginLine(_ top: Int) throws(FerryError) {
    if frames[top].isEmpty {
      frames[top].isEmpty = false
      try buffer.append(">\n")
    }
    try indent()
  }

  private mutating func indent() throws(FerryError) { try buffer.append(tabs) }

  private func misplaced(_ event: String) -> FerryError { FerryError(.cannotHold(.misplaced(event))) }
}

extension OutputBuffer {
  /// Writes the bytes of an array.
  fileprivate mutating func append(_ piece: [UInt8]) throws(FerryError) { try append(piece.span) }
}
