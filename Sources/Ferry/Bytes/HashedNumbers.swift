/// A hash table of numbers, of which two are equal if what they number is equal: the scalars of a property list by the numbers
/// of their nodes, for example. The caller knows the hashes and the equality:
///
///     var probe = table.probe(for: hash)
///     while let earlier = table.next(at: &probe) {
///       if isEqual(earlier, number) { return earlier }
///     }
///     table.add(number, at: probe)
///
/// There is no function that takes the equality as a closure: it would retain or copy what the closure captures.
struct HashedNumbers {
  /// The slots, with 0 for an empty slot. The lower half is a number plus one, the upper half a hash.
  private var slots: [UInt64] = []
  private var count = 0
  /// The bits of all slots that were loaded ahead, so that the compiler does not leave out the loads.
  private var loadedBits: UInt64 = 0

  private static let upperHalf: UInt64 = ~0xffff_ffff
  /// The number of slots that fit in the cache of the processor, so that they need not be loaded ahead.
  private static let cachedSlots = 1 << 12

  /// A position in a search for numbers with a hash.
  struct Probe {
    fileprivate let hash: UInt64
    fileprivate var index: Int
  }

  /// Returns the probe for the numbers with a hash, of which only the upper half is used. Makes room for one more.
  @inline(__always)
  mutating func probe(for hash: UInt64) -> Probe {
    if 2 * (count + 1) > slots.count { grow() }
    return Probe(hash: hash & Self.upperHalf, index: slotIndex(of: hash))
  }

  /// Returns the probe for the numbers with a hash, to search for one without adding any; nil if there are no numbers.
  func search(for hash: UInt64) -> Probe? {
    slots.isEmpty ? nil : Probe(hash: hash & Self.upperHalf, index: slotIndex(of: hash))
  }

  /// Loads the slots at which searches for hashes begin into the cache of the processor. These loads overlap, whereas each search would wait
  /// for its own slot.
  mutating func load(for hashes: Span<UInt64>) {
    guard slots.count > Self.cachedSlots else { return }
    for index in hashes.indices { loadedBits |= slots[slotIndex(of: hashes[index])] }
  }

  /// Returns the next number with the hash of a probe, and advances the probe; nil if there are no more. A number can then be added
  /// at the probe.
  @inline(__always)
  func next(at probe: inout Probe) -> Int? {
    while slots[probe.index] != 0 {
      let slot = slots[probe.index]
      probe.index = (probe.index + 1) & (slots.count - 1)
      if slot & Self.upperHalf == probe.hash { return Int(slot & ~Self.upperHalf) - 1 }
    }
    return nil
  }

  /// Adds a number at a probe that `next` has found to be the end.
  @inline(__always)
  mutating func add(_ number: Int, at probe: Probe) {
    slots[probe.index] = probe.hash | UInt64(number + 1)
    count += 1
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
