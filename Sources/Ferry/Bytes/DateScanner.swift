/// A scanner of the parts of a date in ISO 8601, in the proleptic Gregorian calendar.
///
///     var scanner = DateScanner(text)      // 2014-06-01T11:30:00.25+02:00
///     scanner.day()                        // 16222, counted from 1970-01-01
///     scanner.time()                       // (41400, "25", 7200)
struct DateScanner: ~Escapable {
  /// The maximum number of digits after the point that can affect a `Double`: 323 zeros and 17 other digits.
  static let greatestFraction = 340
  let text: Span<UInt8>
  var index = 0

  @_lifetime(copy text)
  init(_ text: Span<UInt8>) { self.text = text }

  var atEnd: Bool { index == text.count }

  mutating func take(_ byte: UInt8) -> Bool {
    guard index < text.count, text[index] == byte else { return false }
    index += 1
    return true
  }

  mutating func take(_ character: Unicode.Scalar) -> Bool { take(UInt8(ascii: character)) }

  mutating func digits(_ counts: ClosedRange<Int>) -> Int64? {
    var number: Int64 = 0
    var count = 0
    while index < text.count, count < counts.upperBound, let digit = decimalDigit(text[index]) {
      number = number * 10 + digit
      index += 1
      count += 1
    }
    return count >= counts.lowerBound ? number : nil
  }

  private func decimalDigit(_ byte: UInt8) -> Int64? {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) ? Int64(byte - UInt8(ascii: "0")) : nil
  }

  mutating func day() -> Int64? {
    let isNegative = take("-")
    if !isNegative { _ = take("+") }
    guard let magnitude = digits(4...9), take("-") else { return nil }
    let year = isNegative ? -magnitude : magnitude
    guard let month = digits(2...2), (1...12).contains(month), take("-") else { return nil }
    guard let day = digits(2...2), day >= 1, day <= Self.daysInMonth(month, of: year) else { return nil }
    return Self.days(year: year, month: month, day: day)
  }

  mutating func time() -> (seconds: Int64, fraction: String, zone: Int64)? {
    guard take("T") || take(" ") else { return nil }
    guard let hour = digits(2...2), hour < 24, take(":"), let minute = digits(2...2), minute < 60 else {
      return nil
    }
    var second: Int64 = 0
    var fraction = ""
    if take(":") {
      guard let value = digits(2...2), value < 60 else { return nil }
      second = value
      if take(".") || take(",") {
        let start = index
        while index < text.count, decimalDigit(text[index]) != nil { index += 1 }
        guard index > start, index - start <= Self.greatestFraction else { return nil }
        fraction = text.extracting(start..<index).decodedString
      }
    }
    guard let zone = zone() else { return nil }
    return (hour * 3600 + minute * 60 + second, fraction, zone)
  }

  /// Scans a time zone. Returns its offset from UTC in seconds, or nil if it is invalid.
  private mutating func zone() -> Int64? {
    if atEnd || take("Z") || take("z") { return 0 }
    _ = take(" ")
    let isWest = take("-")
    guard isWest || take("+"), let hours = digits(2...2), hours < 24 else { return nil }
    _ = take(":")
    guard let minutes = atEnd ? 0 : digits(2...2), minutes < 60 else { return nil }
    return (isWest ? -1 : 1) * (hours * 3600 + minutes * 60)
  }

  /// Returns true if a text is a date, maybe with a time.
  static func isDate(_ text: Span<UInt8>) -> Bool {
    var scanner = DateScanner(text)
    guard scanner.day() != nil else { return false }
    if !scanner.atEnd { guard scanner.time() != nil else { return false } }
    return scanner.atEnd
  }

  // MARK: The calendar

  /// Returns the number of days from 1970-01-01 to a date.
  private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted.floorDivided(by: 400)
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  private static func daysInMonth(_ month: Int64, of year: Int64) -> Int64 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

extension Int64 {
  /// Returns the quotient, rounded down.
  func floorDivided(by divisor: Int64) -> Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
