/// The parts of a keyed archive around its objects: the class of the archiver, and the names of the roots.
///
///     $archiver: NSKeyedArchiver, $top: {root: @1}                     the usual ones
///     $archiver: SCNKeyedArchiver, $top: {State: @1, version: 7}       several roots, read as {"State": …, "version": 7}
///
/// A program finds its objects by these names, so an archive that is written anew keeps those of the file.
struct ArchiveTop: Sendable {
  private(set) var archiver = usualArchiver
  /// The names of the roots, unless the only one is `root`.
  private var rootNames: Set<ExactString> = []

  private static let usualArchiver = "NSKeyedArchiver"

  /// Creates the usual parts.
  init() {}

  /// Adds the names of the roots of an archive, and takes its archiver unless that of an earlier archive is unusual.
  mutating func learn(from archive: ArchiveObjects) {
    if archiver.equals(Self.usualArchiver) { archiver = archive.archiver }
    guard !archive.hasOnlyRoot else { return }
    for root in archive.top { rootNames.insert(ExactString(root.name)) }
  }

  /// Returns true if the value on a tape is a dictionary of several roots by their names.
  func hasRoots(of tape: EventTape) -> Bool {
    guard !rootNames.isEmpty, tape.kind(at: .start) == .beginDictionary else { return false }
    var names: [ExactString] = []
    for (key, _) in tape.entries(of: .start) {
      guard tape.kind(at: key) == .key else { return false }
      names.append(ExactString(tape.string(at: key)))
    }
    // A single root with the name `root` would be read without the dictionary.
    return names != ["root"] && names.contains(where: rootNames.contains)
  }
}
