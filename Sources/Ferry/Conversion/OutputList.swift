/// The list in the output of a joined conversion, and the sinks from the plain form of its records to the writer.
final class OutputList {
  let pipeline: Pipeline
  /// The schema by which the list is written.
  let schema: Schema?
  /// Receives the losses that the writer finds, with paths in the output.
  let losses: LossReport
  /// The number of complete records.
  var count = 0
  /// The greatest identity of an object in the records, or −1.
  var greatestIdentity = -1
  private let conversion: Conversion
  private let encoded: EncodedOutput?
  /// The key of the list in the dictionary around it; nil if there is none.
  private let key: String?

  /// Begins the list.
  init(_ given: Conversion, _ schema: Schema?, to output: any ByteOutput) throws(FerryError) {
    let conversion = given.writingRecords
    // With their paths, losses that the writer finds late are known to be those of an earlier input.
    (self.conversion, self.schema, losses) = (conversion, schema, LossReport())
    encoded = try conversion.encodedOutput(output)
    pipeline = try Pipeline(
      conversion, schema: schema, source: .recordsInPlainForm, to: encoded ?? output, losses: losses)
    key = conversion.writing.recordDialect.envelope == .dictionary ? schema?.collectionKey : nil
    try begin()
  }

  private func begin() throws(FerryError) {
    let sink = pipeline.first
    if let key {
      try sink.beginDictionary(count: nil)
      if let name = schema?.collectionVersion, let current = schema?.record.versions?.current {
        try sink.key(name)
        try sink.integer(Int128(current))
      }
      try sink.key(key)
    }
    try sink.beginArray(count: nil)
  }

  /// The writer of a table, if the output is one.
  var table: TableWriter? { pipeline.writer as? TableWriter }

  /// Notes on the output.
  var notes: [Note] { pipeline.notes(conversion, schema) }

  /// Ends the list, and completes the output.
  func finish() throws(FerryError) {
    do throws(FerryError) {
      try pipeline.first.endArray()
      if key != nil { try pipeline.first.endDictionary() }
      try pipeline.first.finish()
    } catch {
      throw error.placed(inOutput: pipeline.path)
    }
    try encoded?.finish()
  }

  /// Returns a path in the output without the dictionary around the list.
  func pathOfRecord(_ path: ValuePath) -> ValuePath {
    guard let key, case .key(let first)? = path.steps.first, first.equals(key) else { return path }
    return ValuePath(Array(path.steps.dropFirst()))
  }
}
