/// A dictionary type whose keys may be values of any decodable type.
protocol CodedDictionary {
  /// True if the type itself decodes its keys as names.
  static var decodesKeys: Bool { get }
  static var keyType: any Any.Type { get }
  var count: Int { get }
  /// Returns the index of the first name whose key is equal to that of a name before; nil if there is none. For a type that decodes its keys as
  /// names.
  static func firstEqualKey(in names: [String]) -> Int?
  /// Decodes a dictionary from one whose keys are text or other values. Returns nil for other values, such as a list of keys and values.
  static func decoded(_ coded: CodedValue, by decoding: ValueDecoding) throws -> Self?
}

extension Dictionary: CodedDictionary where Key: Decodable, Value: Decodable {
  static var decodesKeys: Bool { Key.self is any CodingKeyRepresentable.Type }
  static var keyType: any Any.Type { Key.self }

  static func firstEqualKey(in names: [String]) -> Int? {
    guard let type = Key.self as? any CodingKeyRepresentable.Type else { return nil }
    var keys: Set<Key> = []
    return names.firstIndex { name in
      guard let key = type.init(codingKey: NameOfEntry(name)) as? Key else { return false }
      return !keys.insert(key).inserted
    }
  }

  static func decoded(_ coded: CodedValue, by decoding: ValueDecoding) throws -> Self? {
    guard let (entries, coded) = try decoding.entries(of: coded) else { return nil }
    var dictionary: Self = [:]
    for (key, value) in entries where !coded.isMissingCell(value) {
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

/// The number of entries in the file of a dictionary that decodes its keys as names, which its container finds out.
final class EntryCount {
  var entries = 0
}

/// A name in the file as the coding key that the standard library makes of it for a dictionary.
private struct NameOfEntry: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(_ name: String) { (stringValue, intValue) = (name, Int(name)) }
  init?(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { self.init("\(intValue)") }
}
