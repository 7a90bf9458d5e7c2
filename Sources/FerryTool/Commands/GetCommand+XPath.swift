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
    try namespaces.check(for: selected)
    return selected.isEmpty ? [ValuePath()] : try selected.map { $0.mayBeXPath ? ValuePath() : try $0.path() }
  }

  /// Opens the file if an argument may be an XPath.
  func openForXPaths(_ xml: XMLReadingOptions) throws -> OpenedForXPaths {
    guard selected.contains(where: \.mayBeXPath) else { return OpenedForXPaths() }
    var options = ReadingOptions()
    (options.format, options.encoding, options.csv) = (input.format, encoding.name, csv.reading)
    (options.xml, options.budget) = (xml, limits.budget)
    let documentTypes = try types.load()
    try RunOutputs.checkReadsNone(of: [file], among: documentTypes)
    return try NamedError.naming(file) { () throws(FerryError) in
      let values = try documentTypes.openValues(
        of: file, from: options.format, budget: options.budget, ProcessArguments.current.open)
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

  /// Writes the values that the XPaths select.
  func write(selectedBy reading: XPathReading) throws {
    if let path = selected.first(where: { !$0.mayBeXPath }) {
      throw ValidationError(
        "\(path.text) is a path, and cannot be used together with an XPath: use ferry get for each")
    }
    if let question = questions.first, question != .count {
      throw ValidationError("\(question.option) takes a path, not an XPath")
    }
    let target = bytes ? nil : format.format ?? output.file.flatMap(Format.ofFile(named:))
    if target != nil, selected.count > 1 {
      throw ValidationError("a format takes one XPath: join several by |")
    }
    var found: [XPathReading.Selected] = []
    let errors = RunErrors()
    errors.collect { () throws(NamedError) in
      try withOutput { output throws(NamedError) in
        for xpath in selected {
          try output.naming(input: file) { output throws(FerryError) in
            let values = try write(xpath.text, of: reading, as: target, to: output)
            found.append(values)
            guard values.count == 0, questions.isEmpty else { return }
            guard let replacement else { throw FerryError(.xml(.selectsNothing(xpath.text))) }
            try output.write("\(replacement)\n")
          }
        }
      }
    }
    // The note that the elements are in a namespace explains the error that nothing matches.
    if !quiet.isQuiet { for selected in found { StandardError.write(selected.notes, of: file) } }
    try errors.finish()
    guard !quiet.isQuiet, questions.isEmpty else { return }
    for selected in found where selected.count > 0 { StandardError.write(selected.losses, of: file) }
  }

  /// Writes the values that an XPath selects, or their number.
  private func write(
    _ xpath: String, of reading: XPathReading, as target: Format?, to output: any ByteOutput
  ) throws(FerryError) -> XPathReading.Selected {
    if bytes {
      let (bytes, selected) = try reading.contents(xpath)
      try output.write(bytes.span)
      return selected
    }
    if questions.first == .count {
      let selected = try reading.count(xpath)
      guard !selected.isSingle else {
        throw FerryError(.path(.noStep("elements or keys", into: "a single value")))
      }
      try output.write("\(selected.count)\n")
      return selected
    }
    guard let target else { return try reading.writeText(xpath, style: layout.style(), to: output) }
    var writing = WritingOptions(to: target)
    (writing.style, writing.encoding) = (layout.style(), outputEncoding.name)
    writing.style.hasDocuments = yaml.hasDocuments
    return try reading.write(xpath, as: writing, to: output)
  }

  /// Calls a function with the output: the file of -o, which replaces another one only if the function succeeds, or the standard output.
  func withOutput<Result>(
    _ body: (NamedOutput) throws(NamedError) -> Result
  ) throws(NamedError) -> Result {
    let standard = NamedOutput.standardName
    if let name = output.file, name != "-" {
      let target = try NamedError.naming(name) { () throws(FerryError) in
        try FileOutput(
          path: name, replacing: overwriting.force, compression: compression.choice.compression(ofFile: name))
      }
      let result = try body(NamedOutput(target, name: name))
      try NamedError.naming(name) { () throws(FerryError) in try target.commit() }
      return result
    }
    guard let compression = compression.requested else { return try body(NamedOutput.standard) }
    let compressed = try NamedError.naming(standard) { () throws(FerryError) in
      try CompressedOutput(NamedOutput.standard, compression)
    }
    let result = try body(NamedOutput(compressed, name: standard))
    try NamedError.naming(standard) { () throws(FerryError) in try compressed.finish() }
    return result
  }
}
