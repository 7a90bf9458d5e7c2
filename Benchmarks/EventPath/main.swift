// The experiment that decided how events go from a reader to a writer: three designs with the same scanner and the same writer.
//
//     event-path DESIGN FORMAT FILE       DESIGN: calls, batches, static or none; FORMAT: json or xml

import Foundation

struct NoReceiver: Receiver {
  var count = 0
  mutating func receive(_ kind: Kind, _ range: Range<Int>, in input: Span<UInt8>) { count += 1 }
  mutating func finish(in input: Span<UInt8>) {}
}

func read<Next: Receiver & ~Copyable>(_ format: String, _ input: Span<UInt8>, into next: inout Next) {
  if format == "xml" { readXML(input, into: &next) } else { readJSON(input, into: &next) }
}

let arguments = CommandLine.arguments
let (design, format) = (arguments[1], arguments[2])
let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: arguments[3])))
let start = clock()
var result: (byteCount: Int, checksum: UInt64)
switch design {
case "calls":
  let writer = WriterSink()
  var calls = EventCalls(sink: AdapterSink(to: writer))
  read(format, bytes.span, into: &calls)
  result = (writer.lines.byteCount, writer.lines.checksum)
case "batches":
  let writer = WriterBatchSink()
  var batches = EventBatches(to: AdapterBatchSink(to: writer))
  read(format, bytes.span, into: &batches)
  result = writer.result
case "static":
  var sinks = StaticAdapter(to: StaticWriter())
  read(format, bytes.span, into: &sinks)
  result = (sinks.next.lines.byteCount, sinks.next.lines.checksum)
default:
  var none = NoReceiver()
  read(format, bytes.span, into: &none)
  result = (none.count, 0)
}
let seconds = Double(clock() - start) / Double(CLOCKS_PER_SEC)
print(design, format, result.byteCount, result.checksum, String(format: "%.4f", seconds))
