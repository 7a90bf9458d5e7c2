import TestSupport
import Testing

@testable import Ferry

@Suite struct `Batches of events` {
  private static let texts = [
    #"{"a":[1,-2.50,1e400,"x\n","é",{"b":null,"b":true,"":[]}],"c\u0063\ud800":"\ud800","z":{},"z":[[1]]}"#,
    #"[18446744073709551615,-0.5,false,["",[]],{"k\"":{"k":[{},{"l":0}]}}]"#,
    #"[{"CF$UID":4},{"CF$UID":4,"a":1},{"CF$UID":-1},{"a":{"CF$UID":5}},{"CF$UID":"x"},{"CF$UID":[]}]"#,
    "[" + (0..<1500).map { "{\"n\":\($0)}" }.joined(separator: ",\n ") + "]",
  ]

  private static let propertyLists = [
    """
    <?xml version="1.0"?><!DOCTYPE plist><plist><dict><key>a</key><array><integer>1</integer><real>-2.5</real>
    <string>x&lt;</string><string>é</string><true/><false></false></array><key>CF$UID</key><integer>3</integer>
    <key>d</key><dict><key>CF$UID</key><integer>7</integer></dict><key>e</key><date>2001-02-03T04:05:06Z</date>
    <key>f</key><data>AAEC</data><key>g</key><dict/><key>g</key><!-- c --><string><![CDATA[a]]>b</string></dict></plist>
    """,
    "<plist><array><dict><key>a</key><integer>x</integer></dict></array></plist>",
    "<plist><dict><key>a</key><real>nan</real><key>b</key><real>-infinity</real></dict></plist>",
    "<array><dict><key>CF$UID</key><string>x</string></dict><dict><key>a</key></dict></array>",
    "<plist><array>" + (0..<700).map { "<dict><key>n</key>\n<integer>\($0)</integer></dict>" }.joined()
      + "</array></plist>",
  ]

  /// Formats that differ in the values for which a text is written, or which are left out.
  private static let targets: [Format] = [.json, .json5, .binaryPropertyList, .xmlPropertyList, .archive]

  @Test(arguments: texts + propertyLists, targets)
  func `Events in batches have the effect that they have one by one`(_ text: String, _ target: Format) {
    let bytes = Array(text.utf8)
    let sizes = bytes.count > 1000 ? [701, .max] : [1, 2, 3, 5, 8, 13, 40, .max]
    for size in sizes {
      for length in bytes.count > 1000
        ? [bytes.count, bytes.count - 1] : Array(bytes.indices) + [bytes.count]
      {
        let part = Array(bytes.prefix(length))
        #expect(
          Self.outcome(part, chunk: size, for: target, inBatches: true)
            == Self.outcome(part, chunk: size, for: target))
      }
    }
  }

  @Test(arguments: propertyLists)
  func `An error of any event of a property list in a batch has the location and the path that it has alone`(
    _ text: String
  ) {
    expectSameErrors(Array(text.utf8))
  }

  @Test(arguments: texts, [false, true])
  func `An error of any event in a batch has the location and the path that it has alone`(
    _ text: String, asLines: Bool
  ) {
    expectSameErrors(
      Array((asLines ? "1\n\(text.filter { $0 != "\n" })\n\n[2]" : text).utf8), asLines: asLines)
  }

  /// Expects that a sink which refuses any event has the same error in batches.
  private func expectSameErrors(_ bytes: [UInt8], asLines: Bool = false) {
    for size in bytes.count > 1000 ? [701, .max] : [1, 3, 8, .max] {
      var (limit, isOver) = (0, false)
      while !isOver {
        let single = Self.outcome(bytes, chunk: size, asLines: asLines, limit: limit)
        let batch = Self.outcome(bytes, chunk: size, asLines: asLines, limit: limit, inBatches: true)
        #expect(batch == single)
        isOver = !single.contains("one event more")
        limit += bytes.count > 1000 ? 97 : 1
      }
      #expect(limit > 3)
    }
  }

  /// Collections of scalars of all kinds, with shared objects, in a binary property list.
  private static let binary: Value = [
    "people": .array(
      (0..<9).map { number in
        let texts: [Value] = [
          "Ada", "twelve bytes", "a \"quoted\" text", "tab\t", "é", .unpairedString([0xd800]), "", "日本", "~",
        ]
        return [
          "name": texts[number], "age": .integer(Int128(number) << Int128(7 * number)),
          "is": .boolean(number > 4),
          "real": .real(number == 3 ? .infinity : 1.5), "none": .null, "é": "a key",
          "more": number == 5 ? [1, "x", [2], .set([3]), .data([1])] : .single(2.5),
        ]
      }),
    "numbers": .array((0..<600).map { .integer($0) }),
  ]

  @Test func `Events of a binary property list in batches have the errors and paths that they have alone`()
    throws
  {
    let bytes = try PropertyLists.binary(Self.binary)
    var (limit, isOver) = (0, false)
    while !isOver {
      let single = Self.outcome(binary: bytes, limit: limit)
      #expect(Self.outcome(binary: bytes, limit: limit, inBatches: true) == single)
      isOver = !single.contains("one event more")
      limit += limit < 200 ? 1 : 37
    }
    #expect(limit > 600)
  }

  @Test func `A damaged binary property list has the same errors in batches`() throws {
    let small = try PropertyLists.binary(#require(Self.binary["people"]))
    let damage = Damage(to: small, lengths: [], change: .flipping([0x01, 0x10, 0x30, 0x80, 0xff]))
    try damage.check { damaged in
      let single = Self.outcome(binary: damaged)
      #expect(Self.outcome(binary: damaged, inBatches: true) == single)
      if !single.hasSuffix("whole") { throw Damage.Refusal() }
    }
  }

  @Test func `A binary property list is as large in batches as event by event`() throws {
    // An object that is shared a hundred times, among others.
    let text: [UInt8] = [0x5f, 0x10, 200] + [UInt8](repeating: 0x61, count: 200)
    let keys: [UInt8] = [0xd2, 1, 2, 1, 2]
    var shared = BinaryFile([0xaf, 0x10, 100] + [UInt8](repeating: 3, count: 100), text, [0x51, 0x62], keys)
    shared.offsetWidth = 2
    var wholeCount = 0
    for floor in stride(from: 0, through: 60_000, by: 500) {
      for tokens in [199, 200, 1 << 20] {
        var budget = Budget()
        (budget.amplificationFloor, budget.amplification, budget.tokenBytes) = (floor, 1, tokens)
        let single = Self.outcome(binary: shared.bytes, budget: budget)
        #expect(Self.outcome(binary: shared.bytes, inBatches: true, budget: budget) == single)
        wholeCount += single.hasSuffix("whole") ? 1 : 0
      }
    }
    #expect((1..<200).contains(wholeCount))
  }

  /// Returns the events of a binary property list, the losses, and the error with its location and path.
  private static func outcome(
    binary bytes: [UInt8], limit: Int = .max, inBatches: Bool = false, budget: Budget = Budget()
  ) -> String {
    let (tapeSink, losses) = (TapeSink(), LossReport())
    let last = inBatches ? LimitedBatchSink(to: tapeSink) : LimitedSink(to: tapeSink)
    last.limit = limit
    let plain = PlainForm(to: last, capabilities: Format.json.capabilities, losses: losses)
    var end = "whole"
    do throws(FerryError) {
      try BinaryPropertyList(bytes, budget: budget).replay(into: plain)
    } catch {
      end = "\(error)"
    }
    return "\(tapeSink.tape.log) \(losses.losses) \(plain.path) \(end)"
  }

  @Test(arguments: texts, [OutputStyle.compact, .pretty, OutputStyle(indentation: .tab, isASCII: true)])
  func `A writer of JSON writes the same of batches as of single events`(_ text: String, _ style: OutputStyle)
    throws
  {
    let (single, batches) = (MemoryOutput(), MemoryOutput())
    let (first, second) = (JSONWriter(to: single, style: style), JSONWriter(to: batches, style: style))
    try JSONReader(into: ForwardingSink(to: first)).readAll(Array(text.utf8), chunk: 50)
    try JSONReader(into: second).readAll(Array(text.utf8), chunk: 50)
    try first.finish()
    try second.finish()
    #expect(single.bytes == batches.bytes)
    #expect(!single.bytes.isEmpty)
  }

  @Test func `Keys and strings of all short lengths are written at the end of the buffer, too`() throws {
    let entries = (0...40).flatMap { key in
      (0...40).map { count in
        let text = String(repeating: "é~", count: count / 3) + String(repeating: "x", count: count % 3)
        return "{\"\(String(repeating: "k", count: key))\":\"\(text)\",\"a\":\"\(text)\"}"
      }
    }
    for shift in stride(from: 0, to: 48, by: 5) {
      let text = "[\"\(String(repeating: "-", count: shift))\",\n\(entries.joined(separator: ","))]\n"
      #expect(text.utf8.count > 1 << 16)
      let output = MemoryOutput()
      let writer = JSONWriter(to: output)
      try JSONReader(into: writer).readAll(Array(text.utf8), chunk: 1 << 14)
      try writer.finish()
      #expect(output.bytes.elementsEqual(text.replacing("\n", with: "").utf8 + [UInt8(ascii: "\n")]))
    }
  }

  /// The events that reach a sink which refuses the one after a number of them, the losses, and the error with its
  /// location and path.
  private static func outcome(
    _ text: [UInt8], chunk size: Int, for target: Format = .json, asLines: Bool = false, limit: Int = .max,
    inBatches: Bool = false
  ) -> String {
    let (tapeSink, losses) = (TapeSink(), LossReport())
    let last = inBatches ? LimitedBatchSink(to: tapeSink) : LimitedSink(to: tapeSink)
    last.limit = limit
    let plain = PlainForm(to: last, capabilities: target.capabilities, losses: losses)
    #expect(plain.prefersBatches == inBatches)
    let first = ReferenceLookalikes(to: plain, losses: losses) { plain.path }
    #expect(first.prefersBatches == inBatches)
    let reader: any ChunkReader =
      if text.first == UInt8(ascii: "<") {
        XMLPropertyListReader(into: first, losses: losses)
      } else if asLines {
        JSONLinesReader(into: first, losses: losses)
      } else {
        JSONReader(into: first, losses: losses)
      }
    var end = "whole"
    do throws(FerryError) { try reader.readAll(text, chunk: size) } catch { end = "\(error)" }
    // Comments after the event of an error may have been read.
    let lost = losses.losses.filter { end == "whole" || $0.kind != .comment }
    return "\(tapeSink.tape.log) \(lost) \(plain.path) \(end)"
  }
}

/// A sink that refuses events after a number of them.
class LimitedSink: InterceptingSink {
  var limit = Int.max

  override func willSend() throws(FerryError) {
    guard limit > 0 else { throw FerryError(.cannotHold(.misplaced("one event more"))) }
    limit -= 1
  }
}

/// A sink that refuses events after a number of them, and prefers batches.
final class LimitedBatchSink: LimitedSink, BatchSink {
  var prefersBatches: Bool { true }

  func receive(_ events: borrowing EventBatch) throws(EventFailure) { try receiveSingly(events) }
}
