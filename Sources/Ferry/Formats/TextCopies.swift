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

  /// For each value and key, its source.
  var sources: [Int] = []
  /// For each value, the collection around it.
  var parents: [NodeID?] = []
  /// For each value and key, its position among those of the text. A merged entry has the position of the merge key.
  var positions: [Int] = []
  /// The values of each source that has copies, merges others or is merged.
  var values: [Int: Values] = [:]
  /// For each dictionary with a merge key, the sources of the dictionaries that it merges. The first takes precedence.
  var merged: [Int: [Int]] = [:]
  /// For each dictionary that others merge, these.
  var mergers: [Int: [Int]] = [:]
  /// For each dictionary with a merge key, the position of this key.
  var mergeKeys: [Int: Int] = [:]
}
