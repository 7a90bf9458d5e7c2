/// Dates as text in ISO 8601, in UTC, with exactly as many digits as are needed to restore the same moment.
///
///     ISODate.text(0)                 // 2001-01-01T00:00:00Z
///     ISODate.text(-0.5)              // 2000-12-31T23:59:59.5Z
///     ISODate.seconds("2014-06-01T11:30:00+02:00")  // 423307800
public enum ISODate {
  private static let secondsPerDay: Int64 = 86_400
  /// The number of days from 1970-01-01 to 2001-01-01.
  private static let epochDays: Int64 = 11_323
  /// The number of seconds from 1970-01-01 to 2001-01-01.
  static let secondsFrom1970To2001 = Double(epochDays * secondsPerDay)

  /// Returns the text of a moment, or nil for NaN, infinities and years beyond ±999 999 999.
  ///
  /// Years have at least four digits, and a sign if they have more. The fraction of a second has the digits
  /// of the shortest decimal that restores the same `Double`.
  ///
  /// - Parameter seconds: The seconds since 2001-01-01 in UTC.
  public static func text(_ seconds: Double) -> String? {
    guard seconds.isFinite, abs(seconds) < 3e16 else { return nil }
    let (whole, fraction) = split(seconds)
    return fields(of: whole) + fraction + "Z"
  }

  /// Returns the text of a moment without the fraction of the second, as Apple's property list writer does.
  static func wholeSecondsText(_ seconds: Double) -> String? {
    guard seconds.isFinite, abs(seconds) < 3e16 else { return nil }
    return fields(of: Int64(seconds.rounded(.down))) + "Z"
  }

  /// Returns the whole seconds, rounded down, and the digits of the fraction with a leading point.
  ///
  /// The digits are computed in decimal from the shortest notation of the number, so that nothing is rounded
  /// twice.
  private static func split(_ seconds: Double) -> (Int64, String) {
    let whole = seconds.rounded(.down)
    guard whole != seconds else { return (Int64(whole), "") }
    let digits = plainDecimal(abs(seconds)).split(separator: ".", omittingEmptySubsequences: false)
    var fraction = digits.count > 1 ? Array(digits[1].utf8) : []
    if seconds < 0 {
      // −0.25 is −1 + 0.75, so the digits are complemented.
      var borrow = false
      for index in fraction.indices.reversed() {
        let digit = fraction[index] - UInt8(ascii: "0")
        let complement = (borrow ? 9 : 10) - digit
        if complement < 10 { borrow = true }
        fraction[index] = UInt8(ascii: "0") + complement % 10
      }
    }
    return (Int64(whole), "." + String(decoding: fraction, as: UTF8.self))
  }

  /// Returns the shortest decimal notation of a positive number, without an exponent.
  private static func plainDecimal(_ number: Double) -> String {
    let text = number.notation
    guard let exponentAt = text.firstIndex(of: "e") else { return text }
    let mantissa = text[..<exponentAt].split(separator: ".")
    let exponent = Int(text[text.index(after: exponentAt)...]) ?? 0
    let digits = mantissa.joined()
    // The exponent is negative, because numbers with large exponents have no fraction.
    return "0." + String(repeating: "0", count: max(-exponent - 1, 0)) + digits
  }

  private static func fields(of whole: Int64) -> String {
    let days = whole.floorDivided(by: secondsPerDay)
    let second = whole - days * secondsPerDay
    let (year, month, day) = civil(days: days + epochDays)
    let date = "\(padded(year: year))-\(padded(month))-\(padded(day))"
    return date + "T\(padded(second / 3600)):\(padded(second / 60 % 60)):\(padded(second % 60))"
  }

  private static func padded(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }

  private static func padded(year: Int64) -> String {
    let digits = String(year.magnitude)
    let padding = String(repeating: "0", count: max(0, 4 - digits.count))
    return (year < 0 ? "-" : year > 9999 ? "+" : "") + padding + digits
  }

  /// Parses a date. Returns its seconds since 2001, or nil if it is invalid. A date without a time means
  /// midnight, and a time without a zone means UTC.
  public static func seconds(_ text: String) -> Double? { seconds(text.utf8.span) }

  /// Parses a date. Returns its seconds since 2001, or nil if it is invalid.
  public static func seconds(_ text: Span<UInt8>) -> Double? { parse(text)?.seconds }

  /// Parses a date. Returns its seconds since 2001, or nil if it is invalid. `isExact` is false if the text
  /// has more fractional digits than the number can store (in this century, about seven).
  static func parse(_ text: Span<UInt8>) -> (seconds: Double, isExact: Bool)? {
    var scanner = DateScanner(text)
    guard let day = scanner.day() else { return nil }
    var seconds = (day - epochDays) * secondsPerDay
    var fraction = ""
    if !scanner.atEnd {
      guard let time = scanner.time() else { return nil }
      seconds += time.seconds - time.zone
      fraction = time.fraction
    }
    guard scanner.atEnd, let joined = join(seconds, fraction) else { return nil }
    while fraction.hasSuffix("0") { fraction.removeLast() }
    guard !fraction.isEmpty else { return (joined, true) }
    let kept = split(joined)
    return (joined, kept.0 == seconds && kept.1 == "." + fraction)
  }

  /// Returns the number nearest to the sum of whole seconds and a decimal fraction.
  private static func join(_ whole: Int64, _ fraction: String) -> Double? {
    guard !fraction.isEmpty, whole < 0 else {
      return fraction.isEmpty ? Double(whole) : Double("\(whole).\(fraction)")
    }
    // With whole < 0, whole + 0.f is −(−whole − 0.f), so the digits are complemented.
    guard fraction.contains(where: { $0 != "0" }) else { return Double(whole) }
    var digits = Array(fraction.utf8)
    while digits.last == UInt8(ascii: "0") { digits.removeLast() }
    for index in digits.indices {
      let nine: UInt8 = index == digits.count - 1 ? 10 : 9
      digits[index] = UInt8(ascii: "0") + nine - (digits[index] - UInt8(ascii: "0"))
    }
    return Double("-\(-(whole + 1)).\(String(decoding: digits, as: UTF8.self))")
  }

  /// Returns the date of a day, counted from 1970-01-01, in the proleptic Gregorian calendar.
  private static func civil(days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    // Years begin on March 1, so that a leap day is the last day of its year. 400 years have 146 097 days.
    let shifted = days + 719_468
    let era = shifted.floorDivided(by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let march = (5 * dayOfYear + 2) / 153
    let month = march < 10 ? march + 3 : march - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * march + 2) / 5 + 1)
  }

  /// Returns the number of days from 1970-01-01 to a date.
  fileprivate static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted.floorDivided(by: 400)
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  fileprivate static func daysInMonth(_ month: Int64, of year: Int64) -> Int64 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

extension Int64 {
  fileprivate func floorDivided(by divisor: Int64) -> Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}

/// A scanner of the parts of a date.
private struct DateScanner: ~Escapable {
  /// The greatest number of digits after the point that a `Double` needs: 323 zeros and 17 other digits.
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
    guard let day = digits(2...2), day >= 1, day <= ISODate.daysInMonth(month, of: year) else { return nil }
    return ISODate.days(year: year, month: month, day: day)
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
}
