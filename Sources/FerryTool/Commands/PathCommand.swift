import ArgumentParser
import Ferry

/// A command that opens a file whose values are named by paths.
protocol PathCommand: ParsableCommand {
  var input: InputOptions { get }
  associatedtype Paths: PathForm
  var paths: Paths { get }
  var lenient: LenientOptions { get }
  var classes: CatalogOptions { get }
  var types: TypeOptions { get }
  var limits: BudgetOptions { get }
}

/// A file that is opened to read the values at paths.
struct FileToRead {
  fileprivate let values: OpenedValues<any ByteInput>
  fileprivate let options: EditableFile.Options

  /// Reads the values at a path, or all values if it is empty.
  func read(_ path: ValuePath) throws(FerryError) -> EditableFile {
    try EditableFile.reading(path, from: values.file, named: values.name, options: options)
  }

  /// Reads the summaries of the values at a path.
  func summarize(_ path: ValuePath) throws(FerryError) -> EditableFile {
    try EditableFile.summarizing(path, from: values.file, named: values.name, options: options)
  }

  /// Returns the values at a path if they can be written as they are read, in a format or as plain text; otherwise nil.
  func stream(_ path: ValuePath, as writing: WritingOptions?) throws(FerryError) -> StreamedValues? {
    try StreamedValues.opening(path, in: values.file, named: values.name, options: options, as: writing)
  }
}

extension PathCommand {
  /// Opens the file to change it; for a package the file with its records.
  ///
  /// - Parameter changesAliases: True to change values that anchors of YAML share at all of their aliases.
  func open(
    _ name: String, encoding: String?, csv: CSVReadingOptions, xml: XMLReadingOptions, changesAliases: Bool
  ) throws(NamedError) -> EditableFile {
    var options = try readingOptions()
    options.changesAliases = changesAliases
    (options.encoding, options.csv, options.xml) = (encoding, csv, xml)
    let documentTypes = try documentTypes(of: name)
    options.declaredFormats = documentTypes.declaredFormats
    return try NamedError.naming(name) { () throws(FerryError) in
      try openToChange(name, documentTypes, options)
    }
  }

  /// Opens the file to read it; for a package the file with its records.
  ///
  /// - Parameter openFile: Opens the file.
  func openToRead(
    _ name: String, shared: SharedObjectStyle, encoding: String?, csv: CSVReadingOptions,
    xml: XMLReadingOptions, opening openFile: (String) throws(FerryError) -> FileInput
  ) throws(NamedError) -> FileToRead {
    var options = try readingOptions()
    options.shared = shared
    (options.encoding, options.csv, options.xml) = (encoding, csv, xml)
    let documentTypes = try documentTypes(of: name)
    return try NamedError.naming(name) { () throws(FerryError) in
      let values = try documentTypes.openValues(
        of: name, from: options.format, budget: options.budget, openFile)
      options.declaredFormats = values.declaredFormats
      return FileToRead(values: values, options: options)
    }
  }

  /// The options of the command for any file.
  private func readingOptions() throws(NamedError) -> EditableFile.Options {
    var options = EditableFile.Options()
    options.format = input.format
    options.representation = paths.openedAs
    options.isLenient = lenient.isLenient
    options.budget = limits.budget
    options.catalog = try classes.load()
    return options
  }

  /// Returns the document types, after checking that no output of the run replaces the file.
  private func documentTypes(of name: String) throws(NamedError) -> DocumentTypes {
    let documentTypes = try types.load()
    try RunOutputs.checkReadsNone(of: [name], among: documentTypes)
    return documentTypes
  }

  /// Opens a document to change it; for a package the file with its records, also in a ZIP archive.
  private func openToChange(
    _ name: String, _ types: DocumentTypes, _ options: EditableFile.Options
  ) throws(FerryError) -> EditableFile {
    guard let zipped = types.zippedPackage(at: name, from: options.format, budget: options.budget) else {
      return try EditableFile(path: types.mainFile(of: name), options: options)
    }
    let records = try zipped.storedRecords(
      inArchive: name, from: options.format, encoding: options.encoding, budget: options.budget)
    var options = options
    options.declaredFormats = records.declaredFormats
    return try EditableFile(records.file, named: records.name, options: options)
  }

  /// Runs a function on a file, and warns whether or not it fails: an object that does not fit a file of classes
  /// may be the reason why there is no value at a path.
  func warning<Result>(
    of file: EditableFile, named name: String, _ body: () throws(NamedError) -> Result
  ) throws(NamedError) -> Result {
    defer { warn(of: file, named: name) }
    return try body()
  }

  /// Reports references to missing objects, and objects that do not fit a file of classes.
  private func warn(of file: EditableFile, named name: String) {
    for error in file.danglingReferences {
      StandardError.write(NamedError(name: name, error: error).line + " (read as null)")
    }
    StandardError.write(file.notes, of: name)
  }
}
