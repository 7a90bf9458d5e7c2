/// A dictionary type with encodable keys of any type, which an archive stores as an `NSDictionary`.
protocol EncodableDictionary {
  /// Encodes the dictionary.
  func encoded(in frame: EncodingFrame, by encoding: ArchiveEncoding) throws -> EncodedValue
}

extension Dictionary: EncodableDictionary where Key: Encodable, Value: Encodable {
  func encoded(in frame: EncodingFrame, by encoding: ArchiveEncoding) throws -> EncodedValue {
    let pairs = EncodedPairs()
    // Texts and integers that differ are other keys in a file, too. In an archive, a key is an object of its own.
    let mayRepeat =
      !encoding.isForArchive && Key.self != String.self && !(Key.self is any FixedWidthInteger.Type)
    var known = EncodedKeys()
    // A key that does not equal itself, such as NaN, leads to no value, so that the pairs are sorted.
    for (index, (key, value)) in Array(self).sorted(by: \.key).enumerated() {
      let encodedKey = try encoding.encodeKey(key, at: ArchivedCodingKey(intValue: index), in: frame)
      let name = ArchivedCodingKey(of: encodedKey, at: index)
      guard !mayRepeat || known.insert(encodedKey) else {
        let problem =
          "two keys of the dictionary are encoded as \(MessageText.quoted(encodedKey.name ?? "the same value"))"
        throw FerryError(.coding(.notEncodable(problem))).encodingError(
          of: Key.self, path: frame.codingPath(name))
      }
      pairs.entries.append((encodedKey, try encoding.encode(value, at: name, in: frame)))
    }
    return .dictionary(pairs)
  }
}

/// The keys of a dictionary, as they are in a file, to find two that are the same there.
private struct EncodedKeys {
  private var names: Set<ExactString> = []
  private var collections: Set<Value> = []

  /// Adds a key. Returns false if it is there already.
  mutating func insert(_ key: EncodedValue) -> Bool {
    if let name = key.name { return names.insert(ExactString(name)).inserted }
    let builder = ValueBuilder()
    guard (try? key.send(to: builder)) != nil, let value = try? builder.result() else { return true }
    return collections.insert(value).inserted
  }
}

extension ArchivedCodingKey {
  /// Creates the coding key of a dictionary's entry: the text of its key in the file, or its index if the key is a collection.
  fileprivate init(of key: EncodedValue, at index: Int) {
    self = key.name.map(Self.init(stringValue:)) ?? Self(intValue: index)
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
    for (index, element) in Array(self).sorted(by: \.self).enumerated() {
      list.values.append(try encoding.encode(element, at: ArchivedCodingKey(intValue: index), in: frame))
    }
    return .list(list)
  }
}

extension Array {
  /// Returns the elements, sorted by a part if its type is comparable, so that equal sets and dictionaries have equal bytes. Parts that do not
  /// equal themselves, such as NaN, are the last.
  fileprivate func sorted<Part>(by part: (Element) -> Part) -> [Element] {
    func sorted<C: Comparable>(_ type: C.Type) -> [Element] {
      var (parts, others): ([(part: C, index: Int)], [Element]) = ([], [])
      for (index, element) in enumerated() {
        if let found = part(element) as? C, found == found {
          parts.append((found, index))
        } else {
          others.append(element)
        }
      }
      parts.sort { $0.part < $1.part }
      return parts.map { self[$0.index] } + others
    }
    guard let type = Part.self as? any Comparable.Type else { return self }
    return sorted(type)
  }
}
