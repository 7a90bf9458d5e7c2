/// A sink that collects values for a page, as far as the limits allow.
final class PageCollector: ValueSink {
  private(set) var nodes = PageNodes()
  private let use: PageUse
  private let limits: PageLimits
  private let attachments: PageAttachments?
  private var open: [Frame] = []
  /// The nesting depth of collections inside a value that is left out.
  private var hiddenDepth = 0
  private var next = Start()

  /// A collection that is open.
  private struct Frame {
    let node: Int
    /// The number of parts that may be shown.
    let limit: Int
    var shown = 0
    var hidden = 0
  }

  /// The events before a value that belong to it.
  private struct Start {
    var key = 0
    var objects: [(type: ObjectClass, identity: Int?)] = []
    var opened: (byteCount: Int, summary: String)?
  }

  /// Creates a collector.
  ///
  /// - Parameter use: The use of the limits by all collectors of the page.
  init(limits: PageLimits, attachments: PageAttachments? = nil, use: PageUse = PageUse()) {
    (self.limits, self.attachments, self.use) = (limits, attachments, use)
  }

  // MARK: Rows

  /// Adds the next value. Returns nil if it is left out.
  private func add(_ kind: ValueKind) -> Int? {
    defer { next = Start() }
    guard beginPart() else { return nil }
    let node = nodes.add(kind, key: next.key)
    use.values += 1
    for object in next.objects { nodes.addObject(object.type, identity: object.identity, at: node) }
    if let opened = next.opened {
      nodes.add(PageNodes.DataValue(node: node, byteCount: opened.byteCount, summary: opened.summary))
    }
    return node
  }

  /// Counts a part of the innermost collection. Returns false if it is left out.
  private func beginPart() -> Bool {
    guard hiddenDepth == 0 else { return false }
    guard let last = open.indices.last else { return true }
    guard showsNext else {
      open[last].hidden += 1
      return false
    }
    open[last].shown += 1
    return true
  }

  /// True if the next value is not left out.
  private var showsNext: Bool {
    guard hiddenDepth == 0 else { return false }
    guard let last = open.last else { return true }
    return last.shown < last.limit && use.values < limits.values
  }

  private func begin(_ kind: ValueKind) {
    guard let node = add(kind) else { return hiddenDepth += 1 }
    open.append(Frame(node: node, limit: open.count < limits.depth ? limits.items : 0))
  }

  private func end() {
    guard hiddenDepth == 0 else { return hiddenDepth -= 1 }
    guard let frame = open.popLast() else { return }
    nodes.end(frame.node, shown: frame.shown, hidden: frame.hidden)
  }

  private func add(_ kind: ValueKind, text: @autoclosure () -> String) {
    if let node = add(kind) { nodes.setText(text(), of: node) }
  }

  // MARK: Scalars

  func null() { add(.null, text: "null") }
  func boolean(_ value: Bool) { add(.boolean, text: value ? "true" : "false") }
  func integer(_ value: Int128) { add(.integer, text: value.notation) }
  func real(_ value: Double) { add(.real, text: value.notation) }
  func single(_ value: Float) { add(.single, text: value.notation) }
  func date(_ secondsSince2001: Double) {
    add(.date, text: ISODate.text(secondsSince2001) ?? "date \(secondsSince2001.notation)")
  }
  func uid(_ number: UInt64) { add(.uid, text: "@\(number)") }
  func reference(_ identity: Int) {
    if let node = add(.reference) { nodes.setIdentity(identity, of: node) }
  }

  func number(_ text: BorrowedText) {
    if let node = add(.decimal) {
      setText(text, of: node, limit: TreeWriter.Limits.number(forText: limits.text))
    }
  }

  func string(_ text: BorrowedText) {
    guard let node = add(.string) else { return }
    setText(text, of: node, limit: limits.text)
    addAttachment(named: text, at: node)
  }

  /// Adds the file of a package that a text names.
  private func addAttachment(named name: BorrowedText, at node: Int) {
    let limit = min(limits.imageBytes, limits.allImageBytes - use.imageBytes)
    guard let file = attachments?.file(named: name, atMost: limit) else { return }
    let kind = FileKind(of: file.bytes.span)
    let isWhole = file.bytes.count == file.byteCount
    nodes.add(
      PageNodes.DataValue(
        node: node, byteCount: file.byteCount, summary: kind?.summary ?? "a file",
        image: isWhole ? image(kind, file.bytes.span) : nil))
  }

  /// Sets the text of a string or a number, cut if it is longer than a limit.
  private func setText(_ text: BorrowedText, of node: Int, limit: Int) {
    guard text.utf8.count > limit else {
      return nodes.setText(String(escapingSurrogatesOf: text), of: node)
    }
    nodes.setText(text.beginning(ofBytes: limit), of: node, cutFrom: text.utf8.count)
  }

  func data(_ bytes: Span<UInt8>) {
    guard let node = add(.data) else { return }
    nodes.setText(hexadecimal(bytes), of: node)
    let kind = FileKind(of: bytes)
    nodes.add(
      PageNodes.DataValue(
        node: node, byteCount: bytes.count, summary: kind?.summary ?? "data", image: image(kind, bytes)))
  }

  private func hexadecimal(_ bytes: Span<UInt8>) -> String {
    let shown = bytes.extracting(first: min(bytes.count, limits.dataBytes))
    return shown.indices.map { (shown[$0] < 16 ? "0" : "") + String(shown[$0], radix: 16) }.joined(
      separator: " ")
  }

  private func image(_ kind: FileKind?, _ bytes: Span<UInt8>) -> PageNodes.Image? {
    guard let type = kind?.imageType, bytes.count <= limits.imageBytes,
      use.imageBytes + bytes.count <= limits.allImageBytes
    else { return nil }
    use.imageBytes += bytes.count
    return PageNodes.Image(type: type, base64: String(decoding: Base64.encode(bytes), as: UTF8.self))
  }

  // MARK: Collections and objects

  func beginArray(count: Int?) { begin(.array) }
  func endArray() { end() }
  func beginSet(count: Int?) { begin(.set) }
  func endSet() { end() }
  func beginDictionary(count: Int?) { begin(.dictionary) }
  func endDictionary() { end() }

  func key(_ text: BorrowedText) {
    if showsNext { next.key = nodes.name(text, limit: limits.text) }
  }

  /// Takes the description of a key that no path can name.
  func key(describedAs text: String) {
    if showsNext { next.key = nodes.description(BorrowedText(text.utf8.span), limit: limits.text) }
  }

  // `PageKeys` describes these keys.
  func beginKey() {}
  func endKey() {}

  func beginObject(_ type: ObjectClass, identity: Int?) { next.objects.append((type, identity)) }
  func endObject() {}
  func finish() {}

  func willOpenData(_ bytes: Span<UInt8>) {
    next.opened = (bytes.count, FileKind(of: bytes)?.summary ?? "data")
  }
}

/// The values and images that several collectors have put on one page.
final class PageUse {
  var (values, imageBytes) = (0, 0)
}

/// An adapter that describes the keys that are not strings.
final class PageKeys: HeldKeys, OpenedDataSink {
  private let collector: PageCollector

  init(to collector: PageCollector) {
    self.collector = collector
    super.init(to: collector)
  }

  override func key(on tape: EventTape) throws(FerryError) {
    let key = try tape.value(at: .start)
    collector.key(describedAs: key.plainText ?? key.words)
  }

  func willOpenData(_ bytes: Span<UInt8>) { collector.willOpenData(bytes) }
}

extension FileKind {
  /// The media type of an image that a browser may show; nil for other files.
  fileprivate var imageType: String? {
    switch self {
    case .png: "image/png"
    case .jpeg: "image/jpeg"
    case .gif: "image/gif"
    case .webp: "image/webp"
    case .tiff: "image/tiff"
    case .heic: "image/heic"
    default: nil
    }
  }
}
