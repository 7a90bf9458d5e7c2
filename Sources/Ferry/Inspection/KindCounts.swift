/// The number of values of each kind.
///
///     counts[.string]     // 7
///     counts.present      // [(.string, 7), (.array, 1)]
public struct KindCounts: Hashable, Sendable {
  private var counts = [Int](repeating: 0, count: ValueKind.allCases.count)

  /// Creates counts that are all zero.
  public init() {}

  /// The number of values of a kind.
  public subscript(kind: ValueKind) -> Int {
    get { counts[kind.index] }
    set { counts[kind.index] = newValue }
  }

  /// The kinds that occur, with their counts, in the order of `ValueKind`.
  public var present: [(kind: ValueKind, count: Int)] {
    ValueKind.allCases.map { ($0, self[$0]) }.filter { $0.count > 0 }
  }

  /// The number of values of all kinds.
  public var total: Int { counts.reduce(0, +) }
}
