import Ferry

/// The outputs of a run with several inputs. No output may replace another output, or another input.
struct OutputClaims {
  private let inputs: Set<Folder.Location>
  private var taken: Set<Folder.Location> = []
  /// The outputs as they are named, because the folder of one may not exist before it is written. They are UTF-8:
  /// names that differ only by Unicode normalization are different files, but equal strings.
  private var takenNames: Set<[UInt8]> = []

  /// Creates the outputs for the inputs of a run.
  init(inputs: [String]) {
    self.inputs = Set(inputs.lazy.filter { $0 != "-" }.compactMap(Folder.location(of:)))
  }

  /// Adds the output of an input.
  ///
  /// - Throws: `FileProblem.outputTaken` if another input has the same output, and `outputIsInput` if the
  ///   output is another input.
  mutating func claim(_ output: String, for input: String) throws(NamedError) {
    let location = Folder.location(of: output)
    let isInput = location.map { inputs.contains($0) } ?? false
    let isInPlace = isInput && input != "-" && location == Folder.location(of: input)
    guard isInPlace || !isInput else {
      throw NamedError(name: input, error: FerryError(.file(.outputIsInput(output))))
    }
    var isFree = takenNames.insert(Array(output.utf8)).inserted
    if let location, !taken.insert(location).inserted { isFree = false }
    guard isFree else { throw NamedError(name: input, error: FerryError(.file(.outputTaken(output)))) }
  }
}
