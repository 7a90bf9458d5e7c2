/// The namespaces that are declared around a decoded value of an XML document.
enum OuterNamespaces {
  /// None, because the value is a whole document.
  case none
  /// Unknown ones. Elements that are selected, or read as records, come without the elements around them, and names may be read without
  /// their prefixes.
  case unknown
  /// The namespaces that a function finds by their prefixes. The prefix of an element without one is empty.
  case known((_ prefix: [UInt8]) throws(FerryError) -> String?)
}

/// Coding keys that are names with their namespaces in braces, as `FerryEncoder` takes them.
extension ValueDecoding {
  /// The elements with one name in the file, or an attribute, that a key may mean.
  fileprivate struct Candidate {
    let name: String
    let value: Value
    /// The key of the declaration of the prefix.
    let declaration: String
    /// The namespace that the prefix has in elements which do not declare it themselves; nil for none.
    let inherited: String?
  }

  /// Returns the child elements or the attribute with a name in a namespace, with any prefixes; nil if there are none, or if the key has
  /// another form. Without a mark, the key means an attribute if no element has the name.
  ///
  /// - Parameters:
  ///   - key: The key, such as `{urn:a}b` or `@{urn:a}b`.
  ///   - entries: The entries of the element, whose names have prefixes.
  ///   - element: The element before its children were put together by name.
  /// - Returns: The value, with its name in the file if it is the whole value of one name.
  /// - Throws: An error if a namespace, or the order of elements with several prefixes, is not known.
  func inNamespace(
    _ key: String, _ entries: KeyedValues, of coded: CodedValue, element: Value
  ) throws(FerryError) -> (name: String?, value: Value)? {
    guard readsPrefixes else { return nil }
    let isMarked = key.begins(with: "@")
    let text = Array(key.utf8.dropFirst(isMarked ? 1 : 0))
    guard let wanted = ExpandedName(key: text.span) else { return nil }
    if !isMarked, let found = try elements(wanted, entries, of: coded, element: element) { return found }
    return try attribute(wanted, entries, of: coded)
  }

  /// Returns the names with their namespaces in braces that elements or attributes with a name have, as far as they are known.
  func expandedNames(of name: String, _ value: Value, in coded: CodedValue) -> [String] {
    let (mark, prefix, local) = Self.parts(of: name)
    guard readsPrefixes, !name.begins(with: "#"),
      let candidate = try? candidate(name, value, prefix, isAttribute: !mark.isEmpty, in: coded)
    else { return [] }
    var names: [ExactString] = []
    for element in value.listElements ?? [value] {
      guard let namespace = candidate.namespace(of: element) else { continue }
      let name = ExactString("\(mark){\(namespace)}\(local.span.decodedString)")
      if !names.contains(name) { names.append(name) }
    }
    return names.map(\.string)
  }

  private func elements(
    _ wanted: ExpandedName, _ entries: KeyedValues, of coded: CodedValue, element: Value
  ) throws(FerryError) -> (name: String?, value: Value)? {
    var found: [(name: String, values: [Value], isWhole: Bool)] = []
    var candidates: [Candidate] = []
    for (key, value) in entries {
      guard let name = key.stringValue, KeyedValues.isElementName(name) else { continue }
      let parts = Self.parts(of: name)
      guard parts.local == wanted.local else { continue }
      let candidate = try candidate(name, value, parts.prefix, isAttribute: false, in: coded)
      let all = value.listElements ?? [value]
      let values = all.filter { candidate.isIn(wanted.namespace, $0) }
      guard !values.isEmpty else { continue }
      candidates.append(candidate)
      found.append((name, values, values.count == all.count))
    }
    guard let first = candidates.first else { return nil }
    if candidates.count == 1, found[0].isWhole { return (first.name, first.value) }
    let values =
      candidates.count == 1 ? found[0].values : try inOrder(candidates, wanted, element, found.map(\.values))
    return (nil, values.count == 1 ? values[0] : .array(values))
  }

  /// Returns elements that have several prefixes in the order of the document.
  private func inOrder(
    _ candidates: [Candidate], _ wanted: ExpandedName, _ element: Value, _ values: [[Value]]
  ) throws(FerryError) -> [Value] {
    guard let contents = element.dictionaryValue?.contents else {
      guard hasContents || values.allSatisfy({ $0.count == 1 }) else {
        throw FerryError(.coding(.unknownOrder))
      }
      return values.flatMap { $0 }
    }
    return contents.flatMap { content in
      (content.dictionaryValue ?? [:]).compactMap { key, value in
        guard let name = key.stringValue,
          let candidate = candidates.first(where: { $0.name.equals(name) }),
          candidate.isIn(wanted.namespace, value)
        else { return nil }
        return value
      }
    }
  }

  private func attribute(
    _ wanted: ExpandedName, _ entries: KeyedValues, of coded: CodedValue
  ) throws(FerryError) -> (name: String?, value: Value)? {
    for (key, value) in entries {
      guard let name = key.stringValue, name.begins(with: "@"), !name.begins(with: "@xmlns") else { continue }
      let parts = Self.parts(of: name)
      guard parts.local == wanted.local else { continue }
      let candidate = try candidate(name, value, parts.prefix, isAttribute: true, in: coded)
      if (candidate.inherited ?? "").utf8.elementsEqual(wanted.namespace) { return (name, value) }
    }
    return nil
  }

  private func candidate(
    _ name: String, _ value: Value, _ prefix: [UInt8], isAttribute: Bool, in coded: CodedValue
  ) throws(FerryError) -> Candidate {
    let declaration = prefix.isEmpty ? "@xmlns" : "@xmlns:\(prefix.span.decodedString)"
    // An attribute without a prefix is in no namespace.
    let isKnown =
      isAttribute
      ? prefix.isEmpty
      : (value.listElements ?? [value]).allSatisfy { $0.dictionaryValue?[declaration] != nil }
    let inherited =
      isKnown ? nil : try namespace(of: prefix, declaredBy: declaration, around: coded, name)
    return Candidate(name: name, value: value, declaration: declaration, inherited: inherited)
  }

  /// Returns the namespace that a prefix has in an element; nil for none.
  private func namespace(
    of prefix: [UInt8], declaredBy declaration: String, around coded: CodedValue, _ name: String
  ) throws(FerryError) -> String? {
    if prefix.span.equals("xml") { return XMLNamespace.xml }
    if let declared = coded.entry(declaration) { return declared.plainText }
    switch outerNamespaces {
    case .none: return nil
    case .known(let namespace): return try namespace(prefix)
    case .unknown: throw FerryError(.coding(.unknownNamespace(name)))
    }
  }

  /// Returns the mark of an attribute, the prefix and the local part of a name.
  private static func parts(of name: String) -> (mark: String, prefix: [UInt8], local: [UInt8]) {
    let mark = name.begins(with: "@") ? "@" : ""
    let bytes = name.utf8.dropFirst(mark.utf8.count)
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return (mark, [], Array(bytes)) }
    return (mark, Array(bytes[..<colon]), Array(bytes[bytes.index(after: colon)...]))
  }
}

extension ValueDecoding.Candidate {
  /// Returns the namespace of one of the elements; nil for none.
  fileprivate func namespace(of element: Value) -> String? {
    let namespace = element.dictionaryValue?[declaration]?.plainText ?? inherited
    return namespace.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Returns true if one of the elements is in a namespace, which is empty for none.
  fileprivate func isIn(_ wanted: [UInt8], _ element: Value) -> Bool {
    (namespace(of: element) ?? "").utf8.elementsEqual(wanted)
  }
}

extension CodedValue {
  /// Returns the value for a key in the value, or in the innermost one around it that has the key.
  fileprivate func entry(_ key: String) -> Value? {
    var next: CodedValue? = self
    while let coded = next {
      if let value = coded.content.dictionaryValue?[key] { return value }
      next = coded.parent
    }
    return nil
  }
}
