/// The shared arrays, sets and dictionaries of a merge that the versions do not share alike.
///
///     base {a: → #1, b: [3], c: → #1}, #1 = [1, 2]      ours {a: → #2, b: → #2, c: [1, 2]}, #2 = [3]
///
/// Such a collection has no identity of its own, as a text has none, so no collection of another version is known to be the
/// same. Before the merge, each reference to it is replaced by its content. After the merge, a content that is still the
/// same becomes a reference again at the paths where a version has one.
struct CopiedCollections {
  /// The versions without copies.
  private(set) var originals: [MergeSide: SharedObjects]
  /// The numbers of the collections in each version.
  private var copied: [MergeSide: Set<Int>] = [:]
  /// The collections by content, with copies in place of all references to others.
  private var numbers: [Value: [Int]] = [:]
  /// The collections to which a version refers at a path.
  private var paths: [SharedObjects.ReferencePath: Set<Int>] = [:]

  /// True if no collection is copied.
  var isEmpty: Bool { copied.values.allSatisfy(\.isEmpty) }

  /// Finds the collections.
  ///
  /// - Parameters:
  ///   - versions: The versions, with the object numbers of their files.
  ///   - numbers: For each version, the common numbers of its objects. Objects without one keep their own.
  init(in versions: [MergeSide: SharedObjects], numbered numbers: [MergeSide: [Int: Int]]) {
    originals = versions
    let paths = versions.map { side, version in version.pathsOfCollections(numbered: numbers[side] ?? [:]) }
    for (side, version) in versions {
      let different = version.collections.filter { number in
        let common = numbers[side]?[number] ?? number
        return paths.contains { $0[common] != paths[0][common] }
      }
      copied[side] = version.copyable(different)
    }
  }

  /// The versions with a content in place of each reference to one of the collections.
  var versions: [MergeSide: SharedObjects] {
    var versions = originals
    for (side, numbers) in copied { versions[side] = originals[side]?.copying(numbers) }
    return versions
  }

  /// Gives the objects of the original versions common numbers, and equal collections of several versions one number.
  ///
  /// - Parameters:
  ///   - common: For each version, the common numbers of its objects.
  ///   - next: The first number that no object has.
  mutating func number(_ common: [MergeSide: [Int: Int]], from next: Int) {
    var next = next
    for side in [MergeSide.base, .ours, .theirs] {
      guard var version = originals[side], let own = copied[side] else { continue }
      // Their own numbers may be common numbers of other objects.
      var names = common[side] ?? [:]
      let first = next
      for number in own.sorted() {
        names[number] = next
        next &+= 1
      }
      version.rename(names)
      let new = Set(first..<next)
      names = knownNumbers(of: new, in: version)
      version.rename(names)
      (originals[side], copied[side]) = (version, Set(new.map { names[$0] ?? $0 }))
      for (number, found) in version.pathsOfCollections(numbered: [:]) {
        for path in found.keys { paths[path, default: []].insert(number) }
      }
    }
  }

  /// Returns the numbers of those collections of a version that an earlier version has, and notes the others.
  private mutating func knownNumbers(of collections: Set<Int>, in version: SharedObjects) -> [Int: Int] {
    let known = numbers
    var (names, occurrences): ([Int: Int], [Value: Int]) = ([:], [:])
    for number in collections.sorted() {
      let content = version.inlining(collections, in: .reference(number))
      let occurrence = occurrences[content, default: 0]
      occurrences[content] = occurrence + 1
      if let numbers = known[content], occurrence < numbers.count {
        names[number] = numbers[occurrence]
      } else {
        numbers[content, default: []].append(number)
      }
    }
    return names
  }

  /// Returns a merged value with references in place of the contents that a version shares at the same paths.
  func sharing(_ merged: SharedObjects) -> SharedObjects {
    var objects = merged.objects
    var keys: [Value] = []
    let root = shared(merged.root, in: nil, &keys, &objects)
    for (number, var object) in merged.objects {
      object.content = withSharedParts(object.content, in: number, &keys, &objects)
      objects[number] = object
    }
    return SharedObjects(root, with: objects)
  }

  /// Returns a reference in place of a content that a version shares at the path, otherwise the value with references in
  /// it.
  private func shared(
    _ value: Value, in object: Int?, _ keys: inout [Value], _ objects: inout [Int: ObjectValue]
  ) -> Value {
    let known = value.isCollection ? paths[SharedObjects.ReferencePath(object: object, keys: keys)] : nil
    guard let known, let number = numbers[value]?.first(where: known.contains), let type = type(of: number)
    else {
      return withSharedParts(value, in: object, &keys, &objects)
    }
    if objects[number] == nil {
      var inner: [Value] = []
      let content = withSharedParts(value, in: number, &inner, &objects)
      objects[number] = ObjectValue(type, content: content)
    }
    return .reference(number)
  }

  private func withSharedParts(
    _ value: Value, in object: Int?, _ keys: inout [Value], _ objects: inout [Int: ObjectValue]
  ) -> Value {
    switch value {
    case .object(var inner):
      // The content of an object belongs to the object.
      inner.content = withSharedParts(inner.content, in: object, &keys, &objects)
      return .object(inner)
    case .array(let values): return .array(values.map { shared($0, in: object, &keys, &objects) })
    case .set(let values): return .set(values.map { shared($0, in: object, &keys, &objects) })
    case .dictionary(let entries):
      var result = KeyedValues()
      for (key, value) in entries {
        keys.append(key)
        result[key] = shared(value, in: object, &keys, &objects)
        keys.removeLast()
      }
      return .dictionary(result)
    default: return value
    }
  }

  private func type(of number: Int) -> ObjectClass? {
    originals.values.lazy.compactMap { $0.objects[number]?.type }.first
  }
}

extension SharedObjects {
  /// The path of a reference to a shared collection: the object that has it, and the keys of the dictionaries in that object.
  struct ReferencePath: Hashable {
    let object: Int?
    let keys: [Value]
  }

  /// The numbers of the shared arrays, sets and dictionaries without a class of their own.
  var collections: Set<Int> { Set(objects.filter { $0.value.isPlainCollection }.keys) }

  /// Returns the number of references to each of the collections at each path.
  ///
  /// - Parameter numbers: Other numbers for some of the objects.
  func pathsOfCollections(numbered numbers: [Int: Int]) -> [Int: [ReferencePath: Int]] {
    let collections = collections
    guard !collections.isEmpty else { return [:] }
    var paths: [Int: [ReferencePath: Int]] = [:]
    func find(in value: Value, object: Int?, _ keys: inout [Value]) {
      switch value {
      case .reference(let number):
        guard collections.contains(number) else { return }
        paths[numbers[number] ?? number, default: [:]][
          ReferencePath(object: object, keys: keys), default: 0] += 1
      case .dictionary(let entries):
        for (key, value) in entries {
          find(in: key, object: object, &keys)
          keys.append(key)
          find(in: value, object: object, &keys)
          keys.removeLast()
        }
      default: for part in value.parts { find(in: part, object: object, &keys) }
      }
    }
    var keys: [Value] = []
    find(in: root, object: nil, &keys)
    for (number, object) in objects { find(in: object.content, object: numbers[number] ?? number, &keys) }
    return paths
  }

  // MARK: Copies

  /// The maximum number of values that copies may add to a version. Collections that would add more are not copied.
  private static let copiedValues = 1 << 20
  /// The maximum number of levels of copied collections in each other.
  private static let copiedLevels = 64

  /// Returns the collections that do not contain themselves, and whose copies are small enough.
  fileprivate func copyable(_ numbers: Set<Int>) -> Set<Int> {
    let counts = referenceCounts
    // The size of a collection is known if the sizes of all collections in it are.
    var sizes: [Int: Int] = [:]
    var waiting = numbers.sorted()
    for _ in 0..<Self.copiedLevels {
      let unknown = waiting.filter { number in
        guard let content = objects[number]?.content else { return true }
        let parts = content.references.filter(numbers.contains)
        guard parts.allSatisfy({ sizes[$0] != nil }) else { return true }
        sizes[number] = parts.reduce(content.size) { min($0 + (sizes[$1] ?? 0), Self.copiedValues) }
        return false
      }
      guard unknown.count < waiting.count else { break }
      waiting = unknown
    }
    var copied: Set<Int> = []
    var added = 0
    for (number, size) in sizes.sorted(by: { ($0.value, $0.key) < ($1.value, $1.key) }) {
      let (all, isTooLarge) = size.multipliedReportingOverflow(by: counts[number, default: 1])
      guard !isTooLarge, all <= Self.copiedValues - added else { continue }
      added += all
      copied.insert(number)
    }
    return copied
  }

  /// Returns the value with the content of collections in place of the references to them.
  fileprivate func copying(_ numbers: Set<Int>) -> SharedObjects {
    numbers.isEmpty ? self : inlining(numbers).findingShared
  }
}

extension Value {
  /// The number of values in the value, itself included.
  fileprivate var size: Int {
    var (size, waiting) = (0, [self])
    while let value = waiting.popLast() {
      size += 1
      waiting += value.parts
    }
    return size
  }
}
