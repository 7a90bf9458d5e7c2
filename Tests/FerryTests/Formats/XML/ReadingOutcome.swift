@testable import Ferry

/// The events or the values of an XML document, and the error, as the scanner with libxml2 or libxml2 alone reads it.
struct ReadingOutcome: Equatable {
  /// The events, or the values in JSON, or the error with its location, and the losses.
  let text: String
  let isError: Bool

  private init(_ text: String, isError: Bool = false) { (self.text, self.isError) = (text, isError) }

  /// A sink that refuses an event.
  private class RefusingSink: InterceptingSink {
    private var remaining: Int

    init(to next: any ValueSink, after count: Int) {
      remaining = count
      super.init(to: next)
    }

    override func willSend() throws(FerryError) {
      remaining -= 1
      if remaining < 0 { throw FerryError(.xml(.notWellFormed("refused"))) }
    }
  }

  /// A sink that refuses an event, and takes events in batches.
  private final class RefusingBatchSink: RefusingSink, BatchSink {
    var prefersBatches: Bool { true }

    func receive(_ events: borrowing EventBatch) throws(EventFailure) { try receiveSingly(events) }
  }

  /// A delegate that writes down what it is called with. Texts that follow each other are one, because a text may arrive
  /// in several calls.
  final class LoggingDelegate: ElementDelegate {
    private(set) var log = ""
    private var last = ""

    private func add(_ kind: String, _ text: String, joins: Bool = false) {
      log += joins && last == kind ? text : "\n\(kind) \(text)"
      last = kind
    }

    override func delegate(for child: borrowing XMLStartTag) -> ElementDelegate? { self }

    override func didStart(_ element: borrowing XMLStartTag) {
      let location = element.location
      add(
        "start",
        "\(element.name.qualified) \(element.name.namespace ?? "-") \(location) \(location.byte ?? -1)")
      for index in 0..<element.attributeCount {
        add(
          "attribute", "\(element.attributeName(index).qualified) = \(String(element.attributeValue(index)))")
      }
      for index in 0..<element.declarationCount {
        add(
          "declaration",
          "\(element.declarationName(index).qualified) = \(String(element.declarationValue(index)))")
      }
    }

    override func text(_ text: BorrowedText) { add("text", String(text), joins: true) }
    override func cdata(_ text: BorrowedText) { add("cdata", String(text), joins: true) }
    override func comment(_ text: BorrowedText) { add("comment", String(text)) }
    override func processingInstruction(target: BorrowedText, data: BorrowedText) {
      add("instruction", "\(String(target)) \(String(data))")
    }
    override func childDidFinish(_ child: ElementDelegate) { add("child", "") }
    override func didEnd() { add("end", "") }
  }

  /// The circumstances under which a document is read.
  struct Setting {
    var chunk = 1 << 20
    var budget = Budget()
    /// The number of events after which the sink refuses one; nil for a writer of JSON.
    var refusal: Int?
    var refusesInBatches = false
    /// True to read with a delegate that does not take batches.
    var logs = false
  }

  /// Reads a document.
  static func of(_ document: [UInt8], _ setting: Setting, mayScan: Bool) -> ReadingOutcome {
    let (output, losses) = (MemoryOutput(), LossReport())
    let writer = JSONWriter(to: output)
    let sink: any ValueSink =
      setting.refusal.map {
        setting.refusesInBatches
          ? RefusingBatchSink(to: writer, after: $0) : RefusingSink(to: writer, after: $0)
      } ?? writer
    do throws(FerryError) {
      if setting.logs {
        let log = LoggingDelegate()
        try read(document, with: log, losses: losses, setting, mayScan: mayScan)
        return ReadingOutcome("\(log.log) \(losses.losses.map(\.kind))")
      }
      let shape = XMLShape(budget: setting.budget)
      try read(document, with: shape, losses: nil, setting, mayScan: mayScan)
      let values = XMLValueDelegate(into: sink, shape: shape, losses: losses)
      try read(document, with: values, losses: losses, setting, mayScan: mayScan)
      try writer.finish()
    } catch {
      let place = "\(error) \(error.location.byte ?? -1)"
      // What follows a refused value in its batch has been read, and its losses are noted.
      return ReadingOutcome(
        setting.refusesInBatches ? place : "\(place) \(losses.losses.map(\.kind))", isError: true)
    }
    return ReadingOutcome(
      "\(String(decoding: output.bytes, as: UTF8.self)) \(losses.losses.map { "\($0.kind) \($0.path)" })")
  }

  private static func read(
    _ document: [UInt8], with delegate: ElementDelegate, losses: LossReport?, _ setting: Setting,
    mayScan: Bool
  ) throws(FerryError) {
    let stream = try XMLStream(document: delegate, budget: setting.budget, losses: losses, mayScan: mayScan)
    try stream.readAll(document, chunk: setting.chunk)
  }
}
