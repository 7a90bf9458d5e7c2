// Arguments of commands, which may be XPaths, paths or JSON pointers. The tokens of a path need not be in an order that XPath allows.

extension XPathExpression {
  /// True if the expression cannot be one of Ferry's paths in XML, because it has a slash, a parenthesis or `::`, which keys in XML do not
  /// have: ` //a`, `1+count(//a)`. False if a number follows a slash: it is an index in a JSON pointer.
  var isXPathAlone: Bool {
    var depth = 0
    var isFound = false
    for (index, token) in tokens.enumerated() {
      if token.isSymbol("[") { depth += 1 }
      if token.isSymbol("]") { depth -= 1 }
      // The filters of Ferry's paths, too, are in brackets, and have texts with any characters.
      guard depth == 0 else { continue }
      if token.isSlash, index + 1 < tokens.count, tokens[index + 1].kind == .number { return false }
      if token.isSlash || [.function, .nodeType, .axis].contains(token.kind) { isFound = true }
    }
    return isFound && !tokens[0].isSymbol("[")
  }

  /// True if the expression can also be neither a JSON pointer nor a key of another format such as `@a/b` or `a (b)`. Examples: `//a`,
  /// `/a[1]/@id`, `count(/a)`.
  var isNotAPointer: Bool {
    isXPathAlone
      && tokens.indices.contains { index in
        switch tokens[index].kind {
        case .nodeType, .axis: true
        case .function: XPathFunctions.contains(tokens[index].text)
        case .mark: tokens[index].isSymbol("@") && index > 0 && beginsStep(after: tokens[index - 1])
        default: tokens[index].isSymbol("//")
        }
      }
  }

  private func beginsStep(after token: XPathToken) -> Bool {
    ["/", "//", "["].contains { token.isSymbol($0) }
  }
}
