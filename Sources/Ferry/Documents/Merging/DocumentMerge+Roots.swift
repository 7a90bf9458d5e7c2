// Merges of archives of which one has a dictionary as its only root where another has several roots.
//
//     base {$top: {State: @1, version: 5}}        theirs {$top: {root: {State: @1, version: 5}}}
//
// Their values are equal, but programs cannot read the one as the other.

extension DocumentMerge {
  /// Returns the conflict between the roots of two archives if one side has changed them, and the other has changed values. Returns nil if
  /// there is none.
  ///
  /// - Throws: A `MergeError` with the reason `DocumentProblem.archiveRoots` if the archives are files of a ZIP archive.
  func rootConflict(of versions: MergedVersions) throws(MergeError) -> MergeConflict? {
    let (base, ours, theirs) = (versions.base, versions.ours, versions.theirs)
    for path in ours.archiveEntries.paths {
      let entries = versions.all.map(\.archiveEntries).filter { $0[path] != nil }
      let only = entries.map { $0.hasOnlyRoot(at: path) }
      guard only.contains(true), only.contains(false), theirs.archiveEntries[path] != nil else { continue }
      let (mine, others) = (ours.rooted(at: path), theirs.rooted(at: path))
      let old = base.flatMap { $0.archiveEntries[path] == nil ? nil : $0.rooted(at: path) }
      // A side that has changed nothing takes the archive of the other.
      guard mine.hasOnlyRoot != others.hasOnlyRoot, !mine.isSame(as: old), !others.isSame(as: old) else {
        continue
      }
      let roots = path.appending(.key("$top"))
      guard path.isEmpty else {
        throw MergeError(side: .theirs, error: FerryError(.document(.archiveRoots), path: roots))
      }
      func names(_ version: Version) -> Value { .string(version.archiveEntries.rootNames(at: path)) }
      return MergeConflict(path: roots, base: base.map(names), ours: names(ours), theirs: names(theirs))
    }
    return nil
  }

  /// Throws if the archives in the merged file have other roots than those of the side that has changed them.
  func checkRoots(of bytes: [UInt8], by file: MergedFile) throws(MergeError) {
    let all = file.versions.all.map(\.archiveEntries)
    guard all.contains(where: { entries in entries.paths.contains { !entries.hasOnlyRoot(at: $0) } })
    else { return }
    let (ours, theirs) = (file.ours.archiveEntries, file.theirs.archiveEntries)
    let base = file.base?.archiveEntries ?? ArchiveEntries()
    let found = try MergeError.of(.ours) { () throws(FerryError) in
      try archiveEntries(in: bytes, of: file.ours)
    }
    for path in found.paths where ours[path] != nil && theirs[path] != nil {
      let (mine, others) = (ours.hasOnlyRoot(at: path), theirs.hasOnlyRoot(at: path))
      let isChangedByTheirs = base[path] != nil && base.hasOnlyRoot(at: path) == mine
      guard found.hasOnlyRoot(at: path) != (isChangedByTheirs ? others : mine) else { continue }
      throw MergeError(
        side: .theirs,
        error: FerryError(.document(.archiveRoots), path: path.appending(.key("$top"))))
    }
  }

  /// Returns the file of the favored side in the format of ours, and its value.
  func favoredFile(of versions: MergedVersions) throws(MergeError) -> (bytes: [UInt8], value: Value) {
    let (ours, theirs) = (versions.ours, versions.theirs)
    guard favored == .theirs else { return (ours.fileBytes, ours.value) }
    let bytes = try MergeError.of(.theirs) { () throws(FerryError) in
      var bytes = theirs.bytes
      if theirs.format != ours.format {
        var conversion = Conversion(to: ours.format)
        conversion.writing.representation = .raw
        (conversion.reading.format, conversion.reading.budget) = (theirs.format, budget)
        bytes = try conversion.convert(bytes).bytes
      }
      return try DescribingTextEdit(files(for: ours), ours, describing: bytes)?.changed(LossReport()) ?? bytes
    }
    return (bytes, theirs.value)
  }
}

extension MergedVersions {
  /// True if theirs has an archive with other roots than ours and the base.
  var haveTheirRoots: Bool {
    guard let base else { return false }
    let whole = ValuePath()
    let old = base.archiveEntries.hasOnlyRoot(at: whole)
    return ours.archiveEntries.hasOnlyRoot(at: whole) == old
      && theirs.archiveEntries.hasOnlyRoot(at: whole) != old
  }
}

/// An archive in a version.
private struct RootedArchive {
  let value: Value?
  let entries: KeyedValues?
  let hasOnlyRoot: Bool

  func isSame(as other: RootedArchive?) -> Bool {
    guard let other, let value, let others = other.value, hasOnlyRoot == other.hasOnlyRoot else {
      return false
    }
    return SharedComparison.areSame(value, others)
      && Value.dictionary(entries ?? KeyedValues()).isSame(as: .dictionary(other.entries ?? KeyedValues()))
  }
}

extension RecordDocument {
  /// Returns the archive at a path, which is that of a file in a ZIP archive, or empty.
  fileprivate func rooted(at path: ValuePath) -> RootedArchive {
    RootedArchive(
      value: value.part(at: path.steps[...]), entries: archiveEntries[path],
      hasOnlyRoot: archiveEntries.hasOnlyRoot(at: path))
  }
}
