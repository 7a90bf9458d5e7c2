/// The functions of XPath 1.0, with the numbers of arguments that they take.
enum XPathFunctions {
  private static let counts: [(name: String, ClosedRange<Int>)] = [
    ("last", 0...0), ("position", 0...0), ("true", 0...0), ("false", 0...0),
    ("count", 1...1), ("id", 1...1), ("boolean", 1...1), ("not", 1...1), ("lang", 1...1), ("sum", 1...1),
    ("floor", 1...1), ("ceiling", 1...1), ("round", 1...1),
    ("local-name", 0...1), ("namespace-uri", 0...1), ("name", 0...1), ("string", 0...1),
    ("string-length", 0...1), ("normalize-space", 0...1), ("number", 0...1),
    ("starts-with", 2...2), ("contains", 2...2), ("substring-before", 2...2), ("substring-after", 2...2),
    ("substring", 2...3), ("translate", 3...3), ("concat", 2...Int.max),
  ]

  static func contains(_ name: String) -> Bool { counts.contains { $0.name.equals(name) } }

  /// Returns the problem with the number of arguments in a call, such as `contains() takes 2 arguments, not 1`. Returns nil if the number
  /// is right, and for a function that XPath 1.0 does not have.
  static func problem(with call: XPathSyntax.Call) -> String? {
    guard let (name, counts) = counts.first(where: { $0.name.equals(call.function.text) }),
      !counts.contains(call.arguments.count)
    else { return nil }
    return "\(name)() takes \(words(for: counts)), not \(call.arguments.count)"
  }

  private static func words(for counts: ClosedRange<Int>) -> String {
    let (first, last) = (counts.lowerBound, counts.upperBound)
    if last == 0 { return "no arguments" }
    if first == last { return first == 1 ? "1 argument" : "\(first) arguments" }
    if last == .max { return "\(first) or more arguments" }
    return "\(first) or \(last) \(last == 1 ? "argument" : "arguments")"
  }
}
