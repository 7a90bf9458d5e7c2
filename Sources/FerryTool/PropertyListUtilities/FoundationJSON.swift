import Ferry

/// The text of JSON in the layout of Foundation, which `plutil` writes: `{"a":1,"path":"\/usr"}`, or pretty-printed
///
///     {
///       "a" : 1,
///       "path" : "\/usr"
///     }
///
/// Entries keep their order in compact text, and are collated in pretty-printed text. There is no line end. A reference of an
/// archive becomes `{"CF$UID":4}`.
struct FoundationJSON {
  private let isPretty: Bool
  /// True to write reals without a fraction as reals (`1.0`), because the text replaces JSON that has them. Foundation writes `1`.
  private let keepsReals: Bool
  private(set) var text: [UInt8] = []
  private var depth = 0

  /// Creates the text of a value that JSON can represent.
  init(of value: Value, isPretty: Bool, keepsReals: Bool) {
    (self.isPretty, self.keepsReals) = (isPretty, keepsReals)
    append(value)
  }

  /// Returns the kind of a value that JSON cannot represent; nil if it can.
  static func kindNotHeld(_ value: Value) -> String? {
    switch value {
    case .data: "data"
    case .date: "a date"
    case .set: "a set"
    case .real(let number) where !number.isFinite: number.isNaN ? "NaN" : "infinity"
    case .single(let number) where !number.isFinite: number.isNaN ? "NaN" : "infinity"
    case .dictionary(let entries) where entries.contains { PropertyListText.key($0.key) == nil }:
      "a key that is not a string"
    case .object, .reference: "an archived object"
    default: nil
    }
  }

  private mutating func append(_ value: Value) {
    switch value {
    case .boolean(let flag): append(flag ? "true" : "false")
    case .integer(let number): append(number.notation)
    case .real(let number): append(real: number.notation)
    case .single(let number): append(real: number.notation)
    case .number(let digits): append(digits)
    case .string(let string): append(quoted: string)
    case .unpairedString(let units): append(quoted: units)
    case .uid(let number): append(Value.dictionary(number.asUID))
    case .array(let elements), .set(let elements):
      append("[", elements, "]") { text, element in text.append(element) }
    case .dictionary(let entries):
      append("{", isPretty ? entries.collated : entries.map { $0 }, "}") { text, entry in
        text.append(entry.key)
        text.append(text.isPretty ? " : " : ":")
        text.append(entry.value)
      }
    case .null, .data, .date, .object, .reference: append("null")
    }
  }

  private mutating func append<Item>(
    _ opening: String, _ items: [Item], _ closing: String, _ appendItem: (inout FoundationJSON, Item) -> Void
  ) {
    append(opening)
    depth += 1
    for (index, item) in items.enumerated() {
      if index > 0 { append(",") }
      newLine()
      appendItem(&self, item)
    }
    depth -= 1
    // Foundation leaves an empty line in an empty collection.
    if isPretty, items.isEmpty { append("\n") }
    newLine()
    append(closing)
  }

  private mutating func newLine() {
    guard isPretty else { return }
    text.append(UInt8(ascii: "\n"))
    text.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
  }

  private mutating func append(_ piece: String) { text.append(contentsOf: piece.utf8) }

  private mutating func append(real notation: String) {
    append(!keepsReals && notation.hasSuffix(".0") ? String(notation.dropLast(2)) : notation)
  }

  private mutating func append(quoted string: String) {
    let isPlain = string.utf8.allSatisfy { $0 >= 0x20 && !"\"\\/".utf8.contains($0) }
    if isPlain { append("\"\(string)\"") } else { append(quoted: Array(string.utf16)) }
  }

  private mutating func append(quoted units: [UInt16]) {
    append("\"")
    var plain: [UInt16] = []
    for (index, unit) in units.enumerated() {
      let escape = Self.escape(unit, isUnpaired: Self.isUnpaired(index, in: units))
      guard let escape else {
        plain.append(unit)
        continue
      }
      append(String(decoding: plain, as: UTF16.self))
      plain.removeAll(keepingCapacity: true)
      append("\\" + escape)
    }
    append(String(decoding: plain, as: UTF16.self))
    append("\"")
  }

  private static func isUnpaired(_ index: Int, in units: [UInt16]) -> Bool {
    switch units[index] {
    case 0xd800..<0xdc00: index + 1 == units.count || !(0xdc00..<0xe000).contains(units[index + 1])
    case 0xdc00..<0xe000: index == 0 || !(0xd800..<0xdc00).contains(units[index - 1])
    default: false
    }
  }

  /// Returns the escape of a code unit after its backslash; nil if the unit is written as it is.
  private static func escape(_ unit: UInt16, isUnpaired: Bool) -> String? {
    switch unit {
    case 0x22: "\""
    case 0x5c: "\\"
    case 0x2f: "/"
    case 0x08: "b"
    case 0x09: "t"
    case 0x0a: "n"
    case 0x0c: "f"
    case 0x0d: "r"
    case ..<0x20: "u" + String(UInt32(unit) + 0x1_0000, radix: 16).dropFirst()
    default: isUnpaired ? "u" + String(UInt32(unit) + 0x1_0000, radix: 16).dropFirst() : nil
    }
  }
}

extension UInt64 {
  /// The dictionary that represents the reference with this number in XML.
  var asUID: KeyedValues {
    var entries = KeyedValues()
    entries["CF$UID"] = .integer(Int128(self))
    return entries
  }
}
