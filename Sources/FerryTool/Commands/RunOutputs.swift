import Ferry

/// The files that a run writes. If the run finds one of them in a folder, it is not an input: the run would read its own output, without
/// end if it reads while it writes.
struct RunOutputs {
  /// The file that the standard output is redirected to, as by `> all.jsonl`; nil for a terminal, a pipe or a device.
  static let redirected = Folder.identity(ofStandardStream: 1)
  /// The file that the standard error is redirected to, as by `2> errors.json`.
  private static let errors = Folder.identity(ofStandardStream: 2)
  /// The file that the standard input is redirected from, as by `< a.json`.
  private static let standardInput = Folder.identity(ofStandardStream: 0)

  private let standardOutput: Folder.Identity?
  private let paths: [String]
  private let locations: Set<Folder.Location>

  /// - Parameters:
  ///   - paths: The files and folders that options name; `-` is the standard output.
  ///   - standardOutput: The file that the standard output is redirected to.
  init(_ paths: [String?] = [], standardOutput: Folder.Identity? = RunOutputs.redirected) {
    self.standardOutput = standardOutput
    self.paths = paths.compactMap { $0 }.filter { $0 != "-" }
    locations = Set(self.paths.compactMap(Folder.location(of:)))
  }

  /// Returns true for a file that the run writes, and for a package in which it writes a file. A note says that it is left out. There is
  /// none for the file of the standard error, which stays empty without errors and notes.
  func leavesOut(_ path: String, isQuiet: Bool) -> Bool {
    guard contains(path) else { return Self.errors.map { $0 == Folder.identity(of: path) } ?? false }
    let words = Folder.isFolder(path) ? "writes a file in it" : "writes it"
    if !isQuiet { StandardError.write(["left out, because this run \(words)"], of: path) }
    return true
  }

  private func contains(_ path: String) -> Bool {
    if let standardOutput, Folder.identity(of: path) == standardOutput { return true }
    if !locations.isEmpty, let location = Folder.location(of: path), locations.contains(location) {
      return true
    }
    guard standardOutput != nil || !paths.isEmpty, Folder.isFolder(path) else { return false }
    if let standardOutput, Folder.file(in: path, of: standardOutput) != nil { return true }
    return paths.contains { Folder.contains(path, $0) }
  }

  /// Throws if the standard output is redirected to one of the files that the user has named, or to a file in a package among them.
  ///
  /// - Parameter types: The types of packages; nil if the run reads no packages.
  static func checkReadsNone(of names: [String], among types: DocumentTypes? = nil) throws(NamedError) {
    guard let redirected else { return }
    for name in names {
      if name != "-", types?.type(ofFile: name)?.isPackage == true, Folder.isFolder(name),
        let file = Folder.file(in: name, of: redirected)
      {
        throw NamedError(name: file, error: FerryError(.file(.isStandardOutput)))
      }
      let input = name == "-" ? standardInput : Folder.identity(of: name)
      guard input != redirected else {
        throw NamedError(name: name, error: FerryError(.file(.isStandardOutput)))
      }
    }
  }

  /// Returns true if an output is a file that the run reads; `-` is the file that the standard input is redirected from.
  static func isSame(_ output: String, _ input: String) -> Bool {
    guard input == "-" else { return Folder.isSame(input, output) }
    return standardInput.map { $0 == Folder.identity(of: output) } ?? false
  }

  /// Returns true if an output is a folder, such as a package, that contains a file that the run reads; `-` is the file that the standard
  /// input is redirected from.
  static func contains(_ output: String, _ input: String) -> Bool {
    guard input == "-" else { return Folder.contains(output, input) }
    return standardInput.map { Folder.isFolder(output) && Folder.file(in: output, of: $0) != nil } ?? false
  }

  /// Throws if an output would replace a file that the run reads, or change a package that it reads.
  ///
  /// - Parameters:
  ///   - options: The files that options name and the run reads.
  ///   - isPackage: True if the output is a package, whose files it replaces.
  static func check(
    _ output: String, replacesNoneOf inputs: [String], _ options: [OptionFile] = [], isPackage: Bool = false
  ) throws(FerryError) {
    guard output != "-" else { return }
    for input in inputs {
      if isSame(output, input) { throw FerryError(.file(.outputIsSource(output))) }
      try check(output, isOutside: input)
    }
    for option in options
    where isSame(output, option.path) || isPackage && contains(output, option.path) {
      throw FerryError(.file(.outputIsRead(output, option.words)))
    }
  }

  /// Throws if an output would be a file in a package that the run reads.
  static func check(_ output: String, isOutside input: String) throws(FerryError) {
    guard output != "-", input != "-", Folder.contains(input, output) else { return }
    throw FerryError(.package(.outputInside(input)))
  }
}
