/// A value with a type in a property list of GNUstep.
enum GNUstepValue {
  case integer(Int128)
  case real(Double)
  case boolean(Bool)
  case date(Double)

  /// Creates a value from its type and its text. Returns nil if the text is not of the type.
  init?(_ type: UInt8, _ quoted: String) {
    let isQuoted = quoted.utf8.count > 1 && quoted.utf8.first == UInt8(ascii: "\"")
    let text =
      isQuoted && quoted.utf8.last == UInt8(ascii: "\"") ? String(quoted.dropFirst().dropLast()) : quoted
    switch type {
    case UInt8(ascii: "I"):
      guard let number = Int128(text), number.has64Bits else { return nil }
      self = .integer(number)
    case UInt8(ascii: "R"):
      guard let number = Double(text) else { return nil }
      self = .real(number)
    case UInt8(ascii: "B") where text.equals("Y") || text.equals("N"): self = .boolean(text.equals("Y"))
    case UInt8(ascii: "D"):
      guard let seconds = Self.seconds(text) else { return nil }
      self = .date(seconds)
    default: return nil
    }
  }

  /// Returns the moment of a text such as `2001-01-01 00:00:00 +0000`, in seconds since 2001.
  private static func seconds(_ text: String) -> Double? {
    let parts = text.split(separator: " ")
    guard parts.count == 3, let seconds = ISODate.seconds("\(parts[0])T\(parts[1])Z"),
      let minutes = minutes(ofZone: parts[2].utf8)
    else { return nil }
    return seconds - Double(minutes) * 60
  }

  /// Returns the minutes of a time zone such as `-0730`: a sign, two digits of hours and two of minutes.
  private static func minutes(ofZone zone: Substring.UTF8View) -> Int? {
    let (plus, minus) = (UInt8(ascii: "+"), UInt8(ascii: "-"))
    guard let sign = zone.first, sign == plus || sign == minus else { return nil }
    let digits = zone.dropFirst()
    guard digits.count == 4, digits.allSatisfy({ $0.isDigit }), let number = Int(String(Substring(digits)))
    else { return nil }
    let (hours, minutes) = (number / 100, number % 100)
    guard hours < 24, minutes < 60 else { return nil }
    let count: Int = hours * 60 + minutes
    return sign == minus ? -count : count
  }

  /// Sends the value.
  func send(to sink: any ValueSink) throws(FerryError) {
    switch self {
    case .integer(let value): try sink.integer(value)
    case .real(let value): try sink.real(value)
    case .boolean(let value): try sink.boolean(value)
    case .date(let seconds): try sink.date(seconds)
    }
  }

  /// The notation in a property list. A date has whole seconds. Nil for a date that has no text.
  var text: String? {
    switch self {
    case .integer(let value): "<*I\(value.notation)>"
    case .real(let value): "<*R\(value.notation)>"
    case .boolean(let value): value ? "<*BY>" : "<*BN>"
    case .date(let seconds):
      ISODate.wholeSecondsText(seconds).map {
        "<*D\($0.dropLast().replacing("T", with: " ")) +0000>"
      }
    }
  }
}
