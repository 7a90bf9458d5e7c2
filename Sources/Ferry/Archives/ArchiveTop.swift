/// The parts of a keyed archive around its objects: the class of the archiver, and the names of the roots.
///
///     $archiver: NSKeyedArchiver, $top: {root: @1}                     the usual parts
///     $archiver: SCNKeyedArchiver, $top: {State: @1, version: 7}       two roots, read as {"State": …, "version": 7}
///
/// A program finds its objects by these names, so an archive that is written anew keeps those of the file.
struct ArchiveTop: Sendable {
  private(set) var archiver = usualArchiver
  /// The names of the roots; empty if the only root is named `root`, whose value is read without its name.
  private var rootNames: Set<ExactString> = []

  private static let usualArchiver = "NSKeyedArchiver"

  /// Creates the usual parts.
  init() {}

  /// Adds the names of an archive's roots, and takes its archiver unless an earlier archive had an unusual one.
  mutating func learn(from archive: ArchiveObjects) {
    if archiver.equals(Self.usualArchiver) { archiver = archive.archiver }
    guard !archive.hasOnlyRoot else { return }
    rootNames.formUnion(archive.top.map { ExactString($0.name) })
  }

  /// Returns true if the value on a tape is a dictionary of roots by their names.
  func hasRoots(of tape: EventTape) -> Bool {
    guard !rootNames.isEmpty, tape.kind(at: .start) == .beginDictionary else { return false }
    var names: [String] = []
    let end = tape.next(after: .start) - 1
    var key = TapeIndex.start + 1
    while key < end {
      guard tape.kind(at: key) == .key else { return false }
      names.append(tape.string(at: key))
      key = tape.next(after: tape.next(after: key))
    }
    // With this name alone, the value would be read without the dictionary.
    guard !names.equals(["root"]) else { return false }
    return names.contains { rootNames.contains(ExactString($0)) }
  }
}
