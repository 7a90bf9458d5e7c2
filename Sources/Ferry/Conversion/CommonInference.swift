/// The schemas, and the types of columns, that several files have in common.
///
///     1.xml  <l><b>1</b></l>                b: list of string
///     2.xml  <l><b>x</b><b>2</b></l>        b: list of string
///
/// Files with elements have one schema, those with other values have another one, and columns of tables have one type if they have
/// the same name. If the records of the files have no schema in common, each file has its own.
struct CommonInference: Sendable {
  private var schemas: [ExactString: Schema] = [:]
  private var columnTypes: [ExactString: [CSVColumnType]] = [:]

  /// Returns the schema of a file, or nil if it is inferred from this file alone.
  func schema(ofFile name: String) -> Schema? { schemas[ExactString(name)] }

  /// Returns the types of the columns in a file, or nil if they are inferred from this file alone.
  func columnTypes(ofFile name: String) -> [CSVColumnType]? { columnTypes[ExactString(name)] }

  /// A search for what files have in common, to which the files are added one by one.
  struct Search {
    private var elements = SchemaSearch()
    private var values = SchemaSearch()
    private var tables: [(name: ExactString, columns: [CSVFoundColumn])] = []

    /// The files of one kind, with their inference.
    private struct SchemaSearch {
      var inference: SchemaInference?
      var files: [ExactString] = []

      mutating func add(
        _ source: OpenedInput, named name: String, _ options: ReadingOptions
      ) throws(FerryError) {
        // A file that fails adds nothing.
        var next = inference ?? SchemaInference(options)
        try next.add(source, named: nil, reading: options)
        inference = next
        files.append(ExactString(name))
      }
    }

    /// Adds the records of an opened file.
    mutating func add(
      _ source: OpenedInput, named name: String, _ options: ReadingOptions
    ) throws(FerryError) {
      if source.recordDialect(options).hasElements {
        try elements.add(source, named: name, options)
      } else {
        try values.add(source, named: name, options)
      }
    }

    /// Adds the columns of a table.
    mutating func add(_ columns: [CSVFoundColumn], named name: String) {
      tables.append((ExactString(name), columns))
    }

    /// Returns what the files so far have in common.
    ///
    /// - Parameter isForDatabase: True if the records are written to a database.
    func result(isForDatabase: Bool) -> CommonInference {
      var result = CommonInference()
      for search in [elements, values] {
        guard search.files.count > 1, var inference = search.inference else { continue }
        inference.isForDatabase = isForDatabase
        guard let schema = try? inference.schema().schema else { continue }
        for file in search.files { result.schemas[file] = schema }
      }
      let types = CSVFoundColumn.types(of: tables.map(\.columns))
      if tables.count > 1 {
        for (table, types) in zip(tables, types) { result.columnTypes[table.name] = types }
      }
      return result
    }
  }
}

extension Conversion {
  /// Infers the schemas, and the types of columns, that several files have in common, for the conversions of these files. Does nothing
  /// unless the conversion infers them. Files that cannot be read twice are left out, and those that cannot be read: their errors are
  /// reported when they are converted.
  ///
  /// - Parameters:
  ///   - files: The paths of the inputs, which are also their names when they are converted.
  ///   - standardInput: The input that `standardInput(among:)` has opened, which is then at its beginning again.
  ///   - options: Returns the options for reading a file, without those that its format cannot have; nil to read each file with the options
  ///     of the conversion.
  public mutating func inferInCommon(
    fromFiles files: [String], standardInput: FileInput? = nil,
    reading options: ((_ file: String) -> ReadingOptions)? = nil
  ) {
    inferInCommon(
      fromFiles: files, standardInput: standardInput, joinsRecords: false, reading: options)
  }

  /// Infers the schemas, and the types of columns, as `inferInCommon(fromFiles:standardInput:reading:)`.
  ///
  /// - Parameter joinsRecords: True if the records of the inputs become one list, also in XML.
  package mutating func inferInCommon(
    fromFiles files: [String], standardInput: FileInput?, joinsRecords: Bool,
    reading options: ((_ file: String) -> ReadingOptions)?
  ) {
    guard infersInCommon, files.count > 1 else { return }
    var search = CommonInference.Search()
    for file in files {
      var conversion = joinsRecords ? readingRecords : self
      if let options { conversion.reading = options(file) }
      if file == "-" {
        guard let standardInput, standardInput.isRewindable else { continue }
        try? conversion.add(standardInput, named: file, to: &search)
        try? standardInput.rewind()
      } else {
        try? conversion.add(file, to: &search)
      }
    }
    commonInference = search.result(isForDatabase: writing.format.isDatabase)
  }

  /// True if a schema, or types of columns, are inferred.
  package var infersInCommon: Bool { (infersSchema || reading.csv.infersTypes) && reading.schema == nil }

  private func add(_ file: String, to search: inout CommonInference.Search) throws(FerryError) {
    guard try SystemPath.status(of: file)?.kind == .regular else { return }
    try add(FileInput(path: file), named: file, to: &search)
  }

  /// Adds an input to a search, if its schema or the types of its columns would be inferred in a conversion.
  private func add(
    _ input: FileInput, named file: String, to search: inout CommonInference.Search
  ) throws(FerryError) {
    let source = try opened(detected(input, named: file))
    let conversion = convertingRecords(of: source)
    guard !copiesElements(of: source), conversion.writing.representation == .plain else { return }
    let options = conversion.readingOptions(for: source.format)
    if reading.matchesSchemas, try source.matchingSchema(options) != nil { return }
    if let columnTypes = source.format.description.columnTypes {
      guard options.csv.infersTypes else { return }
      search.add(
        try columnTypes(
          source.input, source.columnContext(options, failed: keepsGoing ? FailedRecords() : nil)),
        named: file)
    } else if infersSchema {
      try search.add(source, named: file, options)
    }
  }
}
