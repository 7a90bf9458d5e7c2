extension Conversion {
  /// Sends the values of an input to a sink, in the shape that the target's writer would receive. Then
  /// finishes the sink. Returns the losses.
  func send(
    _ input: any Input, named name: String?, into sink: any ValueSink
  ) throws(FerryError) -> Losses {
    let adapters = RecordAdapters(target: { _ in sink })
    return try convert(input, named: name, to: MemoryOutput(), named: nil, adapting: adapters).losses
  }

  /// Writes a value in the target format. XML is written with the schema if there is one. A value from an
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
    let pipeline = try Pipeline(
      self, schema: target == .xml ? schema : nil,
      source: SourceFacts(
        valuesAsIn: isArchived ? .archive : .binaryPropertyList, objectCount: objectCount,
        byteCount: byteCount),
      to: output, losses: losses)
    do throws(FerryError) {
      try body(pipeline.first)
      try pipeline.first.finish()
    } catch {
      throw error.placed(path: pipeline.path)
    }
  }
}
