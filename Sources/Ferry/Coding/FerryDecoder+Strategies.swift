extension FerryDecoder {
  /// The meaning of numbers that are decoded as dates, or the function that decodes dates. Dates of property lists, and text in ISO 8601,
  /// need no strategy. It does not hold for keyed archives.
  public struct DateStrategy: Sendable {
    /// The kinds of strategies.
    enum Kind: Sendable {
      case secondsSince2001, secondsSince1970, millisecondsSince1970
      case custom(@Sendable (any Decoder) throws -> Any)
    }

    let kind: Kind

    /// Seconds since 2001, as `JSONEncoder` writes by default.
    public static let secondsSince2001 = DateStrategy(kind: .secondsSince2001)
    /// Seconds since 1970.
    public static let secondsSince1970 = DateStrategy(kind: .secondsSince1970)
    /// Milliseconds since 1970, as in JavaScript.
    public static let millisecondsSince1970 = DateStrategy(kind: .millisecondsSince1970)

    /// A function decodes every date.
    ///
    ///     decoder.dates = .custom { decoder in
    ///       let days = try decoder.singleValueContainer().decode(Int.self)
    ///       return Date(timeIntervalSinceReferenceDate: Double(days) * 86_400)
    ///     }
    ///     try decoder.decode([Date].self, from: "[1]".utf8)      // 2001-01-02T00:00:00Z
    ///
    /// Dates that the function itself decodes have the default strategy.
    ///
    /// - Parameter date: Returns a `Date`, or the seconds since 2001 as a `Double`. Errors that it throws end the decoding.
    public static func custom<D: Decodable & SendableMetatype>(
      _ date: @escaping @Sendable (_ decoder: any Decoder) throws -> D
    ) -> Self {
      DateStrategy(kind: .custom { decoder in try date(decoder) })
    }
  }

  /// The meaning of text and lists that are decoded as `Data` or `[UInt8]`, or the function that decodes them. Data of property lists and of
  /// other formats that have data needs no strategy. It does not hold for keyed archives.
  public struct DataStrategy: Sendable {
    /// The kinds of strategies.
    enum Kind: Sendable {
      case base64, numbers
      case custom(@Sendable (any Decoder) throws -> [UInt8])
    }

    let kind: Kind

    /// Text in Base64.
    public static let base64 = DataStrategy(kind: .base64)
    /// A list of numbers from 0 to 255, as `JSONEncoder` writes with `deferredToData`.
    public static let numbers = DataStrategy(kind: .numbers)

    /// A function decodes all data.
    ///
    ///     decoder.data = .custom { decoder in
    ///       try [UInt8](decoder.singleValueContainer().decode(String.self).utf8)
    ///     }
    ///     try decoder.decode([Data].self, from: #"["Ada"]"#.utf8)      // the three bytes of the text
    ///
    /// Data that the function itself decodes has the default strategy.
    ///
    /// - Parameter bytes: Returns the bytes. Errors that it throws end the decoding.
    public static func custom<Bytes: Sequence<UInt8> & SendableMetatype>(
      _ bytes: @escaping @Sendable (_ decoder: any Decoder) throws -> Bytes
    ) -> Self {
      DataStrategy(kind: .custom { decoder in try Array(bytes(decoder)) })
    }
  }
}

extension FerryDecoder.DataStrategy {
  /// True if a function decodes data.
  var isCustom: Bool { if case .custom = kind { true } else { false } }
}
