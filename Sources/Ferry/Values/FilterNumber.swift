/// A number that a filter compares: a decimal one, or an infinity. It has no NaN, which has no order.
enum FilterNumber: Comparable {
  case negativeInfinity
  case decimal(DecimalDigits)
  case infinity

  /// Parses a number. The infinities are `inf` and `infinity`, in any case, as the formats write them.
  init?(_ text: String) {
    if let digits = DecimalDigits(text) {
      self = .decimal(digits.withoutSignOfZero)
      return
    }
    guard text.utf8.count <= "-infinity".utf8.count else { return nil }
    switch text.lowercased() {
    case "inf", "infinity", "+inf", "+infinity": self = .infinity
    case "-inf", "-infinity": self = .negativeInfinity
    default: return nil
    }
  }

  /// Creates the number of a scalar that is one, or a text of one.
  init?(_ scalar: Value) {
    switch scalar.scalar {
    case .real(let value) where value.isInfinite: self = value < 0 ? .negativeInfinity : .infinity
    case .single(let value) where value.isInfinite: self = value < 0 ? .negativeInfinity : .infinity
    case .string(let text): self.init(text.trimmed)
    case let found:
      guard found.isNumber, let text = found.plainText else { return nil }
      self.init(text)
    }
  }

  /// True for an infinity, whose notation is a word.
  var isWord: Bool { if case .decimal = self { false } else { true } }
}
