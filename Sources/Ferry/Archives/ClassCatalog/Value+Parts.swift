extension Value {
  /// The integer, or nil for other values, also for a real that equals an integer.
  var wholeNumber: Int128? { if case .integer(let number) = scalar { number } else { nil } }

  /// The number as the nearest `Double`, which may be infinite. Nil for other values.
  var roundedDouble: Double? {
    switch scalar {
    case .integer(let number): Double(number)
    case .real(let number): number
    case .single(let number): Double(number)
    case .number(let text): Double(text)
    default: nil
    }
  }

  /// The elements of an array, or nil for other values, also for a set.
  var arrayElements: [Value]? { if case .array(let elements) = scalar { elements } else { nil } }
}
