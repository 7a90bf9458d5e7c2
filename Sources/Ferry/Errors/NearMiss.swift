/// A search for the name that a misspelled one was meant to be.
package enum NearMiss {
  /// The greatest length of a compared name. Nobody types longer names letter by letter.
  private static let longest = 64
  /// The greatest size of a compared name in UTF-8.
  static let longestInBytes = 4 * longest

  /// Returns the name nearest to `name`: equal except for case, or with at most one typing mistake for every
  /// three letters. Returns nil if no name is near enough.
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

  /// Returns the number of letters that are missing, extra, wrong or exchanged with the one before (the
  /// optimal string alignment distance).
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
