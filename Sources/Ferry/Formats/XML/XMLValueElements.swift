/// The elements that `XMLValueWriter` writes after the root element has been chosen.
struct XMLValueElements: ~Copyable {
  private enum Frame {
    /// A dictionary in an element. If `isStarted` is false, its start tag is incomplete.
    case dictionary(isStarted: Bool, isEmpty: Bool)
    /// An array whose elements have this name, inside an element of its own if it is nested in another array.
    case array(name: [UInt8], hasElement: Bool, count: Int)
  }

  private var xml: XMLOutput
  private let rootElement: [UInt8]
  private let losses: LossReport?
  private var frames: [Frame] = []
  /// The key of the next value.
  private var key: [UInt8] = []
  /// The key and the attributes of an incomplete start tag.
  private var elementKey: [UInt8] = []
  private var attributes: [(key: [UInt8], value: [UInt8])] = []
  /// True if the outermost dictionary is not written, because its single entry is the root element.
  private var isTopLeftOut = false

  init(_ xml: consuming XMLOutput, root: [UInt8], losses: LossReport?) {
    self.xml = xml
    rootElement = root
    self.losses = losses
  }

  /// Begins the outermost dictionary, with its first key.
  mutating func begin(leavesOutTop: Bool, firstKey: [UInt8]) throws(Failure) {
    isTopLeftOut = leavesOutTop
    if !leavesOutTop { try beginDictionary() }
    key = firstKey
  }

  mutating func finish() throws(Failure) { try xml.finish() }

  /// Reports a loss at the next value.
  func add(_ loss: Loss.Kind) { losses?.add(loss, path: place) }

  mutating func beginArray() throws(Failure) {
    try refuseAttribute("an array")
    switch frames.last {
    case .array(let name, _, _):
      try noteContent()
      try xml.startElement(name.span)
      frames.append(.array(name: Self.item, hasElement: true, count: 0))
    case .dictionary:
      try startElement()
      try noteContent()
      frames.append(.array(name: name(for: key), hasElement: false, count: 0))
    case nil:
      add(.wrapped)
      let name = rootElement
      try xml.startElement(name.span)
      frames.append(.array(name: Self.item, hasElement: true, count: 0))
    }
  }

  mutating func endArray() throws(Failure) {
    guard case .array(_, let hasElement, let count)? = frames.popLast() else {
      throw misplaced("the end of an array")
    }
    if count == 0 { add(.emptyCollection) }
    if count == 1 { add(.arrayOfOne) }
    if hasElement { try xml.endElement() }
  }

  mutating func beginDictionary() throws(Failure) {
    try refuseAttribute("a dictionary")
    switch frames.last {
    case .array(let name, _, _): elementKey = name
    case .dictionary:
      try startElement()
      elementKey = key
    case nil:
      if !isTopLeftOut { add(.wrapped) }
      elementKey = isTopLeftOut ? key : rootElement
    }
    try noteContent()
    frames.append(.dictionary(isStarted: false, isEmpty: true))
  }

  mutating func key(_ text: Text) throws(Failure) {
    if isTopLeftOut, frames.isEmpty {
      throw Failure(.xml(.misplaced("a second root element (--root NAME puts all into one)")))
    }
    guard case .dictionary = frames.last else { throw misplaced("a key") }
    key = [UInt8](copying: text.utf8)
  }

  mutating func endDictionary() throws(Failure) {
    if isTopLeftOut, frames.isEmpty { return }
    try startElement()
    guard case .dictionary(_, let isEmpty)? = frames.popLast() else {
      throw misplaced("the end of a dictionary")
    }
    if isEmpty { add(.emptyCollection) }
    try xml.endElement()
  }

  private func misplaced(_ what: String) -> Failure { Failure(.cannotHold(.misplaced(what))) }

  private static let item = Array("item".utf8)

  /// The path of the next value, as far as it is known.
  private var place: ValuePath {
    key.isEmpty ? ValuePath() : ValuePath([.key(String(decoding: key, as: UTF8.self))])
  }
}

// MARK: - Elements

extension XMLValueElements {
  mutating func scalar(_ text: Text) throws(Failure) {
    switch frames.last {
    case .array(let name, _, _):
      try noteContent()
      try element(name, text)
    case .dictionary(let isStarted, _):
      if key.first == UInt8(ascii: "@"), key.count > 1 {
        guard !isStarted else {
          throw Failure(.xml(.lateAttribute(String(decoding: key.dropFirst(), as: UTF8.self))))
        }
        attributes.append((Array(key.dropFirst()), [UInt8](copying: text.utf8)))
        return try noteContent()
      }
      try startElement()
      try noteContent()
      if key.elementsEqual("#text".utf8) { try xml.text(text) } else { try element(name(for: key), text) }
    case nil:
      if !isTopLeftOut { add(.wrapped) }
      try element(isTopLeftOut ? name(for: key) : rootElement, text)
    }
  }

  private mutating func element(_ name: [UInt8], _ text: Text) throws(Failure) {
    try xml.startElement(name.span)
    try xml.text(text)
    try xml.endElement()
  }

  private func refuseAttribute(_ kind: String) throws(Failure) {
    guard case .dictionary? = frames.last else { return }
    guard key.first == UInt8(ascii: "@"), key.count > 1 else {
      if key.elementsEqual("#text".utf8) {
        throw Failure(.cannotHold(.kind(kind, format: "the text of an element")))
      }
      return
    }
    throw Failure(.cannotHold(.kind(kind, format: "an attribute")))
  }

  private mutating func noteContent() throws(Failure) {
    guard let last = frames.indices.last else { return }
    switch frames[last] {
    case .array(let name, let hasElement, let count):
      frames[last] = .array(name: name, hasElement: hasElement, count: count + 1)
    case .dictionary(let isStarted, true): frames[last] = .dictionary(isStarted: isStarted, isEmpty: false)
    default: break
    }
  }

  /// Writes the current start tag at the first value that is not an attribute. Only now are the prefixes
  /// known that the element itself declares.
  private mutating func startElement() throws(Failure) {
    guard let last = frames.indices.last, case .dictionary(false, let isEmpty) = frames[last] else { return }
    frames[last] = .dictionary(isStarted: true, isEmpty: isEmpty)
    let isNamed = isElementNamed(at: last)
    let name = isNamed ? elementKey : name(for: elementKey)
    try xml.startElement(name.span)
    for (key, value) in attributes {
      let name = self.name(for: key)
      try xml.attribute(name.span, Text(value.span))
    }
    attributes.removeAll(keepingCapacity: true)
  }

  /// Returns true if the element of a dictionary is named already, and not by a key: in an array, or as
  /// `<root>`.
  private func isElementNamed(at index: Int) -> Bool {
    guard index > 0 else { return !isTopLeftOut }
    if case .array = frames[index - 1] { return true }
    return false
  }

  /// Returns the name for a key. A prefix is kept only if it is declared.
  private func name(for key: [UInt8]) -> [UInt8] {
    if key.span.isXMLName, key.span.end(ofFirst: "_x", from: 0) == nil, !key.contains(UInt8(ascii: ":")) {
      return key
    }
    let prefix = key.prefix { $0 != UInt8(ascii: ":") }
    let declaration = Array("xmlns:".utf8) + prefix
    let isDeclared =
      prefix.elementsEqual("xmlns".utf8) || xml.declares(Array(prefix).span)
      || attributes.contains { $0.key == declaration }
    return XMLKeyName.name(for: key.span, keepsColon: isDeclared)
  }
}
