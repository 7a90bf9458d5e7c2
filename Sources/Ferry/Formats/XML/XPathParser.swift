extension XPathSyntax {
  /// Parses the tokens of an expression. Fails if they are not in an order that XPath allows, or if the nesting is too deep.
  init?(_ tokens: [XPathToken]) {
    var parser = XPathParser(tokens)
    guard let syntax = parser.expression(), parser.isAtEnd else { return nil }
    self = syntax
  }
}

/// A parser of XPath 1.0 expressions. Each function takes the tokens of a rule, and returns nil if others follow.
private struct XPathParser {
  private let tokens: [XPathToken]
  private var index = 0
  /// The number of open parentheses and brackets.
  private var depth = 0
  private static let maximumDepth = 32

  init(_ tokens: [XPathToken]) { self.tokens = tokens }

  var isAtEnd: Bool { index == tokens.count }

  // MARK: Expressions

  mutating func expression() -> XPathSyntax? {
    var terms: [XPathSyntax.Term] = []
    var operators: [XPathToken] = []
    repeat {
      while let sign = take({ $0.isSymbol("-") }) { operators.append(sign) }
      guard let path = path() else { return nil }
      terms.append(XPathSyntax.Term(operators: operators, path: path))
      operators = take { $0.kind == .operation && !$0.isSlash }.map { [$0] } ?? []
    } while !operators.isEmpty
    return XPathSyntax(terms: terms)
  }

  /// Parses an expression after an opening parenthesis or bracket, up to the closing one.
  private mutating func expression(before closing: String) -> XPathSyntax? {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maximumDepth, let expression = expression(), takeSymbol(closing) else { return nil }
    return expression
  }

  private mutating func path() -> XPathSyntax.Path? {
    let first = index
    var start = XPathSyntax.Start.here
    var steps: [XPathSyntax.Step] = []
    if takeSymbol("/") {
      start = .document
      guard beginsStep else { return XPathSyntax.Path(start: start, steps: [], bytes: bytes(from: first)) }
      guard let step = step(isAtAnyDepth: false) else { return nil }
      steps.append(step)
    } else if next?.isSymbol("//") == true {
      start = .document
    } else if beginsStep {
      guard let step = step(isAtAnyDepth: false) else { return nil }
      steps.append(step)
    } else {
      guard let value = value() else { return nil }
      start = .value(value)
    }
    while let slashes = take(\.isSlash) {
      guard let step = step(isAtAnyDepth: slashes.isSymbol("//")) else { return nil }
      steps.append(step)
    }
    return XPathSyntax.Path(start: start, steps: steps, bytes: bytes(from: first))
  }

  // MARK: Values

  private mutating func value() -> XPathSyntax.Value? {
    let first = index
    guard let token = take({ _ in true }) else { return nil }
    let kind: XPathSyntax.Value.Kind
    switch token.kind {
    case .number: kind = .number(token)
    case .literal: kind = .literal(token)
    case .variable: kind = .variable(token)
    case .function:
      guard let arguments = arguments() else { return nil }
      kind = .call(XPathSyntax.Call(function: token, arguments: arguments))
    case .mark where token.isSymbol("("):
      guard let expression = expression(before: ")") else { return nil }
      kind = .parentheses(expression)
    case .name, .nodeType, .axis, .operation, .mark: return nil
    }
    let bytes = bytes(from: first)
    guard let predicates = predicates() else { return nil }
    return XPathSyntax.Value(kind: kind, predicates: predicates, bytes: bytes)
  }

  private mutating func arguments() -> [XPathSyntax]? {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maximumDepth, takeSymbol("(") else { return nil }
    guard !takeSymbol(")") else { return [] }
    var arguments: [XPathSyntax] = []
    repeat {
      guard let argument = expression() else { return nil }
      arguments.append(argument)
    } while takeSymbol(",")
    return takeSymbol(")") ? arguments : nil
  }

  // MARK: Steps

  /// True if the next token begins a step.
  private var beginsStep: Bool {
    guard let next else { return false }
    return [.name, .nodeType, .axis].contains(next.kind) || ["@", ".", ".."].contains { next.isSymbol($0) }
  }

  private mutating func step(isAtAnyDepth: Bool) -> XPathSyntax.Step? {
    let first = index
    if let dots = take({ $0.isSymbol(".") || $0.isSymbol("..") }) {
      return XPathSyntax.Step(
        isAtAnyDepth: isAtAnyDepth, axis: .other(dots), test: .anyNode, predicates: [],
        bytes: dots.bytes)
    }
    guard let axis = axis(), let test = test(), let predicates = predicates() else { return nil }
    return XPathSyntax.Step(
      isAtAnyDepth: isAtAnyDepth, axis: axis, test: test, predicates: predicates, bytes: bytes(from: first))
  }

  private mutating func axis() -> XPathSyntax.Axis? {
    if takeSymbol("@") { return .attribute }
    guard let name = take({ $0.kind == .axis }) else { return .child }
    guard takeSymbol("::") else { return nil }
    if name.text.equals("child") { return .child }
    return name.text.equals("attribute") ? .attribute : .other(name)
  }

  private mutating func test() -> XPathSyntax.Test? {
    if let name = take({ $0.kind == .name }) { return .name(name) }
    guard let type = take({ $0.kind == .nodeType }), takeSymbol("(") else { return nil }
    // The target of processing instructions.
    if type.text.equals("processing-instruction") { _ = take { $0.kind == .literal } }
    return takeSymbol(")") ? .type(type) : nil
  }

  private mutating func predicates() -> [XPathSyntax.Predicate]? {
    var predicates: [XPathSyntax.Predicate] = []
    while next?.isSymbol("[") == true {
      let first = index
      index += 1
      guard let expression = expression(before: "]") else { return nil }
      predicates.append(XPathSyntax.Predicate(expression: expression, bytes: bytes(from: first)))
    }
    return predicates
  }

  // MARK: Tokens

  private var next: XPathToken? { index < tokens.count ? tokens[index] : nil }

  /// Takes the next token if it fulfills a condition.
  private mutating func take(_ condition: (XPathToken) -> Bool) -> XPathToken? {
    guard let next, condition(next) else { return nil }
    index += 1
    return next
  }

  private mutating func takeSymbol(_ symbol: String) -> Bool { take { $0.isSymbol(symbol) } != nil }

  /// Returns the bytes of the tokens from one up to the current one.
  private func bytes(from first: Int) -> Range<Int> {
    tokens[first].bytes.lowerBound..<tokens[index - 1].bytes.upperBound
  }
}
