import Ferry

/// The messages of a conversion run on the standard error, and the data for its report file.
final class RunReport {
  /// The errors of inputs, and of records that were left out.
  let errors: RunErrors
  private let isQuiet: Bool
  private let hasFile: Bool
  private var inputCount = 0
  private var convertedCount = 0
  private var unchangedCount = 0
  private var otherFileCount = 0
  /// The number of records that --keep-going has left out of converted inputs.
  private var recordsLeftOut = 0
  /// The number of files and folders that could not be listed.
  private var unlistedCount = 0
  private let isDryRun: Bool
  /// The number of files that a run with `--split` has written, one for each record; nil for other runs.
  var recordFileCount: Int?
  private var losses: [(name: String, loss: Loss)] = []
  private var notes: [(name: String, note: Note)] = []
  private var messages = RepeatedMessages()
  /// The inputs whose selected elements are compared with those of other inputs, and the search for differences.
  private var compared: (names: [String], search: UnevenListSearch) = ([], UnevenListSearch())
  /// Returns true if the typed form keeps what the conversion of an input of a format loses.
  var hasTypedForm: (_ input: String, _ source: Format) -> Bool = { _, _ in false }
  /// True if the entries of a dictionary can become the rows of the output.
  var canHaveEntries = false
  /// The numbers of losses of each kind, in each input.
  private var counts: [(name: String, count: Losses.Count)] = []

  /// - Parameter hasFile: True if the report is written to a file.
  init(isQuiet: Bool, isDryRun: Bool, hasFile: Bool) {
    (self.isQuiet, self.isDryRun, self.hasFile) = (isQuiet, isDryRun, hasFile)
    errors = RunErrors(keepsEntries: hasFile)
  }

  /// Adds the result of an input, and reports it. The errors of its records were reported before.
  func add(_ result: Result<Conversion.Report, NamedError>, of input: String) {
    switch result {
    case .success(let report): add(report, of: input)
    case .failure(let error): add(error)
    }
  }

  private func add(_ report: Conversion.Report, of input: String) {
    inputCount += 1
    convertedCount += 1
    recordsLeftOut += report.errorCount
    compared.names.append(input)
    compared.search.add(report)
    if hasFile {
      losses += report.losses.listed.map { (input, $0) }
      counts += report.losses.counts.map { (input, $0) }
      notes += report.notes.map { (input, $0) }
    }
    guard !isQuiet else { return }
    messages.write(report.notes, of: input)
    messages.write(
      report.losses, of: input, hasTypedForm: hasTypedForm(input, report.source),
      canHaveEntries: canHaveEntries)
  }

  /// Reports an input that failed.
  func add(_ error: NamedError) {
    inputCount += 1
    errors.add(error)
  }

  /// Counts the errors so far as those of files and folders that could not be listed. Says so if there is no input.
  ///
  /// - Parameter hasOneOutput: True if the run then has an error (see `requireInput`).
  func didList(_ inputs: [FoundInput], hasOneOutput: Bool) {
    unlistedCount = errors.all.count
    if inputs.isEmpty, !isQuiet, !hasOneOutput { StandardError.write("no files to convert") }
  }

  /// Counts an input that has not changed since its output was written.
  func addUnchanged() { unchangedCount += 1 }

  /// Counts a file in a folder that is of a kind that Ferry does not read.
  func addOtherFile() { otherFileCount += 1 }

  /// Adds an error if the run found no input for its only output. Otherwise a script would continue with a missing or old output.
  func requireInput(for output: String) {
    guard convertedCount == 0, unchangedCount == 0, errors.isEmpty else { return }
    errors.add(NamedError(name: output, error: FerryError(.file(.noInputs))))
  }

  /// Adds the notes on all inputs together: an element may be a list in some of them, and single in others.
  func addCommonNotes() {
    guard let (index, note) = compared.search.note else { return }
    let input = compared.names[index]
    if hasFile { notes.append((input, note)) }
    if !isQuiet { messages.write([note], of: input) }
  }

  /// Prints the number of files written by `--split` or, for several inputs, the numbers of converted inputs and of records that were left
  /// out. Prints nothing if the output was closed, because the run has not tried all inputs.
  func summarize() {
    guard !errors.isPipeClosed else { return }
    messages.summarize()
    if let recordFileCount, !isQuiet {
      StandardError.write(recordFileCount.counted("file") + (isDryRun ? " would be written" : " written"))
    }
    let count = inputCount + unchangedCount + otherFileCount + unlistedCount
    guard count > 1 || count > inputCount || errors.skippedLinks != nil, !isQuiet || !errors.isEmpty else {
      return
    }
    var parts = ["\(convertedCount) \(isDryRun ? "would be converted" : "converted")"]
    parts.append("\(inputCount - convertedCount + unlistedCount) failed")
    if recordsLeftOut > 0 {
      parts.append(recordsLeftOut.counted("record") + (isDryRun ? " would be left out" : " left out"))
    }
    if unchangedCount > 0 { parts.append("\(unchangedCount) unchanged") }
    parts += errors.skipped(otherFileCount: otherFileCount)
    StandardError.write(parts.joined(separator: ", "))
  }

  /// Opens the file of a report before the run writes its outputs, so that a run whose report cannot be written changes nothing.
  static func output(for path: String) throws(NamedError) -> FileOutput {
    try NamedError.naming(output: path) { () throws(FerryError) in
      try FileOutput(
        path: path == "-" ? "/dev/stdout" : path, replacing: true,
        compression: Compression.ofFile(named: path))
    }
  }

  /// Writes all errors, losses and notes as JSON.
  func write(to output: FileOutput, named path: String) throws(NamedError) {
    let counts = counts.map { name, count in
      var entry = Self.entry(of: count.kind, in: name)
      entry["count"] = .integer(Int128(count.count))
      return Value.dictionary(entry)
    }
    // The losses of an input follow each other.
    var known = (name: "", file: "")
    let losses = losses.map { name, loss in
      var file = name
      if !loss.location.isEmpty {
        if !known.name.utf8.elementsEqual(name.utf8) { known = (name, NamedError.file(of: name)) }
        file = known.file
      }
      var entry = Self.entry(of: loss.kind, in: file)
      entry.add(loss.location)
      entry["path"] = .string(loss.path.description)
      return Value.dictionary(entry)
    }
    let notes = notes.map { $1.entry(of: $0) }
    let value = SpooledValue.dictionary([
      ("failures", .list(errors.entries ?? SpooledList())), ("counts", .value(.array(counts))),
      ("losses", .value(.array(losses))), ("notes", .value(.array(notes))),
    ])
    try NamedError.naming(output: path) { () throws(FerryError) in
      let writer = JSONWriter(to: output, style: .pretty)
      try value.replay(into: writer)
      try writer.finish()
      try output.commit()
    }
  }

  /// Returns the entry of a kind of loss in an input.
  private static func entry(of kind: Loss.Kind, in name: String) -> KeyedValues {
    var entry = KeyedValues()
    entry["file"] = .string(name)
    entry["code"] = .string(kind.rawValue)
    entry["message"] = .string(kind.message)
    if let advice = Hint.about(kind)?.forRunningCommand?.advice { entry["hint"] = .string(advice) }
    return entry
  }
}
