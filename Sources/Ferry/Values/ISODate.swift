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
    guard let moment = moment(text), let joined = join(moment.seconds, moment.fraction) else { return nil }
    guard !moment.fraction.isEmpty else { return (joined, true) }
    let kept = split(joined)
    return (joined, kept.0 == moment.seconds && kept.1 == "." + moment.fraction)
  }

  /// A moment with all digits of its fraction of a second, of which a `Double` may keep fewer.
  struct Moment: Comparable {
    /// The whole seconds since 2001, rounded down.
    let seconds: Int64
    /// The digits after the point, without zeros at the end.
    let fraction: String

    static func < (a: Moment, b: Moment) -> Bool {
      a.seconds == b.seconds ? a.fraction.precedes(b.fraction) : a.seconds < b.seconds
    }
  }

  /// Parses a date. Returns nil if it is invalid.
  static func moment(_ text: Span<UInt8>) -> Moment? {
    var scanner = DateScanner(text)
    guard let day = scanner.day() else { return nil }
    var seconds = (day - epochDays) * secondsPerDay
    var fraction = ""
    if !scanner.atEnd {
      guard let time = scanner.time() else { return nil }
      seconds += time.seconds - time.zone
      fraction = time.fraction
    }
    guard scanner.atEnd else { return nil }
    while fraction.hasSuffix("0") { fraction.removeLast() }
    return Moment(seconds: seconds, fraction: fraction)
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
}
