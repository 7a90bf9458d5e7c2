import Ferry
import Synchronization

/// The outputs of a run with several inputs, which several threads may add. No output may replace another output, an input, or the file of
/// an option, or be inside a package that is an input. Only a run in place replaces each input by its own output. `RunOutputs.check` has the
/// same rules for a command with one output.
final class OutputClaims: Sendable {
  private struct Taken {
    /// The input of each output.
    var inputs: [Folder.Location: String] = [:]
    /// The input of each output as it is named, because the folder of one may not exist before it is written. The names are UTF-8:
    /// names that differ only by Unicode normalization are different files, but equal strings.
    var inputsByName: [[UInt8]: String] = [:]
    var locations: FolderLocations

    /// Adds an output. Returns the input that has it already.
    mutating func claim(_ output: String, at location: Folder.Location?, for input: String) -> String? {
      let name = Array(output.utf8)
      if let other = inputsByName[name] ?? location.flatMap({ inputs[$0] }) { return other }
      inputsByName[name] = input
      if let location { inputs[location] = input }
      return nil
    }
  }

  private let inputs: Set<Folder.Location>
  /// The inputs in order, with true for those that were regular files when the run began.
  let regularInputs: [(path: String, isRegular: Bool)]
  /// The inputs that are packages.
  private let packages: [Folder.Identity: String]
  private let isInPlace: Bool
  /// The files that options name.
  private let options: [OptionFile]
  /// The files that options name, by location.
  private let locatedOptions: [Folder.Location: OptionFile]
  private let taken: Mutex<Taken>

  /// Creates the outputs for the inputs of a run, and the files that options name.
  ///
  /// - Parameter isInPlace: True if each input is its own output.
  init(inputs: [String], options: [OptionFile] = [], isInPlace: Bool = false) {
    self.isInPlace = isInPlace
    var locations = FolderLocations()
    var (located, folders): (Set<Folder.Location>, [String]) = ([], [])
    regularInputs = inputs.map { input in
      guard input != "-" else { return (input, false) }
      let found = locations.find(input)
      if let location = found.location { located.insert(location) }
      if !found.isRegularFile, Folder.isFolder(input) { folders.append(input) }
      return (input, found.isRegularFile)
    }
    self.inputs = located
    taken = Mutex(Taken(locations: locations))
    packages = Dictionary(folders.compactMap { name in Folder.identity(of: name).map { ($0, name) } }) {
      first, _ in first
    }
    let locatedOptions = options.compactMap { file in
      file.path == "-" ? nil : Folder.location(of: file.path).map { ($0, file) }
    }
    self.options = options
    self.locatedOptions = Dictionary(locatedOptions) { first, _ in first }
  }

  /// Adds the output of an input. Returns true if surely nothing is at the path of the output.
  ///
  /// - Parameter isOfTable: True if the output is that of one of several tables in the input.
  /// - Throws: `FileProblem.outputTaken` if another input has the same output, `namedTwice` if this input is the same file, and
  ///   `tableOutputTaken` if another table of the input has the output; `outputIsSource`, `outputIsInput` or `outputIsRead` if the output is the input,
  ///   another input or the file of an option; and `PackageProblem.outputInside` if the output is inside a package that is an input.
  @discardableResult
  func claim(_ output: String, for input: String, isOfTable: Bool = false) throws(NamedError) -> Bool {
    let found = taken.withLock { $0.locations.find(output) }
    let location = found.location
    let isInput = location.map { inputs.contains($0) } ?? false
    // Most outputs do not exist yet.
    let isOwn = found.exists && Self.replaces(output, input)
    guard isInPlace || !isOwn else {
      throw NamedError(name: input, error: FerryError(.file(.outputIsSource(output))))
    }
    guard isOwn || !isInput || location == Folder.location(of: input) else {
      throw NamedError(name: input, error: FerryError(.file(.outputIsInput(output))))
    }
    if !isInPlace {
      try NamedError.naming(output) { () throws(FerryError) in try checkIsOutside(output) }
    }
    if !isOwn, let file = optionFile(replacedBy: output, at: location) {
      throw NamedError(name: input, error: FerryError(.file(.outputIsRead(output, file.words))))
    }
    if let other = taken.withLock({ $0.claim(output, at: location, for: input) }) {
      let name = StandardError.inputName(other)
      let problem: FileProblem =
        if isOfTable, other.equals(input) {
          .tableOutputTaken(output)
        } else if let source = Folder.location(of: input), source == Folder.location(of: other) {
          .namedTwice(as: name)
        } else {
          .outputTaken(output, by: name, differsInExtension: Self.differInExtension(input, other))
        }
      throw NamedError(name: input, error: FerryError(.file(problem)))
    }
    return found.isFree
  }

  /// Adds the one output of all inputs.
  ///
  /// - Throws: As `claim(_:for:)`.
  func claim(_ output: String, forAll inputs: [String]) throws(NamedError) {
    for input in inputs where Folder.hasSomething(at: output) && Self.replaces(output, input) {
      throw NamedError(name: input, error: FerryError(.file(.outputIsSource(output))))
    }
    try NamedError.naming(output) { () throws(FerryError) in
      try checkIsOutside(output)
      if let file = optionFile(replacedBy: output, at: Folder.location(of: output)) {
        throw FerryError(.file(.outputIsRead(output, file.words)))
      }
    }
  }

  /// Returns true if the names of two inputs, without their folders, differ only in their extensions.
  private static func differInExtension(_ input: String, _ other: String) -> Bool {
    let (bytes, others) = (Array(Folder.name(of: input).utf8), Array(Folder.name(of: other).utf8))
    func stem(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
      bytes[..<(bytes.lastIndex(of: UInt8(ascii: ".")) ?? bytes.endIndex)]
    }
    return bytes != others && stem(bytes).elementsEqual(stem(others))
  }

  /// Throws if an output would be inside a package that is an input.
  func checkIsOutside(_ output: String) throws(FerryError) {
    guard !packages.isEmpty, output != "-",
      let package = Folder.folders(containing: output).lazy.compactMap({ self.packages[$0] }).first
    else { return }
    throw FerryError(.package(.outputInside(package)))
  }

  /// Throws if a folder for outputs would be a package that is an input, or a folder inside of one.
  func checkIsOutside(folder: String?) throws(NamedError) {
    guard let folder else { return }
    try NamedError.naming(folder) { () throws(FerryError) in try checkIsOutside("\(folder)/.") }
  }

  /// Returns true if an existing output would replace an input: the output is the input, or a package with the input in it.
  private static func replaces(_ output: String, _ input: String) -> Bool {
    RunOutputs.isSame(output, input) || RunOutputs.contains(output, input)
  }

  /// Returns the file of an option that an output would replace: the output is the file, or a package with the file in it.
  private func optionFile(replacedBy output: String, at location: Folder.Location?) -> OptionFile? {
    if let file = location.flatMap({ locatedOptions[$0] }) { return file }
    guard !options.isEmpty, Folder.hasSomething(at: output) else { return nil }
    if Folder.isFolder(output) { return options.first { RunOutputs.contains(output, $0.path) } }
    return options.first { $0.path == "-" && RunOutputs.isSame(output, "-") }
  }
}
