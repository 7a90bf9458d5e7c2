/// The names of elements and attributes in a schema with namespaces.
///
///     "namespaces": {"": "urn:a", "b": "urn:b"}
///
///     <x:title xmlns:x="urn:a"/>      title
///     <y:title xmlns:y="urn:b"/>      b:title
///     <title xmlns="urn:c"/>          {urn:c}title
///     <title/>                        {}title       without a default namespace in the schema: title
struct SchemaNames: Hashable {
  let namespaces: [SchemaNamespace]
  /// The namespaces, by their prefixes.
  private let uris: [ExactString: String]
  /// The prefixes of elements and of attributes, by their namespaces.
  private let elementPrefixes: [ExactString: String]
  private let attributePrefixes: [ExactString: String]

  /// Creates the names of a schema. Returns nil for a schema without namespaces, which has local names.
  init?(_ namespaces: [SchemaNamespace]) {
    guard !namespaces.isEmpty else { return nil }
    func first(_ pairs: [(ExactString, String)]) -> [ExactString: String] {
      Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }
    let (bare, named) = (namespaces.filter { $0.prefix.isEmpty }, namespaces.filter { !$0.prefix.isEmpty })
    self.namespaces = namespaces
    uris = first(namespaces.map { (ExactString($0.prefix), $0.uri) })
    // Elements have no prefix if the schema has their namespace without one.
    elementPrefixes = first((bare + named).map { (ExactString($0.uri), $0.prefix) })
    attributePrefixes = first(named.map { (ExactString($0.uri), $0.prefix) })
  }

  // The dictionaries follow from the namespaces.
  static func == (a: SchemaNames, b: SchemaNames) -> Bool { a.namespaces == b.namespaces }
  func hash(into hasher: inout Hasher) { hasher.combine(namespaces) }

  // MARK: Names in documents

  /// Returns the name of an element.
  func element(_ name: XMLName) -> String {
    let uri = name.namespace ?? ""
    if uri.isEmpty { return uris[""] == nil ? name.local : "{}\(name.local)" }
    guard let prefix = uri.equals(XMLNamespace.xml) ? "xml" : elementPrefixes[uri] else {
      return "{\(uri)}\(name.local)"
    }
    return prefix.isEmpty ? name.local : "\(prefix):\(name.local)"
  }

  /// Returns the name of an attribute.
  func attribute(_ name: XMLName) -> String {
    guard let uri = name.namespace, !uri.isEmpty else { return name.local }
    guard let prefix = uri.equals(XMLNamespace.xml) ? "xml" : attributePrefixes[uri] else {
      return "{\(uri)}\(name.local)"
    }
    return "\(prefix):\(name.local)"
  }

  /// Returns true if the schema has a namespace.
  func declares(_ uri: Span<UInt8>) -> Bool { elementPrefixes[uri.decodedString] != nil }

  // MARK: Names in schemas

  /// Returns the canonical name of an element, with the same prefix for every prefix of its namespace. Returns nil if the prefix is
  /// not declared.
  func canonical(element name: String) -> String? {
    guard let (prefix, local) = name.dividedAtColon else { return name }
    if prefix.equals("xml") { return name }
    guard let uri = uris[prefix], let canonical = elementPrefixes[uri] else {
      return nil
    }
    return canonical.isEmpty ? local : "\(canonical):\(local)"
  }

  /// Returns the canonical name of an attribute. Returns nil if the prefix is not declared.
  func canonical(attribute name: String) -> String? {
    guard let (prefix, local) = name.dividedAtColon else { return name }
    if prefix.equals("xml") { return name }
    guard let uri = uris[prefix], let canonical = attributePrefixes[uri] else {
      return nil
    }
    return "\(canonical):\(local)"
  }

  /// Returns the namespace of an element with a name; nil if it has none.
  func uri(ofElement name: String) -> String? {
    uris[name.dividedAtColon?.prefix ?? ""]
  }

  /// Returns the namespace of an attribute with a name; nil if it has none.
  func uri(ofAttribute name: String) -> String? {
    name.dividedAtColon.flatMap { uris[$0.prefix] }
  }

  /// Returns the name of an element for a key. A prefix that the schema declares is kept.
  func elementName(for key: String) -> String {
    let keepsColon = key.dividedAtColon != nil && canonical(element: key).equals(key)
    return String(decoding: XMLKeyName.name(for: key.utf8.span, keepsColon: keepsColon), as: UTF8.self)
  }
}

extension Optional where Wrapped == SchemaNames {
  /// Returns true if a key of an element or attribute that a schema does not describe keeps its prefix in XML. A schema without namespaces
  /// has only the prefix `xml`, of attributes.
  func keepsPrefix(of key: String, isAttribute: Bool) -> Bool {
    guard let prefix = key.dividedAtColon?.prefix else { return false }
    if isAttribute, prefix.equals("xml") { return true }
    return (isAttribute ? self?.canonical(attribute: key) : self?.canonical(element: key)).equals(key)
  }

  /// Returns true if a name of an element or attribute is its own key, because the key that it encodes would keep its prefix.
  func keepsName(_ name: String, isAttribute: Bool) -> Bool {
    XMLKeyName.keepsName(name.utf8.span) { keepsPrefix(of: "\($0):a", isAttribute: isAttribute) }
  }
}

extension Schema {
  /// The names of the elements and attributes, or nil if the schema has no namespaces.
  var names: SchemaNames? { SchemaNames(namespaces) }
}

extension String {
  /// The prefix and the local name, if a colon divides them.
  var dividedAtColon: (prefix: String, local: String)? {
    guard let colon = utf8.firstIndex(of: UInt8(ascii: ":")), colon != utf8.startIndex else { return nil }
    let local = self[utf8.index(after: colon)...]
    guard !local.isEmpty, !local.utf8.contains(UInt8(ascii: ":")) else { return nil }
    return (String(self[..<colon]), String(local))
  }

  /// The name without its prefix.
  var withoutPrefix: String { dividedAtColon?.local ?? self }
}
