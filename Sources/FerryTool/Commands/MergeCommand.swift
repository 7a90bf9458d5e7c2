import ArgumentParser
import Ferry

extension MergeSide: ExpressibleByArgument {
  /// Creates the side with a name; only the two that can be favored.
  public init?(argument: String) {
    guard Self.allValueStrings.contains(argument) else { return nil }
    self.init(rawValue: argument)
  }

  /// The names in help and completion.
  public static var allValueStrings: [String] { [MergeSide.ours, .theirs].map(\.rawValue) }
  public static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}

/// `ferry merge`: merges two changed versions of a document.
struct MergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Merge two changed versions of a document, record by record.",
    discussion: """
      A change on one side is taken. If both sides changed the same value differently, that is a conflict: Ferry reports its \
      path, writes nothing and exits with status 1, unless --favor tells which side to take. The versions may have different \
      formats; the result has that of OURS, unless --to or the extension of -o tells another. In packages, an image is merged \
      with the record that names it, other files by their names.

        ferry merge base.pplgrp ours.pplgrp theirs.pplgrp -o merged.pplgrp
        ferry merge base.json ours.json theirs.json --key email --report c.json
        ferry merge Base.mystuff Ours.mystuff Theirs.mystuff -o Ours.mystuff --force

      As git's merge driver, with "*.pplgrp merge=ferry" in .gitattributes (see Documentation/Merging.md):

        git config merge.ferry.driver "ferry merge --git %P %O %A %B"
      """)

  @Argument(
    help: "The common base version (an empty file or folder, if none).",
    completion: .file())
  var base: String

  @Argument(help: "Our version.", completion: .file())
  var ours: String

  @Argument(help: "Their version.", completion: .file())
  var theirs: String

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Write to this file or package instead of the standard output.", valueName: "file"),
    completion: .file())
  var output: String?

  @Option(
    name: .long,
    help: ArgumentHelp("The field that identifies a record, if the schema does not say.", valueName: "field"))
  var key: String?

  @Option(
    name: .long, help: ArgumentHelp("Take this side in conflicts: ours or theirs.", valueName: "side"))
  var favor: MergeSide?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Write the conflicts, with the values of each version, to this file as JSON.", valueName: "file"))
  var report: String?

  @Flag(name: .long, help: "Overwrite existing files.")
  var force = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      """
      Run as git's merge driver for the file of this name: write to OURS, take our side in conflicts, and write these to \
      NAME.conflicts.json (or --report).
      """, valueName: "name"))
  var git: String?

  @Option(
    name: .long,
    help: ArgumentHelp("The input format, if the content does not tell.", valueName: "format"))
  var from: Format?

  @Option(name: .long, help: ArgumentHelp("The output format.", valueName: "format"))
  var to: WrittenFormat?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The schema of the records: person, whatsit, item, a file, or none.", valueName: "schema"))
  var schema: String?

  @Flag(
    name: .customLong("allow-newer"),
    help: "Read records of a newer version than the schema describes.")
  var allowsNewer = false

  @OptionGroup var documents: TypeOptions

  @Flag(name: .shortAndLong, help: "Don't list conflicts, or data that could not be kept.")
  var quiet = false

  @OptionGroup(title: "Limits for untrusted input")
  var budget: BudgetOptions

  func validate() throws {
    guard git == nil || output == nil && to == nil else {
      throw ValidationError("-o and --to cannot be used with --git, which writes to OURS")
    }
    guard [base, ours, theirs].count(where: { $0 == "-" }) <= 1 else {
      throw ValidationError("only one of the versions can be the standard input")
    }
    try validateReport()
    if let target, !target.canWrite {
      throw ValidationError("writing \(target.rawValue) is not supported")
    }
  }

  /// Throws if the report would replace a version or the output.
  private func validateReport() throws {
    guard let report, report != "-" else { return }
    let files = MergeSide.allCases.map(file(of:)).filter { $0 != "-" } + (output.map { [$0] } ?? [])
    guard let name = files.first(where: { $0.equals(report) || Folder.isSame($0, report) }) else { return }
    throw ValidationError("--report would replace \(name); give another file")
  }

  /// The requested format.
  var target: Format? { to?.format ?? output.flatMap(Format.ofFile(named:)) }

  func run() throws {
    let schema = try InputOptions.loadSchema(schema)
    let isDone: Bool
    do throws(NamedError) {
      isDone = try merge(schema)
    } catch {
      guard error.failure.reason != .file(.brokenPipe) else { return }
      StandardError.write(error.line)
      throw ExitCode.failure
    }
    guard isDone else { throw ExitCode.failure }
  }

  /// Merges. Returns false if there are undecided conflicts.
  private func merge(_ schema: Schema?) throws(NamedError) -> Bool {
    let types = try documents.known()
    var merge = DocumentMerge()
    (merge.schema, merge.key, merge.favored, merge.source) = (schema, key, favor, from)
    merge.matchesSchemas = self.schema != InputOptions.noSchema
    merge.readsNewerVersions = allowsNewer
    merge.budget = budget.budget
    if Folder.isFolder(ours) {
      merge.type = try NamedError.naming(ours) { () throws(FerryError) in try types.type(ofPackage: ours) }
      return try mergePackages(merge, types)
    }
    // Ferry's own schemas are matched by content.
    if let type = types.type(ofFile: git ?? ours), !types.isBuiltIn(type) { merge.type = type }
    return try mergeFiles(merge, types)
  }

  private func mergeFiles(_ merge: DocumentMerge, _ types: DocumentTypes) throws(NamedError) -> Bool {
    // The streams are read before the lock is taken, because the writer of a pipe may need it.
    var streams: [MergeSide: [UInt8]] = [:]
    for side in MergeSide.allCases where isStream(side) { streams[side] = try self.bytes(of: side) }
    let edit = try edit(types)
    func bytes(of side: MergeSide) throws(NamedError) -> [UInt8] {
      if let bytes = streams[side] { bytes } else { try self.bytes(of: side) }
    }
    let ours = try read(.ours, bytes(of: .ours), merge, as: nil)
    let theirs = try read(.theirs, bytes(of: .theirs), merge, as: ours)
    let baseBytes = try bytes(of: .base)
    // Git passes an empty file if both sides have added the document.
    let base = baseBytes.isEmpty ? nil : try read(.base, baseBytes, merge, as: ours)
    let losses = LossReport()
    let result = try naming { () throws(MergeError) in
      try merge.merge(base: base, ours: ours, theirs: theirs, losses: losses)
    }
    return try finish(result.conflicts.map { line($0) } + result.textConflicts.map { line($0) }, losses) {
      output throws(FerryError) in
      try result.writeReport(to: output)
    } writing: { () throws(NamedError) in
      try write(result.bytes, ours.format, merge.schema ?? ours.schema, losses, in: edit)
    }
  }

  /// Returns true if a version comes through a pipe, and not from a file or folder.
  private func isStream(_ side: MergeSide) -> Bool {
    file(of: side) == "-" || !Folder.isFileOrFolder(file(of: side))
  }

  /// Returns the edit of the version that the result replaces; nil if it replaces none.
  func edit(_ types: DocumentTypes) throws(NamedError) -> InPlaceEdit? {
    guard let path = git == nil ? output : ours, git != nil || force,
      MergeSide.allCases.contains(where: { Folder.isSame(file(of: $0), path) })
    else { return nil }
    return try NamedError.naming(path) { () throws(FerryError) in try InPlaceEdit(of: path, among: types) }
  }

  /// Runs a function, and adds the file name of the version to its error.
  func naming<Result>(_ body: () throws(MergeError) -> Result) throws(NamedError) -> Result {
    do throws(MergeError) {
      return try body()
    } catch {
      throw NamedError(name: name(of: error.side), failure: error.failure)
    }
  }

  /// Reports conflicts, and writes the result unless they prevent it. Returns true if it was written.
  func finish(
    _ conflicts: [String], _ losses: LossReport, report: (any ByteOutput) throws(FerryError) -> Void,
    writing write: () throws(NamedError) -> Void
  ) throws(NamedError) -> Bool {
    let isDecided = conflicts.isEmpty || favor != nil
    if let reportPath, self.report != nil || !conflicts.isEmpty { try writeReport(to: reportPath, report) }
    if isDecided || git != nil {
      try write()
      if !quiet { StandardError.write(losses.all, of: conflicted) }
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

  /// Returns the name of a version for messages: git's temporary files have names that mean nothing to the
  /// user.
  func name(of side: MergeSide) -> String { git.map { "\($0) (\(side.rawValue))" } ?? file(of: side) }

  private func bytes(of side: MergeSide) throws(NamedError) -> [UInt8] {
    try NamedError.naming(name(of: side)) { () throws(FerryError) in
      try FileInput(path: file(of: side)).readAll()
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
    _ bytes: [UInt8], _ format: Format, _ schema: Schema?, _ losses: LossReport, in edit: InPlaceEdit?
  ) throws(NamedError) {
    let path = git == nil ? output ?? "-" : ours
    var bytes = bytes
    if git == nil, let target, target != format {
      var conversion = Conversion(to: target)
      conversion.schema = schema
      conversion.budget = budget.budget
      let converted = try NamedError.naming(output: path) { () throws(FerryError) in
        do throws(FerryError) {
          return try conversion.convert(bytes)
        } catch {
          // The merged bytes, in which the place is, are never shown.
          throw FerryError(error.reason, path: error.path)
        }
      }
      bytes = converted.bytes
      losses.add(converted.report.losses)
    }
    if git == nil, path != ours {
      let types = try documents.known()
      try NamedError.naming(path) { () throws(FerryError) in
        try types.claiming(path, target ?? format)?.check(bytes)
      }
    }
    try NamedOutput.put(bytes, at: path, replacing: force || git != nil, in: edit)
  }

  private var reportPath: String? { report ?? git.map { "\($0).conflicts.json" } }

  private func writeReport(
    to path: String, _ report: (any ByteOutput) throws(FerryError) -> Void
  ) throws(NamedError) {
    let output = MemoryOutput()
    try NamedError.naming(output: path) { () throws(FerryError) in try report(output) }
    try NamedOutput.put(output.bytes, at: path, replacing: true)
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
    if !quiet { conflicts.prefix(Self.listed).forEach(StandardError.write) }
    if conflicts.count > Self.listed {
      StandardError.write(
        "\(name): … and \(conflicts.count - Self.listed) more (--report FILE has all of them)")
    }
    let count = conflicts.count == 1 ? "1 conflict" : "\(conflicts.count) conflicts"
    if let favor {
      StandardError.write("\(name): \(count), decided for \(favor.rawValue)")
    } else if git != nil {
      StandardError.write("\(name): \(count), where the file has our side; both are in \(reportPath ?? "")")
    } else {
      StandardError.write(
        "\(name): \(count), so nothing was written (--favor ours or --favor theirs decides)")
    }
  }
}
