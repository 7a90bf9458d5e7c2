// Where the class of an object decides how a plain value becomes what it archives: the one place that asks for classes
// when a value is set.

extension ScalarClass {
  /// The archived keys that may hold the scalar, the usual one first.
  var archivedKeys: [StaticString] {
    switch self {
    case .null: []
    case .date: ["NS.time"]
    case .string, .mutableString: ["NS.string", "NS.bytes"]
    case .data, .mutableData: ["NS.data", "NS.bytes"]
    case .url: ["NS.relative"]
    case .uuid: ["NS.uuidbytes"]
    }
  }

  /// What a text that is typed for an object of this class is.
  var valueType: ValueType {
    switch self {
    case .null: .null
    case .date: .date
    case .string, .mutableString, .url, .uuid: .string
    case .data, .mutableData: .data
    }
  }

  /// What a text for an object of this class has to be, in words.
  var textName: String { self == .uuid ? "a UUID (E621E1F8-C36C-495A-93FC-0C247A3E6E5F)" : valueType.name }

  /// What an object of this class archives for a value, where it holds a scalar of `kind` now; nil when an object of
  /// this class cannot be that value.
  ///
  ///     .date.archived(.date(secondsSince2001: 0), as: .real(7))      // .real(0)
  ///     .uuid.archived("E621E1F8-…", as: .data)                       // .data, 16 bytes
  func archived(_ value: Value, as kind: NodeKind) -> Value? {
    switch (self, value, kind) {
    case (.date, .date(let seconds), .integer):
      Int64(exactly: seconds).map { .integer(Int128($0)) } ?? .real(seconds)
    case (.date, .date(let seconds), .single):
      Double(Float(seconds)) == seconds ? .single(Float(seconds)) : .real(seconds)
    case (.date, .date(let seconds), _): .real(seconds)
    case (.uuid, .string(let text), _): UUIDText.bytes(text.utf8.span).map { .data($0) }
    case (.string, .string(let text), .data), (.mutableString, .string(let text), .data):
      .data(Array(text.utf8))
    case (.string, .string, _), (.mutableString, .string, _), (.url, .string, _): value
    case (.string, .unpairedString, .string), (.mutableString, .unpairedString, .string): value
    case (.data, .data, _), (.mutableData, .data, _): value
    default: nil
    }
  }
}

/// An object that is one scalar, and the place in it where the scalar is.
struct ScalarObjectPlace {
  let scalar: ScalarClass
  /// Of the scalar, or of the reference to it.
  let place: PathPlace

  /// Nil when the object at a place is another, or not of a known shape.
  init?(_ type: ObjectClass, _ object: PathPlace, in archive: ArchiveObjects) throws(Failure) {
    guard let scalar = ScalarClass(rawValue: type.name),
      try ScalarObject(type, object.node, in: archive) != nil
    else { return nil }
    for key in scalar.archivedKeys {
      guard let entry = try archive.nodes.entry(key, of: object.node) else { continue }
      self.scalar = scalar
      place = try object.child(.value(entry), in: archive.nodes, isField: true)
      return
    }
    return nil
  }
}
