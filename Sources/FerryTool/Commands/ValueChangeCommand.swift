import ArgumentParser
import Ferry

/// A command that puts values at paths: `set` and `insert`.
protocol ValueChangeCommand: EditingCommand {
  var change: ChangeOptions { get }
  var namespaces: NamespaceOptions { get }
}

extension ValueChangeCommand {
  var namespaceBindings: [NamespaceBinding] { namespaces.bindings }

  func validate() throws {
    try namespaces.check(for: change.changes.map(\.path), in: editing.folder)
    try editing.folder.list.checkStandardInput(isNoneOf: change.files)
  }

  /// Makes the changes in each file.
  ///
  /// - Parameters:
  ///   - selections: The paths of the changed values, or of the collections that get new ones.
  ///   - verb: The word for the changes after the number of values: `inserted`.
  ///   - selecting: Returns the values that the argument of a change selects as an XPath; nil if it is a path.
  ///   - checksAttributes: True if values that the XPath names as attributes may have become elements.
  ///   - make: Makes a change at a path, and returns the number of its values, and notes on it.
  func makeChanges(
    _ changes: [ChangeOptions.GivenChange], at selections: [ValuePath], _ verb: String,
    selecting: (PathArgument, EditableFile) throws(FerryError) -> [EditableFile.SelectedValue]?,
    asAttributes checksAttributes: Bool,
    _ make: (ChangeOptions.GivenChange, EditableFile) throws(FerryError) -> (count: Int, notes: [String])
  ) throws {
    try forEachFile(change.file, reading: change.files) { input, messages in
      var notes: [String] = []
      let isChanged = try edit(input, at: selections, verb, reading: change.files) {
        file throws(FerryError) in
        try file.makeAll(changes) { given throws(FerryError) in
          guard let selected = try selecting(given.change.path, file) else { return try make(given, file) }
          return try file.make(given, atEach: selected, asAttributes: checksAttributes) {
            given throws(FerryError) in try make(given, file)
          }
        } notes: {
          notes = $0
        }
      }
      messages.write(notes, of: input.path)
      return isChanged
    }
  }
}
