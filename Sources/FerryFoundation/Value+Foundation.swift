public import Ferry
public import Foundation

extension Value {
  /// Creates a value from a value of Foundation, as JSONSerialization and PropertyListSerialization return it: strings, numbers, dates,
  /// data, `NSNull`, and arrays, sets and dictionaries of them.
  ///
  ///     let value = try Value(foundation: ["name": "Ada", "age": 36] as [String: Any])
  ///
  /// Keys are sorted, because a dictionary of Swift has no order. The elements of a set have no order either. A `URL` or `UUID`
  /// becomes its text.
  ///
  /// - Throws: A `FerryError` with the reason `CodingProblem.notEncodable` and the path of a value of another type.
  public init(foundation value: Any) throws(FerryError) {
    switch value {
    case let value as Value: self = value
    case is NSNull: self = .null
    case let text as String: self = .string(text)
    case let data as Data: self = .data(Array(data))
    case let date as Date: self.init(date)
    case let number as NSNumber: try self.init(number)
    case let url as URL: self = .string(url.absoluteString)
    case let uuid as UUID: self = .string(uuid.uuidString)
    case let elements as [Any]: self = .array(try Self.values(elements))
    case let elements as Set<AnyHashable>: self = .set(try Self.values(elements.map(\.base)))
    case let entries as [String: Any]: self = .dictionary(try Self.entries(entries))
    default: throw FerryError(.coding(.notEncodable("a value of type \(type(of: value)) has no Value")))
    }
  }

  /// Creates a date.
  public init(_ date: Date) { self = .date(secondsSince2001: date.timeIntervalSinceReferenceDate) }

  private init(_ decimal: Decimal) throws(FerryError) {
    guard !decimal.isNaN else {
      throw FerryError(.coding(.notEncodable("a decimal without a number has no Value")))
    }
    self.init(number: "\(decimal)")
  }

  private init(_ number: NSNumber) throws(FerryError) {
    if let decimal = number as? NSDecimalNumber {
      try self.init(decimal.decimalValue)
      return
    }
    // A boolean is an NSNumber of a class of its own.
    guard type(of: number) != type(of: NSNumber(value: true)) else {
      self = .boolean(number.boolValue)
      return
    }
    switch unsafe UInt8(bitPattern: number.objCType[0]) {
    case UInt8(ascii: "f"): self = .single(number.floatValue)
    case UInt8(ascii: "d"): self = .real(number.doubleValue)
    case UInt8(ascii: "Q"), UInt8(ascii: "L"): self = .integer(Int128(number.uint64Value))
    default: self = .integer(Int128(number.int64Value))
    }
  }

  private static func values(_ elements: [Any]) throws(FerryError) -> [Value] {
    var values: [Value] = []
    for (index, element) in elements.enumerated() {
      values.append(
        try placed(under: .index(index)) { () throws(FerryError) in try Value(foundation: element) })
    }
    return values
  }

  private static func entries(_ entries: [String: Any]) throws(FerryError) -> KeyedValues {
    var values = KeyedValues()
    for (key, value) in entries.sorted(by: { $0.key < $1.key }) {
      values[key] = try placed(under: .key(key)) { () throws(FerryError) in try Value(foundation: value) }
    }
    return values
  }
}

extension Value {
  /// Returns the value as a value of Foundation, as JSONSerialization and PropertyListSerialization return it.
  ///
  ///     let value: Value = ["name": "Ada", "age": 36]
  ///     let entries = try value.foundationValue() as? [String: Any]
  ///     entries?["age"] as? Int     // 36
  ///
  /// Integers become `Int`, or `UInt64` above its range; decimals `Decimal`; sets `NSSet`; `null` becomes `NSNull`. An object becomes
  /// its content, without its class.
  ///
  /// - Throws: A `FerryError` with the reason `CodingProblem.notEncodable` for two keys that are canonically equivalent, or with the
  ///   path of a value that Foundation's types cannot represent: a reference, a key that is not text, a string with unpaired
  ///   surrogates, a decimal with more than 38 digits.
  public func foundationValue() throws(FerryError) -> Any {
    switch self {
    case .null: return NSNull()
    case .boolean(let value): return value
    case .integer(let value): return try foundationInteger(value)
    case .real(let value): return value
    case .single(let value): return value
    case .number(let text): return try foundationDecimal(text)
    case .string(let text): return text
    case .data(let bytes): return Data(bytes)
    case .date(let seconds): return Date(timeIntervalSinceReferenceDate: seconds)
    case .array(let values): return try Self.elements(values)
    case .set(let values): return try Self.foundationSet(values)
    case .dictionary(let entries): return try Self.foundationEntries(entries)
    case .object(let object): return try object.content.foundationValue()
    case .unpairedString, .uid, .reference: throw notRepresentable
    }
  }

  /// The date, or nil for other values.
  public var dateValue: Date? { secondsSince2001.map { Date(timeIntervalSinceReferenceDate: $0) } }

  /// The bytes of data, or nil for other values.
  public var dataValue: Data? { bytesValue.map { Data($0) } }

  /// The number as a decimal, or nil if the value is not a number, or has more digits than a decimal.
  public var decimalValue: Decimal? {
    switch self {
    case .integer(let value): try? foundationDecimal("\(value)")
    case .real(let value): try? foundationDecimal("\(value)")
    case .single(let value): try? foundationDecimal("\(value)")
    case .number(let text): try? foundationDecimal(text)
    case .object(let object): object.content.decimalValue
    default: nil
    }
  }

  private func foundationInteger(_ value: Int128) throws(FerryError) -> Any {
    if let value = Int(exactly: value) { return value }
    if let value = UInt64(exactly: value) { return value }
    throw notRepresentable
  }

  private func foundationDecimal(_ text: String) throws(FerryError) -> Decimal {
    guard let number = DecimalNumber(decimal: text) else { throw notRepresentable }
    // Decimal(string:) rounds what has too many digits, and takes the beginning of a text that is not a number. The text of zero may have
    // a sign.
    guard let decimal = Decimal(string: number.isZero ? "0" : text), !decimal.isNaN,
      number.compacted == DecimalNumber(compacting: "\(decimal)")?.compacted
    else { throw notRepresentable }
    return decimal
  }

  private static func elements(_ values: [Value]) throws(FerryError) -> [Any] {
    var elements: [Any] = []
    for (index, value) in values.enumerated() {
      elements.append(
        try placed(under: .index(index)) { () throws(FerryError) in try value.foundationValue() })
    }
    return elements
  }

  private static func foundationSet(_ values: [Value]) throws(FerryError) -> NSSet {
    let set = NSSet(array: try elements(values))
    // Foundation compares 1 and 1.0 as equal.
    guard set.count == values.count else { throw isRepeated("two elements of a set") }
    return set
  }

  private static func foundationEntries(_ entries: KeyedValues) throws(FerryError) -> [String: Any] {
    var values: [String: Any] = [:]
    for (key, value) in entries {
      guard let name = key.stringValue else { throw key.notRepresentable }
      // Foundation compares é and e with an accent as equal.
      guard values[name] == nil else { throw Self.isRepeated("two keys") }
      let part: Any = try placed(under: .key(name)) { () throws(FerryError) in try value.foundationValue() }
      values[name] = part
    }
    return values
  }

  private var notRepresentable: FerryError {
    FerryError(.coding(.notEncodable("no type of Foundation represents \(words)")))
  }

  private static func isRepeated(_ parts: String) -> FerryError {
    FerryError(.coding(.notEncodable("\(parts) are equal for Foundation")))
  }

  /// Runs a function, and adds a step before the path of its error.
  private static func placed<R>(
    under step: ValuePath.Step, _ body: () throws(FerryError) -> R
  ) throws(FerryError) -> R {
    do throws(FerryError) { return try body() } catch { throw error.placed(under: step) }
  }
}
