/// A hash table of the scalars on a tape that become one object if they are equal: null, booleans, numbers, and strings that
/// fit in a tagged pointer.
struct TapeScalars {
  /// The slots, with 0 for an empty slot. The lower half is a tape index plus one, the upper half a hash.
  private var slots: [UInt64] = []
  private var count = 0

  /// Returns the tape index of the first scalar that equals the one at an index, which may be this one. Returns nil for values
  /// that do not share an object.
  mutating func first(equalTo index: TapeIndex, on tape: EventTape) -> TapeIndex? {
    guard let hash = tape.hash(ofSharedScalar: index).map({ $0 & ~0xffff_ffff }) else { return nil }
    if 2 * (count + 1) > slots.count { grow() }
    var slot = slotIndex(of: hash)
    while slots[slot] != 0 {
      let found = TapeIndex(Int(slots[slot] & 0xffff_ffff) - 1)
      if slots[slot] & ~0xffff_ffff == hash, tape.equalScalars(found, index) { return found }
      slot = (slot + 1) & (slots.count - 1)
    }
    slots[slot] = hash | UInt64(index.index + 1)
    count += 1
    return index
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

extension EventTape {
  /// Returns a hash of a scalar that shares an object with equal ones; nil for other values.
  fileprivate func hash(ofSharedScalar index: TapeIndex) -> UInt64? {
    switch kind(at: index) {
    case .null: WordHash.hash(of: 0)
    case .boolean: WordHash.hash(of: boolean(at: index) ? 1 : 0, 1)
    case .integer: WordHash.hash(of: UInt64(truncatingIfNeeded: integer(at: index)), 2)
    case .real: WordHash.hash(of: real(at: index).bitPattern, 3)
    case .single: WordHash.hash(of: UInt64(single(at: index).bitPattern), 4)
    case .string, .key: text(at: index).fitsInPointer ? text(at: index).utf8.hashOfBytes : nil
    default: nil
    }
  }

  /// Returns true if two scalars are equal. A key equals a string.
  fileprivate func equalScalars(_ a: TapeIndex, _ b: TapeIndex) -> Bool {
    switch (kind(at: a), kind(at: b)) {
    case (.string, .string), (.key, .key), (.string, .key), (.key, .string):
      text(at: a).utf8.equals(text(at: b).utf8)
    case (.null, .null): true
    case (.boolean, .boolean): boolean(at: a) == boolean(at: b)
    case (.integer, .integer): integer(at: a) == integer(at: b)
    case (.real, .real): real(at: a).bitPattern == real(at: b).bitPattern
    case (.single, .single): single(at: a).bitPattern == single(at: b).bitPattern
    default: false
    }
  }
}
