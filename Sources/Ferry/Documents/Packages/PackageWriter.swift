/// A writer that builds a package next to the existing one, and then exchanges the two.
struct PackageWriter {
  let package: DocumentPackage
  /// The path of the package's folder, with all links resolved.
  let target: String
  let isReplacing: Bool
  let overwritesChanges: Bool
  /// The system calls that the writer may use to replace the package.
  var means = RenamingMeans.all

  /// Writes the package. Returns the listing on disk.
  func write() throws(FerryError) -> PackageListing {
    try checkNames()
    while try FolderAside.putBack(to: target) {
      guard let existing = try SystemPath.status(of: target) else { continue }
      guard existing.kind == .directory else { throw FerryError(.file(.notADirectory)) }
      // Nil means that another program is moving the folder, which takes only a moment.
      if let written = try replace() { return written }
    }
    return try writeNew()
  }

  /// Throws if a name is invalid, if a file would also have to be a folder, or if reading would refuse the
  /// contents.
  private func checkNames() throws(FerryError) {
    let budget = package.budget
    guard package.entries.count <= budget.files else { throw FerryError(.overBudget(.files(budget.files))) }
    for path in package.entries.keys.sorted() {
      try PackagePath.check(path.text)
      guard path.depth <= budget.depth else { throw FerryError(.overBudget(.depth(budget.depth))) }
      for folder in path.folders {
        switch package.entries[folder] {
        case .folder?, nil: continue
        case .file?, .link?:
          throw FerryError(
            .package(.badName(path.text, "\(MessageText.quoted(folder.text)) is not a folder")))
        }
      }
    }
  }

  private func writeNew() throws(FerryError) -> PackageListing {
    Leftovers.remove(beside: target)
    let folder = try TemporaryFolder(beside: target)
    try fill(folder.path, with: package.withForeignFiles(of: nil), over: nil)
    try folder.move(toNew: target, by: means)
    return try PackageListing(target, budget: package.budget)
  }

  /// Exchanges the package with the existing one. Returns nil if that no longer exists.
  private func replace() throws(FerryError) -> PackageListing? {
    // Another writer of this package waits for the lock, and then detects the new package.
    guard let lock = try FolderLock(waitingFor: target) else { return nil }
    let existing = try PackageListing(target, budget: package.budget)
    try checkKind(existing)
    guard isReplacing else { throw FerryError(.file(.exists)) }
    try checkUnchanged(existing)
    try Folder.checkWritable(target)
    Leftovers.remove(beside: target)
    let folder = try TemporaryFolder(beside: target)
    try fill(folder.path, with: package.withForeignFiles(of: existing), over: existing)
    let budget = package.budget
    try folder.exchange(with: target, by: means) { old throws(FerryError) in
      // Changes that another program made during the writing must not be lost.
      guard !overwritesChanges else { return }
      let changes = try PackageListing(old, budget: budget).differences(from: existing)
      guard changes.isEmpty else { throw FerryError(.package(.changed(changes))) }
    }
    lock.release()
    return try PackageListing(target, budget: budget)
  }

  /// Throws if the existing folder is not a package of this kind. The error does not suggest to force the
  /// write.
  private func checkKind(_ existing: PackageListing) throws(FerryError) {
    if let origin = package.origin, isOrigin(existing, origin) { return }
    let own = Set(package.entries.keys.map(\.first))
    let others = existing.entries.keys.map(\.first).filter { !$0.isForeign }
    guard others.isEmpty || others.contains(where: own.contains) else {
      throw FerryError(.package(.notAPackage))
    }
  }

  /// Throws if another program has changed the existing package since it was read.
  private func checkUnchanged(_ existing: PackageListing) throws(FerryError) {
    guard !overwritesChanges, let origin = package.origin, isOrigin(existing, origin) else { return }
    let changes = existing.differences(from: origin)
    guard changes.isEmpty else { throw FerryError(.package(.changed(changes))) }
  }

  private func isOrigin(_ existing: PackageListing, _ origin: PackageListing) -> Bool {
    origin.path == existing.path || origin.folder.stamp.isSameFile(as: existing.folder.stamp)
  }

  // MARK: Files

  private func fill(
    _ folder: String, with package: DocumentPackage, over existing: PackageListing?
  ) throws(FerryError) {
    var made: Set<PackagePath> = []
    for (path, entry) in package.entries.sorted(by: { $0.key < $1.key }) {
      do throws(FerryError) {
        for parent in path.folders where made.insert(parent).inserted {
          try SystemPath.makeNewFolder("\(folder)/\(parent.text)")
        }
        let newPath = "\(folder)/\(path.text)"
        switch entry {
        case .folder: if made.insert(path).inserted { try SystemPath.makeNewFolder(newPath) }
        case .link(let target): try SystemPath.makeLink(newPath, to: target)
        case .file(let file): try put(file, at: newPath, over: existing?.file(at: path))
        }
      } catch {
        // The folder was empty, so this file system does not distinguish two of the names.
        guard error.reason == .file(.exists) else { throw error }
        throw FerryError(
          .package(.badName(path.text, "the file system takes it for another name of the package")))
      }
    }
    guard let existing else { return }
    // Inner folders come first: once a folder gets a read-only mode, nothing can be added to it.
    for path in made.sorted().reversed() {
      if case .folder(let status)? = existing.entries[path] {
        try SystemPath.take(status, for: "\(folder)/\(path.text)")
      }
    }
    try SystemPath.take(existing.folder, for: folder)
  }

  /// Adds a file to the new package, as a hard link to the old file if it is unchanged.
  private func put(_ file: PackagedFile, at path: String, over old: PackagedFile.FileOnDisk?)
    throws(FerryError)
  {
    var onDisk = file.onDisk
    if let old {
      if try isUnchanged(file, from: old) {
        if means.contains(.links), try SystemPath.addName(path, to: old.path) {
          return try check(path, isStill: old)
        }
        onDisk = old
      } else {
        try FileOutput.checkWritable(old.path)
      }
    }
    if let bytes = try file.bytesApart() {
      let output = try SystemFile(creating: path, mode: 0o666)
      try output.write(bytes.span)
      if let old = onDisk ?? old {
        output.takeAttributes(of: old.path)
        try output.take(mode: old.mode)
      }
      try finish(output, as: onDisk)
    } else if let onDisk {
      let input = try onDisk.open()
      let output = try SystemFile(creating: path, mode: 0o600)
      try input.forEachChunk { chunk throws(FerryError) in try output.write(chunk) }
      try onDisk.check(input)
      output.takeAttributes(of: onDisk.path)
      try output.take(mode: onDisk.mode)
      try finish(output, as: onDisk)
    }
  }

  /// Throws if a hard link refers to another file than the intended one, because the old file was replaced
  /// meanwhile.
  private func check(_ path: String, isStill old: PackagedFile.FileOnDisk) throws(FerryError) {
    guard try SystemPath.status(of: path, followingLinks: false)?.stamp == old.stamp else {
      throw FerryError(.package(.changed([old.name])))
    }
  }

  /// Closes a file. A copy of an unchanged file gets the old time stamp. If the package replaces another, the
  /// file is flushed to disk first.
  private func finish(_ output: consuming SystemFile, as onDisk: PackagedFile.FileOnDisk?) throws(FerryError)
  {
    if let onDisk { try output.take(modified: onDisk.stamp.modified) }
    if isReplacing { try output.sync() }
    try output.close()
  }

  /// Returns true if a file equals that of the old package: it was read from there, or has the same bytes.
  private func isUnchanged(_ file: PackagedFile, from old: PackagedFile.FileOnDisk) throws(FerryError) -> Bool
  {
    if let onDisk = file.onDisk { return onDisk.stamp == old.stamp }
    guard file.size == old.stamp.size, let bytes = try file.bytesApart(), bytes.count == old.stamp.size else {
      return false
    }
    return try PackagedFile(at: old).bytes() == bytes
  }
}

extension PackageListing {
  /// Returns a file of the package on disk.
  func file(at path: PackagePath) -> PackagedFile.FileOnDisk? {
    guard case .file(let stamp, let mode)? = entries[path] else { return nil }
    return PackagedFile.FileOnDisk(
      path: "\(self.path)/\(path.text)", stamp: stamp, mode: mode, name: path.text, sizeLimit: .max)
  }
}
