import Testing

@testable import Ferry

@Suite struct `Keys of batches` {
  /// Returns the indices of the keys that are repeated for the first time, for batches of noted events between `|`.
  private func repeated(_ batches: String) -> [[Int]] {
    var keys = OpenKeys()
    return batches.split(separator: "|").map { batch in
      NotedEvents(batch).withBatch { keys.receive($0) }
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
