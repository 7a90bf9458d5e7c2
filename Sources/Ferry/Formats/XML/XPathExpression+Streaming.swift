extension XPathExpression {
  /// Returns the first part of the expression for which the whole document must be known, if it is not of the common kind that is matched while
  /// the document is read (see `StreamedXPath`).
  ///
  ///     //person[last()]      [last()]
  ///     count(//person)       count()
  ///     //a/parent::b         parent::
  ///
  /// - Parameter namespaces: The namespaces of prefixes. The document declares others.
  func partThatNeedsTree(_ namespaces: [String: String] = [:]) -> String {
    var index = 0
    while index < tokens.count {
      if tokens[index].isSymbol("["), let end = end(ofGroupAt: index) {
        guard isMatchedWhileReading(condition: tokens[index + 1..<end - 1]) else {
          return text(of: index..<end)
        }
        index = end
      } else if let part = partThatNeedsTree(at: index, namespaces) {
        return part
      } else {
        index += tokens[index].kind == .nodeType ? 3 : 1
      }
    }
    return xpath
  }

  private func partThatNeedsTree(at index: Int, _ namespaces: [String: String]) -> String? {
    let token = tokens[index]
    switch token.kind {
    case .function: return token.text + "()"
    case .axis: return token.text + "::"
    case .nodeType: return token.text.equals("text") && isLastStep(at: index) ? nil : token.text + "()"
    case .literal, .number, .variable: return token.text
    case .operation: return ["/", "//", "|"].contains { token.isSymbol($0) } ? nil : token.text
    case .mark:
      if token.isSymbol("(") { return end(ofGroupAt: index).map { text(of: index..<$0) } ?? token.text }
      return token.isSymbol("@") ? nil : token.text
    case .name:
      let isKnown = token.prefix.map { $0.equals("_") || $0.equals("xml") || namespaces[$0] != nil } ?? true
      let isPattern = token.prefix != nil && token.localName.equals("*")
      return isKnown && !isPattern && token.text.utf8.allSatisfy { $0 < 0x80 } ? nil : token.text
    }
  }

  /// Returns true if `text()` at an index is the last step of its path.
  private func isLastStep(at index: Int) -> Bool {
    index + 3 >= tokens.count || tokens[index + 3].isSymbol("|")
  }

  /// Returns true for the conditions `[@name]`, `[@name='value']` and `[2]`.
  private func isMatchedWhileReading(condition: ArraySlice<XPathToken>) -> Bool {
    let tokens = Array(condition)
    if tokens.count == 1 { return tokens[0].kind == .number && Int(tokens[0].text) != nil }
    guard [2, 4].contains(tokens.count), tokens[0].isSymbol("@"), tokens[1].kind == .name,
      tokens[1].prefix == nil, !tokens[1].text.equals("*"), tokens[1].text.utf8.allSatisfy({ $0 < 0x80 })
    else { return false }
    return tokens.count == 2 || tokens[2].isSymbol("=") && tokens[3].kind == .literal
  }

  private func text(of range: Range<Int>) -> String {
    let bytes = Array(text.utf8)
    let (first, last) = (tokens[range.lowerBound], tokens[range.upperBound - 1])
    return String(decoding: bytes[first.bytes.lowerBound..<last.bytes.upperBound], as: UTF8.self)
  }
}
