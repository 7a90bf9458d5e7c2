/// A decoder of the contents of one opened frame.
struct ArchivedDecoder: Decoder {
  let decoding: ArchiveDecoding
  let frame: ArchivedFrame

  init(_ decoding: ArchiveDecoding, _ frame: ArchivedFrame) {
    self.decoding = decoding
    self.frame = frame
  }

  var codingPath: [any CodingKey] { frame.location.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { decoding.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    frame.unknownKeys.remove(knownTo: type, of: frame.keys)
    return KeyedDecodingContainer(try ArchivedKeyedContainer<Key>(decoding, frame))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try ArchivedUnkeyedContainer(decoding, frame)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    ArchivedSingleValueContainer(decoding: decoding, frame: frame)
  }
}

/// A container for the keys of an object, or the entries of a dictionary whose keys are strings.
struct ArchivedKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  private let decoding: ArchiveDecoding
  private let frame: ArchivedFrame
  private let fields: ArchivedFields

  init(_ decoding: ArchiveDecoding, _ frame: ArchivedFrame) throws {
    self.decoding = decoding
    self.frame = frame
    fields = try decoding.located([String: Any].self, at: frame.location) { () throws(FerryError) in
      guard let fields = try ArchivedFields(frame, in: decoding) else {
        throw try decoding.unexpected("an object or a dictionary", in: frame)
      }
      return fields
    }
  }

  var codingPath: [any CodingKey] { frame.location.codingPath }

  var allKeys: [Key] {
    guard !frame.keys.isEmpty else { return fields.names.compactMap(Key.init(stringValue:)) }
    let renamed = [ExactString: String](frame.keys.map { (ExactString($0.value), $0.key.string) }) {
      first, _ in first
    }
    return fields.names.compactMap { Key(stringValue: renamed[$0] ?? $0) }
  }

  func contains(_ key: Key) -> Bool { fields.value(archivedName(key)) != nil }

  func decodeNil(forKey key: Key) throws -> Bool {
    let location = try location(of: key)
    return try decoding.located(Never?.self, at: location) { () throws(FerryError) in
      try decoding.resolve(location.node).target == nil
    }
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try decoding.decode(type, at: location(of: key))
  }

  // The defaults of the protocol refuse these types.

  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
    try decoding.decode(type, at: location(of: key))
  }

  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
    try decoding.decode(type, at: location(of: key))
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    KeyedDecodingContainer(try ArchivedKeyedContainer<Nested>(decoding, frame(of: key)))
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try ArchivedUnkeyedContainer(decoding, frame(of: key))
  }

  /// Returns a decoder of the same object, because an archive stores the keys of a superclass and of its
  /// subclass in one object.
  func superDecoder() throws -> any Decoder { ArchivedDecoder(decoding, frame) }

  func superDecoder(forKey key: Key) throws -> any Decoder { ArchivedDecoder(decoding, try frame(of: key)) }

  private func archivedName(_ key: Key) -> String { frame.keys[key.stringValue] ?? key.stringValue }

  private func location(of key: Key) throws -> ArchivedLocation {
    guard let node = fields.value(archivedName(key)) else { throw missing(key) }
    return ArchivedLocation(node: node, key: key, parent: frame)
  }

  private func frame(of key: Key) throws -> ArchivedFrame {
    try decoding.open(location(of: key), as: [String: Any].self)
  }

  private func missing(_ key: Key) -> DecodingError {
    let name = (try? decoding.description(of: frame.target)) ?? "the object"
    return decoding.error(.missingKey(archivedName(key), in: name, keys: fields.names), in: frame)
      .decodingError(of: Never.self, path: codingPath, key: key)
  }
}

/// A container for the elements of a list.
struct ArchivedUnkeyedContainer: UnkeyedDecodingContainer {
  private let decoding: ArchiveDecoding
  private let frame: ArchivedFrame
  private let list: ArchivedCollection
  private(set) var currentIndex = 0

  init(_ decoding: ArchiveDecoding, _ frame: ArchivedFrame) throws {
    self.decoding = decoding
    self.frame = frame
    list = try decoding.located([Any].self, at: frame.location) { () throws(FerryError) in
      guard let target = frame.target,
        let list = try ArchivedCollection(target, frame.objectClass, in: decoding.nodes),
        list.kind != .dictionary
      else { throw try decoding.unexpected("an array or a set", in: frame) }
      return list
    }
  }

  var codingPath: [any CodingKey] { frame.location.codingPath }
  var count: Int? { list.count }
  var isAtEnd: Bool { currentIndex == list.count }

  mutating func decodeNil() throws -> Bool {
    let location = try location(for: Never?.self)
    let isNil = try decoding.located(Never?.self, at: location) { () throws(FerryError) in
      try decoding.resolve(location.node).target == nil
    }
    if isNil { currentIndex += 1 }
    return isNil
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try next(type) }

  // The defaults of the protocol refuse these types.

  mutating func decode(_ type: Int128.Type) throws -> Int128 { try next(type) }

  mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try next(type) }

  private mutating func next<T: Decodable>(_ type: T.Type) throws -> T {
    let value = try decoding.decode(type, at: location(for: type))
    currentIndex += 1
    return value
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    let container = try ArchivedKeyedContainer<Nested>(decoding, nextFrame())
    currentIndex += 1
    return KeyedDecodingContainer(container)
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let container = try ArchivedUnkeyedContainer(decoding, nextFrame())
    currentIndex += 1
    return container
  }

  mutating func superDecoder() throws -> any Decoder {
    let decoder = ArchivedDecoder(decoding, try nextFrame())
    currentIndex += 1
    return decoder
  }

  private func location(for type: any Any.Type) throws -> ArchivedLocation {
    let key = ArchivedCodingKey(intValue: currentIndex)
    guard currentIndex < list.count else {
      throw decoding.error(.missingElement(count: list.count), in: frame)
        .decodingError(of: type, path: codingPath + [key])
    }
    let node = try decoding.located(type, at: frame.location) { () throws(FerryError) in
      try list.element(currentIndex, in: decoding.nodes)
    }
    return ArchivedLocation(node: node, key: key, parent: frame)
  }

  private func nextFrame() throws -> ArchivedFrame {
    try decoding.open(location(for: [Any].self), as: [Any].self)
  }
}

/// A container for a type that decodes itself as a single value of another type.
struct ArchivedSingleValueContainer: SingleValueDecodingContainer {
  let decoding: ArchiveDecoding
  let frame: ArchivedFrame

  var codingPath: [any CodingKey] { frame.location.codingPath }

  func decodeNil() -> Bool { frame.target == nil }

  func decode<T: Decodable>(_ type: T.Type) throws -> T { try decoding.decode(type, at: location) }

  // The defaults of the protocol refuse these types.

  func decode(_ type: Int128.Type) throws -> Int128 { try decoding.decode(type, at: location) }

  func decode(_ type: UInt128.Type) throws -> UInt128 { try decoding.decode(type, at: location) }

  private var location: ArchivedLocation { ArchivedLocation(node: frame.location.node, parent: frame) }
}

extension ArchiveDecoding {
  /// Returns an error with the location of the object that a frame has opened.
  func error(_ problem: CodingProblem, in frame: ArchivedFrame) -> FerryError {
    FerryError(.coding(problem)).placed(at: nodes.location(of: frame.target ?? frame.location.node))
      .placed(at: InputLocation(object: frame.object?.index))
  }

  /// Returns the error for a missing value, or for a value of an unexpected kind.
  func unexpected(_ wanted: String, in frame: ArchivedFrame) throws(FerryError) -> FerryError {
    guard let target = frame.target else { return error(.nothing(expected: wanted), in: frame) }
    return error(.expected(wanted, found: try description(of: target)), in: frame)
  }
}
