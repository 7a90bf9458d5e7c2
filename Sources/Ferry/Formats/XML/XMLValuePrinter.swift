/// The printer of the elements of `XMLValueWriter`, used when the root element is known.
struct XMLValuePrinter: EventPrinter, ~Copyable {
  private enum Frame {
    /// A dictionary in an element. `isStarted` is false while its start tag is incomplete.
    case dictionary(isStarted: Bool, isEmpty: Bool)
    /// An array whose elements have this key. An array directly inside another array has an element of its
    /// own.
    case array(key: [UInt8], hasElement: Bool, count: Int)
    /// The list of an element's contents, or of the document.
    case content(Content)
    /// A dictionary in a list of contents, with the number of its entries so far.
    case item(count: Int)
  }

  /// A list of contents in document order.
  private struct Content {
    /// True if the list contains text that is not white space, so that all white space in it is text. Nil if that is not
    /// known.
    var isMixed: Bool?
    /// True if the list has the root element of the document, and comments and instructions beside it.
    var isDocument: Bool
    /// True if the last element of the list is text.
    var endsInText = false
    /// True if the last element of the list is a CDATA section, and true if the element before it was one.
    var endsInSection = false
    var followsSection = false
    /// The names of the attributes of the element.
    var attributes: [[UInt8]] = []
    /// True if an element in the list has the key of an attribute, so that a reader finds a list whatever the other elements contain.
    var hasKeyOfAttribute = false
    var isEmpty = true
    /// True if the list has other values than text.
    var hasItems = false
  }

  private var xml: XMLPrinter
  private let rootElement: [UInt8]
  /// True if `rootElement` is a key, which is escaped like other keys.
  private let rootIsKey: Bool
  /// The key of the elements of a list that is the value.
  private let itemOfRoot: [UInt8]
  private let losses: LossReport?
  private var frames: [Frame] = []
  private var tracker = PathTracker()
  /// The key of the next value.
  private(set) var key: [UInt8] = []
  /// The key of the incomplete start tag. `attributes` are those added so far.
  private var elementKey: [UInt8] = []
  private var attributes = TagAttributes()
  /// The text of the innermost dictionary. It is held back until it is known whether other entries follow.
  private var heldText: [UInt8]?
  /// True if the outermost dictionary is not written, because its only entry is the root element.
  private var isTopLeftOut = false
  /// True if a reader finds lists of contents. Readers of records do not.
  var readsContents = true
  /// The forms that a reader will find by the other elements with a path; nil if attributes give each value its form, or if they are not
  /// reported.
  private var forms: XMLWrittenForms?
  /// True to report a root element around the value.
  private let reportsRoot: Bool
  /// True if the root element of a list is the one that joined documents have in common.
  private let hasCommonRoot: Bool
  /// The declarations on the root element of a list.
  private let declarations: [NamespaceDeclaration]
  /// True if the last event has ended a list of contents.
  private var hasEndedContent = false

  /// True if attributes give the values their types (see `XMLTypeAttribute`).
  private let hasTypes: Bool
  /// True if a key such as `{urn:a}b` is an element or attribute of the namespace, and not one with an escaped name.
  var bindsNamespaces: Bool
  /// True if each key `{namespace}b` is such an element or attribute, whatever the namespace is.
  private let hasExpandedNames: Bool
  /// True if the prefixes of these attributes have been declared.
  private var hasDeclared = false
  /// The attributes of types for the incomplete start tag.
  private var marks: [(name: String, value: String)] = []

  init(
    _ xml: consuming XMLPrinter, _ names: XMLListNames, hasTypes: Bool, hasExpandedNames: Bool = false,
    reportsForms: Bool, losses: LossReport?
  ) {
    self.xml = xml
    (rootElement, itemOfRoot) = (Array(names.root.utf8), Array(names.item.utf8))
    rootIsKey = names.rootIsKey
    self.hasTypes = hasTypes
    // With types, each key is read back as it is.
    bindsNamespaces = !hasTypes
    self.hasExpandedNames = hasExpandedNames
    self.losses = losses
    reportsRoot = !hasTypes && reportsForms && names.reportsRoot
    (hasCommonRoot, declarations) = (!names.reportsRoot, names.declarations)
    forms = hasTypes || !reportsForms || losses == nil ? nil : XMLWrittenForms()
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
    defer {
      tracker.beginList()
      forms?.beginArray()
    }
    switch frames.last {
    case .array(let key, _, _):
      if !hasTypes { add(.nestedArray) }
      let marks = hasTypes ? marksOfNext + [Self.listMark] : []
      try noteContent()
      try startList(name(for: key), marks)
      frames.append(.array(key: Self.item, hasElement: true, count: 0))
    case .dictionary:
      try sendHeldText()
      try startElement()
      try noteContent()
      frames.append(.array(key: key, hasElement: false, count: 0))
    case .content:
      add(.contentForm)
      try noteContent()
      frames.append(.array(key: Self.item, hasElement: false, count: 0))
    case .item:
      add(.contentForm)
      frames.append(.array(key: key, hasElement: false, count: 0))
    case nil:
      if reportsRoot { add(.wrapped) }
      try startRootOfList()
      frames.append(.array(key: itemOfRoot, hasElement: true, count: 0))
    }
  }

  /// Starts the root element of a list, whose name may have a prefix that the element declares.
  private mutating func startRootOfList() throws(FerryError) {
    for declaration in declarations {
      attributes.append(Array(declaration.name.utf8), Array(declaration.namespace.utf8))
    }
    try startList(rootName(), hasTypes ? [Self.wrapperMark, Self.listMark] : [])
    for (name, value) in attributes.all { try xml.attribute(name.span, BorrowedText(value.span)) }
    attributes.removeAll()
  }

  /// Starts an element for an array.
  private mutating func startList(
    _ name: [UInt8], _ marks: [(name: String, value: String)]
  ) throws(FerryError) {
    try start(name, marks)
    forms?.begin(name)
  }

  /// True if an array that begins is the list of an element's contents: its key is `#content`, and only attributes are before
  /// it.
  var isBeforeContent: Bool {
    guard readsContents, case .dictionary(false, _) = frames.last else { return false }
    return key.elementsEqual(Self.contentKey)
  }

  /// True if no other element of the document has the path of the innermost one. If another one with the path contains text,
  /// white space is text in both.
  var isOnlyOneOfPath: Bool {
    for (index, frame) in frames.enumerated() {
      switch frame {
      case .dictionary: break
      case .content(let content): guard content.isDocument else { return false }
      // The root element may be in the document's contents.
      case .item: guard index == 1 else { return false }
      case .array: return false
      }
    }
    return true
  }

  /// Begins the list of an element's contents.
  ///
  /// - Parameter isMixed: True if it contains text that is not white space; nil if that is not known.
  mutating func beginContent(isMixed: Bool?) throws(FerryError) {
    let names = attributes.all.map(\.key)
    try startElement()
    try noteContent()
    if isMixed != false { xml.beginMixedContent() }
    forms?.beginContents()
    frames.append(.content(Content(isMixed: isMixed, isDocument: false, attributes: names)))
    tracker.beginList()
  }

  /// Begins the list of a document's contents, the value of the only entry of the outermost dictionary.
  mutating func beginDocument() {
    isTopLeftOut = true
    tracker.beginDictionary()
    tracker.key(Self.contentKey.span)
    tracker.beginList()
    frames.append(.content(Content(isMixed: false, isDocument: true)))
  }

  /// The path of the next value.
  var path: ValuePath { tracker.path }

  static let contentKey = Array("#content".utf8)

  mutating func endArray() throws(FerryError) {
    if case .content(let content) = frames.last {
      frames.removeLast()
      hasEndedContent = true
      noteEnd(of: content)
      return tracker.end()
    }
    guard case .array(let key, let hasElement, let count)? = frames.popLast() else {
      throw misplaced("the end of an array")
    }
    let path = forms?.endArray()
    if !hasTypes {
      // The root element that joined documents have in common is read as theirs are, however many records it contains.
      let isReported = !frames.isEmpty || !hasCommonRoot
      if count == 0, isReported { add(.emptyCollection, path: tracker.collectionPath) }
      if count == 1, isReported { noteArrayOfOne(at: path) }
    } else if count == 0, !hasElement {
      try start(name(for: key), [Self.listMark])
      try xml.endElement()
    }
    tracker.end()
    if hasElement {
      try xml.endElement()
      _ = forms?.end()
    }
    reportForms()
  }

  mutating func beginDictionary() throws(FerryError) {
    let next = hasTypes ? marksOfNext : []
    switch frames.last {
    case .array(let key, _, _): elementKey = key
    case .dictionary:
      try sendHeldText()
      try startElement()
      elementKey = key
    case .content:
      try noteContent()
      frames.append(.item(count: 0))
      return tracker.beginDictionary()
    case .item: elementKey = key
    case nil:
      if !isTopLeftOut, reportsRoot { add(.wrapped) }
      elementKey = isTopLeftOut ? key : rootElement
    }
    marks = next
    try noteContent()
    tracker.beginDictionary()
    frames.append(.dictionary(isStarted: false, isEmpty: true))
  }

  mutating func key(_ text: BorrowedText, isPlain: Bool = false) throws(FerryError) {
    if isTopLeftOut, frames.isEmpty {
      throw FerryError(.xml(.severalRoots))
    }
    switch frames.last {
    case .dictionary(let isStarted, _):
      // An attribute may follow the text, as in JSON whose keys are sorted. With types, the order of keys is kept.
      if hasTypes || isStarted && !takesLateAttributes || !text.utf8.starts(with: "@") { try sendHeldText() }
    case .item(let count):
      // The elements of a list of contents are read one by one.
      if count == 1 { add(.contentForm) }
      frames[frames.count - 1] = .item(count: count + 1)
      noteKeyOfItem(text.utf8)
    default: throw misplaced("a key")
    }
    if hasEndedContent {
      hasEndedContent = false
      add(.contentForm)
    }
    tracker.key(text.utf8)
    key.removeAll(keepingCapacity: true)
    key.append(copying: text.utf8)
  }

  mutating func endDictionary() throws(FerryError) {
    if isTopLeftOut, frames.isEmpty { return }
    hasEndedContent = false
    if case .item(let count) = frames.last {
      if count == 0 { add(.contentForm, path: tracker.collectionPath) }
      frames.removeLast()
      return tracker.end()
    }
    if hasTypes, case .dictionary(false, true) = frames.last, heldText == nil {
      marks.append(Self.dictionaryMark)
    }
    try endContent()
    guard case .dictionary(_, let isEmpty)? = frames.popLast() else {
      throw misplaced("the end of a dictionary")
    }
    if isEmpty, !hasTypes { add(.emptyCollection, path: tracker.collectionPath) }
    noteEndOfDictionary()
    tracker.end()
    try xml.endElement()
    reportForms()
  }

  private func misplaced(_ what: String) -> FerryError { FerryError(.cannotHold(.misplaced(what))) }

  private static let item = Array(XMLListNames.item.utf8)
}

// MARK: - Elements

extension XMLValuePrinter {
  mutating func scalar(_ text: BorrowedText, _ type: XMLScalarType = .string) throws(FerryError) {
    let marks = hasTypes ? marksOfNext + (type.attribute.map { [$0] } ?? []) : []
    switch frames.last {
    case .array(let key, _, _):
      try noteContent()
      _ = try element(name(for: key), text, marks)
    case .dictionary(let isStarted, _):
      if !isStarted, type == .string, mayBeAttribute(text) {
        if heldText != nil { add(.attributeOrder) }
        attributes.append(Array(key.dropFirst()), [UInt8](copying: text.utf8))
      } else if type == .string, mayBeText(text, isStarted: isStarted) {
        heldText = [UInt8](copying: text.utf8)
      } else if isStarted, key.first == UInt8(ascii: "@"), type == .string, try addLateAttribute(text) {
        add(.attributeOrder)
      } else {
        try sendHeldText()
        if !isStarted { try startElement() }
        try single(name(for: key), text, marks)
      }
      try noteContent()
    case .content(let content):
      try self.text(text, in: content)
      try noteContent(isText: true)
    case .item: try item(text)
    case nil:
      if !isTopLeftOut, reportsRoot { add(.wrapped) }
      _ = try element(isTopLeftOut ? name(for: key) : rootName(), text, marks)
    }
    tracker.finishValue()
  }

  /// Writes a scalar as text without its type, and reports that.
  mutating func scalar(untyped text: BorrowedText, _ type: XMLScalarType) throws(FerryError) {
    if let loss = type.lossAsText { add(loss) }
    try scalar(text)
  }

  private mutating func scalar(untyped text: String, _ type: XMLScalarType) throws(FerryError) {
    try scalar(untyped: BorrowedText(text.utf8.span), type)
  }

  /// Writes text of a list of contents.
  private mutating func text(_ text: BorrowedText, in content: Content) throws(FerryError) {
    guard !content.isDocument else { throw FerryError(.xml(.misplaced("text outside of the root element"))) }
    // A reader puts neighboring texts together.
    if text.utf8.isEmpty || content.endsInText { add(.contentForm) }
    guard !text.utf8.isEmpty else { return }
    forms?.add(text)
    // White space is read as layout if no other text is beside it.
    if content.isMixed != true, text.isBlank {
      try xml.cdata(text)
    } else {
      try xml.text(text)
    }
  }

  /// Writes a text, which is the value of the current key, in a list of contents.
  private mutating func item(_ text: BorrowedText) throws(FerryError) {
    if key.elementsEqual("#comment".utf8) {
      forms?.add(.comments)
      try xml.comment(text)
    } else if key.elementsEqual("#instruction".utf8) {
      forms?.add(.instructions)
      let space = text.utf8.firstIndex(of: 0x20, from: 0) ?? text.utf8.count
      try xml.processingInstruction(
        target: text.utf8.extracting(..<space),
        data: BorrowedText(text.utf8.extracting(min(space + 1, text.utf8.count)...)))
    } else if key.elementsEqual("#cdata".utf8) {
      noteSection()
      forms?.addCDATA(text)
      try xml.cdata(text)
    } else {
      _ = try element(name(for: key), text)
    }
  }

  /// Notes that the innermost dictionary, in a list of contents, is a CDATA section.
  private mutating func noteSection() {
    guard frames.count > 1, case .content(var content) = frames[frames.count - 2] else { return }
    // A reader puts neighboring sections together.
    if content.followsSection { add(.contentForm, path: tracker.collectionPath) }
    content.endsInSection = true
    frames[frames.count - 2] = .content(content)
  }

  /// Writes a text as an element. Returns its path in `forms`.
  private mutating func element(
    _ name: [UInt8], _ text: BorrowedText, _ marks: [(name: String, value: String)] = []
  ) throws(FerryError) -> Int? {
    if !hasTypes, !hasExpandedNames, name.span.isBareXMLName {
      try xml.element(bare: name.span, text)
    } else {
      try start(name, marks)
      try xml.text(text)
      try xml.endElement()
    }
    return forms?.add(name.span, text)
  }

  /// Writes a text, which is the value of a key in a dictionary, as an element.
  private mutating func single(
    _ name: [UInt8], _ text: BorrowedText, _ marks: [(name: String, value: String)] = []
  ) throws(FerryError) {
    guard let path = try element(name, text, marks), forms?.count(.single, at: path) == true else { return }
    forms?.setFirst(.single, at: path, &tracker, isCollection: false)
  }

  private static let listMark = (name: "ferry:type", value: "list")
  private static let dictionaryMark = (name: "ferry:type", value: "dictionary")
  private static let wrapperMark = (name: "ferry:wrapper", value: "true")

  /// The attributes of types for the next value: a mark at the first element of a list, or at a root element that is not part
  /// of the value.
  private var marksOfNext: [(name: String, value: String)] {
    switch frames.last {
    case .array(_, false, 0): return [("ferry:list", "true")]
    case nil where !isTopLeftOut: return [Self.wrapperMark]
    default: return []
    }
  }

  /// Starts an element, with attributes of types if they are written.
  private mutating func start(
    _ name: [UInt8], _ marks: [(name: String, value: String)] = [],
    with declarations: [[UInt8]: [UInt8]] = [:]
  ) throws(FerryError) {
    if hasExpandedNames || !declarations.isEmpty, let expanded = ExpandedName(key: name.span) {
      try xml.startElement(expanded, with: declarations)
    } else {
      try xml.startElement(name.span)
    }
    guard hasTypes else { return }
    if !hasDeclared {
      hasDeclared = true
      for (name, namespace) in XMLTypeAttribute.declarations {
        try xml.attribute(name.utf8.span, BorrowedText(namespace.utf8.span))
      }
    }
    for (name, value) in marks { try xml.attribute(name.utf8.span, BorrowedText(value.utf8.span)) }
  }

  /// Returns true if the entry with the current key can be written as an attribute. Otherwise it is written
  /// as an element, named for the whole key.
  func mayBeAttribute(_ value: BorrowedText) -> Bool {
    guard key.first == UInt8(ascii: "@"), key.count > 1 else { return false }
    let name = key.dropFirst()
    // Attributes with prefixes may mean types.
    guard !hasTypes || !mayMeanType(Array(name)) else { return false }
    if attributes.contains(name) { return false }
    // A name without a namespace, which would declare one.
    if hasExpandedNames, name.elementsEqual("{}xmlns".utf8) { return false }
    let key = key
    return XMLNamespace.allowsAttribute(key.span.extracting(1...), value.utf8)
  }

  /// Returns true if an attribute with a key might give a type, or declare a prefix of types.
  private func mayMeanType(_ key: [UInt8]) -> Bool {
    if hasExpandedNames, let name = ExpandedName(key: key.span) {
      return XMLTypeAttribute.declares(name.namespace.span)
    }
    return key.contains(UInt8(ascii: ":")) || key.elementsEqual("xmlns".utf8)
  }

  /// Returns true if the entry with the current key can be written as text, provided that only attributes follow it. A reader
  /// uses the key `#text` only for nonempty text in an element with attributes or children.
  private func mayBeText(_ text: BorrowedText, isStarted: Bool) -> Bool {
    key.span.equals("#text") && !text.utf8.isEmpty && (!hasTypes || !isStarted && !attributes.isEmpty)
  }

  /// True if the elements of dictionaries can get attributes after other entries.
  private var takesLateAttributes: Bool { readsContents && !hasTypes }

  /// Writes a text, whose key begins with `@`, as an attribute of the innermost element, whose start tag is written. Returns false if the
  /// text is to be an element, and reports that if the key is the name of an attribute.
  private mutating func addLateAttribute(_ text: BorrowedText) throws(FerryError) -> Bool {
    guard takesLateAttributes else { return false }
    let key = Array(self.key.dropFirst())
    let isAdded: Bool
    if let expanded = expandedName(of: key) {
      isAdded = try xml.addLateAttribute(expanded, text)
    } else {
      guard key.span.isXMLName else { return false }
      let name = self.name(for: key, isAttribute: true)
      isAdded = mayBeLate(key, text) ? try xml.addLateAttribute(name.span, text) : false
    }
    guard isAdded else {
      add(.keyName)
      return false
    }
    forms?.noteLateAttribute(isDeclaration: key.span.isNamespaceDeclaration)
    return true
  }

  /// Returns false for attributes that change the meaning of contents which are already written: a declaration of their prefixes, and
  /// `xml:space`.
  private func mayBeLate(_ name: [UInt8], _ text: BorrowedText) -> Bool {
    if name.span.equals("xmlns") {
      return !hasExpandedNames && XMLNamespace.allowsAttribute(name.span, text.utf8)
    }
    return !name.span.isNamespaceDeclaration && !name.span.equals("xml:space")
  }

  /// Writes the held text before the next entry. A reader finds text beside elements as a list of contents, which is reported. A
  /// reader of types would move the text to the end, so that it is an element for it.
  private mutating func sendHeldText() throws(FerryError) {
    guard let text = heldText else { return }
    guard !hasTypes else { return try sendHeldTextAsElement() }
    heldText = nil
    try startElement()
    try writeTextBesideElements(BorrowedText(text.span))
  }

  /// Writes the text of the innermost dictionary, which has other entries than attributes. White space is written as a CDATA section,
  /// because a reader would drop it as layout.
  private mutating func writeTextBesideElements(_ text: BorrowedText) throws(FerryError) {
    forms?.add(text)
    if readsContents {
      add(.contentForm, path: tracker.collectionPath)
      forms?.noteContents()
    }
    if text.isBlank { try xml.cdata(text) } else { try xml.text(text) }
  }

  /// Writes the held text as an element.
  private mutating func sendHeldTextAsElement() throws(FerryError) {
    guard let text = heldText else { return }
    heldText = nil
    try startElement()
    try single(name(for: Array("#text".utf8)), BorrowedText(text.span))
  }

  /// Writes the held text of the innermost dictionary.
  private mutating func endContent() throws(FerryError) {
    if case .dictionary(isStarted: false, _)? = frames.last, attributes.isEmpty {
      try sendHeldTextAsElement()
    }
    guard let text = heldText else { return try startElement() }
    heldText = nil
    guard let last = frames.last, case .dictionary(let hasChildren, _) = last else { return }
    try startElement()
    if hasChildren { return try writeTextBesideElements(BorrowedText(text.span)) }
    forms?.add(BorrowedText(text.span))
    try xml.text(BorrowedText(text.span))
  }

  private mutating func noteContent(isText: Bool = false) throws(FerryError) {
    guard let last = frames.indices.last else { return }
    switch frames[last] {
    case .content(var content):
      content.endsInText = isText
      (content.followsSection, content.endsInSection) = (content.endsInSection, false)
      content.isEmpty = false
      if !isText { content.hasItems = true }
      frames[last] = .content(content)
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
    let isNamedRoot = last == 0 && !isTopLeftOut
    let name = isNamedRoot ? try rootName() : name(for: elementKey)
    beginForms(of: name)
    guard hasExpandedNames || isNamedRoot && ExpandedName(key: name.span) != nil else {
      try start(name, marks)
      if takesLateAttributes { xml.holdTag() }
      marks = []
      guard !attributes.isEmpty else { return }
      for (key, value) in attributes.all {
        let name = self.name(for: key, isAttribute: true)
        try xml.attribute(name.span, BorrowedText(value.span))
      }
      return attributes.removeAll()
    }
    try startElement(withExpanded: name)
  }

  /// Writes a start tag whose element or attributes may have expanded names. Its declarations precede its other attributes, which may have
  /// their prefixes.
  private mutating func startElement(withExpanded name: [UInt8]) throws(FerryError) {
    var own: [(name: [UInt8], value: [UInt8])] = []
    var others = own
    var declarations: [[UInt8]: [UInt8]] = [:]
    for (key, value) in attributes.all {
      let name = self.name(for: key, isAttribute: true)
      if name.span.isNamespaceDeclaration {
        own.append((name, value))
        declarations[Array(name.dropFirst("xmlns:".utf8.count))] = value
      } else {
        others.append((name, value))
      }
    }
    try start(name, marks, with: declarations)
    if takesLateAttributes { xml.holdTag() }
    marks = []
    for (name, value) in own + others {
      if let expanded = ExpandedName(key: name.span) {
        try xml.attribute(expanded, BorrowedText(value.span))
      } else {
        try xml.attribute(name.span, BorrowedText(value.span))
      }
    }
    attributes.removeAll()
  }

  /// Returns the name for a key. A prefix is kept only if it is declared. The prefix `xmlns` is allowed only
  /// for attributes, which declare prefixes.
  private func name(for key: [UInt8], isAttribute: Bool = false) -> [UInt8] {
    if key.span.isBareXMLName { return key }
    if key.first == UInt8(ascii: "{"), expandedName(of: key) != nil { return key }
    let isName = key.span.isXMLName && key.span.end(ofFirst: "_x", from: 0) == nil
    let hasColon = key.contains(UInt8(ascii: ":"))
    if isName, !hasColon { return key }
    // Among expanded names, such a name is read as it is.
    if hasExpandedNames, !hasColon, key.span.isXMLName, XMLNamespaceStyle.expanded.key(for: key.span) == key {
      return key
    }
    guard hasColon else {
      // A name that a reader would take for one with a prefix is its own key.
      let encoded = XMLKeyName.encodedPrefix(of: key.span).map { Array($0.utf8) }
      if let encoded, declares(encoded, isAttribute: isAttribute) { return key }
      return XMLKeyName.name(for: key.span, keepsColon: false)
    }
    let isDeclared = declares(Array(key.prefix { $0 != UInt8(ascii: ":") }), isAttribute: isAttribute)
    return isName && isDeclared ? key : XMLKeyName.name(for: key.span, keepsColon: isDeclared)
  }

  /// Returns the name of the root element whose name was given. It may have a prefix that an attribute of the element declares, or a
  /// namespace in braces.
  private func rootName() throws(FerryError) -> [UInt8] {
    guard !rootIsKey else { return name(for: rootElement) }
    if XMLKeyName.hasPrefix(rootElement.span), name(for: rootElement) == rootElement { return rootElement }
    if !hasTypes, let name = ExpandedName(key: rootElement.span), hasExpandedNames || name.isAbsolute {
      return rootElement
    }
    return try XMLKeyName.rootName(rootElement)
  }

  /// Returns true if a prefix is declared for the names in the current tag.
  private func declares(_ prefix: [UInt8], isAttribute: Bool) -> Bool {
    if prefix.elementsEqual("xmlns".utf8) { return isAttribute }
    let declaration = Array("xmlns:".utf8) + prefix
    if attributes.contains(declaration[...]) { return true }
    // The root element will declare the prefixes of types.
    let isOfRoot = hasTypes && !hasDeclared
    if isOfRoot, XMLTypeAttribute.declarations.contains(where: { $0.0.utf8.elementsEqual(declaration) }) {
      return true
    }
    return xml.declares(prefix.span)
  }

  /// Returns the name that a key is, with its namespace in braces; nil for other keys.
  private func expandedName(of key: [UInt8]) -> ExpandedName? {
    if hasExpandedNames { return ExpandedName(key: key.span) }
    guard bindsNamespaces, let name = ExpandedName(key.span), name.isAbsolute else { return nil }
    // Such a name gets its prefix before the element's own declarations, which could give the prefix another meaning.
    return attributes.declarePrefix ? nil : name
  }
}

// MARK: - Events of batches

extension XMLValuePrinter {
  /// Returns true if a list of contents begins in a batch.
  func hasContent(in events: borrowing EventBatch) -> Bool {
    isBeforeContent || events.hasKey("#content")
  }

  /// Writes the events of a batch.
  mutating func receive(_ events: borrowing EventBatch) throws(EventFailure) {
    var index = 0
    do throws(FerryError) {
      while index < events.count {
        if events.kind(index) == .key, takesEntries { try writeEntries(events, from: &index) }
        guard index < events.count else { return }
        try write(events, index)
        index += 1
      }
    } catch {
      throw EventFailure(error: error, index: index)
    }
  }

  /// True if an entry whose key is a bare name and whose value is a scalar is an element, because a dictionary is open and no list of
  /// contents has just ended.
  private var takesEntries: Bool {
    guard !hasTypes, !hasExpandedNames, !hasEndedContent else { return false }
    return if case .dictionary? = frames.last { true } else { false }
  }

  /// Writes the entries from an index on whose keys are bare names and whose values are scalars, as `key` and `scalar` would. Most entries
  /// of records are such. Sets the index to that of the next event, or of the one that is refused.
  ///
  /// A bare name is neither an attribute nor `#text`, so the entry is an element. `key` is not set, and the key of the tracker only for a
  /// path: a value that needs them has its own key before it.
  private mutating func writeEntries(
    _ events: borrowing EventBatch, from index: inout Int
  ) throws(FerryError) {
    var isFirst = true
    while index + 1 < events.count, events.kind(index) == .key, events.kind(index + 1).isScalar {
      let name = events.text(index).utf8
      guard name.isBareXMLName else { return }
      if isFirst { try sendHeldText() }
      index += 1
      if let loss = Self.type(of: events.kind(index)).lossAsText {
        if losses?.usesPaths == true { tracker.key(name) }
        add(loss)
      }
      if isFirst { try startElement() }
      try writeEntry(name, events, index)
      if isFirst { try noteContent() }
      isFirst = false
      index += 1
    }
  }

  /// Writes an entry whose key is a bare name, and whose value is the scalar at an index.
  private mutating func writeEntry(
    _ name: Span<UInt8>, _ events: borrowing EventBatch, _ index: Int
  ) throws(FerryError) {
    switch events.kind(index) {
    case .string, .number: try entry(name, events.text(index))
    case .boolean:
      let text = events.boolean(index) ? Self.trueText : Self.falseText
      try entry(name, BorrowedText(checked: text.span, isASCII: true))
    case .integer:
      let value = events.integer(index)
      guard let small = Int64(exactly: value) else {
        let text = value.notation
        return try entry(name, BorrowedText(text.utf8.span))
      }
      let digits = IntegerText(small)
      try entry(name, BorrowedText(checked: digits.span, isASCII: true))
    case .real:
      let text = Self.text(events.real(index))
      try entry(name, BorrowedText(text.utf8.span))
    default: try entry(name, BorrowedText(Span()))
    }
  }

  /// Returns the type of a scalar. Each number has the same one, because no types are written.
  private static func type(of kind: EventBatch.Kind) -> XMLScalarType {
    switch kind {
    case .null: .null
    case .boolean: .boolean
    case .integer, .real, .number: .integer
    default: .string
    }
  }

  /// Writes a text, whose key in a dictionary is a bare name, as an element.
  private mutating func entry(_ name: Span<UInt8>, _ text: BorrowedText) throws(FerryError) {
    try xml.element(bare: name, text)
    guard let path = forms?.add(name, text), forms?.count(.single, at: path) == true else { return }
    tracker.key(name)
    forms?.setFirst(.single, at: path, &tracker, isCollection: false)
  }

  private static let trueText = Array("true".utf8)
  private static let falseText = Array("false".utf8)

  private static func text(_ value: Double) -> String { XMLValueWriter.notFinite(value) ?? value.notation }

  mutating func null() throws(FerryError) { try scalar(untyped: "", .null) }
  mutating func boolean(_ value: Bool) throws(FerryError) {
    try scalar(untyped: value ? "true" : "false", .boolean)
  }
  mutating func integer(_ value: Int128) throws(FerryError) { try scalar(untyped: value.notation, .integer) }
  mutating func real(_ value: Double) throws(FerryError) {
    try scalar(untyped: Self.text(value), .double)
  }
  mutating func number(_ text: BorrowedText) throws(FerryError) { try scalar(untyped: text, .integer) }
  mutating func string(_ text: BorrowedText, isPlain: Bool) throws(FerryError) { try scalar(text) }
}

// MARK: - Forms

extension XMLValuePrinter {
  /// Notes that the element of a dictionary begins.
  private mutating func beginForms(of name: [UInt8]) {
    guard forms != nil else { return }
    let attributes = attributes.all
    let declarations = attributes.isEmpty ? 0 : attributes.count { $0.key.span.isNamespaceDeclaration }
    forms?.begin(
      name, hasAttributes: declarations < attributes.count, hasDeclarations: declarations > 0)
  }

  /// Notes that the element of a dictionary ends, which is no longer in `frames`.
  private mutating func noteEndOfDictionary() {
    guard let ended = forms?.end(), let path = ended.path else { return }
    if ended.isPlainDictionary { noteCollection(.dictionary, at: path) }
    if case .dictionary? = frames.last { noteCollection(.single, at: path) }
  }

  /// Notes that the innermost collection, whose form depends on the other elements with a path, ends.
  private mutating func noteCollection(_ kind: XMLWrittenForms.Kind, at path: Int) {
    guard forms?.count(kind, at: path) == true else { return }
    forms?.setFirst(kind, at: path, &tracker, isCollection: true)
  }

  private mutating func noteArrayOfOne(at path: Int?) {
    guard let path else { return add(.arrayOfOne, path: tracker.collectionPath) }
    noteCollection(.arrayOfOne, at: path)
  }

  /// Notes the key of an element in a list of contents.
  private mutating func noteKeyOfItem(_ key: Span<UInt8>) {
    guard key.starts(with: "@"), frames.count > 1, case .content(var content) = frames[frames.count - 2],
      !content.attributes.isEmpty
    else { return }
    let name = [UInt8](copying: key.extracting(1...))
    guard content.attributes.contains(name) else { return }
    content.hasKeyOfAttribute = true
    frames[frames.count - 2] = .content(content)
  }

  /// Notes that a list of contents ends, which is no longer in `frames`.
  private mutating func noteEnd(of content: Content) {
    guard forms != nil else { return }
    let path = content.isDocument ? 0 : forms?.endContents()
    if content.isDocument || content.hasItems || !content.isEmpty && forms?.hasAttributes == true {
      if content.hasKeyOfAttribute { return }
      guard let path else { return add(.contentForm, path: tracker.collectionPath) }
      noteCollection(.contents, at: path)
      return reportForms()
    }
    // Such a list tells text from markup.
    if isInItem, forms?.hasAttributes == false, forms?.isNamedLikeMarkup == true { return }
    add(content.isEmpty ? .emptyCollection : .contentForm, path: tracker.collectionPath)
  }

  /// True if the innermost dictionary is the value of an element in a list of contents.
  private var isInItem: Bool {
    guard frames.count > 1, case .item = frames[frames.count - 2] else { return false }
    return true
  }

  /// Reports the values that a reader will find in another form, if all elements are known.
  private mutating func reportForms() {
    guard frames.isEmpty, let losses else { return }
    forms?.report(to: losses)
    forms = nil
  }
}
