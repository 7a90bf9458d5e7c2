/// The prefixes that the open elements declare.
struct DeclaredPrefixes {
  private var declared: [(prefix: ExactString, depth: Int)] = []
  /// The number of open declarations of each prefix.
  private var counts: [ExactString: Int] = [:]
  private var depth = 0

  /// True if no open element declares a prefix.
  var isEmpty: Bool { declared.isEmpty }

  /// Opens an element.
  mutating func open() { depth += 1 }

  /// Adds a prefix that the innermost element declares.
  mutating func add(_ prefix: String) {
    declared.append((ExactString(prefix), depth))
    counts[ExactString(prefix), default: 0] += 1
  }

  /// Closes the innermost element.
  mutating func close() {
    while let last = declared.last, last.depth == depth {
      declared.removeLast()
      // A document may declare any number of prefixes one after the other.
      counts[last.prefix] = counts[last.prefix].flatMap { $0 > 1 ? $0 - 1 : nil }
    }
    depth -= 1
  }

  /// Returns true if an open element declares a prefix, or XML does.
  func contains(_ prefix: String) -> Bool {
    prefix.equals("xml") || counts[ExactString(prefix)] != nil
  }
}
