import ArgumentParser
import Ferry

/// `ferry schema infer`: writes a schema for the records of files.
struct SchemaInferCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "infer",
    abstract: "Write a schema for the records of files.",
    usage: "ferry schema infer [<options>] [<files> ...]",
    discussion: """
      Reads each file once, in any format. What occurs several times in one record is a list in all of them, and a field that \
      some records lack is optional. A field has a type only if every value keeps its text: 007 and 2.20 stay text.

        ferry schema infer folks.xml -o folk.schema.json
        ferry schema infer people.csv --name contact --explain
        ferry schema infer folks.xml --select //person
        ferry schema infer large.jsonl --sample 1000
      """)

  @Argument(
    help: "The files with records (default: -, the standard input).",
    completion: .file())
  var files: [FileNames] = []

  @Option(name: .long, help: ArgumentHelp("The name of the schema and of its records.", valueName: "name"))
  var name: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Read only the first N records of each file. The schema may not fit the others.", valueName: "n"))
  var sample: Int?

  @Flag(
    name: .long, help: "Print each field with its type and the values that decided it, instead of the schema."
  )
  var explain = false

  @Flag(name: .long, help: "Print JSON.")
  var json = false

  @OptionGroup var output: OutputOptions
  @OptionGroup var overwriting: OverwriteOptions
  @OptionGroup var quiet: QuietOptions
  @OptionGroup var reading: RecordInputOptions

  func validate() throws {
    guard !json || explain else { throw ValidationError("--json needs --explain") }
    guard name?.isEmpty != true else { throw ValidationError("--name is empty") }
    if let sample, sample < 1 { throw ValidationError("--sample needs a number of records, at least 1") }
    try SchemaNotation.ferry.check(output)
  }

  func run() throws {
    let errors = RunErrors()
    let types = try reading.types.load()
    let names = try reading.list.names(after: files.names, types, errors)
    // A schema of the other files might lack keys of these.
    try errors.finish()
    try NamedError.naming(output: output.file ?? "-") { () throws(FerryError) in
      try output.checkReplacesNone(
        of: names,
        reading.list.files + reading.types.optionFiles
          + OptionFile.given([("--dtd", reading.entities.dtd)]))
    }
    try reading.selection.check(forInputs: names.count)
    let inputs = names.map { FoundInput(named: $0, among: types) }
    let fitted = try reading.load(for: inputs)
    var inference = SchemaInference(fitted.all, name: name)
    inference.mostRecords = sample
    try ProgressLine.showing(of: names, isHidden: quiet.isQuiet) { progress throws(NamedError) in
      for input in inputs {
        try NamedError.naming(input.path) { () throws(FerryError) in
          let options = fitted.options(for: input)
          let values = try types.openValues(
            of: input.path, from: options.format, budget: options.budget, progress.open)
          try inference.add(values.file, named: values.name, reading: options.reading(values))
        }
        progress?.finishFile()
      }
    }
    let found: InferredSchema
    do throws(FerryError) { found = try inference.schema() } catch {
      if names.count > 1 { try refuseInputWithoutRecords(inputs, fitted, types) }
      throw NamedError(name: names.count == 1 ? names[0] : "\(names.count) files", error: error)
    }
    if !explain || output.file != nil {
      try NamedOutput.put(
        contents: try found.schema.value.text(forFileNamed: output.file), at: output.file ?? "-",
        replacing: overwriting.force)
    }
    if explain {
      try NamedOutput.print(try json ? found.value.jsonText : InferenceText(found).text)
    } else if !quiet.isQuiet {
      InferenceText(found).summary.forEach(StandardError.write)
    }
  }
}

extension SchemaInferCommand {
  /// Throws the error of the first input that has no records by itself. Inputs that cannot be read again are passed over.
  private func refuseInputWithoutRecords(
    _ inputs: [FoundInput], _ fitted: FittedReading, _ types: DocumentTypes
  ) throws(NamedError) {
    for input in inputs where DatabaseOutput.isFile(input.path) {
      var inference = SchemaInference(fitted.all, name: name)
      inference.mostRecords = sample
      let options = fitted.options(for: input)
      do throws(FerryError) {
        let values = try types.openValues(of: input.path, from: options.format, budget: options.budget) {
          path throws(FerryError) in try FileInput(path: path)
        }
        try inference.add(values.file, named: values.name, reading: options.reading(values))
        _ = try inference.schema()
      } catch {
        if case .record(.noRecords) = error.reason { throw NamedError(name: input.path, error: error) }
      }
    }
  }
}

extension Value {
  /// Returns the value in the format of a file name if that holds values of all types, such as YAML, and otherwise as JSON over several lines.
  func text(forFileNamed name: String?) throws(NamedError) -> [UInt8] {
    let json = try Array(jsonText.utf8)
    guard let name, let format = Format.ofFile(named: name), format.holdsSchemas else { return json }
    var conversion = Conversion(to: format)
    conversion.writing.style = .pretty
    return try NamedError.naming(output: name) { () throws(FerryError) in
      try conversion.convert(json).bytes
    }
  }

  /// The value as JSON over several lines.
  var jsonText: String {
    get throws(NamedError) {
      try NamedError.naming(NamedOutput.standardName) { () throws(FerryError) in
        let output = MemoryOutput()
        let writer = JSONWriter(to: output, style: .pretty)
        try replay(into: writer)
        try writer.finish()
        return String(decoding: output.bytes, as: UTF8.self)
      }
    }
  }
}

extension Format {
  /// The usual extensions of the formats that hold schemas: `json`, `yaml`, `plist` and others.
  static var extensionsOfSchemas: [String] { allCases.filter(\.holdsSchemas).compactMap(\.extensions.first) }

  /// True for a format whose files have one value with all types of a schema.
  var holdsSchemas: Bool {
    canWrite && !isListOfRecords && !isArchive && !isDatabase && !isOfElements
      && capabilities.contains(.numbers)
  }
}
