/// A declaration of a namespace on an element.
///
///     xmlns:p="urn:a"
struct NamespaceDeclaration: Hashable, Sendable {
  /// The name of the attribute: `xmlns` or `xmlns:prefix`.
  let name: String
  let namespace: String

  /// True if the declaration is that of the default namespace.
  var isDefault: Bool { name.equals("xmlns") }

  /// Returns true if both declare the same namespace for the same prefix, byte by byte.
  static func == (a: NamespaceDeclaration, b: NamespaceDeclaration) -> Bool {
    a.name.equals(b.name) && a.namespace.equals(b.namespace)
  }

  /// Returns true if the declaration is that of the prefix in a name.
  func declaresPrefix(of qualified: Span<UInt8>) -> Bool {
    guard let colon = qualified.firstIndex(of: UInt8(ascii: ":"), from: 0) else { return false }
    let prefix = qualified.extracting(..<colon)
    return name.utf8.span.starts(with: "xmlns:")
      && name.utf8.dropFirst("xmlns:".utf8.count).elementsEqual([UInt8](copying: prefix))
  }
}
