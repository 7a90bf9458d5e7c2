/// The options for XML.
public struct XMLReadingOptions: Sendable {
  /// The namespaces of prefixes in an XPath that selects elements. Other prefixes have the namespaces that the document
  /// declares, and `_` has the default namespace of its root element.
  public var prefixes: [String: String] = [:]
  /// The entities that a document may refer to without declaring them.
  public var entities = XMLEntities()
  /// The names of elements and attributes as keys, in a document without a schema.
  public var namespaces = XMLNamespaceStyle.kept
  /// The elements that are lists even where they occur once, in a document without a schema. A path consists of keys, and
  /// matches the elements whose paths end in it: `author`, `book.author`.
  public var lists: [ValuePath] = []
  /// The convention for a document without a schema, also for writing one.
  public var convention = XMLConvention.ferry

  /// Creates the default options.
  public init() {}

  /// True if the options do not ask for another form of a document without a schema.
  var isUsual: Bool { namespaces == .kept && lists.isEmpty && convention == .ferry }
}

/// The names of elements and attributes as keys.
///
///                     <a:b xmlns:a="urn:a" a:c="1"/>
///     kept            {"a:b": {"@a:c": "1", "@xmlns:a": "urn:a"}}
///     stripped        {"b": {"@c": "1"}}
///     expanded        {"{urn:a}b": {"@{urn:a}c": "1"}}
public enum XMLNamespaceStyle: String, Sendable, CaseIterable {
  /// Names with their prefixes, and namespace declarations as attributes.
  case kept = "keep"
  /// Names without their prefixes. An attribute keeps its prefix if the element has another one with its local name.
  case stripped = "strip"
  /// Names with their namespaces in braces.
  case expanded = "expand"

  /// Returns the text of a name.
  func text(of name: XMLName) -> String {
    switch self {
    case .kept: name.qualified
    case .stripped: name.local
    case .expanded: name.namespace.map { "{\($0)}\(name.local)" } ?? name.local
    }
  }
}

extension XMLName {
  /// Returns true if another attribute of the element has the local name as its key, so that this one keeps its prefix.
  func yields(to other: XMLName, isEarlier: Bool) -> Bool {
    other.local.equals(local) && (other.prefix == nil || isEarlier)
  }
}
