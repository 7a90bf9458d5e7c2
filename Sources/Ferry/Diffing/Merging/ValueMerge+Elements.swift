// Merging of XML elements that were read by convention.

extension ValueMerge {
  /// Returns the merged keys of an element in the order in which a writer of XML needs them: attributes
  /// first, and text last.
  ///
  ///     base {}    ours {"b": "1"}    theirs {"@id": "v"}    →    {"@id": "v", "b": "1"}
  ///
  /// A key of another format that only looks like an attribute or text stays in its position.
  func elementOrder(of keys: [Value], in versions: [KeyedValues], _ type: FieldType?) -> [Value] {
    func isAttribute(_ key: Value) -> Bool { key.isAttributeKey || isAttributeField(key, of: type) }
    let children = Set(versions.flatMap { $0.keys.drop(while: isAttribute) })
    let hasText = versions.allSatisfy { !$0.keys.dropLast().contains(.elementText) }
    let attributes = keys.filter { isAttribute($0) && !children.contains($0) }
    let text = hasText ? keys.filter { $0 == .elementText } : []
    let others = Set(attributes + text)
    return attributes + keys.filter { !others.contains($0) } + text
  }

  /// Returns true if a value is the white space that was left of an element's layout when a side removed its last child.
  /// The merged element has children again.
  ///
  ///     base <r id="1"> <a/> </r>    ours <r id="1"> </r>    theirs <r id="1"> <a/> <b/> </r>
  func isLayout(
    _ values: Values, of key: Value, besideChildrenOf merged: KeyedValues, since base: KeyedValues
  ) -> Bool {
    guard options.mergesElements, key == .elementText, values.base == nil else { return false }
    return merged.hasChildElements && base.hasChildElements
      && [values.ours, values.theirs].allSatisfy { $0?.isBlankText ?? true }
  }

  /// Returns true if the schema declares that a key of a record is an attribute.
  private func isAttributeField(_ key: Value, of type: FieldType?) -> Bool {
    guard case .string(let name) = key, case .record(let record)? = type,
      let match = record.match(name.utf8.span, usesArchiveKeys: options.usesArchiveKeys),
      case .attribute = record.fields[match.field].xml
    else { return false }
    return true
  }
}

extension ValueMerge.Values {
  /// The versions of an element in one shape, or nil if they already have the same shape.
  ///
  /// An element with text alone becomes a dictionary if a version has attributes or children. A single
  /// element becomes an array if a version has several.
  ///
  ///     base "Hello"    ours {"@class": "x", "#text": "Hello"}    →    base {"#text": "Hello"}
  var elementsInOneShape: Self? {
    let values = [base, ours, theirs].compactMap(\.self)
    if values.contains(where: \.isArray) {
      return values.allSatisfy(\.isArray) ? nil : mapping { $0.isArray ? $0 : .array([$0]) }
    }
    let entries = values.map(\.elementEntries)
    guard values.contains(where: \.isDictionary), !values.allSatisfy(\.isDictionary), !entries.contains(nil)
    else { return nil }
    return mapping { $0.elementEntries.map(Value.dictionary) ?? $0 }
  }

  private func mapping(_ transform: (Value) -> Value) -> Self {
    Self(base: base.map(transform), ours: ours.map(transform), theirs: theirs.map(transform))
  }
}

extension Value {
  /// Returns a merged element as a single element again if a version is one and no others were added.
  func element(inShapeOf values: ValueMerge.Values) -> Value {
    guard case .array(let elements) = self, elements.count == 1,
      values.ours?.isArray == false || values.theirs?.isArray == false
    else { return self }
    return elements[0]
  }
}

extension KeyedValues {
  /// True if an element with these attributes, children and text has children.
  fileprivate var hasChildElements: Bool { keys.contains { !$0.isAttributeKey && $0 != .elementText } }

  /// The value of an XML element with these attributes, children and text, as a reader reads it.
  var element: Value {
    if isEmpty { return .string("") }
    guard count == 1, let text = self[.elementText], text.elementEntries != nil, !text.isDictionary else {
      return .dictionary(self)
    }
    return text
  }
}

extension Value {
  /// The key for the text of an element with attributes or children.
  fileprivate static var elementText: Value { .string("#text") }

  fileprivate var isArray: Bool { if case .array = self { true } else { false } }
  fileprivate var isDictionary: Bool { if case .dictionary = self { true } else { false } }

  /// True for a text of white space alone.
  fileprivate var isBlankText: Bool {
    guard case .string(let text) = self else { return false }
    return TextPieces.isSpace(Array(text.utf8)[...])
  }

  /// True for a key with the form `@name`.
  fileprivate var isAttributeKey: Bool {
    guard case .string(let name) = self else { return false }
    return name.utf8.first == UInt8(ascii: "@") && name.utf8.count > 1
  }

  /// The attributes, children and text of an XML element. Nil if the value is not that of one element.
  fileprivate var elementEntries: KeyedValues? {
    switch self {
    case .dictionary(let entries): return entries
    case .null: return KeyedValues()
    case .string(let text) where text.isEmpty: return KeyedValues()
    case .array, .set, .object, .reference: return nil
    default:
      var entries = KeyedValues()
      entries[.elementText] = self
      return entries
    }
  }

  /// The empty collection of the same kind, or null for other values.
  var emptied: Value {
    switch self {
    case .dictionary: .dictionary(KeyedValues())
    case .array: .array([])
    case .set: .set([])
    default: .null
    }
  }
}
