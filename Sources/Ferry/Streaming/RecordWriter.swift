/// A writer of records, one at a time, as a list in any format.
///
///     var writer = try RecordWriter(to: .csv, path: "people.csv")
///     for person in people { try writer.write(person) }
///     try writer.finish()
///     // name,age
///     // Ada,36
///     // Grace,85
///
/// The file appears under its name only when `finish()` returns, and then has all of the records. If a record cannot be written, or the
/// writer is released without `finish()`, nothing is left, and an existing file is unchanged. The same is true if a record would be decoded
/// as another one, such as NaN in JSON; `finishWithLosses()` writes it nevertheless, as `FerryEncoder.encodeWithLosses` does.
///
/// In a class or an actor, keep the writer in an optional, from which `finish()` can take it: `try writer.take()?.finish()`.
/// At the top level of `main.swift`, write the records in a function or in `do { … }`, because a global variable cannot be consumed.
///
/// Elements of XML have the name `item`, unless the encoder has a schema, which names them.
///
/// Memory does not grow with the number of records, unless the format needs all of them: property lists that are binary, archives,
/// typedstreams, and tables whose columns are not known before.
public struct RecordWriter: ~Copyable {
  private let encoder: FerryEncoder
  private let destination: Destination
  private let losses: LossReport
  private let encoded: EncodedOutput?
  private let pipeline: Pipeline
  private let records: RecordIdentities
  private let sender: EncodedValueSender
  private var count: Int
  /// The error in a record of which a part may have been written, or nil.
  private var failure: FerryError?

  /// The output, and the file that is committed at the end.
  private struct Destination {
    let output: any ByteOutput
    let file: FileOutput?
  }

  /// Creates a writer to a file.
  ///
  /// - Parameters:
  ///   - format: The format of the file.
  ///   - path: The path of the file.
  ///   - replacing: Pass true to replace an existing file.
  /// - Throws: A `FerryError` with the reason `FileProblem.exists`, an error of the system, or of the format.
  public init(to format: Format, path: String, replacing: Bool = false) throws(FerryError) {
    try self.init(FerryEncoder(to: format), path: path, replacing: replacing)
  }

  /// Creates a writer to a file with the settings of an encoder.
  ///
  /// - Parameters:
  ///   - encoder: The format and the layout of the file, and the keys of types. Its schema maps the records.
  ///   - path: The path of the file.
  ///   - replacing: Pass true to replace an existing file.
  /// - Throws: A `FerryError` with the reason `FileProblem.exists`, an error of the system, or of the format.
  public init(_ encoder: FerryEncoder, path: String, replacing: Bool = false) throws(FerryError) {
    let file = try FileOutput(path: path, replacing: replacing)
    try self.init(encoder, Destination(output: file, file: file))
  }

  /// Creates a writer to an output.
  ///
  ///     var writer = try RecordWriter(to: .json, output: MemoryOutput())
  ///
  /// - Parameters:
  ///   - format: The format of the output.
  ///   - output: The output, as in `init(_:to:)`.
  /// - Throws: An error of the format.
  public init(to format: Format, output: any ByteOutput) throws(FerryError) {
    try self.init(FerryEncoder(to: format), to: output)
  }

  /// Creates a writer to an output with the settings of an encoder.
  ///
  ///     let output = MemoryOutput()
  ///     var writer = try RecordWriter(FerryEncoder(to: .json), to: output)
  ///     try writer.write(["name": "Ada"] as Value)
  ///     try writer.finish()      // output.bytes: [{"name":"Ada"}]
  ///
  /// - Parameters:
  ///   - encoder: The format and the layout of the output, and the keys of types. Its schema maps the records.
  ///   - output: The output, such as a `MemoryOutput`, or a `DatabaseOutput` to add records to a table. It may have received a part of
  ///     the records if the writer throws.
  /// - Throws: An error of the format.
  public init(_ encoder: FerryEncoder, to output: any ByteOutput) throws(FerryError) {
    try self.init(encoder, Destination(output: output, file: nil))
  }

  private init(_ encoder: FerryEncoder, _ destination: Destination) throws(FerryError) {
    let conversion = encoder.conversion
    // Harmless losses leave room in the list for those that `finish()` refuses.
    let losses = LossReport(encodingTo: encoder.writing.format, limitOfOthers: 5_000)
    let encoded = try conversion.encodedOutput(destination.output)
    let pipeline = try Pipeline(
      conversion, schema: conversion.reading.schema,
      source: SourceFacts(), to: encoded ?? destination.output, losses: losses)
    let records = RecordIdentities(to: pipeline.first)
    try records.beginArray(count: nil)
    (self.encoder, self.destination, self.losses) = (encoder, destination, losses)
    (self.encoded, self.pipeline, self.records) = (encoded, pipeline, records)
    sender = encoder.sender(to: records, losses)
    count = 0
  }

  /// Writes a record.
  ///
  /// - Throws: An `EncodingError` with the coding path if the format cannot represent the record, or an error that `encode(to:)` of the
  ///   record or of a part of it throws, which is why the type of the error is open. If the record cannot be encoded at
  ///   all, other records may follow; after another error, all calls throw that error, without encoding the record.
  public mutating func write(_ record: some Encodable) throws {
    if let failure { throw failure.encodingError(of: type(of: record), path: failure.path.codingPath) }
    let (sender, count) = (sender, count)
    let encoded = try encoder.encoded(record)
    do throws(FerryError) {
      try send { _ throws(FerryError) in try sender.sendRecord(encoded, at: count) }
    } catch {
      // The path begins with the index of the record.
      let part = encoded.part(at: ValuePath(Array(error.path.steps.dropFirst())))
      throw error.encodingError(of: part, path: error.path.codingPath)
    }
  }

  /// Writes a record.
  ///
  /// - Throws: A `FerryError` with the path if the format cannot represent the record. After that, all calls throw this error.
  public mutating func write(_ record: Value) throws(FerryError) {
    try send { sink throws(FerryError) in try record.replay(into: sink) }
  }

  /// Writes the record that a function sends as events.
  ///
  ///     try writer.write { sink in
  ///       try sink.beginDictionary(count: 1)
  ///       try sink.key("name")
  ///       try sink.string("Ada")
  ///       try sink.endDictionary()
  ///     }
  ///
  /// - Parameter body: Sends one value to the sink.
  /// - Throws: An error of the function, or `ValueProblem.misplaced` if the events are not one whole value; other records may follow. Or
  ///   an error as from `write(_:)` for a value.
  public mutating func write(
    _ body: (any ValueSink) throws(FerryError) -> Void
  ) throws(FerryError) {
    if let failure { throw failure }
    let builder = ValueBuilder()
    try body(builder)
    try write(builder.result())
  }

  /// Writes the record that a function sends as events. The function may throw any error.
  ///
  /// - Parameter body: Sends one value to the sink.
  /// - Throws: The error of the function, after which other records may follow, or a `FerryError` as from `write(_:)` for a function that
  ///   throws only this type.
  @_disfavoredOverload
  public mutating func write(_ body: (any ValueSink) throws -> Void) throws {
    if let failure { throw failure }
    let builder = ValueBuilder()
    try body(builder)
    try write(builder.result())
  }

  private mutating func send(_ body: (any ValueSink) throws(FerryError) -> Void) throws(FerryError) {
    if let failure { throw failure }
    records.beginRecord()
    do throws(FerryError) { try body(records) } catch {
      let error = error.placed(inOutput: pipeline.path.isEmpty ? ValuePath([.index(count)]) : pipeline.path)
      failure = error
      throw error
    }
    count += 1
  }

  /// Ends the list, and puts the file in its place.
  ///
  /// - Returns: The data in the records that the format cannot hold, but that is decoded as the same value: dates may be rounded, for
  ///   example.
  /// - Throws: A `FerryError`: that of a record that could not be written, if there is one, or one with the reason `loss` and the path of the
  ///   first value that would be decoded as another one, as from `FerryEncoder.encode`. The file is unchanged in that case.
  @discardableResult
  public consuming func finish() throws(FerryError) -> Losses {
    try end(refusesChanges: true)
  }

  /// Ends the list, and puts the file in its place, also if the format cannot hold all of the records.
  ///
  ///     var writer = try RecordWriter(to: .json, path: "numbers.json")
  ///     try writer.write(Double.nan)
  ///     let losses = try writer.finishWithLosses()
  ///     losses.listed.map(\.kind)        // [.notFinite]
  ///
  /// - Returns: The data in the records that the format does not hold as it is.
  /// - Throws: A `FerryError`: that of a record that could not be written, if there is one. The file is unchanged in that case.
  public consuming func finishWithLosses() throws(FerryError) -> Losses {
    try end(refusesChanges: false)
  }

  private consuming func end(refusesChanges: Bool) throws(FerryError) -> Losses {
    if let failure { throw failure }
    sender.finish()
    // An output such as a database is complete when the pipeline ends.
    if refusesChanges { try refuseChanges() }
    do throws(FerryError) {
      try records.endArray()
      try pipeline.first.finish()
    } catch {
      throw error.placed(inOutput: pipeline.path)
    }
    try encoded?.finish()
    if refusesChanges { try refuseChanges() }
    try encoder.conversion.refuse(losses)
    try destination.file?.commit()
    return losses.all
  }

  /// Throws an error for the first value so far that would be decoded as another one.
  private borrowing func refuseChanges() throws(FerryError) {
    guard let change = sender.change ?? losses.firstSought else { return }
    throw change.refusal(by: encoder)
  }
}

/// An adapter that keeps the identities of objects in different records apart.
private final class RecordIdentities: ForwardingSink {
  /// The number that is added to the identities in the current record.
  private var offset = 0
  private var greatest = -1

  /// Begins a record, whose identities are its own.
  func beginRecord() { offset = greatest + 1 }

  private func number(_ identity: Int) throws(FerryError) -> Int {
    let (sum, overflows) = identity.addingReportingOverflow(offset)
    guard !overflows, sum < .max else {
      throw FerryError(.cannotHold(.integerRange("\(identity)", format: "an identity")))
    }
    greatest = max(greatest, sum)
    return sum
  }

  override func beginObject(_ type: ObjectClass, identity: Int?) throws(FerryError) {
    try next.beginObject(type, identity: identity.map { identity throws(FerryError) in try number(identity) })
  }

  override func reference(_ identity: Int) throws(FerryError) { try next.reference(number(identity)) }
}
