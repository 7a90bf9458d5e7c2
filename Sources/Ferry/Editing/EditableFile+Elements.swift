// Insertions into XML elements. The value of an element is a text or a dictionary; that of several elements with one name is a list.

extension EditableFile {
  /// Inserts a value into an XML element that has only text, or only attributes and white space, or beside an element that is not a
  /// list yet. Returns false for any other location. Throws if the step is a position in a list, such as `0`, and the element has only text.
  ///
  /// - Parameter path: The path of the element in this file.
  func insert(
    _ new: NewValue, at step: ValuePath.Step, intoElement location: ValueLocation, _ path: ValuePath
  ) throws(FerryError) -> Bool {
    guard format.description.hasEditableElements, !location.trail.children.isEmpty else { return false }
    try checkHoldsKey(step, location)
    if case .key(let key) = step, !key.equals("#text"), !key.begins(with: "@"),
      var entries = try entriesBesideLayout(of: location)
    {
      let added = try value(new, insertedAt: step, of: location)
      entries[key] = added
      try checkLookalikes(in: .dictionary(entries))
      try setEntries(entries, at: location)
      reportOtherForms(of: added, at: path.appending(step))
      return true
    }
    switch step {
    case .key: break
    // The root element is alone, so that its value is not an element of a list.
    default: if try isRootElement(location) { return false }
    }
    switch (step, try list.kind(of: location.node)) {
    case (.key, .string), (.end, .string), (.index(0), .string), (.index(1), .string): break
    case (.end, .dictionary), (.index(0), .dictionary), (.index(1), .dictionary):
      guard case .text(_, nil) = new else { break }
      throw FerryError(.path(.cannotPut("a text", .neighbor(try walker.name(of: location)))))
    default: return false
    }
    let old = try list.builtValue(of: location.node)
    let added = try value(new, at: location, replaces: false)
    try checkLookalikes(in: added)
    if case .key(let key) = step {
      try setEntries(entries(of: old, at: location, adding: added, for: key), at: location)
    } else {
      // The element keeps its node, with the texts and the order of its contents.
      let node = try list.add(value: added)
      let elements = step == .index(0) ? [node, location.node] : [location.node, node]
      try list.put(list.add(.array(elements)), at: location.trail)
    }
    reportOtherForms(of: added, at: path.appending(step))
    return true
  }

  /// Gives an element that had only text and attributes other entries. It stays the same element if it has moved.
  private func setEntries(_ entries: KeyedValues, at location: ValueLocation) throws(FerryError) {
    try editor().set(.dictionary(entries), at: location)
    try list.setOrigin(of: list.node(at: location.trail), replacing: location.node)
  }

  /// Returns the entries of an XML element that has attributes and no child elements, with a scalar as their text, so that a new scalar keeps
  /// the attributes. Returns the value unchanged if it is null or a collection, for any other element, and if an attribute of the element
  /// names the type of its text.
  func besideAttributes(_ value: Value, at location: ValueLocation) throws(FerryError) -> Value {
    guard value.plainText != nil, value != .null, var entries = try entriesWithoutElements(of: location),
      entries["@xsi:type"] == nil
    else { return value }
    entries["#text"] = value
    return .dictionary(entries)
  }

  /// Returns the entries of an XML element that has attributes, and only text besides. Returns nil for other values.
  func entriesWithoutElements(of location: ValueLocation) throws(FerryError) -> KeyedValues? {
    guard format.description.hasEditableElements, case .dictionary = try list.kind(of: location.node),
      let entries = try list.builtValue(of: location.node).dictionaryValue
    else { return nil }
    var hasAttributes = false
    for (key, _) in entries {
      guard let key = key.stringValue else { return nil }
      if key.begins(with: "@") { hasAttributes = true } else if !key.equals("#text") { return nil }
    }
    return hasAttributes ? entries : nil
  }

  /// Returns the entries of an element that has only text so far, with a new one.
  private func entries(
    of old: Value, at location: ValueLocation, adding added: Value, for key: String
  ) throws(FerryError) -> KeyedValues {
    let text = old.plainText ?? ""
    // An attribute that is added turns white space into text.
    var isLayout = text.isEmpty
    if !isLayout, !key.begins(with: "@") { isLayout = try self.isLayout(text, location.node, of: location) }
    guard isLayout || !key.equals("#text") else { throw FerryError(.path(.exists(key))) }
    var entries = KeyedValues()
    // Elements are added after the text, and attributes are before it.
    if !isLayout, !key.begins(with: "@") { entries["#text"] = old }
    entries[key] = added
    if !isLayout, entries["#text"] == nil { entries["#text"] = old }
    return entries
  }

  private func isRootElement(_ location: ValueLocation) throws(FerryError) -> Bool {
    location.trail.children.count == 1 ? try hasRootElement() : false
  }

  /// Returns true if the values of a document of XML are those of its root element, by the element's name.
  func hasRootElement() throws(FerryError) -> Bool {
    if let known = unchanged.hasRootElement { return known }
    let isFound = try findRootElement()
    unchanged.hasRootElement = isFound
    return isFound
  }

  /// Returns the attributes of an element that has only layout besides. Returns nil for other values.
  func entriesBesideLayout(of location: ValueLocation) throws(FerryError) -> KeyedValues? {
    guard case .dictionary = try list.kind(of: location.node),
      let node = try list.value("#text", of: location.node), let text = try list.string(node),
      try isLayout(text, node, of: location)
    else { return nil }
    guard var entries = try list.builtValue(of: location.node).dictionaryValue else { return nil }
    entries["#text"] = nil
    let hasElements = entries.contains { key, _ in key.stringValue?.begins(with: "@") != true }
    return hasElements ? nil : entries
  }

  /// Returns true if the text of an element is layout beside elements: white space with a line end, or beside comments or instructions.
  /// White space that the document marks as text, in a CDATA section or as references to characters, is text.
  private func isLayout(_ text: String, _ node: NodeID, of location: ValueLocation) throws(FerryError) -> Bool
  {
    guard text.utf8.allSatisfy(\.isSpace), try !keepsSpace(location) else { return false }
    let known = try space()
    guard known?.marked.contains(node) != true else { return false }
    return text.utf8.contains(UInt8(ascii: "\n")) || known?.besideMarkup.contains(node) == true
  }

  /// Returns the texts of white space in the document that are known to be text, or to be layout.
  private func space() throws(FerryError) -> XMLEdits.KnownSpace? {
    guard let tree = list.base as? PropertyListTree else { return nil }
    if let known = unchanged.knownSpace { return known }
    let found = try elementEdits(over: tree, source: source.copy, losses: LossReport()).knownSpace()
    unchanged.knownSpace = found
    return found
  }

  /// Returns true if an element, or the one around it that says so, has the attribute `xml:space="preserve"`.
  private func keepsSpace(_ location: ValueLocation) throws(FerryError) -> Bool {
    for count in (0...location.trail.children.count).reversed() {
      let node = try list.node(at: NodeTrail(children: Array(location.trail.children.prefix(count))))
      guard case .dictionary = try list.kind(of: node),
        let space = try list.value("@xml:space", of: node)
      else { continue }
      return try list.isString(space, "preserve")
    }
    return false
  }
}
