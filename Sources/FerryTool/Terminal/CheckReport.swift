import Ferry

/// The output of `ferry check`: a line for each file, and a summary of several.
final class CheckReport {
  /// The errors of the files.
  let errors = RunErrors()
  private let output = NamedOutput.standard
  private let isQuiet: Bool
  private let writesJSON: Bool
  private var (checkedCount, wrongCount, otherFileCount) = (0, 0, 0)

  init(isQuiet: Bool, writesJSON: Bool) { (self.isQuiet, self.writesJSON) = (isQuiet, writesJSON) }

  /// True if all files were right.
  var isOK: Bool { wrongCount == 0 }

  /// Counts the errors so far as those of files and folders that could not be listed, and adds them to the output.
  func didList() throws(NamedError) {
    for error in errors.all {
      (checkedCount, wrongCount) = (checkedCount + 1, wrongCount + 1)
      if writesJSON { try print(error, of: error.name) }
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
      if writesJSON {
        try print(error, of: input.path)
      }
    }
  }

  private func add(_ result: FileCheck.Result, of name: String) throws(NamedError) {
    if !result.isOK { wrongCount += 1 }
    let found = result.errors.map { NamedError(name: name, error: $0) }
    found.forEach(errors.add)
    if result.roundTrip == .differs { StandardError.write(["converts back with other values"], of: name) }
    if writesJSON { return try print(Self.entries(of: result, found, name), of: name) }
    if !isQuiet { StandardError.write(result.notes, of: name) }
    guard result.isOK, !isQuiet else { return }
    let proof = result.roundTrip.map { ", \(Self.words(for: $0))" } ?? ""
    try print(
      "\(StandardError.inputName(name)): OK (\(result.format.rawValue)\(proof))".withoutControls + "\n")
  }

  private static func words(for roundTrip: FileCheck.RoundTrip) -> String {
    switch roundTrip {
    case .bytes: "converts back byte for byte"
    case .values: "converts back with equal values"
    case .differs: "converts back with other values"
    case .notChecked: "round trip not checked"
    }
  }

  private static func entries(
    of result: FileCheck.Result, _ errors: [NamedError], _ name: String
  ) -> KeyedValues {
    var entries = KeyedValues()
    entries["ok"] = .boolean(result.isOK)
    entries["format"] = .string(result.format.rawValue)
    if let roundTrip = result.roundTrip { entries["roundTrip"] = .string(roundTrip.rawValue) }
    if !errors.isEmpty { entries["errors"] = .array(errors.map { .dictionary($0.entry) }) }
    if !result.notes.isEmpty { entries["notes"] = .array(result.notes.map { $0.entry(of: name) }) }
    return entries
  }

  private func print(_ error: NamedError, of name: String) throws(NamedError) {
    var entries = KeyedValues()
    (entries["ok"], entries["errors"]) = (.boolean(false), .array([.dictionary(error.entry)]))
    try print(entries, of: name)
  }

  private func print(_ entries: KeyedValues, of name: String) throws(NamedError) {
    var line = KeyedValues()
    line["file"] = .string(name)
    for (key, value) in entries { line[key] = value }
    let value = Value.dictionary(line)
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
    guard checkedCount > 1 || otherFileCount > 0, !isQuiet || !isOK else { return }
    var parts = ["\(checkedCount) checked", "\(wrongCount) wrong"]
    if otherFileCount > 0 {
      parts.append(otherFileCount.counted("other file") + " skipped")
    }
    StandardError.write(parts.joined(separator: ", "))
  }
}
