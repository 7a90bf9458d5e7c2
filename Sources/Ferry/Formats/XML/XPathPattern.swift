/// An XPath that is matched while a document streams. It is one of the common kind:
///
///     /people/person      //person      //people/*/name      /feed/_:entry[2]
///     //person[@id]       //person[@id='7'][1]               //person | //company
///     /people/*           //*[@id='7']                       people/person
///
/// A path consists of `/` or `//` and steps. Without `/`, it begins at the document. A step is a name or `*`. The prefix `_` has
/// the default namespace of the root element, other prefixes have the namespaces that are given for them, and a name without
/// a prefix has no namespace. The conditions of a step are attributes without a prefix, and positions.
struct XPathPattern: Hashable, Sendable {
  /// A step of a path.
  struct Step: Hashable, Sendable {
    /// True if the step follows `//`, so that the element may be at any depth.
    var isAtAnyDepth: Bool
    /// The local name of the element, or nil for `*`.
    var name: String?
    var namespace = Namespace.none
    var conditions: [Condition] = []

    /// True if the position of an element among others decides whether it is selected.
    fileprivate var hasPosition: Bool {
      conditions.contains { if case .position = $0 { true } else { false } }
    }
  }

  /// The namespace of the name in a step.
  enum Namespace: Hashable, Sendable {
    case none
    /// The default namespace of the root element.
    case ofRoot
    case uri(String)
  }

  /// A condition in brackets.
  enum Condition: Hashable, Sendable {
    /// The element has an attribute, with this value unless it is nil.
    case attribute(String, value: String?)
    /// The element is the one at this position, counted from 1, among its siblings that fulfill the name and the
    /// conditions before this one.
    case position(Int)
  }

  /// The paths, joined by `|`.
  let paths: [[Step]]

  /// Parses an expression. Fails if it is not of the common kind, also if it is not an XPath at all.
  ///
  /// - Parameter namespaces: The namespaces of prefixes. A path with another prefix is not of the common kind.
  init?(_ text: String, namespaces: [String: String] = [:]) {
    var parser = XPathParser(text, namespaces: namespaces)
    guard let paths = parser.paths(), paths.texts.isEmpty else { return nil }
    self.paths = paths.elements
  }

  /// Creates a pattern of paths.
  init(paths: [[Step]]) { self.paths = paths }

  /// True if a name has the prefix `_`.
  var usesDefaultNamespace: Bool { paths.contains { $0.contains { $0.namespace == .ofRoot } } }

  /// True if a step has conditions.
  var hasConditions: Bool { paths.contains { $0.contains { !$0.conditions.isEmpty } } }

  /// Returns true if the children of a root element do not decide which elements are selected from each other, and if the root element is not
  /// selected: for `/people/person[@id]` and `//person`, but not for `/people/person[2]`.
  ///
  /// - Parameter root: The local name of the root element.
  func selectsAlone(inChildrenOf root: Span<UInt8>) -> Bool {
    paths.allSatisfy { path in
      guard let last = path.last, !path.contains(where: \.hasPosition) else { return false }
      guard last.isAtAnyDepth || path.count == 1 else { return true }
      return last.name.map { !root.equals($0.utf8.span) } ?? false
    }
  }

  /// The local names of the elements that the paths select; nil if they may have any name.
  var names: [String]? {
    let names = paths.compactMap { $0.last?.name }
    return names.count == paths.count ? names : nil
  }
}

/// A parser of the expressions that `XPathPattern` and `XPathTextPattern` accept.
struct XPathParser {
  private let text: [UInt8]
  private let namespaces: [String: String]
  private var index = 0
  /// The largest number of steps in a path, so that a set of them fits into a word.
  private static let stepLimit = 60

  init(_ text: String, namespaces: [String: String]) {
    (self.text, self.namespaces) = (Array(text.utf8), namespaces)
  }

  /// Parses paths that are joined by `|`: those to elements, and those to attributes and texts.
  mutating func paths() -> (elements: [[XPathPattern.Step]], texts: [XPathTextPattern.Path])? {
    var elements: [[XPathPattern.Step]] = []
    var texts: [XPathTextPattern.Path] = []
    repeat {
      let start = index
      if let path = textPath() {
        texts.append(path)
        continue
      }
      index = start
      guard let path = path() else { return nil }
      elements.append(path)
    } while take("|")
    return index == text.count ? (elements, texts) : nil
  }

  private mutating func textPath() -> XPathTextPattern.Path? {
    var steps: [XPathPattern.Step] = []
    while let isAtAnyDepth = slashes(beforeStep: steps.count) {
      if let target = target() {
        // The document itself has no attributes and no text.
        guard isAtAnyDepth || !steps.isEmpty, steps.count <= Self.stepLimit else { return nil }
        return XPathTextPattern.Path(steps: steps, isInside: isAtAnyDepth, target: target)
      }
      guard let step = step(isAtAnyDepth: isAtAnyDepth) else { return nil }
      steps.append(step)
    }
    return nil
  }

  /// Parses `@name`, `@*` or `text()`. Takes nothing if there is another step.
  private mutating func target() -> XPathTextPattern.Target? {
    let start = index
    if take("@"), let target = attribute() { return target }
    index = start
    if name() == "text", take("("), take(")") { return .text }
    index = start
    return nil
  }

  private mutating func attribute() -> XPathTextPattern.Target? {
    if take("*") { return .attribute(nil, .none) }
    guard let name = name() else { return nil }
    guard takeAdjacent(":") else { return .attribute(name, .none) }
    let namespace = name == "xml" ? .uri(XMLNamespace.xml) : namespace(ofPrefix: name)
    guard let namespace, let local = adjacentName() else { return nil }
    return .attribute(local, namespace)
  }

  private mutating func path() -> [XPathPattern.Step]? {
    var steps: [XPathPattern.Step] = []
    while let isAtAnyDepth = slashes(beforeStep: steps.count) {
      guard let step = step(isAtAnyDepth: isAtAnyDepth) else { return nil }
      steps.append(step)
    }
    return steps.count <= Self.stepLimit ? steps : nil
  }

  /// Parses `/` or `//`, of which the first step of a path needs none. Returns true for `//`, and nil if no step follows.
  private mutating func slashes(beforeStep stepIndex: Int) -> Bool? {
    guard take("/") else { return stepIndex == 0 ? false : nil }
    return takeAdjacent("/")
  }

  private mutating func step(isAtAnyDepth: Bool) -> XPathPattern.Step? {
    var step = XPathPattern.Step(isAtAnyDepth: isAtAnyDepth)
    if !take("*") {
      guard var name = name() else { return nil }
      if takeAdjacent(":") {
        guard let namespace = namespace(ofPrefix: name), let local = adjacentName() else { return nil }
        (name, step.namespace) = (local, namespace)
      }
      step.name = name
    }
    while take("[") {
      guard let condition = condition(), take("]") else { return nil }
      step.conditions.append(condition)
    }
    return step
  }

  private func namespace(ofPrefix prefix: String) -> XPathPattern.Namespace? {
    // Strings that are equal only after normalization are other prefixes.
    if let uri = namespaces.first(where: { $0.key.equals(prefix) })?.value { return .uri(uri) }
    return prefix == "_" ? .ofRoot : nil
  }

  private mutating func condition() -> XPathPattern.Condition? {
    guard take("@") else { return position().map { .position($0) } }
    guard let name = name() else { return nil }
    guard take("=") else { return .attribute(name, value: nil) }
    return literal().map { .attribute(name, value: $0) }
  }

  private mutating func position() -> Int? {
    skipSpace()
    let digits = text[index...].prefix(while: \.isDigit)
    index += digits.count
    return Int(String(decoding: digits, as: UTF8.self))
  }

  private mutating func literal() -> String? {
    skipSpace()
    guard index < text.count, text[index].isQuotationMark,
      let end = text[(index + 1)...].firstIndex(of: text[index])
    else { return nil }
    defer { index = end + 1 }
    return String(decoding: text[index + 1..<end], as: UTF8.self)
  }

  private mutating func name() -> String? {
    skipSpace()
    return adjacentName()
  }

  /// Returns the name at the current byte. Names with characters beyond ASCII are left to libxml2, which knows
  /// which of them are allowed.
  private mutating func adjacentName() -> String? {
    let name = text[index...].prefix(while: \.isInXMLName)
    guard name.first?.isXMLNameStart == true else { return nil }
    index += name.count
    return String(decoding: name, as: UTF8.self)
  }

  /// Skips a character after white space. Returns false if it does not follow.
  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    skipSpace()
    return takeAdjacent(character)
  }

  private mutating func takeAdjacent(_ character: Unicode.Scalar) -> Bool {
    guard index < text.count, text[index] == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  private mutating func skipSpace() {
    while index < text.count, text[index].isSpace { index += 1 }
  }
}
