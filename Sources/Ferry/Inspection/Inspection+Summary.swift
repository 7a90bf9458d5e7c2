extension Inspection {
  /// The combined results of inspecting many files.
  ///
  ///     var summary = Inspection.Summary()
  ///     for file in files { summary.add(try Inspection(reading: FileInput(path: file), named: file)) }
  ///     summary.classes["Person"]      // 12 objects in all
  public struct Summary: Hashable, Sendable {
    /// The number of inspected files.
    public private(set) var fileCount = 0
    /// The total number of bytes.
    public private(set) var byteCount = 0
    /// The number of files that could not be inspected.
    public var failedFileCount = 0
    /// The number of files of kinds that Ferry cannot read, by the kind's description.
    public var otherFiles = Tally<String>()
    /// The number of files by format.
    public private(set) var formats = Tally<Format>()
    /// The number of archives by the class of the archiver.
    public private(set) var archivers = Tally<String>()
    /// The number of objects in all archives.
    public private(set) var objectCount = 0
    /// The number of archives with cycles of objects.
    public private(set) var filesWithCycles = 0
    /// The maximum depth of all archives.
    public private(set) var depth = 0
    /// The number of objects by class.
    public private(set) var classes = Tally<String>()
    /// The number of files that contain objects of each class.
    public private(set) var filesOfClass = Tally<String>()
    /// The number of inspected files inside data values. Their contents are counted as contents of the outer
    /// files.
    public private(set) var nestedFiles = 0
    /// The number of files inside data values, by kind.
    public private(set) var blobs = Tally<FileKind>()
    /// The number of warnings by kind.
    public private(set) var warnings = Tally<Warning.Kind>()
    /// The number of files with each kind of warning.
    public private(set) var filesOfWarning = Tally<Warning.Kind>()

    /// Creates an empty summary.
    public init() {}

    /// Adds the inspection of a file.
    public mutating func add(_ inspection: Inspection) {
      fileCount += 1
      byteCount += inspection.byteCount
      formats.add(inspection.format)
      var (names, kinds): (Set<ExactString>, Set<Warning.Kind>) = ([], [])
      var hasCycles = false
      // Contents of nested files, at any depth, count as contents of the outer file.
      var waiting = [inspection]
      while let inspection = waiting.popLast() {
        if let archive = inspection.archive {
          if archive.hasArchiver { archivers.add(archive.archiver ?? "") }
          objectCount += archive.objectCount
          hasCycles = hasCycles || archive.cycles > 0
          depth = max(depth, archive.depth)
        }
        for type in (inspection.archive?.classes ?? []) + (inspection.values?.classes ?? []) {
          classes.add(type.name, count: type.count)
          names.insert(type.name)
        }
        blobs.add(inspection.blobs.counts)
        warnings.add(inspection.warnings.counts)
        for (kind, _) in inspection.warnings.counts.entries { kinds.insert(kind) }
        let nested = inspection.blobs.first.compactMap(\.inspection)
        nestedFiles += nested.count
        waiting += nested
      }
      if hasCycles { filesWithCycles += 1 }
      for name in names.sorted() { filesOfClass.add(name.string) }
      for kind in Warning.Kind.allCases where kinds.contains(kind) { filesOfWarning.add(kind) }
    }
  }
}
