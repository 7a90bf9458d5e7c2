internal import OrderedCollections

/// The entries of a dictionary, in the order in which they were added.
///
/// Keys are strings, except in archives, where any value can be a key. Two instances are equal if they have
/// the same entries in the same order. The order is part of the value, because conversions preserve it.
///
/// The keys are stored apart from the values, so that the records of a list, which usually have the same keys, store them once.
public struct KeyedValues: Hashable, Sendable {
  typealias Keys = OrderedSet<Value>

  private(set) var distinctKeys: Keys = []
  /// The values in the order of their keys.
  public private(set) var values: [Value] = []

  /// Creates an empty instance.
  public init() {}

  /// Creates an empty instance with room for entries.
  init(minimumCapacity: Int) {
    self.init()
    distinctKeys.reserveCapacity(minimumCapacity)
    values.reserveCapacity(minimumCapacity)
  }

  /// Creates an instance with the first of some keys.
  ///
  /// - Parameter values: The values of these keys, at most as many as there are keys.
  init(firstOf keys: Keys, values: [Value]) {
    distinctKeys = values.count == keys.count ? keys : Keys(keys.prefix(values.count))
    self.values = values
  }

  /// The number of entries.
  public var count: Int { values.count }
  /// The keys, in order.
  public var keys: [Value] { distinctKeys.elements }

  /// Accesses the value for a key. Setting the value of a new key appends an entry; setting nil removes the
  /// entry.
  public subscript(key: Value) -> Value? {
    get { distinctKeys.firstIndex(of: key).map { values[$0] } }
    set {
      guard let newValue else {
        removeValue(forKey: key)
        return
      }
      if let index = distinctKeys.firstIndex(of: key) {
        values[index] = newValue
      } else {
        distinctKeys.append(key)
        values.append(newValue)
      }
    }
  }

  /// Accesses the value for a string key.
  public subscript(key: String) -> Value? {
    get { index(of: key).map { values[$0] } }
    set { self[.string(key)] = newValue }
  }

  /// Accesses the value for a key, or a default if the key is missing. A change of the value sets the key.
  public subscript(key: Value, default defaultValue: @autoclosure () -> Value) -> Value {
    get { self[key] ?? defaultValue() }
    set { self[key] = newValue }
  }

  /// Accesses the value for a string key, or a default if the key is missing.
  public subscript(key: String, default defaultValue: @autoclosure () -> Value) -> Value {
    get { self[key] ?? defaultValue() }
    set { self[key] = newValue }
  }

  /// Removes the entry with a key. The other entries keep their order.
  ///
  /// - Returns: The value of the entry, or nil if the key is missing.
  @discardableResult
  public mutating func removeValue(forKey key: Value) -> Value? {
    guard let index = distinctKeys.firstIndex(of: key) else { return nil }
    distinctKeys.remove(at: index)
    return values.remove(at: index)
  }

  /// Removes the entries with some keys, in time in proportion to the number of entries. The other entries keep their order.
  package mutating func removeAll(where isRemoved: (Value) -> Bool) {
    let removed = distinctKeys.map(isRemoved)
    guard removed.contains(true) else { return }
    distinctKeys = Keys(zip(distinctKeys, removed).lazy.filter { !$0.1 }.map(\.0))
    values = zip(values, removed).filter { !$0.1 }.map(\.0)
  }

  /// Returns the entries with their values changed by a function, in order.
  public func mapValues<E: Error>(_ transform: (Value) throws(E) -> Value) throws(E) -> KeyedValues {
    KeyedValues(firstOf: distinctKeys, values: try values.map(transform))
  }

  /// Returns the entries with their keys and values changed by a function, in order. The last value of keys that become equal counts.
  func mapParts(_ transform: (Value) -> Value) -> KeyedValues {
    var (newKeys, newValues): ([Value], [Value]) = ([], [])
    newKeys.reserveCapacity(count)
    newValues.reserveCapacity(count)
    for (key, value) in self {
      newKeys.append(transform(key))
      newValues.append(transform(value))
    }
    if distinctKeys.elementsEqual(newKeys) { return KeyedValues(firstOf: distinctKeys, values: newValues) }
    return KeyedValues(zip(newKeys, newValues)) { _, last in last }
  }

  /// The number of entries up to which their keys are compared one by one, without hashing.
  private static let mostCompared = 12

  /// Returns the index of the entry with a string key, or nil if there is none.
  private func index(of key: String) -> Int? {
    guard count <= Self.mostCompared else { return distinctKeys.firstIndex(of: .string(key)) }
    for index in 0..<count {
      if case .string(let text) = distinctKeys[index], text.equals(key) { return index }
    }
    return nil
  }
}

extension KeyedValues {
  /// Creates an instance with entries in order.
  ///
  ///     KeyedValues([("a", 1), ("a", 2)]) { _, last in last }      // { a: 2 }
  ///
  /// - Parameters:
  ///   - entries: The keys and their values.
  ///   - combine: Returns the value of a key that occurs again, given its values so far and the new one.
  public init<E: Error>(
    _ entries: some Sequence<(Value, Value)>, uniquingKeysWith combine: (Value, Value) throws(E) -> Value
  ) throws(E) {
    self.init()
    for (key, value) in entries {
      if let known = self[key] { self[key] = try combine(known, value) } else { self[key] = value }
    }
  }
}

extension KeyedValues: ExpressibleByDictionaryLiteral {
  /// Creates an instance with entries in order. The last value of a repeated key counts.
  public init(dictionaryLiteral elements: (Value, Value)...) {
    for (key, value) in elements { self[key] = value }
  }
}

extension KeyedValues: RandomAccessCollection {
  /// A key and its value.
  public typealias Element = (key: Value, value: Value)

  /// The index of the first entry, 0.
  public var startIndex: Int { 0 }
  /// The index after the last entry.
  public var endIndex: Int { values.count }

  /// The entry at an index, in the order of the entries.
  public subscript(index: Int) -> Element { (key: distinctKeys[index], value: values[index]) }

  /// Returns the index of the entry with a key, or nil if there is none.
  public func index(forKey key: Value) -> Int? { distinctKeys.firstIndex(of: key) }

  /// Returns an iterator over the entries in order.
  public func makeIterator() -> some IteratorProtocol<Element> {
    zip(distinctKeys, values).lazy.map { (key: $0, value: $1) }.makeIterator()
  }
}
