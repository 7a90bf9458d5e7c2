import ArgumentParser
import Ferry

/// A command that opens a file whose values are named by paths.
protocol PathCommand: ParsableCommand {
  var input: InputOptions { get }
  var paths: PathOptions { get }
  var classes: CatalogOptions { get }
  var types: TypeOptions { get }
  var limits: BudgetOptions { get }
}

extension PathCommand {
  /// Opens the file; for a package the file with its records.
  ///
  /// - Parameters:
  ///   - isRead: True to only read the file.
  ///   - value: The path of the values that are read from the file, if it is only read and they have one path.
  ///   - isSummarized: True if only the summaries of these values are read.
  ///   - changesAliases: True to change values that anchors of YAML share at all of their aliases.
  ///   - openFile: Opens the file to read it.
  func open(
    _ name: String, isRead: Bool = false, reading value: ValuePath? = nil, isSummarized: Bool = false,
    shared: SharedObjectStyle = .reference,
    encoding: String? = nil, csv: CSVReadingOptions = CSVReadingOptions(),
    xml: XMLReadingOptions = XMLReadingOptions(), changesAliases: Bool = false,
    opening openFile: (String) throws(FerryError) -> FileInput = ProcessArguments.current.open
  ) throws(NamedError) -> EditableFile {
    var options = EditableFile.Options()
    options.format = input.format
    options.representation = paths.representation.representation
    options.isLenient = paths.isLenient
    options.shared = shared
    options.changesAliases = changesAliases
    (options.encoding, options.csv, options.xml) = (encoding, csv, xml)
    options.budget = limits.budget
    options.catalog = try classes.load()
    let documentTypes = try types.load()
    try RunOutputs.checkReadsNone(of: [name], among: documentTypes)
    options.declaredFormats = documentTypes.declaredFormats
    return try NamedError.naming(name) { () throws(FerryError) in
      guard isRead else { return try openToChange(name, documentTypes, options) }
      let values = try documentTypes.openValues(
        of: name, from: options.format, budget: options.budget, openFile)
      options.declaredFormats = values.declaredFormats
      if isSummarized, let value {
        return try EditableFile.summarizing(value, from: values.file, named: values.name, options: options)
      }
      return try EditableFile.reading(
        value ?? ValuePath(), from: values.file, named: values.name, options: options)
    }
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
