/// Pairs of paths in the old and in the new version, and the paths of edits. Each path is one step longer than another one, so that many
/// long paths take little memory.
struct PathPairs {
  /// The index of a pair.
  typealias Index = Int
  /// The pair of the paths of the roots.
  static let root = -1

  private struct Last {
    let pair: Index
    let old, new: ValuePath.Step
    /// The step in the old version after the edits before it.
    let edited: ValuePath.Step
    let count: Int
  }

  private var all: [Last] = []

  /// Returns the number of steps of the paths.
  func count(_ pair: Index) -> Int { pair == Self.root ? 0 : all[pair].count }

  /// Returns the pair of paths with one more step each.
  ///
  /// - Parameter edited: The step in the old version after the edits before it; nil if it is that in the new version.
  mutating func appending(
    _ old: ValuePath.Step, _ new: ValuePath.Step, editing edited: ValuePath.Step? = nil, to pair: Index
  ) -> Index {
    all.append(Last(pair: pair, old: old, new: new, edited: edited ?? new, count: count(pair) + 1))
    return all.count - 1
  }

  /// Returns the path in the old version.
  func old(_ pair: Index) -> ValuePath { path(pair) { $0.old } }

  /// Returns the path in the new version.
  func new(_ pair: Index) -> ValuePath { path(pair) { $0.new } }

  /// Returns the path in the old version after the edits before it.
  func edited(_ pair: Index) -> ValuePath { path(pair) { $0.edited } }

  private func path(_ pair: Index, _ step: (Last) -> ValuePath.Step) -> ValuePath {
    var steps: [ValuePath.Step] = []
    var pair = pair
    while pair != Self.root {
      steps.append(step(all[pair]))
      pair = all[pair].pair
    }
    return ValuePath(steps.reversed())
  }
}
