// Merging of packages. Records are merged as in any document, a file that a record names together with its
// record, and any other file by its name.

extension DocumentMerge {
  /// A version of a package, with its records read.
  public struct PackageVersion: Sendable {
    let package: DocumentPackage
    let records: Version
  }

  /// The result of merging packages.
  public struct PackageResult: Sendable {
    /// The merged package, based on our version. Write it to the path of our version, so that unchanged files
    /// are not written again.
    public let package: DocumentPackage
    /// The values in records that both sides have changed differently.
    public let conflicts: [MergeConflict]
    /// The parts of the text of the records' file that both sides have changed differently, although the
    /// values agree.
    public let textConflicts: [TextConflict]
    /// The files that both sides have changed differently.
    public let fileConflicts: [FileConflict]
    /// The data that was dropped when the file of the records was written anew.
    public internal(set) var losses = Losses()
  }

  /// Reads a version from a package of `type`. An empty package, which a base may be, becomes a version
  /// without records.
  ///
  /// - Parameters:
  ///   - package: The package.
  ///   - ours: Our version, which determines the shape of the records; nil if this is our version.
  /// - Throws: A `FerryError` with the reason `PackageProblem.notAPackage` if documents of the type are not packages, `noMainFile`; or an
  ///   error of the records with its source location.
  public func read(_ package: DocumentPackage, as ours: PackageVersion? = nil) throws(FerryError)
    -> PackageVersion
  {
    guard let type else { throw FerryError(.package(.notAPackage)) }
    let (bytes, main) = try type.records(of: package)
    var merge = self
    merge.declaredFormats = DeclaredFormats(ofAllFiles: type.format)
    return PackageVersion(package: package, records: try merge.read(bytes, named: main, as: ours?.records))
  }

  /// Merges two versions of a package with their common base.
  ///
  ///     var merge = DocumentMerge()
  ///     merge.type = .things
  ///     let ours = try merge.read(DocumentPackage(reading: "Ours.mystuff"))
  ///     let theirs = try merge.read(DocumentPackage(reading: "Theirs.mystuff"), as: ours)
  ///     try merge.merge(base: nil, ours: ours, theirs: theirs).package.write(to: "Both.mystuff")
  ///
  /// A file that a record names is merged with the record. If two such files have the same name but different
  /// contents, both are kept, and theirs gets a new name. Other files are merged by their names. Their bytes
  /// are read only if their sizes are equal.
  ///
  /// - Parameters:
  ///   - base: The common ancestor, or nil if the two versions have none.
  ///   - ours: Our version, which determines the format of the records.
  ///   - theirs: The other version.
  /// - Throws: A `MergeError` that names the version at fault.
  public func merge(
    base: PackageVersion?, ours: PackageVersion, theirs: PackageVersion
  ) throws(MergeError) -> PackageResult {
    let losses = LossReport()
    var result = try merged(base: base, ours: ours, theirs: theirs, losses)
    result.losses = losses.all
    return result
  }

  private func merged(
    base: PackageVersion?, ours: PackageVersion, theirs: PackageVersion, _ losses: LossReport
  ) throws(MergeError) -> PackageResult {
    guard let type, case .package(let main, _, let files) = type.layout else {
      throw MergeError(side: .ours, error: FerryError(.package(.notAPackage)))
    }
    let given = MergedVersions(base: base?.records, ours: ours.records, theirs: theirs.records)
    if let conflict = try rootConflict(of: given) {
      throw MergeError(side: .theirs, error: FerryError(.document(.archiveRoots), path: conflict.path))
    }
    let records = try comparable(given).listingDocuments
    let mainPath = PackagePath(main)
    let versions = PackageVersions(
      base: base?.package, ours: ours.package, theirs: theirs.package, without: mainPath)
    let named = try filesOfRecords(records, files, in: versions)
    func tagged(_ version: Version, _ side: MergeSide) -> Value {
      named?.tagging(version.value, of: side) ?? version.value
    }
    var values = valueMerge(of: records)
    values.removedColumns = removedColumns(of: records)
    var merged = try values.merge(
      base: records.base.map { tagged($0, .base) }, ours: tagged(records.ours, .ours),
      theirs: tagged(records.theirs, .theirs))
    let loose = try LooseFiles(of: versions, winner: favored.side) { path, side throws(MergeError) in
      guard versions[side, path] != nil else { return false }
      return try named?.decide(on: path, side) != true
    }
    var package = ours.package.withEntries(loose.entries)
    func putRecords(_ bytes: [UInt8]) throws(MergeError) {
      try check(bytes, of: type, since: ours.records.fileBytes)
      let version = [ours, theirs].first { $0.records.fileBytes == bytes }
      package.insert(version?.package.entries[mainPath] ?? .file(PackagedFile(bytes)), at: mainPath)
    }
    // Merged by references, the text would keep names of files that the result gives to other files.
    if named == nil, let merged = mergedByReferences(records, losses) {
      try putRecords(merged.bytes)
      return result(package, merged.conflicts, merged.textConflicts, nil, loose.conflicts, versions)
    }
    // The empty entry reserves the name, so that no other file gets it.
    package.insert(.file(PackagedFile([])), at: mainPath)
    var changed = records
    if let named {
      let (untagged, renamed) = try named.untagging(merged, addingFilesTo: &package)
      merged = untagged
      rename(&changed, to: renamed, in: &merged)
    }
    // A removed record has lost its files too.
    let columns = MergedColumns(of: changed, budget: budget)
    columns?.fillCells(of: &merged)
    let file = mergedFile(of: merged, changed, columns, undoing: nil)
    let (made, conflicts) = try made(by: file, losses)
    try putRecords(made.bytes)
    return result(package, merged.conflicts + conflicts, made.conflicts, named, loose.conflicts, versions)
  }

  /// Returns the files that the records of the versions name. Returns nil if records name no files.
  private func filesOfRecords(
    _ records: MergedVersions, _ files: String?, in versions: PackageVersions
  ) throws(MergeError) -> FilesOfRecords? {
    let schema = records.ours.schema ?? records.theirs.schema
    return try FileFields(schema, named: files).map { fields throws(MergeError) in
      try FilesOfRecords(
        of: versions,
        [.base: records.base?.value, .ours: records.ours.value, .theirs: records.theirs.value]
          .compactMapValues { $0 },
        fields, usesArchiveKeys: records.ours.format.recordDialect.usesArchiveKeys,
        areKeys: mayTellRecordsApart(fields, schema))
    }
  }

  /// Gives the texts of the versions, and their values in the result, the names that their files have in the result.
  private func rename(
    _ versions: inout MergedVersions, to renamed: [MergeSide: SharedObjects],
    in merged: inout ThreeWayMerge.Result
  ) {
    let ours = versions.ours
    for (side, new) in renamed {
      guard let old = versions[side], let version = renaming(old, side, to: new, in: merged, like: ours)
      else { continue }
      versions.replace(side, by: version)
      (merged.versions[side], merged.sharedVersions[side]) = (version.value, new)
    }
  }

  /// Returns a text of records in which files have the names that they have in the result, so that the new names do not count as
  /// changes of the other side. Returns nil for records that are not text, and if the text cannot be changed.
  private func renaming(
    _ version: Version, _ side: MergeSide, to new: SharedObjects, in merged: ThreeWayMerge.Result,
    like ours: Version
  ) -> Version? {
    let files = files(for: ours)
    guard version.fileFormat.isText, version.fileFormat == ours.fileFormat,
      let values = merged.pair(of: side, and: new),
      var bytes = files.editing(version, from: values.old, to: values.new)
    else { return nil }
    if let edit = DescribingTextEdit(files, version, describing: bytes) {
      guard let text = try? edit.changed(LossReport()) else { return nil }
      bytes = text
    }
    var merge = self
    merge.source = version.fileFormat
    return try? merge.read(bytes, as: ours)
  }

  /// Throws if the merged records are of another class than those of the type. Our version may have such records already.
  private func check(_ records: [UInt8], of type: DocumentType, since ours: [UInt8]) throws(MergeError) {
    try MergeError.of(.theirs) { () throws(FerryError) in
      if (try? type.check(ours)) != nil { try type.check(records) }
    }
  }

  /// Returns true if the field with the file names may also be the field that identifies records.
  private func mayTellRecordsApart(_ fields: FileFields, _ schema: Schema?) -> Bool {
    let names = [fields.key, fields.archiveKey]
    if let key = key ?? schema?.record.key { return names.contains(key) }
    return names.contains(where: ValueMerge.usualKeys.contains)
  }

  /// Returns the result, with each conflict listed under the records or the files that it concerns.
  private func result(
    _ package: DocumentPackage, _ conflicts: [MergeConflict], _ textConflicts: [TextConflict],
    _ named: FilesOfRecords?,
    _ loose: [FileConflict], _ versions: PackageVersions
  ) -> PackageResult {
    var records: [MergeConflict] = []
    var paths: Set<PackagePath> = []
    for conflict in conflicts {
      guard let (record, files) = named?.untagged(conflict) else {
        records.append(conflict)
        continue
      }
      if let record { records.append(record) }
      paths.formUnion(files)
    }
    paths.subtract(loose.map { PackagePath($0.path) })
    let files = loose + paths.map { FileConflict($0, of: versions) }
    return PackageResult(
      package: package, conflicts: records, textConflicts: textConflicts,
      fileConflicts: files.sorted { PackagePath($0.path) < PackagePath($1.path) })
  }
}
