/// The parts of a keyed archive around its objects: the class of the archiver, and the names of the roots.
///
///     $archiver: NSKeyedArchiver, $top: {root: @1}                     the usual ones
///     $archiver: SCNKeyedArchiver, $top: {State: @1, version: 7}       several roots, read as {"State": …, "version": 7}
///
/// A program finds its objects by these names, so an archive that is written anew keeps those of the file.
struct ArchiveTop: Sendable {
  private(set) var archiver = usualArchiver
  /// The names of the roots, unless the only one is `root`.
  private(set) var rootNames: [String] = []

  static let usualArchiver = "NSKeyedArchiver"

  /// Creates the usual parts.
  init() {}

  /// Adds the parts of an archive. Those of the first archive with unusual ones are kept, and the names of all.
  mutating func learn(from archive: ArchiveObjects) {
    if archiver.equals(Self.usualArchiver) { archiver = archive.archiver }
    guard !archive.hasOnlyRoot else { return }
    for root in archive.top where !rootNames.contains(where: { $0.equals(root.name) }) {
      rootNames.append(root.name)
    }
  }

  /// Returns true if the value on a tape is a dictionary of several roots by their names.
  func hasRoots(of tape: EventTape) -> Bool {
    guard !rootNames.isEmpty, tape.kind(at: .start) == .beginDictionary else { return false }
    var (key, count, known) = (TapeIndex.start + 1, 0, 0)
    while key < tape.next(after: .start) - 1 {
      guard tape.kind(at: key) == .key else { return false }
      let name = tape.string(at: key)
      count += 1
      if rootNames.contains(where: { $0.equals(name) }) { known += 1 }
      // The value of a single root with this name would be read without the dictionary.
      if name.equals("root"), tape.next(after: tape.next(after: key)) == tape.next(after: .start) - 1,
        count == 1
      {
        return false
      }
      key = tape.next(after: tape.next(after: key))
    }
    return known > 0
  }
}
