import Ferry
import Synchronization

/// The outputs of a run with several inputs, which several threads may add. No output may replace another output, another input, or the
/// file of an option.
final class OutputClaims: Sendable {
  private struct Taken {
    /// The input of each output.
    var inputs: [Folder.Location: String] = [:]
    /// The input of each output as it is named, because the folder of one may not exist before it is written. The names are UTF-8:
    /// names that differ only by Unicode normalization are different files, but equal strings.
    var inputsByName: [[UInt8]: String] = [:]

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
  /// The files that options name, by location.
  private let options: [Folder.Location: OptionFile]
  private let taken = Mutex(Taken())

  /// Creates the outputs for the inputs of a run, and the files that options name.
  init(inputs: [String], options: [OptionFile] = []) {
    self.inputs = Set(inputs.lazy.filter { $0 != "-" }.compactMap(Folder.location(of:)))
    let located = options.compactMap { file in
      file.path == "-" ? nil : Folder.location(of: file.path).map { ($0, file) }
    }
    self.options = Dictionary(located) { first, _ in first }
  }

  /// Adds the output of an input.
  ///
  /// - Parameter isOfTable: True if the output is that of one of several tables in the input.
  /// - Throws: `FileProblem.outputTaken` if another input has the same output, `tableOutputTaken` if another table has it, and
  ///   `outputIsInput` or `outputIsRead` if the output is another input or the file of an option.
  func claim(_ output: String, for input: String, isOfTable: Bool = false) throws(NamedError) {
    let location = Folder.location(of: output)
    let isInput = location.map { inputs.contains($0) } ?? false
    let isInPlace = isInput && input != "-" && location == Folder.location(of: input)
    guard isInPlace || !isInput else {
      throw NamedError(name: input, error: FerryError(.file(.outputIsInput(output))))
    }
    if !isInPlace, let file = location.flatMap({ options[$0] }) {
      throw NamedError(name: input, error: FerryError(.file(.outputIsRead(output, file.words))))
    }
    if let other = taken.withLock({ $0.claim(output, at: location, for: input) }) {
      let problem: FileProblem =
        isOfTable ? .tableOutputTaken(output) : .outputTaken(output, by: StandardError.inputName(other))
      throw NamedError(name: input, error: FerryError(.file(problem)))
    }
  }
}
