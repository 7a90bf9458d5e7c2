/// The kinds of values that a format can represent. Adapters check capabilities, and never the format itself.
public struct FormatCapabilities: OptionSet, Hashable, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Null.
  public static let nulls = FormatCapabilities(rawValue: 1 << 0)
  /// Dates with fractions of a second.
  public static let dates = FormatCapabilities(rawValue: 1 << 1)
  /// Dates with whole seconds.
  public static let wholeDates = FormatCapabilities(rawValue: 1 << 2)
  /// Data.
  public static let data = FormatCapabilities(rawValue: 1 << 3)
  /// References in the raw form of an archive.
  public static let uids = FormatCapabilities(rawValue: 1 << 4)
  /// Sets.
  public static let sets = FormatCapabilities(rawValue: 1 << 5)
  /// Reals of 32 bits, distinguished from reals of 64 bits.
  public static let singles = FormatCapabilities(rawValue: 1 << 6)
  /// NaN and infinities. The bits of a NaN may change, unless the format has `nanPayloads` too.
  public static let notFinite = FormatCapabilities(rawValue: 1 << 7)
  /// Decimals with their notation.
  public static let decimals = FormatCapabilities(rawValue: 1 << 8)
  /// Unpaired surrogates.
  public static let surrogates = FormatCapabilities(rawValue: 1 << 9)
  /// Keys that are not strings.
  public static let objectKeys = FormatCapabilities(rawValue: 1 << 10)
  /// Objects with their classes, identities and references.
  public static let objects = FormatCapabilities(rawValue: 1 << 11)
  /// Numbers and booleans, distinguished from text.
  public static let numbers = FormatCapabilities(rawValue: 1 << 12)
  /// Decimals of up to 38 digits, as in an NSDecimalNumber.
  public static let shortDecimals = FormatCapabilities(rawValue: 1 << 13)
  /// The signs and payloads of NaNs.
  public static let nanPayloads = FormatCapabilities(rawValue: 1 << 14)
  /// Integers beyond 64 bits with all digits, if only as text.
  public static let largeIntegers = FormatCapabilities(rawValue: 1 << 15)
  /// Dates are text, which does not distinguish -0 seconds from 0.
  public static let textDates = FormatCapabilities(rawValue: 1 << 16)
  /// All kinds of values but objects and keys that are not strings.
  static let plainValues: FormatCapabilities = [
    .nulls, .numbers, .decimals, .largeIntegers, .singles, .notFinite, .nanPayloads, .dates, .data, .uids,
    .sets,
    .surrogates,
  ]
  /// Dates have years of four digits, from 0 to 9999.
  public static let shortYears = FormatCapabilities(rawValue: 1 << 17)
}
