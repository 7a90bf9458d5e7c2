import ArgumentParser
import Ferry

/// A command that gives values other paths: `move` and `copy`.
protocol TransferCommand: EditingCommand {
  var transfer: TransferOptions { get }
}

extension TransferCommand {
  var namespaceBindings: [NamespaceBinding] { transfer.namespaces.bindings }

  func validate() throws { try transfer.namespaces.check(for: transfer.arguments, in: editing.folder) }

  /// Moves or copies the values in each file.
  ///
  /// - Parameters:
  ///   - verb: The word for the transfers after the number of values: `moved`.
  ///   - isMove: True if the values are removed from their old paths.
  ///   - transferOne: Moves or copies the values at a path to another one. Returns the number of values.
  func transferEach(
    _ verb: String, isMove: Bool,
    _ transferOne: (EditableFile, ValuePath, ValuePath) throws(FerryError) -> Int
  ) throws {
    let path = try transfer.path.mayBeXPath ? ValuePath() : transfer.path.path()
    try forEachFile(transfer.file) { input, _ in
      do {
        return try edit(input, at: [path], verb) { file throws(FerryError) in
          try ChangeAdvice.advising(on: transfer, in: file) { () throws(FerryError) in
            try file.transfer(transfer, isMove: isMove) { path, newPath throws(FerryError) in
              try transferOne(file, path, newPath)
            }
          }
        }
      } catch let error as NamedError where isMove {
        // In some formats, only the writer finds that other values need the value at its old path.
        throw NamedError(name: error.name, error: error.error.ofMove, formatOption: error.formatOption)
      }
    }
  }
}
