/// A dictionary type whose keys may be values of any decodable type.
protocol CodedDictionary {
  /// True if the type itself decodes its keys as names.
  static var decodesKeys: Bool { get }
  /// Decodes a dictionary from one whose keys are text or other values. Returns nil for other values, such as a list of keys and values.
  static func decoded(_ coded: CodedValue, by decoding: ValueDecoding) throws -> Self?
}

extension Dictionary: CodedDictionary where Key: Decodable, Value: Decodable {
  static var decodesKeys: Bool { Key.self is any CodingKeyRepresentable.Type }

  static func decoded(_ coded: CodedValue, by decoding: ValueDecoding) throws -> Self? {
    guard let (entries, coded) = try decoding.entries(of: coded) else { return nil }
    var dictionary: Self = [:]
    let isRow = coded.isRow
    // A row has empty cells for the keys that it lacks.
    for (key, value) in entries where !isRow || value != .null {
      let name = key.plainText
      let part = coded.part(value, ValueKey(stringValue: name ?? ""), at: name.map { .key($0) })
      let decodedKey = try decoding.key(Key.self, key, in: coded)
      let decoded = try decoding.decode(Value.self, part)
      guard dictionary.updateValue(decoded, forKey: decodedKey) == nil else {
        throw decoding.equalKey(name ?? key.kindInWords, Key.self, part)
      }
    }
    return dictionary
  }
}
