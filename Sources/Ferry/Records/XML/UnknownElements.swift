/// A delegate of child elements that the schema of a record does not declare. It reads them with their
/// contents by the XML convention: an attribute becomes `@name`, text next to other contents `#text`, and
/// several elements with one name a list.
///
///     <phone kind="home">1</phone><phone kind="work">2</phone>
///     {"phone": [{"@kind": "home", "#text": "1"}, {"@kind": "work", "#text": "2"}]}
///
/// The contents of an element that contains text beside elements, elements of one name with others between them, or an element with a
/// reserved key (see `XMLReservedKey`) that would be taken for something else, are a list:
///
///     <note>a <i>b</i> c</note>
///     {"note": {"#content": ["a ", {"i": "b"}, " c"]}}
final class UnknownElements: ElementDelegate {
  private struct Open {
    let name: String
    var attributes = KeyedValues()
    var entries = Entries()
    var text = MixedText()
    var contents = OrderedContents()
    /// The key of a child that is also that of an attribute; nil if there is none.
    var repeatedKey: String?
    /// True if white space alone is content: under `xml:space="preserve"`.
    let keepsSpace: Bool
  }

  /// The values of the children of an element, by name, in the order of first occurrence.
  struct Entries {
    private(set) var names: [String] = []
    private(set) var values: [[Value]] = []
    private var indices: [ExactString: Int] = [:]
    /// True if another element is between two elements with one name.
    private(set) var isScattered = false
    /// The index of the name of the last element; nil if the schema declares that element.
    private var last: Int?

    mutating func add(_ value: Value, named name: String) {
      defer { last = indices[name] }
      guard let index = indices[name] else {
        indices[name] = names.count
        names.append(name)
        return values.append([value])
      }
      if index != last { isScattered = true }
      values[index].append(value)
    }

    /// Ends the run of elements with the last name, because an element follows that the schema declares.
    mutating func endRun() { last = nil }

    var isEmpty: Bool { names.isEmpty }

    /// Returns true if `XMLRecordWriter` would take the value of a child in a dictionary for an attribute, text or the list of the contents.
    ///
    /// - Parameter first: The number of attributes, which precede the children.
    func hasMisreadChild(after first: Int) -> Bool {
      var mayAddAttributes = true
      for index in names.indices.dropFirst(first) {
        let text = text(at: index)
        switch XMLReservedKey(names[index].utf8.span) {
        case .attribute where mayAddAttributes && text != nil && !names[index].equals("@xmlns"): return true
        case .contents where index == first && values[index].count > 1: return true
        case .text where index > 0 && index == names.count - 1 && text?.isEmpty == false: return true
        default: mayAddAttributes = false
        }
      }
      return false
    }

    /// Returns the value of a name if it is a single text.
    func text(at index: Int) -> String? {
      guard values[index].count == 1, case .string(let text) = values[index][0] else { return nil }
      return text
    }

    /// Calls a function with each name and its value. Several values with one name are passed as a list.
    func forEach(_ body: (String, Value) throws(FerryError) -> Void) throws(FerryError) {
      for (name, values) in zip(names, values) {
        try body(name, values.count == 1 ? values[0] : .array(values))
      }
    }
  }

  /// The values of the completed elements.
  private(set) var entries = Entries()
  private var open: [Open] = []
  /// The trail of the record.
  private let trail: RecordTrail
  private let context: RecordContext
  private var losses: LossReport { context.losses }

  /// The maximum depth of an element, independent of the budget, because its value is built recursively.
  private static let deepest = 512

  /// True if the trail ends with the name of the outermost element.
  private let trailNamesElement: Bool

  init(at trail: RecordTrail, in context: RecordContext, trailNamesElement: Bool = false) {
    (self.trail, self.context, self.trailNamesElement) = (trail, context, trailNamesElement)
  }

  /// Removes all elements, to begin the next record.
  func removeAll() {
    if !entries.isEmpty { entries = Entries() }
    open.removeAll()
  }

  /// Sends the completed elements as the entries of a dictionary. If an attribute or the text in the dictionary has the key of an element,
  /// the key of the element is its name in XML, and a loss is reported.
  ///
  /// - Parameters:
  ///   - taken: The keys of the attributes and the text.
  ///   - isMisread: Returns true if a key with a text would be read as another part of the record. If contents may be in order, such a text
  ///     is in a list of them: `{"#text": {"#content": ["text"]}}`.
  func send(
    to sink: any ValueSink, at trail: RecordTrail, besides taken: Set<ExactString> = [],
    isMisread: (_ key: String, _ text: String) -> Bool = { _, _ in false }
  ) throws(FerryError) {
    if entries.isScattered { losses.add(.siblingOrder, path: trail.path) }
    try entries.forEach { name, value throws(FerryError) in
      var (key, value) = (name, value)
      if taken.contains(ExactString(name)) {
        losses.add(.duplicateKey, path: trail.path.appending(.key(name)))
        key = XMLKeyName.elementName(for: name)
      } else if !context.groupsContents, case .string(let text) = value, isMisread(name, text) {
        value = .contents(text)
      }
      try sink.key(BorrowedText(key.utf8.span))
      try value.replay(into: sink)
    }
  }

  /// Called when an element starts, among these elements, that the schema declares.
  func siblingDidStart() { entries.endRun() }

  override func delegate(for child: borrowing XMLStartTag) throws(FerryError) -> ElementDelegate? { self }

  override func didStart(_ element: borrowing XMLStartTag) throws(FerryError) {
    guard open.count < Self.deepest else {
      throw FerryError(.overBudget(.fixedDepth(Self.deepest)), at: element.location)
    }
    if let last = open.indices.last {
      open[last].text.beginChild(keepsSpace: open[last].keepsSpace)
      open[last].contents.endPiece(keepsSpace: open[last].keepsSpace)
    }
    context.space.open(element)
    var opened = Open(
      name: context.key(for: context.name(of: element.name)), keepsSpace: context.space.keepsSpace)
    element.forEachAttribute(context.names) { name, value in
      let key = "@\(context.key(for: name, isAttribute: true))"
      opened.attributes[key] = .string(String(value))
      opened.entries.add(.string(String(value)), named: key)
    }
    open.append(opened)
    if context.hasOtherNamespaces(element) {
      let location = context.lossLocation(of: element)
      losses.add(.namespace, path: path, at: location)
    }
  }

  /// The path of the innermost open element, without indices of repeated elements.
  private var path: ValuePath {
    ValuePath(trail.path.steps + open.dropFirst(trailNamesElement ? 1 : 0).map { .key($0.name) })
  }

  override func text(_ text: BorrowedText) throws(FerryError) {
    guard let last = open.indices.last else { return }
    open[last].text.append(text)
    open[last].contents.append(text, isSection: false)
  }

  override func cdata(_ text: BorrowedText) throws(FerryError) {
    guard let last = open.indices.last else { return }
    open[last].text.append(cdata: text)
    open[last].contents.append(text, isSection: true)
  }

  override func didEnd() throws(FerryError) {
    context.space.close()
    guard let last = open.indices.last else { return }
    if open[last].text.hasChildren {
      open[last].text.endPiece(keepsSpace: open[last].keepsSpace)
      open[last].contents.endPiece(keepsSpace: open[last].keepsSpace)
    }
    let value = try value(of: open[last])
    let element = open.removeLast()
    if let parent = open.indices.last {
      open[parent].entries.add(value, named: element.name)
      open[parent].contents.add(value, named: element.name)
      if element.name.begins(with: "@"), open[parent].attributes[element.name] != nil {
        open[parent].repeatedKey = element.name
      }
    } else {
      entries.add(value, named: element.name)
    }
  }

  /// Returns the value of the innermost open element, which is complete.
  private func value(of element: Open) throws(FerryError) -> Value {
    let text = String(decoding: element.text.bytes, as: UTF8.self)
    guard !element.entries.isEmpty else { return .string(text) }
    let needsOrder =
      element.contents.isMixed || element.entries.isScattered || element.repeatedKey != nil
      || element.entries.hasMisreadChild(after: element.attributes.count)
    if !context.groupsContents, needsOrder {
      var entries = element.attributes
      entries["#content"] = .array(element.contents.values)
      return .dictionary(entries)
    }
    var entries = KeyedValues()
    try element.entries.forEach { name, value throws(FerryError) in entries[name] = value }
    if let key = element.repeatedKey { losses.add(.duplicateKey, path: path.appending(.key(key))) }
    if element.entries.isScattered { losses.add(.siblingOrder, path: path) }
    if !text.isEmpty {
      if element.text.hasChildren { losses.add(.mixedContent, path: path) }
      if entries["#text"] != nil { losses.add(.duplicateKey, path: path.appending(.key("#text"))) }
      entries["#text"] = .string(text)
    }
    return .dictionary(entries)
  }
}

/// The contents of an element in document order.
private struct OrderedContents {
  private enum Item {
    /// A text between children. It is layout if it is white space, unless the element has other text or the piece is marked.
    case text(String, isLayout: Bool)
    case child(Value)
  }

  private var items: [Item] = []
  /// The text since the last child.
  private var piece: [UInt8] = []
  private var hasSection = false
  private var hasChildren = false
  /// True if the element contains text that is not white space.
  private var hasText = false

  /// True if the element contains text beside elements.
  var isMixed: Bool { hasText && hasChildren }

  /// Adds text, or the text of a CDATA section.
  mutating func append(_ text: BorrowedText, isSection: Bool) {
    piece.append(copying: text.utf8)
    if isSection { hasSection = true }
  }

  /// Ends the text before a child or the end of the element.
  mutating func endPiece(keepsSpace: Bool) {
    defer {
      piece.removeAll(keepingCapacity: true)
      hasSection = false
    }
    guard !piece.isEmpty else { return }
    let isBlank = BorrowedText(piece.span).isBlank
    if !isBlank { hasText = true }
    let text = String(decoding: piece, as: UTF8.self)
    items.append(.text(text, isLayout: isBlank && !keepsSpace && !hasSection))
  }

  mutating func add(_ value: Value, named name: String) {
    hasChildren = true
    var entries = KeyedValues()
    entries[name] = value
    // As the value of such a key, a text would be a comment or other markup.
    if case .string(let text) = value, XMLReservedKey(name.utf8.span) == .markup {
      entries[name] = .contents(text)
    }
    items.append(.child(.dictionary(entries)))
  }

  /// The text that is not layout, and the children, each in a dictionary with its name.
  var values: [Value] {
    items.compactMap { item in
      switch item {
      case .text(let text, let isLayout): isLayout && !isMixed ? nil : .string(text)
      case .child(let value): value
      }
    }
  }
}

extension Value {
  /// Returns the value of an element with a text as the list of its contents.
  fileprivate static func contents(_ text: String) -> Value {
    var entries = KeyedValues()
    entries["#content"] = .array(text.isEmpty ? [] : [.string(text)])
    return .dictionary(entries)
  }
}
