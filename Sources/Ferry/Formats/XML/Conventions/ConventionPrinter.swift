/// A printer of a value as elements in BadgerFish, or in the convention of xmltodict. It reports a value that `ConventionReader` would
/// read as another one.
///
///     BadgerFish    {"a": {"@b": "1", "$": "x", "c": {}}}           <a b="1">x<c/></a>
///     xmltodict     {"a": {"@b": "1", "c": null, "#text": "x"}}     <a b="1"><c/>x</a>
struct ConventionPrinter: ~Copyable {
  private var xml: XMLPrinter
  private let names: XMLListNames
  private let isBadgerfish: Bool
  private let losses: LossReport
  /// The path of the value that is being written.
  private var steps: [ValuePath.Step] = []

  /// The maximum depth of a value, because it is written recursively, and `ConventionReader` reads no deeper element.
  private static let deepest = 1000

  init(_ xml: consuming XMLPrinter, _ convention: XMLConvention, _ names: XMLListNames, losses: LossReport) {
    self.xml = xml
    self.names = names
    isBadgerfish = convention == .badgerfish
    self.losses = losses
  }

  /// Writes a value as a document.
  mutating func write(_ value: Value) throws(FerryError) {
    do throws(FerryError) { try writeRoot(value) } catch { throw error.placed(path: ValuePath(steps)) }
    try xml.finish()
  }

  private mutating func writeRoot(_ value: Value) throws(FerryError) {
    if names.givenRoot == nil, case .dictionary(let entries) = value, entries.count == 1,
      let entry = entries.first,
      !entry.value.isList
    {
      let key = entry.key.plainText ?? ""
      return try write(entry.value, at: .key(key), as: key, in: [:])
    }
    if names.reportsRoot { losses.add(.wrapped) }
    let root = try XMLKeyName.rootName(Array(names.root.utf8))
    let name = String(decoding: root, as: UTF8.self)
    guard case .array(let values) = value else { return try element(name, value, in: [:]) }
    try xml.startElement(name.utf8.span)
    try list(values, as: names.item, in: [:])
    try xml.endElement()
  }

  private func add(_ loss: Loss.Kind) { losses.add(loss, path: ValuePath(steps)) }

  // MARK: Values

  /// The namespaces that elements of BadgerFish declare, by prefix.
  private typealias Namespaces = [ExactString: Value]

  /// Writes a value inside the current one.
  private mutating func write(
    _ value: Value, at step: ValuePath.Step, as key: String, in namespaces: Namespaces
  ) throws(FerryError) {
    guard steps.count < Self.deepest else { throw FerryError(.overBudget(.depth(Self.deepest))) }
    steps.append(step)
    if case .array(let values) = value {
      try list(values, as: key, in: namespaces)
    } else {
      try element(key, value, in: namespaces)
    }
    steps.removeLast()
  }

  /// Writes the values of a list as elements with one name. A list in a list is an element of its own.
  private mutating func list(_ values: [Value], as key: String, in namespaces: Namespaces) throws(FerryError)
  {
    if values.isEmpty { add(.emptyCollection) }
    if values.count == 1 { add(.arrayOfOne) }
    for (index, value) in values.enumerated() {
      guard case .array = value else {
        try write(value, at: .index(index), as: key, in: namespaces)
        continue
      }
      losses.add(.nestedArray, path: ValuePath(steps + [.index(index)]))
      let name = name(for: key)
      try xml.startElement(name.span)
      try write(value, at: .index(index), as: XMLListNames.item, in: namespaces)
      try xml.endElement()
    }
  }

  /// Writes a value that is not a list as an element.
  private mutating func element(
    _ key: String, _ value: Value, in namespaces: Namespaces
  ) throws(FerryError) {
    if case .dictionary(let entries) = value { return try dictionary(key, entries, in: namespaces) }
    if isBadgerfish || value != .null { reportLosses(ofElement: value) }
    let (name, text) = (name(for: key), try text(of: value))
    try xml.startElement(name.span)
    try xml.text(BorrowedText(text.span))
    try xml.endElement()
  }

  /// Reports what changes if a scalar is the value of an element.
  private func reportLosses(ofElement value: Value) {
    reportType(of: value)
    guard value != .null, let text = value.plainText else { return }
    if text.isEmpty {
      add(.emptyText)
    } else if isBadgerfish {
      add(.conventionForm)
    } else if text.hasOuterSpace {
      add(.space)
    }
  }

  /// Reports the type of a scalar, which XML does not have.
  private func reportType(of value: Value) {
    switch value {
    case .null: add(.nullAsText)
    case .boolean: add(.booleanAsText)
    case .integer, .real, .single, .number: add(.numberAsText)
    default: break
    }
  }

  private func text(of value: Value) throws(FerryError) -> [UInt8] {
    switch value {
    case .null: return []
    case .real(let value): return Array((XMLValueWriter.notFinite(value) ?? value.notation).utf8)
    case .single(let value): return Array((XMLValueWriter.notFinite(value) ?? value.notation).utf8)
    case .boolean, .integer, .number, .string, .unpairedString: return Array((value.plainText ?? "").utf8)
    default: throw FerryError(.cannotHold(.kind(value.kindInWords, format: "XML")))
    }
  }

  // MARK: Dictionaries

  /// The entries of a dictionary, by their meaning.
  private struct Content {
    var attributes: [(key: String, name: String, value: Value)] = []
    /// The namespaces of BadgerFish's `@xmlns`, by prefix.
    var namespaces: KeyedValues?
    var text: Value?
    var children: [(key: String, value: Value)] = []
    /// True if a reader would send the entries in this order.
    var isOrdered = true
  }

  private func content(of entries: KeyedValues) throws(FerryError) -> Content {
    let textKey = isBadgerfish ? "$" : "#text"
    var content = Content()
    for (key, value) in entries {
      let key = key.plainText ?? ""
      let hasNext = !content.children.isEmpty || content.text != nil
      if isBadgerfish, key.equals("@xmlns"), case .dictionary(let namespaces) = value {
        content.namespaces = namespaces
        if hasNext { content.isOrdered = false }
      } else if key.equals(textKey), !value.isCollection {
        content.text = value
        // The text of BadgerFish precedes the children, and that of xmltodict follows them.
        if isBadgerfish, !content.children.isEmpty { content.isOrdered = false }
      } else if try isAttribute(key, value) {
        content.attributes.append((key, String(key.dropFirst()), value))
        if hasNext || content.namespaces != nil { content.isOrdered = false }
      } else {
        content.children.append((key, value))
        if !isBadgerfish, content.text != nil { content.isOrdered = false }
      }
    }
    return content
  }

  private func isAttribute(_ key: String, _ value: Value) throws(FerryError) -> Bool {
    guard key.utf8.first == UInt8(ascii: "@"), key.utf8.count > 1, !value.isCollection else { return false }
    let (name, text) = (Array(key.utf8.dropFirst()), try text(of: value))
    return XMLNamespace.allowsAttribute(name.span, text.span)
  }

  private mutating func dictionary(
    _ key: String, _ entries: KeyedValues, in outer: Namespaces
  ) throws(FerryError) {
    var content = try content(of: entries)
    if !content.isOrdered { add(.conventionForm) }
    if entries.isEmpty, !isBadgerfish { add(.emptyCollection) }
    let (namespaces, declarations) = namespaces(of: content, in: outer)
    leaveOutEmptyText(of: &content)
    let own = declarations.map(\.name) + content.attributes.map(\.name)
    let name = name(for: key, declaredBy: own)
    try xml.startElement(name.span)
    try writeAttributes(of: content, declaredBy: own)
    for (name, namespace) in declarations {
      try xml.attribute(name.utf8.span, BorrowedText(namespace.utf8.span))
    }
    if let text = content.text {
      reportLosses(of: text, in: content, isAlone: declarations.isEmpty && content.attributes.isEmpty)
    }
    try writeContents(of: content, in: namespaces)
    try xml.endElement()
  }

  private mutating func writeAttributes(of content: Content, declaredBy own: [String]) throws(FerryError) {
    let names = distinctNames(for: content.attributes.map(\.name), isAttribute: true, declaredBy: own)
    for (key, attribute, value) in content.attributes {
      steps.append(.key(key))
      reportType(of: value)
      if isBadgerfish, attribute.utf8.span.isNamespaceDeclaration { add(.conventionForm) }
      let distinct = distinctName(of: attribute, among: names)
      let (name, text) = (name(for: distinct, isAttribute: true, declaredBy: own), try text(of: value))
      try xml.attribute(name.span, BorrowedText(text.span))
      steps.removeLast()
    }
  }

  private mutating func writeContents(of content: Content, in namespaces: Namespaces) throws(FerryError) {
    let text = try content.text.map { value throws(FerryError) in try self.text(of: value) } ?? []
    // White space between elements would be read as a part of the text.
    if !text.isEmpty, !content.children.isEmpty { xml.beginMixedContent() }
    if isBadgerfish { try xml.text(BorrowedText(text.span)) }
    let names = distinctNames(for: content.children.map(\.key))
    for (key, value) in content.children {
      let step = ValuePath.Step.key(key)
      try write(value, at: step, as: distinctName(of: key, at: [step], among: names), in: namespaces)
    }
    if !isBadgerfish { try xml.text(BorrowedText(text.span)) }
  }

  // MARK: Text

  /// Leaves out a text that is null or empty, because an element without text has none when it is read.
  private func leaveOutEmptyText(of content: inout Content) {
    guard let text = content.text else { return }
    guard text != .null else {
      losses.add(.nullLeftOut, path: textPath)
      content.text = nil
      return
    }
    guard text.plainText?.isEmpty != false else { return }
    losses.add(.emptyText, path: textPath)
    content.text = nil
  }

  private var textPath: ValuePath { ValuePath(steps + [.key(isBadgerfish ? "$" : "#text")]) }

  /// Reports what changes in a text that is not empty.
  ///
  /// - Parameter isAlone: True if the element has no attributes.
  private func reportLosses(of text: Value, in content: Content, isAlone: Bool) {
    switch text {
    case .boolean: losses.add(.booleanAsText, path: textPath)
    case .integer, .real, .single, .number: losses.add(.numberAsText, path: textPath)
    default: break
    }
    let notation = text.plainText ?? ""
    if isBadgerfish {
      if !content.children.isEmpty, notation.utf8.allSatisfy(\.isSpace) { losses.add(.space, path: textPath) }
    } else {
      if notation.hasOuterSpace { losses.add(.space, path: textPath) }
      // An element with only text is read as the text.
      if isAlone, content.children.isEmpty { add(.conventionForm) }
    }
  }

  // MARK: Namespaces

  /// Returns the namespaces in scope of an element of BadgerFish, and the namespaces that it has to declare. BadgerFish gives each element
  /// all namespaces in scope.
  private func namespaces(
    of content: Content, in outer: Namespaces
  ) -> (all: Namespaces, declarations: [(name: String, namespace: String)]) {
    var all = outer
    var declarations: [(name: String, namespace: String)] = []
    var count = 0
    for (prefix, namespace) in content.namespaces ?? KeyedValues() {
      let prefix = prefix.plainText ?? ""
      guard let (name, text) = declaration(of: prefix, namespace) else {
        losses.add(.namespace, path: ValuePath(steps + [.key("@xmlns"), .key(prefix)]))
        continue
      }
      count += 1
      guard all[ExactString(prefix)] != namespace else { continue }
      all[ExactString(prefix)] = namespace
      declarations.append((name, text))
    }
    let isEmpty = content.namespaces?.isEmpty == true
    if isBadgerfish, count != all.count || isEmpty { add(.conventionForm) }
    return (all, declarations)
  }

  /// Returns the attribute that declares a prefix, or nil if XML does not allow it.
  private func declaration(of prefix: String, _ namespace: Value) -> (name: String, namespace: String)? {
    guard case .string(let text) = namespace else { return nil }
    let name = prefix.equals("$") ? "xmlns" : "xmlns:" + prefix
    guard name.utf8.span.isXMLName, XMLNamespace.allowsAttribute(name.utf8.span, text.utf8.span) else {
      return nil
    }
    return (name, text)
  }

  // MARK: Names

  /// Returns the name for a key. A key that is not a name, or whose prefix is not declared, is escaped and reported, because the readers of
  /// these conventions know no escapes.
  ///
  /// - Parameter own: The names of the element's attributes, which may declare the prefix.
  private func name(for key: String, isAttribute: Bool = false, declaredBy own: [String] = []) -> [UInt8] {
    guard let name = escapedName(for: key, isAttribute: isAttribute, declaredBy: own) else {
      return Array(key.utf8)
    }
    add(.keyName)
    return name
  }

  /// Returns the name with escapes for a key that is not a name, or whose prefix is not declared. Returns nil for another key.
  private func escapedName(for key: String, isAttribute: Bool, declaredBy own: [String]) -> [UInt8]? {
    let colon = key.utf8.firstIndex(of: UInt8(ascii: ":"))
    let prefix = colon.map { String(key[..<$0]) }
    let isDeclared = prefix.map { declares($0, isAttribute: isAttribute, own) } ?? true
    if isDeclared, key.utf8.span.isXMLName { return nil }
    return XMLKeyName.name(for: key.utf8.span, keepsColon: colon != nil && isDeclared)
  }

  /// Returns other names for those keys of a dictionary that are names, but which other keys get as their names with escapes, so that
  /// values of different keys do not become a list:
  ///
  ///     {"a b": 1, "a_x0020_b": 2}     <a_x0020_b>1</a_x0020_b><a_x005F_x0020_b>2</a_x005F_x0020_b>
  private func distinctNames(
    for keys: [String], isAttribute: Bool = false, declaredBy own: [String] = []
  ) -> [ExactString: String] {
    var taken = keys.compactMap { escapedName(for: $0, isAttribute: isAttribute, declaredBy: own) }
    guard !taken.isEmpty else { return [:] }
    let all = Set(keys.map { ExactString($0) })
    var names: [ExactString: String] = [:]
    while let name = taken.popLast() {
      let key = ExactString(String(decoding: name, as: UTF8.self))
      guard all.contains(key), names[key] == nil else { continue }
      let other = XMLKeyName.name(for: name.span, keepsColon: true)
      names[key] = String(decoding: other, as: UTF8.self)
      // A further key may be the other name.
      taken.append(other)
    }
    return names
  }

  /// Returns the other name of a key, and reports it. Returns the key if it has no other name.
  private func distinctName(
    of key: String, at steps: [ValuePath.Step] = [], among names: [ExactString: String]
  ) -> String {
    guard let name = names[ExactString(key)] else { return key }
    losses.add(.keyName, path: ValuePath(self.steps + steps))
    return name
  }

  private func declares(_ prefix: String, isAttribute: Bool, _ own: [String]) -> Bool {
    if prefix.equals("xmlns") { return isAttribute }
    let declaration = "xmlns:" + prefix
    return own.contains { $0.equals(declaration) } || xml.declares(prefix.utf8.span)
  }
}

extension Value {
  fileprivate var isList: Bool {
    if case .array = self { true } else { false }
  }
}

extension String {
  /// True if white space begins or ends the text.
  fileprivate var hasOuterSpace: Bool { utf8.first?.isSpace == true || utf8.last?.isSpace == true }
}
