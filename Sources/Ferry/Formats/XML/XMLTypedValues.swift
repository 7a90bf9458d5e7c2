/// An adapter after the reader of XML without a schema. It replaces dictionaries with the attributes of
/// `XMLTypeAttribute` by values of their types:
///
///     {"@xsi:type": "xs:integer", "#text": "36"}     36
///     {"@xsi:nil": "true"}                           null
///
/// A dictionary with other attributes, or whose text is not one that the type would be written as, stays as it is. The keys of
/// elements are their names, which the adapter decodes. The attributes of types and the declarations of prefixes have the keys of
/// `XMLNamespaceStyle.kept`, and the adapter gives those that stay the style of the other names.
final class XMLTypedValues: ForwardingSink {
  /// A dictionary or array of the reader.
  private enum Frame {
    /// The dictionary of the document, whose only key is that of the root element.
    case document
    /// The beginning of an element, with its attributes so far.
    case attributes([Attribute])
    /// An element whose text has a type.
    case scalar(type: String, [Attribute])
    case dictionary
    /// An element whose child elements are the elements of a list.
    case list
    case array
    /// The array of the reader with the child elements of such a list.
    case children
  }

  private struct Attribute {
    var key: [UInt8]
    var value: [UInt8]
  }

  /// Ferry's attributes of an element.
  private struct Marks {
    var beginsList = false
    var hasElements = false
    var isDictionary = false
    var isWrapper = false

    mutating func note(_ name: String, _ value: [UInt8]) {
      switch name {
      case "list": beginsList = value.elementsEqual("true".utf8)
      case "type":
        hasElements = value.elementsEqual("list".utf8)
        isDictionary = value.elementsEqual("dictionary".utf8)
      case "wrapper": isWrapper = value.elementsEqual("true".utf8)
      default: break
      }
    }
  }

  /// A key that waits for the attributes of its element.
  private struct Children {
    var waitingKey: [UInt8]?
    /// The last key that was sent.
    var lastKey: [UInt8] = []
    /// True if the elements with the last key are a list, which has begun.
    var isInList = false
  }

  private var frames: [Frame] = []
  private var children: [Children] = []
  /// The key of an attribute whose value follows.
  private var attributeKey: [UInt8]?
  /// The text of an element with a type.
  private var heldText: [UInt8]?
  /// The namespaces of prefixes, with the number of frames around their element.
  private var prefixes: [(prefix: [UInt8], namespace: [UInt8], depth: Int)] = []
  /// The namespaces of prefixes around a selected element, the innermost first.
  private var outerPrefixes: [(prefix: [UInt8], namespace: [UInt8])] = []
  /// True if the dictionary of the document has been left out.
  private var isUnwrapped = false
  /// The style of the names.
  private let style: XMLNamespaceStyle

  /// Creates an adapter for a document.
  ///
  /// - Parameter style: The style of the names.
  init(to next: any ValueSink, style: XMLNamespaceStyle) {
    self.style = style
    super.init(to: next)
  }

  /// Creates an adapter for selected elements, whose values are sent one after the other.
  convenience init(ofElementsTo next: any ValueSink, style: XMLNamespaceStyle) {
    self.init(to: next, style: style)
    push(.array)
  }

  /// Prepares for the next selected element.
  ///
  /// - Parameter declarations: The namespace declarations in its scope, the innermost first.
  func beginElement(in declarations: [(name: XMLName, namespace: [UInt8])]) {
    outerPrefixes = declarations.map { declaration in
      (Array(declaration.name.qualified.utf8.dropFirst("xmlns:".utf8.count)), declaration.namespace)
    }
  }

  // MARK: Values

  /// Prepares for a value that is not a dictionary.
  private func willSend() throws(FerryError) {
    if case .document? = frames.last { try sendDocument() }
    try sendKey(isList: false)
  }

  override func string(_ text: BorrowedText) throws(FerryError) {
    if let key = attributeKey, case .attributes(var attributes)? = frames.last {
      attributeKey = nil
      attributes.append(Attribute(key: key, value: [UInt8](copying: text.utf8)))
      frames[frames.count - 1] = .attributes(attributes)
    } else if case .scalar? = frames.last {
      heldText = [UInt8](copying: text.utf8)
    } else {
      try willSend()
      try next.string(text)
    }
  }

  override func beginArray(count: Int?) throws(FerryError) {
    if case .list? = frames.last { return push(.children) }
    try willSend()
    push(.array)
    try next.beginArray(count: count)
  }

  override func endArray() throws(FerryError) {
    if case .children? = frames.last { return pop() }
    pop()
    try next.endArray()
  }

  // MARK: Dictionaries

  override func beginDictionary(count: Int?) throws(FerryError) {
    push(frames.isEmpty ? .document : .attributes([]))
  }

  override func key(_ text: BorrowedText) throws(FerryError) {
    let key = [UInt8](copying: text.utf8)
    if case .attributes(let attributes)? = frames.last {
      if key.first == UInt8(ascii: "@") {
        attributeKey = key
        return
      }
      try decide(attributes)
    }
    if case .scalar(_, let attributes)? = frames.last {
      if key.elementsEqual("#text".utf8) { return }
      try sendBeginning(attributes)
    }
    if case .list? = frames.last { return }
    children[children.count - 1].waitingKey = key
  }

  override func endDictionary() throws(FerryError) {
    if case .attributes(let attributes)? = frames.last { try decide(attributes) }
    switch frames.last {
    case .scalar(let type, let attributes): try endScalar(type, attributes)
    case .document where isUnwrapped: break
    case .list: try next.endArray()
    default:
      if case .document? = frames.last { try sendDocument() }
      try endList()
      try next.endDictionary()
    }
    pop()
  }

  private func push(_ frame: Frame) {
    frames.append(frame)
    children.append(Children())
  }

  private func pop() {
    _ = frames.popLast()
    _ = children.popLast()
    while let last = prefixes.last, last.depth > frames.count { prefixes.removeLast() }
  }

  // MARK: Elements

  /// Decides the type of an element when all its attributes are known.
  private func decide(_ attributes: [Attribute]) throws(FerryError) {
    for attribute in attributes where attribute.key.starts(with: "@xmlns".utf8) {
      let prefix = Array(attribute.key.dropFirst("@xmlns:".utf8.count))
      prefixes.append((prefix, attribute.value, frames.count))
    }
    var (kept, type, isNil) = ([Attribute](), String?.none, false)
    var marks = Marks()
    for attribute in attributes {
      let name = attribute.key.dropFirst()
      guard let colon = name.firstIndex(of: UInt8(ascii: ":")) else {
        if style == .kept || !name.elementsEqual("xmlns".utf8) { kept.append(attribute) }
        continue
      }
      let (prefix, local) = (name[..<colon], String(decoding: name[(colon + 1)...], as: UTF8.self))
      if prefix.elementsEqual("xmlns".utf8) {
        if style == .kept, !XMLTypeAttribute.declares(attribute.value.span) { kept.append(attribute) }
      } else if isPrefix(prefix, XMLTypeAttribute.ferry) {
        marks.note(local, attribute.value)
      } else if isPrefix(prefix, XMLTypeAttribute.instance) {
        if local.equals("nil"), attribute.value.elementsEqual("true".utf8) { isNil = true }
        if local.equals("type"), let found = typeName(attribute.value) { type = found }
        kept.append(
          Attribute(key: styledKey(local, beside: attributes) ?? attribute.key, value: attribute.value))
      } else {
        kept.append(attribute)
      }
    }
    let isPlain = kept.count == (isNil || type != nil ? 1 : 0)
    try beginKey(of: marks)
    let last = frames.count - 1
    if marks.hasElements {
      frames[last] = .list
      try next.beginArray(count: nil)
    } else if marks.isDictionary {
      try sendBeginning(kept)
    } else if isPlain, isNil || type != nil {
      frames[last] = .scalar(type: isNil ? Self.null : type ?? "", kept)
    } else if kept.isEmpty, !attributes.isEmpty {
      // Without other attributes, an element with only text is a string.
      frames[last] = .scalar(type: "string", [])
    } else {
      try sendBeginning(kept)
    }
  }

  /// Returns the key of an attribute of XML Schema in the style of the names, or nil if it keeps its prefix.
  private func styledKey(_ local: String, beside attributes: [Attribute]) -> [UInt8]? {
    switch style {
    case .kept: return nil
    case .expanded: return Array("@{\(XMLTypeAttribute.instance)}\(local)".utf8)
    case .stripped:
      let bare = Array("@\(local)".utf8)
      return attributes.contains { $0.key == bare } ? nil : bare
    }
  }

  /// The type of an element with `xsi:nil`.
  private static let null = "nil"

  /// Sends the key of an element in the dictionary around it.
  private func beginKey(of marks: Marks) throws(FerryError) {
    guard let frame = frames.popLast(), let inner = children.popLast() else { return }
    if case .document? = frames.last {
      if marks.isWrapper {
        isUnwrapped = true
        children[children.count - 1].waitingKey = nil
      } else {
        try sendDocument()
      }
    }
    try sendKey(isList: marks.beginsList)
    frames.append(frame)
    children.append(inner)
  }

  /// Begins the dictionary of the innermost element, and sends its attributes.
  private func sendBeginning(_ attributes: [Attribute]) throws(FerryError) {
    frames[frames.count - 1] = .dictionary
    try next.beginDictionary(count: nil)
    for attribute in attributes {
      try next.key(BorrowedText(attribute.key.span))
      try next.string(BorrowedText(attribute.value.span))
    }
  }

  private func endScalar(_ type: String, _ attributes: [Attribute]) throws(FerryError) {
    let text = heldText ?? []
    heldText = nil
    let borrowed = BorrowedText(text.span)
    if type == Self.null, text.isEmpty { return try next.null() }
    if try XMLScalarType.send(borrowed, as: type, to: next) { return }
    try sendBeginning(attributes)
    if !text.isEmpty {
      let key = Array("#text".utf8)
      try next.key(BorrowedText(key.span))
      try next.string(borrowed)
    }
    try next.endDictionary()
  }

  /// Begins the dictionary of the document.
  private func sendDocument() throws(FerryError) {
    frames[frames.count - 1] = .dictionary
    try next.beginDictionary(count: nil)
  }

  // MARK: Keys

  /// Sends the key of the innermost dictionary that waits for its value.
  ///
  /// - Parameter isList: True if a list begins with the value.
  private func sendKey(isList: Bool) throws(FerryError) {
    guard let last = children.indices.last, let key = children[last].waitingKey else { return }
    children[last].waitingKey = nil
    if children[last].isInList, key == children[last].lastKey { return }
    try endList()
    let decoded = style.key(for: key.span)
    try next.key(BorrowedText(decoded.span))
    (children[last].lastKey, children[last].isInList) = (key, isList)
    if isList { try next.beginArray(count: nil) }
  }

  private func endList() throws(FerryError) {
    guard let last = children.indices.last, children[last].isInList else { return }
    children[last].isInList = false
    try next.endArray()
  }

  // MARK: Namespaces

  /// Returns true if a prefix has a namespace. An element on its own may use the usual prefixes without a declaration.
  private func isPrefix(_ prefix: some Collection<UInt8>, _ namespace: String) -> Bool {
    if let found = prefixes.last(where: { $0.prefix.elementsEqual(prefix) }) {
      return found.namespace.elementsEqual(namespace.utf8)
    }
    if let found = outerPrefixes.first(where: { $0.prefix.elementsEqual(prefix) }) {
      return found.namespace.elementsEqual(namespace.utf8)
    }
    let usual = XMLTypeAttribute.declarations.first { $0.1 == namespace }?.0.dropFirst("xmlns:".count)
    return prefix.elementsEqual((usual ?? "").utf8)
      || namespace == XMLTypeAttribute.schema && prefix.elementsEqual("xsd".utf8)
  }

  /// Returns the local name of a type of XML Schema, such as `xs:integer`; nil for other types.
  private func typeName(_ value: [UInt8]) -> String? {
    guard let colon = value.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    guard isPrefix(value[..<colon], XMLTypeAttribute.schema) else { return nil }
    return String(decoding: value[(colon + 1)...], as: UTF8.self)
  }
}
