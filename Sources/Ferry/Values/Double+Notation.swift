// The notation of numbers in texts, messages and trees: the shortest decimal that reads back as the number.
// `DecimalText` recognizes it, so a number that a file has in this notation is written with the same text.

extension Int128 {
  /// The number in decimal.
  package var notation: String {
    // The digits of a shorter integer are found faster.
    Int64(exactly: self)?.description ?? description
  }
}

extension Double {
  /// The shortest decimal that reads back as the number; `nan`, `inf` and `-inf` for other values.
  package var notation: String { description }

  /// The notation with the words of JavaScript for other values: `NaN`, `Infinity` and `-Infinity`.
  var javaScriptNotation: String {
    isFinite ? notation : isNaN ? "NaN" : self < 0 ? "-Infinity" : "Infinity"
  }
}

extension Double {
  /// True if the number is a NaN with other bits than those of the usual NaN, 7ff8000000000000.
  var hasNaNPayload: Bool { isNaN && bitPattern != Double.nan.bitPattern }

  var isNegativeZero: Bool { bitPattern == (-0.0).bitPattern }
}

extension Float {
  /// The shortest decimal that reads back as the number, in 32 bits.
  package var notation: String { description }
}

extension EventTape {
  /// Returns the notation of the number at a tape index; nil for other events.
  func notation(at index: TapeIndex) -> String? {
    switch kind(at: index) {
    case .integer: integer(at: index).notation
    case .real: real(at: index).notation
    case .single: single(at: index).notation
    case .number: string(at: index)
    default: nil
    }
  }
}
