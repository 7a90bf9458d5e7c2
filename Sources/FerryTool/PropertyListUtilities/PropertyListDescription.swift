import Ferry

/// The text of a property list that `plutil -p` prints.
///
///     {
///       "icon" => {length = 4, bytes = 0x01020304}
///       "tags" => [
///         0 => "x"
///       ]
///     }
struct PropertyListDescription {
  private(set) var text = ""

  init(of value: Value) { append(value, depth: 0) }

  private mutating func append(_ value: Value, depth: Int) {
    switch value {
    case .null: text += "<null>"
    case .boolean(let flag): text += flag ? "true" : "false"
    case .integer(let number): text += number.notation
    case .real(let number): text += number.notation
    case .single(let number): text += number.notation
    case .number(let digits): text += digits
    case .string(let string): text += "\"\(string)\""
    case .unpairedString(let units): text += "\"\(PropertyListText.escaped(units))\""
    case .data(let bytes): text += Self.description(of: bytes)
    case .date(let seconds): text += Self.description(ofDate: seconds)
    case .uid(let number): text += PropertyListText.reference(number)
    case .array(let elements), .set(let elements):
      appendLines("[", elements.enumerated().map { ("\($0.offset)", $0.element) }, "]", depth: depth)
    case .dictionary(let entries):
      let lines = entries.collated.map { ("\"\(PropertyListText.shown($0.key))\"", $0.value) }
      appendLines("{", lines, "}", depth: depth)
    case .object, .reference: text += value.words
    }
    text += "\n"
  }

  private mutating func appendLines(
    _ opening: String, _ entries: [(name: String, value: Value)], _ closing: String, depth: Int
  ) {
    text += opening + "\n"
    for (name, value) in entries {
      text += String(repeating: "  ", count: depth + 1) + name + " => "
      append(value, depth: depth + 1)
    }
    text += String(repeating: "  ", count: depth) + closing
  }

  /// Returns the description of data on macOS: all bytes of up to 24, or else the first 16 and the last 8 in groups of four.
  private static func description(of bytes: [UInt8]) -> String {
    let digits: String
    if bytes.count <= 24 {
      digits = PropertyListText.hexadecimal(bytes)
    } else {
      digits = groups(of: bytes.prefix(16)) + " ... " + groups(of: bytes.suffix(8)) + " "
    }
    return "{length = \(bytes.count), bytes = 0x\(digits)}"
  }

  private static func groups(of bytes: ArraySlice<UInt8>) -> String {
    stride(from: bytes.startIndex, to: bytes.endIndex, by: 4)
      .map { PropertyListText.hexadecimal(bytes[$0..<$0 + 4]) }.joined(separator: " ")
  }

  /// Returns a moment as `2024-05-06 07:08:09 +0000`.
  private static func description(ofDate seconds: Double) -> String {
    let text = PropertyListText.date(seconds)
    guard text.hasSuffix("Z") else { return text }
    return text.dropLast().split(separator: "T").joined(separator: " ") + " +0000"
  }
}
