import ArgumentParser
import Ferry

/// A command that changes values of a file: `set`, `insert`, `remove`, `move`, `copy` and `patch`.
protocol EditingCommand: PathCommand {
  var editing: EditingOptions { get }
}

extension EditingCommand {
  var input: InputOptions { editing.input }
  var paths: PathOptions { editing.paths }
  var classes: CatalogOptions { editing.classes }
  var types: TypeOptions { editing.types }
  var limits: BudgetOptions { editing.limits }

  /// Opens a file, changes the values that paths select, and writes the file as a whole, or not at all. Says how many values have
  /// changed if a path may select several.
  ///
  /// - Parameters:
  ///   - selections: The steps of each path that may select several values.
  ///   - verb: The participle of the change, for the message: `set`, `moved`.
  ///   - others: The other files that the command reads.
  ///   - change: Makes the changes, and returns their number.
  func edit(
    _ name: String, at selections: [ValuePath], _ verb: String, reading others: [OptionFile] = [],
    _ change: (EditableFile) throws(FerryError) -> Int
  ) throws {
    var count = 0
    try edit(name, reading: others) { file throws(FerryError) in count = try change(file) }
    guard selections.contains(where: \.namesSeveral) || count > selections.count else { return }
    StandardError.write(
      ["\(count.counted("value")) \(editing.dryRun.isDryRun ? "would be " : "")\(verb)"], of: name)
  }

  /// Opens a file, changes it and writes it as a whole, or not at all.
  ///
  /// - Parameter others: The other files that the command reads, apart from those of the options for editing.
  func edit(
    _ name: String, reading others: [OptionFile] = [], _ change: (EditableFile) throws(FerryError) -> Void
  ) throws {
    let isDryRun = editing.dryRun.isDryRun
    let output = try EditOutput(
      of: name, editing.destination, types, from: input.format,
      reading: others
        + OptionFile.given([("--classes", classes.file), ("--dtd", editing.entities.dtd)]),
      budget: limits.budget)
    // The edit begins before the file is read, so that it detects every conflicting write after that.
    let inPlaceEdit = isDryRun ? nil : try output.begin(.locking)
    var xml = XMLReadingOptions()
    xml.entities = try editing.entities.load()
    xml.refusesOtherFormats = true
    let file = try open(
      name, encoding: editing.encoding.name, csv: editing.csv.reading, xml: xml,
      changesAliases: editing.aliases.changesAliases)
    try output.check(file.format)
    let losses = LossReport()
    let bytes = try warning(of: file, named: name) { () throws(NamedError) in
      try NamedError.naming(name) { () throws(FerryError) in
        try change(file)
        return try file.contents(losses: losses)
      }
    }
    let notes = try output.check(bytes, of: file.stored.contents)
    if isDryRun {
      try output.checkWriting()
    } else {
      try output.write(bytes, as: file.stored, in: inPlaceEdit)
    }
    let copies = file.changedCopies
    if copies > 0 {
      let verb = isDryRun ? "would change" : "changed"
      StandardError.write(
        ["\(copies.counted("other value")) \(verb), too, through aliases or merge keys"], of: name)
    }
    StandardError.write(notes, of: name)
    StandardError.write(losses.all, of: name)
  }
}
