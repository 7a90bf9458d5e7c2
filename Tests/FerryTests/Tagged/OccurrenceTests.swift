import Testing

@testable import Ferry

@Suite struct `Occurrences of the scalars of an archive` {
  @Test func `The occurrences of a scalar are counted beyond those that fit in a byte`() {
    var occurrences = ArchiveGraph.Occurrences(ofIdentities: 2)
    #expect(!occurrences.contains(1))
    for count in 1...1000 {
      occurrences.add(1)
      #expect(occurrences[1] == count)
      #expect(occurrences.contains(1))
      #expect(occurrences.isRepeated(1) == (count > 1))
    }
    #expect(occurrences[0] == 0)
  }
}
