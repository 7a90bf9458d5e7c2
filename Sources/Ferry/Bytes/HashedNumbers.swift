/// A hash table of numbers, of which two are equal if what they number is equal: the scalars of a property list by the numbers
/// of their nodes, for example. The caller knows the hashes and the equality.
struct HashedNumbers {
  /// The slots, with 0 for an empty slot. The lower half is a number plus one, the upper half a hash.
  private var slots: [UInt64] = []
  private var count = 0

  private static let upperHalf: UInt64 = ~0xffff_ffff

  /// Returns an earlier number that equals a new one. If there is none, adds the new one and returns it.
  ///
  /// - Parameters:
  ///   - number: The new number.
  ///   - hash: The hash of what it numbers. Only the upper half is used.
  ///   - isEqual: Returns true if an earlier number is equal to the new one.
  @inline(__always)
  mutating func first<Failure: Error>(
    equalTo number: Int, hash: UInt64, _ isEqual: (Int) throws(Failure) -> Bool
  ) throws(Failure) -> Int {
    if 2 * (count + 1) > slots.count { grow() }
    let hash = hash & Self.upperHalf
    var index = slotIndex(of: hash)
    while slots[index] != 0 {
      let found = Int(slots[index] & ~Self.upperHalf) - 1
      if slots[index] & Self.upperHalf == hash, try isEqual(found) { return found }
      index = (index + 1) & (slots.count - 1)
    }
    slots[index] = hash | UInt64(number + 1)
    count += 1
    return number
  }

  private func slotIndex(of hash: UInt64) -> Int { Int(hash >> 32) & (slots.count - 1) }

  private mutating func grow() {
    let old = slots
    slots = [UInt64](repeating: 0, count: max(64, old.count * 2))
    for slot in old where slot != 0 {
      var index = slotIndex(of: slot)
      while slots[index] != 0 { index = (index + 1) & (slots.count - 1) }
      slots[index] = slot
    }
  }
}
