/// The values of a text that copy others, such as those of aliases and merge keys in YAML.
///
///     a: &A {x: 1}   the value of `a` is in its own place
///     b: *A          the value of `b` and the 1 in it are copies
///     c: {<<: *A}    the 1 is a copy, and `c` merges the mapping of `a`
///
/// A source is the part of the text that a value comes from: values with one source are copies of each other.
struct TextCopies {
  /// The values with one source.
  struct Values {
    /// The value in its own place, where the text can be changed.
    var own: NodeID?
    var copies: [NodeID] = []
  }

  /// A dictionary that a merge key adds.
  struct Merged {
    let source: Int
    /// The position of its entries among those of the dictionary.
    let position: Int
  }

  /// An entry of a dictionary that is written in the value of a merge key, if it is not a value of the file, because another entry takes
  /// precedence: that of `{x: 1}` in `<<: [*A, {x: 1}]`.
  struct ListedEntry {
    let key, value: Value
    /// The source of the value.
    let source: Int
    /// The position among the entries of the dictionary with the merge key.
    let position: Int
  }

  /// For each value and key, its source.
  var sources: [Int] = []
  /// For each value, the collection around it.
  var parents: [NodeID?] = []
  /// The values of each source that has copies, merges others or is merged.
  var values: [Int: Values] = [:]
  /// For each value and key, its position among those of the text or, for a key of a dictionary with a merge key, among the entries of this
  /// dictionary.
  var positions: [Int] = []
  /// For each dictionary with a merge key, the dictionaries that it merges. The first takes precedence.
  var merged: [Int: [Merged]] = [:]
  /// The entries of each dictionary in the value of a merge key that are not values of the file.
  var listed: [Int: [ListedEntry]] = [:]
  /// For each dictionary that others merge, these.
  var mergers: [Int: [Int]] = [:]

  /// Returns the dictionaries whose entries a dictionary merges, directly or through others. The first takes precedence.
  func mergeOrder(of source: Int) -> [Merged] {
    var (order, known) = ([Merged](), Set<Int>())
    var waiting = Array((merged[source] ?? []).reversed())
    while let next = waiting.popLast() {
      guard known.insert(next.source).inserted else { continue }
      order.append(next)
      for inner in (merged[next.source] ?? []).reversed() {
        waiting.append(Merged(source: inner.source, position: next.position))
      }
    }
    return order
  }

  /// Returns the sources of the dictionaries that merge a dictionary, directly or through others. Each follows those that it merges.
  func mergerOrder(of source: Int) -> [Int] {
    var (order, known) = ([Int](), Set<Int>())
    var waiting = [(source: source, isLast: false)]
    while let next = waiting.popLast() {
      if next.isLast {
        order.append(next.source)
      } else if known.insert(next.source).inserted {
        waiting.append((next.source, true))
        for merger in mergers[next.source] ?? [] { waiting.append((merger, false)) }
      }
    }
    return Array(order.reversed().dropFirst())
  }
}
