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
  private let hasMany: Bool
  private var summary = Inspection.Summary()
  private var isFirst = true

  private let types: DocumentTypes

  init(of names: [String], _ options: InspectCommand, _ types: DocumentTypes) {
    self.options = options
    self.types = types
    color = options.color.colors
    budget = options.limits.budget
    hasMany =
      names.count > 1
      || names.first.map { Folder.isFolder($0) && types.type(ofFile: $0)?.isPackage != true } == true
  }

  /// Inspects a file, or all files in a folder. An input that fails is reported, and does not stop the
  /// others; only errors of writing are thrown.
  func add(_ name: String) throws(NamedError) {
    guard Folder.isFolder(name) else { return try add(file: name, isNamed: true) }
    if types.type(ofFile: name)?.isPackage == true { return try add(package: name) }
    let listing = Folder.listing(under: name)
    for (path, error) in listing.errors { try fail(NamedError(name: path, error: error)) }
    for file in listing.files { try add(file: file, isNamed: false) }
  }

  private func add(package name: String) throws(NamedError) {
    let main: String
    do throws(FerryError) {
      main = try types.mainFile(of: name)
    } catch {
      return try fail(NamedError(name: name, error: error))
    }
    try add(file: main, isNamed: true)
  }

  private func add(file name: String, isNamed: Bool) throws(NamedError) {
    do throws(FerryError) {
      let input = try FileInput(path: name)
      let inspection = try Inspection(
        reading: input, named: name, format: options.input.format, encoding: options.encoding.name,
        budget: budget,
        expands: options.expansion.expandsData)
      summary.add(inspection)
      if !options.summary { try print(inspection, of: name) }
    } catch {
      if let error = output.error { throw error }
      guard !isNamed, let kind = error.unreadKind else {
        return try fail(NamedError(name: name, error: error))
      }
      summary.otherFiles.add(kind)
    }
  }

  private func fail(_ error: NamedError) throws(NamedError) {
    errors.add(error)
    summary.failedFileCount += 1
    guard options.json, !options.summary else { return }
    var entry = error.entry
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

  private func write(_ value: Value, style: JSONStyle) throws(FerryError) {
    let writer = JSONWriter(to: output, style: style)
    try value.replay(into: writer)
    try writer.finish()
  }
}
