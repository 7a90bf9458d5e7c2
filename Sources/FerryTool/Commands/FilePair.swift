import Ferry

/// The files, or packages, with one path in two folders.
struct FilePair {
  /// The path from the folders.
  let name: String
  /// The file in the first folder; nil if there is none.
  let old: FoundInput?
  /// The file in the second folder; nil if there is none.
  let new: FoundInput?

  /// The paths of the files.
  var paths: [String] { [old, new].compactMap { $0?.path } }

  /// Returns the pairs in two folders, in the order of their names.
  ///
  /// - Parameters:
  ///   - errors: Receives the paths that cannot be listed.
  ///   - isQuiet: Pass true not to report the patterns without effect, and the outputs that are left out.
  ///   - outputs: The files that the run writes, which are left out of both folders.
  static func all(
    in old: String, _ new: String, _ choice: FileChoice, _ types: DocumentTypes, _ errors: RunErrors,
    isQuiet: Bool, leavingOut outputs: RunOutputs
  ) -> [FilePair] {
    var choice = choice
    func files(in folder: String, besides other: String) -> [[UInt8]: FoundInput] {
      let found = FoundInput.inFolder(folder, &choice, types, errors, followingLinks: true) { path in
        let twin = Self.join(other, FoundInput.name(of: path, in: folder))
        return types.isWholePackage(path) && (!Folder.isFolder(twin) || types.isWholePackage(twin))
          ? .file : .opened
      }
      return Dictionary(found.map { (Array($0.name.utf8), $0.input) }, uniquingKeysWith: { $1 })
    }
    let (before, after) = (files(in: old, besides: new), files(in: new, besides: old))
    if !isQuiet { choice.reportUnused() }
    // Names that differ only by Unicode normalization are those of different files.
    let names = Set(before.keys).union(after.keys).sorted { $0.lexicographicallyPrecedes($1) }
    return names.map { name in
      FilePair(name: String(decoding: name, as: UTF8.self), old: before[name], new: after[name])
    }.filter { pair in !pair.paths.contains { outputs.leavesOut($0, isQuiet: isQuiet) } }
  }

  private static func join(_ folder: String, _ name: String) -> String {
    folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
  }
}

extension DocumentTypes {
  /// True for a package of a known type with its records. Git's folders for a comparison have only the changed files of a package, and
  /// symbolic links to them.
  fileprivate func isWholePackage(_ path: String) -> Bool {
    guard type(ofFile: path)?.isPackage == true, let main = try? mainFile(of: path) else { return false }
    return main != path
  }
}
