/// A writer of YAML in block style, as people write it.
///
///     name: Ada              strings without quotation marks if every reader reads them as strings
///     code: "007"            otherwise in quotation marks
///     tags:
///       - math
///     notes: |
///       two
///       lines
///
/// Several documents are the elements of a list, with `---` between them. An empty list of documents is an empty file.
///
/// Data, dates and sets have YAML's own tags. A key that is not a scalar is written in flow style: `? [1, 2]`.
final class YAMLWriter: HeldKeys, PromptWriter {
  private let core: YAMLBlockWriter

  /// Creates a writer of one value, or of several documents if the layout or the reader of the values asks for them.
  init(to output: any ByteOutput, style: OutputStyle = .compact, documents: FoundDocuments? = nil) {
    core = YAMLBlockWriter(
      to: output, indentation: style.indentation?.spaceCount ?? 2, isASCII: style.isASCII
    ) { style.hasDocuments || documents?.areSeveral == true }
    super.init(to: core)
  }

  override func key(on tape: EventTape) throws(FerryError) {
    let flow = YAMLFlowWriter(isASCII: core.isASCII)
    try tape.replay(into: flow)
    try core.key(flow: flow.text, isScalar: tape.isScalar)
  }

  func flushComplete() throws(FerryError) { try core.flush() }
}

extension Indentation {
  /// The number of spaces of a level in YAML, which has no tabs and cannot do without any.
  fileprivate var spaceCount: Int {
    switch self {
    case .spaces: max(count, 1)
    case .tab: 2
    }
  }
}

/// The writer of everything but keys that are not strings.
private final class YAMLBlockWriter: ValueSink {
  private enum Kind { case array, set, dictionary }

  /// The role of a collection in the value around it.
  private enum Role { case root, element, value }

  private struct Frame {
    var kind: Kind
    /// The column of the entries.
    var column: Int
    /// True if no entry has been written.
    var isEmpty = true
    /// The role of the collection, which decides where its first entry goes.
    var role: Role
  }

  private var output: OutputBuffer
  private let indentation: Int
  /// True to write an escape for each character beyond ASCII.
  let isASCII: Bool
  private var frames: [Frame] = []
  private var hasRoot = false
  /// The writer of a collection in flow style, at a depth at which indentation would be most of the output.
  private var flow: YAMLFlowWriter?
  /// Returns true if the elements of the outermost list, which begins, are documents.
  private let listsDocuments: () -> Bool
  /// The number of documents so far, or nil if the output is a single value.
  private var documentCount: Int?
  /// True inside the list of documents.
  private var isInDocuments = false

  init(
    to output: any ByteOutput, indentation: Int, isASCII: Bool, listsDocuments: @escaping () -> Bool
  ) {
    self.output = OutputBuffer(to: output)
    (self.indentation, self.isASCII) = (indentation, isASCII)
    self.listsDocuments = listsDocuments
  }

  func flush() throws(FerryError) { try output.flush() }

  // MARK: Scalars

  func null() throws(FerryError) { try scalar("null") { flow throws(FerryError) in try flow.null() } }
  func boolean(_ value: Bool) throws(FerryError) {
    try scalar(value ? "true" : "false") { flow throws(FerryError) in try flow.boolean(value) }
  }
  func integer(_ value: Int128) throws(FerryError) {
    try scalar(value.notation) { flow throws(FerryError) in try flow.integer(value) }
  }
  func real(_ value: Double) throws(FerryError) {
    try scalar(YAMLScalar.text(of: value)) { flow throws(FerryError) in try flow.real(value) }
  }
  func single(_ value: Float) throws(FerryError) { try real(Double(value)) }
  func number(_ text: BorrowedText) throws(FerryError) {
    if let flow { return try flow.number(text) }
    try YAMLFlowWriter.check(number: text)
    try beginValue()
    try space()
    try output.append(text.utf8)
  }

  /// True if nothing is in the output before the current document.
  private var isInFirstDocument: Bool { documentCount ?? 1 <= 1 }

  /// Returns true if a text has characters for which escapes are written.
  private func needsEscapes(_ text: BorrowedText) -> Bool { isASCII && !text.isASCII }

  /// Returns the notation of a string on one line.
  ///
  /// - Parameter isFirst: True for a string at the beginning of the output.
  private func quoted(_ text: BorrowedText, isKey: Bool = false, isFirst: Bool) -> [UInt8] {
    guard !needsEscapes(text) else { return YAMLString.doubleQuoted(text.utf8, isASCII: true) }
    return isFirst
      ? YAMLString.firstText(of: text.utf8, isKey: isKey) : YAMLString.text(of: text.utf8, isKey: isKey)
  }

  func string(_ text: BorrowedText) throws(FerryError) {
    if let flow { return try flow.string(text) }
    try beginValue()
    guard !needsEscapes(text), let block = YAMLString.block(of: text.utf8) else {
      try space()
      let quoted = quoted(text, isFirst: frames.isEmpty && isInFirstDocument)
      return try output.append(quoted.span)
    }
    try space()
    try output.append(block.header)
    let column = (frames.last?.column ?? 0) + (frames.isEmpty ? indentation : max(indentation, 2))
    for line in block.lines {
      try output.append(UInt8(ascii: "\n"))
      guard !line.isEmpty else { continue }
      for _ in 0..<column { try output.append(0x20) }
      try output.append(text.utf8.extracting(line))
    }
  }

  func data(_ bytes: Span<UInt8>) throws(FerryError) {
    if let flow { return try flow.data(bytes) }
    try beginValue()
    try space()
    try output.append("!!binary \"")
    let text = Base64.encode(bytes)
    try output.append(text.span)
    try output.append("\"")
  }

  func date(_ secondsSince2001: Double) throws(FerryError) {
    try scalar(YAMLFlowWriter.timestamp(secondsSince2001)) { flow throws(FerryError) in
      try flow.date(secondsSince2001)
    }
  }

  func uid(_ number: UInt64) throws(FerryError) {
    throw YAMLFlowWriter.cannotHold("a reference of an archive")
  }
  func reference(_ identity: Int) throws(FerryError) {
    throw YAMLFlowWriter.cannotHold("a reference to an object")
  }
  func beginObject(_ type: ObjectClass, identity: Int?) throws(FerryError) {
    throw YAMLFlowWriter.cannotHold("an object")
  }
  func endObject() throws(FerryError) { throw YAMLFlowWriter.cannotHold("an object") }

  private func scalar(
    _ text: String, _ send: (YAMLFlowWriter) throws(FerryError) -> Void
  ) throws(FerryError) {
    if let flow { return try send(flow) }
    try beginValue()
    try space()
    try output.append(text)
  }

  /// Writes the space between a key or a dash and a scalar.
  private func space() throws(FerryError) { if !frames.isEmpty { try output.append(0x20) } }

  // MARK: Collections

  func beginArray(count: Int?) throws(FerryError) {
    guard !hasRoot, listsDocuments() else { return try begin(.array) }
    (hasRoot, documentCount, isInDocuments) = (true, 0, true)
  }
  func endArray() throws(FerryError) {
    guard isInDocuments, frames.isEmpty else { return try end(.array) }
    isInDocuments = false
  }
  func beginSet(count: Int?) throws(FerryError) { try begin(.set) }
  func endSet() throws(FerryError) { try end(.set) }
  func beginDictionary(count: Int?) throws(FerryError) { try begin(.dictionary) }
  func endDictionary() throws(FerryError) { try end(.dictionary) }

  private func begin(_ kind: Kind) throws(FerryError) {
    if flow == nil {
      try beginValue()
      if frames.count < Budget.indentedDepth {
        let role: Role =
          frames.isEmpty ? .root : frames[frames.count - 1].kind == .dictionary ? .value : .element
        let outer = frames.last?.column ?? 0
        let column =
          switch role {
          case .root: 0
          case .element: outer + 2
          case .value: outer + indentation
          }
        frames.append(Frame(kind: kind, column: column, role: role))
        if kind == .set {
          try output.append(role == .root ? "!!set" : " !!set")
        }
        return
      }
      flow = YAMLFlowWriter(isASCII: isASCII)
    }
    switch kind {
    case .array: try flow?.beginArray(count: nil)
    case .set: try flow?.beginSet(count: nil)
    case .dictionary: try flow?.beginDictionary(count: nil)
    }
  }

  private func end(_ kind: Kind) throws(FerryError) {
    if let flow {
      switch kind {
      case .array: try flow.endArray()
      case .set: try flow.endSet()
      case .dictionary: try flow.endDictionary()
      }
      guard flow.isComplete else { return }
      self.flow = nil
      try space()
      return try output.append(flow.text.span)
    }
    guard let frame = frames.popLast() else { throw YAMLFlowWriter.misplaced("the end of a collection") }
    if frame.isEmpty {
      if frame.kind == .set || frame.role != .root { try output.append(0x20) }
      try output.append(frame.kind == .array ? "[]" : "{}")
    }
  }

  func key(_ text: BorrowedText) throws(FerryError) {
    if let flow { return try flow.key(text) }
    let isFirst = frames.count == 1 && frames[0].isEmpty && isInFirstDocument
    try beginEntry()
    let name = quoted(text, isKey: true, isFirst: isFirst)
    if text.utf8.count > YAMLString.maximumKey || needsEscapes(text) && name.count > YAMLString.maximumKey {
      try output.append("? ")
      let quoted = YAMLString.doubleQuoted(text.utf8, isASCII: isASCII)
      try output.append(quoted.span)
      try newLine()
    } else {
      try output.append(name.span)
    }
    try output.append(UInt8(ascii: ":"))
  }

  /// Writes a key in flow style.
  func key(flow text: [UInt8], isScalar: Bool) throws(FerryError) {
    if let flow { return flow.key(flow: text) }
    try beginEntry()
    if !isScalar || text.count > YAMLString.maximumKey {
      try output.append("? ")
      try output.append(text.span)
      try newLine()
    } else {
      try output.append(text.span)
    }
    try output.append(UInt8(ascii: ":"))
  }

  func beginKey() throws(FerryError) { throw YAMLFlowWriter.misplaced("a key") }
  func endKey() throws(FerryError) { throw YAMLFlowWriter.misplaced("the end of a key") }

  /// Begins a value: in an array or a set, with its dash or question mark.
  private func beginValue() throws(FerryError) {
    guard let frame = frames.last else {
      if isInDocuments { return try beginDocument() }
      guard !hasRoot else { throw YAMLFlowWriter.misplaced("a second value") }
      hasRoot = true
      return
    }
    switch frame.kind {
    case .dictionary: return
    case .array, .set:
      try beginEntry()
      try output.append(UInt8(ascii: frame.kind == .array ? "-" : "?"))
    }
  }

  /// Begins a document, with a mark after the one before.
  private func beginDocument() throws(FerryError) {
    let count = documentCount ?? 0
    if count > 0 { try output.append("\n---\n") }
    documentCount = count + 1
  }

  /// Begins an entry on a line of its own, or after the dash of the element that it is in.
  private func beginEntry() throws(FerryError) {
    guard let frame = frames.last else { throw YAMLFlowWriter.misplaced("a key") }
    frames[frames.count - 1].isEmpty = false
    guard frame.isEmpty, frame.kind != .set else { return try newLine() }
    switch frame.role {
    case .root: break
    case .element: try output.append(0x20)
    case .value: try newLine()
    }
  }

  private func newLine() throws(FerryError) {
    try output.append(UInt8(ascii: "\n"))
    for _ in 0..<(frames.last?.column ?? 0) { try output.append(0x20) }
  }

  func finish() throws(FerryError) {
    guard frames.isEmpty, flow == nil, hasRoot, !isInDocuments else {
      throw YAMLFlowWriter.misplaced("the end")
    }
    if documentCount != 0 { try output.append(UInt8(ascii: "\n")) }
    try output.flush()
  }
}
