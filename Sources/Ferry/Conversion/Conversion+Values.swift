extension Conversion {
  /// Writes a value that `body` sends, in the target's format.
  func write(
    to output: any ByteOutput, losses: LossReport, _ body: (any ValueSink) throws(Failure) -> Void
  ) throws(Failure) {
    let pipeline = try Pipeline(
      self, schema: nil, source: SourceInput(valuesFor: self), to: output, losses: losses
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
