import Ferry

/// The output of `ferry check`: a line for each file, and a summary of several.
final class CheckReport {
  /// The errors of the files.
  let errors = RunErrors()
  private let output = NamedOutput.standard
  private let isQuiet: Bool
  private let writesJSON: Bool
  private var (checkedCount, wrongCount, otherFileCount) = (0, 0, 0)
  private var messages = RepeatedMessages()
  /// The errors of the records of the current file; nil if no JSON is printed.
  private var recordEntries: SpooledList?

  init(isQuiet: Bool, writesJSON: Bool) { (self.isQuiet, self.writesJSON) = (isQuiet, writesJSON) }

  /// True if all files were right.
  var isOK: Bool { wrongCount == 0 }

  /// Counts the errors so far as those of files and folders that could not be listed, and adds them to the output.
  func didList() throws(NamedError) {
    for error in errors.all {
      (checkedCount, wrongCount) = (checkedCount + 1, wrongCount + 1)
      if writesJSON { try print(error, entries(ofFile: error.name)) }
    }
  }

  /// Begins a file, and returns the receiver of the errors of its records, which are reported at once.
  func begin(_ input: FoundInput) -> @Sendable (FerryError) -> Void {
    recordEntries = writesJSON ? SpooledList() : nil
    return { [errors, recordEntries] error in
      let error = NamedError(name: input.path, error: error)
      errors.add(ofRecord: error)
      recordEntries?.add(.dictionary(error.entry))
    }
  }

  /// Adds the result of a file, and prints it. Only errors of writing are thrown.
  func add(_ result: Result<FileCheck.Result, NamedError>, of input: FoundInput) throws(NamedError) {
    if case .failure(let error) = result, input.isOfOtherKind(error.error) {
      otherFileCount += 1
      return
    }
    checkedCount += 1
    switch result {
    case .success(let result): try add(result, of: input.path)
    case .failure(let error):
      wrongCount += 1
      errors.add(error)
      if writesJSON { try print(error, entries(ofFile: input.path)) }
    }
  }

  private func add(_ result: FileCheck.Result, of name: String) throws(NamedError) {
    if !result.isOK { wrongCount += 1 }
    if result.roundTrip == .differs { StandardError.write(["converts back with other values"], of: name) }
    if writesJSON { return try print(result, entries(ofFile: name)) }
    if !isQuiet { messages.write(result.notes, of: name) }
    guard result.isOK, !isQuiet else { return }
    let proof = result.roundTrip.map { ", \(Self.words(for: $0))" } ?? ""
    try print(
      "\(StandardError.inputName(name)): OK (\(result.format.rawValue)\(proof))".withoutInvisibles + "\n")
  }

  private static func words(for roundTrip: FileCheck.RoundTrip) -> String {
    switch roundTrip {
    case .bytes: "converts back byte for byte"
    case .values: "converts back with equal values"
    case .differs: "converts back with other values"
    case .notChecked: "round trip not checked"
    }
  }

  /// The parts of the line of JSON about a file: its name, and the errors of its records.
  private struct FileEntries {
    let name: String
    let errors: SpooledList
  }

  private func entries(ofFile name: String) -> FileEntries {
    defer { recordEntries = nil }
    return FileEntries(name: name, errors: recordEntries ?? SpooledList())
  }

  private func print(_ result: FileCheck.Result, _ file: FileEntries) throws(NamedError) {
    var entries: [(key: String, value: SpooledValue)] = [
      ("file", .value(.string(file.name))), ("ok", .value(.boolean(result.isOK))),
      ("format", .value(.string(result.format.rawValue))),
    ]
    if let roundTrip = result.roundTrip {
      entries.append(("roundTrip", .value(.string(roundTrip.rawValue))))
    }
    if !file.errors.isEmpty { entries.append(("errors", .list(file.errors))) }
    if !result.notes.isEmpty {
      entries.append(("notes", .value(.array(result.notes.map { $0.entry(of: file.name) }))))
    }
    try print(entries)
  }

  /// Prints a file that cannot be read, with the errors of the records before.
  private func print(_ error: NamedError, _ file: FileEntries) throws(NamedError) {
    file.errors.add(.dictionary(error.entry))
    try print([
      ("file", .value(.string(file.name))), ("ok", .value(.boolean(false))), ("errors", .list(file.errors)),
    ])
  }

  private func print(_ entries: [(key: String, value: SpooledValue)]) throws(NamedError) {
    let value = SpooledValue.dictionary(entries)
    try NamedError.naming(NamedOutput.standardName) { () throws(FerryError) in
      let writer = JSONWriter(to: output, style: .compact)
      try value.replay(into: writer)
      try writer.finish()
    }
  }

  private func print(_ text: String) throws(NamedError) {
    try NamedError.naming(NamedOutput.standardName) { () throws(FerryError) in
      try output.write(text.utf8.span)
    }
  }

  /// Prints the number of files if there are several, or others. A run whose output was closed has not checked all files.
  func summarize() {
    guard !errors.isPipeClosed else { return }
    messages.summarize()
    guard checkedCount > 1 || otherFileCount > 0 || errors.skippedLinks != nil, !isQuiet || !isOK else {
      return
    }
    let parts =
      ["\(checkedCount) checked", "\(wrongCount) wrong"] + errors.skipped(otherFileCount: otherFileCount)
    StandardError.write(parts.joined(separator: ", "))
  }
}
