/// The codec of `NSDecimalNumber`: a number with its exact decimal notation.
///
///     NS.exponent −2, NS.length 1, NS.negative no, NS.compact no, NS.mantissa.bo 1,
///     NS.mantissa DC 00 …      2.20
///
/// The mantissa has eight 16-bit words, the least significant first, of which `NS.length` are in use.
/// `NS.mantissa.bo` is 1 if the words are little-endian. On macOS, the archived class is
/// `NSDecimalNumberPlaceholder`.
struct DecimalNumberCodec: ClassCodec {
  static let entries: [ClassCatalogEntry] = [
    ClassCatalogEntry(.decimalNumber, DecimalNumberCodec(), isScalar: true),
    ClassCatalogEntry(
      ObjectClass("NSDecimalNumberPlaceholder", "NSDecimalNumber", "NSNumber", "NSValue"),
      DecimalNumberCodec(), isScalar: true),
  ]

  private static let wordCount = 8

  var notation: String? { "a decimal number of up to 38 digits, times 10 to a power from -128 to 127" }

  func decode(_ object: inout ArchivedObject) throws(FerryError) -> DecodedForm? {
    guard let exponent = try object.integer("NS.exponent"), -128...127 ~= exponent,
      let length = try object.integer("NS.length"), 0...Int128(Self.wordCount) ~= length,
      let isNegative = try object.boolean("NS.negative"), try object.boolean("NS.compact") != nil,
      let order = try object.integer("NS.mantissa.bo"), 1...2 ~= order,
      let bytes = try object.bytes("NS.mantissa"), bytes.count >= 2 * Int(length)
    else { return nil }
    var mantissa: UInt128 = 0
    for index in bytes.indices where bytes[index] != 0 {
      guard index < 2 * Int(length) else { return nil }
      let byteIndex = order == 1 ? index : index ^ 1
      mantissa |= UInt128(bytes[index]) << UInt128(8 * byteIndex)
    }
    if mantissa == 0, isNegative { return length == 0 ? .scalar(.real(.nan)) : nil }
    let decimal = DecimalNumber(mantissa: mantissa, exponent: Int(exponent), isNegative: isNegative)
    return .scalar(decimal.value)
  }

  func encode(_ decodedForm: GivenForm, of type: ObjectClass) throws(FerryError) -> [ArchivedKey]? {
    if case .real(let value) = decodedForm.real, value.isNaN {
      return Self.keys(mantissa: 0, exponent: 0, isNegative: true, isCompact: true)
    }
    guard let notation = decodedForm.notation, let decimal = DecimalNumber(notation) else { return nil }
    return Self.keys(
      mantissa: decimal.mantissa, exponent: decimal.exponent, isNegative: decimal.isNegative,
      isCompact: decimal.isCompact)
  }

  private static func keys(
    mantissa: UInt128, exponent: Int, isNegative: Bool, isCompact: Bool
  ) -> [ArchivedKey] {
    let length = (UInt128.bitWidth - mantissa.leadingZeroBitCount + 15) / 16
    let bytes = (0..<2 * wordCount).map { UInt8(truncatingIfNeeded: mantissa >> UInt128(8 * $0)) }
    return [
      ArchivedKey("NS.exponent", .inline(.integer(Int128(exponent)))),
      ArchivedKey("NS.length", .inline(.integer(Int128(length)))),
      ArchivedKey("NS.negative", .inline(.boolean(isNegative))),
      ArchivedKey("NS.compact", .inline(.boolean(isCompact))),
      ArchivedKey("NS.mantissa.bo", .inline(.integer(1))),
      ArchivedKey("NS.mantissa", .inline(.data(bytes))),
    ]
  }
}
