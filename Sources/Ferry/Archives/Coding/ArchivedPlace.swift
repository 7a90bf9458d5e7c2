/// A node that is to be decoded, and how it was come to.
struct ArchivedPlace {
  /// What stands there: a value in place, or a reference to an object.
  let node: Int
  /// The key under which it stands in what was opened before; nil for a root, and for what was opened before itself.
  var key: (any CodingKey)?
  var parent: ArchivedFrame?

  /// Whether a node is open already, further out.
  func isInside(_ node: Int) -> Bool {
    var place = self
    // A single value is opened once more, as another type: that is no cycle.
    while place.key == nil, let parent = place.parent { place = parent.place }
    while let open = place.parent {
      if open.target == node { return true }
      place = open.place
    }
    return false
  }
}

/// A node that is being decoded: a link of the chain that leads back to the root.
final class ArchivedFrame {
  let place: ArchivedPlace
  /// The node of the object, or of the value in place; nil for nil.
  let target: Int?
  /// The number of the object that this is, or that this is in.
  let object: Int?
  let depth: Int
  /// The class of the object, when it has one.
  let objectClass: ObjectClass?
  /// Archived keys by coding keys, where they differ.
  let keys: [ExactString: String]

  init(
    _ place: ArchivedPlace, target: Int?, object: Int?, depth: Int, objectClass: ObjectClass?,
    keys: [ExactString: String]
  ) {
    self.place = place
    self.target = target
    self.object = object
    self.depth = depth
    self.objectClass = objectClass
    self.keys = keys
  }
}

extension ArchivedPlace {
  /// The keys from the root.
  var codingPath: [any CodingKey] {
    var path: [any CodingKey] = []
    var place = self
    if let key { path.append(key) }
    while let parent = place.parent {
      place = parent.place
      if let key = place.key { path.append(key) }
    }
    return path.reversed()
  }
}

/// The place of an element in a list, or a key that no `CodingKeys` names.
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

extension Failure {
  /// The error that `Decodable` types throw and expect, with this failure beneath it.
  @inline(never)
  func decodingError(
    of type: any Any.Type, path: [any CodingKey], key: (any CodingKey)? = nil
  ) -> DecodingError {
    let failure = placed(path: ValuePath(path))
    let context = DecodingError.Context(
      codingPath: path, debugDescription: failure.description, underlyingError: failure)
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
  /// The way that coding keys show.
  init(_ path: [any CodingKey]) {
    self.init(path.map { key in key.intValue.map { .index($0) } ?? .key(key.stringValue) })
  }
}
