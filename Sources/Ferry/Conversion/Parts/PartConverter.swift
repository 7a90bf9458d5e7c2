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
    // An input that has parts is a list.
    options.findsRecordList = false
    (self.conversion, self.schema, self.options, self.parts) = (conversion, schema, options, parts)
  }

  /// Converts a part. Returns nil if its text or its losses depend on other parts, or if it has an error.
  ///
  /// - Parameter spare: An empty array whose memory is used for the text.
  func convert(_ part: InputParts.Part, reusing spare: consuming [UInt8]) -> Text? {
    try? text(of: parts.open(part), into: spare) {
      source, sink, losses throws(FerryError) in
      try source.send(into: sink, options, losses: losses)
    }
  }

  /// Returns the text of a list without records; nil if no such list is written.
  func emptyList() -> [UInt8]? {
    let text = try? text(of: parts.openNothing(), into: []) { _, sink, _ throws(FerryError) in
      try sink.beginArray(count: nil)
      try sink.endArray()
    }
    return text?.bytes
  }

  /// Returns the text of the list that a function sends. Returns nil if there are losses in other values than records, or more
  /// than a report lists.
  private func text(
    of source: OpenedInput, into spare: consuming [UInt8],
    send: (OpenedInput, any ValueSink, LossReport) throws(FerryError) -> Void
  ) throws(FerryError) -> Text? {
    let (output, losses) = (MemoryOutput(reusing: spare), LossReport())
    let pipeline = try Pipeline(
      conversion, schema: schema, source: SourceFacts(source, options), to: output, losses: losses)
    try send(source, pipeline.first, losses)
    try pipeline.first.finish()
    guard losses.counts.reduce(0, { $0 + $1.count }) == losses.listedCount,
      losses.losses.allSatisfy(\.path.beginsWithIndex)
    else { return nil }
    return Text(
      // Source locations in the part are not those in the input.
      bytes: output.takeBytes(), recordCount: pipeline.sentCount, losses: losses.all.withoutLocations(),
      listForms: source.listForms)
  }
}

extension ValuePath {
  /// True if the first step is an index.
  fileprivate var beginsWithIndex: Bool { if case .index? = steps.first { true } else { false } }
}
