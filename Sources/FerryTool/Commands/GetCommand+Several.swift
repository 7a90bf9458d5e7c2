import ArgumentParser
import Ferry

// The values of several files: those in a folder, and those in a list.

extension GetCommand {
  /// The words after the numbers of files.
  private static let words = FolderRun.Words(
    done: (one: "has the value", several: "have the value"), noFiles: "no files to read")

  /// Throws if an option or an argument has no effect on several files.
  func checkSeveral() throws(ValidationError) {
    guard folder.areSeveral else { return }
    guard !bytes else {
      throw ValidationError("--bytes writes one value, and cannot be used with \(folder.option)")
    }
    // Only the contents of a file show if such an argument is an XPath.
    let xpaths = selected.filter(\.mayBeXPath)
    guard let xpath = xpaths.first else { return }
    if let question = questions.first, question != .count {
      throw ValidationError("\(question.option) takes a path, not an XPath")
    }
    guard xpaths.count == selected.count else {
      let advice = ArgumentOrder.adviceOnSeveralFiles(in: ProcessArguments.current.texts)
      throw ValidationError(
        advice ?? "\(xpath.text) is an XPath, and cannot be used together with a path: use ferry get for each"
      )
    }
  }

  /// Prints the values of the files.
  func printSeveral() throws {
    var run = FolderRun(folder, Self.words)
    let inputs = try folder.inputs(
      in: file, types.load(), run.errors, leavingOut: RunOutputs([output.file]))
    run.didList()
    let others = filesOfOptions + folder.list.files
    try checkOutputReplacesNone(of: inputs.map(\.path))
    let reading = FittedReading(try givenReading(), of: inputs)
    let opened = try openOutput()
    let values = try ValuesOfFiles(opened.output, as: question == nil ? writing : nil, limits.budget)
    var canWrite = true
    for input in inputs
    where canWrite && !others.contains(where: { RunOutputs.isSame(input.path, $0.path) }) {
      canWrite = try add(input, reading.options(for: input), to: &run, values)
    }
    if canWrite, values.hasAny || run.hasEmptySelection {
      run.errors.collect { () throws(NamedError) in
        let losses = try values.finish()
        try finish(opened)
        if let losses, !quiet.isQuiet { StandardError.write(losses, of: opened.output.name) }
      }
    }
    try run.finish(isQuiet: quiet.isQuiet)
  }

  /// Prints the values of a file. Returns false if the output cannot be written, so that the other files are not read.
  private func add(
    _ input: FoundInput, _ reading: ReadingOptions, to run: inout FolderRun, _ values: ValuesOfFiles
  ) throws -> Bool {
    var found: ValuesOfFiles.Found?
    try run.add(input, reading) {
      do {
        let (values, areAll) = try self.values(of: input, reading, asRecords: values.areRecords)
        if !values.isEmpty { found = values }
        return areAll ? .done : .withoutValue
      } catch let error as NamedError where error.reason.isOfMissingValue {
        guard let replacement else {
          guard isArchiveOfFiles(input) else { throw error }
          throw FolderRun.FileWithoutValue(error: error)
        }
        // The file has none of the values, or is of a format that an XPath cannot select from.
        let count = max(1, selected.count)
        found = .lines(Array(String(repeating: replacement + "\n", count: count).utf8))
        return .withoutValue
      }
    }
    guard let found else { return true }
    do throws(NamedError) { try values.write(found, of: input.path) } catch {
      run.errors.add(error)
      return false
    }
    return true
  }

  /// Returns true for a ZIP archive of several files that is found in a folder, unless `--include` names it. Its keys are the names of its files,
  /// so that the path is probably meant for other files.
  private func isArchiveOfFiles(_ input: FoundInput) -> Bool {
    guard input.isInFolder, folder.patterns.included.isEmpty,
      (try? FileInput(path: input.path).beginsAsZIPArchive()) == true
    else { return false }
    return input.format?.isArchiveOfFiles == true
  }

  /// Returns the values of a file. Also returns true unless `--default` has replaced one of them, or there is none because the paths select nothing
  /// from lists.
  private func values(
    of input: FoundInput, _ reading: ReadingOptions, asRecords: Bool
  ) throws -> (ValuesOfFiles.Found, areAll: Bool) {
    guard asRecords else {
      let lines = MemoryOutput()
      let output = NamedOutput(lines, name: NamedOutput.standardName)
      let areAll = try print(
        Input(name: input.path, reading: reading, isOneOfSeveral: true, lines: output))
      let isEmpty = question == nil && lines.bytes.isEmpty
      return (.lines(lines.bytes), areAll && !isEmpty)
    }
    let values = try values(of: Input(name: input.path, reading: reading, isOneOfSeveral: true))
    return (.values(values), !values.isEmpty)
  }

  /// Returns the value at each path in a file, without those of paths that select nothing from a list.
  private func values(of input: Input) throws -> [(path: String, value: Value)] {
    let document = try openForXPaths(input)
    if let reading = document.reading { return try values(selectedBy: reading, of: input) }
    let paths = try selectedPaths(in: input)
    let texts = selected.isEmpty ? [""] : selected.map(\.text)
    return try readingPaths { () throws(NamedError) in
      let source = try read(paths, of: openToRead(input, document, paths), in: input)
      return try warning(of: source, named: input.name) { () throws(NamedError) in
        var values: [(path: String, value: Value)] = []
        for (text, path) in zip(texts, paths) where try !isEmpty(path, of: source, input) {
          try NamedError.naming(input.name) { () throws(FerryError) in
            values.append((text, try source.value(at: path)))
          }
        }
        return values
      }
    }
  }

  /// Returns the values that the XPaths select from a file.
  private func values(
    selectedBy reading: XPathReading, of input: Input
  ) throws(NamedError) -> [(path: String, value: Value)] {
    try NamedError.naming(input.name) { () throws(FerryError) in
      try selected.map { xpath throws(FerryError) in
        let (value, found) = try reading.value(xpath.text)
        guard found.count > 0 else { throw FerryError(.xml(.selectsNothing(xpath.text))) }
        return (xpath.text, value)
      }
    }
  }
}
