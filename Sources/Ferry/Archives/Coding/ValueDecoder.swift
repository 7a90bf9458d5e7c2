/// A decoder of a value in memory: a scalar, or a few values under keys.
struct ValueDecoder: Decoder {
  fileprivate let value: Value
  /// The number of values around the value, and of types that have decoded it as a value of another type.
  private let depth: Int

  init(_ value: Value) { self.init(value, depth: 0) }

  private init(_ value: Value, depth: Int) { (self.value, self.depth) = (value, depth) }

  /// Returns a decoder of a value in this one.
  fileprivate func inner(_ value: Value) -> ValueDecoder { ValueDecoder(value, depth: depth + 1) }

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .dictionary(let entries) = value else { throw mismatch("a dictionary") }
    return KeyedDecodingContainer(KeyedValueContainer(entries: entries, outer: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let elements) = value else { throw mismatch("an array") }
    return ListedValueContainer(elements: elements, outer: self)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    SingleValueContainer(decoder: self)
  }

  fileprivate func mismatch(_ expected: String) -> DecodingError {
    .dataCorrupted(DecodingError.Context(codingPath: [], debugDescription: "\(expected) is expected"))
  }

  fileprivate func decode<T: Decodable>(_ type: T.Type) throws -> T {
    switch value {
    case .real(let real): if let found = real as? T { return found }
    case .string(let string): if let found = string as? T { return found }
    case .boolean(let boolean): if let found = boolean as? T { return found }
    case .integer(let integer):
      if let type = type as? any FixedWidthInteger.Type, let found = type.init(exactly: integer) as? T {
        return found
      }
    default: break
    }
    // These types decode themselves as a single value of their own type, which would never end.
    let decodesItself =
      switch type {
      case is String.Type, is Bool.Type, is Double.Type, is Float.Type, is any FixedWidthInteger.Type: true
      default: false
      }
    // A type that decodes itself through another one has two levels.
    guard !decodesItself, depth < 2 * Budget.coding.depth else { throw mismatch("\(type)") }
    return try T(from: inner(value))
  }
}

private struct SingleValueContainer: SingleValueDecodingContainer {
  let decoder: ValueDecoder
  var codingPath: [any CodingKey] { [] }

  func decodeNil() -> Bool { decoder.value == .null }
  func decode<T: Decodable>(_ type: T.Type) throws -> T { try decoder.decode(type) }
}

private struct KeyedValueContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let entries: KeyedValues
  let outer: ValueDecoder
  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] {
    entries.keys.compactMap { key in if case .string(let name) = key { Key(stringValue: name) } else { nil } }
  }

  private func decoder(_ key: Key) throws -> ValueDecoder {
    guard let value = entries[key.stringValue] else {
      throw DecodingError.keyNotFound(
        key, DecodingError.Context(codingPath: [], debugDescription: "no value"))
    }
    return outer.inner(value)
  }

  func contains(_ key: Key) -> Bool { entries[key.stringValue] != nil }
  func decodeNil(forKey key: Key) throws -> Bool { try decoder(key).value == .null }
  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try decoder(key).decode(type) }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try decoder(key).container(keyedBy: type)
  }
  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder(key).unkeyedContainer()
  }
  func superDecoder() throws -> any Decoder { outer }
  func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }
}

private struct ListedValueContainer: UnkeyedDecodingContainer {
  let elements: [Value]
  let outer: ValueDecoder
  private(set) var currentIndex = 0
  var codingPath: [any CodingKey] { [] }
  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex == elements.count }

  init(elements: [Value], outer: ValueDecoder) { (self.elements, self.outer) = (elements, outer) }

  /// Decodes the next element. A failure leaves it the next element.
  private mutating func next<T>(_ decode: (ValueDecoder) throws -> T) throws -> T {
    guard !isAtEnd else { throw outer.mismatch("another element") }
    let value = try decode(outer.inner(elements[currentIndex]))
    currentIndex += 1
    return value
  }

  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd, elements[currentIndex] == .null else { return false }
    currentIndex += 1
    return true
  }
  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try next { try $0.decode(type) } }
  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> { try next { try $0.container(keyedBy: type) } }
  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try next { try $0.unkeyedContainer() }
  }
  mutating func superDecoder() throws -> any Decoder { try next { $0 } }
}
