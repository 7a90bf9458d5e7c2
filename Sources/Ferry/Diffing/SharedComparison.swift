/// A comparison of values whose shared objects have different numbers.
struct SharedComparison {
  private var numbers: [Int: Int] = [:]

  /// Returns true if two values are equal except for the order of keys and the numbers of shared objects.
  static func areSame(_ a: Value, _ b: Value) -> Bool {
    var comparison = SharedComparison()
    return comparison.areSame(a, b)
  }

  private mutating func areSame(_ a: Value, _ b: Value) -> Bool {
    switch (a, b) {
    case (.array(let mine), .array(let others)), (.set(let mine), .set(let others)):
      guard mine.count == others.count else { return false }
      for (mine, other) in zip(mine, others) { guard areSame(mine, other) else { return false } }
      return true
    case (.dictionary(let mine), .dictionary(let others)):
      guard mine.count == others.count else { return false }
      for (key, value) in mine {
        guard let other = others[key], areSame(value, other) else { return false }
      }
      return true
    case (.object(let mine), .object(let others)):
      return mine.type == others.type && areSame(mine.identity, others.identity)
        && areSame(mine.content, others.content)
    case (.reference(let mine), .reference(let other)): return areSame(mine, other)
    default: return a == b
    }
  }

  private mutating func areSame(_ a: Int?, _ b: Int?) -> Bool {
    guard let a, let b else { return a == nil && b == nil }
    if let known = numbers[a] { return known == b }
    numbers[a] = b
    return true
  }
}
