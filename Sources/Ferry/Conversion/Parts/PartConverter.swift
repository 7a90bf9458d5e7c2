/// A converter of the parts of an input. Several threads can use it.
struct PartConverter: Sendable {
  /// The text of a part in the format of the output.
  struct Text: Sendable {
    let bytes: [UInt8]
    let recordCount: Int
    /// The losses in the part, whose paths begin with the indices of the records.
    let losses: Losses
    /// The forms of the elements in selected elements of XML; nil for other records.
    let listForms: ListForms?
    /// The forms of the elements of an XML document whose paths its beginning lacks.
    let newForms: XMLPathForms
    /// The indices of the lists in the options that an element has had the path of; nil if they are not needed.
    let usedLists: Set<Int>?
  }

  private let conversion: Conversion
  private let schema: Schema?
  private let options: ReadingOptions
  private let parts: InputParts

  /// Creates a converter.
  ///
  /// - Parameter count: The largest number of parts.
  init(
    _ conversion: Conversion, _ schema: Schema?, _ options: ReadingOptions, _ parts: InputParts, count: Int
  ) {
    var (conversion, options) = (conversion, options)
    // The first loss in a part is not the first one of a strict conversion.
    conversion.isStrict = false
    // Below the floor, any expansion is allowed. A part may be below it although the whole input is not.
    conversion.reading.budget.amplificationFloor = 0
    // All parts together may have no more names than the budget.
    conversion.reading.budget.names /= count
    options.budget = conversion.reading.budget
    // An input that has parts is a list, unless it is a document around one.
    if parts.beginning == nil { options.findsRecordList = false }
    (self.conversion, self.schema, self.options, self.parts) = (conversion, schema, options, parts)
  }

  /// Converts a part. Returns nil if its text or its losses depend on other parts, or if it has an error.
  ///
  /// - Parameter spare: An empty array whose memory is used for the text.
  func convert(_ part: InputParts.Part, reusing spare: consuming [UInt8]) -> Text? {
    try? text(of: parts.open(part), into: spare) {
      source, sink, losses throws(FerryError) in
      guard let beginning = parts.beginning else {
        try source.send(into: sink, options, losses: losses)
        return XMLPathForms()
      }
      guard let forms = try source.sendPart(into: sink, options, losses: losses, after: beginning) else {
        throw .stopped
      }
      return forms
    }
  }

  /// Returns the report for the reader of a part. Another part may have the elements that an XPath selects.
  private func lossesOfReader(_ losses: LossReport) -> LossReport {
    guard parts.mayHaveEmptyParts else { return losses }
    return LossReport(forwardingTo: losses) { $0.kind != .nothingSelected }
  }

  /// Returns the text of a list without records, in the dictionaries around it; nil if no such list is written.
  func emptyList() -> [UInt8]? {
    let text = try? text(of: parts.openNothing(), into: []) { _, sink, _ throws(FerryError) in
      for key in parts.keysAroundList {
        try sink.beginDictionary(count: 1)
        try sink.key(BorrowedText(key.span))
      }
      try sink.beginArray(count: nil)
      try sink.endArray()
      for _ in parts.keysAroundList { try sink.endDictionary() }
      return XMLPathForms()
    }
    return text?.bytes
  }

  /// Returns the text of the list that a function sends. Returns nil if there are losses in other values than records, more than a report
  /// lists, or any while there are dictionaries around the list.
  ///
  /// - Parameter send: Returns the forms of the elements whose paths the beginning of the document lacks.
  private func text(
    of source: OpenedInput, into spare: consuming [UInt8],
    send: (OpenedInput, any ValueSink, LossReport) throws(FerryError) -> XMLPathForms
  ) throws(FerryError) -> Text? {
    let (output, losses) = (MemoryOutput(reusing: spare), LossReport())
    let pipeline = try Pipeline(
      conversion, schema: schema, source: SourceFacts(source, options), to: output, losses: losses)
    let forms = try send(source, pipeline.first, lossesOfReader(losses))
    try pipeline.first.finish()
    // The records in dictionaries are not counted, so that the indices in the paths of losses are not known.
    guard losses.isEmpty || parts.keysAroundList.isEmpty,
      losses.counts.reduce(0, { $0 + $1.count }) == losses.listedCount,
      losses.losses.allSatisfy(\.path.beginsWithIndex)
    else { return nil }
    return Text(
      // Source locations in the part are not those in the input.
      bytes: output.takeBytes(), recordCount: pipeline.sentCount, losses: losses.all.withoutLocations(),
      listForms: source.listForms, newForms: forms, usedLists: source.usedLists)
  }
}

extension ValuePath {
  /// True if the first step is an index.
  fileprivate var beginsWithIndex: Bool { if case .index? = steps.first { true } else { false } }
}
