import ArgumentParser
import Ferry

// The values that XPaths select from XML. In other formats, the same arguments are paths.

extension GetCommand {
  /// The file, as far as it was opened to find out whether its arguments are XPaths.
  struct OpenedForXPaths {
    /// The reading of an XML document for its XPaths; nil if the arguments are paths.
    var reading: XPathReading?
    /// The standard input, which is read for the paths and cannot be opened again.
    var standard: FileInput?

    /// Opens a file to read the values at paths.
    func open(_ name: String) throws(FerryError) -> FileInput {
      if name == "-", let standard { return standard }
      return try ProcessArguments.current.open(name)
    }
  }

  /// Returns the paths of the values, to check them before the file is read. One that may be an XPath is empty.
  func checkedPaths() throws -> [ValuePath] {
    try namespaces.check(for: selected, in: folder)
    return selected.isEmpty ? [ValuePath()] : try selected.map { $0.mayBeXPath ? ValuePath() : try $0.path() }
  }

  /// Opens the file if an argument may be an XPath.
  func openForXPaths(_ input: Input) throws -> OpenedForXPaths {
    guard selected.contains(where: \.mayBeXPath) else { return OpenedForXPaths() }
    var options = input.reading
    let documentTypes = try types.load()
    try RunOutputs.checkReadsNone(of: [input.name], among: documentTypes)
    return try NamedError.naming(input.name) { () throws(FerryError) in
      let values = try documentTypes.openValues(
        of: input.name, from: options.format, budget: options.budget, ProcessArguments.current.open)
      options.declaredFormats = values.declaredFormats
      let reading = try XPathReading.opening(values.file, named: values.name, options)
      return OpenedForXPaths(reading: reading, standard: values.file as? FileInput)
    }
  }

  /// Calls a function that reads the values at paths. If there are none, and the arguments are XPaths, the error says that
  /// XPaths select from XML.
  func readingPaths<Result>(_ body: () throws(NamedError) -> Result) throws(NamedError) -> Result {
    do throws(NamedError) { return try body() } catch {
      guard error.error.isMissingValue, let first = selected.first,
        selected.allSatisfy({ XPathReading.isXPath($0.text) })
      else { throw error }
      throw NamedError(name: error.name, error: ValuePath.problem(withXPath: first.text))
    }
  }

  /// Writes the values that the XPaths select. Returns false if `--default` has replaced a value.
  func write(selectedBy reading: XPathReading, of input: Input) throws -> Bool {
    if let path = selected.first(where: { !$0.mayBeXPath }) {
      throw ValidationError(
        "\(path.text) is a path, and cannot be used together with an XPath: use ferry get for each")
    }
    if let question = questions.first, question != .count {
      throw ValidationError("\(question.option) takes a path, not an XPath")
    }
    let writing = writing
    if writing != nil, selected.count > 1 {
      throw ValidationError("a format takes one XPath: join several by |")
    }
    var found: [XPathReading.Selected] = []
    let errors = RunErrors()
    do throws(NamedError) {
      try withOutput(for: input) { output throws(NamedError) in
        for xpath in selected {
          try output.naming(input: input.name) { output throws(FerryError) in
            let values = try write(xpath.text, of: reading, as: writing, to: output)
            found.append(values)
            guard values.count == 0, questions.isEmpty || input.isOneOfSeveral else { return }
            guard let replacement else { throw FerryError(.xml(.selectsNothing(xpath.text))) }
            try output.write("\(replacement)\n")
          }
        }
      }
    } catch {
      guard !input.isOneOfSeveral else { throw error }
      errors.add(error)
    }
    // The note that the elements are in a namespace explains the error that nothing matches.
    if !quiet.isQuiet { for selected in found { StandardError.write(selected.notes, of: input.name) } }
    try errors.finish()
    if !quiet.isQuiet, questions.isEmpty {
      for selected in found where selected.count > 0 { StandardError.write(selected.losses, of: input.name) }
    }
    return !found.contains { $0.count == 0 }
  }

  /// Writes the values that an XPath selects, or their number.
  private func write(
    _ xpath: String, of reading: XPathReading, as writing: WritingOptions?, to output: any ByteOutput
  ) throws(FerryError) -> XPathReading.Selected {
    if bytes {
      let (bytes, selected) = try reading.contents(xpath)
      try output.write(bytes.span)
      return selected
    }
    if questions.first == .count {
      let selected = try reading.count(xpath)
      guard !selected.isSingle else {
        throw FerryError(.path(.noParts("elements or keys", in: "a single value")))
      }
      try output.write("\(selected.count)\n")
      return selected
    }
    guard let writing else { return try reading.writeText(xpath, style: layout.style(), to: output) }
    return try reading.write(xpath, as: writing, to: output)
  }

  /// Calls a function with the output for a file: that of the options, whose file replaces another one only if the function succeeds, or that
  /// for the lines of one of several files.
  func withOutput<Result>(
    for input: Input, _ body: (NamedOutput) throws(NamedError) -> Result
  ) throws(NamedError) -> Result {
    if let lines = input.lines { return try body(lines) }
    let opened = try openOutput()
    let result = try body(opened.output)
    try finish(opened)
    return result
  }

  /// Ends the output of the options.
  func finish(_ opened: OpenedOutput) throws(NamedError) {
    try opened.finish()
    if let writing, !quiet.isQuiet { opened.writeNote(on: writing, try types.load()) }
  }

  /// Opens the output of the options.
  func openOutput() throws(NamedError) -> OpenedOutput {
    let replacing = overwriting.force
    guard let name = output.file, name != "-" else { return try OpenedOutput(compression.requested) }
    return try OpenedOutput(file: name, replacing: replacing, compression.choice.compression(ofFile: name))
  }
}
