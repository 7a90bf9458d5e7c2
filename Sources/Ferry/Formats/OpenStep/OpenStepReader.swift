/// A reader of OpenStep property lists, strings files and GNUstep's property lists. It collects the text, which can be in
/// UTF-8 or UTF-16, and sends its value at the end.
final class OpenStepReader: ChunkReader {
  private let sink: any ValueSink
  private let dialect: OpenStepDialect
  private let context: ReaderContext
  private var decoder: TextDecoder
  private var text: [UInt8] = []
  private(set) var notes: [Note] = []

  init(into sink: any ValueSink, _ dialect: OpenStepDialect, _ context: ReaderContext) {
    (self.sink, self.dialect, self.context) = (sink, dialect, context)
    decoder = TextDecoder(encoding: context.encoding)
  }

  private var endOfText: InputLocation {
    let text = text
    return LineCounter().location(of: text.count, in: text.span)
  }

  func read(_ chunk: Span<UInt8>) throws(FerryError) {
    try context.budget.checkText(text.count + chunk.count, at: LineCounter().end)
    do throws(FerryError) {
      try decoder.append(chunk, to: &text)
    } catch {
      throw error.placed(at: endOfText)
    }
  }

  func finish() throws(FerryError) {
    do throws(FerryError) {
      try decoder.finish(to: &text)
    } catch {
      throw error.placed(at: endOfText)
    }
    var parser = OpenStepParser(text, dialect, budget: context.budget, losses: context.losses)
    try parser.send(to: sink)
    notes = parser.notes
  }
}
