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
      let name = decoding.codingKey(of: key, keyNode, at: index)
      if let known = dictionary.index(forKey: key) {
        try decoding.checkSameText(key, dictionary[known].key, name, in: frame)
        // If two keys are equal, the first is used, as in CoreFoundation.
        continue
      }
      dictionary[key] = try decoding.decode(
        Value.self, at: ArchivedLocation(node: valueNode, key: name, parent: frame))
    }
    return dictionary
  }
}

extension ArchiveDecoding {
  /// Throws an error for two texts that are equal as strings of Swift, but not in an `NSDictionary`, such as composed and decomposed letters: one
  /// of their values would be lost.
  fileprivate func checkSameText<Key>(
    _ key: Key, _ known: Key, _ name: ArchivedCodingKey, in frame: ArchivedFrame
  ) throws {
    guard let text = key as? String, let known = known as? String, !text.equals(known) else { return }
    throw error(.equalKey(MessageText.quoted(text), type: "\(Key.self)"), in: frame)
      .decodingError(of: Key.self, path: frame.location.codingPath + [name])
  }

  /// Returns the coding key of a dictionary's entry: the text of its key, or its index if the key is neither a text nor a number.
  ///
  /// A key of another type is not described, because the description of a `Date` that is NaN ends the program.
  fileprivate func codingKey(of key: Any, _ node: NodeID, at index: Int) -> ArchivedCodingKey {
    if let text = key as? String { return ArchivedCodingKey(stringValue: text) }
    if key is any ArchivedLeaf { return ArchivedCodingKey(stringValue: "\(key)") }
    let target = try? resolve(node).target
    guard let target, let text = (try? scalar(target))?.value.plainText else {
      return ArchivedCodingKey(intValue: index)
    }
    return ArchivedCodingKey(stringValue: text)
  }
}
