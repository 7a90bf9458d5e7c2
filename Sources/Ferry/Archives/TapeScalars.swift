/// A hash table of the scalars on a tape that become one object if they are equal: null, booleans, numbers, and strings that
/// fit in a tagged pointer.
struct TapeScalars {
  private var numbers = HashedNumbers()
  /// The seed of the hashes, which is kept here because each access to the global one takes a call.
  private let seed = WordHash.seed

  /// Returns the tape index of the first scalar that equals the one at an index, which may be this one. Returns nil for values
  /// that do not share an object.
  mutating func first(equalTo index: TapeIndex, on tape: EventTape) -> TapeIndex? {
    guard let hash = tape.hash(ofSharedScalar: index, seed: seed) else { return nil }
    var probe = numbers.probe(for: hash)
    while let earlier = numbers.next(at: &probe).map(TapeIndex.init) {
      if tape.equalScalars(earlier, index) { return earlier }
    }
    numbers.add(index.index, at: probe)
    return index
  }
}

extension EventTape {
  /// Returns a hash of a scalar that shares an object with equal ones; nil for other values.
  fileprivate func hash(ofSharedScalar index: TapeIndex, seed: UInt64) -> UInt64? {
    switch kind(at: index) {
    case .null: WordHash.hash(of: 0, seed: seed)
    case .boolean: WordHash.hash(of: boolean(at: index) ? 1 : 0, 1, seed: seed)
    case .integer: WordHash.hash(of: UInt64(truncatingIfNeeded: integer(at: index)), 2, seed: seed)
    case .real: WordHash.hash(of: real(at: index).bitPattern, 3, seed: seed)
    case .single: WordHash.hash(of: UInt64(single(at: index).bitPattern), 4, seed: seed)
    case .string, .key: hash(ofSharedText: text(at: index), seed: seed)
    default: nil
    }
  }

  private func hash(ofSharedText text: BorrowedText, seed: UInt64) -> UInt64? {
    text.fitsInPointer ? text.utf8.hash(seed: seed) : nil
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
