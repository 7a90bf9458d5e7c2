/// The parts of a keyed archive around its objects: the class of the archiver, and the names of the roots.
///
///     $archiver: NSKeyedArchiver, $top: {root: @1}                     the usual ones
///     $archiver: SCNKeyedArchiver, $top: {State: @1, version: 7}       several roots, read as {"State": …, "version": 7}
///
/// A program finds its objects by these names, so an archive that is written anew keeps those of the file.
struct ArchiveTop: Sendable {
  private(set) var archiver = usualArchiver
  /// The names of the roots, or nil if the only one is `root`.
  private var rootNames: Set<ExactString>?
  /// True if the only root is `root`, and is stored inline.
  private var isRootInline = false

  private static let usualArchiver = "NSKeyedArchiver"

  /// Creates the usual parts.
  init() {}

  /// Takes the archiver and the names of the roots of an archive.
  init(of archive: ArchiveObjects) {
    archiver = archive.archiver
    if !archive.hasOnlyRoot {
      rootNames = Set(archive.top.map { ExactString($0.name) })
    } else if let kind = try? archive.nodes.kind(of: archive.top[0].node) {
      isRootInline = if case .uid = kind { false } else { true }
    }
  }

  /// Returns true if the value on a tape is the only root, and is stored inline.
  func hasInlineRoot(of tape: EventTape, _ storage: ArchivedStorage) -> Bool {
    isRootInline && tape.isBare(.start) && storage.isInlineRoot(.start, on: tape)
  }

  /// Returns true if the value on a tape is a dictionary of several roots by their names.
  func hasRoots(of tape: EventTape) -> Bool {
    guard let rootNames, tape.kind(at: .start) == .beginDictionary else { return false }
    var names: [ExactString] = []
    for (key, _) in tape.entries(of: .start) {
      guard tape.kind(at: key) == .key else { return false }
      names.append(ExactString(tape.string(at: key)))
    }
    // A single root with the name `root` would be read without the dictionary.
    guard !names.isEmpty else { return rootNames.isEmpty }
    return names != ["root"] && names.contains(where: rootNames.contains)
  }
}
