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

  /// Creates the names of a schema. Returns nil for a schema without namespaces, which has local names.
  init?(_ namespaces: [SchemaNamespace]) {
    guard !namespaces.isEmpty else { return nil }
    self.namespaces = namespaces
  }

  // MARK: Names in documents

  /// Returns the name of an element.
  func element(_ name: XMLName) -> String {
    let uri = name.namespace ?? ""
    if uri.isEmpty { return uriOfElements(withPrefix: "") == nil ? name.local : "{}\(name.local)" }
    guard let prefix = uri.equals(Self.xml) ? "xml" : prefix(ofElementsIn: uri) else {
      return "{\(uri)}\(name.local)"
    }
    return prefix.isEmpty ? name.local : "\(prefix):\(name.local)"
  }

  /// Returns the name of an attribute.
  func attribute(_ name: XMLName) -> String {
    guard let uri = name.namespace, !uri.isEmpty else { return name.local }
    guard let prefix = uri.equals(Self.xml) ? "xml" : prefix(ofAttributesIn: uri) else {
      return "{\(uri)}\(name.local)"
    }
    return "\(prefix):\(name.local)"
  }

  /// Returns true if the schema has a namespace.
  func declares(_ uri: Span<UInt8>) -> Bool { namespaces.contains { uri.equals($0.uri.utf8.span) } }

  // MARK: Names in schemas

  /// Returns the name of an element as documents' names are compared with it, because two prefixes may mean one namespace. Returns
  /// nil if the prefix is not declared.
  func usual(element name: String) -> String? {
    guard let (prefix, local) = name.dividedAtColon else { return name }
    if prefix.equals("xml") { return name }
    guard let uri = uriOfElements(withPrefix: prefix), let usual = self.prefix(ofElementsIn: uri) else {
      return nil
    }
    return usual.isEmpty ? local : "\(usual):\(local)"
  }

  /// Returns the name of an attribute as documents' names are compared with it. Returns nil if the prefix is not declared.
  func usual(attribute name: String) -> String? {
    guard let (prefix, local) = name.dividedAtColon else { return name }
    if prefix.equals("xml") { return name }
    guard let uri = uriOfElements(withPrefix: prefix), let usual = self.prefix(ofAttributesIn: uri) else {
      return nil
    }
    return "\(usual):\(local)"
  }

  /// Returns the namespace of an element with a name; nil if it has none.
  func uri(ofElement name: String) -> String? {
    uriOfElements(withPrefix: name.dividedAtColon?.prefix ?? "")
  }

  /// Returns the namespace of an attribute with a name; nil if it has none.
  func uri(ofAttribute name: String) -> String? {
    name.dividedAtColon.flatMap { uriOfElements(withPrefix: $0.prefix) }
  }

  /// Returns the name of an element for a key. A prefix that the schema declares is kept.
  func elementName(for key: String) -> String {
    let keepsColon = key.dividedAtColon != nil && usual(element: key).equals(key)
    return String(decoding: XMLKeyName.name(for: key.utf8.span, keepsColon: keepsColon), as: UTF8.self)
  }

  private func uriOfElements(withPrefix prefix: String) -> String? {
    namespaces.first { $0.prefix.equals(prefix) }?.uri
  }

  private func prefix(ofElementsIn uri: String) -> String? {
    let own = namespaces.filter { $0.uri.equals(uri) }
    return own.first { $0.prefix.isEmpty }?.prefix ?? own.first?.prefix
  }

  private func prefix(ofAttributesIn uri: String) -> String? {
    namespaces.first { $0.uri.equals(uri) && !$0.prefix.isEmpty }?.prefix
  }

  /// The namespace of the prefix `xml`, which needs no declaration.
  static let xml = "http://www.w3.org/XML/1998/namespace"
  /// The namespace of the declarations of namespaces.
  static let declarations = "http://www.w3.org/2000/xmlns/"
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
