/// The archives in a file, with the entries that they have beside their objects.
///
///     {$version: 100000, $archiver: "NSKeyedArchiver", $top: {…}, $objects: […], extra: 5}     [root]: {extra: 5}
///
/// A file may be an archive, or a ZIP archive with such files. The values of an archive do not have its entries.
struct ArchiveEntries: Sendable {
  /// The path of each archive, in order.
  private(set) var paths: [ValuePath] = []
  private var entries: [ValuePath: KeyedValues] = [:]
  /// The name of the archiver of each archive.
  private(set) var archivers: [ValuePath: String] = [:]
  /// The names of the roots of each archive whose only root is not `root`. The value of the archive is a dictionary of these roots.
  private var rootNames: [ValuePath: String] = [:]
  /// The number of keys that occur twice among the entries of one archive, or in one dictionary in them. Only the last of their values is
  /// an entry.
  private(set) var repeatedKeyCount = 0

  /// Creates the entries of a file without archives.
  init() {}

  /// Reads the entries of a file that is an archive.
  init(of archive: ArchiveObjects) throws(FerryError) { try add(archive, at: ValuePath()) }

  /// True if no archive has entries beside its objects.
  var isEmpty: Bool { entries.values.allSatisfy(\.isEmpty) }

  /// Returns the entries of the archive at a path; nil if there is no archive.
  subscript(path: ValuePath) -> KeyedValues? { entries[path] }

  /// Returns the names of the roots of the archive at a path, such as `State, version`.
  ///
  /// The value of an archive is the object of its only root `root`, or else a dictionary of its roots. So archives with other roots may have
  /// equal values: `{root: {a: 1}}` and `{a: 1}`.
  func rootNames(at path: ValuePath) -> String { rootNames[path] ?? "root" }

  /// Returns true if the value of the archive at a path is the object of its only root.
  func hasOnlyRoot(at path: ValuePath) -> Bool { rootNames[path] == nil }

  /// Adds the entries of an archive.
  mutating func add(_ archive: ArchiveObjects, at path: ValuePath) throws(FerryError) {
    paths.append(path)
    if !archive.hasOnlyRoot { rootNames[path] = archive.top.map(\.name).joined(separator: ", ") }
    archivers[path] = archive.archiver
    let found = try archive.otherEntries
    entries[path] = found.values
    repeatedKeyCount += found.repeatedKeyCount
  }

  /// Adds the entries of the archives in a file with a name.
  mutating func add(_ others: ArchiveEntries, inFile name: String) {
    for path in others.paths {
      let outer = ValuePath([.key(name)] + path.steps)
      paths.append(outer)
      entries[outer] = others[path]
      rootNames[outer] = others.rootNames[path]
      archivers[outer] = others.archivers[path]
    }
    repeatedKeyCount += others.repeatedKeyCount
  }
}
