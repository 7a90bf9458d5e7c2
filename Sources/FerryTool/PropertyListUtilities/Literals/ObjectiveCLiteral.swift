import Ferry

/// The text of Objective-C that declares a constant with the value of a property list, and its header.
///
///     /// Generated from Info.plist
///     __attribute__((visibility("hidden")))
///     NSDictionary * const Info = @{
///         @"title" : @"Ada",
///     };
struct ObjectiveCLiteral {
  /// The text of the implementation.
  private(set) var text = ""
  /// The text of the header.
  let header: String

  /// Creates the text. The implementation imports the header of the file that it is written to, unless that is nil.
  init(of value: Value, name: LiteralName, output: String?) {
    let identifier = Self.identifier(name.identifier)
    let declaration = """
      /// Generated from \(name.file)
      __attribute__((visibility("hidden")))
      """
    header = """
      #import <Foundation/Foundation.h>

      \(declaration)
      extern \(Self.className(of: value)) * const \(identifier);

      """
    if let output {
      text +=
        "#import \"\(LiteralName.stem(of: output.namesInPath.last.map(String.init) ?? output)).h\"\n\n"
    }
    text += "\(declaration)\n\(Self.className(of: value)) * const \(identifier) = "
    append(value, depth: 0)
    text += ";\n"
  }

  /// Returns the kind of a value that has no literal; nil if it has one.
  static func kindNotHeld(_ value: Value) -> String? {
    switch value {
    case .data: "data"
    case .date: "a date"
    default: SwiftLiteral.kindNotHeld(value)
    }
  }

  private static func className(of value: Value) -> String {
    switch value {
    case .array: "NSArray"
    case .dictionary: "NSDictionary"
    case .string: "NSString"
    default: "NSNumber"
    }
  }

  /// Returns an identifier of C.
  private static func identifier(_ name: String) -> String {
    let ascii = String(name.unicodeScalars.map { $0.isASCII ? Character($0) : "_" })
    return keywords.contains { $0.equals(ascii) } ? ascii + "_" : ascii
  }

  private static let keywords = [
    "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum", "extern",
    "float", "for",
    "goto", "id", "if", "inline", "int", "long", "register", "restrict", "return", "self", "short", "signed",
    "sizeof",
    "static", "struct", "super", "switch", "typedef", "union", "unsigned", "void", "volatile", "while",
  ]

  private mutating func append(_ value: Value, depth: Int) {
    switch value {
    case .boolean(let flag): text += flag ? "@YES" : "@NO"
    case .integer(let number): text += Self.integer(number)
    case .real(let number): text += Self.real(number)
    case .single(let number): text += Self.real(Double(number))
    case .number(let digits): text += "@" + digits
    case .string(let string): text += Self.quoted(string)
    case .array(let elements):
      appendLines("@[", elements.map { (nil, $0) }, "]", depth: depth)
    case .dictionary(let entries):
      let lines = entries.collated.map { (key: PropertyListText.key($0.key), value: $0.value) }
      appendLines("@{", lines, "}", depth: depth)
    default: break
    }
  }

  private mutating func appendLines(
    _ opening: String, _ lines: [(key: String?, value: Value)], _ closing: String, depth: Int
  ) {
    text += opening + "\n"
    for (key, value) in lines {
      text += String(repeating: "    ", count: depth + 1)
      if let key { text += Self.quoted(key) + " : " }
      append(value, depth: depth + 1)
      text += ",\n"
    }
    text += String(repeating: "    ", count: depth) + closing
  }

  private static func integer(_ number: Int128) -> String {
    if number == Int128(Int64.min) { return "@(\(number + 1)LL - 1)" }
    return Int64(exactly: number) == nil ? "@\(number)ULL" : "@\(number)"
  }

  private static func real(_ number: Double) -> String {
    guard number.isFinite else {
      return number.isNaN ? "@(NAN)" : number < 0 ? "@(-INFINITY)" : "@(INFINITY)"
    }
    return "@" + PropertyListText.real(number)
  }

  /// Returns a string with the escapes of C. Octal escapes have three digits, so that no digit after them belongs to them.
  private static func quoted(_ string: String) -> String {
    string.unicodeScalars.reduce(into: "@\"") { text, scalar in
      switch scalar {
      case "\"", "\\": text += "\\\(scalar)"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where scalar.value < 0x20 || scalar == "\u{7f}":
        text += "\\" + String(scalar.value + 0o1000, radix: 8).dropFirst()
      default: text.unicodeScalars.append(scalar)
      }
    } + "\""
  }
}
