/// The files of a package that no record names, and all folders and links. Each is merged by its path.
///
/// If a path is a folder in one version and a file or link in another, the folder and its contents are merged
/// as one unit.
struct LooseFiles {
  private let versions: PackageVersions
  /// The side whose content the result gets in a conflict.
  private let winner: MergeSide
  /// The entries of the merged package.
  private(set) var entries: [PackagePath: DocumentPackage.Entry] = [:]
  private(set) var conflicts: [FileConflict] = []

  /// Merges all entries for which `isLoose` returns true in our version or in theirs.
  init(
    of versions: PackageVersions, winner: MergeSide,
    isLoose: (PackagePath, MergeSide) throws(MergeError) -> Bool
  ) throws(MergeError) {
    (self.versions, self.winner) = (versions, winner)
    let units = Dictionary(grouping: versions.paths) { Self.unit(of: $0, versions) }
    for (unit, paths) in units.sorted(by: { $0.key < $1.key }) {
      var isLooseUnit = false
      for path in paths {
        for side in [MergeSide.ours, .theirs] where !isLooseUnit { isLooseUnit = try isLoose(path, side) }
      }
      if isLooseUnit { try merge(unit, paths) }
    }
  }

  /// Returns the outermost folder in the path that is a file or a link in some version, or else the path
  /// itself.
  private static func unit(of path: PackagePath, _ versions: PackageVersions) -> PackagePath {
    path.folders.first { folder in
      MergeSide.allCases.contains { side in
        switch versions[side, folder] {
        case .file?, .link?: true
        case .folder?, nil: false
        }
      }
    } ?? path
  }

  private mutating func merge(_ unit: PackagePath, _ paths: [PackagePath]) throws(MergeError) {
    let side: MergeSide
    if try areSame(paths, .base, .ours) {
      side = .theirs
    } else if try areSame(paths, .base, .theirs) {
      side = .ours
    } else if try areSame(paths, .ours, .theirs) {
      side = .ours
    } else {
      side = winner
      // A file of another program, such as `.DS_Store`, does not belong to the document.
      if !unit.isForeign { conflicts.append(FileConflict(unit, of: versions)) }
    }
    for path in paths { entries[path] = versions[side, path] }
  }

  private func areSame(_ paths: [PackagePath], _ a: MergeSide, _ b: MergeSide) throws(MergeError) -> Bool {
    for path in paths { guard try versions.areSame(path, a, b) else { return false } }
    return true
  }
}
