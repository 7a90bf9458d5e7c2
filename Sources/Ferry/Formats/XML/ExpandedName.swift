/// A name with its namespace in braces, such as `{urn:a}b`.
///
/// Such a name is the key of an element whose prefix is not known. `XMLPrinter` writes it with a prefix of the namespace.
struct ExpandedName {
  /// The namespace, or nothing for an element without one.
  let namespace: [UInt8]
  /// The name without a prefix.
  let local: [UInt8]

  /// Creates a name from its text. Returns nil if the text has another form, or if XML cannot have the name.
  init?(_ text: Span<UInt8>) {
    guard !text.isEmpty, text[0] == UInt8(ascii: "{"),
      let end = text.firstIndex(of: UInt8(ascii: "}"), from: 1)
    else {
      return nil
    }
    let (namespace, local) = (text.extracting(1..<end), text.extracting(end + 1..<text.count))
    guard local.isXMLName, local.firstIndex(of: UInt8(ascii: ":"), from: 0) == nil,
      !namespace.equals(XMLNamespace.declarations.utf8.span)
    else { return nil }
    for index in namespace.indices where namespace[index] <= 0x20 || namespace[index] == UInt8(ascii: "{") {
      return nil
    }
    (self.namespace, self.local) = ([UInt8](copying: namespace), [UInt8](copying: local))
  }

  /// Creates the name that a key in `XMLNamespaceStyle.expanded` represents. Its namespace may be any text, with braces and spaces too.
  /// Returns nil if the key has another form.
  init?(key: Span<UInt8>) {
    guard !key.isEmpty, key[0] == UInt8(ascii: "{"),
      let end = key.lastIndex(of: UInt8(ascii: "}"))
    else { return nil }
    let (namespace, local) = (key.extracting(1..<end), key.extracting(end + 1..<key.count))
    guard local.isXMLName, local.firstIndex(of: UInt8(ascii: ":"), from: 0) == nil,
      !namespace.equals(XMLNamespace.declarations.utf8.span)
    else { return nil }
    (self.namespace, self.local) = ([UInt8](copying: namespace), [UInt8](copying: local))
  }

  /// True if the namespace is a URI with a scheme, as namespaces are, so that other text in braces keeps its own meaning.
  var isAbsolute: Bool { namespace.contains(UInt8(ascii: ":")) }
}
