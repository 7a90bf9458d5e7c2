/// A writer of several JSON texts. Each element of an array becomes a text. Any other value becomes the only one.
final class JSONRecordsWriter: ForwardingSink, PlainSink, PromptWriter, BatchSink {
  private let writer: JSONWriter

  init(to output: any ByteOutput, style: OutputStyle, _ layout: JSONLayout) {
    writer = JSONWriter(to: output, style: style, layout)
    super.init(to: writer)
  }

  func flushComplete() throws(FerryError) { try writer.flushComplete() }

  var prefersBatches: Bool { true }
  func receive(_ events: borrowing EventBatch) throws(EventFailure) { try writer.receive(events) }

  var formatName: String { JSONPrinter.formatName }
}
