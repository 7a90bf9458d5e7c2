extension FormatCapabilities {
  private static let names: [(FormatCapabilities, String)] = [
    (.nulls, "null"), (.dates, "dates"), (.data, "data"), (.sets, "sets"),
    (.numbers, "numbers and booleans"), (.decimals, "decimals in their own notation"),
    (.notFinite, "NaN and infinities"),
    (.singles, "32-bit reals"), (.surrogates, "unpaired surrogates"),
    (.objectKeys, "keys that are not strings"),
    (.objects, "classes and shared objects"),
  ]

  /// True if the format represents dates, and distinguishes -0 seconds from 2001 from 0.
  var hasDatesOfNegativeZero: Bool { contains(.dates) && !contains(.textDates) }

  /// The dates whose years have four digits, 0 to 9999.
  private static let datesOfShortYears = -63_145_526_400.0..<252_423_993_600.0

  /// Returns true if the year of a date has as many digits as the format allows.
  func hasYear(ofDate secondsSince2001: Double) -> Bool {
    !contains(.shortYears) || Self.datesOfShortYears.contains(secondsSince2001)
  }

  /// Returns true if the format represents a date as a date, and not as text.
  func holds(date secondsSince2001: Double) -> Bool {
    hasYear(ofDate: secondsSince2001)
      && (contains(.dates) || contains(.wholeDates) && secondsSince2001.isFinite)
  }

  /// The kinds of values that the format cannot represent, in words.
  public var missing: [String] {
    Self.names.filter { !contains($0.0) }.map { permission, name in
      switch permission {
      case .dates where contains(.wholeDates): "\(name) with fractions of a second"
      case .decimals where contains(.shortDecimals): "\(name) beyond 38 digits"
      default: name
      }
    }
  }
}
