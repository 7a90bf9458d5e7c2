extension Conversion {
  /// Reads an input and sends its value to a sink in its own form; then finishes the sink. `target` is
  /// ignored. XML is interpreted by the given schema, or by one that matches its root element; an archive
  /// only by a given schema.
  ///
  /// - Parameters:
  ///   - input: The input.
  ///   - name: The file name of the input.
  ///   - sink: The receiver of the events.
  ///   - marksShared: Pass true to send a collection of a binary property list with more than one reference
  ///     as an object without a class (`ObjectClass.none`) with an identity, and as a reference after that.
  ///     So shared and even cyclic collections cost no more than their size in the file.
  ///   - decodedForms: The objects of an archive that are decoded: only those that stand for one scalar, or all
  ///     in the class catalog.
  /// - Returns: Sentences about the way in which the input was read, as in a report.
  /// - Throws: A `FerryError` with the source location and the path.
  @discardableResult
  public func read(
    _ input: any Input, named name: String? = nil, into sink: any ValueSink, marksShared: Bool = false,
    decodedForms: DecodedFormUse = .scalars
  ) throws(FerryError) -> [String] {
    let detected = try DetectedInput(input, named: name, given: source)
    var exact = self
    exact.target = .archive
    exact.isForCaller = true
    exact.marksShared = marksShared
    let losses = LossReport()
    do throws(FerryError) {
      let notes = try exact.read(detected, into: sink, decodedForms: decodedForms, losses: losses)
      let isEmpty = losses.counts.contains { $0.kind == .nothingSelected }
      return notes + (isEmpty ? [Loss.Kind.nothingSelected.message] : [])
    } catch {
      throw detected.explaining(error)
    }
  }

  private func read(
    _ detected: DetectedInput, into sink: any ValueSink, decodedForms: DecodedFormUse, losses: LossReport
  ) throws(FerryError) -> [String] {
    let source = try SourceInput(detected, self)
    let keyed: any ValueSink = marksShared && source.isArchive ? ShownKeys(to: sink) : sink
    let first: any ValueSink =
      expandsData
      ? ExpandedData(to: keyed, budget: budget, asStored: representation == .raw, shared: shared) : keyed
    let calledFor =
      matchesSchemas && representation == .plain && source.format == .xml ? try source.matchingSchema() : nil
    try source.send(
      into: first, schema: schema ?? calledFor, losses: losses, self, decodedForms: decodedForms)
    try sink.finish()
    return source.notes
  }
}

extension Value {
  /// Reads the value of an input in any format.
  ///
  /// - Throws: A `FerryError` with the source location and the path.
  public init(reading input: any Input, named name: String? = nil) throws(FerryError) {
    let builder = ValueBuilder()
    var reading = Conversion(to: .json)
    reading.matchesSchemas = false
    try reading.read(input, named: name, into: builder)
    self = try builder.result()
  }
}
