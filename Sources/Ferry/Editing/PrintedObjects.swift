/// The objects of a value, found by the JSON that `get` prints for them.
///
/// In JSON that a user has edited, a record that was moved from one list to another stays the same object by this, and a
/// copy of a record has its class.
final class PrintedObjects {
  /// The objects by their JSON; nil for the JSON of objects of several classes, or of a plain dictionary too.
  private var objects: [Value: ObjectValue?] = [:]
  /// The objects with an identity, which is their number in the archive.
  private(set) var shared: [Int: ObjectValue] = [:]
  /// The identities of values that move, by their JSON.
  private var moved: [Value: [Int]] = [:]
  /// True if references to shared objects may stay in copies. False if copies have copies of the objects.
  private var keepsReferences = false

  /// Finds the records in a value, which `get` prints as the given JSON.
  init(in old: Value, shown: Value) {
    var waiting = [(old, shown)]
    while let (old, shown) = waiting.popLast() {
      var content = old
      if case .object(let object) = old {
        content = object.content
        if let identity = object.identity { shared[identity] = object }
      }
      switch (content, shown) {
      case (.array(let values), .array(let shown)), (.set(let values), .array(let shown)):
        waiting += zip(values, shown)
      case (.dictionary(let values), .dictionary(let entries)) where values.count == entries.count:
        if !entries.isEmpty { note(old, shown.sameInJSON) }
        waiting += zip(values.values, entries.values)
      default: break
      }
    }
  }

  private func note(_ old: Value, _ shown: Value) {
    guard case .object(let object) = old else { return objects[shown] = .some(nil) }
    guard let known = objects[shown] else { return objects[shown] = object }
    if known?.type != object.type { objects[shown] = .some(nil) }
  }

  /// Begins changes of parts of the value, in which references to objects of the archive are possible.
  ///
  /// - Parameter moved: The JSON of the values that move, with identities for references to them.
  func beginChanges(moving moved: [(json: Value, identity: Int)]) {
    self.moved = Dictionary(grouping: moved, by: \.json).mapValues { $0.map(\.identity) }
    keepsReferences = true
  }

  /// Ends changes of parts, so that only copies are possible.
  func endChanges() { (moved, keepsReferences) = ([:], false) }

  /// Returns a reference to the value that `get` prints as JSON if it moves, otherwise a copy of the object that `get`
  /// prints as JSON. Returns nil if there is neither, or if the object may be one of several classes.
  func value(printedAs json: Value) -> Value? {
    guard json.isFilledCollection else { return nil }
    let json = json.sameInJSON
    if let identity = moved[json]?.first {
      moved[json]?.removeFirst()
      return .reference(identity)
    }
    guard case .dictionary = json, let object = objects[json] ?? nil else { return nil }
    if keepsReferences { return Value.object(object).copyWithReferences }
    var copies = ObjectCopies(of: shared)
    return copies.copy(of: .object(object))
  }
}

extension Value {
  /// True for an array, a set or a dictionary that is not empty.
  var isFilledCollection: Bool {
    switch self {
    case .array(let elements), .set(let elements): !elements.isEmpty
    case .dictionary(let entries): !entries.isEmpty
    default: false
    }
  }

  /// JSON with the keys in one order and numbers in one notation, to compare what it means.
  var sameInJSON: Value {
    switch self {
    case .number(let text): return (try? Double(exactNotation: text)).map { .real($0) } ?? self
    case .dictionary(let entries):
      let sorted = entries.sorted {
        ($0.key.text ?? "").utf8.lexicographicallyPrecedes(($1.key.text ?? "").utf8)
      }
      var same = KeyedValues()
      for (key, value) in sorted { same[key] = value.sameInJSON }
      return .dictionary(same)
    default: return mappingParts(\.sameInJSON)
    }
  }

  /// The object as a new one, which refers to the shared objects in it.
  fileprivate var copyWithReferences: Value {
    guard case .object(var object) = self else { return self }
    object.identity = nil
    object.content = object.content.mappingParts(\.withReferences)
    return .object(object)
  }

  private var withReferences: Value {
    if case .object(let object) = self, let identity = object.identity { return .reference(identity) }
    return mappingParts(\.withReferences)
  }
}
