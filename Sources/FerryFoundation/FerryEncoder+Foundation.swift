public import Ferry
public import Foundation

extension FerryEncoder.DateStrategy {
  /// A function encodes every date, as with `JSONEncoder`.
  ///
  ///     encoder.dates = .custom { date, encoder in
  ///       var container = encoder.singleValueContainer()
  ///       try container.encode(date.timeIntervalSince1970 / 86_400)
  ///     }
  ///
  /// Dates and data that the function itself encodes have the default strategy.
  public static func custom(
    _ encode: @escaping @Sendable (_ date: Date, _ encoder: any Encoder) throws -> Void
  ) -> Self {
    generic(encode)
  }

  /// Calls the function of Ferry, which takes the type of a date as a parameter.
  private static func generic<D: Encodable & SendableMetatype>(
    _ encode: @escaping @Sendable (_ date: D, _ encoder: any Encoder) throws -> Void
  ) -> Self {
    .custom(encode)
  }

  /// Text that a formatter writes, as with `JSONEncoder`.
  ///
  ///     let formatter = DateFormatter()
  ///     formatter.locale = Locale(identifier: "en_US_POSIX")
  ///     formatter.timeZone = .gmt
  ///     formatter.dateFormat = "yyyy/MM/dd"
  ///     encoder.dates = .formatted(formatter)
  ///     try encoder.encode([Date(timeIntervalSinceReferenceDate: 86_400)])      // ["2001/01/02"]
  public static func formatted(_ formatter: DateFormatter) -> Self {
    .custom { (date: Date, encoder: any Encoder) in
      var container = encoder.singleValueContainer()
      try container.encode(formatter.string(from: date))
    }
  }
}
