import Ferry

/// An error with the name of the file that causes it.
///
/// A command throws the error that ends its run; `FerryCommand` reports it. A command that continues with its
/// other inputs adds their errors to `RunErrors`.
struct NamedError: Error {
  let name: String
  let error: FerryError
  /// The option that names the format of the file, if it is not `--from`.
  var formatOption: String?

  /// Runs a function, and adds the file name to its error.
  static func naming<Result>(_ name: String, _ body: () throws(FerryError) -> Result) throws(NamedError)
    -> Result
  {
    do throws(FerryError) {
      return try body()
    } catch {
      throw NamedError(name: name, error: error)
    }
  }

  /// Runs a function that writes, and adds the name of the output to its error.
  static func naming<Result>(output path: String, _ body: () throws(FerryError) -> Result) throws(NamedError)
    -> Result
  {
    try naming(path == "-" ? NamedOutput.standardName : path, body)
  }

  var reason: FerryError.Reason { error.reason }

  /// True if the reader of the output has closed it.
  var isClosedPipe: Bool { reason == .file(.brokenPipe) }

  /// The file that the location of the error is in: in a package, the file with the records; in a ZIP archive, a file of the archive.
  var file: String {
    guard !error.location.isEmpty else { return name }
    if let file = error.file, file.utf8.starts(with: "\(name)/".utf8) { return file }
    if error.file == nil, let file = error.fileInArchive { return "\(StandardError.inputName(name))/\(file)" }
    return Self.file(of: name)
  }

  /// Returns the file that the locations in an input are in: in a package, the file with the records.
  static func file(of name: String) -> String { (try? DocumentTypes.builtIn.mainFile(of: name)) ?? name }

  /// The error in one line that begins with the file, so that editors can jump there: `people.xml:3:14: …`,
  /// `people.plist: byte 1204, object 17: …`.
  var line: String {
    let name = name.isEmpty ? "\"\"" : StandardError.inputName(file)
    let hasLine = error.location.line != nil
    return
      "\(name):\(hasLine ? "" : " ")\(error.advised(formatOption: formatOption))\(hintOnFolders)\(hintOnPipes)\(hintOnOrder)\(hintOnSeveralFiles)"
  }

  /// The advice for a command line with several files, in which the second file was read as a path.
  private var hintOnSeveralFiles: String {
    guard reason.isOfMissingValue,
      let advice = ArgumentOrder.adviceOnSeveralFiles(in: ProcessArguments.current.texts)
    else { return "" }
    return " (\(advice))"
  }

  /// The advice about a pipe or a device, which cannot be changed in place.
  private var hintOnPipes: String {
    guard reason == .document(.neitherFileNorFolder),
      let advice = ArgumentOrder.advice(aboutPipe: name, in: ProcessArguments.current.texts)
    else { return "" }
    return " (\(advice))"
  }

  /// The advice about a file that does not exist, if its name is a path.
  private var hintOnOrder: String {
    guard case .file(.notFound) = reason,
      let advice = ArgumentOrder.advice(aboutMissing: name, in: ProcessArguments.current.texts)
    else { return "" }
    return " (\(advice))"
  }

  /// The advice about a folder without a file extension, which is not a package.
  private var hintOnFolders: String {
    guard case .package(.unknownType) = reason, !hasExtension else { return "" }
    if CommandOptions.running?.isOfSchema == true {
      return "; --files-from - takes the names of the files in a folder from find"
    }
    if CommandOptions.running?.isOfEditing == true { return "; -r changes the files in a folder" }
    if CommandOptions.running?.isOfGet == true {
      return "; --recursive reads the files in a folder"
    }
    return "; ferry convert -r takes the files in a folder, and ferry diff compares two folders"
  }

  /// True if the file or folder has a file extension, as packages have.
  private var hasExtension: Bool {
    let last = name.namesInPath.last ?? ""
    return last != ".." && last.dropFirst().contains(".")
  }
}
