/// An encoder of one value.
struct ArchivedEncoder: Encoder {
  private let encoding: ArchiveEncoding
  private let frame: EncodingFrame
  private let box: EncodedBox
  /// The type of the encoded value, or nil if a container made this encoder.
  private let type: (any Any.Type)?

  init(_ encoding: ArchiveEncoding, _ frame: EncodingFrame, _ box: EncodedBox, as type: (any Any.Type)?) {
    self.encoding = encoding
    self.frame = frame
    self.box = box
    self.type = type
  }

  /// True if the value is encoded to an archive, and false for another format or a value in memory.
  var isForArchive: Bool { encoding.isForArchive }
  var codingPath: [any CodingKey] { frame.codingPath() }
  var userInfo: [CodingUserInfoKey: Any] { encoding.userInfo }

  /// Returns a container for the keys of the object. Several containers, for example of a superclass and its
  /// subclass, add keys to the same object.
  func container<Key: CodingKey>(keyedBy keys: Key.Type) -> KeyedEncodingContainer<Key> {
    let entry = type.map { encoding.entry(for: $0) }
    if case .object(let object)? = box.value { return container(object, entry) }
    let object = EncodedObject(entry?.objectClass)
    if box.value == nil { box.value = .object(object) } else { noteSecondContainer() }
    return container(object, entry)
  }

  private func container<Key: CodingKey>(
    _ object: EncodedObject, _ entry: ClassMap.Entry?
  ) -> KeyedEncodingContainer<Key> {
    let names = entry?.keys ?? [:]
    object.unknownKeys.remove(knownTo: Key.self, of: names)
    return KeyedEncodingContainer(
      ArchivedKeyedEncodingContainer(
        encoding: encoding, frame: frame, object: object, box: box, type: type, keys: names))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    if case .list(let list)? = box.value {
      return ArchivedUnkeyedEncodingContainer(encoding: encoding, frame: frame, list: list)
    }
    let list = EncodedList()
    if box.value == nil { box.value = .list(list) } else { noteSecondContainer() }
    return ArchivedUnkeyedEncodingContainer(encoding: encoding, frame: frame, list: list)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    ArchivedSingleValueEncodingContainer(encoding: encoding, frame: frame, box: box)
  }

  /// Makes the encoded value an attribute, in a format that has them. Nil is not an attribute.
  func markAttribute() {
    guard encoding.marksAttributes, let value = box.value, !value.isNull else { return }
    box.value = .attribute(value)
  }

  private func noteSecondContainer() {
    encoding.note(
      .notEncodable("a value encodes itself in two ways: with keys, as a list or singly"), in: frame)
  }
}

/// A container for the keys of an object.
private struct ArchivedKeyedEncodingContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoding: ArchiveEncoding
  let frame: EncodingFrame
  let object: EncodedObject
  let box: EncodedBox
  let type: (any Any.Type)?
  let keys: [ExactString: String]

  var codingPath: [any CodingKey] { frame.codingPath() }

  private func add(_ value: EncodedValue, _ key: some CodingKey) -> Bool {
    let name = encoding.name(of: key, keys, in: frame)
    guard case .attribute(let content) = value else { return object.add(name, value) }
    return object.addAttribute(name.markedAsAttribute, content)
  }

  private func secondTime(_ key: some CodingKey) -> CodingProblem {
    .notEncodable("the key \(MessageText.quoted(key.stringValue)) is encoded twice")
  }

  mutating func encodeNil(forKey key: Key) throws {
    guard add(.null, key) else {
      throw FerryError(.coding(secondTime(key))).encodingError(
        of: Any?.none as Any, path: frame.codingPath(key))
    }
  }

  mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    try add(encoding.encode(value, at: key, in: frame), of: value, key)
  }

  // The defaults of the protocol refuse these types.

  mutating func encode(_ value: Int128, forKey key: Key) throws {
    try add(encoding.encode(value, at: key, in: frame), of: value, key)
  }

  mutating func encode(_ value: UInt128, forKey key: Key) throws {
    try add(encoding.encode(value, at: key, in: frame), of: value, key)
  }

  private func add(_ encoded: EncodedValue, of value: Any, _ key: Key) throws {
    if case .attribute(let content) = encoded, content.isCollection {
      throw FerryError(.coding(.notEncodable("an attribute has no list and no dictionary")))
        .encodingError(of: value, path: frame.codingPath(key))
    }
    guard add(encoded, key) else {
      throw FerryError(.coding(secondTime(key))).encodingError(of: value, path: frame.codingPath(key))
    }
  }

  /// Encodes nil as a null reference, as `NSKeyedArchiver` does, if the type is archived as an object, so
  /// that the key exists. If the type is stored inline, like numbers, nil writes no key.
  mutating func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws {
    if let value {
      try add(encoding.encode(value, at: key, in: frame).asOptional, of: value, key)
    } else if (T.self as? any ArchivedLeaf.Type)?.isInline != true {
      try encodeNil(forKey: key)
    }
  }

  /// Encodes nil as a null reference. `String` is the only type with an overload in the protocol that is
  /// archived as an object.
  mutating func encodeIfPresent(_ value: String?, forKey key: Key) throws {
    guard let value else { return try encodeNil(forKey: key) }
    try add(encoding.encode(value, at: key, in: frame).asOptional, of: value, key)
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    nestedEncoder(key, mayContinue: true).container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    nestedEncoder(key, mayContinue: true).unkeyedContainer()
  }

  /// Returns an encoder of the same object, because an archive stores the keys of a superclass and of its
  /// subclass in one object.
  mutating func superEncoder() -> any Encoder { ArchivedEncoder(encoding, frame, box, as: type) }

  mutating func superEncoder(forKey key: Key) -> any Encoder { nestedEncoder(key) }

  /// Returns an encoder for a key.
  ///
  /// - Parameter mayContinue: True to continue the collection that an earlier container of the key has begun, as `JSONEncoder` does.
  private func nestedEncoder(_ key: Key, mayContinue: Bool = false) -> ArchivedEncoder {
    let box = EncodedBox()
    if !add(.box(box), key) {
      if mayContinue, let begun = object.box(encoding.name(of: key, keys, in: frame)) {
        return encoding.nestedEncoder(begun, key, in: frame)
      }
      encoding.note(secondTime(key), in: frame)
    }
    return encoding.nestedEncoder(box, key, in: frame)
  }
}

/// A container for the elements of a list.
private struct ArchivedUnkeyedEncodingContainer: UnkeyedEncodingContainer {
  let encoding: ArchiveEncoding
  let frame: EncodingFrame
  let list: EncodedList

  var codingPath: [any CodingKey] { frame.codingPath() }
  var count: Int { list.values.count }

  mutating func encodeNil() throws { list.values.append(.null) }

  mutating func encode<T: Encodable>(_ value: T) throws {
    list.values.append(try encoding.encode(value, at: ArchivedCodingKey(intValue: count), in: frame))
  }

  // The defaults of the protocol refuse these types.

  mutating func encode(_ value: Int128) throws {
    list.values.append(try encoding.encode(value, at: ArchivedCodingKey(intValue: count), in: frame))
  }

  mutating func encode(_ value: UInt128) throws {
    list.values.append(try encoding.encode(value, at: ArchivedCodingKey(intValue: count), in: frame))
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    nestedEncoder().container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    nestedEncoder().unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder { nestedEncoder() }

  private func nestedEncoder() -> ArchivedEncoder {
    let box = EncodedBox()
    let key = ArchivedCodingKey(intValue: count)
    list.values.append(.box(box))
    return encoding.nestedEncoder(box, key, in: frame)
  }
}

/// A container for a type that encodes itself as a single value of another type.
private struct ArchivedSingleValueEncodingContainer: SingleValueEncodingContainer {
  let encoding: ArchiveEncoding
  let frame: EncodingFrame
  let box: EncodedBox

  var codingPath: [any CodingKey] { frame.codingPath() }

  mutating func encodeNil() throws { try set(.null, for: Any?.none as Any) }

  mutating func encode<T: Encodable>(_ value: T) throws {
    try set(try encoding.encode(value, at: nil, in: frame), for: value)
  }

  // The defaults of the protocol refuse these types.

  mutating func encode(_ value: Int128) throws {
    try set(try encoding.encode(value, at: nil, in: frame), for: value)
  }

  mutating func encode(_ value: UInt128) throws {
    try set(try encoding.encode(value, at: nil, in: frame), for: value)
  }

  private func set(_ encoded: EncodedValue, for value: Any) throws {
    guard box.value == nil else {
      throw FerryError(.coding(.notEncodable("a value encodes itself twice")))
        .encodingError(of: value, path: frame.codingPath())
    }
    box.value = encoded
  }
}

extension ArchiveEncoding {
  /// Returns an encoder for a key or an element of a container.
  fileprivate func nestedEncoder(
    _ box: EncodedBox, _ key: any CodingKey, in parent: EncodingFrame
  ) -> ArchivedEncoder {
    let frame = EncodingFrame(key, in: parent)
    if frame.depth > budget.depth { note(.notEncodable("\(Budget.Limit.depth(budget.depth))"), in: frame) }
    return ArchivedEncoder(self, frame, box, as: nil)
  }
}
