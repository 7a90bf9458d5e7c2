/// The objects of a value, found by the JSON that `get` prints for them.
///
/// They tell which records a user has moved or copied in the JSON: a record that was moved from one list to another stays
/// the same object, and a copy gets the class of the record.
final class PrintedObjects {
  private let old: Value, shown: Value
  /// The objects by their JSON; nil for the JSON of objects of several classes, or of a plain dictionary too.
  private lazy var objects = makeObjects()
  /// The objects with an identity, which is their number in the archive.
  let shared: [Int: ObjectValue]
  /// The identities of objects that move inside of new values, by their JSON, and of those that new values refer to.
  private var moved = MovedObjects()
  /// The paths of the values that move if the value is replaced as a whole.
  private var movingPaths: Set<ValuePath> = []
  /// True if references to shared objects may stay in copies. False if copies have copies of the objects.
  private var keepsReferences = false

  /// Finds the records in a value, which `get` prints as the given JSON.
  init(in old: Value, shown: Value) {
    (self.old, self.shown, shared) = (old, shown, old.sharedObjects)
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
    movingPaths = []
    keepsReferences = true
  }

  /// Begins to replace the value as a whole, in which references to shared objects of the old value are possible.
  func beginCopy(_ changes: JSONChanges) {
    moved = MovedObjects()
    movingPaths = Set(changes.allMoves.map(\.oldPath))
    for move in changes.allMoves {
      if let identity = move.identity { moved.add(identity, printedAs: move.json) }
    }
    for pointer in changes.pointers {
      guard let path = try? ValuePath(parsing: pointer.string), let identity = identity(at: path) else {
        continue
      }
      moved.add(identity, pointer: pointer)
    }
    keepsReferences = false
  }

  /// Returns true if the value at a path moves, and another value takes the path.
  func isMoving(_ path: ValuePath) -> Bool { movingPaths.contains(path) }

  /// Returns the identity of the shared object at a path of the printed JSON.
  private func identity(at path: ValuePath) -> Int? {
    var (old, shown) = (old, shown)
    for step in path.steps {
      let content = if case .object(let object) = old { object.content } else { old }
      switch (content, shown) {
      case (.array(let values), .array(let elements)), (.set(let values), .array(let elements)):
        guard let index = step.indexInList, elements.indices.contains(index), values.count == elements.count
        else { return nil }
        (old, shown) = (values[index], elements[index])
      case (.dictionary(let values), .dictionary(let entries)) where values.count == entries.count:
        guard case .key(let key) = step, let index = entries.index(forKey: .string(key)) else { return nil }
        (old, shown) = (values[index].value, entries[index].value)
      default: return nil
      }
    }
    if case .object(let object) = old { return object.identity }
    return nil
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

extension Value {
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
