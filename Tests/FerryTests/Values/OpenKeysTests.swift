import Testing

@testable import Ferry

@Suite struct `Keys of batches` {
  /// Returns the indices of the keys that are repeated for the first time. A batch is written as `{`, `}`, `[`, `]`, `0` for a scalar
  /// and a letter for a key, and `|` ends it.
  private func repeated(_ batches: String) -> [[Int]] {
    var keys = OpenKeys()
    return batches.split(separator: "|").map { batch in
      let input = Array(batch.utf8)
      let events = input.indices.map { index in
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
      let none: [UInt8] = []
      return keys.receive(
        EventBatch(events.span, input: input.span, copied: none.span, objects: Span()))
    }
  }

  @Test func `A repeated key is found after the keys of the dictionary before it`() {
    #expect(repeated("[{a0b0}{a0b0}]") == [[]])
    #expect(repeated("[{a0b0}{a0b0a0}]") == [[12]])
    #expect(repeated("[{a0b0}{b0a0b0}]") == [[12]])
    #expect(repeated("[{a0b0}{a0a0}{a0b0c0c0}]") == [[10, 20]])
    #expect(repeated("[{a{c0}b0}{a{c0c0}b0b0}]") == [[15, 20]])
    #expect(repeated("[{a0}{a[0{a0a0}]a0}]") == [[12, 16]])
    #expect(repeated("[{a0}{a[{a0}00{a0}]b0}{a[0]b0b0}]") == [[29]])
  }

  @Test func `A repeated key is found in the next batch`() {
    #expect(repeated("[{a0b0}{a|0b|0b0}|{a0a|0}]") == [[], [], [1], [3], []])
    #expect(repeated("[{a[0|0]b0}{a[0|0]b0b|0}]") == [[], [], [4], []])
  }
}
