/// The documents in data that a list has lost, and the values other than data that it has gained in their place.
///
///     removed {n: 1, d: <{x: 1}>}     added {n: 2, d: {x: 2}}     at d, one document with a dictionary lost, and one dictionary gained
///
/// A document may have changed as much as the values around it, so that only the keys that lead to it and the kind of its value count.
/// Indices do not, because elements move.
struct DocumentCounts {
  private enum Kind {
    case list, dictionary, scalar

    init(_ value: Value) {
      self =
        switch value.withoutClass {
        case .array, .set: .list
        case .dictionary: .dictionary
        default: .scalar
        }
    }
  }

  /// Values of one kind to which the same keys lead.
  private struct Slot: Hashable {
    /// A hash of the keys.
    let keys: Int
    let kind: Kind
  }

  private var lostDocuments: [Slot: Int] = [:]
  private var gainedValues: [Slot: Int] = [:]

  /// True if no removed value has a document.
  var isEmpty: Bool { lostDocuments.isEmpty }

  /// True if other values are in the place of lost documents.
  var areReplaced: Bool { lostDocuments.contains { $0.value > 0 && gainedValues[$0.key, default: 0] > 0 } }

  /// Counts the documents, and the values other than data, in a removed value.
  ///
  /// - Parameter document: Returns the value of the document in data; nil if it has none.
  mutating func remove(_ removed: Value, document: ([UInt8]) -> Value?) {
    Self.forEachValue(in: removed) { part, keys in
      if case .data(let bytes) = part {
        if let value = document(bytes) { lostDocuments[Slot(keys: keys, kind: Kind(value)), default: 0] += 1 }
      } else {
        gainedValues[Slot(keys: keys, kind: Kind(part)), default: 0] -= 1
      }
    }
  }

  /// Counts the documents, and the values other than data, in an added value, after those in all removed ones.
  ///
  /// - Parameter document: Returns the value of the document in data; nil if it has none.
  mutating func add(_ added: Value, document: ([UInt8]) -> Value?) {
    let keysOfDocuments = Set(lostDocuments.keys.map(\.keys))
    Self.forEachValue(in: added) { part, keys in
      guard keysOfDocuments.contains(keys) else { return }
      if case .data(let bytes) = part {
        if let value = document(bytes) { lostDocuments[Slot(keys: keys, kind: Kind(value)), default: 0] -= 1 }
      } else {
        gainedValues[Slot(keys: keys, kind: Kind(part)), default: 0] += 1
      }
    }
  }

  /// Calls a function for a value and each value in it, with a hash of the keys that lead to the value.
  private static func forEachValue(in value: Value, _ body: (Value, _ keys: Int) -> Void) {
    var waiting = [(value, 0)]
    while let (part, keys) = waiting.popLast() {
      body(part, keys)
      let content = part.withoutClass
      if case .dictionary(let entries) = content {
        for (key, value) in entries { waiting.append((value, combined(keys, key))) }
      } else {
        for element in content.parts { waiting.append((element, combined(keys, nil))) }
      }
    }
  }

  private static func combined(_ keys: Int, _ key: Value?) -> Int {
    var hasher = Hasher()
    hasher.combine(keys)
    hasher.combine(key)
    return hasher.finalize()
  }
}
