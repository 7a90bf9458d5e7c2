import Ferry

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Moments as text in the time zone of the user, in the format of `date`.
enum LocalTime {
  /// The seconds from 1970 to 2001.
  private static let epoch = 978_307_200.0

  /// Returns the text of a moment: `Mon May 06 09:08:09 CEST 2024`. Nil if the system has none.
  static func text(_ secondsSince2001: Double) -> String? {
    guard secondsSince2001.isFinite, abs(secondsSince2001) < 1e14 else { return nil }
    var time = time_t((secondsSince2001 + epoch).rounded(.down))
    var fields = unsafe tm()
    guard unsafe localtime_r(&time, &fields) != nil else { return nil }
    var text = [CChar](repeating: 0, count: 128)
    let count = unsafe strftime(&text, text.count, "%a %b %d %H:%M:%S %Z %Y", &fields)
    return count == 0
      ? nil : String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Returns the moment of a text such as that of `text(_:)`, whose time zone may be left out, or of a day such as `05/06/24`.
  /// Nil if it is another text. A time zone other than UTC must be that of the user.
  static func seconds(_ text: String) -> Double? {
    let words = text.split(separator: " ")
    switch words.count {
    case 1:
      let parts = text.split(separator: "/").compactMap { Int32($0) }
      guard parts.count == 3, (0..<100).contains(parts[2]) else { return nil }
      return seconds(year: parts[2] + (parts[2] < 69 ? 2000 : 1900), month: parts[0], day: parts[1])
    case 5, 6:
      let time = words[3].split(separator: ":").compactMap { Int32($0) }
      guard let month = months.firstIndex(where: { $0.equals(String(words[1])) }), let day = Int32(words[2]),
        let year = Int32(words[words.count - 1]), time.count == 3
      else { return nil }
      let zone = words.count == 6 ? String(words[4]) : nil
      return seconds(year: year, month: Int32(month) + 1, day: day, time: time, zone: zone)
    default: return nil
    }
  }

  private static func seconds(
    year: Int32, month: Int32, day: Int32, time: [Int32] = [0, 0, 0], zone: String? = nil
  ) -> Double? {
    guard (0...9999).contains(year), (1...12).contains(month), (1...31).contains(day),
      (0..<24).contains(time[0]), (0..<60).contains(time[1]), (0...60).contains(time[2])
    else { return nil }
    var fields = unsafe tm()
    unsafe (fields.tm_year, fields.tm_mon, fields.tm_mday) = (year - 1900, month - 1, day)
    unsafe (fields.tm_hour, fields.tm_min, fields.tm_sec) = (time[0], time[1], time[2])
    unsafe fields.tm_isdst = -1
    let isUTC = zone.map { zone in ["UTC", "GMT"].contains { $0.equals(zone) } } ?? false
    let seconds = unsafe Double(isUTC ? timegm(&fields) : mktime(&fields)) - epoch
    // The system takes February 30 for March 1, and knows no other zones than that of the user.
    guard unsafe fields.tm_mday == day else { return nil }
    guard let zone, !isUTC else { return seconds }
    return text(seconds)?.split(separator: " ").dropLast().last.map(String.init)?.equals(zone) == true
      ? seconds : nil
  }
}
