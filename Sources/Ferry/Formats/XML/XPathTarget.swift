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
    /// The expression has no syntax, although libxml2 may accept it: `///a`.
    case unknown
  }

  /// Returns the last steps of an XPath.
  static func ending(of xpath: String) -> Ending {
    let expression = XPathExpression(xpath)
    guard var syntax = expression.syntax else { return .unknown }
    // Parentheses around the whole mean nothing: `(//book/lang)`.
    while let inner = syntax.onlyPath?.expressionInParentheses { syntax = inner }
    guard let operands = syntax.operands else { return .other }
    let endings = operands.map { ending(of: $0, in: expression) }
    guard endings.count > 1 else { return endings[0] }
    return endings.contains { if case .other = $0 { false } else { true } } ? .union : .other
  }

  private static func ending(of path: XPathSyntax.Path, in expression: XPathExpression) -> Ending {
    guard let last = path.steps.last, last.predicates.isEmpty, case .name(let name) = last.test,
      !name.isWildcard
    else { return .other }
    let isAttribute: Bool
    switch last.axis {
    case .child: isAttribute = false
    case .attribute: isAttribute = true
    case .other: return .other
    }
    if last.isAtAnyDepth { return .anywhere }
    let parents = path.bytesBeforeLastStep.map(expression.text) ?? "/"
    return .target(XPathTarget(parents: parents, name, isAttribute))
  }

  private init(parents: String, _ name: XPathToken, _ isAttribute: Bool) {
    (self.parents, self.isAttribute) = (parents, isAttribute)
    (prefix, localName) = (name.prefix, name.localName)
  }

  /// The name with its prefix, as it is in the XPath.
  var qualifiedName: String { prefix.map { "\($0):\(localName)" } ?? localName }
}
