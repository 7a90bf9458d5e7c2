/// The differences that a comparison leaves out.
///
///     var comparison = FileComparison()
///     comparison.ignored.values = [.key("updated"), .path("meta.date")]
///     comparison.ignored.order = true
public struct IgnoredDifferences: Hashable, Sendable {
  /// Values that are not compared.
  public enum Values: Hashable, Sendable {
    /// The values for a key in all dictionaries, records and objects.
    case key(String)
    /// The values at a path from the root, which ends in a key: `people[*].updated`.
    case path(ValuePath)
  }

  /// The values that are not compared. Two records that differ in them alone are equal.
  public var values: [Values] = []
  /// True if two lists are equal that have the same elements in another order. Then it does not matter either which objects of an archive are
  /// the same.
  public var order = false

  /// Creates a description that leaves out nothing.
  public init() {}

  /// True if nothing is left out.
  var isEmpty: Bool { values.isEmpty && !order }

  /// Returns a value without the values that are not compared.
  func removing(from value: Value?) -> Value? {
    var used: Set<Int> = []
    return removing(from: value, noting: &used)
  }

  /// Returns a value without the values that are not compared.
  ///
  /// - Parameter used: Receives the indices in `values` of those that the value has.
  func removing(from value: Value?, noting used: inout Set<Int>) -> Value? {
    guard let value, !values.isEmpty else { return value }
    var entries = IgnoredEntries(self, in: value)
    let copy = entries.copy(value)
    used.formUnion(entries.used)
    if used.count < values.count, !entries.used.isEmpty {
      // A value may be inside another one that is left out.
      var all = IgnoredEntries(self, in: value, leavesOut: false)
      _ = all.copy(value)
      used.formUnion(all.used)
    }
    return copy
  }

  /// Returns a description for the value at a path, such as that of a document in data. A filter in a path selects nothing there.
  func inside(_ path: ValuePath) -> IgnoredDifferences {
    var inner = self
    inner.values = values.compactMap { values in
      guard case .path(let whole) = values else { return values }
      guard whole.steps.count > path.steps.count,
        zip(whole.steps, path.steps).allSatisfy({ $0.choosesPart(at: $1) })
      else { return nil }
      return .path(ValuePath(Array(whole.steps.dropFirst(path.steps.count))))
    }
    return inner
  }
}

extension ValuePath.Step {
  /// Returns true if the step chooses the entry or the element at a step with a key or an index.
  fileprivate func choosesPart(at step: Self) -> Bool {
    switch (self, step) {
    case (.slice(nil, nil), _), (.end, .index): true
    case (.slice(let from, let to), .index(let index)): index >= from ?? 0 && index < to ?? .max
    case (.key, .index(let index)): indexInList == index
    default: self == step
    }
  }
}
