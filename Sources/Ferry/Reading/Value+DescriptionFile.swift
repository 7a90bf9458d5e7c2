extension Value {
  /// Reads a schema, a class file or a file of document types, in any format. In XML, the description is the
  /// content of the root element.
  init(descriptionInFile path: String) throws(FerryError) {
    let value = try Value(reading: try FileInput(path: path), named: path)
    if case .dictionary(let entries) = value, entries.count == 1, let inner = entries.values.first,
      inner["ferry"] != nil
    {
      self = inner
    } else {
      self = value
    }
  }
}

extension Schema {
  /// Returns the built-in schema with a name, or reads the schema in a file of any format. A name without a
  /// period or a slash refers to a file only if the file exists.
  ///
  /// - Throws: A `FerryError` with the reason `RecordProblem.unknownSchema` if there is neither a built-in schema nor a file with this
  ///   name, or an error of the file.
  public init(named name: String) throws(FerryError) {
    if let known = Schema.builtIn.first(where: { $0.name == name }) {
      self = known
      return
    }
    guard name.contains("/") || name.contains(".") || Folder.hasSomething(at: name) else {
      throw FerryError(.record(.unknownSchema(name, known: Schema.builtIn.map(\.name))))
    }
    try self.init(Value(descriptionInFile: name))
  }
}

extension ClassCatalog {
  /// Reads a class file in any format that Ferry reads.
  ///
  /// - Throws: An error of the file, or `RecordProblem.badClasses` with the path of the invalid part.
  public init(classesInFile path: String) throws(FerryError) {
    try self.init(classesIn: Value(descriptionInFile: path))
  }
}
