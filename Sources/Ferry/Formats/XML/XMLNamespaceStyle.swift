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

  /// Returns the text from which the key of a name is made. If the key would have a declared prefix, the name is escaped once more, so that
  /// the key is the name itself.
  func text(of name: XMLName) -> String {
    let text =
      switch self {
      case .kept: name.qualified
      case .stripped: name.local
      case .expanded: name.namespace.map { "{\($0)}\(name.local)" } ?? name.local
      }
    return name.encodesDeclaredPrefix && keepsName(text) ? XMLKeyName.elementName(for: text) : text
  }

  /// Returns true if a text encodes a declared prefix that is also declared when the keys are written again: any prefix with `kept`, which
  /// keeps declarations as keys, and otherwise only `xml`, which needs no declaration.
  private func keepsName(_ text: String) -> Bool {
    XMLKeyName.keepsName(text.utf8.span) { self == .kept || $0.equals("xml") }
  }

  /// Returns the key for the text of a name. Among expanded names, a name such as `_x007B_id_x007D_a` stays as it is, because its key
  /// `{id}a` is that of a name with a namespace.
  func key(for text: Span<UInt8>) -> [UInt8] {
    let key = XMLKeyName.key(for: text)
    return self == .expanded && ExpandedName(key: key.span) != nil ? [UInt8](copying: text) : key
  }

  /// Returns the key for the name of an attribute. A name such as `xmlns_x003A_a` stays as it is, because its key `@xmlns:a` is that of a
  /// declaration.
  func key(ofAttribute name: XMLName) -> [UInt8] {
    let text = text(of: name)
    let isLikeDeclaration = XMLKeyName.keepsName(text.utf8.span) { $0.equals("xmlns") }
    return [UInt8(ascii: "@")] + (isLikeDeclaration ? Array(text.utf8) : key(for: text.utf8.span))
  }
}

extension XMLName {
  /// Returns true if another attribute of the element has the local name as its key, so that this one keeps its prefix.
  func yields(to other: XMLName, isEarlier: Bool) -> Bool {
    other.local.equals(local) && (other.prefix == nil || isEarlier)
  }
}
