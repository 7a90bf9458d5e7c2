/// A token of an XPath 1.0 expression.
struct XPathToken: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    /// The name of elements or attributes in a step, also `*` and `p:*`.
    case name
    case function
    /// `text`, `node`, `comment` or `processing-instruction` before parentheses.
    case nodeType
    case axis
    case variable
    case literal
    case number
    /// An operator, also `/` and `//`.
    case operation
    /// A bracket, a parenthesis, a comma, `@`, `::`, `.` or `..`.
    case mark
  }

  let kind: Kind
  let text: String
  /// The bytes of the token in the expression.
  let bytes: Range<Int>

  /// True for a certain operator or mark.
  func isSymbol(_ symbol: String) -> Bool {
    (kind == .operation || kind == .mark) && text.equals(symbol)
  }

  /// True for `/` and `//`.
  var isSlash: Bool { isSymbol("/") || isSymbol("//") }

  /// The prefix of a name; nil if it has none.
  var prefix: String? {
    guard kind == .name || kind == .function else { return nil }
    return text.utf8.firstIndex(of: UInt8(ascii: ":")).map { String(text[..<$0]) }
  }

  /// The name without its prefix.
  var localName: String {
    text.utf8.firstIndex(of: UInt8(ascii: ":")).map { String(text[text.utf8.index(after: $0)...]) } ?? text
  }

  /// True for `*` and `p:*`.
  var isWildcard: Bool { kind == .name && localName.equals("*") }

  /// The text of a literal, without its quotation marks.
  var contents: String { String(decoding: text.utf8.dropFirst().dropLast(), as: UTF8.self) }

  /// True if a name or `*` after the token is an operator.
  fileprivate var endsOperand: Bool {
    guard kind != .operation else { return false }
    return !["@", "::", "(", "[", ","].contains { isSymbol($0) }
  }

  /// Returns the tokens of an expression, or nil if it has something else. Tokens may be in an order that XPath does not allow.
  static func tokens(of expression: String) -> [XPathToken]? {
    var lexer = XPathLexer(text: Array(expression.utf8))
    while !lexer.isAtEnd { guard lexer.takeToken() else { return nil } }
    return lexer.tokens
  }
}

/// A lexer of XPath 1.0, by section 3.7 of the recommendation.
private struct XPathLexer {
  let text: [UInt8]
  private(set) var tokens: [XPathToken] = []
  private var index = 0

  private static let symbols: [(String, XPathToken.Kind)] = [
    ("//", .operation), ("::", .mark), ("..", .mark), ("!=", .operation), ("<=", .operation),
    (">=", .operation), ("/", .operation), ("|", .operation), ("+", .operation), ("-", .operation),
    ("=", .operation), ("<", .operation), (">", .operation), (".", .mark), ("(", .mark), (")", .mark),
    ("[", .mark), ("]", .mark), ("@", .mark), (",", .mark),
  ]
  private static let operatorNames = ["and", "or", "mod", "div"]
  private static let nodeTypes = ["text", "node", "comment", "processing-instruction"]

  init(text: [UInt8]) { self.text = text }

  /// True if only white space is left. Skips it.
  var isAtEnd: Bool {
    mutating get {
      index = indexAfterSpace
      return index == text.count
    }
  }

  private var indexAfterSpace: Int { text[index...].firstIndex { !$0.isSpace } ?? text.count }

  private func byte(_ offset: Int = 0) -> UInt8? {
    index + offset < text.count ? text[index + offset] : nil
  }

  /// Takes the token at the current byte. Returns false if there is none.
  mutating func takeToken() -> Bool {
    guard let first = byte() else { return false }
    let isAfterOperand = tokens.last?.endsOperand == true
    switch first {
    case UInt8(ascii: "'"), UInt8(ascii: "\""): return takeLiteral(first)
    case UInt8(ascii: "$"):
      guard let end = endOfQualifiedName(from: index + 1) else { return false }
      add(.variable, upTo: end)
    case UInt8(ascii: "*"): add(isAfterOperand ? .operation : .name, upTo: index + 1)
    case UInt8(ascii: "0")...UInt8(ascii: "9"): takeNumber()
    case UInt8(ascii: ".") where byte(1)?.isDigit == true: takeNumber()
    case _ where Self.beginsName(first): return takeName(isAfterOperand: isAfterOperand)
    default:
      guard let (symbol, kind) = Self.symbols.first(where: { text[index...].starts(with: $0.0.utf8) })
      else { return false }
      add(kind, upTo: index + symbol.utf8.count)
    }
    return true
  }

  private mutating func add(_ kind: XPathToken.Kind, upTo end: Int) {
    let token = String(decoding: text[index..<end], as: UTF8.self)
    tokens.append(XPathToken(kind: kind, text: token, bytes: index..<end))
    index = end
  }

  private mutating func takeLiteral(_ quotationMark: UInt8) -> Bool {
    guard let end = text[(index + 1)...].firstIndex(of: quotationMark) else { return false }
    add(.literal, upTo: end + 1)
    return true
  }

  private mutating func takeNumber() {
    var end = text[index...].firstIndex { !$0.isDigit } ?? text.count
    if end < text.count, text[end] == UInt8(ascii: ".") {
      end = text[(end + 1)...].firstIndex { !$0.isDigit } ?? text.count
    }
    add(.number, upTo: end)
  }

  private mutating func takeName(isAfterOperand: Bool) -> Bool {
    if isAfterOperand {
      let end = endOfName(from: index)
      let name = text[index..<end]
      guard Self.operatorNames.contains(where: { name.elementsEqual($0.utf8) }) else { return false }
      add(.operation, upTo: end)
      return true
    }
    guard let end = endOfQualifiedName(from: index) else { return false }
    add(kind(ofNameUpTo: end), upTo: end)
    return true
  }

  /// Returns the kind of a name that begins at the current byte, by what follows it.
  private func kind(ofNameUpTo end: Int) -> XPathToken.Kind {
    let rest = text[end...].drop(while: \.isSpace)
    if rest.starts(with: "::".utf8) { return .axis }
    guard rest.first == UInt8(ascii: "(") else { return .name }
    return Self.nodeTypes.contains { text[index..<end].elementsEqual($0.utf8) } ? .nodeType : .function
  }

  /// Returns the end of `name`, `p:name` or `p:*`; nil if there is none of them.
  private func endOfQualifiedName(from start: Int) -> Int? {
    guard start < text.count, Self.beginsName(text[start]) else { return nil }
    let end = endOfName(from: start)
    guard end + 1 < text.count, text[end] == UInt8(ascii: ":"), text[end + 1] != UInt8(ascii: ":") else {
      return end
    }
    if text[end + 1] == UInt8(ascii: "*") { return end + 2 }
    return Self.beginsName(text[end + 1]) ? endOfName(from: end + 1) : nil
  }

  private func endOfName(from start: Int) -> Int {
    text[start...].firstIndex { !Self.isInName($0) } ?? text.count
  }

  /// Returns true for a byte that can begin a name. All characters beyond ASCII count: libxml2 checks which of them names can have.
  private static func beginsName(_ byte: UInt8) -> Bool {
    byte.isXMLNameStart || byte >= 0x80
  }

  private static func isInName(_ byte: UInt8) -> Bool {
    byte.isInXMLName || byte >= 0x80
  }
}
