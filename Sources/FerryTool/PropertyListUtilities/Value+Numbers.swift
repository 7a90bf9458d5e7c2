import Ferry

extension Value {
  /// The value with the numbers that property lists have: of decimals as in JSON (`2.20`), the nearest reals. Whole numbers
  /// that are too large for an integer stay, because a real would have other digits.
  var withNumbersOfPropertyLists: Value {
    switch self {
    case .number(let digits):
      let isWhole = !digits.utf8.contains { ".eE".utf8.contains($0) }
      guard !isWhole, let number = Double(digits), number.isFinite else { return self }
      return .real(number)
    case .array(let elements): return .array(elements.map(\.withNumbersOfPropertyLists))
    case .dictionary(let entries):
      var result = KeyedValues()
      for (key, value) in entries { result[key] = value.withNumbersOfPropertyLists }
      return .dictionary(result)
    default: return self
    }
  }
}
