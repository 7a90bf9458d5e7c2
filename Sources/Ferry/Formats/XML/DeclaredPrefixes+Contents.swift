extension DeclaredPrefixes {
  /// Returns true if a text contains a name with a declared prefix, such as `xs:int` or `count(p:a/p:b)`. The prefix `xml` needs no declaration.
  func occur(in text: Span<UInt8>) -> Bool {
    guard !isEmpty else { return false }
    var next = 0
    while let colon = text.firstIndex(of: UInt8(ascii: ":"), from: next), colon + 1 < text.count {
      next = colon + 1
      // Two colons follow an axis of XPath.
      if text[next] == UInt8(ascii: ":") {
        next += 1
      } else if Self.mayBeginName(text[next]), contains(prefixOf: colon, in: text) {
        return true
      }
    }
    return false
  }

  /// Returns true if an attribute lists declared prefixes, as some of XSLT and of Office Open XML do: `exclude-result-prefixes="a b"`,
  /// `Ignorable="w14"`.
  func occur(in value: Span<UInt8>, of attribute: XMLName) -> Bool {
    if occur(in: value) { return true }
    guard !isEmpty, Self.lists.contains(attribute.local) else { return false }
    return value.decodedString.utf8.split(whereSeparator: \.isSpace).contains {
      contains(String(decoding: $0, as: UTF8.self))
    }
  }

  private static let lists: Set<ExactString> = [
    "exclude-result-prefixes", "extension-element-prefixes", "stylesheet-prefix", "result-prefix",
    "Ignorable",
    "Requires", "MustUnderstand",
  ]

  /// Returns true if the name characters before a colon are a declared prefix.
  private func contains(prefixOf colon: Int, in text: Span<UInt8>) -> Bool {
    var start = colon
    while start > 0, Self.mayBeInName(text[start - 1]) { start -= 1 }
    guard start < colon else { return false }
    let prefix = text.extracting(start..<colon).decodedString
    return !prefix.equals("xml") && contains(prefix)
  }

  /// Returns true if a byte may begin a name after a prefix, or is the asterisk for all names of a namespace.
  private static func mayBeginName(_ byte: UInt8) -> Bool {
    byte >= 0x80 || byte == UInt8(ascii: "*") || byte.isXMLNameStart
  }

  private static func mayBeInName(_ byte: UInt8) -> Bool { byte >= 0x80 || byte.isInXMLName }
}
