// Merges of the entries that archives have beside their objects, and of the names of their archivers.
//
//     base {$objects: […], extra: 1, more: "x"}      ours {…, extra: 2, more: "x"}      theirs {…, extra: 1, more: "y"}
//     merged {…, extra: 2, more: "y"}

extension DocumentMerge {
  /// Merges the entries that archives have beside their objects as those of dictionaries, and their archivers, and puts them into the merged
  /// file. Returns the conflicts.
  ///
  /// - Parameters:
  ///   - file: The maker of the merged file.
  ///   - bytes: The merged file, which may have the entries of any version.
  ///   - losses: Receives the entries of their version if the merged file has no archive in their place.
  /// - Throws: A `MergeError` with the reason `DocumentProblem.archiveEntries` if the file cannot be changed to have the merged entries.
  func mergeArchiveEntries(
    of file: MergedFile, in bytes: inout [UInt8], _ losses: LossReport
  ) throws(MergeError) -> [MergeConflict] {
    let versions = file.versions.all.map(\.archiveEntries)
    guard !versions.allSatisfy({ $0.isEmpty && $0.archivers == versions[0].archivers }) else { return [] }
    let found = try MergeError.of(.ours) { () throws(FerryError) in
      try archiveEntries(in: bytes, of: file.ours)
    }
    reportEntries(of: file, without: found, losses)
    var conflicts: [MergeConflict] = []
    var edits: [ArchiveEntryEdit] = []
    for path in found.paths {
      let current = found[path] ?? KeyedValues()
      let merged = try mergedEntries(of: file, at: path, &conflicts) ?? current
      edits += ArchiveEntryEdit.all(from: current, to: merged, at: path)
      let archiver = mergedArchiver(of: file, at: path, &conflicts)
      // In a ZIP archive, a file keeps the archiver that it has.
      if path.isEmpty, let archiver, found.archivers[path] != archiver {
        edits.append(ArchiveEntryEdit(ofArchiver: archiver))
      }
    }
    guard !edits.isEmpty else { return conflicts }
    try checkKeys(of: edits, file.theirs)
    let (start, editing) = (bytes, edits)
    bytes = try MergeError.of(.ours) { () throws(FerryError) in
      try applied(editing, to: start, of: file.ours)
    }
    return conflicts
  }

  /// Returns the merged name of the archiver of the archives at a path; nil if a side has no archive there.
  private func mergedArchiver(
    of file: MergedFile, at path: ValuePath, _ conflicts: inout [MergeConflict]
  ) -> String? {
    let base = file.base?.archiveEntries.archivers[path]
    guard let ours = file.ours.archiveEntries.archivers[path],
      let theirs = file.theirs.archiveEntries.archivers[path]
    else { return nil }
    if ours == theirs || theirs == base { return ours }
    if ours == base { return theirs }
    conflicts.append(
      MergeConflict(
        path: path.appending(ArchiveEntryEdit.archiver), base: base.map(Value.string), ours: .string(ours),
        theirs: .string(theirs)))
    return favored == .theirs ? theirs : ours
  }

  /// Throws if a key is not a string, which only damaged archives have. No path leads to its entry.
  private func checkKeys(of edits: [ArchiveEntryEdit], _ theirs: Version) throws(MergeError) {
    guard let edit = edits.first(where: { $0.key.stringValue == nil }) else { return }
    let side: MergeSide = theirs.archiveEntries[edit.archive]?[edit.key] == nil ? .ours : .theirs
    let problem = PropertyListProblem.keyIsNotString(found: edit.key.words)
    throw MergeError(side: side, error: FerryError(.propertyList(problem), path: edit.archive))
  }

  /// Returns the merged entries of the archives at a path; nil if neither side has an archive there.
  private func mergedEntries(
    of file: MergedFile, at path: ValuePath, _ conflicts: inout [MergeConflict]
  ) throws(MergeError) -> KeyedValues? {
    guard let ours = file.ours.archiveEntries[path] else { return file.theirs.archiveEntries[path] }
    guard let theirs = file.theirs.archiveEntries[path] else { return ours }
    var merge = ThreeWayMerge()
    merge.favored = favored
    merge.budget.depth = file.files.budget.depth
    let result = try merge.merge(
      base: file.base?.archiveEntries[path].map(Value.dictionary), ours: .dictionary(ours),
      theirs: .dictionary(theirs))
    for var conflict in result.conflicts {
      conflict.path = path.appending(conflict.path.steps[...])
      conflicts.append(conflict)
    }
    guard case .dictionary(let merged) = result.value else { return ours }
    return merged
  }

  /// Reports the entries that their version has added or changed in archives, if the merged file has no archives in their places.
  private func reportEntries(of file: MergedFile, without found: ArchiveEntries, _ losses: LossReport) {
    let theirs = file.theirs.archiveEntries
    for path in theirs.paths where found[path] == nil {
      for (key, value) in theirs[path] ?? KeyedValues()
      where file.base?.archiveEntries[path]?[key] != value {
        losses.add(.archiveEntry, path: path.appending(.key(key.stringValue ?? "")))
      }
    }
  }

  /// Returns the archives in the merged file, with their entries.
  func archiveEntries(in bytes: [UInt8], of ours: Version) throws(FerryError) -> ArchiveEntries {
    guard bytes != ours.bytes else { return ours.archiveEntries }
    return try files(for: ours).withoutSchema(in: nil).read(bytes, named: nil).archiveEntries
  }

  /// Returns a file with changed entries.
  private func applied(
    _ edits: [ArchiveEntryEdit], to bytes: [UInt8], of ours: Version
  ) throws(FerryError) -> [UInt8] {
    do throws(FerryError) {
      var options = EditableFile.Options()
      (options.representation, options.budget) = (.raw, budget)
      let file = try EditableFile(bytes, options: options)
      for edit in edits { try edit.apply(to: file) }
      let result = try file.bytes()
      let entries = try archiveEntries(in: result, of: ours)
      if edits.allSatisfy({ $0.isMade(in: entries) }) { return result }
    } catch {
      if case .overBudget = error.reason { throw error }
    }
    throw FerryError(.document(.archiveEntries), path: edits[0].path)
  }
}

/// A change of an entry that an archive has beside its objects.
private struct ArchiveEntryEdit {
  static let archiver = ValuePath.Step.key("$archiver")

  let archive: ValuePath
  let key: Value
  /// The values of the entry; nil if there is no entry.
  let old, new: Value?

  /// The path of the entry in the raw form.
  var path: ValuePath { archive.appending(.key(key.stringValue ?? "")) }

  private init(archive: ValuePath, key: Value, old: Value?, new: Value?) {
    (self.archive, self.key, self.old, self.new) = (archive, key, old, new)
  }

  /// Creates the change of the archiver of a file that is an archive.
  init(ofArchiver name: String) {
    self.init(archive: ValuePath(), key: .string("$archiver"), old: nil, new: .string(name))
  }

  /// True if the entry is the name of the archiver.
  private var isArchiver: Bool { path == ValuePath([Self.archiver]) }

  /// Returns the changes that make entries of an archive others.
  static func all(from old: KeyedValues, to new: KeyedValues, at archive: ValuePath) -> [Self] {
    let added = new.keys.filter { old[$0] == nil }
    return (old.keys + added).compactMap { key in
      guard !ValueMerge.areSame(old[key], new[key]) else { return nil }
      return Self(archive: archive, key: key, old: old[key], new: new[key])
    }
  }

  func apply(to file: EditableFile) throws(FerryError) {
    guard let new else {
      _ = try file.remove(at: path)
      return
    }
    if isArchiver {
      // A version has the name, also if other programs do not read archives of that archiver.
      var mode = file.currentChange.mode
      mode.checksObjects = false
      return try file.changing(by: mode) { () throws(FerryError) in try file.replace(with: new, at: path) }
    }
    if old != nil {
      // The entry keeps its position, unless the value has taken the type of the old one.
      if (try? file.replace(with: new, at: path)) != nil, let value = try? file.value(at: path),
        value.isSame(as: new)
      {
        return
      }
      _ = try file.remove(at: path)
    }
    _ = try file.insert(new, at: path)
  }

  func isMade(in entries: ArchiveEntries) -> Bool {
    guard !isArchiver else { return entries.archivers[archive].map(Value.string) == new }
    return ValueMerge.areSame(entries[archive]?[key], new)
  }
}
