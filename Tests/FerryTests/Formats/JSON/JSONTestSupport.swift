@testable import Ferry

/// The samples for tests of JSON readers and writers.
enum JSONTest {
  /// The value of a text, read in chunks of a size.
  static func value(_ text: [UInt8], chunk size: Int = .max, budget: Budget = Budget()) throws(FerryError)
    -> Value
  {
    let builder = ValueBuilder()
    try JSONReader(into: builder, budget: budget).readAll(text, chunk: size)
    return try builder.result()
  }

  /// The value of a text.
  static func value(_ text: String) throws(FerryError) -> Value { try value(Array(text.utf8)) }

  /// The events of a text, and how reading it ended: two readings were the same when these are.
  static func outcome(_ text: [UInt8], chunk size: Int, lines: Bool = false) -> String {
    let tapeSink = TapeSink()
    let losses = LossReport()
    let reader: any ChunkReader =
      lines ? JSONLinesReader(into: tapeSink, losses: losses) : JSONReader(into: tapeSink, losses: losses)
    var end = "whole"
    do throws(FerryError) {
      try reader.readAll(text, chunk: size)
    } catch {
      // A character that a chunk's end has cut is named by its first byte, so what was found may differ.
      let words = "\(error)"
      end =
        words.prefix(upTo: words.firstRange(of: "found")?.lowerBound ?? words.endIndex) + "\(error.location)"
    }
    return "\(tapeSink.tape.log) \(losses.losses) \(end)"
  }

  /// A value as JSON.
  static func text(_ value: Value, _ style: OutputStyle = .compact) throws(FerryError) -> String {
    let output = MemoryOutput()
    let writer = JSONWriter(to: output, style: style)
    try value.replay(into: writer)
    try writer.finish()
    return String(decoding: output.bytes, as: UTF8.self)
  }

  /// A JSON text, read and written again.
  static func rewritten(_ text: [UInt8], _ style: OutputStyle = .compact) throws(FerryError) -> String {
    let output = MemoryOutput()
    let writer = JSONWriter(to: output, style: style)
    try JSONReader(into: writer).readAll(text.span)
    try writer.finish()
    return String(decoding: output.bytes, as: UTF8.self)
  }

  /// A text with something of everything.
  static let sample = #"""
    {"name": "Ada Lovelace", "naïve": "naïve ⚓️ 😀😀 \ud83d\ude00 \u00e9\n\"\\\/", "lone": "\ud800 \udc00\ud800",
     "numbers": [0, -1, 18446744073709551615, 1.5, 2.20, 1e400, -0, -0.0, 123456789012345678901234567890],
     "words": [true, false, null], "empty": [[], {}, ""], "name": 2, "a": {"a": {"a": []}, "name": 1, "a": 0}}

    """#
}
