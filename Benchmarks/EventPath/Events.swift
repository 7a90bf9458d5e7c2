/// The kinds of events between a reader and a writer.
enum Kind: UInt8 {
  case beginDictionary, endDictionary, beginArray, endArray, key, string, literal
}

/// A receiver of events that the compiler knows where it is used, so that each call is a direct one.
protocol Receiver: ~Copyable {
  /// Receives an event with the text in a range of the input.
  mutating func receive(_ kind: Kind, _ range: Range<Int>, in input: Span<UInt8>)
  mutating func finish(in input: Span<UInt8>)
}

/// The text of JSON Lines, whose lines are the elements of a list. This is the work of a writer, the same for all designs.
struct Lines: ~Copyable {
  private var output: [UInt8] = []
  private var depth = 0
  private var needsComma = false
  private var isAfterKey = false
  private(set) var byteCount = 0
  private(set) var checksum: UInt64 = 14_695_981_039_346_656_037

  init() { output.reserveCapacity(1 << 17) }

  mutating func write(_ kind: Kind, _ range: Range<Int>, in input: Span<UInt8>) {
    switch kind {
    case .endDictionary, .endArray:
      depth -= 1
      guard depth > 0 else { return }
      output.append(kind == .endDictionary ? UInt8(ascii: "}") : UInt8(ascii: "]"))
      endValue()
    case .beginArray where depth == 0: depth = 1
    case .beginDictionary, .beginArray:
      beginValue()
      output.append(kind == .beginDictionary ? UInt8(ascii: "{") : UInt8(ascii: "["))
      (depth, needsComma) = (depth + 1, false)
    case .key:
      beginValue()
      append(quoted: range, in: input)
      output.append(UInt8(ascii: ":"))
      isAfterKey = true
    case .string:
      beginValue()
      append(quoted: range, in: input)
      endValue()
    case .literal:
      beginValue()
      append(range, in: input)
      endValue()
    }
  }

  private mutating func beginValue() {
    if needsComma, !isAfterKey { output.append(UInt8(ascii: ",")) }
    isAfterKey = false
  }

  private mutating func endValue() {
    needsComma = depth > 1
    guard depth == 1 else { return }
    output.append(UInt8(ascii: "\n"))
    if output.count >= 1 << 16 { flush() }
  }

  private mutating func append(quoted range: Range<Int>, in input: Span<UInt8>) {
    output.append(UInt8(ascii: "\""))
    append(range, in: input)
    output.append(UInt8(ascii: "\""))
  }

  private mutating func append(_ range: Range<Int>, in input: Span<UInt8>) {
    for index in range { output.append(input[index]) }
  }

  /// Counts the bytes, in place of a file to which they are written.
  mutating func flush() {
    byteCount += output.count
    for index in stride(from: 0, to: output.count, by: 64) {
      checksum = (checksum ^ UInt64(output[index])) &* 1_099_511_628_211
    }
    output.removeAll(keepingCapacity: true)
  }
}

/// The position of an event, which an adapter tracks for the paths of losses.
struct Position {
  private(set) var depth = 0
  private(set) var recordCount = 0

  mutating func advance(over kind: Kind) {
    switch kind {
    case .beginDictionary, .beginArray: depth += 1
    case .endDictionary, .endArray:
      depth -= 1
      if depth == 1 { recordCount += 1 }
    case .key, .string, .literal: break
    }
  }
}
