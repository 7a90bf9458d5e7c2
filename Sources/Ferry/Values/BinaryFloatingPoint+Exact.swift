// Reals that have the digits of a text. An edit refuses a text whose digits would be lost.

extension Double {
  /// Creates the real that a number in JSON's notation denotes.
  ///
  ///     try Double(exactNotation: "2.20")                    // 2.2
  ///     try Double(exactNotation: "0.12345678901234567890")  // throws
  ///
  /// - Throws: A `FerryError` with the reason `PathProblem.cannotPut` if the real has other digits, because it has at most 17, or if the
  ///   number is too large.
  init(exactNotation text: String) throws(FerryError) {
    guard let real = Double(text), real.isFinite else { throw Self.cannotRepresent(text, nearest: nil) }
    guard real.isNotation(of: text) else { throw Self.cannotRepresent(text, nearest: real.description) }
    self = real
  }
}

extension Double {
  /// The 32-bit real that has the value of this one, or its digits; nil if there is none.
  ///
  ///     (0.1).single                    // 0.1
  ///     (0.10000000149011612).single    // 0.1, which has this value exactly
  ///     (0.123456789).single            // nil
  var single: Float? {
    let single = Float(self)
    guard isFinite else { return single }
    return single.isFinite && (Double(single) == self || single.isNotation(of: description)) ? single : nil
  }
}

extension BinaryFloatingPoint {
  /// Returns the error for a number that no real represents. `nearest` is the nearest one; nil if the number is
  /// too large.
  static func cannotRepresent(_ text: String, nearest: String?) -> FerryError {
    let why = nearest.map { "a real has fewer digits; the nearest is \($0)" } ?? "it is too large for a real"
    return FerryError(.path(.cannotPut("the number \(MessageText.name(text))", .other(why))))
  }
}
