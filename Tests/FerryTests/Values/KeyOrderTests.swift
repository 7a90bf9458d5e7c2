import Testing

@testable import Ferry

@Suite struct `Keys in a Mac's order` {
  private func order(_ keys: [String]) -> [String] {
    KeyOrder.indices(of: keys.map { KeyOrder.hash(Array($0.utf16)) }).map { keys[$0] }
  }

  /// Orders seen in archives that Macs made.
  @Test(arguments: [
    ["NS.base", "$class", "NS.relative"], ["NS.time", "$class"], ["NS.uuidbytes", "$class"],
    ["NS.objects", "$class"],
    ["set", "$class", "arrayOfStrings", "arrayOfInts", "dictionary"],
  ])
  func `The order of keys is that of a Mac's hash table`(_ keys: [String]) {
    let encoded = keys.filter { $0 != "$class" } + ["$class"]
    // Keys that do not collide come in the same order whatever the order of their adding.
    #expect(order(encoded) == keys)
  }

  @Test func `Every key comes once, at every size of the hash table`() {
    for count in [0, 1, 3, 4, 6, 7, 11, 12, 19, 20, 32, 33, 390, 391, 500] {
      let keys = (0..<count).map { "key\($0)" }
      #expect(order(keys).sorted() == keys.sorted())
    }
  }

  @Test func `A long key is hashed by three of its parts`() {
    let long = Array(String(repeating: "a", count: 97).utf16)
    var other = long
    other[64] += 1
    #expect(KeyOrder.hash(long) == KeyOrder.hash(other))
    other[0] += 1
    #expect(KeyOrder.hash(long) != KeyOrder.hash(other))
  }
}
