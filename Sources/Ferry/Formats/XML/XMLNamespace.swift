/// The namespaces that XML itself defines.
enum XMLNamespace {
  /// The namespace of the prefix `xml`, which needs no declaration.
  static let xml = "http://www.w3.org/XML/1998/namespace"
  /// The namespace of the declarations of namespaces.
  static let declarations = "http://www.w3.org/2000/xmlns/"
}
