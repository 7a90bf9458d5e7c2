/// An adapter that reorders the entries of every dictionary.
///
/// Entries with equal keys keep their order, and a dictionary that has a key other than a string is unchanged.
final class KeySorter: DictionaryBufferingSink {
  /// An order of entries.
  enum Order {
    /// The order of the keys' UTF-16 code units, as sorted by Apple's tools.
    case sorted
    /// The order of a hash table's buckets, as written by an archiver on macOS. The outermost dictionary gets
    /// the order of current archivers, unless the file has another order for it.
    case archived
  }

  /// Returns the path to the outermost dictionary. An error of the next sink then gets the path of the value that it has refused, which is
  /// not the last one that was received.
  var pathAround: (() -> [ValuePath.Step])?

  private let order: Order
  /// True if the outermost dictionary is sorted, as by Apple's tools, so that its original order is unknown.
  private var isFileSorted = true

  init(to next: any ValueSink, order: Order = .sorted) {
    self.order = order
    super.init(to: next)
  }

  // MARK: Sending in the new order

  private enum Step {
    /// A range of the tape whose order does not change.
    case run(from: TapeIndex, to: TapeIndex)
    /// The entries of a dictionary whose keys are at these tape indices, from an index in the list on.
    case entries([TapeIndex], Int, of: TapeIndex)
  }

  override func sendDictionary() throws(FerryError) {
    var current = TapeIndex.start
    do throws(FerryError) { try send(&current) } catch {
      guard let pathAround else { throw error }
      throw error.placed(path: ValuePath(pathAround() + tape.path(to: current).steps))
    }
  }

  /// Sends the buffered dictionary.
  ///
  /// - Parameter current: Receives the tape index of the value that is being sent.
  private func send(_ current: inout TapeIndex) throws(FerryError) {
    var steps: [Step] = [.run(from: .start, to: tape.end)]
    while let step = steps.popLast() {
      switch step {
      case .run(let start, let end): try send(from: start, to: end, &steps, &current)
      case .entries(let keys, let index, let dictionary):
        guard index < keys.count else {
          current = dictionary
          try next.endDictionary()
          continue
        }
        current = keys[index]
        try tape.replay(valueAt: current, into: next)
        let value = tape.next(after: current)
        steps.append(.entries(keys, index + 1, of: dictionary))
        steps.append(.run(from: value, to: tape.next(after: value)))
      }
    }
  }

  /// Sends events up to the next dictionary, and schedules that dictionary.
  private func send(
    from start: TapeIndex, to end: TapeIndex, _ steps: inout [Step], _ current: inout TapeIndex
  ) throws(FerryError) {
    var index = start
    while index < end {
      current = index
      guard tape.kind(at: index) == .beginDictionary else {
        try tape.replay(eventAt: index, into: next)
        index = index + 1
        continue
      }
      let rest = tape.next(after: index)
      steps.append(.run(from: rest, to: end))
      let keys = try keysInOrder(of: index)
      try next.beginDictionary(count: keys.count)
      steps.append(.entries(keys, 0, of: index))
      return
    }
  }

  /// Returns the tape indices of a dictionary's keys in the new order.
  private func keysInOrder(of dictionary: TapeIndex) throws(FerryError) -> [TapeIndex] {
    var keys: [TapeIndex] = []
    var units: [[UInt16]] = []
    var index = dictionary + 1
    var isSortable = true
    while tape.kind(at: index) != .endDictionary {
      keys.append(index)
      if tape.kind(at: index) == .key {
        units.append(tape.text(at: index).utf16)
      } else {
        isSortable = false
      }
      index = tape.next(after: tape.next(after: index))
    }
    guard isSortable else { return keys }
    switch order {
    case .sorted:
      return keys.indices.sorted { a, b in
        units[a] == units[b] ? a < b : units[a].lexicographicallyPrecedes(units[b])
      }.map { keys[$0] }
    case .archived:
      if dictionary == .start {
        isFileSorted = zip(units, units.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) }
      }
      guard isFileSorted else { return keys }
      return archivedOrder(units, at: keys, isOutermost: dictionary == .start).map { keys[$0] }
    }
  }

  // MARK: An archiver's order

  private static let outermost = ["$version", "$archiver", "$top", "$objects"].map { Array($0.utf16) }
  private static let ofType = ["$classname", "$classes", "$classhints"].map { Array($0.utf16) }
  private static let type = Array("$class".utf16)

  /// Returns the order of a hash table's buckets. After a collision, it depends on the order in which the
  /// keys were added, which is unknown in a sorted file. But objects are numbered at their first reference,
  /// so object numbers show that order.
  private func archivedOrder(_ units: [[UInt16]], at keys: [TapeIndex], isOutermost: Bool) -> [Int] {
    if isOutermost { return inOrder(Self.outermost, units) }
    if units.contains(Self.ofType[0]) { return buckets(inOrder(Self.ofType, units), units) }
    var encoded = units.indices.filter { units[$0] != Self.type }
    let slots = encoded.indices.filter { isReference(keys[encoded[$0]]) }
    let byNumber = slots.map { encoded[$0] }.sorted { uid(of: keys[$0]) < uid(of: keys[$1]) }
    for (slot, index) in zip(slots, byNumber) { encoded[slot] = index }
    return buckets(encoded + units.indices.filter { units[$0] == Self.type }, units)
  }

  private func isReference(_ key: TapeIndex) -> Bool { tape.kind(at: tape.next(after: key)) == .uid }

  private func uid(of key: TapeIndex) -> UInt64 { tape.uid(at: tape.next(after: key)) }

  /// Returns the indices of the known keys in their order, followed by those of the other keys.
  private func inOrder(_ known: [[UInt16]], _ units: [[UInt16]]) -> [Int] {
    let found = known.compactMap { name in units.firstIndex(of: name) }
    let others = Set(units.indices).subtracting(found)
    return found + others.sorted()
  }

  private func buckets(_ encoded: [Int], _ units: [[UInt16]]) -> [Int] {
    KeyOrder.indices(of: encoded.map { KeyOrder.hash(units[$0]) }).map { encoded[$0] }
  }
}

extension ValueSink {
  /// An adapter that sends this sink the entries of each dictionary in the order of Apple's writers.
  package var receivingSortedKeys: any ValueSink { KeySorter(to: self) }
}
