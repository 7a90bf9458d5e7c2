/// A name with its namespace in braces, such as `{urn:a}b`.
///
/// Such a name is the key of an element whose prefix is not known. `XMLOutput` writes it with a prefix of the namespace. The namespace
/// may be any text that XML can have, also one that is no URI, such as `test` or `a/b`: documents have these. Other text in braces is
/// no such name: `{x}`, `{x} y`.
struct ExpandedName {
  /// The namespace, or nothing for an element without one.
  let namespace: [UInt8]
  /// The name without a prefix.
  let local: [UInt8]

  /// Creates a name from its text. Returns nil if the text has another form, or if XML cannot have the name.
  init?(_ text: Span<UInt8>) {
    guard !text.isEmpty, text[0] == UInt8(ascii: "{") else { return nil }
    // The namespace may contain braces, and the name may not.
    var end = text.count - 1
    while end > 0, text[end] != UInt8(ascii: "}") { end -= 1 }
    guard end > 0 else { return nil }
    let (namespace, local) = (text.extracting(1..<end), text.extracting(end + 1..<text.count))
    guard local.isXMLName, local.firstIndex(of: UInt8(ascii: ":"), from: 0) == nil,
      !namespace.equals(XMLNamespace.declarations.utf8.span)
    else { return nil }
    var index = 0
    while index < namespace.count {
      let (scalar, length) = namespace.scalar(at: index)
      guard isXMLCharacter(scalar) else { return nil }
      index += length
    }
    (self.namespace, self.local) = ([UInt8](copying: namespace), [UInt8](copying: local))
  }
}
