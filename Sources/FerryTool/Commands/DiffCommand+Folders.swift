import ArgumentParser
import Ferry

extension DiffCommand {
  /// The differences between the files of two folders.
  private struct FolderDifferences {
    /// The files that only one folder has, or that are compared by their bytes.
    var files: [ChangedFile] = []
    /// The lines about the files that are compared by their values.
    var text = ""
    /// A line of JSON for each file that differs.
    var lines: [String] = []
    var isSame = true
    /// True if the field that identifies records has matched those of no list in a file, although lists of records differ there.
    var isKeyUnused = false
    /// True if the field has matched records in a file.
    var isKeyUsed = false
  }

  /// The comparison of the files in two folders.
  private struct FolderComparison {
    let comparison: FileComparison
    let reading: FittedReading
    let types: DocumentTypes
    let progress: ProgressLine?
  }

  /// Compares the files with the same paths in two folders, and prints the differences.
  func compareFolders(
    _ old: String, _ new: String, _ comparison: FileComparison, _ types: DocumentTypes
  ) throws {
    guard !page.html else { throw ValidationError("--html compares two files, not folders") }
    let errors = RunErrors()
    let pairs = FilePair.all(
      in: old, new, patterns.choice, types, errors, isQuiet: quiet.isQuiet,
      leavingOut: RunOutputs([page.output.file]))
    if pairs.isEmpty, errors.all.isEmpty, !quiet.isQuiet { StandardError.write("no files to compare") }
    let inputs = pairs.flatMap { [$0.old, $0.new].compactMap(\.self) }
    let reading = FittedReading(comparison.reading, of: inputs)
    var found = FolderDifferences()
    ProgressLine.showing(of: inputs.map(\.path), isHidden: quiet.isQuiet) { progress in
      let folders = FolderComparison(
        comparison: comparison, reading: reading, types: types, progress: progress)
      // The first difference answers the question of a quiet run.
      for pair in pairs where !quiet.isQuiet || found.isSame {
        errors.collect { () throws(NamedError) in
          try compare(pair, in: folders, addingTo: &found)
        }
        for _ in pair.paths { progress?.finishFile() }
      }
    }
    if found.isKeyUnused, !found.isKeyUsed { reportUnusedKey() }
    errors.collect { () throws(NamedError) in try print(found, (old, new), pairs) }
    try errors.finish(.trouble)
    guard found.isSame else { throw ExitCode.failure }
  }

  /// Compares the files of a pair. Files of which one cannot be compared by its values are compared by their bytes.
  private func compare(
    _ pair: FilePair, in folders: FolderComparison, addingTo found: inout FolderDifferences
  ) throws(NamedError) {
    guard let old = pair.old, let new = pair.new else {
      return try add(pair, to: &found)
    }
    guard try !Self.haveEqualBytes(old.path, new.path) else { return }
    let reading = folders.reading
    let options = [reading.options(for: old), reading.options(for: new)]
    var comparison = folders.comparison
    comparison.refusesUnusedOptions = false
    comparison.reading = reading.all
    // Options that one of two formats has are for the file with this format.
    comparison.reading.csv = options[0].csv == CSVReadingOptions() ? options[1].csv : options[0].csv
    comparison.reading.encoding = options[0].encoding ?? options[1].encoding
    guard try isReadable(old, comparison.reading), try isReadable(new, comparison.reading) else {
      return try add(pair, to: &found)
    }
    let compared: Found
    do throws(NamedError) {
      compared = try compare(
        Versions(old: old.path, new: new.path), comparison, folders.types, folders.progress)
    } catch {
      guard old.isOfOtherKind(error.error) || new.isOfOtherKind(error.error) else { throw error }
      return try add(pair, to: &found)
    }
    try add(compared, of: pair, to: &found)
  }

  /// Returns true if a file has values to compare. An empty file is one of any format.
  private func isReadable(_ input: FoundInput, _ options: ReadingOptions) throws(NamedError) -> Bool {
    guard Folder.size(of: input.path) != 0 else { return true }
    do throws(FerryError) {
      try input.checkContents(options)
      return true
    } catch {
      guard input.isOfOtherKind(error) else { throw NamedError(name: input.path, error: error) }
      return false
    }
  }

  /// Returns true if two files have equal bytes. Packages, and databases with changes in a log, are always compared by their contents.
  private static func haveEqualBytes(_ old: String, _ new: String) throws(NamedError) -> Bool {
    guard !Folder.isFolder(old), !Folder.isFolder(new), Folder.size(of: old) == Folder.size(of: new) else {
      return false
    }
    /// Returns nil for a database with a log.
    func digest(of path: String) throws(NamedError) -> ContentDigest? {
      try NamedError.naming(path) { () throws(FerryError) in
        let input = try FileInput(path: path)
        return try input.hasLog() ? nil : ContentDigest(of: input)
      }
    }
    guard let first = try digest(of: old), let second = try digest(of: new) else { return false }
    return first == second
  }

  // MARK: Printing

  /// Adds a file that only one folder has, or whose bytes differ.
  private func add(_ pair: FilePair, to found: inout FolderDifferences) throws(NamedError) {
    func version(_ input: FoundInput?) -> ChangedFile.Version? {
      input.map { .file(size: Folder.size(of: $0.path) ?? 0) }
    }
    let file = ChangedFile(name: pair.name, old: version(pair.old), new: version(pair.new))
    found.isSame = false
    found.files.append(file)
    if json { found.lines.append(try Self.line(Self.entry(for: file))) }
  }

  /// Adds the differences between the values of two files.
  private func add(
    _ compared: Found, of pair: FilePair, to found: inout FolderDifferences
  ) throws(NamedError) {
    guard !compared.isSame else { return }
    found.isSame = false
    found.isKeyUnused = found.isKeyUnused || compared.differences.isKeyUnused
    found.isKeyUsed = found.isKeyUsed || compared.differences.isKeyUsed
    guard json else {
      if !quiet.isQuiet {
        found.text += text(compared.differences.all, compared.others, of: compared.versions.shownNames)
      }
      return
    }
    var entry: KeyedValues = ["file": .string(pair.name), "change": "changed"]
    if let patch = compared.patch {
      entry["patch"] = try NamedError.naming(pair.name) { () throws(FerryError) in
        try Value(reading: MemoryInput(patch.bytes), named: "patch.json")
      }
      if let reason = patch.untested {
        StandardError.write(
          ["the patch is for other programs, and is not tested: \(reason.advised)"],
          of: compared.versions.old)
      }
    }
    // The other files of a package.
    if !compared.others.isEmpty { entry["files"] = .array(compared.others.map(Self.entry)) }
    found.lines.append(try Self.line(.dictionary(entry)))
  }

  private static func entry(for file: ChangedFile) -> Value {
    var entry: KeyedValues = ["file": .string(file.name), "change": .string("\(file.change)")]
    for (version, prefix) in [(file.old, "old"), (file.new, "new")] {
      switch version {
      case .file(let size)?: entry["\(prefix)Size"] = .integer(Int128(size))
      case .link(let target)?: entry["\(prefix)Target"] = .string(target.text)
      case nil: break
      }
    }
    return .dictionary(entry)
  }

  /// Returns a value as a line of JSON.
  private static func line(_ value: Value) throws(NamedError) -> String {
    let line = MemoryOutput()
    try NamedError.naming(NamedOutput.standardName) { () throws(FerryError) in
      let writer = JSONWriter(to: line, style: .compact)
      try value.replay(into: writer)
      try writer.finish()
    }
    return String(decoding: line.bytes.dropLast(line.bytes.last == UInt8(ascii: "\n") ? 1 : 0), as: UTF8.self)
  }

  private func print(
    _ found: FolderDifferences, _ folders: (old: String, new: String), _ pairs: [FilePair]
  ) throws(NamedError) {
    guard !quiet.isQuiet, !found.isSame || page.output.file != nil else { return }
    var text = found.lines.map { $0 + "\n" }.joined()
    if !json {
      let names = (StandardError.inputName(folders.old), StandardError.inputName(folders.new))
      text = (found.files.isEmpty ? "" : self.text([], found.files, of: names)) + found.text
    }
    try page.write(showing: pairs.flatMap(\.paths), filesOfOptions) { output throws(FerryError) in
      try output.write(text.utf8.span)
    }
  }
}
