extension Conversion {
  /// Reads the XML among several inputs, so that an element which is a list in one of them is a list in all of them. Does
  /// nothing if the conversion reads XML by a schema or another convention, or writes XML. Inputs that can be read only once, such as named
  /// pipes, get the form of the others, and the others do not get theirs.
  ///
  /// - Parameters:
  ///   - files: The paths of the inputs.
  ///   - standardInput: The input that `standardInput(among:)` has opened, which is then at its beginning again.
  ///   - threads: The number of threads that read the inputs.
  public mutating func noteCommonShape(
    ofFiles files: [String], standardInput: FileInput? = nil, threads: Int = 1
  ) {
    noteCommonShape(
      ofFiles: files.map { ($0, isRegular: false) }, standardInput: standardInput, threads: threads)
  }

  /// Reads the XML among several inputs, as `noteCommonShape(ofFiles:standardInput:threads:)`.
  ///
  /// - Parameters:
  ///   - files: The paths of the inputs. The kind of a file is looked up unless the file is known to be regular.
  ///   - joinsRecords: True if the records of the inputs become one list, also in XML.
  ///   - splitsRecords: True if each record becomes an output, so that the format of the outputs must not change the number of records.
  package mutating func noteCommonShape(
    ofFiles files: [(path: String, isRegular: Bool)], standardInput: FileInput?, threads: Int,
    joinsRecords: Bool = false, splitsRecords: Bool = false
  ) {
    guard files.count > 1 || joinsRecords, readsCommonShape(joinsRecords: joinsRecords || splitsRecords)
    else { return }
    let documents = ReadDocuments()
    var shape = XMLCommonShape(
      ofFiles: files.filter { $0.path != "-" }, reading, threads: threads, keeping: documents)
    reading.documents = documents
    if let standardInput, standardInput.isRewindable { shape.add(standardInput, named: "-", reading) }
    shape.hasOtherInputs = shape.documentCount < files.count
    reading.xml.commonShape = shape
  }

  /// Reads the XML inputs of a `JoinedConversion` to XML, so that its list has the names that their records and root elements have in common, and
  /// the declarations of namespaces around the records, unless these contradict each other. As in other formats, an element is then a list if it
  /// is one in any of the inputs. Does nothing if the conversion uses a schema or another convention, and if one of the inputs is not XML or can
  /// be read only once.
  ///
  ///     var conversion = Conversion(to: .xml)
  ///     conversion.noteCommonNames(ofFiles: ["a.xml", "b.xml"])
  ///     // a.xml, b.xml: <people><person>…</person></people>
  ///     // output of both: <people><person>…</person><person>…</person></people>
  public mutating func noteCommonNames(ofFiles files: [String]) {
    noteCommonNames(ofFiles: files.map { ($0, isRegular: false) }, standardInput: nil)
  }

  /// Reads the XML inputs of a joined conversion, as `noteCommonNames(ofFiles:)`.
  ///
  /// - Parameters:
  ///   - files: The paths of the inputs. The kind of a file is looked up unless the file is known to be regular.
  ///   - standardInput: The input that `standardInput(among:)` has opened, which is then at its beginning again.
  package mutating func noteCommonNames(
    ofFiles files: [(path: String, isRegular: Bool)], standardInput: FileInput?
  ) {
    guard mayHaveCommonNames else { return }
    if reading.xml.commonShape == nil {
      noteCommonShape(ofFiles: files, standardInput: standardInput, threads: 1, joinsRecords: true)
    }
    if namesRootElements(ofFiles: files, standardInput: standardInput) { reading.select = "/*" }
    guard
      let names = XMLCommonNames(
        ofFiles: files, standardInput: standardInput, reading, hasExpandedNames: writing.xml.hasExpandedNames)
    else { return }
    let declares = writing.xml.types == .none
    let root = names.root(named: writing.rootElement, declares: declares)
    writing.itemElement = writing.itemElement ?? names.record(in: root, declares: declares)
    writing.xml.declarations = root.declarations
    if writing.rootElement == nil, root.name != nil {
      (writing.rootElement, writing.xml.reportsRoot) = (root.name, false)
    }
  }

  /// Returns true if several documents have no lists, and root elements with one name, which are the records then.
  private func namesRootElements(
    ofFiles files: [(path: String, isRegular: Bool)], standardInput: FileInput?
  ) -> Bool {
    guard files.count > 1, reading.select == nil, reading.recordElement == nil, writing.itemElement == nil,
      XMLCommonNames.areRecords(files, standardInput: standardInput, reading)
    else { return false }
    var options = reading
    options.select = "/*"
    let declares = writing.xml.types == .none
    let names = XMLCommonNames(
      ofFiles: files, standardInput: standardInput, options, hasExpandedNames: writing.xml.hasExpandedNames)
    return names.map { $0.record(in: $0.root(named: nil, declares: declares), declares: declares) != nil }
      ?? false
  }

  /// Opens the standard input if it is one of several inputs and may have something in common with them. It is then read before the
  /// conversions, and copied to a temporary file if it is a pipe that needs that. Returns nil if it is not among the inputs, or if each
  /// input is converted on its own.
  ///
  /// - Parameter files: The paths of the inputs, of which `-` is the standard input.
  /// - Throws: A `FerryError` with the reason `FileProblem.temporaryFolder` if the temporary file cannot be written, or an error of the
  ///   system.
  public func standardInput(among files: [String]) throws(FerryError) -> FileInput? {
    try standardInput(among: files, joinsRecords: false)
  }

  /// Opens the standard input, as `standardInput(among:)`.
  ///
  /// - Parameter joinsRecords: True if the records of the inputs become one list, also in XML.
  package func standardInput(
    among files: [String], joinsRecords: Bool
  ) throws(FerryError) -> FileInput? {
    guard files.count > 1 || joinsRecords, files.contains("-"),
      infersInCommon || readsCommonShape(joinsRecords: joinsRecords) || joinsRecords && mayHaveCommonNames
    else { return nil }
    let input = try FileInput(path: "-")
    let isReadTwice = if infersInCommon { true } else { try input.mayBeXML(reading) }
    if isReadTwice { try input.makeRewindable() }
    return input
  }

  /// True if records and root elements of several inputs may have names in common that the output has, too.
  private var mayHaveCommonNames: Bool {
    writing.format.isOfElements && writing.representation == .plain && reading.mayReadByConvention
      && entriesInUse == nil && !infersSchema
  }

  /// True if XML is read in the form that several documents have in common.
  private func readsCommonShape(joinsRecords: Bool) -> Bool {
    (joinsRecords || !writing.format.isOfElements) && reading.usesXMLShape
  }

  /// True if the output holds only one table, and `reading.table` does not name the one to write.
  package var writesOneTable: Bool {
    if case .rows? = writing.format.description.writer { reading.table == nil } else { false }
  }

  /// True if the output keeps the names of the columns of a table without rows. Nil if the values are selected: then they may be
  /// others than those of a table.
  var keepsColumnNames: Bool? {
    guard reading.select == nil else { return nil }
    if case .rows? = writing.format.description.writer { return true }
    return writing.format.isDatabase
  }

  /// Returns the names of the tables that an input has, if the output holds only one table: `reading.table` then names
  /// the one to write. Returns an empty array for an input with one table, and for other inputs.
  ///
  /// - Parameters:
  ///   - input: The input, which is not read beyond its first bytes unless it is a database.
  ///   - name: The file name of the input.
  /// - Throws: An error of the input.
  public func tableNames(of input: any ByteInput, named name: String? = nil) throws(FerryError) -> [String] {
    guard writesOneTable else { return [] }
    let detected = try DetectedInput(input, named: name, reading)
    guard detected.format.description.isDatabase else { return [] }
    let options = readingOptions(for: detected.format)
    return try OpenedInput(detected, options).tableNames(options)
  }

  /// Writes a value in the target format.
  ///
  ///     let output = MemoryOutput()
  ///     try Conversion(to: .yaml).write(["name": "Ada"], to: output)      // name: Ada
  ///
  /// - Parameters:
  ///   - value: The value. XML is written with `reading.schema` if there is one.
  ///   - output: The output, such as a `FileOutput`, which is to be committed afterward, or a `DatabaseOutput`.
  /// - Returns: The data in the value that the format cannot hold.
  /// - Throws: A `FerryError` with the path if the format cannot represent the value.
  @discardableResult
  public func write(_ value: Value, to output: any ByteOutput) throws(FerryError) -> Losses {
    try write(to: output) { sink throws(FerryError) in try value.replay(into: sink) }
  }

  /// Writes the value that a function sends as events.
  ///
  ///     try Conversion(to: .archive).write(to: output) { sink in
  ///       try sink.beginArray(count: 1)
  ///       try sink.integer(1)
  ///       try sink.endArray()
  ///     }
  ///
  /// - Parameters:
  ///   - output: The output, as in `write(_:to:)`.
  ///   - body: Sends one whole value to the sink. It does not call `finish`.
  /// - Returns: The data in the value that the format cannot hold.
  /// - Throws: A `FerryError` with the path if the format cannot represent the value.
  @discardableResult
  public func write(
    to output: any ByteOutput, _ body: (any ValueSink) throws(FerryError) -> Void
  ) throws(FerryError) -> Losses {
    let losses = LossReport()
    try write(to: output, losses: losses, body)
    try refuse(losses)
    return losses.all
  }

  /// Writes the value that a function sends as events. The function may throw any error.
  ///
  ///     try Conversion(to: .json).write(to: output) { sink in
  ///       try sink.beginArray(count: nil)
  ///       for row in try table.rows() { try sink.string(row.name) }
  ///       try sink.endArray()
  ///     }
  ///
  /// - Parameters:
  ///   - output: The output, as in `write(_:to:)`.
  ///   - body: Sends one whole value to the sink. It does not call `finish`.
  /// - Returns: The data in the value that the format cannot hold.
  /// - Throws: An error of the function, or a `FerryError` with the path if the format cannot represent the value.
  @_disfavoredOverload @discardableResult
  public func write(
    to output: any ByteOutput, _ body: (any ValueSink) throws -> Void
  ) throws -> Losses {
    let passed = PassedError()
    return try passed.passing { () throws(FerryError) in
      try write(to: output) { sink throws(FerryError) in
        do { try body(sink) } catch { throw passed.keeping(error) }
      }
    }
  }

  /// Writes a value in the target format. XML is written with the schema of the reading if there is one. A value from an
  /// archive keeps the archived keys of its objects.
  ///
  /// - Parameters:
  ///   - objectCount: The number of objects in the archive if identities in the value are object numbers,
  ///     otherwise 0.
  ///   - byteCount: The size of the file that the value comes from, in bytes.
  ///   - body: Sends the value to the sink.
  func write(
    to output: any ByteOutput, losses: LossReport, isArchived: Bool = false, objectCount: Int = 0,
    byteCount: Int = 0, _ body: (any ValueSink) throws(FerryError) -> Void
  ) throws(FerryError) {
    let encoded = try encodedOutput(output)
    let pipeline = try Pipeline(
      self, schema: writing.format.isOfElements || mappedRows != nil ? reading.schema : nil,
      source: SourceFacts(isArchived: isArchived, objectCount: objectCount, byteCount: byteCount),
      to: encoded ?? output, losses: losses)
    do throws(FerryError) {
      try body(pipeline.first)
      try pipeline.first.finish()
    } catch {
      throw error.placed(inOutput: pipeline.path)
    }
    try encoded?.finish()
  }
}

extension FileInput {
  /// Returns true if the input is XML, or compressed or signed data or a ZIP archive that may contain XML.
  fileprivate func mayBeXML(_ options: ReadingOptions) throws(FerryError) -> Bool {
    if let format = options.format { return format.isOfElements }
    let head = try peek(upTo: FormatDetector.headSize)
    if Compression.of(head) != nil || SignedData.begins(head) || ZIPArchive.begins(head) { return true }
    let format = try? Format.detect(
      head, named: "-", given: nil, encoding: options.encoding, hasTableOptions: options.csv.areGiven)
    return format?.isOfElements == true
  }
}
