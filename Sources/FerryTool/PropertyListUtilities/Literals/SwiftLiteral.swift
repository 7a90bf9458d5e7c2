import Ferry

/// The text of Swift that declares a constant with the value of a property list. It compiles: literals that Swift cannot infer
/// have a type, numbers are exact, and strings are escaped.
///
///     /// Generated from Info.plist
///     let Info : [String : Any] = [
///         "sizes" : [
///             16,
///             32,
///         ],
///         "title" : "Ada",
///     ]
struct SwiftLiteral {
  private(set) var text = ""

  init(of value: Value, name: LiteralName) {
    if Self.needsFoundation(value) { text += "import Foundation\n\n" }
    text += "/// Generated from \(name.file)\n"
    text +=
      "let \(Self.keywords.contains { $0.equals(name.identifier) } ? "`\(name.identifier)`" : name.identifier)"
    if let annotation = Self.annotation(of: value) { text += " : \(annotation)" }
    text += " = "
    append(value, depth: 0, isRoot: true)
    text += "\n"
  }

  /// Returns the kind of a value that has no literal; nil if it has one.
  static func kindNotHeld(_ value: Value) -> String? {
    switch value {
    case .null: "null"
    case .set: "a set"
    case .uid: "a reference of an archive"
    case .object, .reference: "an archived object"
    case .unpairedString: "a string with unpaired surrogates"
    case .dictionary(let entries) where entries.contains { if case .string = $0.key { false } else { true } }:
      "a key that is not a string"
    default: nil
    }
  }

  private static let keywords = [
    "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer", "deinit", "do",
    "else", "enum",
    "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import", "in", "init",
    "inout",
    "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol", "public", "repeat",
    "rethrows",
    "return", "self", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try",
    "typealias", "var",
    "where", "while", "_",
  ]

  private static func needsFoundation(_ value: Value) -> Bool {
    value.firstPart { part in
      switch part {
      case .data, .date: ""
      default: nil
      }
    } != nil
  }

  // MARK: Types

  /// Returns the type that a literal must be given, because Swift infers none: elements of several types, or none at all.
  private static func annotation(of value: Value) -> String? {
    switch value {
    case .array(let elements): commonType(of: elements) == nil ? "[Any]" : nil
    case .dictionary(let entries): commonType(of: entries.values) == nil ? "[String : Any]" : nil
    default: nil
    }
  }

  /// Returns the type of all values; nil if there are several types, or no values.
  private static func commonType(of values: [Value]) -> String? {
    guard let first = values.first.map(type), values.dropFirst().allSatisfy({ type(of: $0).equals(first) })
    else {
      return nil
    }
    return first
  }

  private static func type(of value: Value) -> String {
    switch value {
    case .boolean: "Bool"
    case .integer(let number): Int64(exactly: number) == nil ? "UInt64" : "Int"
    case .real, .single, .number: "Double"
    case .data: "Data"
    case .date: "Date"
    case .array(let elements): "[\(commonType(of: elements) ?? "Any")]"
    case .dictionary(let entries): "[String : \(commonType(of: entries.values) ?? "Any")]"
    default: "String"
    }
  }

  // MARK: Values

  private mutating func append(_ value: Value, depth: Int, isRoot: Bool = false) {
    switch value {
    case .boolean(let flag): text += flag ? "true" : "false"
    case .integer(let number): text += Int64(exactly: number) == nil ? "UInt64(\(number))" : "\(number)"
    case .real(let number): text += Self.real(number)
    case .single(let number): text += Self.real(Double(number))
    case .number(let digits): text += digits
    case .string(let string): text += Self.quoted(string)
    case .data(let bytes):
      text += "Data(["
      text += bytes.map { "0x" + PropertyListText.hexadecimal([$0]).uppercased() }.joined(separator: ", ")
      text += "])"
    case .date(let seconds): text += "Date(timeIntervalSinceReferenceDate: \(seconds.notation))"
    case .array(let elements):
      appendLines(elements.map { (nil, $0) }, depth: depth)
    case .dictionary(let entries):
      let lines = entries.collated.map { (key: PropertyListText.key($0.key), value: $0.value) }
      if lines.isEmpty { text += "[:]" } else { appendLines(lines, depth: depth) }
    default: break
    }
    if !isRoot, let annotation = Self.annotation(of: value) { text += " as \(annotation)" }
  }

  private mutating func appendLines(_ lines: [(key: String?, value: Value)], depth: Int) {
    text += "[\n"
    for (key, value) in lines {
      text += String(repeating: "    ", count: depth + 1)
      if let key { text += Self.quoted(key) + " : " }
      append(value, depth: depth + 1)
      text += ",\n"
    }
    text += String(repeating: "    ", count: depth) + "]"
  }

  private static func real(_ number: Double) -> String {
    guard number.isFinite else {
      return number.isNaN ? "Double.nan" : "\(number < 0 ? "-" : "")Double.infinity"
    }
    return PropertyListText.real(number)
  }

  private static func quoted(_ string: String) -> String {
    string.unicodeScalars.reduce(into: "\"") { text, scalar in
      switch scalar {
      case "\"", "\\": text += "\\\(scalar)"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where scalar.isControl:
        text += "\\u{" + String(scalar.value, radix: 16) + "}"
      default: text.unicodeScalars.append(scalar)
      }
    } + "\""
  }
}
