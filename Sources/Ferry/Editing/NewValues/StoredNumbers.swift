/// The numbers of new values as a file stores them.
///
///     the number    JSON      a property list
///     5             5         the integer 5
///     1.50          1.50      the real 1.5, which loses its notation
struct StoredNumbers {
  let format: Format
  /// The kinds of values that the file can represent.
  let capabilities: FormatCapabilities
  let budget: Budget

  /// Returns a number that neither an integer nor a real has in its own notation, as the file stores it. Counts it if it loses its
  /// notation.
  ///
  /// - Throws: A `FerryError` with the reason `PathProblem.cannotPut` if that is a real with other digits.
  func stored(_ text: String, _ lost: LostNotations) throws(FerryError) -> Value {
    guard !capabilities.keepsNumberText else { return ownValue(text) }
    if case .exact = capabilities.stored(number: BorrowedText(text.utf8.span)) { return .number(text) }
    let real = try Double(exactNotation: text)
    lost.count += 1
    return .real(real)
  }

  /// Returns the value of a number in JSON's notation. In YAML, the notation of a real has a point: `1.0e+20`.
  func ownValue(_ text: String) -> Value {
    let value = Value(number: text)
    guard case .number = value, capabilities.contains(.decimals), !format.isJSON, let real = Double(text),
      YAMLScalar.text(of: real).equals(text)
    else { return value }
    return .real(real)
  }

  /// Returns a value with its numbers as the file stores them, and counts those that lose their notation.
  func stored(_ value: Value, _ lost: LostNotations) throws(FerryError) -> Value {
    guard !capabilities.keepsNumberText, value.hasNumberText else { return value }
    var failure: FerryError?
    func stored(_ value: Value) -> Value {
      guard case .number(let text) = value else { return value.mappingParts(stored) }
      do throws(FerryError) { return try self.stored(text, lost) } catch {
        failure = failure ?? error
        return value
      }
    }
    let result = stored(value)
    if let failure { throw failure }
    return result
  }

  /// Returns the number that a user types as a real or an integer, if neither has it in its own notation but the file does.
  /// Counts it if the file does not keep the notation.
  func typed(_ text: String, _ type: TextType, _ lost: LostNotations) -> Value? {
    guard type == .integer || type == .real else { return nil }
    guard type.isNumber(text) else {
      // A notation that JSON does not have, such as 007 and 0x1F. Infinities have no digits.
      let hasDigits = text.contains(where: \.isWholeNumber)
      if hasDigits, (try? type.value(of: text, budget: budget)) != nil { lost.count += 1 }
      return nil
    }
    let isOwn = if case .number = ownValue(text) { true } else { false }
    guard capabilities.keepsNumberText else {
      if isOwn { lost.count += 1 }
      return nil
    }
    // Text has no reals: 5 does not become 5.0.
    guard !isOwn, type != .real || capabilities.contains(.numbers) else { return .number(text) }
    guard (try? type.value(of: text, budget: budget)) == nil else { return nil }
    // A text that has the digits of an integer is one.
    return format.isText ? ownValue(text) : .number(text)
  }
}

/// The count of numbers that lose their notation in a new value.
final class LostNotations {
  var count = 0
}

extension Value {
  /// True if a number in the value has a notation that neither an integer nor a real has.
  fileprivate var hasNumberText: Bool {
    if case .number = self { true } else { parts.contains(where: \.hasNumberText) }
  }
}
