/// The time of a file in a ZIP archive.
struct ZIPTime {
  /// The date and the time of day of the user's time zone in the two numbers of MS-DOS, with the time in the lower half.
  let local: UInt64
  /// The seconds since 1970 in 32 bits.
  let unix: UInt64
  /// The units of 100 nanoseconds since 1601.
  let windows: UInt64

  /// The current time.
  static var now: ZIPTime { ZIPTime(.now) }

  init(_ time: FileStamp.Time) {
    let seconds = UInt64(clamping: time.seconds)
    unix = min(seconds, UInt64(Int32.max))
    windows = (seconds + 11_644_473_600) * 10_000_000
    guard let fields = time.local, (1980...2107).contains(fields.year) else {
      // The first day that the format has.
      local = 0x0021 << 16
      return
    }
    let date = (fields.year - 1980) << 9 | fields.month << 5 | fields.day
    let day = fields.hour << 11 | fields.minute << 5 | min(fields.second, 59) / 2
    local = UInt64(clamping: date) << 16 | UInt64(clamping: day)
  }
}
