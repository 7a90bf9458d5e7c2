/// The kinds of values for which a format has a syntax. Adapters ask for these capabilities, and never for
/// the format.
public struct Holding: OptionSet, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  public static let nulls = Holding(rawValue: 1 << 0)
  /// Dates with fractions of a second.
  public static let dates = Holding(rawValue: 1 << 1)
  /// Dates with whole seconds.
  public static let wholeDates = Holding(rawValue: 1 << 2)
  public static let data = Holding(rawValue: 1 << 3)
  public static let uids = Holding(rawValue: 1 << 4)
  public static let sets = Holding(rawValue: 1 << 5)
  /// Reals of 32 bits, as distinct from 64 bits.
  public static let singles = Holding(rawValue: 1 << 6)
  /// NaN and infinities.
  public static let notFinite = Holding(rawValue: 1 << 7)
  /// Decimals in their own notation.
  public static let decimals = Holding(rawValue: 1 << 8)
  /// Unpaired surrogates.
  public static let surrogates = Holding(rawValue: 1 << 9)
  /// Keys that are not strings.
  public static let objectKeys = Holding(rawValue: 1 << 10)
  /// Objects with their classes, identities and references.
  public static let objects = Holding(rawValue: 1 << 11)
  /// Numbers and booleans as distinct from text.
  public static let numbers = Holding(rawValue: 1 << 12)
  /// Decimals of up to 38 digits, the range of NSDecimalNumber.
  public static let shortDecimals = Holding(rawValue: 1 << 13)
}
