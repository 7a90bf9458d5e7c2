/// Hashes of the parts of an element, by which similar elements of two sequences are found.
///
///     {name: "Lamp", size: {w: 1, h: 2}}
///     fields: name "Lamp", size {w: 1, h: 2}
///     leaves: name "Lamp", size.w 1, size.h 2
///
/// Elements of different kinds or classes share no features.
struct ElementFeatures {
  /// The features of the fields of a record, with their keys, in the order of their hashes.
  private var fields: [Int] = []
  /// The features of the values in the element that are not collections, with the keys that lead to them, in the order of their hashes.
  private var leaves: [Int] = []
  /// The features that tell elements apart, each once. A Boolean value, null or an empty value does not.
  private(set) var distinctive: [Int] = []

  /// The maximum number of values of an element that count, and of the levels around them.
  private static let (mostLeaves, mostLevels) = (256, 8)

  /// Creates the features of an element. An element that is not a collection has none.
  ///
  /// - Parameters:
  ///   - collection: Returns the collection that counts in place of a part, or the part.
  ///   - hash: Returns the hash of a part, which is equal for equal parts of both sequences; nil for a part that does not count.
  init(of element: Value, collection: (Value) -> Value = { $0 }, hash: (Value) -> Int?) {
    var hasher = Hasher()
    hasher.combine(element.kindNumber)
    var content = element
    if case .object(let object) = element {
      hasher.combine(object.type)
      content = object.content
    }
    let root = hasher.finalize()
    guard content.isCollection else { return }
    if case .dictionary(let entries) = content {
      for (key, value) in entries {
        let path = Self.combined(root, hash(key) ?? 0)
        let value = collection(value)
        guard let feature = add(value, at: path, hash) else { continue }
        fields.append(feature)
        if value.isCollection {
          addLeaves(of: value, at: path, levels: Self.mostLevels, collection, hash)
        } else {
          leaves.append(feature)
        }
      }
    } else {
      addLeaves(of: content, at: root, levels: Self.mostLevels, collection, hash)
    }
    fields.sort()
    leaves.sort()
    distinctive = Array(Set(distinctive))
  }

  /// The number of features.
  var count: Int { fields.count + leaves.count }

  /// Returns the equal share of two elements, from 0 to 1, if it shows that they are versions of one element: half of the
  /// fields of records, or of the values in them. Of the values in lists, which have no keys, it is more than half.
  func similarity(to other: ElementFeatures) -> Double? {
    let share = max(
      Self.equalShare(of: fields, other.fields), Self.equalShare(of: leaves, other.leaves))
    return share > 0.5 || share == 0.5 && !fields.isEmpty ? share : nil
  }

  /// Returns the share of equal hashes in the longer of two lists in order.
  private static func equalShare(of a: [Int], _ b: [Int]) -> Double {
    var (i, j, same) = (0, 0, 0)
    while i < a.count, j < b.count {
      if a[i] == b[j] {
        (i, j, same) = (i + 1, j + 1, same + 1)
      } else if a[i] < b[j] {
        i += 1
      } else {
        j += 1
      }
    }
    return same == 0 ? 0 : Double(same) / Double(max(a.count, b.count))
  }

  /// Returns the feature of a value, and notes it if it is distinctive.
  private mutating func add(_ value: Value, at path: Int, _ hash: (Value) -> Int?) -> Int? {
    guard let feature = hash(value).map({ Self.combined(path, $0) }) else { return nil }
    if value.tellsApart { distinctive.append(feature) }
    return feature
  }

  private mutating func addLeaves(
    of value: Value, at path: Int, levels: Int, _ collection: (Value) -> Value, _ hash: (Value) -> Int?
  ) {
    guard leaves.count < Self.mostLeaves else { return }
    let value = collection(value)
    switch value {
    case .dictionary(let entries) where levels > 0 && !entries.isEmpty:
      for (key, value) in entries {
        let path = Self.combined(path, hash(key) ?? 0)
        addLeaves(of: value, at: path, levels: levels - 1, collection, hash)
      }
    case .array(let parts) where levels > 0 && !parts.isEmpty,
      .set(let parts) where levels > 0 && !parts.isEmpty:
      for part in parts { addLeaves(of: part, at: path, levels: levels - 1, collection, hash) }
    default: if let feature = add(value, at: path, hash) { leaves.append(feature) }
    }
  }

  private static func combined(_ first: Int, _ second: Int) -> Int {
    var hasher = Hasher()
    hasher.combine(first)
    hasher.combine(second)
    return hasher.finalize()
  }
}

extension Value {
  /// True if two elements are unlikely to have the value in common by chance.
  fileprivate var tellsApart: Bool {
    switch self {
    case .null, .boolean: false
    case .string(let text): !text.utf8.isEmpty
    case .data(let bytes): !bytes.isEmpty
    case .array(let parts), .set(let parts): !parts.isEmpty
    case .dictionary(let entries): !entries.isEmpty
    default: true
    }
  }
}
