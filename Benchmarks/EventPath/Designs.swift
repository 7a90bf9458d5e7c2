// Three designs for the events between a reader, an adapter and a writer.

// MARK: An object for each sink, and a call for each event

protocol Sink: AnyObject {
  func receive(_ kind: Kind, _ text: Range<Int>, in input: Span<UInt8>)
  func finish()
}

final class WriterSink: Sink {
  var lines = Lines()
  func receive(_ kind: Kind, _ text: Range<Int>, in input: Span<UInt8>) { lines.write(kind, text, in: input) }
  func finish() { lines.flush() }
}

/// An adapter, and the second kind of sink, so that the calls stay dynamic ones.
final class AdapterSink: Sink {
  var position = Position()
  let next: any Sink
  init(to next: any Sink) { self.next = next }
  func receive(_ kind: Kind, _ text: Range<Int>, in input: Span<UInt8>) {
    position.advance(over: kind)
    next.receive(kind, text, in: input)
  }
  func finish() { next.finish() }
}

/// The reader's side of a sink that is an object.
struct EventCalls: Receiver {
  let sink: any Sink
  mutating func receive(_ kind: Kind, _ range: Range<Int>, in input: Span<UInt8>) {
    sink.receive(kind, range, in: input)
  }
  mutating func finish(in input: Span<UInt8>) { sink.finish() }
}

// MARK: An object for each sink, and a call for each batch of events

struct Event {
  let kind: Kind
  let start: UInt32
  let count: UInt32
}

protocol BatchSink: AnyObject {
  func receive(_ events: Span<Event>, in input: Span<UInt8>)
  func finish()
}

final class WriterBatchSink: BatchSink {
  /// The writer is taken out of the object while a batch is written. It is nil only then.
  private var lines: Lines? = Lines()
  func receive(_ events: Span<Event>, in input: Span<UInt8>) {
    guard var lines = lines.take() else { return }
    for index in events.indices {
      let (start, count) = (Int(events[index].start), Int(events[index].count))
      lines.write(events[index].kind, start..<start + count, in: input)
    }
    self.lines = consume lines
  }
  func finish() { lines?.flush() }
  var result: (byteCount: Int, checksum: UInt64) { (lines?.byteCount ?? 0, lines?.checksum ?? 0) }
}

final class AdapterBatchSink: BatchSink {
  var position = Position()
  let next: any BatchSink
  init(to next: any BatchSink) { self.next = next }
  func receive(_ events: Span<Event>, in input: Span<UInt8>) {
    var position = position
    for index in events.indices { position.advance(over: events[index].kind) }
    self.position = position
    next.receive(events, in: input)
  }
  func finish() { next.finish() }
}

/// The reader's side of a sink that takes batches.
struct EventBatches: Receiver {
  private let sink: any BatchSink
  private var events: [Event] = []
  init(to sink: any BatchSink) {
    self.sink = sink
    events.reserveCapacity(1 << 10)
  }
  mutating func receive(_ kind: Kind, _ range: Range<Int>, in input: Span<UInt8>) {
    if events.count == 1 << 10 { send(in: input) }
    events.append(Event(kind: kind, start: UInt32(range.lowerBound), count: UInt32(range.count)))
  }
  private mutating func send(in input: Span<UInt8>) {
    sink.receive(events.span, in: input)
    events.removeAll(keepingCapacity: true)
  }
  mutating func finish(in input: Span<UInt8>) {
    send(in: input)
    sink.finish()
  }
}

// MARK: A structure for each sink, generic over the next one

struct StaticWriter: Receiver, ~Copyable {
  private(set) var lines = Lines()
  mutating func receive(_ kind: Kind, _ range: Range<Int>, in input: Span<UInt8>) {
    lines.write(kind, range, in: input)
  }
  mutating func finish(in input: Span<UInt8>) { lines.flush() }
}

struct StaticAdapter<Next: Receiver & ~Copyable>: Receiver, ~Copyable {
  private(set) var position = Position()
  private(set) var next: Next
  init(to next: consuming Next) { self.next = next }
  mutating func receive(_ kind: Kind, _ range: Range<Int>, in input: Span<UInt8>) {
    position.advance(over: kind)
    next.receive(kind, range, in: input)
  }
  mutating func finish(in input: Span<UInt8>) { next.finish(in: input) }
}
