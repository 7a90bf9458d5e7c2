extension Inspection {
  /// What is in many files together.
  ///
  ///     var summary = Inspection.Summary()
  ///     for file in files { summary.add(try Inspection(reading: FileInput(path: file), named: file)) }
  ///     summary.classes["Person"]      // 12 objects in all
  public struct Summary: Sendable {
    /// How many files were inspected.
    public private(set) var fileCount = 0
    /// Their bytes together.
    public private(set) var byteCount = 0
    /// How many could not be inspected.
    public var failures = 0
    /// Files of kinds that Ferry does not read, in words.
    public var otherFiles = Tally<String>()
    /// Files by format.
    public private(set) var formats = Tally<Format>()
    /// Archives by archiver.
    public private(set) var archivers = Tally<String>()
    /// Objects of all archives.
    public private(set) var objectCount = 0
    /// Archives in which objects lead to themselves.
    public private(set) var filesWithCycles = 0
    /// The greatest depth of any archive.
    public private(set) var depth = 0
    /// Objects by class.
    public private(set) var classes = Tally<String>()
    /// Files by the classes that occur in them.
    public private(set) var filesOfClass = Tally<String>()
    /// How many files inside data values were looked into. What they have is counted with the files that they are in.
    public private(set) var nestedFiles = 0
    /// Files inside data values, by kind.
    public private(set) var blobs = Tally<BlobKind>()
    /// Warnings by kind.
    public private(set) var warnings = Tally<Warning.Kind>()
    /// Files by the warnings that they have.
    public private(set) var filesOfWarning = Tally<Warning.Kind>()

    /// Of no files yet.
    public init() {}

    /// Adds a file.
    public mutating func add(_ inspection: Inspection) {
      fileCount += 1
      byteCount += inspection.byteCount
      formats.add(inspection.format)
      var (names, kinds): (Set<ExactString>, Set<Warning.Kind>) = ([], [])
      var hasCycles = false
      // What is inside a file is counted as the file's, as deep as files are inside each other.
      var waiting = [inspection]
      while let inspection = waiting.popLast() {
        if let archive = inspection.archive {
          archivers.add(archive.archiver ?? "")
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
