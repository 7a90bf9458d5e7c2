/// The text with which a condition of a filter compares values, read as a number or a date if it is one.
///
/// The operand decides how values are ordered, so that no value is before one operand by its number and before another by its characters:
///
///     [age>=30]            numbers, and texts that are numbers: 36, "36"
///     [x<inf]              the same, and other texts, because `inf` may be meant as a text
///     [born<2001-01-01]    dates, and texts that are dates
///     [name<M]             texts
///     [name^=M]            texts, and other scalars by the text that `get` prints
///
/// A value of another kind is neither less nor greater.
struct FilterOperand {
  private let text: String
  private let number: FilterNumber?
  /// A date: its moment, and its seconds since 2001.
  private let date: (moment: ISODate.Moment, seconds: Double)?

  init(_ text: String) {
    self.text = text
    number = FilterNumber(text)
    let span = text.utf8.span
    date = ISODate.moment(span).flatMap { moment in ISODate.seconds(text).map { (moment, $0) } }
  }

  /// Returns true if a scalar has this text, or is a number or a date with the same value, as 1.0 equals `1`. A string is compared by its
  /// characters alone.
  func equals(_ scalar: Value) -> Bool {
    guard let plainText = scalar.plainText else { return false }
    if plainText.equals(text) { return true }
    if scalar.isNumber, let number, let found = FilterNumber(scalar) { return found == number }
    if let date, case .date(let found) = scalar.scalar { return found == date.seconds }
    return false
  }

  /// The keys of the scalars that equal the operand; nil if an index cannot find all of them.
  var keys: [FilterKey]? {
    var keys = [FilterKey.text(ExactString(text))]
    if let number {
      guard let key = FilterKey(number, text) else { return nil }
      keys.append(key)
    }
    if let date { keys.append(.date(date.seconds)) }
    return keys
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
    case .beginsWith: scalar.plainText?.utf8.starts(with: text.utf8) ?? false
    case .endsWith: scalar.plainText?.utf8.reversed().starts(with: text.utf8.reversed()) ?? false
    case .contains: scalar.plainText.map(containsOperand) ?? false
    }
  }

  private func containsOperand(_ found: String) -> Bool {
    var rest = found.utf8[...]
    while let start = rest.firstIndex(of: text.utf8.first ?? 0) {
      rest = rest[start...]
      if rest.starts(with: text.utf8) { return true }
      rest = rest.dropFirst()
    }
    return false
  }

  /// The place of a value in relation to the operand.
  private enum Order { case before, same, after }

  /// Returns the place of a scalar in relation to the operand, or nil if they have no order.
  private func order(of scalar: Value) -> Order? {
    if let number {
      if let found = FilterNumber(scalar) { return Self.order(found, number) }
      guard number.isWord else { return nil }
    }
    if let date { return order(of: scalar, date) }
    switch scalar.scalar {
    case .string, .unpairedString: return scalar.plainText.map { Self.order($0, text) { $0.precedes($1) } }
    default: return nil
    }
  }

  private func order(of scalar: Value, _ date: (moment: ISODate.Moment, seconds: Double)) -> Order? {
    switch scalar.scalar {
    case .date(let value): return value.isNaN ? nil : Self.order(value, date.seconds)
    case .string(let text):
      // Texts are compared by all of their digits, as for equality. A `Double` would keep fewer.
      let trimmed = text.trimmed
      return ISODate.moment(trimmed.utf8.span).map { Self.order($0, date.moment) }
    default: return nil
    }
  }

  private static func order<T: Comparable>(_ value: T, _ operand: T) -> Order {
    order(value, operand) { $0 < $1 }
  }

  private static func order<T>(_ value: T, _ operand: T, _ precedes: (T, T) -> Bool) -> Order {
    precedes(value, operand) ? .before : precedes(operand, value) ? .after : .same
  }
}
