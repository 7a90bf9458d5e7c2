extension Value {
  /// The integer that a value is, as an object of a class or bare; nil for anything else.
  var wholeNumber: Int128? { if case .integer(let number) = scalar { number } else { nil } }

  /// The number that a value is, as an object of a class or bare; nil for anything else.
  var double: Double? {
    switch scalar {
    case .integer(let number): Double(number)
    case .real(let number): number
    case .single(let number): Double(number)
    case .number(let text): Double(text)
    default: nil
    }
  }

  /// The string that a value is, as an object of a class or bare; nil for anything else.
  var text: String? { if case .string(let text) = scalar { text } else { nil } }

  /// The elements of a list, as an object of a class or bare; nil for anything else.
  var listed: [Value]? { if case .array(let elements) = scalar { elements } else { nil } }
}
