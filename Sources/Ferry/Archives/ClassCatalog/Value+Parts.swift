extension Value {
  /// The integer, looking through an object to its content, or nil for other values.
  var wholeNumber: Int128? { if case .integer(let number) = scalar { number } else { nil } }

  /// The number, looking through an object to its content, or nil for other values.
  var double: Double? {
    switch scalar {
    case .integer(let number): Double(number)
    case .real(let number): number
    case .single(let number): Double(number)
    case .number(let text): Double(text)
    default: nil
    }
  }

  /// The string, looking through an object to its content, or nil for other values.
  var text: String? { if case .string(let text) = scalar { text } else { nil } }

  /// The elements of an array, looking through an object to its content, or nil for other values.
  var listed: [Value]? { if case .array(let elements) = scalar { elements } else { nil } }
}
