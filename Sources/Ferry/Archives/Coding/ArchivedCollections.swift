/// A dictionary type with decodable keys of any type, which an archive stores as an `NSDictionary`.
protocol DecodableDictionary {
  /// Decodes the dictionary from an opened frame. Returns nil if the frame is not a dictionary.
  static func decoded(from frame: ArchivedFrame, in decoding: ArchiveDecoding) throws -> Self?
}

extension Dictionary: DecodableDictionary where Key: Decodable, Value: Decodable {
  static func decoded(from frame: ArchivedFrame, in decoding: ArchiveDecoding) throws -> Self? {
    let pairs = try decoding.located(Self.self, at: frame.place) {
      () throws(FerryError) -> ArchivedCollection? in
      guard let node = frame.target else { return nil }
      return try ArchivedCollection(node, frame.objectClass, in: decoding.nodes)
    }
    guard let pairs, pairs.kind == .dictionary else { return nil }
    var dictionary: Self = [:]
    for index in 0..<pairs.count {
      let (keyNode, valueNode) = try decoding.located(Self.self, at: frame.place) { () throws(FerryError) in
        (try pairs.key(index, in: decoding.nodes), try pairs.element(index, in: decoding.nodes))
      }
      let place = ArchivedPlace(node: keyNode, key: ArchivedCodingKey(intValue: index), parent: frame)
      let key = try decoding.decode(Key.self, at: place)
      // If two keys are equal, the first is used, as in CoreFoundation.
      guard dictionary[key] == nil else { continue }
      let name = ArchivedCodingKey(stringValue: "\(key)")
      dictionary[key] = try decoding.decode(
        Value.self, at: ArchivedPlace(node: valueNode, key: name, parent: frame))
    }
    return dictionary
  }
}

/// A dictionary type with encodable keys of any type, which an archive stores as an `NSDictionary`.
protocol EncodableDictionary {
  /// Encodes the dictionary.
  func encoded(in frame: EncodingFrame, by encoding: ArchiveEncoding) throws -> EncodedValue
}

extension Dictionary: EncodableDictionary where Key: Encodable, Value: Encodable {
  func encoded(in frame: EncodingFrame, by encoding: ArchiveEncoding) throws -> EncodedValue {
    let pairs = EncodedPairs()
    for key in Array(keys).sortedIfComparable {
      guard let value = self[key] else { continue }
      let name = ArchivedCodingKey(stringValue: "\(key)")
      pairs.entries.append(
        (try encoding.encode(key, at: name, in: frame), try encoding.encode(value, at: name, in: frame)))
    }
    return .dictionary(pairs)
  }
}

/// A set type, which an archive stores as an `NSSet`.
protocol EncodableSet {
  /// Encodes the set.
  func encoded(in frame: EncodingFrame, by encoding: ArchiveEncoding) throws -> EncodedValue
}

extension Set: EncodableSet where Element: Encodable {
  func encoded(in frame: EncodingFrame, by encoding: ArchiveEncoding) throws -> EncodedValue {
    let list = EncodedList(isSet: true)
    for (index, element) in Array(self).sortedIfComparable.enumerated() {
      list.values.append(try encoding.encode(element, at: ArchivedCodingKey(intValue: index), in: frame))
    }
    return .list(list)
  }
}

extension Array {
  /// The elements, sorted if their type is comparable, so that equal sets and dictionaries have equal bytes.
  fileprivate var sortedIfComparable: [Element] {
    func sorted<C: Comparable>(_ type: C.Type) -> [Element]? { (self as? [C])?.sorted() as? [Element] }
    guard let type = Element.self as? any Comparable.Type else { return self }
    return sorted(type) ?? self
  }
}
