import Ferry

/// The files that a run writes. If the run finds one of them in a folder, it is not an input: the run would read its own output, without
/// end if it reads while it writes.
struct RunOutputs {
  /// The file that the standard output is redirected to, as by `> all.jsonl`; nil for a terminal, a pipe or a device.
  private static let redirected = Folder.identity(ofStandardStream: 1)
  /// The file that the standard error is redirected to, as by `2> errors.json`.
  private static let errors = Folder.identity(ofStandardStream: 2)

  private let locations: Set<Folder.Location>

  /// - Parameter paths: The files that options name; `-` is the standard output.
  init(_ paths: [String?] = []) {
    locations = Set(paths.lazy.compactMap { $0 }.filter { $0 != "-" }.compactMap(Folder.location(of:)))
  }

  /// Returns true for a file that the run writes. A note says that it is left out. There is none for the file of the standard error, which
  /// stays empty without errors and notes.
  func leavesOut(_ path: String, isQuiet: Bool) -> Bool {
    guard contains(path) else { return Self.errors.map { $0 == Folder.identity(of: path) } ?? false }
    if !isQuiet { StandardError.write(["left out, because this run writes it"], of: path) }
    return true
  }

  private func contains(_ path: String) -> Bool {
    if let redirected = Self.redirected, Folder.identity(of: path) == redirected { return true }
    guard !locations.isEmpty, let location = Folder.location(of: path) else { return false }
    return locations.contains(location)
  }

  /// Throws if the standard output is redirected to one of the files that the user has named.
  static func checkReadsNone(of names: [String]) throws(NamedError) {
    guard let redirected else { return }
    for name in names {
      let input = name == "-" ? Folder.identity(ofStandardStream: 0) : Folder.identity(of: name)
      guard input != redirected else {
        throw NamedError(name: name, error: FerryError(.file(.isStandardOutput)))
      }
    }
  }
}
