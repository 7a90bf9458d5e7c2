/// A key under which an index finds scalars that a filter compares with `=`. A scalar that equals an operand has one of the operand's keys;
/// other scalars may have it, too.
enum FilterKey: Hashable {
  case text(ExactString)
  /// A number, with the precision of a double.
  case number(Double)
  /// The seconds of a date since 2001.
  case date(Double)

  /// Creates the key of a number. Returns nil for a notation that has no double.
  init?(_ number: FilterNumber, _ text: String) {
    switch number {
    case .negativeInfinity: self = .number(-.infinity)
    case .infinity: self = .number(.infinity)
    case .decimal:
      guard let value = Double(text) else { return nil }
      self = .number(value)
    }
  }

  /// Returns the keys of a scalar; nil if an index cannot find it.
  static func keys(of scalar: Value) -> [FilterKey]? {
    guard let text = scalar.plainText else { return [] }
    var keys = [FilterKey.text(ExactString(text))]
    if scalar.isNumber, let number = FilterNumber(scalar) {
      guard let key = FilterKey(number, text) else { return nil }
      keys.append(key)
    }
    if case .date(let seconds) = scalar.scalar { keys.append(.date(seconds)) }
    return keys
  }
}
