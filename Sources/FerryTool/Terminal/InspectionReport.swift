import Ferry

/// The output of `ferry inspect`: one file after the other, and a summary.
final class InspectionReport {
  private let options: InspectCommand
  /// The errors of the inputs.
  let errors = RunErrors()
  private let output = NamedOutput.standard
  private let color: Colors
  private let budget: Budget
  /// True if there may be more than one file.
  var hasMany = false
  /// The options for reading that each input can have.
  var reading = FittedReading(ReadingOptions(), of: [])
  private var summary = Inspection.Summary()
  private var isFirst = true

  private let types: DocumentTypes

  init(_ options: InspectCommand, _ types: DocumentTypes) {
    self.options = options
    self.types = types
    color = options.color.colors
    budget = options.limits.budget
  }

  /// Inspects a file or package. An input that fails is reported, and does not stop the others; only errors of writing
  /// are thrown.
  func add(_ input: FoundInput, _ progress: ProgressLine?) throws(NamedError) {
    do throws(FerryError) {
      let given = reading.options(for: input)
      try input.checkContents(given, takesSingles: true)
      let values = try types.openValues(
        of: input.path, from: given.format, budget: budget, progress.open)
      let inspection = try Inspection(
        reading: values.file, named: values.name, format: given.format, declared: values.declaredFormats,
        encoding: given.encoding, budget: budget, expands: options.expansion.expandsData)
      summary.add(inspection)
      if !options.summary { try print(inspection, of: values.name) }
    } catch {
      if let error = output.error { throw error }
      guard input.isOfOtherKind(error), let kind = error.unreadKind else {
        return try fail(NamedError(name: input.path, error: error))
      }
      summary.otherFiles.add(kind)
    }
  }

  private func fail(_ error: NamedError) throws(NamedError) {
    errors.add(error)
    try show(error)
  }

  /// Adds the errors so far, which are those of listing folders, to the output.
  func showListingErrors() throws(NamedError) {
    for error in errors.all { try show(error) }
  }

  private func show(_ error: NamedError) throws(NamedError) {
    summary.failedFileCount += 1
    guard options.json, !options.summary else { return }
    var entry = error.entry
    // Each object has the name of the input, as it was given.
    entry["file"] = .string(error.name)
    entry["error"] = .string(error.error.advised)
    try writing { () throws(FerryError) in
      try write(.dictionary(entry), style: options.layout.style(isPretty: !hasMany))
    }
  }

  /// Prints the summary, if there is more than one file or it was requested.
  func summarize() throws(NamedError) {
    guard options.summary || (hasMany && !options.json) else { return }
    try writing { () throws(FerryError) in
      if options.json { return try write(summary.value, style: .pretty) }
      var text = InspectionText(color)
      text.add(summary)
      try write((isFirst ? "" : "\n") + WrappedText(width: Terminal.width).wrapped(text.text))
    }
  }

  private func print(_ inspection: Inspection, of name: String) throws(FerryError) {
    if options.json {
      var value: Value = ["file": .string(name)]
      if case .dictionary(var entries) = value,
        case .dictionary(let found) = inspection.value(withGraph: options.graph)
      {
        for (key, field) in found { entries[key] = field }
        value = .dictionary(entries)
      }
      return try write(value, style: options.layout.style(isPretty: !hasMany))
    }
    var text = InspectionText(color)
    text.heading(name == "-" ? "standard input" : name)
    text.add(inspection)
    try write((isFirst ? "" : "\n") + WrappedText(width: Terminal.width).wrapped(text.text))
    isFirst = false
  }

  private func writing(_ body: () throws(FerryError) -> Void) throws(NamedError) {
    try NamedError.naming(NamedOutput.standardName, body)
  }

  private func write(_ text: String) throws(FerryError) { try output.write(text.utf8.span) }

  private func write(_ value: Value, style: OutputStyle) throws(FerryError) {
    let writer = JSONWriter(to: output, style: style)
    try value.replay(into: writer)
    try writer.finish()
  }
}
