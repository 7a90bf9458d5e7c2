import ArgumentParser
import Ferry

/// A command that changes values of a file: `set`, `insert` and `remove`.
protocol EditingCommand: PathCommand {
  var destination: EditOptions { get }
  var dryRun: DryRunOptions { get }
  var entities: XMLEntityOptions { get }
  var encoding: EncodingOptions { get }
}

extension EditingCommand {
  /// Opens a file, changes it and writes it as a whole, or not at all.
  func edit(
    _ name: String, _ change: (EditableFile) throws(FerryError) -> Void
  ) throws {
    let output = try EditOutput(of: name, destination, types)
    // The edit begins before the file is read, so that it detects every conflicting write after that.
    let inPlaceEdit = dryRun.isDryRun ? nil : try output.begin(.locking)
    var xml = XMLReadingOptions()
    xml.entities = try entities.load()
    let file = try open(name, encoding: encoding.name, xml: xml)
    try output.check(file.format)
    let losses = LossReport()
    let bytes = try warning(of: file, named: name) { () throws(NamedError) in
      try NamedError.naming(name) { () throws(FerryError) in
        try change(file)
        return try file.contents(losses: losses)
      }
    }
    let notes = try output.check(bytes, of: file.stored.contents)
    if !dryRun.isDryRun { try output.write(bytes, as: file.stored, in: inPlaceEdit) }
    StandardError.write(notes, of: name)
    StandardError.write(losses.all, of: name)
  }
}
