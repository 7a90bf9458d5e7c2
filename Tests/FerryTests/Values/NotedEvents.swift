@testable import Ferry

/// Events that are written as `{`, `}`, `[`, `]`, `0` for a scalar and a letter for a key, which is its offset and the letter.
struct NotedEvents {
  let input: [UInt8]
  let entries: [EventBatch.Entry]

  init(_ text: some StringProtocol) {
    let input = Array(text.utf8)
    self.input = input
    entries = input.indices.map { index in
      let kind: EventBatch.Kind =
        switch Character(Unicode.Scalar(input[index])) {
        case "{": .beginDictionary
        case "}": .endDictionary
        case "[": .beginArray
        case "]": .endArray
        case "0": .null
        default: .key
        }
      return EventBatch.Entry(
        kind: kind, isASCII: true, offset: index, payload: UInt64(index), extra: kind == .key ? 1 : 0)
    }
  }

  /// Calls a function with the events as a batch.
  func withBatch<Result>(_ body: (borrowing EventBatch) -> Result) -> Result {
    let none: [UInt8] = []
    return body(EventBatch(entries.span, input: input.span, copied: none.span, objects: Span()))
  }
}
