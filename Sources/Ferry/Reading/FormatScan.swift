/// A scanner of the first bytes of an input without a name. It finds the end of the bytes that decide the format and how the input is
/// read, so that a pipe is not read further before the first values are sent.
///
///     1E                          a JSON text sequence
///     {"a": 1} ⏎ {                JSON Lines
///     {"a": 1} {                  concatenated JSON
///     <people>…                   XML, and no property list
///
/// The format of other inputs is detected from more bytes: a list may be JSON or the first line of JSON Lines, and `{"a": 1}` may be all.
final class FormatScan {
  private let name: String?
  private let matchesSchemas: Bool
  private let budget: Budget
  private var value = FirstValueScan()
  /// The scanner of the format, when it is known.
  private var scan: HeadScan?

  /// Creates a scanner.
  ///
  /// - Parameters:
  ///   - name: The name of the input.
  ///   - matchesSchemas: True if built-in schemas are matched with the first record of XML.
  init(named name: String?, matchesSchemas: Bool, budget: Budget) {
    (self.name, self.matchesSchemas, self.budget) = (name, matchesSchemas, budget)
  }

  /// Returns true if the first bytes of the input decide how it is read. They must begin with those of the
  /// previous call.
  func isOver(_ head: [UInt8]) -> Bool {
    if scan == nil, let format = format(of: head) {
      scan = HeadScan(format, matchesSchemas: matchesSchemas, budget: budget)
    }
    return scan?.isOver(head) ?? false
  }

  /// Returns the format if no further bytes can change it; otherwise nil.
  private func format(of head: [UInt8]) -> Format? {
    // A name with an extension may decide, and UTF-16 is decoded first.
    guard name.flatMap(FormatDetector.fileExtension) == nil else { return nil }
    switch head.first {
    case 0x1e?: return .jsonSequence
    case UInt8(ascii: "<")?:
      guard let root = PrologScan.rootName(in: head), !root.elementsEqual("plist".utf8) else { return nil }
      return detected(head, among: [.xml])
    default:
      guard head.span.showsUTF8WithoutMark, value.isFollowedByAnother(in: head) else { return nil }
      return detected(head, among: [.jsonLines, .concatenatedJSON, .nulSeparatedJSON])
    }
  }

  private func detected(_ head: [UInt8], among formats: [Format]) -> Format? {
    guard let format = try? FormatDetector(head: head, name: name).detect(), formats.contains(format) else {
      return nil
    }
    return format
  }
}

/// A scanner of the first of several JSON values, which continues when there are more bytes.
private struct FirstValueScan {
  private var index = 0
  private var depth = 0
  private var isInString = false
  /// The end of the value, or nil if it is not complete.
  private var end: Int?
  /// True if the value is strict JSON: a list, or a dictionary with an entry. Property lists have no such values.
  private var isJSON = false

  /// Returns true if the first bytes contain a value, and the beginning of another one, or a NUL and the beginning of another one.
  mutating func isFollowedByAnother(in head: [UInt8]) -> Bool {
    if end == nil { scan(head) }
    guard let end, isJSON, let mark = head[end...].firstIndex(where: { !FormatHead.isSpace($0) }) else {
      return false
    }
    let rest = head[mark] == 0 ? head[(mark + 1)...] : head[mark...]
    guard let next = rest.first(where: { !FormatHead.isSpace($0) }) else { return false }
    return "{[\"-0123456789tfn".utf8.contains(next)
  }

  private mutating func scan(_ head: [UInt8]) {
    while index < head.count, end == nil {
      take(head[index])
    }
    if let end { isJSON = Self.isJSON(Array(head[..<end])) }
  }

  private static func isJSON(_ value: [UInt8]) -> Bool {
    let content = value.drop(while: FormatHead.isSpace)
    guard content.first == UInt8(ascii: "{") || content.first == UInt8(ascii: "[") else { return false }
    // `{}` is a property list, too.
    guard content.dropFirst().first(where: { !FormatHead.isSpace($0) }) != UInt8(ascii: "}") else {
      return false
    }
    let reader = JSONReader(into: NullSink(), budget: .detection)
    return (try? reader.readAll(value.span)) != nil
  }

  /// Takes the next byte. An escape in a string takes two.
  private mutating func take(_ byte: UInt8) {
    defer { index += 1 }
    guard !isInString else {
      if byte == UInt8(ascii: "\\") { index += 1 }
      isInString = byte != UInt8(ascii: "\"")
      return
    }
    switch byte {
    case UInt8(ascii: "\""): isInString = true
    case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
    case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
    default: if depth > 0 || FormatHead.isSpace(byte) { return }
    }
    // The format of a text that begins without a bracket may depend on much more.
    if depth <= 0 { end = index + 1 }
  }
}
