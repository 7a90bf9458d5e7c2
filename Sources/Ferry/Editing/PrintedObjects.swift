/// The objects of a value, found by the JSON that `get` prints for them.
///
/// In JSON that a user has edited, a record that was moved from one list to another keeps its class by this.
struct PrintedObjects {
  /// The objects by their JSON; nil for the JSON of objects of several classes, or of a plain dictionary too.
  private var objects: [Value: ObjectValue?] = [:]
  private var shared: [Int: ObjectValue] = [:]

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
        if !entries.isEmpty { note(old, shown) }
        waiting += zip(values.values, entries.values)
      default: break
      }
    }
  }

  private mutating func note(_ old: Value, _ shown: Value) {
    guard case .object(let object) = old else { return objects[shown] = .some(nil) }
    guard let known = objects[shown] else { return objects[shown] = object }
    if known?.type != object.type { objects[shown] = .some(nil) }
  }

  /// Returns a copy of the object that `get` prints as JSON. Returns nil if there is none, or if it may be one of several
  /// classes.
  func copy(printedAs json: Value) -> Value? {
    guard case .dictionary = json, let object = objects[json] ?? nil else { return nil }
    var copies = ObjectCopies(of: shared)
    return copies.copy(of: .object(object))
  }
}
