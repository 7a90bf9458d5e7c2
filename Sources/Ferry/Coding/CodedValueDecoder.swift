/// A decoder of one value.
struct CodedValueDecoder: Decoder {
  fileprivate let decoding: ValueDecoding
  fileprivate let coded: CodedValue
  /// The number of entries if the value is a dictionary, whose keys have no strategy; nil for other values.
  private let count: EntryCount?
  /// The type that decodes itself; nil if it is not known.
  private let type: (any Any.Type)?

  init(
    _ decoding: ValueDecoding, _ coded: CodedValue, as type: (any Any.Type)? = nil,
    counting count: EntryCount? = nil
  ) {
    (self.decoding, self.coded, self.type, self.count) = (decoding, coded, type, count)
  }

  var codingPath: [any CodingKey] { coded.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { decoding.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    if coded.role == .text, count != nil || isTaken {
      throw decoding.mismatch("a dictionary", [String: Any].self, coded)
    }
    return KeyedDecodingContainer(
      try CodedKeyedContainer<Key>(decoding, coded, for: self.type, counting: count))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    if isTaken, !coded.content.isListed { throw decoding.mismatch("an array", [Any].self, coded) }
    return try CodedListContainer(decoding, coded, for: type)
  }

  /// True if the type has taken the value as a collection before, whose only part it is. It is not such a collection again, which would never end.
  private var isTaken: Bool {
    guard !coded.leafTypes.isEmpty, let type else { return false }
    return coded.leafTypes.contains(ObjectIdentifier(type))
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    CodedSingleValueContainer(decoding: decoding, coded: coded)
  }
}

private struct CodedSingleValueContainer: SingleValueDecodingContainer {
  let decoding: ValueDecoding
  let coded: CodedValue
  var codingPath: [any CodingKey] { coded.codingPath }

  func decodeNil() -> Bool { coded.isNull || decoding.isNullText(coded.content) }
  func decode<T: Decodable>(_ type: T.Type) throws -> T { try decoding.decode(type, coded.again()) }
  // The defaults of the protocol refuse these types.
  func decode(_ type: Int128.Type) throws -> Int128 { try decoding.integer(type, coded) }
  func decode(_ type: UInt128.Type) throws -> UInt128 { try decoding.integer(type, coded) }
}

/// A class, because the standard library copies a container for each key.
private final class CodedKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoding: ValueDecoding
  let coded: CodedValue
  private let entries: KeyedValues
  /// The element before its children were put together by name; nil for a value of another format.
  private let element: Value?
  /// The names in the file of keys that a custom strategy has converted.
  private let fileNames: [ExactString: String]
  /// The relation between the keys; none for a dictionary.
  private let keys: FerryDecoder.KeyStrategy
  /// The values by the usual keys for their names in the file. Of several names with the same key, the first counts, as in `JSONDecoder`.
  private lazy var usualEntries = makeUsualEntries()

  /// The types that have taken the value as a collection before.
  private let leafTypes: [ObjectIdentifier]
  /// The type that has asked for the container; nil if it is not known.
  private let type: (any Any.Type)?

  /// - Parameters:
  ///   - type: The type that has asked for the container; nil if it is not known.
  ///   - count: The number of entries to set, for a dictionary.
  init(
    _ decoding: ValueDecoding, _ coded: CodedValue, for type: (any Any.Type)? = nil,
    counting count: EntryCount? = nil
  ) throws {
    guard let (entries, found) = try decoding.entries(of: coded) else {
      throw decoding.mismatch("a dictionary", [String: Any].self, coded)
    }
    (leafTypes, self.type) = (coded.leafTypes, type)
    (self.decoding, self.coded) = (decoding, found)
    element = decoding.hasElements ? coded.content : nil
    keys = count == nil ? decoding.decoder.keys : .same
    count?.entries = found.isRow ? entries.count { !found.isMissingCell($0.value) } : entries.count
    let texts = decoding.textKeyed(entries)
    guard count == nil, let converted = decoding.converted(texts, of: found) else {
      (self.entries, fileNames) = (texts, [:])
      return
    }
    (self.entries, fileNames) = converted
  }

  var codingPath: [any CodingKey] { coded.codingPath }
  /// The keys of the type, each once: an attribute and a child of one name have one key, whose value is the child.
  var allKeys: [Key] {
    var names: Set<ExactString> = []
    return entries.compactMap { key, value in
      guard !coded.isMissingCell(value), let name = key.stringValue,
        let key = self.key(named: name) ?? keyInNamespace(name, value),
        names.insert(ExactString(key.stringValue)).inserted
      else { return nil }
      return key
    }
  }

  private func makeUsualEntries() -> [ExactString: (name: String, value: Value)] {
    var found: [ExactString: (name: String, value: Value)] = [:]
    for (key, value) in entries {
      guard let name = key.stringValue else { continue }
      for key in decoding.usualKeys(of: name).map({ ExactString($0) }) where found[key] == nil {
        found[key] = (name, value)
      }
    }
    return found
  }

  /// Returns the first value whose name in the file has one of some usual keys.
  private func usualEntry(_ names: [String]) -> Entry? {
    guard !keys.isSame, !keys.isCustom else { return nil }
    for name in names {
      if let found = usualEntries[ExactString(name)] { return entry(found.name, found.value) }
    }
    return nil
  }

  /// Returns the key of the type for the namespace and the local part of a name in the file.
  private func keyInNamespace(_ name: String, _ value: Value) -> Key? {
    guard element != nil else { return nil }
    return decoding.expandedNames(of: name, value, in: coded).lazy.compactMap { self.key(named: $0) }.first
  }

  /// Returns the key of the type for a name in the file, from which Swift finds the case of an enum. The mark of an attribute may be left
  /// out, and the key of a text may be empty.
  private func key(named name: String) -> Key? {
    let usual = keys.isSame ? [] : decoding.usualKeys(of: name)
    // A type that takes every key gets the usual one, as from `JSONDecoder`.
    for name in usual + [name] {
      if let key = Key(stringValue: name) { return key }
    }
    guard decoding.isText else { return nil }
    if name.equals("#text") { return Key(stringValue: "") }
    guard name.begins(with: "@") else { return nil }
    return (usual + [name]).lazy.compactMap { Key(stringValue: String($0.unicodeScalars.dropFirst())) }.first
  }

  /// The value for a key.
  private struct Entry {
    /// The name of the value in the file; nil for the contents of an element, which are made of its children.
    let name: String?
    let value: Value
  }

  /// Returns the value for a key.
  ///
  /// - Parameter type: The type of the value. The empty key of a list of an `ElementChoice` means the contents of the element.
  /// - Throws: An error for contents whose order is not known.
  private func entry(_ key: Key, _ type: (any Any.Type)? = nil) throws -> Entry? {
    let name = key.stringValue
    if let type, decoding.isAttribute(type) { return try attribute(key, type) }
    if let value = entries[name] { return entry(name, value) }
    let isContents = name.equals("#content") || name.isEmpty && type is any ElementChoices.Type
    if isContents, let element {
      guard let contents = element.contents(isOrdered: decoding.hasContents) else {
        throw decoding.error(.coding(.unknownOrder), type ?? [Any].self, coded.part(.null, key, at: nil))
      }
      // No contents are an empty list, and nil in an optional, as a list without elements is.
      return contents.isEmpty ? nil : Entry(name: nil, value: .array(contents))
    }
    for name in otherNames(of: name) {
      if let value = entries[name] { return entry(name, value) }
    }
    if let found = usualEntry(decoding.isText ? [name, name.markedAsAttribute] : [name]) { return found }
    guard let element, name.utf8.contains(UInt8(ascii: "{")) else { return nil }
    if let found = escapedEntry([name] + otherNames(of: name)) { return found }
    return try entryInNamespace([name] + otherNames(of: name), key, type, of: element)
  }

  /// Returns the value for the first of some names that is escaped in the file, as it is in XML with types: among expanded names, such a name
  /// is that of another key.
  private func escapedEntry(_ names: [String]) -> Entry? {
    guard !decoding.readsPrefixes else { return nil }
    for name in names.map(XMLKeyName.elementName) {
      if let value = entries[name] { return entry(name, value) }
    }
    return nil
  }

  /// Returns the value for the first of some names in a namespace that the element has.
  ///
  /// - Parameter names: The key, and its names in the file by the strategy for keys.
  private func entryInNamespace(
    _ names: [String], _ key: Key, _ type: (any Any.Type)?, of element: Value
  ) throws -> Entry? {
    do throws(FerryError) {
      for name in names {
        if let found = try decoding.inNamespace(name, entries, of: coded, element: element) {
          return found.name.map { entry($0, found.value) } ?? Entry(name: nil, value: found.value)
        }
      }
      return nil
    } catch {
      throw decoding.error(error.reason, type ?? Any.self, coded.part(.null, key, at: nil))
    }
  }

  /// Returns the attribute for a key; nil if there is only an element.
  private func attribute(_ key: Key, _ type: any Any.Type) throws -> Entry? {
    let other = keys.name(of: key.stringValue, hasElements: true)
    let names = ([key.stringValue] + (other.map { [$0] } ?? [])).map(\.markedAsAttribute)
    for name in names {
      if let value = entries[name] { return entry(name, value) }
    }
    if let found = usualEntry([key.stringValue.markedAsAttribute]) { return found }
    guard let element, key.stringValue.utf8.contains(UInt8(ascii: "{")) else { return nil }
    return try entryInNamespace(names, key, type, of: element)
  }

  /// Returns the value for a name among the keys of types.
  private func entry(_ name: String, _ value: Value) -> Entry {
    Entry(name: fileNames.isEmpty ? name : fileNames[ExactString(name)] ?? name, value: value)
  }

  private func part(_ entry: Entry, _ key: Key) -> CodedValue {
    guard decoding.hasElements, let name = entry.name, name.equals("#text") else {
      return coded.part(entry.value, key, at: entry.name.map { .key($0) }, isInFile: entry.name != nil)
    }
    // The text of an element without attributes is the element again.
    let types = leafTypes + (type.map { [ObjectIdentifier($0)] } ?? [])
    return coded.part(entry.value, key, at: .key(name), .text, leafTypes: types)
  }

  private func value(_ key: Key) throws -> Value? { try entry(key)?.value }

  /// Returns the names that a key may have in the file apart from its own.
  private func otherNames(of name: String) -> [String] {
    let others = keys.name(of: name, hasElements: decoding.hasElements).map { [$0] } ?? []
    guard decoding.isText else { return others }
    return name.isEmpty ? others + ["#text"] : others + ([name] + others).map { "@\($0)" }
  }

  private func part(_ key: Key, _ type: any Any.Type) throws -> CodedValue {
    guard let entry = try entry(key, type) else {
      // An element that occurs nowhere is an empty list, and an element without text has an empty one.
      if decoding.isText, type is any ListType.Type { return coded.part(.array([]), key, at: nil) }
      // The encoder leaves out nil.
      if decoding.leavesOutNulls, type is any OptionalType.Type || type == Value.self {
        return coded.part(.null, key, at: nil)
      }
      if decoding.isText, key.stringValue.isEmpty || key.stringValue.equals("#text") {
        return coded.part(.string(""), key, at: nil)
      }
      throw missing(key, type)
    }
    return part(entry, key)
  }

  func contains(_ key: Key) -> Bool {
    do { return try value(key).map { !coded.isMissingCell($0) } ?? false } catch {
      // Contents whose order is not known exist.
      return true
    }
  }
  func decodeNil(forKey key: Key) throws -> Bool {
    guard let value = try value(key) else {
      // The encoder leaves out nil.
      guard decoding.leavesOutNulls else { throw missing(key, Never.self) }
      return true
    }
    return decoding.isNull(value)
  }
  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    guard let entry = try entry(key, type) else { return try decodeMissing(type, key) }
    return try decoding.decode(type, part(entry, key))
  }

  @inline(never)
  private func decodeMissing<T: Decodable>(_ type: T.Type, _ key: Key) throws -> T {
    // The empty key of a type that is not text means the element itself, as in a case of an enum.
    guard decoding.hasElements, key.stringValue.isEmpty, !(type is any ListType.Type), !entries.isEmpty else {
      return try decodeAbsent(type, key)
    }
    do {
      return try decoding.decode(type, coded.again())
    } catch {
      // The mistake in the element says more than that it has no text.
      guard (error as? DecodingError)?.isOverBudget != true,
        let value = decoding.attempt({ try decodeAbsent(type, key) })
      else { throw error }
      return value
    }
  }

  /// Decodes nil, an empty text or an empty list for a key without a value. Throws if the type has no such value.
  private func decodeAbsent<T: Decodable>(_ type: T.Type, _ key: Key) throws -> T {
    do {
      return try decoding.decode(type, part(key, type))
    } catch DecodingError.keyNotFound {
      // Types other than arrays may encode an empty list, too, for which there is no element.
      guard decoding.isText, !(type is any CodedDictionary.Type),
        let value = try? decoding.decode(type, coded.part(.array([]), key, at: nil))
      else { throw missing(key, type) }
      return value
    }
  }

  /// Returns the error for a key that a type needs.
  private func missing(_ key: Key, _ type: any Any.Type) -> DecodingError {
    guard decoding.isAttribute(type) else { return decoding.missing(key, key: key, of: type, in: coded) }
    let name = ValueKey(stringValue: key.stringValue.markedAsAttribute)
    return decoding.missing(name, key: key, of: type, in: coded)
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
  // The defaults of the protocol refuse these types.
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
    try decoding.integer(type, part(key, type))
  }
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
    try decoding.integer(type, part(key, type))
  }

  /// Returns the integer for a key if there is one that fits a word. `Int(exactly:)` for 128 bits would be slower.
  private func word(_ key: Key) -> Int? {
    guard case .integer(let number)? = entries[key.stringValue] else { return nil }
    let word = Int(truncatingIfNeeded: number)
    return Int128(word) == number ? word : nil
  }

  /// Returns true if there is a value for a key. In a format whose scalars are text, an empty text represents a missing number.
  private func hasNumber(_ key: Key) throws -> Bool {
    guard let value = try value(key), !decoding.isNull(value) else { return false }
    return !decoding.isText || value.scalar != .string("")
  }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    guard let entry = try entry(key, type), !decoding.isNull(entry.value) else { return nil }
    let part = part(entry, key)
    guard decoding.isText, entry.value == .string("") else { return try decoding.decode(type, part) }
    return try decoding.decodeEmptyText(type, part)
  }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    guard let value = try value(key), !decoding.isNull(value) else { return nil }
    return try decode(type, forKey: key)
  }
  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    try hasNumber(key) ? decode(type, forKey: key) : nil
  }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    try hasNumber(key) ? decode(type, forKey: key) : nil
  }
  func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
    try hasNumber(key) ? decode(type, forKey: key) : nil
  }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    try hasNumber(key) ? decode(type, forKey: key) : nil
  }
  // For each of these types the standard library has a default, which is chosen before a generic function.
  func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? {
    try hasNumber(key) ? decode(type, forKey: key) : nil
  }
  func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? {
    try hasNumber(key) ? decode(type, forKey: key) : nil
  }
  func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? {
    try hasNumber(key) ? decode(type, forKey: key) : nil
  }
  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
    try hasNumber(key) ? decode(type, forKey: key) : nil
  }
  func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? {
    try hasNumber(key) ? decode(type, forKey: key) : nil
  }
  func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? {
    try hasNumber(key) ? decode(type, forKey: key) : nil
  }
  func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? {
    try hasNumber(key) ? decode(type, forKey: key) : nil
  }
  func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? {
    try hasNumber(key) ? decode(type, forKey: key) : nil
  }
  func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? {
    try hasNumber(key) ? decode(type, forKey: key) : nil
  }
  func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? {
    try hasNumber(key) ? decode(type, forKey: key) : nil
  }
  func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? {
    try hasNumber(key) ? decode(type, forKey: key) : nil
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
  private let list: CodedList
  private(set) var currentIndex = 0
  /// The type that has asked for the list; nil if it is not known.
  private let type: (any Any.Type)?

  init(_ decoding: ValueDecoding, _ coded: CodedValue, for type: (any Any.Type)? = nil) throws {
    guard let list = try decoding.list(in: coded) else {
      throw decoding.mismatch("an array", [Any].self, coded)
    }
    (self.decoding, self.coded, self.list, self.type) = (decoding, coded, list, type)
  }

  var codingPath: [any CodingKey] { coded.codingPath }
  private var elements: [Value] { list.elements }
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
      // The path ends in the index, as that of an element that there is.
      let end = coded.part(.null, ValueKey(intValue: currentIndex), at: nil)
      throw decoding.error(.coding(.missingElement(count: elements.count)), type, end)
    }
    return list.element(elements[currentIndex], at: currentIndex, for: self.type)
  }

  mutating func decodeNil() throws -> Bool {
    let element = try element(Never.self)
    guard element.isNull || decoding.isNullText(element.content) else { return false }
    currentIndex += 1
    return true
  }
  // The defaults of the protocol refuse these types.
  mutating func decode(_ type: Int128.Type) throws -> Int128 {
    let decoding = decoding
    return try next(type) { element in try decoding.integer(type, element) }
  }
  mutating func decode(_ type: UInt128.Type) throws -> UInt128 {
    let decoding = decoding
    return try next(type) { element in try decoding.integer(type, element) }
  }
  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    let decoding = decoding
    return try next(type) { element in try decoding.decodeElement(type, element) }
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
