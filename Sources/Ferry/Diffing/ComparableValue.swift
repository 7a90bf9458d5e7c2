/// A value whose parts can be compared with those of another value by their content.
///
/// It is a class because a comparison asks it about every part, and copies of its fields would take most of the time.
final class ComparableValue: Sendable {
  /// The value, with a reference in place of each object that has a collection as its content.
  let root: Value
  /// The objects by number.
  let objects: [Int: ObjectValue]
  private let shared: SharedObjects
  /// The shared collections without a class of their own, by number. They are compared like collections that are not shared.
  private let repeated: Set<Int>
  /// The content of each object, including the objects to which it refers, by number.
  private let contents: [Int: Int]

  /// The content of each object without the distant objects in cycles, by number; nil if the likeness of every part is its content.
  private let likenesses: [Int: Int]?

  /// The values of documents in data. They count for the likeness, so that an equal value of another version is found.
  private let expansion: DataExpansion
  /// True if the order of the elements of arrays matters.
  private let ordersElements: Bool

  /// - Parameters:
  ///   - ordersKeys: False to sort the keys of dictionaries, so that their order does not matter.
  ///   - ordersElements: True if the order of the elements of arrays matters.
  ///   - expansion: The values of documents in data.
  init(
    _ value: Value, ordersKeys: Bool, ordersElements: Bool = true, expansion: DataExpansion = DataExpansion()
  ) {
    (self.expansion, self.ordersElements) = (expansion, ordersElements)
    let shared = SharedObjects(ordersKeys ? value : value.sortingKeys(), all: true)
    (self.shared, root, objects) = (shared, shared.root, shared.objects)
    let groups = ObjectGroups(of: shared)
    numbersInCycles = groups.numbersInCycles
    repeated = shared.collections.subtracting(numbersInCycles)
    contents = SharedContents.whole(
      in: shared, repeating: repeated, ordersElements: ordersElements, groups: groups)
    likenesses =
      numbersInCycles.isEmpty && expansion.likenesses.isEmpty
      ? nil
      : SharedContents.whole(
        in: shared, separatesCycles: true, repeating: repeated, data: expansion.likenesses,
        ordersElements: ordersElements, groups: groups)
  }

  /// Returns a hash of the content of a part, to compare it with parts of this and of other values.
  func content(of part: Value) -> Int {
    SharedContents.hash(of: part, .init(ordersElements: ordersElements)) { target($0, in: contents) }
  }

  /// Returns a hash of the content of a part, by which the same part of another value is found. It does not change if a distant
  /// object changes that refers to the part.
  func likeness(of part: Value) -> Int {
    guard let likenesses else { return content(of: part) }
    let equality = SharedContents.Equality(data: expansion.likenesses, ordersElements: ordersElements)
    return SharedContents.hash(of: part, equality) { target($0, in: likenesses) }
  }

  /// Returns the likeness of each of several parts, whose contents are known.
  func likenesses(of parts: [Value], contents: [Int]) -> [Int] {
    likenesses == nil ? contents : parts.map(likeness)
  }

  private func target(_ number: Int, in contents: [Int: Int]) -> SharedContents.Target {
    if repeated.contains(number), let content = contents[number] { return .collection(content) }
    return .content(contents[number])
  }

  /// Returns the features by which a similar part of another value is found.
  ///
  /// - Parameter numbers: The objects that do not count: those in cycles, which differ if any of them has changed.
  func features(of part: Value, withoutObjects numbers: Set<Int>) -> ElementFeatures {
    if case .data(let bytes) = part, let features = expansion.features[bytes] { return features }
    return ElementFeatures(of: resolved(part), collection: separated) { part in
      if case .reference(let number) = part, numbers.contains(number) { nil } else { likeness(of: part) }
    }
  }

  /// Returns the collection to which a part refers if it was separated only because of its depth; otherwise returns the part.
  func separated(_ part: Value) -> Value {
    guard case .reference(let number) = part, shared.unshared.contains(number), repeated.contains(number)
    else { return part }
    return objects[number]?.content ?? part
  }

  /// True if the value refers to an object several times.
  var sharesObjects: Bool { shared.unshared.count < shared.objects.count }

  /// The content of each object and of those near it, by number. It does not depend on which objects the value shares.
  var nearContents: [Int: Int] { SharedContents.near(in: shared) }

  /// The objects that contain themselves, directly or indirectly, by number.
  let numbersInCycles: Set<Int>

  /// Returns a hash of the content of a part. Of the given objects, to which the part may refer, only the classes count.
  func content(of part: Value, withoutObjects numbers: Set<Int>) -> Int {
    SharedContents.hash(of: resolved(part), .init(ordersElements: ordersElements)) { number in
      numbers.contains(number)
        ? .content(objects[number]?.type.name.hashValue) : target(number, in: contents)
    }
  }

  /// Returns the object of a reference, or the part itself. A collection without a class of its own is not an object.
  func resolved(_ part: Value) -> Value {
    guard case .reference(let number) = part, let object = objects[number] else { return part }
    return repeated.contains(number) ? object.content : .object(object)
  }

  /// Returns a part as the format of the value has it. If the format has no data, the text of a document is data only to be compared.
  func shown(_ part: Value) -> Value { expansion.shown(part) }

  /// Returns a part in which each object replaces the first reference to it. A part that shares many objects has only some of them.
  func whole(_ part: Value) -> Value { expansion.shown(shared.whole(part)) }

  /// Returns a part in which each object replaces the first reference to it, and the number of its values.
  ///
  /// - Parameter limit: The number of values from which on references to shared objects stay. Then the result has at least this number.
  func whole(_ part: Value, atMost limit: Int) -> (value: Value, count: Int) {
    let (value, count) = shared.whole(part, atMost: limit)
    return (expansion.shown(value), count)
  }

  /// An entry of a dictionary.
  struct Entry {
    /// The content of the key.
    let content: Int
    /// The name of the key in paths.
    let name: String
    /// True if the key is a string, and the only one with its name.
    let isText: Bool
    let value: Value
  }

  /// Returns the entries of a dictionary in order.
  func entries(of dictionary: KeyedValues) -> [Entry] {
    dictionary.map { key, value in
      let target = resolved(key)
      let text = dictionary.pathText(of: target)
      let name = text ?? key.pathText ?? key.plainText ?? target.plainText ?? json(of: whole(key))
      return Entry(content: content(of: key), name: name, isText: text != nil, value: value)
    }
  }

  /// Returns the entries whose values are distinctive, by the content of these values.
  func entriesByContent(_ entries: [Entry]) -> [Int: [Entry]] {
    var found: [Int: [Entry]] = [:]
    for entry in entries where resolved(entry.value).isDistinctive {
      found[content(of: entry.value), default: []].append(entry)
    }
    return found
  }

  /// Returns the JSON text of a key, which paths use as its name.
  private func json(of key: Value) -> String {
    let text = try? PlainForm.json { sink throws(FerryError) in try key.replay(into: sink) }
    return text.map { String(decoding: $0, as: UTF8.self) } ?? key.words
  }
}

extension Value {
  /// True if equal values are hardly equal by chance: for collections that are not empty, and for texts and data of some length.
  fileprivate var isDistinctive: Bool {
    switch self {
    case .array, .set, .dictionary: !parts.isEmpty
    case .string(let text): text.utf8.count >= Self.distinctiveLength
    case .data(let bytes): bytes.count >= Self.distinctiveLength
    case .object(let object): object.content.isDistinctive
    default: false
    }
  }

  /// The length in bytes from which on texts and data are distinctive.
  private static var distinctiveLength: Int { 16 }
}
