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
        (try encoding.encodeKey(key, at: name, in: frame), try encoding.encode(value, at: name, in: frame)))
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
