/// A search for the name that was probably meant by a misspelled one.
package enum NearMiss {
  /// The maximum length of a compared name in characters. Longer names are rarely typed.
  private static let longest = 64
  /// The maximum length of a compared name in bytes of UTF-8.
  static let longestInBytes = 4 * longest

  /// Returns the name nearest to `name`: one that is equal except for case, or has at most one typing error
  /// for every three letters. Returns nil if there is none.
  package static func nearest(to name: String, among names: some Sequence<String>) -> String? {
    let letters = Array(name.lowercased().unicodeScalars)
    guard letters.count <= longest else { return nil }
    var (found, least) = (String?.none, (letters.count + 1) / 3 + 1)
    for candidate in names where candidate.utf8.count <= longestInBytes {
      let other = Array(candidate.lowercased().unicodeScalars)
      guard abs(other.count - letters.count) < least, other.count <= longest else { continue }
      let distance = distance(letters, other)
      if distance < least { (found, least) = (candidate, distance) }
    }
    return found
  }

  /// Returns the number of typing errors between two names: letters that are missing, extra or wrong, and
  /// adjacent letters that are exchanged (the optimal string alignment distance).
  private static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
    var (older, old) = ([Int](repeating: 0, count: b.count + 1), Array(0...b.count))
    for row in a.indices {
      var new = [row + 1]
      for column in b.indices {
        let isEqual = a[row] == b[column]
        var best = min(old[column + 1] + 1, new[column] + 1, old[column] + (isEqual ? 0 : 1))
        if row > 0, column > 0, a[row] == b[column - 1], a[row - 1] == b[column] {
          best = min(best, older[column - 1] + 1)
        }
        new.append(best)
      }
      (older, old) = (old, new)
    }
    return old[b.count]
  }
}
