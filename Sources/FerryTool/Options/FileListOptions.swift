import ArgumentParser
import Ferry

/// The options for a list of input files, for more files than a command line holds.
struct FileListOptions: ParsableArguments {
  @Option(
    name: .customLong("files-from"), parsing: .singleValue,
    help: ArgumentHelp(
      "Read the names of input files from this file, one a line (-: standard input).", valueName: "file"),
    completion: .file())
  var paths: [String] = []

  @Flag(
    name: [.customLong("null"), .customShort("0")],
    help:
      "End each name in the --files-from file, and in the output of find -l and -L, with a zero byte, as find -print0 does."
  )
  var endsWithZero = false

  /// True if there is a list.
  var isGiven: Bool { !paths.isEmpty }

  /// The lists as files of the option.
  var files: [OptionFile] { paths.map { OptionFile(option: "--files-from", path: $0) } }

  func validate() throws {
    guard paths.count(where: { $0 == "-" }) <= 1 else {
      throw ValidationError("--files-from - reads the standard input, which can be read only once")
    }
  }

  /// Throws if both a list and another file that the command reads are the standard input.
  func checkStandardInput(isNoneOf others: [OptionFile]) throws(ValidationError) {
    guard paths.contains("-"), let other = others.first(where: { $0.path == "-" }) else { return }
    throw ValidationError("--files-from - reads the standard input, which cannot be \(other.words) as well")
  }

  /// Returns the names of the inputs: the arguments, then the names in the lists. Without both, the input is
  /// the standard input.
  ///
  /// - Parameters:
  ///   - types: The types of packages, in which the standard output must not be.
  ///   - errors: Receives the errors of names that are not UTF-8, which are left out.
  ///   - opensAnyName: True if the command opens the arguments by their bytes, so that these need not be UTF-8.
  ///   - printsNames: True if the command prints names of files, which `--null` ends.
  func names(
    after arguments: [String], _ types: DocumentTypes, _ errors: RunErrors, opensAnyName: Bool = false,
    printsNames: Bool = false
  ) throws -> [String] {
    guard !paths.isEmpty || !endsWithZero || printsNames else {
      throw ValidationError("--null needs --files-from FILE, or find -l")
    }
    let all = ProcessArguments.current
    try all.validate(except: arguments)
    let given = arguments.filter { name in
      guard !opensAnyName, let bytes = all.bytes(of: name) else { return true }
      errors.add(Self.notUTF8(bytes, named: name))
      return false
    }
    try RunOutputs.checkReadsNone(of: paths)
    let names =
      try paths.isEmpty && arguments.isEmpty
      ? ["-"] : given + paths.flatMap { path in try self.names(in: bytes(of: path), of: path, errors) }
    try RunOutputs.checkReadsNone(of: names, among: types)
    guard !paths.contains("-") || !names.contains("-") else {
      throw ValidationError("--files-from - reads the standard input, which cannot be an input as well")
    }
    return names
  }

  /// Reads a list.
  private func bytes(of path: String) throws -> [UInt8] {
    let list = try NamedError.naming(path) { () throws(FerryError) in try FileInput(path: path).readAll() }
    guard endsWithZero || !list.contains(0) else {
      let name = path == "-" ? "the standard input" : path
      throw ValidationError("a name in \(name) has a zero byte (use -0 for names that end with it)")
    }
    return list
  }

  private func names(
    in list: [UInt8], of path: String, _ errors: RunErrors
  ) throws(ValidationError) -> [String] {
    let lines = list.split(separator: endsWithZero ? 0 : UInt8(ascii: "\n"))
    if let first = lines.first, first.starts(with: "\u{feff}".utf8),
      !Folder.hasSomething(at: String(decoding: first, as: UTF8.self))
    {
      let name = path == "-" ? "the standard input" : path
      throw ValidationError(
        "\(name) begins with a byte order mark, which would be part of the first name (remove it)")
    }
    if !endsWithZero, let first = lines.first, first.last == UInt8(ascii: "\r"),
      !Folder.hasSomething(at: String(decoding: first, as: UTF8.self))
    {
      let name = path == "-" ? "the standard input" : path
      throw ValidationError(
        "the lines of \(name) end with CR LF, and CR would be part of the names (remove it, as with tr -d '\\r')"
      )
    }
    return lines.compactMap { bytes in
      if let name = String(validating: bytes, as: UTF8.self) { return name }
      errors.add(Self.notUTF8(bytes, named: path))
      return nil
    }
  }

  /// Returns the error of the name of a file that is not UTF-8.
  ///
  /// - Parameter name: The name in the error: the argument, or the list that has the name.
  private static func notUTF8(_ bytes: some Collection<UInt8>, named name: String) -> NamedError {
    NamedError(name: name, error: FerryError(.file(.nameNotUTF8(MessageText.fileName(bytes)))))
  }
}
