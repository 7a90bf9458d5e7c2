extension Conversion {
  /// Writes a value that `body` sends, in the target's format; XML by the schema if there is one. What comes from an
  /// archive has its objects' own keys.
  func write(
    to output: any ByteOutput, losses: LossReport, isArchived: Bool = false,
    _ body: (any ValueSink) throws(Failure) -> Void
  ) throws(Failure) {
    let pipeline = try Pipeline(
      self, schema: target == .xml ? schema : nil,
      source: SourceInput(valuesFor: self, isArchived: isArchived), to: output, losses: losses
    ) { _ in }
    do throws(Failure) {
      try body(pipeline.first)
      if isStrict, let loss = losses.losses.first { throw Failure(.loss(loss.kind), path: loss.path) }
      try pipeline.first.finish()
    } catch {
      throw error.placed(path: pipeline.path)
    }
  }
}
