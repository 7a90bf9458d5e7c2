/// The last step of an XPath that names one element or attribute inside those that the part before it selects.
///
///     //book[@id="1"]/p:lang     parents  //book[@id="1"]     prefix  p     localName  lang
///
/// A new element or attribute can get this name.
struct XPathTarget {
  /// The XPath of the elements around it: `/` for the document.
  let parents: String
  let prefix: String?
  let localName: String
  let isAttribute: Bool
}

extension XPathTarget {
  /// The last steps of an XPath.
  enum Ending {
    /// A name.
    case target(XPathTarget)
    /// A name after `//`, which elements in any element may have.
    case anywhere
    /// Several XPaths joined by `|`, at least one of which ends with a name.
    case union
    /// A condition, a wildcard, a function or another axis: only nodes of the document have it.
    case other
  }

  /// Returns the last steps of an XPath.
  static func ending(of xpath: String) -> Ending {
    guard let all = XPathToken.tokens(of: xpath), let operands = operands(of: withoutParentheses(all[...]))
    else { return .other }
    guard operands.count == 1 else {
      let endings = operands.map { ending(of: $0, in: xpath) }
      return endings.contains { if case .other = $0 { false } else { true } } ? .union : .other
    }
    return ending(of: operands[0], in: xpath)
  }

  /// Returns the tokens between parentheses around the whole expression, which mean nothing: `(//book/lang)`.
  private static func withoutParentheses(_ tokens: ArraySlice<XPathToken>) -> ArraySlice<XPathToken> {
    let opening = tokens.prefix { $0.isSymbol("(") }.count
    let closing = tokens.reversed().prefix { $0.isSymbol(")") }.count
    let inner = tokens.dropFirst(opening).dropLast(closing)
    // Parentheses that are closed before the last ones are not around the whole.
    var (depth, around) = (opening, min(opening, closing))
    for token in inner {
      if token.isSymbol("(") { depth += 1 }
      if token.isSymbol(")") { depth -= 1 }
      around = min(around, depth)
    }
    return tokens.dropFirst(max(around, 0)).dropLast(max(around, 0))
  }

  /// Returns the tokens of the paths that operators `|` join. Returns nil for an expression with other operators.
  private static func operands(of tokens: ArraySlice<XPathToken>) -> [ArraySlice<XPathToken>]? {
    var operands: [ArraySlice<XPathToken>] = []
    var (start, depth) = (tokens.startIndex, 0)
    for (index, token) in zip(tokens.indices, tokens) {
      if token.isSymbol("(") || token.isSymbol("[") {
        depth += 1
      } else if token.isSymbol(")") || token.isSymbol("]") {
        depth -= 1
      } else if depth == 0, token.kind == .operation, !token.isSymbol("/"), !token.isSymbol("//") {
        guard token.isSymbol("|") else { return nil }
        operands.append(tokens[start..<index])
        start = index + 1
      }
    }
    return operands + [tokens[start...]]
  }

  private static func ending(of path: ArraySlice<XPathToken>, in xpath: String) -> Ending {
    guard let name = path.last, name.kind == .name, !name.localName.equals("*") else { return .other }
    var rest = path.dropLast()
    var isAttribute = false
    if rest.last?.isSymbol("@") == true {
      (isAttribute, rest) = (true, rest.dropLast())
    } else if rest.last?.isSymbol("::") == true {
      let axis = rest.dropLast().last?.text
      guard axis.equals("attribute") || axis.equals("child") else { return .other }
      (isAttribute, rest) = (axis.equals("attribute"), rest.dropLast(2))
    }
    guard let before = rest.last else {
      return .target(XPathTarget(parents: "/", name, isAttribute))
    }
    if before.isSymbol("//") { return .anywhere }
    guard before.isSymbol("/") else { return .other }
    let outer = rest.dropLast()
    guard let first = outer.first, let last = outer.last else {
      return .target(XPathTarget(parents: "/", name, isAttribute))
    }
    let bytes = Array(xpath.utf8)[first.bytes.lowerBound..<last.bytes.upperBound]
    return .target(XPathTarget(parents: String(decoding: bytes, as: UTF8.self), name, isAttribute))
  }

  private init(parents: String, _ name: XPathToken, _ isAttribute: Bool) {
    (self.parents, self.isAttribute) = (parents, isAttribute)
    (prefix, localName) = (name.prefix, name.localName)
  }

  /// The name with its prefix, as it is in the XPath.
  var qualifiedName: String { prefix.map { "\($0):\(localName)" } ?? localName }
}
