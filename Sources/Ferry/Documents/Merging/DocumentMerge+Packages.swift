// Documents that are packages: their records are merged as those of any document, and their other files with the records
// that name them, or by their names.

extension DocumentMerge {
  /// A version that is a package, with its records read.
  public struct PackageVersion: Sendable {
    let package: Package
    let records: Version
  }

  /// What came of a merge of packages.
  public struct PackageResult: Sendable {
    /// The merged package: our version, changed. It is written as one, so that what stays as it is is not written again.
    public let package: Package
    /// The places in records that both sides have changed, each in its own way.
    public let conflicts: [MergeConflict]
    /// The places in the text of the records that both sides have changed, each in its own way, while their values agree.
    public let textConflicts: [TextConflict]
    /// The files that both sides have changed, each in its own way.
    public let fileConflicts: [FileConflict]
  }

  /// Reads a version that is a package of `type`: ours, or another in the shape of ours. A package with nothing in it is no
  /// version, which a base may be.
  ///
  /// - Throws: `PackageProblem.notAPackage` when that is not what documents of the type are, `noMainFile`; what is wrong with
  ///   the records, with its place.
  public func read(_ package: Package, as ours: PackageVersion? = nil) throws(Failure) -> PackageVersion {
    guard let main = type?.mainName else { throw Failure(.package(.notAPackage)) }
    guard let bytes = try package.bytes(of: main) else { throw Failure(.package(.noMainFile(main))) }
    return PackageVersion(package: package, records: try read(bytes, named: main, as: ours?.records))
  }

  /// Merges two versions of a package and the one that both began with; nil when they began with nothing.
  ///
  ///     var merge = DocumentMerge()
  ///     merge.type = .things
  ///     let ours = try merge.read(Package(reading: "Ours.mystuff"))
  ///     let theirs = try merge.read(Package(reading: "Theirs.mystuff"), as: ours)
  ///     try merge.merge(base: nil, ours: ours, theirs: theirs).package.write(to: "Both.mystuff")
  ///
  /// A file that a record names is a part of the record. Two of one name are both kept, and the record of theirs gets the new
  /// name. Other files are merged by their names, and are never read but to compare those of one size.
  ///
  /// - Throws: which version is at fault, and how.
  public func merge(
    base: PackageVersion?, ours: PackageVersion, theirs: PackageVersion, losses: LossReport = LossReport()
  ) throws(MergeFailure) -> PackageResult {
    guard let type, case .package(let main, _, let files) = type.layout else {
      throw MergeFailure(side: .ours, failure: Failure(.package(.notAPackage)))
    }
    let mainPath = PackagePath(main)
    let versions = PackageVersions(
      base: base?.package, ours: ours.package, theirs: theirs.package, without: mainPath)
    let schema = ours.records.schema ?? theirs.records.schema
    let named = try FileFields(schema, named: files).map { fields throws(MergeFailure) in
      try FilesOfRecords(
        of: versions,
        [.base: base?.records.value, .ours: ours.records.value, .theirs: theirs.records.value]
          .compactMapValues { $0 },
        fields, usesArchiveKeys: ours.records.format.recordDialect.usesArchiveKeys,
        areKeys: mayTellRecordsApart(fields, schema))
    }
    func tagged(_ version: PackageVersion, _ side: MergeSide) -> Value {
      named?.tagging(version.records.value, of: side) ?? version.records.value
    }
    var merged = try mergeValues(
      base: base.map { tagged($0, .base) }, ours: tagged(ours, .ours), theirs: tagged(theirs, .theirs),
      ours.records, theirs.records)
    let loose = try LooseFiles(of: versions, winner: favored ?? .ours) { path, side in
      versions[side, path] != nil && named?.isNamed(path, side) != true
    }
    var package = ours.package.withEntries(loose.entries)
    // Nothing else can have the name.
    package.insert(.file(PackagedFile([])), at: mainPath)
    if let named { merged = try named.untagging(merged, placingFilesIn: &package) }
    let file = mergedFile(of: merged, base?.records, ours.records, theirs.records)
    let made = try MergeFailure.of(.ours) { () throws(Failure) in try file.make(losses: losses) }
    let version = [ours, theirs].first { $0.records.bytes == made.bytes }
    package.insert(version?.package.entries[mainPath] ?? .file(PackagedFile(made.bytes)), at: mainPath)
    return result(package, merged.conflicts, made.conflicts, named, loose.conflicts, versions)
  }

  /// Whether the field that names files may be the one that tells records apart.
  private func mayTellRecordsApart(_ fields: FileFields, _ schema: Schema?) -> Bool {
    let names = [fields.key, fields.archiveKey]
    if let key = key ?? schema?.record.key { return names.contains(key) }
    return names.contains(where: ValueMerge.usualKeys.contains)
  }

  /// The result, with conflicts in what they are about.
  private func result(
    _ package: Package, _ conflicts: [MergeConflict], _ textConflicts: [TextConflict],
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
