import ArgumentParser
import Ferry

/// `ferry merge`: merges two changed versions of a document.
struct MergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Merge two changed versions of a document, record by record.",
    discussion: """
      A change on one side is taken. If both sides changed the same value differently, that is a conflict: Ferry reports its \
      path, writes nothing and exits with status 1, unless --favor says which side to take. The versions may have different \
      formats; the result has the format of OURS, unless --to or the extension of -o, if it is not that of OURS, sets another. In packages, an image is \
      merged with the record that names it, other files by their names.

        ferry merge base.pplgrp ours.pplgrp theirs.pplgrp -o merged.pplgrp
        ferry merge base.json ours.json theirs.json --key email --report c.json
        ferry merge Base.mystuff Ours.mystuff Theirs.mystuff -o Ours.mystuff --force

      As git's merge driver, with "*.pplgrp merge=ferry" in .gitattributes (see Documentation/Merging.md):

        git config merge.ferry.driver "ferry merge --git=%P --markers=%L %O %A %B"
      """)

  @Argument(
    help: "The common base version (an empty file or folder, if there is none).",
    completion: .file())
  var base: String

  @Argument(help: "Our version.", completion: .file())
  var ours: String

  @Argument(help: "Their version.", completion: .file())
  var theirs: String

  @OptionGroup var output: OutputOptions
  @OptionGroup var key: RecordKeyOptions

  @Option(
    name: .long, help: ArgumentHelp("Take this side in conflicts: ours or theirs.", valueName: "side"))
  var favor: FavoredSide?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Write the conflicts, with the values of each version, to this file as JSON (- for the standard output, with -o FILE or --git).",
      valueName: "file"))
  var report: String?

  @OptionGroup var overwriting: OverwriteOptions

  @Option(
    name: .long,
    help: ArgumentHelp(
      """
      Run as git's merge driver for the file of this name: write to OURS, take our side in conflicts, and write these to \
      NAME.conflicts.json (or --report).
      """, valueName: "name"))
  var git: String?

  @Option(
    name: .customLong("markers"),
    help: ArgumentHelp(
      """
      With --git, the size of git's conflict markers. From 9 on, git merges two bases of a merge: conflicts are not reported, and no \
      file has them.
      """, valueName: "n"))
  var markerSize: Int?

  @OptionGroup var input: InputOptions
  @OptionGroup var encoding: EncodingOptions
  @OptionGroup var format: FormatOptions
  @OptionGroup var schema: SchemaOptions
  @OptionGroup var versions: VersionOptions
  @OptionGroup var types: TypeOptions
  @OptionGroup var quiet: QuietOptions
  @OptionGroup var errorOutput: ErrorOptions
  @OptionGroup(title: BudgetOptions.title) var limits: BudgetOptions

  func validate() throws {
    try types.checkOnlyFile()
    // Git gives the name of the document as it is, and temporary files for its versions.
    try ProcessArguments.current.validate(except: git.map { [$0, "--git=\($0)"] } ?? [])
    guard git == nil || output.file == nil && format.written == nil else {
      throw ValidationError("-o and --to cannot be used with --git, which writes to OURS")
    }
    try output.checkKind(mayBeZIP: format.written == nil)
    guard git != nil || markerSize == nil else { throw ValidationError("--markers needs --git") }
    guard [base, ours, theirs].count(where: { $0 == "-" }) <= 1 else {
      throw ValidationError("only one of the versions can be the standard input")
    }
    try validateReport()
    if let target { try WrittenFormat.check(target) }
  }

  /// Throws if the report would be on the standard output with the result, or has no name.
  private func validateReport() throws {
    guard let report else { return }
    guard
      !FileOutput.isStandardOutput(report) || git != nil
        || output.file.map(FileOutput.isStandardOutput) == false
    else {
      throw ValidationError("--report - needs -o FILE: the result goes to the standard output")
    }
    try OptionFile.checkOutput(report, of: "--report")
  }

  /// The files that options name and the command reads.
  private var filesOfOptions: [OptionFile] {
    [schema.file].compactMap { $0 } + types.optionFiles
  }

  /// The requested format. An output with the extension of OURS has the format of OURS, because several formats may
  /// have this extension.
  var target: Format? {
    if let format = format.format { return format }
    guard let file = output.file, !DocumentTypes.haveSameExtension(file, ours) else { return nil }
    return Format.ofFile(named: file)
  }

  func run() throws {
    let versions = [base, ours, theirs]
    try RunOutputs.checkReadsNone(of: versions, among: types.load())
    if let report {
      try ReportFile(path: report).check(
        inputs: MergeSide.allCases.map(file(of:)), outputs: [output.file].compactMap { $0 },
        options: filesOfOptions)
    }
    try NamedError.naming(output: output.file ?? "-") { () throws(FerryError) in
      try output.checkReplacesNone(of: [], filesOfOptions)
      for version in versions { try RunOutputs.check(resultPath, isOutside: version) }
    }
    let isHidden = quiet.isQuiet || git != nil
    let isDecided = try ProgressLine.showing(of: versions, work: "merging", isHidden: isHidden) {
      progress throws in try merge(progress)
    }
    guard isDecided else { throw ExitCode.failure }
  }

  /// Merges. Returns false if there are undecided conflicts.
  private func merge(_ progress: ProgressLine?) throws -> Bool {
    var merge = DocumentMerge()
    (merge.schema, merge.matchesSchemas) = (try schema.load(), schema.matches)
    (merge.key, merge.favored, merge.source) = (key.field, favor ?? .ours, input.format)
    merge.readsNewerVersions = versions.allowsNewer
    merge.budget = limits.budget
    let types = try types.load()
    merge.declaredFormats = types.declaredFormats
    if let type = try packageType(types) {
      merge.type = type
      return try mergePackages(merge, types)
    }
    // Ferry's own schemas are matched by content.
    if let type = types.declaredType(ofDocument: git ?? ours) { merge.type = type }
    return try mergeFiles(merge, types, progress)
  }

  private func mergeFiles(
    _ merge: DocumentMerge, _ types: DocumentTypes, _ progress: ProgressLine?
  ) throws(NamedError) -> Bool {
    if let replacedPath, !Folder.isFileOrFolder(replacedPath) {
      throw NamedError(name: replacedPath, error: FerryError(.document(.neitherFileNorFolder)))
    }
    // The streams are read before the lock is taken, because the program that writes to a pipe may need the
    // lock.
    var streams: [MergeSide: EncodedFile] = [:]
    for side in MergeSide.allCases where isStream(side) {
      streams[side] = try encodedFile(of: side, types, progress)
    }
    let edit = try edit(types)
    func file(of side: MergeSide) throws(NamedError) -> EncodedFile {
      if let file = streams[side] { file } else { try encodedFile(of: side, types, progress) }
    }
    let oursFile = try file(of: .ours)
    let ours = try read(.ours, oursFile.contents, merge, as: nil)
    let theirs = try read(.theirs, file(of: .theirs).contents, merge, as: ours)
    let baseBytes = try file(of: .base).contents
    // Git passes an empty file if both sides have added the document.
    let base = baseBytes.isEmpty ? nil : try read(.base, baseBytes, merge, as: ours)
    let result = try naming { () throws(MergeError) in
      try merge.merge(base: base, ours: ours, theirs: theirs)
    }
    let losses = LossReport()
    losses.add(result.losses)
    return try finish(result.conflicts.map { line($0) } + result.textConflicts.map { line($0) }, losses) {
      output throws(FerryError) in
      try result.writeReport(to: output)
    } writing: { () throws(NamedError) in
      // The result is the base of another merge. The value of one side would decide the conflict for that merge.
      let hasConflicts = !result.conflicts.isEmpty || !result.textConflicts.isEmpty
      if isOfBases, hasConflicts, favor == nil { return try writeBase(in: edit) }
      try write(result.bytes, over: ours, oursFile, merge.schema ?? ours.schema, losses, in: edit)
    }
  }

  /// Returns true if a version comes through a pipe, and not from a file or folder.
  func isStream(_ side: MergeSide) -> Bool {
    file(of: side) == "-" || !Folder.isFileOrFolder(file(of: side))
  }

  /// The path of the version that the result replaces; nil if the result replaces no version.
  private var replacedPath: String? {
    guard let path = git == nil ? output.file : ours, isReplacing,
      MergeSide.allCases.contains(where: { Folder.isSame(file(of: $0), path) })
    else { return nil }
    return path
  }

  /// Returns the edit of the version that the result replaces; nil if it replaces none.
  func edit(_ types: DocumentTypes) throws(NamedError) -> InPlaceEdit? {
    guard let path = replacedPath else { return nil }
    return try NamedError.naming(path) { () throws(FerryError) in try InPlaceEdit(of: path, among: types) }
  }

  /// Runs a function, and adds the file name of the version to its error.
  func naming<Result>(_ body: () throws(MergeError) -> Result) throws(NamedError) -> Result {
    do throws(MergeError) {
      return try body()
    } catch {
      throw NamedError(name: name(of: error.side), error: error.error)
    }
  }

  /// Reports conflicts, and writes the result unless they prevent it. Returns true if it was written.
  func finish(
    _ conflicts: [String], _ losses: LossReport, report: (any ByteOutput) throws(FerryError) -> Void,
    writing write: () throws(NamedError) -> Void
  ) throws(NamedError) -> Bool {
    let isDecided = conflicts.isEmpty || favor != nil
    // Only git sees the result, which is the base of its next merge.
    guard !isOfBases else {
      try write()
      return isDecided
    }
    let hasReport = self.report != nil || !conflicts.isEmpty
    if let reportPath, hasReport { try writeReport(to: reportPath, report) }
    if isDecided || git != nil {
      try write()
      // The report on an earlier merge of this file would show conflicts that no longer exist.
      if let reportPath, !hasReport { DocumentMerge.removeReport(at: reportPath) }
      if !quiet.isQuiet { StandardError.write(losses.all, of: conflicted) }
    }
    say(conflicts)
    return isDecided
  }

  // MARK: Versions

  func file(of side: MergeSide) -> String {
    switch side {
    case .base: base
    case .ours: ours
    case .theirs: theirs
    }
  }

  /// Returns the name of a version in messages. The user does not know the names of git's temporary files.
  func name(of side: MergeSide) -> String { git.map { "\($0) (\(side.rawValue))" } ?? file(of: side) }

  private func encodedFile(
    of side: MergeSide, _ types: DocumentTypes, _ progress: ProgressLine?
  ) throws(NamedError) -> EncodedFile {
    try NamedError.naming(name(of: side)) { () throws(FerryError) in
      let name = git ?? file(of: side)
      let version = try progress.open(file(of: side))
      let zipped = try types.zippedPackage(
        in: version, named: name, from: input.format, budget: limits.budget)
      guard zipped == nil else { throw FerryError(.package(.onlyWithPackages)) }
      return try EncodedFile(
        version.readAll(), named: name, format: input.format, declared: types.declaredFormats,
        encoding: encoding.name, budget: limits.budget)
    }
  }

  private func read(
    _ side: MergeSide, _ bytes: [UInt8], _ merge: DocumentMerge, as ours: DocumentMerge.Version?
  ) throws(NamedError) -> DocumentMerge.Version {
    try NamedError.naming(name(of: side)) { () throws(FerryError) in
      try merge.read(bytes, named: git ?? file(of: side), as: ours)
    }
  }

  // MARK: The result

  private func write(
    _ bytes: [UInt8], over ours: DocumentMerge.Version, _ stored: EncodedFile, _ schema: Schema?,
    _ losses: LossReport, in edit: InPlaceEdit?
  ) throws(NamedError) {
    let path = resultPath
    var (bytes, format) = (bytes, ours.fileFormat)
    if git == nil, let target, target != format {
      var conversion = Conversion(to: target)
      if format != ours.format, target.hasTypedForm { conversion.writing.representation = .typed }
      (conversion.reading.format, conversion.reading.schema) = (format, schema)
      conversion.reading.budget = limits.budget
      let converted = try NamedError.naming(output: path) { () throws(FerryError) in
        do throws(FerryError) {
          return try conversion.convert(bytes)
        } catch {
          // The user never sees the merged bytes, so a location in them would not help.
          throw FerryError(error.reason, path: error.path)
        }
      }
      (bytes, format) = (converted.bytes, target)
      losses.add(converted.report.losses)
    }
    try check(bytes, format, over: ours)
    guard format == ours.fileFormat else {
      try NamedOutput.put(contents: bytes, at: path, replacing: isReplacing, in: edit)
      return try writeNote(on: bytes, format, at: path)
    }
    let merged = bytes
    bytes = try NamedError.naming(output: path) { () throws(FerryError) in
      if git != nil { return try stored.bytes(with: merged) }
      return try stored.bytes(with: merged, forCopyNamed: path)
    }
    try NamedOutput.put(stored: bytes, at: path, replacing: isReplacing, in: edit)
  }

  /// Writes a note if the result has the name of a file in another format than that of `--to`.
  private func writeNote(on bytes: [UInt8], _ format: Format, at path: String) throws(NamedError) {
    guard path != "-", self.format.format != nil, !quiet.isQuiet,
      let note = try types.load().note(onName: path, of: format, contents: bytes)
    else { return }
    StandardError.write([note], of: path)
  }

  /// Writes the base over our version, as git's driver for binary files does if it merges bases.
  private func writeBase(in edit: InPlaceEdit?) throws(NamedError) {
    let bytes = try NamedError.naming(name(of: .base)) { () throws(FerryError) in
      try FileInput(path: base).readAll()
    }
    try NamedOutput.put(stored: bytes, at: resultPath, replacing: true, in: edit)
  }

  /// Throws if the document type of the result does not allow its format or its records. Records that our version, which
  /// the result replaces, has already are allowed.
  private func check(
    _ bytes: [UInt8], _ format: Format, over ours: DocumentMerge.Version
  ) throws(NamedError) {
    let (types, path) = (try types.load(), git ?? resultPath)
    let replacesOurs = git != nil || Folder.isSame(path, self.ours)
    try NamedError.naming(path) { () throws(FerryError) in
      if !replacesOurs, self.format.format == nil {
        try types.checkName(path, forCopyOf: self.ours, in: format)
      }
      guard let type = types.claiming(path, format) else { return }
      if replacesOurs, (try? type.check(ours.fileBytes)) == nil { return }
      try type.check(bytes)
    }
  }

  /// The path of the result: git takes it from our version.
  var resultPath: String { git == nil ? output.file ?? "-" : ours }

  /// True to replace an existing file.
  var isReplacing: Bool { overwriting.force || git != nil }

  /// True if git merges the bases of two versions, which have several common ancestors. Its conflict markers are longer then by 2, or
  /// by more if these have several, too; by 1 they are longer if both sides renamed a file.
  private var isOfBases: Bool { git != nil && (markerSize ?? 0) >= Self.ordinaryMarkerSize + 2 }

  /// The size of git's conflict markers.
  private static let ordinaryMarkerSize = 7

  private var reportPath: String? { report ?? git.map { "\($0).conflicts.json" } }

  private func writeReport(
    to path: String, _ report: (any ByteOutput) throws(FerryError) -> Void
  ) throws(NamedError) {
    let output = MemoryOutput()
    try NamedError.naming(output: path) { () throws(FerryError) in try report(output) }
    try NamedOutput.put(contents: output.bytes, at: path, replacing: true)
  }

  /// The greatest number of listed conflicts.
  private static let listed = 100

  /// The name of the document in messages about conflicts.
  var conflicted: String { git ?? ours }

  /// Returns the line for a conflict.
  func line(_ conflict: MergeConflict) -> String { "\(conflicted): conflict at \(conflict)" }

  /// Returns the line for a conflict of the text alone.
  func line(_ conflict: TextConflict) -> String {
    "\(conflicted): conflict in the text of line \(conflict)"
  }

  private func say(_ conflicts: [String]) {
    guard !conflicts.isEmpty else { return }
    let name = conflicted
    if !quiet.isQuiet { conflicts.prefix(Self.listed).forEach(StandardError.write) }
    if conflicts.count > Self.listed {
      StandardError.write(
        "\(name): … and \(conflicts.count - Self.listed) more (--report FILE has all of them)")
    }
    let count = conflicts.count == 1 ? "1 conflict" : "\(conflicts.count) conflicts"
    if let favor {
      StandardError.write("\(name): \(count), decided for \(favor.rawValue)")
    } else if git != nil {
      StandardError.write("\(name): \(count); the file has our side, and \(reportPath ?? "") has both")
    } else {
      StandardError.write(
        "\(name): \(count), so nothing was written (--favor ours or --favor theirs decides)")
    }
  }
}
