/// A decimal number as `NSDecimalNumber` archives it: a mantissa of 128 bits, a sign and a power of ten.
///
///     −12.50     isNegative, mantissa 125, exponent −1
///
///     NS.exponent: −1   NS.length: 1   NS.negative: true   NS.compact: true   NS.mantissa.bo: 1   NS.mantissa: 16 bytes
///
/// The mantissa's length counts 16-bit units, the lowest first; in each the byte order is little-endian when
/// `NS.mantissa.bo` is 1. A length of 0 with a negative sign is NaN.
struct ArchivedDecimal: Hashable {
  var isNegative = false
  var isNaN = false
  var mantissa: UInt128 = 0
  var exponent = 0

  /// A number in decimal notation, or nil: `-12.50`, `1e3`, `NaN`.
  init?(_ text: String) {
    if text == "NaN" {
      isNaN = true
      return
    }
    var digits = Substring(text)
    isNegative = digits.hasPrefix("-")
    if isNegative || digits.hasPrefix("+") { digits.removeFirst() }
    if let mark = digits.firstIndex(where: { $0 == "e" || $0 == "E" }) {
      guard let power = Int(digits[digits.index(after: mark)...]), abs(power) < 1000 else { return nil }
      exponent = power
      digits = digits[..<mark]
    }
    guard digits.utf8.contains(where: { $0 != UInt8(ascii: ".") }), digits.utf8.count < 1000 else {
      return nil
    }
    var isFraction = false
    // Zeros count only once another digit follows: those at the end belong to the exponent.
    var zeros = 0
    for byte in digits.utf8 {
      if byte == UInt8(ascii: "."), !isFraction {
        isFraction = true
        continue
      }
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      if isFraction { exponent -= 1 }
      zeros += 1
      if byte == UInt8(ascii: "0") { continue }
      for _ in 0..<zeros where mantissa != 0 { guard multiply(by: 10) else { return nil } }
      let (sum, overflow) = mantissa.addingReportingOverflow(UInt128(byte - UInt8(ascii: "0")))
      guard !overflow else { return nil }
      (mantissa, zeros) = (sum, 0)
    }
    exponent += zeros
    if mantissa == 0 { (exponent, isNegative) = (0, false) }
  }

  /// False when the mantissa would not fit.
  private mutating func multiply(by factor: UInt128) -> Bool {
    let (product, overflow) = mantissa.multipliedReportingOverflow(by: factor)
    mantissa = product
    return !overflow
  }

  /// How many 16-bit units the mantissa has.
  var length: Int { (UInt128.bitWidth - mantissa.leadingZeroBitCount + 15) / 16 }

  /// The mantissa's 16 bytes, the lowest first.
  var mantissaBytes: [UInt8] { (0..<16).map { UInt8(truncatingIfNeeded: mantissa >> UInt128($0 * 8)) } }

  /// The number, when it is an integer of at most 128 bits.
  var integer: Int128? {
    guard !isNaN else { return nil }
    var value = mantissa
    for _ in 0..<abs(exponent) where value != 0 {
      if exponent > 0 {
        let (product, overflow) = value.multipliedReportingOverflow(by: 10)
        guard !overflow else { return nil }
        value = product
      } else {
        guard value.isMultiple(of: 10) else { return nil }
        value /= 10
      }
    }
    return Int128(exactly: value).map { isNegative ? -$0 : $0 }
  }
}

extension ArchivedDecimal: CustomStringConvertible {
  /// The number with an exponent, when it is not 0: `-125e-1`.
  var description: String {
    if isNaN { return "NaN" }
    return (isNegative ? "-" : "") + "\(mantissa)" + (exponent == 0 ? "" : "e\(exponent)")
  }
}

extension ArchivedDecimal {
  /// The class and its chain.
  static let type = ObjectClass("NSDecimalNumber", "NSNumber", "NSValue")

  /// The number as an object of its own keys.
  func encoded() -> EncodedValue {
    let object = EncodedObject(Self.type)
    object.add("NS.exponent", .integer(Int128(exponent)))
    object.add("NS.length", .integer(isNaN ? 0 : Int128(length)))
    object.add("NS.negative", .boolean(isNegative || isNaN))
    object.add("NS.compact", .boolean(true))
    object.add("NS.mantissa.bo", .integer(1))
    object.add("NS.mantissa", .data(mantissaBytes))
    return .object(object)
  }
}

extension ArchiveDecoding {
  /// The number of an `NSDecimalNumber`; nil for an object of another class.
  func decimalNumber(_ node: Int) throws(Failure) -> ArchivedDecimal? {
    guard let type = try objectClass(of: node), type.inherits(from: "NSDecimalNumber") else { return nil }
    if let (_, value) = try scalar(node) {
      if case .number(let text) = value { return ArchivedDecimal(text) }
      if case .integer(let integer) = value { return ArchivedDecimal("\(integer)") }
    }
    let exponent = try field("NS.exponent", of: node)
    let length = try field("NS.length", of: node)
    let order = try nodes.value("NS.mantissa.bo", of: node) == nil ? 1 : try field("NS.mantissa.bo", of: node)
    var decimal = ArchivedDecimal()
    decimal.isNegative = try field("NS.negative", of: node) != 0
    decimal.isNaN = length == 0 && decimal.isNegative
    guard (-128...127).contains(exponent), (0...8).contains(length),
      let held = try nodes.value("NS.mantissa", of: node), let data = try resolve(held).target
    else { throw Failure(.coding(.unreadable("this NSDecimalNumber", type: "decimal number"))) }
    decimal.exponent = Int(exponent)
    let bytes = try mantissa(data)
    guard bytes.count == 16 else {
      throw Failure(.coding(.unreadable("a mantissa of \(bytes.count) bytes", type: "decimal number")))
    }
    for unit in (0..<Int(length)).reversed() {
      let (low, high) = (bytes[2 * unit], bytes[2 * unit + 1])
      let (first, second) = order == 1 ? (high, low) : (low, high)
      decimal.mantissa = decimal.mantissa << 16 | UInt128(first) << 8 | UInt128(second)
    }
    return decimal
  }

  /// Data, and nothing that data could be made of: a number inside a number would have no end.
  private func mantissa(_ node: Int) throws(Failure) -> [UInt8] {
    guard try nodes.kind(of: node) != .data else {
      return try nodes.withData(of: node) { bytes throws(Failure) in [UInt8](copying: bytes) }
    }
    guard case .data(let bytes)? = try scalar(node)?.value else {
      throw Failure(.coding(.expected("data", found: try description(of: node))))
    }
    return bytes
  }

  /// An integer or a boolean; one that is missing is 0, as for Foundation.
  private func field(_ key: StaticString, of node: Int) throws(Failure) -> Int128 {
    guard let value = try nodes.value(key, of: node), let target = try resolve(value).target else { return 0 }
    switch try nodes.kind(of: target) {
    case .integer(let value): return value
    case .boolean(let value): return value ? 1 : 0
    default: throw Failure(.coding(.expected("an integer", found: try description(of: target))))
    }
  }
}

extension ArchivedDecimal {
  fileprivate init() {}
}
