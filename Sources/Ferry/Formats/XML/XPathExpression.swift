/// An XPath 1.0 expression, with the properties that follow from its text alone.
struct XPathExpression {
  /// The expression as it was given.
  let xpath: String
  /// The tokens of the expression; empty if a part of it is not a token of XPath.
  let tokens: [XPathToken]
  /// The syntax of the expression; nil if its tokens are not in an order that XPath allows, or nested too deeply. libxml2 finds the mistake,
  /// or accepts the expression.
  let syntax: XPathSyntax?
  /// The offsets of the names for which libxml2 needs an axis.
  private let axisOffsets: [Int]

  private static let axis = "child::"

  init(_ xpath: String) {
    self.xpath = xpath
    tokens = XPathToken.tokens(of: xpath) ?? []
    syntax = XPathSyntax(tokens)
    axisOffsets = zip(tokens, tokens.dropFirst()).filter { before, name in
      before.isSymbol("/") && name.kind == .name && name.text.utf8.first.map { $0 >= 0x80 } == true
    }.map { $0.1.bytes.lowerBound }
  }

  // MARK: Texts

  /// Returns bytes of the expression as text.
  func text(_ bytes: Range<Int>) -> String {
    String(decoding: xpath.utf8.dropFirst(bytes.lowerBound).prefix(bytes.count), as: UTF8.self)
  }

  /// The expression for libxml2.
  var textForLibXML: String { textForLibXML(0..<xpath.utf8.count) }

  /// Returns bytes of the expression for libxml2. After the first slash, libxml2 accepts a name that begins with a character beyond ASCII only
  /// with its axis, which is added: `/child::été`.
  private func textForLibXML(_ bytes: Range<Int>) -> String {
    var (text, start) = ("", bytes.lowerBound)
    let first = axisOffsets.partitioningIndex { $0 >= bytes.lowerBound }
    for offset in axisOffsets[first...].prefix(while: { $0 < bytes.upperBound }) {
      text += self.text(start..<offset) + Self.axis
      start = offset
    }
    return text + self.text(start..<bytes.upperBound)
  }

  /// Returns the offset in the expression of a byte of the text for libxml2.
  func offset(ofByteForLibXML byte: Int) -> Int {
    var offset = byte
    for axisOffset in axisOffsets where offset > axisOffset {
      offset = max(axisOffset, offset - Self.axis.utf8.count)
    }
    return offset
  }

  /// Returns the paths that together select the nodes of the expression, for libxml2, each with a condition on the nodes it selects. Returns
  /// nil if the expression has a single value, or if its syntax does not show that it selects nodes.
  ///
  /// - Parameter condition: An expression.
  func paths(withCondition condition: String) -> [String]? {
    syntax?.paths?.map { path in
      // The path `/` of the document already ends with a slash.
      textForLibXML(path.bytes) + (path.isDocument ? "" : "/") + "self::node()[\(condition)]"
    }
  }

  // MARK: Names and calls

  /// The prefixes of names and functions.
  var prefixes: [String] { tokens.compactMap(\.prefix) }

  var hasVariable: Bool { tokens.contains { $0.kind == .variable } }

  /// The calls of functions, each after those in its arguments.
  var calls: [XPathSyntax.Call] {
    var calls: [XPathSyntax.Call] = []
    syntax?.forEachPart { part in
      if case .call(let call) = part { calls.append(call) }
    }
    return calls
  }

  /// The names of elements if none of them has a prefix, without `*`. Empty if one has a prefix, because its author knows of namespaces.
  var elementNamesWithoutPrefix: [String] {
    var names: [XPathToken] = []
    syntax?.forEachPart { part in
      if case .step(let step) = part, case .name(let name) = step.test, !step.isOfAttributes {
        names.append(name)
      }
    }
    guard names.allSatisfy({ $0.prefix == nil }) else { return [] }
    return names.filter { !$0.isWildcard }.map(\.text)
  }
}
