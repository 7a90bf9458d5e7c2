/// The adapters between a reader and a sink of plain values. They are added from the sink back to the reader:
///
///     reader ▸ RecordMapper (with a schema) ▸ ExpandedData ▸ ReferenceLookalikes ▸ ObjectKeys ▸ PlainForm ▸ sink
struct PlainPipeline {
  /// The sink to which the next adapter, or the reader, sends.
  private(set) var first: any ValueSink
  let plain: PlainForm
  private var mapper: RecordMapper?
  /// The records that are left out, which the output does not count.
  private let failed: FailedRecords?

  /// Creates the plain form of the values of a source.
  init(
    of source: SourceFacts, to sink: any ValueSink, capabilities: FormatCapabilities, losses: LossReport,
    shared: SharedObjectStyle, budget: Budget, failed: FailedRecords?
  ) {
    let plain = PlainForm(
      to: sink, capabilities: capabilities, losses: losses, shared: shared,
      pointers: ObjectPointers(
        objectCount: source.objectCount, budget: budget, inputBytes: source.byteCount),
      reportsRepeatedKeys: source.mayRepeatKeys)
    self.plain = plain
    first = plain
    self.failed = failed
    failed?.writtenCount = { [weak plain] in Self.recordIndex(in: plain?.path ?? ValuePath()) ?? 0 }
  }

  /// Makes text of keys that are not strings.
  mutating func addObjectKeys() { first = ObjectKeys(to: plain) }

  /// Reports dictionaries that look like references.
  mutating func addReferenceLookalikes(_ losses: LossReport) {
    first = ReferenceLookalikes(to: first, losses: losses) { [plain] in plain.path }
  }

  /// Opens the files in data.
  mutating func expandData(
    of source: SourceFacts, asStored: Bool, shared: SharedObjectStyle, budget: Budget, losses: LossReport
  ) {
    first = ExpandedData(
      to: first, budget: budget, asStored: asStored, shared: shared, objectCount: source.objectCount,
      losses: losses
    ) { [plain] in plain.path }
  }

  /// Maps the records by a schema.
  mutating func map(
    by schema: Schema, from source: RecordDialect, to target: RecordDialect, options: RecordOptions,
    losses: LossReport, locator: SourceLocator?
  ) {
    let mapper = RecordMapper(
      schema, from: source, to: target, into: first, options: options, losses: losses, locator: locator,
      failed: failed)
    self.mapper = mapper
    first =
      RecordEnvelope(schema, before: mapper, to: target.envelope, losses: losses, locator: locator) ?? mapper
  }

  /// True if a schema maps the records.
  var isMapped: Bool { mapper != nil }

  /// The path of the current value in the input.
  var path: ValuePath {
    var steps = plain.path.steps
    // The output does not count records that were left out.
    if let index = mapper?.recordIndex, let record = steps.firstIndex(where: \.isIndex) {
      steps[record] = .index(index)
    }
    let path = ValuePath(steps)
    if mapper == nil, let failed { return failed.pathInInput(path) }
    return path
  }

  /// The number of records that have been sent.
  var sentCount: Int { plain.outermostCount }

  /// The number of records that the schema describes, also of those that were left out.
  var recordCount: Int { mapper?.recordCount ?? 0 }

  /// Returns the first index in a path, which is that of the record.
  private static func recordIndex(in path: ValuePath) -> Int? {
    for case .index(let index) in path.steps { return index }
    return nil
  }
}

extension ValuePath.Step {
  /// True for the index of an element.
  var isIndex: Bool { if case .index = self { true } else { false } }
}
