/// The translation of an XPath into the paths that are matched while a document streams.
///
/// Each function throws the first part, in the order of the expression, that needs the whole document.
struct XPathStreaming {
  private let expression: XPathExpression
  private let namespaces: [String: String]
  private(set) var elements: [[XPathPattern.Step]] = []
  private(set) var texts: [XPathTextPattern.Path] = []
  /// The largest number of steps in a path, so that a set of them fits into a word.
  private static let maximumStepCount = 60

  init(of expression: XPathExpression, namespaces: [String: String]) {
    (self.expression, self.namespaces) = (expression, namespaces)
  }

  private func obstacle(_ bytes: Range<Int>) -> XPathObstacle { XPathObstacle(part: expression.text(bytes)) }

  // MARK: Paths

  mutating func add(_ syntax: XPathSyntax) throws(XPathObstacle) {
    for term in syntax.terms {
      for token in term.operators where !token.isSymbol("|") { throw obstacle(token.bytes) }
      try add(term.path)
    }
  }

  private mutating func add(_ path: XPathSyntax.Path) throws(XPathObstacle) {
    if case .value(let value) = path.start { throw obstacle(of: value) }
    var steps: [XPathPattern.Step] = []
    for (step, next) in zip(path.steps, path.steps.dropFirst()) {
      // Only the tree has the ways from an attribute or a text.
      guard try target(of: step) == nil else {
        throw obstacle(step.bytes.lowerBound..<next.bytes.upperBound)
      }
      steps.append(try element(step))
    }
    guard let last = path.steps.last else { throw obstacle(path.bytes) }
    let target = try target(of: last)
    if target == nil { steps.append(try element(last)) }
    // The document itself has no attributes and no text.
    guard last.isAtAnyDepth || !steps.isEmpty, steps.count <= Self.maximumStepCount else {
      throw obstacle(path.bytes)
    }
    if let target {
      texts.append(XPathTextPattern.Path(steps: steps, isInside: last.isAtAnyDepth, target: target))
    } else {
      elements.append(steps)
    }
  }

  private func obstacle(of value: XPathSyntax.Value) -> XPathObstacle {
    switch value.kind {
    case .call(let call): XPathObstacle(part: call.function.text + "()")
    case .parentheses, .number, .literal, .variable: obstacle(value.bytes)
    }
  }

  // MARK: Steps

  /// Returns the attributes or texts that a step selects; nil if it selects elements.
  private func target(of step: XPathSyntax.Step) throws(XPathObstacle) -> XPathTextPattern.Target? {
    let target: XPathTextPattern.Target
    switch (step.axis, step.test) {
    case (.child, .type(let type)) where type.text.equals("text") && step.predicates.isEmpty: return .text
    case (.child, .type(let type)), (.attribute, .type(let type)):
      throw XPathObstacle(part: type.text + "()")
    case (.attribute, .name(let name)):
      let (local, namespace) = try expandedName(name)
      target = .attribute(local, namespace)
    case (.child, .name), (.other, _), (_, .anyNode): return nil
    }
    if let predicate = step.predicates.first { throw obstacle(predicate.bytes) }
    return target
  }

  private func element(_ step: XPathSyntax.Step) throws(XPathObstacle) -> XPathPattern.Step {
    if case .other(let axis) = step.axis {
      throw XPathObstacle(part: axis.kind == .axis ? axis.text + "::" : axis.text)
    }
    guard case .name(let token) = step.test else { throw obstacle(step.bytes) }
    let (name, namespace) = try expandedName(token)
    var conditions: [XPathPattern.Condition] = []
    for predicate in step.predicates {
      guard let condition = Self.condition(predicate.expression) else { throw obstacle(predicate.bytes) }
      conditions.append(condition)
    }
    return XPathPattern.Step(
      isAtAnyDepth: step.isAtAnyDepth, name: name, namespace: namespace, conditions: conditions)
  }

  /// Returns the local name, which is nil for `*`, and the namespace of a name.
  private func expandedName(
    _ name: XPathToken
  ) throws(XPathObstacle) -> (String?, XPathPattern.Namespace) {
    // libxml2 knows which names beyond ASCII are valid.
    guard name.text.utf8.allSatisfy({ $0 < 0x80 }) else { throw obstacle(name.bytes) }
    guard let prefix = name.prefix else { return (name.isWildcard ? nil : name.text, .none) }
    guard !name.isWildcard, let namespace = namespace(ofPrefix: prefix) else { throw obstacle(name.bytes) }
    return (name.localName, namespace)
  }

  private func namespace(ofPrefix prefix: String) -> XPathPattern.Namespace? {
    if prefix.equals("xml") { return .uri(XMLNamespace.xml) }
    // Strings that are equal only after normalization are other prefixes.
    if let uri = namespaces.first(where: { $0.key.equals(prefix) })?.value { return .uri(uri) }
    return prefix.equals("_") ? .ofRoot : nil
  }

  // MARK: Conditions

  /// Returns the condition `[@name]`, `[@name='value']` or `[2]`; nil for another one.
  private static func condition(_ expression: XPathSyntax) -> XPathPattern.Condition? {
    if let path = expression.onlyPath {
      return number(path).map { .position($0) } ?? attribute(path).map { .attribute($0, value: nil) }
    }
    let terms = expression.terms
    guard terms.count == 2, terms[0].operators.isEmpty, let name = attribute(terms[0].path),
      terms[1].operators.count == 1, terms[1].operators[0].isSymbol("="),
      case .literal(let literal)? = value(terms[1].path)
    else { return nil }
    return .attribute(name, value: literal.contents)
  }

  /// Returns the name of the attribute of a path that is `@name`.
  private static func attribute(_ path: XPathSyntax.Path) -> String? {
    guard case .here = path.start, path.steps.count == 1, case .attribute = path.steps[0].axis,
      case .name(let name) = path.steps[0].test, path.steps[0].predicates.isEmpty,
      name.prefix == nil, !name.isWildcard, name.text.utf8.allSatisfy({ $0 < 0x80 })
    else { return nil }
    return name.text
  }

  private static func number(_ path: XPathSyntax.Path) -> Int? {
    guard case .number(let number)? = value(path) else { return nil }
    return Int(number.text)
  }

  /// Returns the value of a path that is nothing else.
  private static func value(_ path: XPathSyntax.Path) -> XPathSyntax.Value.Kind? {
    guard case .value(let value) = path.start, value.predicates.isEmpty, path.steps.isEmpty else {
      return nil
    }
    return value.kind
  }
}
