extension FieldRule {
  /// Returns the value of the current type that the rule makes from older values, or nil if there is none.
  /// Throws if the rule cannot use a value. Adds a loss if a number or a date is rounded.
  func value(of values: [Value], as type: FieldType, losses: LossReport) throws(UnusableValue) -> Value? {
    guard var value = values.first else { return nil }
    var rest = changes[...]
    if case .joined(let separator)? = rest.first {
      rest.removeFirst()
      value = .string(try Self.joined(values, by: separator))
    }
    for change in rest {
      guard let changed = try change.value(of: value, losses) else { return nil }
      value = changed
    }
    return try value.converted(to: type, losses)
  }

  private static func joined(_ values: [Value], by separator: String) throws(UnusableValue) -> String {
    var texts: [String] = []
    for value in values {
      guard case .array(let elements) = value else {
        texts.append(try value.wording())
        continue
      }
      for element in elements { texts.append(try element.wording()) }
    }
    return texts.joined(separator: separator)
  }
}

/// An error: a value that a rule cannot use.
struct UnusableValue: Error {
  let value: Value
  /// The kind of value that the rule can use, in words.
  let wanted: String
}

extension FieldChange {
  /// Applies the change to a value. Returns nil if the change results in no value.
  fileprivate func value(of value: Value, _ losses: LossReport) throws(UnusableValue) -> Value? {
    switch self {
    case .joined(let separator): return .string([try value.wording()].joined(separator: separator))
    case .before(let separator): return .string(try value.parts(at: separator, last: false).before)
    case .after(let separator): return try value.parts(at: separator, last: false).after.map(Value.string)
    case .beforeLast(let separator): return .string(try value.parts(at: separator, last: true).before)
    case .afterLast(let separator): return try value.parts(at: separator, last: true).after.map(Value.string)
    case .split(let separator):
      let text = try value.wording()
      return .array(text.isEmpty ? [] : text.parts(between: separator).map(Value.string))
    case .mapped(let table):
      guard let mapped = table[try value.wording()] else {
        throw UnusableValue(value: value, wanted: table.wordsForMap)
      }
      return mapped
    case .multiplied(let factor):
      return try value.scaled(ifNot: "a number whose product with \(factor) has at most 38 digits") {
        $0.multiplied(by: factor)
      }
    case .divided(let divisor):
      return try value.scaled(ifNot: "a number whose quotient by \(divisor) has at most 38 digits") {
        $0.divided(by: divisor)
      }
    case .since(let moment):
      let (seconds, isExact) = try value.seconds(after: moment)
      if !isExact { losses.add(.dateRounded) }
      return .date(secondsSince2001: seconds)
    }
  }
}

extension Value {
  /// Returns the text of a scalar.
  ///
  /// - Parameter wanted: The kind of value that is wanted, in words.
  fileprivate func wording(
    for wanted: String = "a string, a number, true, false or a date"
  ) throws(UnusableValue) -> String {
    switch self {
    case .string(let text), .number(let text): return text
    case .integer(let number): return number.notation
    case .real(let number): return number.notation
    case .single(let number): return number.notation
    case .boolean(let flag): return flag ? "true" : "false"
    case .date(let seconds):
      if let text = ISODate.text(seconds) { return text }
      throw UnusableValue(value: self, wanted: wanted)
    default: throw UnusableValue(value: self, wanted: wanted)
    }
  }

  fileprivate func parts(at separator: String, last: Bool) throws(UnusableValue) -> (
    before: String, after: String?
  ) {
    let pieces = try wording().parts(between: separator)
    guard pieces.count > 1 else { return (pieces.first ?? "", nil) }
    let head = last ? pieces.count - 1 : 1
    return (
      pieces.prefix(head).joined(separator: separator), pieces.dropFirst(head).joined(separator: separator)
    )
  }

  /// Returns the product or quotient of a number.
  ///
  /// - Parameter words: The kind of number that has one, in words.
  fileprivate func scaled(
    ifNot words: String, _ scale: (DecimalNumber) -> DecimalNumber?
  ) throws(UnusableValue) -> Value {
    if case .real(let number) = self, !number.isFinite { return self }
    guard let decimal = DecimalNumber(try wording(for: "a number")) else {
      throw UnusableValue(value: self, wanted: "a number")
    }
    guard let scaled = scale(decimal) else { throw UnusableValue(value: self, wanted: words) }
    return scaled.value
  }

  /// Returns the moment that a number of seconds after another moment is, in seconds since 2001. It is added in
  /// decimal, so that only the sum is rounded. `isExact` is false if the sum has more digits than a date keeps.
  fileprivate func seconds(after moment: Double) throws(UnusableValue) -> (seconds: Double, isExact: Bool) {
    let wanted = "a number of seconds"
    let text = try wording(for: wanted)
    guard let number = Double(text), number.isFinite else { throw UnusableValue(value: self, wanted: wanted) }
    guard number != 0 else { return (moment, true) }
    guard let decimal = DecimalNumber(text), let start = DecimalNumber(compacting: moment.notation),
      let sum = decimal.adding(start), let seconds = Double(sum.notation)
    else { return (number + moment, false) }
    return (seconds, seconds.isNotation(of: sum.notation))
  }

  /// Converts the value to the type of a field. Throws if the value has no such type. Adds a loss if a number or
  /// a date is rounded.
  func converted(to type: FieldType, _ losses: LossReport) throws(UnusableValue) -> Value {
    let unusable = UnusableValue(value: self, wanted: type.description)
    switch (type, self) {
    case (.string, _): return .string(try wording(for: type.description))
    case (.integer, .integer), (.real, .real), (.real, .single), (.boolean, .boolean), (.date, .date),
      (.data, .data), (.uuid, .string):
      return self
    case (.url, .string(let text)):
      guard URLText.flaw(of: text) == nil else { throw unusable }
      return self
    case (.integer, .boolean(let flag)): return .integer(flag ? 1 : 0)
    case (.integer, _):
      guard let number = DecimalNumber(try wording(for: type.description))?.wholeNumber,
        -(1 << 63)..<(1 << 64) ~= number
      else { throw unusable }
      return .integer(number)
    case (.real, _):
      let text = try wording(for: type.description)
      guard let number = Double(text), number.isFinite else { throw unusable }
      if !number.isNotation(of: text) { losses.add(.numberAsReal) }
      return .real(number)
    case (.decimal, _):
      let text = try wording(for: type.description)
      guard text.utf8.span.flawInJSONNumber == nil else { throw unusable }
      return Value(number: text)
    case (.boolean, _):
      guard let flag = Bool(text: try wording(for: type.description)) else { throw unusable }
      return .boolean(flag)
    case (.date, .string(let text)):
      guard let parsed = ISODate.parse(text.utf8.span) else { throw unusable }
      if !parsed.isExact { losses.add(.dateRounded) }
      return .date(secondsSince2001: parsed.seconds)
    case (.list(let items, _), .array(let elements)):
      var converted: [Value] = []
      for element in elements { converted.append(try element.converted(to: items, losses)) }
      return .array(converted)
    case (.record, .dictionary), (.record, .object), (.any, _), (.dictionary, .dictionary),
      (.enclosing, .dictionary):
      return self
    // A single value becomes a list with one element.
    case (.list(let items, _), _): return .array([try converted(to: items, losses)])
    default: throw unusable
    }
  }
}

extension KeyedValues {
  /// The values that the map of a rule has, at most a few, in words.
  fileprivate var wordsForMap: String {
    let keys = keys.prefix(6).map(\.words).joined(separator: ", ")
    return "a value that the map of the rule has (\(keys)\(count > 6 ? " …" : ""))"
  }
}

extension String {
  /// Returns the parts between separators, including empty ones.
  fileprivate func parts(between separator: String) -> [String] {
    split(separator: separator, omittingEmptySubsequences: false).map(String.init)
  }
}
