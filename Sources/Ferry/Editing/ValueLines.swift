/// A sink for a list of values that writes each of them as plain text: a scalar on a line, a collection as JSON.
final class ValueLines: RoutingSink {
  private let json: Conversion
  private let output: BufferedOutput
  private let losses: LossReport
  private let byteCount: Int
  /// Returns the path of the current value, for losses.
  var path: () -> ValuePath = { ValuePath() }
  /// The number of open collections, including the list of values.
  private var depth = 0
  /// The builder of the current scalar.
  private var scalar: ValueBuilder?
  /// The pipeline that writes the current collection, or all collections if each is a line.
  private var pipeline: Pipeline?
  /// The sink for the current collection.
  private var collection: any ValueSink = NullSink()
  /// True if one pipeline writes all collections, because each is on a line.
  private var areLines: Bool { json.writing.style.indentation == nil }

  /// Creates a sink.
  ///
  /// - Parameters:
  ///   - json: The conversion that writes collections.
  ///   - byteCount: The size of the file that the values come from, in bytes.
  init(by json: Conversion, to output: any ByteOutput, losses: LossReport, byteCount: Int) {
    (self.json, self.output) = (json, BufferedOutput(to: output))
    (self.losses, self.byteCount) = (losses, byteCount)
    super.init(to: NullSink())
  }

  /// Writes the lines that are held back to the output.
  func flush() throws(FerryError) { try output.flush() }

  override func finish() {}

  // MARK: Receivers

  override func receiver(of kind: Kind) throws(FerryError) -> (any ValueSink)? {
    let isScalar = kind.shape == .scalar
    guard depth > 0 else {
      depth = 1
      return nil
    }
    if depth == 1 {
      guard !isScalar else {
        let builder = ValueBuilder()
        scalar = builder
        return builder
      }
      try beginCollection()
    }
    if !isScalar { depth += 1 }
    return collection
  }

  override func receiverOfKey() -> (any ValueSink)? { collection }

  override func receiverOfEnd() -> (any ValueSink)? {
    depth -= 1
    return depth > 0 ? collection : nil
  }

  override func didEnd() throws(FerryError) {
    guard let pipeline else { return }
    if depth == 1, !areLines {
      try pipeline.first.finish()
      self.pipeline = nil
    }
    // The list has ended.
    if depth == 0 {
      try pipeline.first.endArray()
      try pipeline.first.finish()
    }
  }

  // MARK: Collections

  private func beginCollection() throws(FerryError) {
    guard areLines else {
      let pipeline = try Pipeline(
        json, schema: nil, source: source, to: output,
        losses: LossReport(to: losses) { [path] in
          path().appending($0.steps[...])
        })
      (self.pipeline, collection) = (pipeline, pipeline.first)
      return
    }
    let first = if let pipeline { pipeline.first } else { try beginLines() }
    // A line by itself is the text of a value.
    collection = TypedLookalikes(
      to: first, listsLines: false,
      losses: LossReport(to: losses) { [path] in path().appending($0.steps[...]) }
    )
  }

  /// Begins the list of collections, each of which is a line.
  private func beginLines() throws(FerryError) -> any ValueSink {
    var lines = json
    lines.writing = WritingOptions(to: .jsonLines)
    (lines.writing.style, lines.writing.shared) = (json.writing.style, json.writing.shared)
    lines.writing.keepsTypedText = true
    let losses = LossReport(to: losses) { [path] in path().appending($0.steps.dropFirst()) }
    let pipeline = try Pipeline(lines, schema: nil, source: source, to: output, losses: losses)
    try pipeline.first.beginArray(count: nil)
    self.pipeline = pipeline
    return pipeline.first
  }

  private var source: SourceFacts { SourceFacts(byteCount: byteCount) }

  // MARK: Scalars

  /// Writes the scalar that was received, unless it is a part of a collection.
  private func endScalar() throws(FerryError) {
    guard let builder = scalar else { return }
    scalar = nil
    let value = try builder.result()
    if case .unpairedString = value.scalar { losses.add(.surrogate, path: path()) }
    try pipeline?.writer?.flushComplete()
    try output.write(((value.plainText ?? "null") + "\n").utf8.span)
  }

  override func null() throws(FerryError) {
    try super.null()
    try endScalar()
  }
  override func boolean(_ value: Bool) throws(FerryError) {
    try super.boolean(value)
    try endScalar()
  }
  override func integer(_ value: Int128) throws(FerryError) {
    try super.integer(value)
    try endScalar()
  }
  override func real(_ value: Double) throws(FerryError) {
    try super.real(value)
    try endScalar()
  }
  override func single(_ value: Float) throws(FerryError) {
    try super.single(value)
    try endScalar()
  }
  override func number(_ text: BorrowedText) throws(FerryError) {
    try super.number(text)
    try endScalar()
  }
  override func string(_ text: BorrowedText) throws(FerryError) {
    try super.string(text)
    try endScalar()
  }
  override func data(_ bytes: Span<UInt8>) throws(FerryError) {
    try super.data(bytes)
    try endScalar()
  }
  override func date(_ seconds: Double) throws(FerryError) {
    try super.date(seconds)
    try endScalar()
  }
}
