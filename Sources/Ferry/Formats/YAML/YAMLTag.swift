/// The tags of YAML's types.
enum YAMLTag {
  private static let prefix = "tag:yaml.org,2002:"
  static let string = prefix + "str"
  static let null = prefix + "null"
  static let boolean = prefix + "bool"
  static let integer = prefix + "int"
  static let float = prefix + "float"
  static let binary = prefix + "binary"
  static let timestamp = prefix + "timestamp"
  static let set = prefix + "set"
  static let sequence = prefix + "seq"
  static let mapping = prefix + "map"
  static let orderedMap = prefix + "omap"
  static let pairs = prefix + "pairs"

  private static let known = [
    string, null, boolean, integer, float, binary, timestamp, set, sequence, mapping, orderedMap, pairs,
  ]

  static func isKnown(_ tag: String) -> Bool { known.contains { $0.equals(tag) } }

  /// Returns a tag as files have it: `!!set` for one of YAML's own.
  static func short(_ tag: String) -> String {
    tag.hasPrefix(prefix) ? "!!" + tag.dropFirst(prefix.count) : tag
  }

  /// Returns the moment of a timestamp in seconds since 2001, or nil. A date without a time is midnight in UTC. `isExact` is false if the
  /// text has more fractional digits than the number can store.
  static func moment(_ text: Span<UInt8>) -> (seconds: Double, isExact: Bool)? {
    if let moment = ISODate.parse(text) { return moment }
    return isoDate(text.decodedString).flatMap { ISODate.parse($0.utf8.span) }
  }

  /// Returns a timestamp of YAML 1.1 in ISO 8601, or nil.
  ///
  ///     2001-12-14t21:59:43.10-05:00     2001-12-14T21:59:43.10-05:00
  ///     2001-12-14 21:59:43.10 -5        2001-12-14T21:59:43.10-05:00
  ///     2001-1-4 1:05:03                 2001-01-04T01:05:03Z
  private static func isoDate(_ text: String) -> String? {
    let isSpace = { (character: Character) in character == " " || character == "\t" }
    let date = text.prefix { !isSpace($0) && $0 != "T" && $0 != "t" }
    let fields = date.split(separator: "-", omittingEmptySubsequences: false).map { padded($0) }
    guard fields.count == 3 else { return nil }
    let day = fields.joined(separator: "-")
    var rest = text[date.endIndex...]
    if rest.first.map(isSpace) == false { rest.removeFirst() }
    rest = rest.drop(while: isSpace)
    guard !rest.isEmpty else { return date.endIndex == text.endIndex ? day + "T00:00:00Z" : nil }
    let clock = rest.prefix { $0.isNumber || $0 == ":" || $0 == "." }
    var parts = clock.split(separator: ":", omittingEmptySubsequences: false).map { padded($0) }
    if parts.count == 3, parts[2].hasSuffix(".") { parts[2].removeLast() }
    let zone = rest[clock.endIndex...].drop(while: isSpace)
    return day + "T" + parts.joined(separator: ":") + isoZone(zone)
  }

  /// Returns a zone in ISO 8601: `-05:00` for `-5`. A time without a zone is in UTC.
  private static func isoZone(_ zone: Substring) -> String {
    guard let sign = zone.first, sign == "+" || sign == "-" else { return zone.isEmpty ? "Z" : String(zone) }
    let parts = zone.dropFirst().split(separator: ":", omittingEmptySubsequences: false).map { padded($0) }
    return String(sign) + parts.joined(separator: ":")
      + (parts.count == 1 && parts[0].count == 2 ? ":00" : "")
  }

  private static func padded(_ digits: Substring) -> String {
    digits.count == 1 ? "0" + digits : String(digits)
  }
}
