/// The syntax of an XPath 1.0 expression, by section 3 of the recommendation: paths that operators join.
///
///     //book[@id='1']/title | id('x')        two paths, joined by |
///     count(//book) * 2 > -1                 three paths without steps: a call and two numbers
///
/// The syntax has no precedence of operators. libxml2 evaluates expressions, and decides which ones are valid.
struct XPathSyntax {
  /// A path with the operators before it.
  struct Term {
    /// The operator after the term before, followed by minus signs.
    let operators: [XPathToken]
    let path: Path
  }

  /// Steps, and their start. A value such as a number is a path without steps.
  struct Path {
    let start: Start
    let steps: [Step]
    /// The bytes of the path in the expression.
    let bytes: Range<Int>

    /// True for the path `/`.
    var isDocument: Bool { if case .document = start { steps.isEmpty } else { false } }

    /// The bytes of the path to the nodes around those that the last step selects. Nil if the path has only this step.
    var bytesBeforeLastStep: Range<Int>? {
      if let step = steps.dropLast().last { return bytes.lowerBound..<step.bytes.upperBound }
      guard case .value(let value) = start else { return nil }
      return bytes.lowerBound..<(value.predicates.last?.bytes ?? value.bytes).upperBound
    }

    /// The expression, for a path that consists of it and the parentheses around it.
    var expressionInParentheses: XPathSyntax? {
      guard steps.isEmpty, case .value(let value) = start, value.predicates.isEmpty,
        case .parentheses(let expression) = value.kind
      else { return nil }
      return expression
    }
  }

  /// The start of a path.
  enum Start {
    /// The current node, which is the document outside of brackets.
    case here
    /// The document: the path begins with a slash.
    case document
    case value(Value)
  }

  /// A value, and the predicates that filter it.
  struct Value {
    enum Kind {
      case parentheses(XPathSyntax)
      case call(Call)
      case number(XPathToken)
      case literal(XPathToken)
      case variable(XPathToken)
    }

    let kind: Kind
    let predicates: [Predicate]
    /// The bytes of the value without its predicates.
    let bytes: Range<Int>
  }

  struct Call {
    let function: XPathToken
    let arguments: [XPathSyntax]
  }

  struct Step {
    /// True if the step follows `//`.
    let isAtAnyDepth: Bool
    let axis: Axis
    let test: Test
    let predicates: [Predicate]
    /// The bytes of the step, without the slashes before it.
    let bytes: Range<Int>

    /// True if the nodes of the step are attributes or declarations of namespaces.
    var isOfAttributes: Bool {
      switch axis {
      case .child: false
      case .attribute: true
      case .other(let name): name.text.equals("namespace")
      }
    }
  }

  enum Axis {
    /// `child::` or no axis.
    case child
    /// `attribute::` or `@`.
    case attribute
    /// Another axis, with its name. The name is `.` or `..` for a step that is only this mark.
    case other(XPathToken)
  }

  /// The test of the nodes on an axis.
  enum Test {
    /// A name, `*` or `p:*`.
    case name(XPathToken)
    /// `text()`, `node()`, `comment()` or `processing-instruction()`, without the parentheses.
    case type(XPathToken)
    /// Any node, for `.` and `..`.
    case anyNode
  }

  /// A condition, or a position.
  struct Predicate {
    let expression: XPathSyntax
    /// The bytes of the expression and the brackets around it.
    let bytes: Range<Int>
  }

  let terms: [Term]
}

extension XPathSyntax {
  /// The only path; nil if there are operators.
  var onlyPath: Path? {
    guard terms.count == 1, terms[0].operators.isEmpty else { return nil }
    return terms[0].path
  }

  /// The paths if only operators `|` join them; otherwise nil. The paths in parentheses are not divided.
  var operands: [Path]? {
    guard terms[0].operators.isEmpty,
      terms.dropFirst().allSatisfy({ $0.operators.count == 1 && $0.operators[0].isSymbol("|") })
    else { return nil }
    return terms.map(\.path)
  }

  /// The paths that together select the nodes of the expression, without the parentheses around them. Nil if the expression has a single
  /// value, or if its syntax does not show that it selects nodes.
  var paths: [Path]? {
    guard let operands else { return nil }
    var paths: [Path] = []
    for path in operands {
      if let expression = path.expressionInParentheses {
        guard let inner = expression.paths else { return nil }
        paths += inner
      } else {
        guard path.isOfNodes else { return nil }
        paths.append(path)
      }
    }
    return paths
  }

  /// True if a path of the expression ends with attributes, texts, comments or the like.
  var endsWithOthersThanElements: Bool { paths?.contains(where: \.endsWithOthersThanElements) ?? false }

  /// A step, or a call of a function.
  enum Part {
    case step(Step)
    case call(Call)
  }

  /// Calls a function with each step and call, also those in predicates and arguments. A call comes after those in its arguments.
  func forEachPart(_ body: (Part) -> Void) {
    for path in terms.map(\.path) {
      if case .value(let value) = path.start {
        switch value.kind {
        case .parentheses(let expression): expression.forEachPart(body)
        case .call(let call):
          for argument in call.arguments { argument.forEachPart(body) }
          body(.call(call))
        case .number, .literal, .variable: break
        }
        for predicate in value.predicates { predicate.expression.forEachPart(body) }
      }
      for step in path.steps {
        body(.step(step))
        for predicate in step.predicates { predicate.expression.forEachPart(body) }
      }
    }
  }
}

extension XPathSyntax.Path {
  /// True if the path selects nodes, by its syntax. Of the functions, `id` returns nodes.
  fileprivate var isOfNodes: Bool {
    guard case .value(let value) = start else { return true }
    return switch value.kind {
    case .parentheses: true
    case .call(let call): call.function.text.equals("id") || !steps.isEmpty || !value.predicates.isEmpty
    case .number, .literal, .variable: false
    }
  }

  fileprivate var endsWithOthersThanElements: Bool {
    if let last = steps.last {
      if case .type(let type) = last.test { return last.isOfAttributes || !type.text.equals("node") }
      return last.isOfAttributes
    }
    guard case .value(let value) = start, case .parentheses(let expression) = value.kind else { return false }
    return expression.endsWithOthersThanElements
  }
}
