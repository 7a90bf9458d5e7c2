import Ferry
import Synchronization

/// The outputs of a run with several inputs, which several threads may add. No output may replace another output, or another input.
final class OutputClaims: Sendable {
  private struct Taken {
    var locations: Set<Folder.Location> = []
    /// The outputs as they are named, because the folder of one may not exist before it is written. They are UTF-8:
    /// names that differ only by Unicode normalization are different files, but equal strings.
    var names: Set<[UInt8]> = []
  }

  private let inputs: Set<Folder.Location>
  private let taken = Mutex(Taken())

  /// Creates the outputs for the inputs of a run.
  init(inputs: [String]) {
    self.inputs = Set(inputs.lazy.filter { $0 != "-" }.compactMap(Folder.location(of:)))
  }

  /// Adds the output of an input.
  ///
  /// - Parameter isOfTable: True if the output is that of one of several tables in the input.
  /// - Throws: `FileProblem.outputTaken` if another input has the same output, `tableOutputTaken` if another table has it, and
  ///   `outputIsInput` if the output is another input.
  func claim(_ output: String, for input: String, isOfTable: Bool = false) throws(NamedError) {
    let location = Folder.location(of: output)
    let isInput = location.map { inputs.contains($0) } ?? false
    let isInPlace = isInput && input != "-" && location == Folder.location(of: input)
    guard isInPlace || !isInput else {
      throw NamedError(name: input, error: FerryError(.file(.outputIsInput(output))))
    }
    let isFree = taken.withLock { taken in
      let isNew = taken.names.insert(Array(output.utf8)).inserted
      guard let location else { return isNew }
      return taken.locations.insert(location).inserted && isNew
    }
    guard isFree else {
      let problem: FileProblem = isOfTable ? .tableOutputTaken(output) : .outputTaken(output)
      throw NamedError(name: input, error: FerryError(.file(problem)))
    }
  }
}
