/// A reader of several JSON texts in one input. The values are sent as the elements of an array. If the context receives the
/// errors of records, records that are not JSON are left out.
///
///     {"a":1}{"a":2} [3]      beginArray  beginDictionary … endDictionary  …  endArray
final class JSONSequenceReader: ChunkReader {
  private var parser: JSONParser

  init(_ layout: JSONLayout, into sink: any ValueSink, _ context: ReaderContext) {
    guard context.failed == nil || layout.recordEnd == nil else {
      let records = ReadableRecords(into: sink, context)
      parser = JSONParser(layout, leavingOutUnreadable: records, budget: context.budget)
      return
    }
    parser = JSONParser(
      layout, into: sink, budget: context.budget, losses: context.losses, locator: context.locator)
  }

  func read(_ chunk: Span<UInt8>) throws(FerryError) { try parser.read(chunk) }
  func finish() throws(FerryError) { try parser.finish() }
}
