import Ferry

/// The text of a value that `Print` prints.
///
///     Dict {
///         tags = Array {
///             x
///         }
///     }
struct PlistBuddyText {
  /// The text. Data is in it as it is.
  private(set) var bytes: [UInt8] = []

  init(of value: Value) {
    append(value, depth: 0)
    append("\n")
  }

  private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  private mutating func append(_ value: Value, depth: Int) {
    switch value {
    case .boolean(let flag): append(flag ? "true" : "false")
    case .integer(let number): append(number.notation)
    case .real(let number): append(PropertyListText.real(number))
    case .single(let number): append(PropertyListText.real(Double(number)))
    case .number(let digits): append(digits)
    case .string(let text): append(text)
    case .unpairedString(let units): append(PropertyListText.escaped(units))
    case .data(let data): bytes.append(contentsOf: data)
    case .date(let seconds): append(LocalTime.text(seconds) ?? PropertyListText.date(seconds))
    case .uid(let number): append(PropertyListText.reference(number))
    case .array(let elements), .set(let elements):
      appendLines("Array", elements.map { (nil, $0) }, depth: depth)
    case .dictionary(let entries):
      appendLines("Dict", entries.map { (PropertyListText.shown($0.key), $0.value) }, depth: depth)
    case .null, .object, .reference: append(value.words)
    }
  }

  private mutating func appendLines(_ name: String, _ lines: [(key: String?, value: Value)], depth: Int) {
    append("\(name) {\n")
    for (key, value) in lines {
      append(String(repeating: "    ", count: depth + 1))
      if let key { append("\(key) = ") }
      append(value, depth: depth + 1)
      append("\n")
    }
    append(String(repeating: "    ", count: depth) + "}")
  }
}
