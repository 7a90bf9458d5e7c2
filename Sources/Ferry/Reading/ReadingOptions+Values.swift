extension ReadingOptions {
  /// Reads an input, sends its value to a sink, and finishes the sink. XML is read with `schema` or with a
  /// built-in schema that matches its root element; an archive only with `schema`.
  ///
  /// - Parameters:
  ///   - input: The input.
  ///   - name: The file name of the input.
  ///   - sink: Receives the events.
  /// - Returns: Notes on the reading, as in the report of a conversion, and a loss for each part of the input that events cannot express,
  ///   such as comments and the first of several equal keys.
  /// - Throws: A `FerryError` with the source location and the path.
  @discardableResult
  public func read(
    _ input: any ByteInput, named name: String? = nil, into sink: any ValueSink
  ) throws(FerryError) -> (notes: [Note], losses: Losses) {
    let losses = LossReport()
    let notes = try read(input, named: name, into: sink, losses: losses)
    return (notes, losses.all)
  }

  /// Reads the value of an input with these options. Returns the losses with it, which `Value(reading:)` leaves out.
  ///
  ///     let (value, losses) = try ReadingOptions.values.value(of: FileInput(path: "people.xml"))
  ///     losses.listed.map(\.kind)           // [.comment]
  ///
  /// - Parameters:
  ///   - input: The input.
  ///   - name: The file name of the input.
  /// - Returns: The value, and a loss for each part of the input that the value does not have.
  /// - Throws: A `FerryError` with the source location and the path.
  public func value(
    of input: any ByteInput, named name: String? = nil
  ) throws(FerryError) -> (value: Value, losses: Losses) {
    let builder = ValueBuilder()
    let losses = try read(input, named: name, into: builder).losses
    return (try builder.result(), losses)
  }

  /// Reads an input, sends its value to a sink, and finishes the sink.
  ///
  /// - Parameter losses: Receives the losses.
  /// - Returns: Notes on the reading.
  func read(
    _ input: any ByteInput, named name: String?, into sink: any ValueSink, losses: LossReport
  ) throws(FerryError) -> [Note] {
    try readNamed(input, named: name, into: sink, losses, nil)
  }

  /// Reads an input, sends its value to a sink, and finishes the sink.
  ///
  /// - Parameter locator: Receives the source locations of values.
  func read(
    _ input: any ByteInput, named name: String?, into sink: any ValueSink, locator: SourceLocator?
  ) throws(FerryError) {
    _ = try readNamed(input, named: name, into: sink, LossReport(), locator)
  }

  /// Reads an input. Errors have its file.
  private func readNamed(
    _ input: any ByteInput, named name: String?, into sink: any ValueSink, _ losses: LossReport,
    _ locator: SourceLocator?
  ) throws(FerryError) -> [Note] {
    do throws(FerryError) {
      return try read(detected(input, named: name), into: sink, losses, locator)
    } catch {
      throw error.placed(in: input)
    }
  }

  /// Detects the format of an input.
  func detected(_ input: any ByteInput, named name: String?) throws(FerryError) -> DetectedInput {
    // The file name alone selects the format that a document type declares.
    if let documents, format == nil, encoding == nil, let file = input as? FileInput, let path = file.path,
      name?.equals(path) ?? true, declaredFormats.format(ofFileNamed: path) == nil,
      let document = documents.take(file, budget: budget)
    {
      return DetectedInput(file, readBefore: document)
    }
    return try DetectedInput(input, named: name, self, matchesSchemas: schema == nil && matchesSchemas)
  }

  private func read(
    _ detected: DetectedInput, into sink: any ValueSink, _ losses: LossReport, _ locator: SourceLocator?
  ) throws(FerryError) -> [Note] {
    do throws(FerryError) {
      return try send(detected, into: sink, losses, locator)
    } catch {
      throw detected.explaining(error)
    }
  }

  private func send(
    _ detected: DetectedInput, into sink: any ValueSink, _ losses: LossReport, _ locator: SourceLocator?
  ) throws(FerryError) -> [Note] {
    let opened = try OpenedInput(detected, self)
    var options = self
    if schema == nil, matchesSchemas, representation == .plain, opened.format.isOfElements {
      options.schema = try opened.matchingSchema(self)
    }
    let keyed: any ValueSink =
      showsKeys ?? marksShared && opened.format.description.hasObjectKeys
      ? ShownKeys(
        to: sink, budget: budget, inputBytes: opened.byteCount, areNumbered: objectSharing == .numbered)
      : sink
    var first = keyed
    if expandsData {
      first = ExpandedData(
        to: keyed, budget: budget, asStored: representation == .raw, shared: shared,
        sharing: objectSharing == .named ? .named : nil, objectCount: opened.objectCount(self),
        losses: losses)
    }
    try opened.send(into: first, options, losses: losses, locator: locator)
    try sink.finish()
    return opened.notes + (losses.hasEmptySelection ? [.nothingSelected] : [])
  }
}

extension ReadingOptions {
  /// The options with which `Value(reading:)` reads: the default options, without the built-in schemas.
  public static var values: ReadingOptions {
    var options = ReadingOptions()
    options.matchesSchemas = false
    return options
  }
}

extension Value {
  /// Reads the value of an input in any format.
  ///
  ///     var options = ReadingOptions.values
  ///     options.format = .csv
  ///     options.budget.inputBytes = 10 << 20
  ///     let table = try Value(reading: FileInput(path: "people.txt"), options: options)
  ///
  /// `ReadingOptions.value(of:named:)` also returns the parts of the input that the value does not have, such as comments.
  ///
  /// - Parameters:
  ///   - input: The input.
  ///   - name: The file name of the input.
  ///   - options: The format, the schema, the selection and the limits.
  /// - Throws: A `FerryError` with the source location and the path.
  public init(
    reading input: any ByteInput, named name: String? = nil, options: ReadingOptions = .values
  ) throws(FerryError) {
    self = try options.value(of: input, named: name).value
  }

  /// Reads the value of bytes in any format.
  ///
  ///     let people = try Value(reading: bytes, named: "people.csv")
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - name: The file name, used if the content has no signature.
  ///   - options: The format, the schema, the selection and the limits.
  /// - Throws: A `FerryError` with the source location and the path.
  public init(
    reading bytes: [UInt8], named name: String? = nil, options: ReadingOptions = .values
  ) throws(FerryError) {
    try self.init(reading: MemoryInput(bytes), named: name, options: options)
  }

  /// Reads the value of a file in any format, or of the standard input for `-`.
  ///
  ///     let people = try Value(path: "people.xml")
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - options: The format, the schema, the selection and the limits.
  /// - Throws: An error of the system, or a `FerryError` with the file, the source location and the path.
  public init(path: String, options: ReadingOptions = .values) throws(FerryError) {
    try self.init(reading: FileInput(path: path), options: options)
  }
}
