/// A dictionary type with decodable keys of any type, which an archive stores as an `NSDictionary`.
protocol DecodableDictionary {
  /// Decodes the dictionary from an opened frame. Returns nil if the frame is not a dictionary.
  static func decoded(from frame: ArchivedFrame, in decoding: ArchiveDecoding) throws -> Self?
}

extension Dictionary: DecodableDictionary where Key: Decodable, Value: Decodable {
  static func decoded(from frame: ArchivedFrame, in decoding: ArchiveDecoding) throws -> Self? {
    let pairs = try decoding.located(Self.self, at: frame.location) {
      () throws(FerryError) -> ArchivedCollection? in
      guard let node = frame.target else { return nil }
      return try ArchivedCollection(node, frame.objectClass, in: decoding.nodes)
    }
    guard let pairs, pairs.kind == .dictionary else { return nil }
    var dictionary: Self = [:]
    for index in 0..<pairs.count {
      let (keyNode, valueNode) = try decoding.located(Self.self, at: frame.location) {
        () throws(FerryError) in
        (try pairs.key(index, in: decoding.nodes), try pairs.element(index, in: decoding.nodes))
      }
      let location = ArchivedLocation(node: keyNode, key: ArchivedCodingKey(intValue: index), parent: frame)
      let key = try decoding.decode(Key.self, at: location)
      // If two keys are equal, the first is used, as in CoreFoundation.
      guard dictionary[key] == nil else { continue }
      let name = ArchivedCodingKey(stringValue: "\(key)")
      dictionary[key] = try decoding.decode(
        Value.self, at: ArchivedLocation(node: valueNode, key: name, parent: frame))
    }
    return dictionary
  }
}
