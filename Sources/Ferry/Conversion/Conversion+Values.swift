extension Conversion {
  /// Sends the values of an input to a sink, as the target's writer would receive them; then finishes the
  /// sink.
  func send(_ input: any Input, named name: String?, into sink: any ValueSink) throws(FerryError) {
    let adapters = RecordAdapters(target: { _ in sink })
    _ = try convert(input, named: name, to: MemoryOutput(), named: nil, adapting: adapters)
  }

  /// Writes a value, which `body` sends, in the target format. XML is written by the schema if there is one.
  /// A value from an archive keeps the archived keys of its objects. `objectCount` is the number
  /// of objects in the archive if the identities of the value's objects are their numbers, otherwise 0;
  /// `byteCount` is the size of the value's file.
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
      if isStrict, let loss = losses.losses.first { throw FerryError(.loss(loss.kind), path: loss.path) }
      try pipeline.first.finish()
    } catch {
      throw error.placed(path: pipeline.path)
    }
  }
}
