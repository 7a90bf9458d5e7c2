import Ferry

/// Prints values as a tree for people, as they arrive:
///
///     [
///       Person {
///         last: "Neuburg"
///         first: "Matt"
///       }
///     ]
final class TreePrinter: ValueSink {
  private let output: any ByteOutput
  private let showsColors: Bool
  private var line = ""
  /// Lines that have ended, written when they are many.
  private var lines = ""
  private static let pageSize = 1 << 16
  private var depth = 0
  private var isInKey = false
  /// For each open collection, whether nothing is in it yet.
  private var isEmpty: [Bool] = []
  /// A key, or an object's class, waits on the line for its value.
  private var isLineBegun = false

  init(to output: any ByteOutput, showsColors: Bool) {
    self.output = output
    self.showsColors = showsColors
  }

  private enum Color: String {
    case key = "36"
    case string = "32"
    case number = "33"
    case type = "1;35"
    case faint = "2"
  }

  private func colored(_ text: String, _ color: Color) -> String {
    showsColors ? "\u{1b}[\(color.rawValue)m\(text)\u{1b}[0m" : text
  }

  // MARK: Lines

  private func startLine() {
    if !isEmpty.isEmpty { isEmpty[isEmpty.count - 1] = false }
    if !isLineBegun { line += String(repeating: "  ", count: depth) }
    isLineBegun = false
  }

  private func endLine() throws(Failure) {
    line += "\n"
    lines += line
    line.removeAll(keepingCapacity: true)
    if lines.utf8.count >= Self.pageSize { try writeLines() }
  }

  private func writeLines() throws(Failure) {
    try output.write(lines.utf8.span)
    lines.removeAll(keepingCapacity: true)
  }

  private func scalar(_ text: String, _ color: Color) throws(Failure) {
    startLine()
    line += colored(text, color)
    if isInKey { isLineBegun = true } else { try endLine() }
  }

  private func begin(_ bracket: String) throws(Failure) {
    // A collection's first line ends only when something is in it.
    try breakAfterBracket()
    startLine()
    line += bracket
    isEmpty.append(true)
    depth += 1
    isBracketOpen = true
  }

  private var isBracketOpen = false

  private func breakAfterBracket() throws(Failure) {
    guard isBracketOpen else { return }
    isBracketOpen = false
    try endLine()
  }

  private func end(_ bracket: String) throws(Failure) {
    depth -= 1
    _ = isEmpty.popLast()
    if isBracketOpen {
      isBracketOpen = false
    } else {
      line += String(repeating: "  ", count: depth)
    }
    line += bracket
    if isInKey { isLineBegun = true } else { try endLine() }
  }

  // MARK: Events

  private func value(_ text: String, _ color: Color) throws(Failure) {
    try breakAfterBracket()
    try scalar(text, color)
  }

  func null() throws(Failure) { try value("null", .faint) }
  func boolean(_ value: Bool) throws(Failure) { try self.value(value ? "true" : "false", .number) }
  func integer(_ value: Int128) throws(Failure) { try self.value(value.description, .number) }
  func real(_ value: Double) throws(Failure) { try self.value(value.description, .number) }
  func single(_ value: Float) throws(Failure) { try self.value(value.description, .number) }
  func number(_ text: Text) throws(Failure) { try value(String(text), .number) }
  func string(_ text: Text) throws(Failure) { try value(quoted(String(text)), .string) }
  func date(_ secondsSince2001: Double) throws(Failure) {
    try value(ISODate.text(secondsSince2001) ?? "date \(secondsSince2001)", .number)
  }
  func uid(_ number: UInt64) throws(Failure) { try value("@\(number)", .type) }
  func reference(_ identity: Int) throws(Failure) { try value("→ #\(identity)", .type) }

  func data(_ bytes: Span<UInt8>) throws(Failure) {
    var text = "<\(bytes.count) bytes"
    for index in 0..<min(bytes.count, 16) {
      text += index == 0 ? ": " : " "
      text += (bytes[index] < 16 ? "0" : "") + String(bytes[index], radix: 16)
    }
    try value(text + (bytes.count > 16 ? " …>" : ">"), .faint)
  }

  func key(_ text: Text) throws(Failure) {
    try breakAfterBracket()
    startLine()
    let key = String(text)
    let isPlain =
      !key.isEmpty && !key.unicodeScalars.contains { $0 == " " || $0 == ":" || $0 == "\"" || $0.isControl }
    line += colored(isPlain ? key : quoted(key), .key) + ": "
    isLineBegun = true
  }

  func beginKey() throws(Failure) { isInKey = true }

  func endKey() throws(Failure) {
    isInKey = false
    line += ": "
    isLineBegun = true
  }

  func beginArray(count: Int?) throws(Failure) { try begin("[") }
  func endArray() throws(Failure) { try end("]") }
  func beginSet(count: Int?) throws(Failure) { try begin("set [") }
  func endSet() throws(Failure) { try end("]") }
  func beginDictionary(count: Int?) throws(Failure) { try begin("{") }
  func endDictionary() throws(Failure) { try end("}") }

  func beginObject(_ type: ObjectClass, identity: Int?) throws(Failure) {
    try breakAfterBracket()
    startLine()
    line += colored(type.name.withoutControls, .type) + (identity.map { " #\($0)" } ?? "") + " "
    isLineBegun = true
  }

  func endObject() throws(Failure) {}
  func finish() throws(Failure) { try writeLines() }

  private func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case _ where scalar.isControl: quoted += scalar.escaped
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
