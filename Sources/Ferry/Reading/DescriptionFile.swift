/// A file in any format that describes data: a schema, classes or document types. In XML, the description is the content of the root
/// element.
struct DescriptionFile {
  private let source: DecodedSource
  /// The description.
  private let value: Value
  /// The path of the description in the file.
  private let root: ValuePath

  /// Reads a file, and parses its description. Errors of the description get the source location of its invalid part.
  static func parse<Result>(
    _ path: String, _ body: (Value) throws(FerryError) -> Result
  ) throws(FerryError) -> Result {
    let file = try DescriptionFile(path)
    do throws(FerryError) { return try body(file.value) } catch {
      throw file.placed(error).placed(inFile: path)
    }
  }

  private init(_ path: String) throws(FerryError) {
    let file = try FileInput(path: path)
    // The file is read twice. A pipe, which may be endless, is kept in memory up to a limit.
    let input: any ByteInput = file.path == nil ? MemoryInput(try file.readAll()) : file
    var options = ReadingOptions()
    options.matchesSchemas = false
    source = DecodedSource(input: input, name: path, options: options, locatesBeginnings: true)
    let value = try source.value()
    if case .dictionary(let entries) = value, entries.count == 1, let inner = entries.values.first,
      inner["ferry"] != nil, case .string(let name)? = entries.keys.first
    {
      (self.value, root) = (inner, ValuePath([.key(name)]))
    } else {
      (self.value, root) = (value, ValuePath())
    }
  }

  /// Returns an error with the source location of the value at its path, or of the innermost value around it.
  private func placed(_ error: FerryError) -> FerryError {
    guard error.location.isEmpty else { return error }
    var path = ValuePath(root.steps + error.path.steps)
    while true {
      if let location = source.location(of: path) { return error.placed(at: location) }
      // A list may be written as its only element.
      guard !path.isEmpty else { return error }
      path.steps.removeLast()
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
    self = try DescriptionFile.parse(name) { value throws(FerryError) in try Schema(value) }
  }
}

extension ClassCatalog {
  /// Reads a class file in any format that Ferry reads.
  ///
  /// - Throws: An error of the file, or `RecordProblem.badClasses` with the path of the invalid part.
  public init(classesInFile path: String) throws(FerryError) {
    self = try DescriptionFile.parse(path) { value throws(FerryError) in try ClassCatalog(classesIn: value) }
  }
}
