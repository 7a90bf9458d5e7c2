extension FerryEncoder {
  /// The form of dates in a file. It holds for the dates of types, and not for those in a `Value`, nor for keyed archives.
  public struct DateStrategy: Sendable {
    /// The kinds of strategies.
    enum Kind: Sendable {
      case native, secondsSince2001, secondsSince1970, millisecondsSince1970, iso8601
      case custom(@Sendable (_ date: Any, _ seconds: Double, any Encoder) throws -> Bool)
    }

    let kind: Kind

    /// A date of the format, and text in ISO 8601 in a format without dates.
    public static let native = DateStrategy(kind: .native)
    /// A number, the seconds since 2001, as `JSONEncoder` writes by default.
    public static let secondsSince2001 = DateStrategy(kind: .secondsSince2001)
    /// A number, the seconds since 1970.
    public static let secondsSince1970 = DateStrategy(kind: .secondsSince1970)
    /// A number, the milliseconds since 1970, as in JavaScript.
    public static let millisecondsSince1970 = DateStrategy(kind: .millisecondsSince1970)
    /// Text in ISO 8601 in UTC, also in formats that have dates: `2001-01-01T00:00:00Z`. It has a fraction if the date has.
    public static let iso8601 = DateStrategy(kind: .iso8601)

    /// A function encodes every date.
    ///
    ///     encoder.dates = .custom { (date: Date, encoder) in
    ///       var container = encoder.singleValueContainer()
    ///       try container.encode(Int(date.timeIntervalSince1970))
    ///     }
    ///
    /// Dates and data that the function itself encodes have the default strategy. If it encodes nothing, the date becomes an empty
    /// dictionary.
    ///
    /// - Parameter encode: Encodes a `Date`, or the seconds since 2001 if the type of its parameter is `Double`. Errors that it throws end
    ///   the encoding.
    public static func custom<D: Encodable & SendableMetatype>(
      _ encode: @escaping @Sendable (_ date: D, _ encoder: any Encoder) throws -> Void
    ) -> Self {
      DateStrategy(
        kind: .custom { date, seconds, encoder in
          guard let date = date as? D ?? seconds as? D else { return false }
          try encode(date, encoder)
          return true
        })
    }
  }

  /// The form of `Data` and `[UInt8]` in a file. It holds for the data of types, and not for that in a `Value`, nor for keyed archives.
  public struct DataStrategy: Sendable {
    /// The kinds of strategies.
    enum Kind: Sendable {
      case native, base64, numbers
      case custom(@Sendable ([UInt8], any Encoder) throws -> Void)
    }

    let kind: Kind

    /// Data of the format, and text in Base64 in a format without data.
    public static let native = DataStrategy(kind: .native)
    /// Text in Base64, also in formats that have data.
    public static let base64 = DataStrategy(kind: .base64)
    /// A list of numbers, as `JSONEncoder` writes with `deferredToData`.
    public static let numbers = DataStrategy(kind: .numbers)

    /// A function encodes all data.
    ///
    ///     encoder.data = .custom { bytes, encoder in
    ///       var container = encoder.singleValueContainer()
    ///       try container.encode("\(bytes.count) bytes")
    ///     }
    ///
    /// Dates and data that the function itself encodes have the default strategy. If it encodes nothing, the data becomes an empty
    /// dictionary.
    ///
    /// - Parameter encode: Encodes the bytes. Errors that it throws end the encoding.
    public static func custom(
      _ encode: @escaping @Sendable (_ bytes: [UInt8], _ encoder: any Encoder) throws -> Void
    ) -> Self {
      DataStrategy(kind: .custom(encode))
    }
  }

  /// True if the names of attributes begin with `@`. A schema names its fields without it.
  var marksAttributes: Bool {
    writing.format.recordDialect.hasElements && schema == nil && writing.representation == .plain
  }

  /// The forms of keys, dates and data by the strategies.
  var forms: EncodedForms {
    var forms = EncodedForms(date: dates.form, data: data.form)
    guard !keys.isSame else { return forms }
    let (keys, hasElements) = (keys, writing.format.recordDialect.hasElements)
    let isCustom = keys.isCustom
    forms.name = { name, path in
      // The path takes time, and only functions need it.
      let converted =
        isCustom
        ? keys.customName(of: name, in: path(), hasElements: hasElements)
        : keys.name(of: name, hasElements: hasElements)
      return converted ?? name
    }
    return forms
  }
}

extension FerryEncoder.DateStrategy {
  fileprivate var form: EncodedForms.Encoding<Double> {
    switch kind {
    case .native: .native
    case .secondsSince2001: .made { .number($0) }
    case .secondsSince1970: .made { .number($0 + ISODate.secondsFrom1970To2001) }
    case .millisecondsSince1970: .made { .number(($0 + ISODate.secondsFrom1970To2001) * 1000) }
    case .iso8601: .made { seconds in ISODate.text(seconds).map { .string($0) } }
    case .custom(let encode): .custom(encode)
    }
  }
}

extension FerryEncoder.DataStrategy {
  fileprivate var form: EncodedForms.Encoding<[UInt8]> {
    switch kind {
    case .native: .native
    case .base64: .made { bytes in .string(Value.data(bytes).plainText ?? "") }
    case .numbers: .made { bytes in .list(EncodedList(bytes.map { .integer(Int128($0)) })) }
    case .custom(let encode):
      .custom { _, bytes, encoder in
        try encode(bytes, encoder)
        return true
      }
    }
  }
}

extension EncodedValue {
  /// A number, an integer if it is a whole one, as `JSONEncoder` writes numbers.
  fileprivate static func number(_ value: Double) -> EncodedValue {
    guard let integer = Int64(exactly: value) else { return .real(value) }
    return .integer(Int128(integer))
  }
}
