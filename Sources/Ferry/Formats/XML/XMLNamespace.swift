/// The namespaces that XML itself defines.
enum XMLNamespace {
  /// The namespace of the prefix `xml`, which needs no declaration.
  static let xml = "http://www.w3.org/XML/1998/namespace"
  /// The namespace of the declarations of namespaces.
  static let declarations = "http://www.w3.org/2000/xmlns/"

  /// Returns true if an element can have an attribute with a name and a value. XML does not allow some declarations of namespaces.
  static func allowsAttribute(_ name: Span<UInt8>, _ value: Span<UInt8>) -> Bool {
    guard name.isNamespaceDeclaration else { return true }
    // The namespaces of `xml` and `xmlns` must not be declared with other prefixes.
    if value.equals(xml.utf8.span) || value.equals(declarations.utf8.span) { return false }
    if name.equals("xmlns") { return true }
    return !value.isEmpty && !name.equals("xmlns:xml") && !name.equals("xmlns:xmlns")
  }
}

extension Span<UInt8> {
  /// True for the name of an attribute that declares a namespace, `xmlns` or `xmlns:p`.
  var isNamespaceDeclaration: Bool { equals("xmlns") || starts(with: "xmlns:") }
}
