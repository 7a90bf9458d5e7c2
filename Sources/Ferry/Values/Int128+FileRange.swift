extension Int128 {
  /// True if the integer has 64 bits, with or without a sign: from −2⁶³ to 2⁶⁴−1.
  var has64Bits: Bool { self >= -(1 << 63) && self < 1 << 64 }

  /// Throws if the integer has more than 64 bits.
  ///
  /// - Parameter format: The name of the format in the message, which has no larger integers.
  func check64Bits(for format: String) throws(FerryError) {
    guard has64Bits else { throw FerryError(.cannotHold(.integerRange(notation, format: format))) }
  }
}
