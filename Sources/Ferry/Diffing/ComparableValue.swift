/// A value whose parts can be compared with those of another value by their content.
struct ComparableValue {
  /// The value, with a reference in place of each object that has a collection as its content.
  let root: Value
  /// The objects by number.
  let objects: [Int: ObjectValue]
  private let shared: SharedObjects
  /// The content of each object, including the objects to which it refers, by number.
  private let contents: [Int: Int]

  /// - Parameter ordersKeys: False to sort the keys of dictionaries, so that their order does not matter.
  init(_ value: Value, ordersKeys: Bool) {
    shared = SharedObjects(ordersKeys ? value : value.sortingKeys, all: true)
    (root, objects) = (shared.root, shared.objects)
    contents = SharedContents.whole(in: shared)
  }

  /// Returns a hash of the content of a part, to compare it with parts of this and of other values.
  func content(of part: Value) -> Int {
    SharedContents.hash(of: part) { .content(contents[$0]) }
  }

  /// Returns the object of a reference, or the part itself.
  func resolved(_ part: Value) -> Value {
    guard case .reference(let number) = part, let object = objects[number] else { return part }
    return .object(object)
  }

  /// Returns a part in which each object replaces the first reference to it.
  func whole(_ part: Value) -> Value { shared.whole(part) }

  /// An entry of a dictionary.
  struct Entry {
    /// The content of the key.
    let content: Int
    /// The name of the key in paths.
    let name: String
    let value: Value
  }

  /// Returns the entries of a dictionary in order.
  func entries(of dictionary: KeyedValues) -> [Entry] {
    dictionary.map { key, value in
      let name = key.plainText ?? resolved(key).plainText ?? json(of: whole(key))
      return Entry(content: content(of: key), name: name, value: value)
    }
  }

  /// Returns the JSON text of a key, which paths use as its name.
  private func json(of key: Value) -> String {
    let text = try? PlainForm.json { sink throws(FerryError) in try key.replay(into: sink) }
    return text.map { String(decoding: $0, as: UTF8.self) } ?? key.words
  }
}

extension Value {
  /// The value with the keys of every dictionary sorted.
  fileprivate var sortingKeys: Value {
    guard case .dictionary(let entries) = self else { return mappingParts(\.sortingKeys) }
    var sorted = KeyedValues()
    for (key, value) in entries.sorted(by: { $0.key.sortingText.precedes($1.key.sortingText) }) {
      sorted[key.sortingKeys] = value.sortingKeys
    }
    return .dictionary(sorted)
  }

  /// The text by which a key is sorted.
  private var sortingText: String { plainText ?? "" }
}
