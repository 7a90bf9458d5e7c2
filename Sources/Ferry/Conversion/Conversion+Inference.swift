extension Conversion {
  /// Returns the schema that an opened input has in common with others, or else infers it from the input, which is read again afterward.
  /// Returns nil, with a note, if it has no records.
  func inferredSchema(
    for source: OpenedInput, named name: String?, _ options: ReadingOptions
  ) throws(FerryError) -> Schema? {
    if let name, let schema = commonInference?.schema(ofFile: name) { return schema }
    let isStream =
      switch source.contents {
      case .stream, .elements(selection: nil), .elements(selection: .pattern), .elements(selection: .texts):
        true
      case .elements(selection: .nodes), .elements(selection: .values), .nodes, .typedstream, .database,
        .files:
        false
      }
    if isStream { try source.input.makeRewindable() }
    var inference = SchemaInference(options)
    inference.isForDatabase = writing.format.isDatabase
    try inference.add(source, named: nil)
    if isStream { try source.input.rewind() }
    do throws(FerryError) {
      return try inference.schema().schema
    } catch {
      source.notes.append(.readWithoutSchema(error.reason))
      return nil
    }
  }
}
