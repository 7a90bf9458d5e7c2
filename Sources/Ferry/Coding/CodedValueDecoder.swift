/// A decoder of one value.
struct CodedValueDecoder: Decoder {
  fileprivate let decoding: ValueDecoding
  fileprivate let coded: CodedValue

  init(_ decoding: ValueDecoding, _ coded: CodedValue) { (self.decoding, self.coded) = (decoding, coded) }

  var codingPath: [any CodingKey] { coded.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { decoding.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(try CodedKeyedContainer<Key>(decoding, coded))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try CodedListContainer(decoding, coded)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    CodedSingleValueContainer(decoding: decoding, coded: coded)
  }
}

private struct CodedSingleValueContainer: SingleValueDecodingContainer {
  let decoding: ValueDecoding
  let coded: CodedValue
  var codingPath: [any CodingKey] { coded.codingPath }

  func decodeNil() -> Bool { coded.content == .null }
  func decode<T: Decodable>(_ type: T.Type) throws -> T { try decoding.decode(type, coded.again()) }
}

private struct CodedKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoding: ValueDecoding
  let coded: CodedValue
  private let entries: KeyedValues

  init(_ decoding: ValueDecoding, _ coded: CodedValue) throws {
    self.decoding = decoding
    let cell = decoding.collection(in: coded)
    switch cell ?? coded.content {
    case .dictionary(let entries):
      self.entries = entries
      self.coded = cell.map(coded.made) ?? coded
    case .string(let text) where decoding.isText:
      // An element without attributes and children.
      entries = text.isEmpty ? [:] : ["#text": .string(text)]
      self.coded = coded.made(.dictionary(entries))
    default: throw decoding.mismatch("a dictionary", [String: Any].self, coded)
    }
  }

  var codingPath: [any CodingKey] { coded.codingPath }
  var allKeys: [Key] { Value.dictionary(entries).dictionaryKeys.compactMap { Key(stringValue: $0) } }

  /// Returns the value for a key, with its name in the file.
  private func entry(_ key: Key) -> (name: String, value: Value)? {
    let name = key.stringValue
    if let value = entries[name] { return (name, value) }
    for name in otherNames(of: name) {
      if let value = entries[name] { return (name, value) }
    }
    return nil
  }

  private func value(_ key: Key) -> Value? { entry(key)?.value }

  /// Returns the names that a key may have in the file apart from its own.
  private func otherNames(of name: String) -> [String] {
    let others = decoder.keys == .snakeCase ? [name.snakeCased] : []
    guard decoding.isText else { return others }
    return name.isEmpty ? others + ["#text"] : others + ([name] + others).map { "@\($0)" }
  }

  private var decoder: FerryDecoder { decoding.decoder }

  private func part(_ key: Key, _ type: any Any.Type) throws -> CodedValue {
    guard let (name, value) = entry(key) else {
      // An element that occurs nowhere is an empty list, and an element without text has an empty one.
      if decoding.isText, type is any ListType.Type { return coded.part(.array([]), key, at: nil) }
      if decoding.isText, key.stringValue.isEmpty || key.stringValue.equals("#text") {
        return coded.part(.string(""), key, at: nil)
      }
      throw decoding.missing(key, key: key, of: type, in: coded)
    }
    return coded.part(value, key, at: .key(name))
  }

  func contains(_ key: Key) -> Bool { value(key) != nil }
  func decodeNil(forKey key: Key) throws -> Bool { value(key)?.scalar == .null }
  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try decoding.decode(type, part(key, type))
  }

  // `Decodable` types decode their scalars with these functions, which need no dynamic cast. The usual value needs no path.

  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    if case .string(let text)? = entries[key.stringValue] { return text }
    return try decoding.string(type, part(key, type))
  }
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    if case .boolean(let value)? = entries[key.stringValue] { return value }
    return try decoding.boolean(type, part(key, type))
  }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    if case .real(let value)? = entries[key.stringValue] { return value }
    return try decoding.real(type, part(key, type))
  }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
    try decoding.single(type, part(key, type))
  }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
    if let word = word(key) { return word }
    return try decoding.integer(type, part(key, type))
  }
  func decode<I: FixedWidthInteger & Decodable>(_ type: I.Type, forKey key: Key) throws -> I {
    if let word = word(key), let value = I(exactly: word) { return value }
    return try decoding.integer(type, part(key, type))
  }

  /// Returns the integer for a key if there is one that fits a word. `Int(exactly:)` for 128 bits would be slower.
  private func word(_ key: Key) -> Int? {
    guard case .integer(let number)? = entries[key.stringValue] else { return nil }
    let word = Int(truncatingIfNeeded: number)
    return Int128(word) == number ? word : nil
  }

  /// Returns true if there is a value of a type for a key. In a format whose scalars are text, an empty text represents a missing
  /// value of a type that has another notation.
  private func has(_ type: any Any.Type, _ key: Key) -> Bool {
    guard let value = value(key), value.scalar != .null else { return false }
    guard decoding.isText, value == .string("") else { return true }
    return type is any TextOrList.Type || decoding.isData(type)
  }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    has(type, key) ? try decode(type, forKey: key) : nil
  }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    has(type, key) ? try decode(type, forKey: key) : nil
  }
  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    has(type, key) ? try decode(type, forKey: key) : nil
  }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    has(type, key) ? try decode(type, forKey: key) : nil
  }
  func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
    has(type, key) ? try decode(type, forKey: key) : nil
  }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    has(type, key) ? try decode(type, forKey: key) : nil
  }
  // For each of these types the standard library has a default, which is chosen before a generic function.
  func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? {
    has(type, key) ? try decode(type, forKey: key) : nil
  }
  func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? {
    has(type, key) ? try decode(type, forKey: key) : nil
  }
  func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? {
    has(type, key) ? try decode(type, forKey: key) : nil
  }
  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
    has(type, key) ? try decode(type, forKey: key) : nil
  }
  func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? {
    has(type, key) ? try decode(type, forKey: key) : nil
  }
  func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? {
    has(type, key) ? try decode(type, forKey: key) : nil
  }
  func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? {
    has(type, key) ? try decode(type, forKey: key) : nil
  }
  func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? {
    has(type, key) ? try decode(type, forKey: key) : nil
  }
  func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? {
    has(type, key) ? try decode(type, forKey: key) : nil
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    KeyedDecodingContainer(try CodedKeyedContainer<Nested>(decoding, part(key, [String: Any].self)))
  }
  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try CodedListContainer(decoding, part(key, [Any].self))
  }
  func superDecoder() throws -> any Decoder {
    let key = ValueKey(stringValue: "super")
    guard let value = entries[key.stringValue] else { return CodedValueDecoder(decoding, coded) }
    return CodedValueDecoder(decoding, coded.part(value, key, at: .key(key.stringValue)))
  }
  func superDecoder(forKey key: Key) throws -> any Decoder {
    CodedValueDecoder(decoding, try part(key, [String: Any].self))
  }
}

private struct CodedListContainer: UnkeyedDecodingContainer {
  let decoding: ValueDecoding
  let coded: CodedValue
  /// The list, which `coded` may contain.
  private let list: CodedValue
  private let elements: [Value]
  /// True if the elements have steps in the file; false if one value is a list of one.
  private let isListed: Bool
  private(set) var currentIndex = 0

  init(_ decoding: ValueDecoding, _ coded: CodedValue) throws {
    (self.decoding, self.coded) = (decoding, coded)
    let cell = decoding.collection(in: coded)
    guard let list = cell.map(coded.made) ?? Self.list(in: coded),
      let elements = list.content.elements(isText: decoding.isText && cell == nil)
    else {
      throw decoding.mismatch("an array", [Any].self, coded)
    }
    (self.list, self.elements) = (list, elements)
    isListed = list.content.isListed
  }

  /// Returns the list in a value: the children of one name in a document's root element, or the value itself.
  private static func list(in coded: CodedValue) -> CodedValue? {
    guard let element = coded.rootElement else { return coded }
    switch element.content {
    case .string(""): return coded.with([])
    case .dictionary(let children):
      let names = element.content.dictionaryKeys.filter { !$0.begins(with: "@") && !$0.begins(with: "#") }
      guard names.count <= 1 else { return nil }
      guard let name = names.first, let list = children[name] else { return coded.with([]) }
      return coded.with(list, at: .key(name))
    default: return coded
    }
  }

  var codingPath: [any CodingKey] { coded.codingPath }
  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex == elements.count }

  /// Decodes the next element. A failure leaves it the next element, as in `JSONDecoder`.
  private mutating func next<T>(_ type: any Any.Type, _ decode: (CodedValue) throws -> T) throws -> T {
    let value = try decode(element(type))
    currentIndex += 1
    return value
  }

  private func element(_ type: any Any.Type) throws -> CodedValue {
    guard !isAtEnd else {
      throw decoding.error(.coding(.missingElement(count: elements.count)), type, coded)
    }
    let step: ValuePath.Step? = isListed ? .index(currentIndex) : nil
    return list.part(elements[currentIndex], ValueKey(intValue: currentIndex), at: step)
  }

  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd, elements[currentIndex].scalar == .null else { return false }
    currentIndex += 1
    return true
  }
  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    let decoding = decoding
    return try next(type) { element in try decoding.decode(type, element) }
  }
  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    let decoding = decoding
    return try next([String: Any].self) { element in
      KeyedDecodingContainer(try CodedKeyedContainer<Nested>(decoding, element))
    }
  }
  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let decoding = decoding
    return try next([Any].self) { element in try CodedListContainer(decoding, element) }
  }
  mutating func superDecoder() throws -> any Decoder {
    let decoding = decoding
    return try next([String: Any].self) { element in CodedValueDecoder(decoding, element) }
  }
}

/// A type that is decoded as a list.
private protocol ListType {}
extension Array: ListType {}
extension Set: ListType {}

/// A type that an empty text is a value of: a text, or a list of texts.
private protocol TextOrList {}
extension String: TextOrList {}
extension Array: TextOrList {}
extension Set: TextOrList {}

extension String {
  /// The name with underscores in place of capitals: `firstName` is `first_name`, and `myURLPath` is `my_url_path`.
  var snakeCased: String {
    let scalars = Array(unicodeScalars)
    var text = ""
    for (index, scalar) in scalars.enumerated() {
      let isCapital = scalar.properties.isUppercase
      let follows = index > 0 && !scalars[index - 1].properties.isUppercase && scalars[index - 1] != "_"
      let endsCapitals =
        index > 0 && index + 1 < scalars.count && scalars[index - 1].properties.isUppercase
        && scalars[index + 1].properties.isLowercase
      if isCapital, follows || endsCapitals { text.append("_") }
      text += scalar.properties.lowercaseMapping
    }
    return text
  }
}
