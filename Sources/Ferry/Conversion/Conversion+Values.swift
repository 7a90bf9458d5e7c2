extension Conversion {
  /// Writes a value, which `body` sends, in the target format. XML is written by the schema if there is one.
  /// A value from an archive keeps the archived keys of its objects. `hasObjectNumbers` is true if the
  /// identities of its objects are their numbers in an archive.
  func write(
    to output: any ByteOutput, losses: LossReport, isArchived: Bool = false, hasObjectNumbers: Bool = false,
    _ body: (any ValueSink) throws(FerryError) -> Void
  ) throws(FerryError) {
    let pipeline = try Pipeline(
      self, schema: target == .xml ? schema : nil,
      source: SourceFacts(
        valuesAsIn: isArchived ? .archive : .binaryPropertyList, hasObjectNumbers: hasObjectNumbers),
      to: output, losses: losses
    ) { _ in }
    do throws(FerryError) {
      try body(pipeline.first)
      if isStrict, let loss = losses.losses.first { throw FerryError(.loss(loss.kind), path: loss.path) }
      try pipeline.first.finish()
    } catch {
      throw error.placed(path: pipeline.path)
    }
  }
}
