/// The elements for an edited value of a document that was written with types, in terms of the document without its types.
///
///     {"age": 36}     {"age": {"@xsi:type": "xs:integer", "#text": "36"}}
///
/// Elements whose values stay keep their form. Others get the attributes of `XMLTypeAttribute`.
struct TypedElements {
  private let types: String
  private let instance: String
  private let schema: String
  /// True if the root element declares the prefix of the types of XML Schema.
  private let declaresSchema: Bool

  /// Creates the elements of a document, from the value of its root element without types. Returns nil for a document without types.
  init?(root: Value) {
    guard case .dictionary(let entries) = root else { return nil }
    func prefix(of namespace: String) -> String? {
      for (key, value) in entries where value.plainText.equals(namespace) {
        guard let name = key.plainText, name.begins(with: "@xmlns:") else { continue }
        return String(decoding: name.utf8.dropFirst("@xmlns:".utf8.count), as: UTF8.self)
      }
      return nil
    }
    guard let types = prefix(of: XMLTypeAttribute.ferry) else { return nil }
    self.types = types
    instance = prefix(of: XMLTypeAttribute.instance) ?? "xsi"
    let schema = prefix(of: XMLTypeAttribute.schema)
    (self.schema, declaresSchema) = (schema ?? "xs", schema != nil)
  }

  // MARK: Marks

  private var listMark: String { "@\(types):list" }
  private var typeMark: String { "@\(types):type" }
  private var wrapperMark: String { "@\(types):wrapper" }
  private var nilMark: String { "@\(instance):nil" }
  private var scalarMark: String { "@\(instance):type" }
  private static let textKey = "#text"

  private func mark(_ key: String, of element: Value?) -> String? {
    guard case .dictionary(let entries)? = element else { return nil }
    return entries[key]?.plainText
  }

  /// True if a root element is not part of the value.
  func isWrapper(_ root: Value) -> Bool { mark(wrapperMark, of: root).equals("true") }

  /// Returns the entries of an element that are not part of its value, but for the marks of its type.
  private func declarations(of element: Value?) -> KeyedValues {
    var kept = KeyedValues()
    guard case .dictionary(let entries)? = element else { return kept }
    for (key, value) in entries {
      guard let name = key.plainText, let text = value.plainText else { continue }
      let isDeclaration = name.begins(with: "@xmlns:") && XMLTypeAttribute.declares(text.utf8.span)
      if isDeclaration || name.equals(wrapperMark) { kept[key] = value }
    }
    return kept
  }

  /// Returns an element with or without the mark of the first element of a list.
  private func element(_ element: Value, isFirst: Bool) -> Value {
    var marked = KeyedValues()
    if isFirst { marked[listMark] = .string("true") }
    if case .dictionary(let entries) = element {
      for (key, value) in entries where !(key.plainText ?? "").equals(listMark) { marked[key] = value }
    } else if let text = element.plainText, !text.isEmpty {
      marked[Self.textKey] = .string(text)
    }
    return Self.element(marked)
  }

  /// Returns the value of an element with entries: its text if it has nothing else.
  private static func element(_ entries: KeyedValues) -> Value {
    if entries.isEmpty { return .string("") }
    if entries.count == 1, let text = entries[textKey] { return text }
    return .dictionary(entries)
  }

  // MARK: Prefixes

  /// Returns a root element that declares the prefixes of the types in it.
  func declaringPrefixes(_ root: Value) -> Value {
    guard case .dictionary(var entries) = root else { return root }
    var undeclared: [[UInt8]: [UInt8]] = [:]
    root.addNames(under: nil, to: &undeclared)
    if undeclared[Array(instance.utf8)] != nil {
      entries["@xmlns:\(instance)"] = .string(XMLTypeAttribute.instance)
    }
    let declaration = "@xmlns:\(schema)"
    // A prefix with another namespace keeps it. The change is refused, because its values are read back as others.
    if !declaresSchema, entries[declaration] == nil, hasTypeOfSchema(root) {
      entries[declaration] = .string(XMLTypeAttribute.schema)
    }
    return .dictionary(entries)
  }

  /// Returns true if an element, or one inside it, has a type of XML Schema. The recursion is bounded by the depth of a built value.
  private func hasTypeOfSchema(_ element: Value) -> Bool {
    switch element {
    case .array(let elements): return elements.contains(where: hasTypeOfSchema)
    case .dictionary(let entries):
      let prefix = "\(schema):"
      if let type = mark(scalarMark, of: element), type.utf8.starts(with: prefix.utf8) { return true }
      return entries.contains { hasTypeOfSchema($0.value) }
    default: return false
    }
  }

  // MARK: Values

  /// Returns an element for a value, without the mark of a list.
  ///
  /// - Parameters:
  ///   - stored: The element that the document has in this place, or nil.
  ///   - old: The value of this element.
  func element(for new: Value, stored: Value?, old: Value?) -> Value {
    if let stored, new == old { return element(stored, isFirst: false) }
    var entries = declarations(of: stored)
    switch new {
    case .dictionary(let values):
      if values.isEmpty { entries[typeMark] = .string("dictionary") }
      for (key, value) in values {
        entries[key] = child(
          for: value, stored: self.value(of: key, in: stored), old: self.value(of: key, in: old))
      }
    case .array(let values):
      entries[typeMark] = .string("list")
      addItems(values, to: &entries, stored: stored, old: old)
    case .null: entries[nilMark] = .string("true")
    default:
      let text = Self.text(of: new)
      if let type = type(of: new, text, stored: stored) { entries[scalarMark] = .string(type) }
      if !text.isEmpty { entries[Self.textKey] = .string(text) }
    }
    return Self.element(entries)
  }

  /// Returns the value of a key, which is one element or a list of elements with the name.
  private func child(for new: Value, stored: Value?, old: Value?) -> Value {
    if let stored, new == old { return stored }
    guard case .array(let values) = new, !values.isEmpty else {
      return element(for: new, stored: stored.flatMap(Self.single), old: old)
    }
    let (first, elements) = pairs(stored, old)
    let made = self.elements(for: values, elements)
    // Several elements are a list also without a mark.
    let isMarked = made.count == 1 || first == nil || mark(listMark, of: first) != nil
    let marked = [element(made[0], isFirst: isMarked)] + made.dropFirst()
    return marked.count == 1 ? marked[0] : .array(marked)
  }

  /// Adds the elements of an element that is a list.
  private func addItems(_ values: [Value], to entries: inout KeyedValues, stored: Value?, old: Value?) {
    var (key, elements) = (Value.string("item"), [(stored: Value, old: Value)]())
    if case .dictionary(let all)? = stored, mark(typeMark, of: stored).equals("list") {
      let items = all.filter { !($0.key.plainText ?? "").begins(with: "@") }
      // Elements with several names are written anew.
      if items.count == 1 {
        key = items[0].key
        elements = pairs(items[0].value, old).elements
      }
    }
    let made = self.elements(for: values, elements)
    if !made.isEmpty { entries[key] = made.count == 1 ? made[0] : .array(made) }
  }

  /// Returns the first element of a stored list, and its elements with their values; no elements if their numbers differ.
  private func pairs(_ stored: Value?, _ old: Value?) -> (
    first: Value?, elements: [(stored: Value, old: Value)]
  ) {
    guard let stored, case .array(let values)? = old, !values.isEmpty else { return (nil, []) }
    let elements: [Value] = if case .array(let elements) = stored { elements } else { [stored] }
    guard elements.count == values.count else { return (elements.first, []) }
    return (elements.first, zip(elements, values).map { (stored: $0, old: $1) })
  }

  /// Returns the elements for the values of a list. Equal values at its end keep their elements.
  private func elements(for new: [Value], _ old: [(stored: Value, old: Value)]) -> [Value] {
    var end = 0
    while end < new.count, end < old.count,
      new[new.count - 1 - end] == old[old.count - 1 - end].old
    {
      end += 1
    }
    return new.indices.map { index in
      var pair: (stored: Value, old: Value)?
      if index >= new.count - end {
        pair = old[old.count - (new.count - index)]
      } else if index < old.count - end {
        pair = old[index]
      }
      return element(for: new[index], stored: pair?.stored, old: pair?.old)
    }
  }

  private func value(of key: Value, in value: Value?) -> Value? {
    if case .dictionary(let entries)? = value { entries[key] } else { nil }
  }

  /// Returns an element that is not one of several.
  private static func single(_ stored: Value) -> Value? {
    if case .array = stored { nil } else { stored }
  }

  // MARK: Scalars

  /// Returns the text of a scalar.
  private static func text(of value: Value) -> String {
    let notFinite: String? =
      switch value {
      case .real(let real): XMLValueWriter.notFinite(real)
      case .single(let single): XMLValueWriter.notFinite(single)
      default: nil
      }
    return notFinite ?? value.plainText ?? ""
  }

  /// Returns the name of the type of a scalar, or nil for a text. A type that an element has is kept if it fits.
  private func type(of value: Value, _ text: String, stored: Value?) -> String? {
    let type = Self.type(of: value, text)
    if let known = mark(scalarMark, of: stored), keeps(known, type) { return known }
    return type == .string ? nil : "\(schema):\(type.rawValue)"
  }

  private static func type(of value: Value, _ text: String) -> XMLScalarType {
    switch value {
    case .boolean: .boolean
    case .real(let real) where !real.isFinite: .double
    case .single(let single) where !single.isFinite: .double
    case .integer, .real, .single, .number: XMLScalarType(ofNumber: BorrowedText(text.utf8.span))
    case .date: .date
    case .data: .data
    default: .string
    }
  }

  /// Returns true if the type of an element fits another value.
  private func keeps(_ known: String, _ type: XMLScalarType) -> Bool {
    let prefix = "\(schema):"
    guard known.utf8.starts(with: prefix.utf8) else { return false }
    let name = String(decoding: known.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
    switch type {
    case .integer: return XMLScalarType.isNumber(name)
    case .decimal: return ["decimal", "double", "float"].contains(exactly: name)
    case .double: return ["double", "float"].contains(exactly: name)
    case .boolean, .string, .date, .data: return name.equals(type.rawValue)
    case .null: return false
    }
  }

  /// Returns true if two values are the same but for the notation of their numbers.
  static func isSame(_ value: Value, as other: Value) -> Bool {
    switch (value, other) {
    case (.array(let values), .array(let others)):
      return values.count == others.count && zip(values, others).allSatisfy { isSame($0, as: $1) }
    case (.dictionary(let entries), .dictionary(let others)):
      return entries.count == others.count
        && entries.allSatisfy { entry in
          others[entry.key].map { isSame(entry.value, as: $0) } ?? false
        }
    case (.array, _), (_, .array), (.dictionary, _), (_, .dictionary): return false
    default:
      if value == other { return true }
      let (text, otherText) = (text(of: value), text(of: other))
      return value.isNumber && other.isNumber && !text.equals("NaN") && text.equals(otherText)
    }
  }
}
