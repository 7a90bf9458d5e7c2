/// An XPath 1.0 expression, with the properties that follow from its tokens alone.
struct XPathExpression {
  /// A call of a function.
  struct Call {
    let function: XPathToken
    let argumentCount: Int
  }

  /// The expression as it was given.
  let xpath: String
  /// The expression for libxml2. After the first slash, libxml2 accepts a name that begins with a character beyond ASCII only with its axis,
  /// which is added: `/child::été`.
  let text: String
  /// The tokens of `text`; empty if a part of it is not a token of XPath.
  let tokens: [XPathToken]
  /// The offsets in `xpath` at which `text` has an axis inserted.
  private let insertions: [Int]

  private static let axis = "child::"

  init(_ xpath: String) {
    self.xpath = xpath
    let given = XPathToken.tokens(of: xpath) ?? []
    insertions = zip(given, given.dropFirst()).filter { before, name in
      before.isSymbol("/") && name.kind == .name && name.text.utf8.first.map { $0 >= 0x80 } == true
    }.map { $0.1.bytes.lowerBound }
    guard !insertions.isEmpty else {
      (text, tokens) = (xpath, given)
      return
    }
    var bytes: [UInt8] = []
    var start = 0
    let all = Array(xpath.utf8)
    for insertion in insertions {
      bytes += all[start..<insertion] + Self.axis.utf8
      start = insertion
    }
    bytes += all[start...]
    text = String(decoding: bytes, as: UTF8.self)
    tokens = XPathToken.tokens(of: text) ?? []
  }

  /// Returns the offset in the given expression of a byte of the text.
  func offset(ofByteInText byte: Int) -> Int {
    var offset = byte
    for insertion in insertions where offset > insertion {
      offset = max(insertion, offset - Self.axis.utf8.count)
    }
    return offset
  }

  // MARK: Names and calls

  /// The prefixes of names and functions.
  var prefixes: [String] { tokens.compactMap(\.prefix) }

  var hasVariable: Bool { tokens.contains { $0.kind == .variable } }

  /// The calls of functions, each after those in its arguments.
  var calls: [Call] {
    var calls: [Call] = []
    var open: [(index: Int, commas: Int)] = []
    for (index, token) in tokens.enumerated() {
      if opens(index) {
        open.append((index, 0))
      } else if token.isSymbol(","), !open.isEmpty {
        open[open.count - 1].commas += 1
      } else if closes(index), let group = open.popLast(), group.index > 0,
        tokens[group.index - 1].kind == .function
      {
        let count = index == group.index + 1 ? 0 : group.commas + 1
        calls.append(Call(function: tokens[group.index - 1], argumentCount: count))
      }
    }
    return calls
  }

  /// The names of elements if none of them has a prefix, without `*`. Empty if one has a prefix, because its author knows of namespaces.
  var elementNamesWithoutPrefix: [String] {
    let names = tokens.indices.filter { tokens[$0].kind == .name && !isOfAttribute($0) }
    guard names.allSatisfy({ tokens[$0].prefix == nil }) else { return [] }
    return names.map { tokens[$0].text }.filter { $0 != "*" }
  }

  private func isOfAttribute(_ index: Int) -> Bool {
    guard index > 0 else { return false }
    if tokens[index - 1].isSymbol("@") { return true }
    return index > 1 && tokens[index - 1].isSymbol("::")
      && ["attribute", "namespace"].contains { tokens[index - 2].text.equals($0) }
  }

  // MARK: Unions

  /// Returns the paths that together select the nodes of the expression, each with a condition on the nodes it selects. Returns nil if the
  /// expression has a single value, or if its tokens do not show that it selects nodes.
  ///
  /// - Parameter condition: An expression.
  func paths(withCondition condition: String) -> [String]? {
    let bytes = Array(text.utf8)
    return paths(in: tokens.indices)?.map { path in
      let (first, last) = (tokens[path.lowerBound], tokens[path.upperBound - 1])
      let text = String(decoding: bytes[first.bytes.lowerBound..<last.bytes.upperBound], as: UTF8.self)
      // The path `/` of the document already ends with a slash.
      return text + (last.isSymbol("/") ? "" : "/") + "self::node()[\(condition)]"
    }
  }

  /// True if a path of the expression ends with attributes, texts, comments or the like.
  var endsWithOthersThanElements: Bool {
    paths(in: tokens.indices)?.contains { endsWithOthers($0) } ?? false
  }

  /// Returns the tokens of each path in a union of paths, without the parentheses around them.
  private func paths(in range: Range<Int>) -> [Range<Int>]? {
    guard let operands = operands(of: range) else { return nil }
    var paths: [Range<Int>] = []
    for operand in operands {
      guard let first = operand.first else { return nil }
      if tokens[first].isSymbol("("), end(ofGroupAt: first) == operand.upperBound {
        guard let inner = self.paths(in: first + 1..<operand.upperBound - 1) else { return nil }
        paths += inner
      } else {
        guard isPath(operand) else { return nil }
        paths.append(operand)
      }
    }
    return paths
  }

  /// Returns the tokens between the operators `|` of a union. Returns nil for an expression with other operators.
  private func operands(of range: Range<Int>) -> [Range<Int>]? {
    var operands: [Range<Int>] = []
    var (start, depth) = (range.lowerBound, 0)
    for index in range {
      if opens(index) {
        depth += 1
      } else if closes(index) {
        depth -= 1
      } else if depth == 0, tokens[index].kind == .operation {
        if tokens[index].isSymbol("|") {
          operands.append(start..<index)
          start = index + 1
        } else if !tokens[index].isSymbol("/"), !tokens[index].isSymbol("//") {
          return nil
        }
      }
    }
    return operands + [start..<range.upperBound]
  }

  /// Returns true if an operand of a union selects nodes, by its first tokens.
  private func isPath(_ operand: Range<Int>) -> Bool {
    switch tokens[operand.lowerBound].kind {
    case .name, .nodeType, .axis, .mark, .operation: true
    case .function:
      tokens[operand.lowerBound].text.equals("id")
        || end(ofGroupAt: operand.lowerBound + 1).map { $0 < operand.upperBound } == true
    case .literal, .number, .variable: false
    }
  }

  private func endsWithOthers(_ path: Range<Int>) -> Bool {
    var end = path.upperBound
    while end > path.lowerBound, tokens[end - 1].isSymbol("]"), let start = start(ofGroupBefore: end) {
      end = start
    }
    guard end > path.lowerBound else { return false }
    guard tokens[end - 1].isSymbol(")"), let start = start(ofGroupBefore: end) else {
      return tokens[end - 1].kind == .name && isOfAttribute(end - 1)
    }
    if start > path.lowerBound, tokens[start - 1].kind == .nodeType {
      return !tokens[start - 1].text.equals("node")
    }
    guard start == path.lowerBound else { return false }
    return paths(in: start + 1..<end - 1)?.contains { endsWithOthers($0) } ?? false
  }

  private func opens(_ index: Int) -> Bool { tokens[index].isSymbol("(") || tokens[index].isSymbol("[") }

  private func closes(_ index: Int) -> Bool { tokens[index].isSymbol(")") || tokens[index].isSymbol("]") }

  /// Returns the index after the parenthesis or bracket that closes one.
  func end(ofGroupAt start: Int) -> Int? {
    var depth = 0
    for index in start..<tokens.count {
      if opens(index) { depth += 1 }
      if closes(index) { depth -= 1 }
      if depth == 0 { return index + 1 }
    }
    return nil
  }

  /// Returns the index of the parenthesis or bracket that is closed before an index.
  private func start(ofGroupBefore end: Int) -> Int? {
    var depth = 0
    for index in (0..<end).reversed() {
      if closes(index) { depth += 1 }
      if opens(index) { depth -= 1 }
      if depth == 0 { return index }
    }
    return nil
  }
}

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
      let isSlash = token.isSymbol("/") || token.isSymbol("//")
      if isSlash, index + 1 < tokens.count, tokens[index + 1].kind == .number { return false }
      if isSlash || [.function, .nodeType, .axis].contains(token.kind) { isFound = true }
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
