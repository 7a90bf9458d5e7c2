/// The text with which a condition of a filter compares values, read as a number or a date if it is one.
///
/// The operand decides how values are ordered, so that no value is before one operand by its number and before another by its characters:
///
///     [age>=30]            numbers, and texts that are numbers: 36, "36"
///     [born<2001-01-01]    dates, and texts that are dates
///     [name<M]             texts
///
/// A value of another kind is neither less nor greater.
struct FilterOperand {
  private let text: String
  private let number: DecimalDigits?
  /// The seconds since 2001 of a date.
  private let seconds: Double?

  init(_ text: String) {
    self.text = text
    number = DecimalDigits(text)
    seconds = ISODate.seconds(text)
  }

  /// Returns true if a scalar has this text, or is a number or a date with the same value, as 1.0 equals `1`. A string is compared by its
  /// characters alone.
  func equals(_ scalar: Value) -> Bool {
    guard let plainText = scalar.plainText else { return false }
    if plainText.equals(text) { return true }
    if scalar.isNumber, let number, let found = DecimalDigits(plainText) {
      return found.withoutSignOfZero == number.withoutSignOfZero
    }
    if let seconds, case .date(let found) = scalar.scalar { return found == seconds }
    return false
  }

  /// Returns true if a comparison of a scalar with the operand is true.
  func isMet(by scalar: Value, _ comparison: ValuePath.Comparison) -> Bool {
    switch comparison {
    case .equal: equals(scalar)
    case .notEqual: !equals(scalar)
    case .less: order(of: scalar) == .before
    case .lessOrEqual: order(of: scalar).map { $0 != .after } ?? false
    case .greater: order(of: scalar) == .after
    case .greaterOrEqual: order(of: scalar).map { $0 != .before } ?? false
    }
  }

  /// The place of a value in relation to the operand.
  private enum Order { case before, same, after }

  /// Returns the place of a scalar in relation to the operand, or nil if they have no order.
  private func order(of scalar: Value) -> Order? {
    if let number { return order(of: scalar, number) }
    if let seconds { return order(of: scalar, seconds: seconds) }
    switch scalar.scalar {
    case .string, .unpairedString: return scalar.plainText.map { Self.order($0, text) { $0.precedes($1) } }
    default: return nil
    }
  }

  private func order(of scalar: Value, _ number: DecimalDigits) -> Order? {
    let text: String?
    switch scalar.scalar {
    case .real(let value) where value.isInfinite: return value < 0 ? .before : .after
    case .single(let value) where value.isInfinite: return value < 0 ? .before : .after
    case .string(let found): text = found.trimmed
    case let found: text = found.isNumber ? found.plainText : nil
    }
    return text.flatMap { DecimalDigits($0) }.map { Self.order($0, number) { $0 < $1 } }
  }

  private func order(of scalar: Value, seconds: Double) -> Order? {
    let found: Double?
    switch scalar.scalar {
    case .date(let value): found = value.isNaN ? nil : value
    case .string(let text): found = ISODate.seconds(text.trimmed)
    default: found = nil
    }
    return found.map { Self.order($0, seconds) { $0 < $1 } }
  }

  private static func order<T>(_ value: T, _ operand: T, _ precedes: (T, T) -> Bool) -> Order {
    precedes(value, operand) ? .before : precedes(operand, value) ? .after : .same
  }
}
