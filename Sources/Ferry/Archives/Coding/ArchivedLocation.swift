/// A node to decode, and the frames that enclose it.
struct ArchivedLocation {
  /// The node: an inline value, or a reference to an object.
  let node: NodeID
  /// The key of the node in the enclosing frame. Nil for a root, and for a value that is decoded again as
  /// another type.
  var key: (any CodingKey)?
  var parent: ArchivedFrame?

  /// Returns true if an enclosing frame has opened the same node, that is, if there is a cycle.
  func isInside(_ node: NodeID) -> Bool {
    var location = self
    // A single-value container opens its own node again as another type, which is not a cycle.
    while location.key == nil, let parent = location.parent { location = parent.location }
    while let open = location.parent {
      if open.target == node { return true }
      location = open.location
    }
    return false
  }
}

/// A node that is being decoded, linked to the frames that enclose it.
final class ArchivedFrame {
  let location: ArchivedLocation
  /// The node of the object or of the inline value, or nil for a null reference.
  let target: NodeID?
  /// The number of the object, or of the object that contains the inline value.
  let object: ObjectNumber?
  let depth: Int
  /// The class of the object, or nil for a value without a class.
  let objectClass: ObjectClass?
  /// The archived keys that differ from their coding keys, by coding key.
  let keys: [ExactString: String]
  var unknownKeys = UnknownKeys()

  init(
    _ location: ArchivedLocation, target: NodeID?, object: ObjectNumber?, depth: Int,
    objectClass: ObjectClass?,
    keys: [ExactString: String]
  ) {
    self.location = location
    self.target = target
    self.object = object
    self.depth = depth
    self.objectClass = objectClass
    self.keys = keys
  }
}

extension ArchivedLocation {
  /// The coding path from the root.
  var codingPath: [any CodingKey] {
    var path: [any CodingKey] = []
    var location = self
    if let key { path.append(key) }
    while let parent = location.parent {
      location = parent.location
      if let key = location.key { path.append(key) }
    }
    return path.reversed()
  }
}

/// A coding key for an index of a list, or for a key that no `CodingKeys` type declares.
struct ArchivedCodingKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init(intValue: Int) {
    stringValue = "Index \(intValue)"
    self.intValue = intValue
  }
}

extension FerryError {
  /// Returns this error as the `DecodingError` that `Decodable` types expect.
  @inline(never)
  func decodingError(
    of type: any Any.Type, path: [any CodingKey], key: (any CodingKey)? = nil
  ) -> DecodingError {
    let error = placed(path: ValuePath(path))
    let context = DecodingError.Context(
      codingPath: path, debugDescription: error.description, underlyingError: error)
    switch reason {
    case .coding(.nothing), .coding(.missingElement): return .valueNotFound(type, context)
    case .coding(.expected), .coding(.wrongClass): return .typeMismatch(type, context)
    case .coding(.missingKey):
      if let key { return .keyNotFound(key, context) }
      return .dataCorrupted(context)
    default: return .dataCorrupted(context)
    }
  }
}

extension ValuePath {
  /// Creates a path from a coding path.
  init(_ path: [any CodingKey]) {
    self.init(path.map { key in key.intValue.map { .index($0) } ?? .key(key.stringValue) })
  }
}
