extension ValuePath {
  /// Parses a path.
  ///
  ///     people[0].name          keys separated by dots, indices in brackets and counted from 0
  ///     people[-1]              the last element
  ///     ["a key.with dots"]     any key, in double or single quotation marks; the brackets are optional
  ///     people[1:3]  people[*]  several elements: those with the indices 1 and 2; all elements
  ///     people[name="Ada"]      the elements with this name; quotation marks are optional: people[id=7];
  ///                             a key with the sign of a comparison needs them: people["a<b"=7]
  ///     people[age>=30]         the elements with such an age: !=, <, <=, > and >= are comparisons, too
  ///     people[mail$=".org"]    the elements whose text ends so; ^= is for beginnings, *= for any part
  ///     people[a.b[0]=7][c!=x]  the elements for which both conditions are true
  ///     people[]                for `insert`, the end of the list; for `get`, every element
  ///     .people  $.people       the notation of jq and JSONPath
  ///     #/people/0  /people/0   a JSON Pointer, as in the `$ref` of converted archives
  ///     :people:0               the notation of PlistBuddy
  ///
  /// In quotation marks, a backslash escapes a quotation mark or a backslash. `\n`, `\r`, `\t`, `\u{e9}` and
  /// `\u00e9` are characters. The escape of an unpaired surrogate, `\ud800`, stays in the key and means the
  /// surrogate. An empty text, `.` and `$` mean the root.
  ///
  /// - Throws: A `FerryError` with the reason `PathProblem.badSyntax` and the offset in the text.
  public init(parsing text: String) throws(FerryError) {
    if let pointer = Self.pointer(text) ?? Self.entry(text) {
      self = pointer
      return
    }
    var parser = PathParser(text)
    self.init(try parser.steps())
  }

  /// Parses a key in quotes, or in quotes and brackets, inside another text.
  ///
  ///     var index = 6
  ///     try ValuePath.key(quotedIn: #"Person["home.city"]=city"#, at: &index)   // "home.city"
  ///     index                                                                   // 19
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - index: The index of the quote or bracket, counted in Unicode scalars. It becomes the index after the
  ///     key.
  /// - Throws: A `FerryError` with the reason `PathProblem.badSyntax`, with the offset in the text.
  package static func key(quotedIn text: String, at index: inout Int) throws(FerryError) -> String {
    var parser = PathParser(text, from: index)
    let key = try parser.quotedKey()
    index = parser.index
    return key
  }

  /// Parses a JSON Pointer (RFC 6901), with or without `#`. Returns nil for other texts. Numbers are parsed
  /// as keys, which a list treats as indices.
  private static func pointer(_ text: String) -> ValuePath? {
    let bytes = text.utf8
    let isFragment = bytes.first == UInt8(ascii: "#") && (bytes.count == 1 || bytes.starts(with: "#/".utf8))
    guard isFragment || bytes.first == UInt8(ascii: "/") else { return nil }
    // A slash and a combining character at the beginning of a key are one `Character`, so the text is divided by bytes.
    let parts = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst()
    return ValuePath(parts.map { .key(unescaped($0)) })
  }

  /// Parses a path in the notation of PlistBuddy, `:people:0:name`. Returns nil for other texts.
  private static func entry(_ text: String) -> ValuePath? {
    guard text.utf8.first == UInt8(ascii: ":") else { return nil }
    return ValuePath(text.utf8.split(separator: UInt8(ascii: ":")).map { .key(String(Substring($0))) })
  }

  /// Replaces the escapes `~1` by a slash and `~0` by a tilde.
  private static func unescaped(_ part: Substring.UTF8View) -> String {
    var text = String.UnicodeScalarView()
    var rest = Substring(part).unicodeScalars
    while let scalar = rest.popFirst() {
      if scalar == "~", rest.first == "1" || rest.first == "0" {
        text.append(rest.removeFirst() == "1" ? "/" : "~")
      } else {
        text.append(scalar)
      }
    }
    return String(text)
  }
}

/// A parser of the steps in a path.
private struct PathParser {
  private let text: String
  private let scalars: [Unicode.Scalar]
  private(set) var index: Int
  /// The number of filters around the index.
  private var filterDepth = 0

  init(_ text: String, from index: Int = 0) {
    self.text = text
    self.index = index
    scalars = Array(text.unicodeScalars)
  }

  private var next: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

  mutating func steps() throws(FerryError) -> [ValuePath.Step] {
    var steps: [ValuePath.Step] = []
    if next == "$", scalars.count == 1 || scalars[1] == "." || scalars[1] == "[" { index = 1 }
    if index == 0, next != "[", next != ".", next != nil { steps.append(try name()) }
    while let scalar = next {
      index += 1
      switch scalar {
      case ".":
        if next == nil, steps.isEmpty { break }
        // Other tools write `.["a"]` with a dot before the bracket.
        if next != "[" { steps.append(try name()) }
      case "[":
        let isAfterDot = index >= 2 && scalars[index - 2] == "."
        Self.append(try bracket(), isAfterDot: isAfterDot, to: &steps)
      default:
        let isPipe = scalars[(index - 1)...].first { $0 != " " } == "|"
        throw bad(isPipe ? Self.noPipes : "expected \".\" or \"[\"", at: index - 1)
      }
    }
    return steps
  }

  /// Adds a step. The conditions of a filter after another one, without a dot between them, are further conditions of that one.
  private static func append(_ step: ValuePath.Step, isAfterDot: Bool, to steps: inout [ValuePath.Step]) {
    guard !isAfterDot, case .filter(let more) = step, case .filter(let first)? = steps.last else {
      return steps.append(step)
    }
    steps[steps.count - 1] = .filter(ValuePath.Filter(joining: first, more))
  }

  private static let noPipes =
    "a path has no pipes (write [*].key for a key of every element, and [key=value] for the elements with a value)"

  /// Parses a key without brackets, which may be in quotes, as `show` prints it.
  private mutating func name() throws(FerryError) -> ValuePath.Step {
    if let key = quotedName() { return .key(key) }
    let start = index
    while let scalar = next, scalar != ".", scalar != "[", comparison == nil {
      guard scalar != "]" else {
        throw bad("\"]\" without \"[\" (write a key with brackets as [\"…\"])", at: index)
      }
      index += 1
    }
    guard index > start else {
      if let comparison {
        throw bad("expected a key before \"\(comparison.rawValue)\" (. is the element itself)", at: start)
      }
      throw bad(next == "." ? "a path names each key (.. is not supported)" : "expected a key", at: start)
    }
    return .key(string(scalars[start..<index]))
  }

  /// Parses a key in quotes. Returns nil, without a change, if it is the beginning of another key, such as
  /// `"a"b`.
  private mutating func quotedName() -> String? {
    var parser = self
    guard next == "\"" || next == "'", let key = try? parser.quoted(),
      parser.next == nil || parser.next == "." || parser.next == "[" || parser.comparison != nil
    else { return nil }
    self = parser
    return key
  }

  /// Parses the contents of brackets, after the opening bracket.
  private mutating func bracket() throws(FerryError) -> ValuePath.Step {
    switch next {
    case "]":
      index += 1
      return .end
    case "*":
      index += 1
      try take("]")
      return .slice(from: nil, to: nil)
    case "?": throw bad("a filter is written [key=value], such as people[age>=36]", at: index)
    case "\"", "'":
      let start = index
      let key = try quoted()
      if next == "." || next == "[" || comparison(at: index) != nil, hasComparison(from: start) {
        index = start
        return try filter()
      }
      let rest = scalars[index...].prefix { $0 != "]" }
      if rest.contains(where: { "=<>".unicodeScalars.contains($0) }) { throw noFilter(at: index) }
      try take("]")
      return .key(key)
    default: return try hasComparison(from: index) ? filter() : numbers()
    }
  }

  // MARK: Filters

  /// The greatest number of filters inside each other, so that a path of any length can be read.
  private static let mostNestedFilters = 8

  /// The comparison whose sign is at the index, in a filter.
  private var comparison: ValuePath.Comparison? { filterDepth > 0 ? comparison(at: index) : nil }

  private func comparison(at index: Int) -> ValuePath.Comparison? {
    guard index < scalars.count else { return nil }
    let hasEqualsSign = index + 1 < scalars.count && scalars[index + 1] == "="
    switch scalars[index] {
    case "=": return .equal
    case "!": return hasEqualsSign ? .notEqual : nil
    case "<": return hasEqualsSign ? .lessOrEqual : .less
    case ">": return hasEqualsSign ? .greaterOrEqual : .greater
    case "^": return hasEqualsSign ? .beginsWith : nil
    case "$": return hasEqualsSign ? .endsWith : nil
    case "*": return hasEqualsSign ? .contains : nil
    default: return nil
    }
  }

  /// Returns true if brackets whose contents begin at an index have a comparison, outside quotes and inner brackets.
  private func hasComparison(from start: Int) -> Bool {
    var (parser, depth) = (self, 0)
    parser.index = start
    while let scalar = parser.next {
      switch scalar {
      case "[": depth += 1
      case "]":
        guard depth > 0 else { return false }
        depth -= 1
      case "\"", "'":
        // Only at the beginning of a key or a value is it a quotation mark.
        let isAtBeginning =
          parser.index == start || ".[=<>".unicodeScalars.contains(scalars[parser.index - 1])
        var after = parser
        guard isAtBeginning, (try? after.quoted()) != nil else { break }
        parser = after
        continue
      default: if depth == 0, comparison(at: parser.index) != nil { return true }
      }
      parser.index += 1
    }
    return false
  }

  /// Parses a filter with one condition, after the opening bracket.
  private mutating func filter() throws(FerryError) -> ValuePath.Step {
    guard filterDepth < Self.mostNestedFilters else {
      throw bad("too many filters inside each other", at: index)
    }
    filterDepth += 1
    let path = try pathInFilter()
    let found = comparison
    filterDepth -= 1
    guard let found else { throw bad("expected =, !=, <, <=, >, >=, ^=, $= or *=", at: index) }
    index += found.rawValue.unicodeScalars.count
    let condition = ValuePath.Condition(path, found, try operand(of: found))
    return .filter(ValuePath.Filter(condition))
  }

  /// Parses the path in a filter, up to the sign of the comparison.
  private mutating func pathInFilter() throws(FerryError) -> ValuePath {
    if next == "$", index + 1 < scalars.count, scalars[index + 1] == "." || scalars[index + 1] == "[" {
      index += 1
    }
    var steps: [ValuePath.Step] = []
    if next != "[", next != "." { steps.append(try name()) }
    while comparison == nil, let scalar = next {
      index += 1
      switch scalar {
      case "." where comparison != nil && steps.isEmpty: break
      case ".": if next != "[" { steps.append(try name()) }
      case "[":
        let isAfterDot = scalars[index - 2] == "."
        Self.append(try bracket(), isAfterDot: isAfterDot, to: &steps)
      default: throw bad("expected \".\", \"[\" or a comparison", at: index - 1)
      }
    }
    if case .key? = steps.last, scalars[index - 1] == " " || ValuePath.isComparison(scalars[index - 1]) {
      throw noFilter(at: index - 1)
    }
    return ValuePath(steps)
  }

  /// Parses the operand of a comparison, and the closing bracket.
  private mutating func operand(of comparison: ValuePath.Comparison) throws(FerryError) -> String {
    if comparison == .equal, next == "=" {
      throw bad(
        "a filter is written with one =: [key=value] (put a value that begins with = in quotes)", at: index)
    }
    if next == "=" || next == " " { throw noFilter(at: index) }
    if comparison != .equal, next == "<" || next == ">" || next == "!" { throw noFilter(at: index) }
    if next == "\"" || next == "'" {
      let start = index
      let value = try quoted()
      guard !value.isEmpty || !comparison.isOfPart else {
        throw bad("expected a text of at least one character after \"\(comparison.rawValue)\"", at: start)
      }
      try take("]")
      return value
    }
    let start = index
    while let scalar = next, scalar != "]" {
      guard scalar != "[" else { throw bad("write a value with brackets in quotes", at: index) }
      index += 1
    }
    guard index > start || !comparison.needsOrder && !comparison.isOfPart else {
      throw bad("expected a value after \"\(comparison.rawValue)\"", at: start)
    }
    let value = string(scalars[start..<index])
    if comparison.needsOrder, let end = OperandNotation.endOfNumber(value), end < value.unicodeScalars.count {
      throw bad(
        "expected a number or a date (put other texts in quotes; write a second condition in its own brackets: [a>1][b<2])",
        at: start + end)
    }
    if comparison.needsOrder, let problem = OperandNotation.problem(ofNumber: value) {
      throw bad("\(problem) (put other texts in quotes)", at: start)
    }
    try take("]")
    return value
  }

  /// Returns the error for a comparison in another notation, such as `[age<>36]`, or with spaces.
  private func noFilter(at offset: Int) -> FerryError {
    bad(
      "a filter is written [key=value], with =, !=, <, <=, >, >=, ^=, $= or *=, and no spaces (put a key or a value with such characters in quotes)",
      at: offset)
  }

  // MARK: Indices

  private mutating func numbers() throws(FerryError) -> ValuePath.Step {
    let first = try number()
    guard next == ":" else {
      guard let first else {
        throw bad("expected a number, *, key=value or a key in quotes", at: index)
      }
      try take("]")
      return .index(first)
    }
    index += 1
    let second = try number()
    try take("]")
    // Without bounds, a slice would be `[*]`, which also selects the values of a dictionary.
    return .slice(from: first == nil && second == nil ? 0 : first, to: second)
  }

  private mutating func number() throws(FerryError) -> Int? {
    let start = index
    if next == "-" { index += 1 }
    while let scalar = next, ("0"..."9").contains(scalar) { index += 1 }
    guard index > start else { return nil }
    guard let number = Int(string(scalars[start..<index])) else { throw bad("expected a number", at: start) }
    return number
  }

  /// Parses a key in quotes, in brackets or not.
  mutating func quotedKey() throws(FerryError) -> String {
    let isInBrackets = next == "["
    if isInBrackets { index += 1 }
    guard next == "\"" || next == "'" else { throw bad("expected a key in quotes", at: index) }
    let key = try quoted()
    if isInBrackets { try take("]") }
    return key
  }

  private mutating func quoted() throws(FerryError) -> String {
    let start = index
    let quote = scalars[start]
    var key = String.UnicodeScalarView()
    index += 1
    while let scalar = next {
      index += 1
      if scalar == quote { return String(key) }
      if scalar == "\\" { key.append(contentsOf: try escaped().unicodeScalars) } else { key.append(scalar) }
    }
    throw bad("the quote is not closed", at: start)
  }

  private mutating func escaped() throws(FerryError) -> String {
    let start = index - 1
    guard let scalar = next else { throw bad("the quote is not closed", at: start) }
    index += 1
    switch scalar {
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "u" where next == "{":
      guard let end = scalars[index...].firstIndex(of: "}"),
        let value = UInt32(string(scalars[(index + 1)..<end]), radix: 16), let scalar = Unicode.Scalar(value)
      else { throw noScalar(at: start) }
      index = end + 1
      return String(scalar)
    case "u": return try unit(at: start)
    case "\"", "'", "\\": return String(scalar)
    default: throw bad("a backslash must be followed by a quote, a backslash, n, r, t or u{…}", at: start)
    }
  }

  /// Parses the four digits of a UTF-16 code unit in the notation of JSON, and the second half of a pair.
  private mutating func unit(at start: Int) throws(FerryError) -> String {
    guard let unit = digits(at: index) else { throw noScalar(at: start) }
    index += 4
    if let scalar = Unicode.Scalar(UInt32(unit)) { return String(scalar) }
    if unit < 0xdc00, index + 1 < scalars.count, scalars[index] == "\\", scalars[index + 1] == "u",
      let low = digits(at: index + 2), (0xdc00...0xdfff).contains(low)
    {
      index += 6
      return String(decoding: [unit, low], as: UTF16.self)
    }
    return "\\u" + String(unit, radix: 16)
  }

  /// Returns the number of four hexadecimal digits at an index.
  private func digits(at index: Int) -> UInt16? {
    let digits = scalars[index...].prefix(4)
    guard digits.count == 4, digits.allSatisfy(\.properties.isASCIIHexDigit) else { return nil }
    return UInt16(string(digits), radix: 16)
  }

  private func noScalar(at start: Int) -> FerryError {
    bad("expected \\u{…} with the number of a character", at: start)
  }

  private mutating func take(_ scalar: Unicode.Scalar) throws(FerryError) {
    guard next == scalar else { throw bad("expected \"\(scalar)\"", at: index) }
    index += 1
  }

  private func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }

  private func bad(_ problem: String, at offset: Int) -> FerryError {
    FerryError(.path(.badSyntax(path: text, offset: offset, problem)))
  }
}
