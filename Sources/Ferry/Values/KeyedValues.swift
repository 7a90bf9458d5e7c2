internal import OrderedCollections

/// The entries of a dictionary, in the order they were added.
///
/// Keys are strings everywhere but in archives, where any value may be one. Two are equal when they have the same entries
/// in the same order, because a file's order is kept and so is part of the value.
public struct KeyedValues: Hashable, Sendable {
  private var entries: OrderedDictionary<Value, Value> = [:]

  /// No entries.
  public init() {}

  /// How many entries there are.
  public var count: Int { entries.count }
  /// Whether there are none.
  public var isEmpty: Bool { entries.isEmpty }
  /// The keys in order.
  public var keys: [Value] { Array(entries.keys) }
  /// The values in the order of their keys.
  public var values: [Value] { Array(entries.values) }

  /// The value of a key; setting a new key adds it at the end, setting nil removes it.
  public subscript(key: Value) -> Value? {
    get { entries[key] }
    set { entries[key] = newValue }
  }

  /// The value of a string key.
  public subscript(key: String) -> Value? {
    get { entries[.string(key)] }
    set { entries[.string(key)] = newValue }
  }
}

extension KeyedValues: Sequence {
  /// The entries in order.
  public func makeIterator() -> some IteratorProtocol<(key: Value, value: Value)> {
    entries.lazy.map { (key: $0.key, value: $0.value) }.makeIterator()
  }
}
