/// The writer of the elements of `XMLValueWriter`, used when the root element is known.
struct XMLValueElements: ~Copyable {
  private enum Frame {
    /// A dictionary in an element. `isStarted` is false while its start tag is incomplete.
    case dictionary(isStarted: Bool, isEmpty: Bool)
    /// An array whose elements have this key. An array directly inside another array has an element of its
    /// own.
    case array(key: [UInt8], hasElement: Bool, count: Int)
  }

  private var xml: XMLOutput
  private let rootElement: [UInt8]
  private let losses: LossReport?
  private var frames: [Frame] = []
  private var tracker = PathTracker()
  /// The key of the next value.
  private var key: [UInt8] = []
  /// The key of the incomplete start tag. `attributes` are those added so far.
  private var elementKey: [UInt8] = []
  private var attributes: [(key: [UInt8], value: [UInt8])] = []
  /// The text of the innermost dictionary. It is held back until it is known whether other entries follow.
  private var heldText: [UInt8]?
  /// True if the outermost dictionary is not written, because its only entry is the root element.
  private var isTopLeftOut = false

  init(_ xml: consuming XMLOutput, root: [UInt8], losses: LossReport?) {
    self.xml = xml
    rootElement = root
    self.losses = losses
  }

  /// Begins the outermost dictionary, with its first key.
  mutating func begin(leavesOutTop: Bool, firstKey: [UInt8]) throws(FerryError) {
    isTopLeftOut = leavesOutTop
    if leavesOutTop { tracker.beginDictionary() } else { try beginDictionary() }
    tracker.key(firstKey.span)
    key = firstKey
  }

  mutating func finish() throws(FerryError) { try xml.finish() }

  /// Writes the buffered output.
  mutating func flush() throws(FerryError) { try xml.flush() }

  /// Reports a loss. Without a path, the loss is located at the next value.
  func add(_ loss: Loss.Kind, path: @autoclosure () -> ValuePath? = nil) {
    losses?.add(loss, path: path() ?? tracker.path)
  }

  mutating func beginArray() throws(FerryError) {
    defer { tracker.beginList() }
    switch frames.last {
    case .array(let key, _, _):
      add(.nestedArray)
      try noteContent()
      let name = name(for: key)
      try xml.startElement(name.span)
      frames.append(.array(key: Self.item, hasElement: true, count: 0))
    case .dictionary:
      try startElement()
      try noteContent()
      frames.append(.array(key: key, hasElement: false, count: 0))
    case nil:
      add(.wrapped)
      let name = rootElement
      try xml.startElement(name.span)
      frames.append(.array(key: Self.item, hasElement: true, count: 0))
    }
  }

  mutating func endArray() throws(FerryError) {
    guard case .array(_, let hasElement, let count)? = frames.popLast() else {
      throw misplaced("the end of an array")
    }
    if count == 0 { add(.emptyCollection, path: tracker.collectionPath) }
    if count == 1 { add(.arrayOfOne, path: tracker.collectionPath) }
    tracker.end()
    if hasElement { try xml.endElement() }
  }

  mutating func beginDictionary() throws(FerryError) {
    switch frames.last {
    case .array(let key, _, _): elementKey = key
    case .dictionary:
      try startElement()
      elementKey = key
    case nil:
      if !isTopLeftOut { add(.wrapped) }
      elementKey = isTopLeftOut ? key : rootElement
    }
    try noteContent()
    tracker.beginDictionary()
    frames.append(.dictionary(isStarted: false, isEmpty: true))
  }

  mutating func key(_ text: BorrowedText) throws(FerryError) {
    if isTopLeftOut, frames.isEmpty {
      throw FerryError(.xml(.misplaced("a second root element (--root NAME puts all into one)")))
    }
    guard case .dictionary = frames.last else { throw misplaced("a key") }
    try sendHeldTextAsElement()
    tracker.key(text.utf8)
    key = [UInt8](copying: text.utf8)
  }

  mutating func endDictionary() throws(FerryError) {
    if isTopLeftOut, frames.isEmpty { return }
    try endContent()
    guard case .dictionary(_, let isEmpty)? = frames.popLast() else {
      throw misplaced("the end of a dictionary")
    }
    if isEmpty { add(.emptyCollection, path: tracker.collectionPath) }
    tracker.end()
    try xml.endElement()
  }

  private func misplaced(_ what: String) -> FerryError { FerryError(.cannotHold(.misplaced(what))) }

  private static let item = Array("item".utf8)
}

// MARK: - Elements

extension XMLValueElements {
  mutating func scalar(_ text: BorrowedText) throws(FerryError) {
    switch frames.last {
    case .array(let key, _, _):
      try noteContent()
      try element(name(for: key), text)
    case .dictionary(let isStarted, _):
      if !isStarted, mayBeAttribute(text) {
        attributes.append((Array(key.dropFirst()), [UInt8](copying: text.utf8)))
      } else if mayBeText(text, isStarted: isStarted) {
        heldText = [UInt8](copying: text.utf8)
      } else {
        try startElement()
        try element(name(for: key), text)
      }
      try noteContent()
    case nil:
      if !isTopLeftOut { add(.wrapped) }
      try element(isTopLeftOut ? name(for: key) : rootElement, text)
    }
    tracker.finishValue()
  }

  private mutating func element(_ name: [UInt8], _ text: BorrowedText) throws(FerryError) {
    try xml.startElement(name.span)
    try xml.text(text)
    try xml.endElement()
  }

  /// Returns true if the entry with the current key can be written as an attribute. Otherwise it is written
  /// as an element, named for the whole key.
  private func mayBeAttribute(_ value: BorrowedText) -> Bool {
    guard key.first == UInt8(ascii: "@"), key.count > 1 else { return false }
    let name = key.dropFirst()
    if attributes.contains(where: { $0.key.elementsEqual(name) }) { return false }
    let isDefault = name.elementsEqual("xmlns".utf8)
    guard isDefault || name.starts(with: "xmlns:".utf8) else { return true }
    // The namespaces of `xml` and `xmlns` must not be declared with other prefixes.
    if value.equals("http://www.w3.org/XML/1998/namespace") || value.equals("http://www.w3.org/2000/xmlns/") {
      return false
    }
    let prefix = name.dropFirst(6)
    return isDefault
      || !value.utf8.isEmpty && !prefix.elementsEqual("xml".utf8) && !prefix.elementsEqual("xmlns".utf8)
  }

  /// Returns true if the entry with the current key can be written as text, provided that it is the last
  /// entry. A reader uses the key `#text` only for nonempty text in an element with attributes or children.
  private func mayBeText(_ text: BorrowedText, isStarted: Bool) -> Bool {
    key.elementsEqual("#text".utf8) && !text.utf8.isEmpty && (isStarted || !attributes.isEmpty)
  }

  /// Writes the held text as an element, because another entry follows and a reader would move the text to
  /// the end.
  private mutating func sendHeldTextAsElement() throws(FerryError) {
    guard let text = heldText else { return }
    heldText = nil
    try startElement()
    try element(name(for: Array("#text".utf8)), BorrowedText(text.span))
  }

  /// Writes the held text of the innermost dictionary. White space next to children is written as a CDATA
  /// section, because a reader would drop it as layout.
  private mutating func endContent() throws(FerryError) {
    guard let text = heldText else { return try startElement() }
    heldText = nil
    guard let last = frames.last, case .dictionary(let hasChildren, _) = last else { return }
    try startElement()
    if hasChildren, BorrowedText(text.span).isBlank {
      try xml.cdata(BorrowedText(text.span))
    } else {
      try xml.text(BorrowedText(text.span))
    }
  }

  private mutating func noteContent() throws(FerryError) {
    guard let last = frames.indices.last else { return }
    switch frames[last] {
    case .array(let key, let hasElement, let count):
      frames[last] = .array(key: key, hasElement: hasElement, count: count + 1)
    case .dictionary(let isStarted, true): frames[last] = .dictionary(isStarted: isStarted, isEmpty: false)
    default: break
    }
  }

  /// Completes the current start tag at the first value that is not an attribute. Only then are all prefixes
  /// known that the element declares.
  private mutating func startElement() throws(FerryError) {
    guard let last = frames.indices.last, case .dictionary(false, let isEmpty) = frames[last] else { return }
    frames[last] = .dictionary(isStarted: true, isEmpty: isEmpty)
    // The name of the root element was given, so it is not converted from a key.
    let name = last == 0 && !isTopLeftOut ? elementKey : name(for: elementKey)
    try xml.startElement(name.span)
    for (key, value) in attributes {
      let name = self.name(for: key, isAttribute: true)
      try xml.attribute(name.span, BorrowedText(value.span))
    }
    attributes.removeAll(keepingCapacity: true)
  }

  /// Returns the name for a key. A prefix is kept only if it is declared. The prefix `xmlns` is allowed only
  /// for attributes, which declare prefixes.
  private func name(for key: [UInt8], isAttribute: Bool = false) -> [UInt8] {
    let isName = key.span.isXMLName && key.span.end(ofFirst: "_x", from: 0) == nil
    if isName, !key.contains(UInt8(ascii: ":")) { return key }
    let prefix = key.prefix { $0 != UInt8(ascii: ":") }
    let declaration = Array("xmlns:".utf8) + prefix
    let isDeclared =
      prefix.elementsEqual("xmlns".utf8)
      ? isAttribute
      : xml.declares(Array(prefix).span)
        || attributes.contains { $0.key == declaration }
    return isName && isDeclared ? key : XMLKeyName.name(for: key.span, keepsColon: isDeclared)
  }
}
