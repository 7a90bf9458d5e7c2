/// A date in a database, which has no type for dates: a text or a number.
///
///     LooseDate.seconds("2014-06-01 09:30:00")     // that of 2014-06-01T09:30:00Z
///     LooseDate.seconds(since1970: 978_307_200)    // 0
enum LooseDate {
  static func seconds(since1970 seconds: Double) -> Double { seconds - ISODate.secondsFrom1970To2001 }

  /// Parses a date in the notation of SQLite's date functions. Returns seconds since 2001, or nil.
  static func seconds(_ text: String) -> Double? {
    let parts = text.split(separator: " ", maxSplits: 1)
    switch parts.count {
    case 1: return ISODate.seconds("\(parts[0])T00:00:00Z") ?? ISODate.seconds("\(parts[0])Z")
    case 2: return ISODate.seconds("\(parts[0])T\(parts[1])Z") ?? ISODate.seconds("\(parts[0])T\(parts[1])")
    default: return nil
    }
  }
}
