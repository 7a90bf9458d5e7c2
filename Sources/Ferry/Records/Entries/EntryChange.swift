/// A change between a dictionary and a list of its entries, each of which is a record with a key and a value.
///
///     {"title": "Hello", "quit": "Bye"}        [{"key": "title", "value": "Hello"}, {"key": "quit", "value": "Bye"}]
public enum EntryChange: Hashable, Sendable {
  /// The outermost dictionary becomes a list of its entries. The arguments are the names of the key and the value in their records.
  case toRecords(key: String = "key", value: String = "value")
  /// The outermost list becomes a dictionary with an entry for each record. The arguments are the names of the key and the value in the
  /// records.
  case fromRecords(key: String = "key", value: String = "value")

  /// True if the result is a list of records.
  var makesRecords: Bool { if case .toRecords = self { true } else { false } }

  /// The names of the key and the value in the records.
  var names: (key: String, value: String) {
    switch self {
    case .toRecords(let key, let value), .fromRecords(let key, let value): (key, value)
    }
  }

  /// Throws if the key and the value have the same name, of which a record would have one.
  func check() throws(FerryError) {
    guard !names.key.equals(names.value) else { throw FerryError(.record(.repeatedField(names.key))) }
  }

  /// Creates the adapter that makes the change.
  ///
  /// - Parameters:
  ///   - isSelected: True if the value is a list of the elements that an XPath has selected. The list must have one.
  ///   - unwrapsLists: True if the value in a record that is a list of one element is the element.
  ///   - position: Receives the current entry.
  func adapter(
    to next: any ValueSink, isSelected: Bool, unwrapsLists: Bool = false, _ position: EntryPosition
  ) -> any ValueSink {
    switch self {
    case .toRecords(let key, let value):
      EntryLister(to: next, key: key, value: value, isSelected: isSelected, position)
    case .fromRecords(let key, let value):
      EntryCollector(to: next, key: key, value: value, unwrapsLists: unwrapsLists, position)
    }
  }
}

/// The current entry of a change, by which paths in the output become paths in the input.
final class EntryPosition {
  /// The key of the entry.
  var key: [UInt8] = []
  /// The index of the record.
  var index = -1
  /// Returns the path in the input of a value in a record, whose index does not count records that were left out.
  var pathOfRecord: (ValuePath) -> ValuePath = { $0 }
  private let change: EntryChange

  init(_ change: EntryChange) { self.change = change }

  /// Returns the path in the input of a value in the current entry of the output. Returns other paths as they are.
  func pathInInput(_ path: ValuePath) -> ValuePath {
    let name = String(escapingSurrogatesOf: key[...])
    switch (change, path.steps.first) {
    case (.toRecords, .index(let record)?) where record == index:
      return ValuePath([.key(name)] + path.steps.dropFirst(2))
    case (.fromRecords(_, let value), .key(let written)?) where written.equals(name) && index >= 0:
      return ValuePath([.index(index), .key(value)] + path.steps.dropFirst())
    default: return path
    }
  }
}
