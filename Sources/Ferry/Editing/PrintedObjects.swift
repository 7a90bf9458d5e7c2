/// The objects of a value, found by the JSON that `get` prints for them.
///
/// In JSON that a user has edited, a record that was moved from one list to another stays the same object by this, and a
/// copy of a record has its class.
final class PrintedObjects {
  private let old: Value, shown: Value
  /// The objects by their JSON; nil for the JSON of objects of several classes, or of a plain dictionary too.
  private lazy var objects = makeObjects()
  /// The objects with an identity, which is their number in the archive.
  private(set) var shared: [Int: ObjectValue] = [:]
  /// The identities of objects that move inside of new values, by their JSON, and of those that new values refer to.
  private var moved = MovedObjects(0)
  /// True if references to shared objects may stay in copies. False if copies have copies of the objects.
  private var keepsReferences = false

  /// Finds the records in a value, which `get` prints as the given JSON.
  init(in old: Value, shown: Value) {
    (self.old, self.shown) = (old, shown)
    var waiting = [old]
    while let value = waiting.popLast() {
      if case .object(let object) = value, let identity = object.identity { shared[identity] = object }
      waiting += value.parts
    }
  }

  private func makeObjects() -> [Value: ObjectValue?] {
    var objects: [Value: ObjectValue?] = [:]
    func note(_ old: Value, _ json: Value) {
      guard case .object(let object) = old else { return objects[json] = .some(nil) }
      guard let known = objects[json] else { return objects[json] = object }
      if known?.type != object.type { objects[json] = .some(nil) }
    }
    var waiting = [(old, shown)]
    while let (old, shown) = waiting.popLast() {
      let content = if case .object(let object) = old { object.content } else { old }
      switch (content, shown) {
      case (.array(let values), .array(let shown)), (.set(let values), .array(let shown)):
        waiting += zip(values, shown)
      case (.dictionary(let values), .dictionary(let entries)) where values.count == entries.count:
        if !entries.isEmpty { note(old, shown.sameInJSON) }
        waiting += zip(values.values, entries.values)
      default: break
      }
    }
    return objects
  }

  /// Begins changes of parts of the value, in which references to objects of the archive are possible.
  func beginChanges(_ moved: MovedObjects) {
    self.moved = moved
    keepsReferences = true
  }

  /// Ends changes of parts, so that only copies are possible.
  func endChanges() {
    moved = MovedObjects(0)
    keepsReferences = false
  }

  /// Returns a reference to the object that `get` prints as JSON and that moves, or to which JSON refers by path.
  /// Returns nil for other JSON.
  func reference(for json: Value) -> Value? { moved.take(json).map { .reference($0) } }

  /// Returns the reference for JSON, otherwise a copy of the object that `get` prints as JSON. Returns nil if there is
  /// neither, or if the object may be one of several classes.
  func value(printedAs json: Value) -> Value? {
    if let reference = reference(for: json) { return reference }
    guard case .dictionary(let entries) = json, !entries.isEmpty else { return nil }
    let json = json.sameInJSON
    guard let object = objects[json] ?? nil else { return nil }
    if keepsReferences { return Value.object(object).copyWithReferences }
    var copies = ObjectCopies(of: shared)
    return copies.copy(of: .object(object))
  }
}

/// The objects of an archive to which references are possible in new values, with an identity for each.
struct MovedObjects {
  /// The paths of the objects before all changes, by identity.
  private(set) var paths: [Int: ValuePath] = [:]
  private(set) var identities: [ValuePath: Int] = [:]
  private var byJSON: [Value: [Int]] = [:]
  private var byPointer: [ExactString: Int] = [:]
  private let count: Int

  /// - Parameter count: The number of objects in the archive.
  init(_ count: Int) { self.count = count }

  /// Adds the object at a path.
  mutating func add(_ path: ValuePath, printedAs json: Value? = nil, pointer: ExactString? = nil) {
    // No object of the archive has such a number.
    let identity = identities[path] ?? .max - identities.count
    (identities[path], paths[identity]) = (identity, path)
    if let json { byJSON[json, default: []].append(identity) }
    if let pointer { byPointer[pointer] = identity }
  }

  /// Returns the identity of the object that JSON refers to, or of one that `get` prints as JSON, which is not returned
  /// again.
  mutating func take(_ json: Value) -> Int? {
    if let pointer = json.pointer, let identity = byPointer[pointer] { return identity }
    guard !byJSON.isEmpty else { return nil }
    let same = json.sameInJSON
    guard let identity = byJSON[same]?.first else { return nil }
    byJSON[same]?.removeFirst()
    return identity
  }
}

extension Value {
  /// The path of a reference, `{"$ref": "#/people/3"}`, or nil for other values.
  var pointer: ExactString? {
    guard case .dictionary(let entries) = self, entries.count == 1 else { return nil }
    return (entries["$ref"]?.text).map { ExactString($0) }
  }

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
