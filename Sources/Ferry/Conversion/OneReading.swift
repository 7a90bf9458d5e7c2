/// The limits for converting an XML document in one reading.
///
/// Only the whole document shows which of its elements are lists. The shape of its beginning is usually that of the rest, so the values
/// are written with it while the shape of the rest is found, and are taken back if the rest has another shape. The document is read a second
/// time then.
struct OneReading: Sendable {
  /// The lengths in bytes of the shortest and the longest beginning.
  var lookahead = 64 << 10...1 << 20
  /// The ratio of the size of a document to the length of its beginning, within these limits.
  var sizeRatio = 16
  /// The maximum size in bytes of a document, and of an output that waits to be written.
  var mostHeld = 1 << 30

  /// Returns the length of the beginning of a document.
  ///
  /// - Parameter size: The size of the document, or nil if it is not known.
  func lookahead(inSize size: Int?) -> Int {
    min(max((size ?? 0) / sizeRatio, lookahead.lowerBound), lookahead.upperBound)
  }
}

extension Conversion {
  /// Converts an XML document without a schema in one reading. Returns nil, and has written nothing, if it must be read twice, and for
  /// other inputs.
  ///
  /// - Throws: An error of the document, or of the output.
  func convertInOneReading(
    _ source: OpenedInput, _ detected: DetectedInput, _ options: ReadingOptions, to output: any ByteOutput,
    adapting adapters: RecordAdapters, projectName: String?
  ) throws(FerryError) -> Report? {
    guard adapters.isEmpty, !keepsGoing, entriesInUse == nil, options.schema == nil,
      case .elements(nil) = source.contents,
      !writing.format.description.isDatabase, output.database == nil,
      (source.input.sizeOfFile ?? 0) <= oneReading.mostHeld
    else { return nil }
    let (tentative, losses) = (try TentativeOutput(output, limit: oneReading.mostHeld), makeLossReport())
    let pipeline = try Pipeline(
      self, schema: nil, source: SourceFacts(source, options), to: tentative, losses: losses,
      projectName: projectName)
    // The form of documents with a common shape is known before.
    let lookahead =
      options.xml.commonShape == nil ? oneReading.lookahead(inSize: source.input.sizeOfFile) : 0
    do throws(FerryError) {
      guard
        try source.sendInOneReading(into: pipeline.first, options, losses: losses, lookahead: lookahead)
      else {
        try tentative.takeBack()
        return nil
      }
    } catch {
      try? tentative.takeBack()
      throw reading.placed(detected.withReason(error), of: source, at: ValuePath(), nil)
    }
    // An error is the same after two readings, unless bytes that wait cause it.
    guard completes(pipeline, losses) else {
      try tentative.takeBack()
      return nil
    }
    source.noteUnusedLists(options)
    try tentative.forEachWaitingChunk { chunk throws(FerryError) in try output.write(chunk) }
    locate(losses, in: source, detected, options)
    return report(of: source, options, losses, pipeline)
  }

  /// Completes the output of a pipeline. Returns false after an error.
  private func completes(_ pipeline: Pipeline, _ losses: LossReport) -> Bool {
    do throws(FerryError) {
      try pipeline.first.finish()
      try refuse(losses)
    } catch {
      return false
    }
    return true
  }
}
