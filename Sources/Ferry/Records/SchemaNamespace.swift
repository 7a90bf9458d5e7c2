/// A namespace of the elements and attributes of records in XML, and its prefix in the names of a schema.
///
///     "namespaces": {"": "http://www.w3.org/2005/Atom", "media": "http://search.yahoo.com/mrss/"}
///
/// A document may use other prefixes for the namespace: names are compared by their namespace and their local name. Ferry writes the
/// prefix of the schema, and that of the document into an existing document.
public struct SchemaNamespace: Hashable, Sendable {
  /// The prefix, or an empty string for elements without a prefix. Attributes without a prefix have no namespace.
  public var prefix: String
  /// The namespace name, which is mostly a URI.
  public var uri: String

  /// Creates a namespace.
  public init(prefix: String, uri: String) { (self.prefix, self.uri) = (prefix, uri) }
}
