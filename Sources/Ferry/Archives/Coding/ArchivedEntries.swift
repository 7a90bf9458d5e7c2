internal import OrderedCollections

/// The elements of a list in an archive: those of an array in place, or of an object of a collection class, in either of
/// the layouts that archivers use.
struct ArchivedList {
  private enum Elements {
    case array(Int, count: Int)
    case numbered([Int])
  }

  private let elements: Elements

  /// Nil when the node is no list.
  init?(_ node: Int, _ objectClass: ObjectClass?, in nodes: any PropertyListNodes) throws(Failure) {
    switch try nodes.kind(of: node) {
    case .array(let count), .set(let count): elements = .array(node, count: count)
    case .dictionary(let count):
      guard let objectClass, objectClass.isList else { return nil }
      if let list = try nodes.value("NS.objects", of: node) {
        guard case .array(let count) = try nodes.kind(of: list) else { return nil }
        elements = .array(list, count: count)
      } else {
        guard let numbered = try NumberedEntries(of: node, count: count, in: nodes, isDictionary: false)
        else { return nil }
        elements = .numbered(numbered.elements)
      }
    default: return nil
    }
  }

  var count: Int {
    switch elements {
    case .array(_, let count): count
    case .numbered(let elements): elements.count
    }
  }

  /// The node of the element at an index below the count.
  func element(_ index: Int, in nodes: any PropertyListNodes) throws(Failure) -> Int {
    switch elements {
    case .array(let list, _): try nodes.element(index, of: list)
    case .numbered(let elements): elements[index]
    }
  }
}

extension ObjectClass {
  fileprivate var isList: Bool {
    inherits(from: "NSArray") || inherits(from: "NSOrderedSet")
      || inherits(from: "NSSet") && !inherits(from: "NSCountedSet")
  }
}

/// The keys and values of an `NSDictionary`, or of the entries of a dictionary in place, as nodes.
struct ArchivedPairs {
  private enum Entries {
    case arrays(keys: Int, values: Int)
    case numbered(NumberedEntries)
    case inPlace(Int)
  }

  private let entries: Entries
  let count: Int

  /// Nil when the node is neither; an object of another class is none.
  init?(_ node: Int, _ objectClass: ObjectClass?, in nodes: any PropertyListNodes) throws(Failure) {
    guard case .dictionary(let size) = try nodes.kind(of: node) else { return nil }
    guard let objectClass else {
      (entries, count) = (.inPlace(node), size)
      return
    }
    guard objectClass.inherits(from: "NSDictionary") else { return nil }
    if let keys = try nodes.value("NS.keys", of: node), let values = try nodes.value("NS.objects", of: node),
      case .array(let size) = try nodes.kind(of: keys)
    {
      guard case .array(size) = try nodes.kind(of: values) else {
        throw Failure(.archive(.badCollection("the dictionary has not as many keys as values")))
      }
      (entries, count) = (.arrays(keys: keys, values: values), size)
      return
    }
    guard let numbered = try NumberedEntries(of: node, count: size, in: nodes, isDictionary: true) else {
      return nil
    }
    (entries, count) = (.numbered(numbered), numbered.keys.count)
  }

  /// The node of the key at an index below the count.
  func key(_ index: Int, in nodes: any PropertyListNodes) throws(Failure) -> Int {
    switch entries {
    case .arrays(let keys, _): try nodes.element(index, of: keys)
    case .numbered(let numbered): numbered.keys[index]
    case .inPlace(let node): try nodes.key(index, of: node)
    }
  }

  /// The node of the value at an index below the count.
  func value(_ index: Int, in nodes: any PropertyListNodes) throws(Failure) -> Int {
    switch entries {
    case .arrays(_, let values): try nodes.element(index, of: values)
    case .numbered(let numbered): numbered.elements[index]
    case .inPlace(let node): try nodes.value(index, of: node)
    }
  }
}

/// What an object holds, by name: its archived keys, or the entries of a dictionary whose keys are strings.
struct ArchivedFields {
  /// Nodes by name.
  private var values: OrderedDictionary<String, Int> = [:]

  /// Nil when the node is no dictionary and no object.
  init?(_ frame: ArchivedFrame, in decoding: ArchiveDecoding) throws(Failure) {
    guard let node = frame.target, case .dictionary(let count) = try decoding.nodes.kind(of: node) else {
      return nil
    }
    let nodes = decoding.nodes
    if let pairs = try ArchivedPairs(node, frame.objectClass, in: nodes) {
      for index in 0..<pairs.count {
        guard let key = try decoding.resolve(pairs.key(index, in: nodes)).target,
          let name = try decoding.keyText(key)
        else { continue }
        add(name, try pairs.value(index, in: nodes))
      }
    } else {
      for index in 0..<count {
        guard let name = try decoding.keyText(nodes.key(index, of: node)), name != "$class" else { continue }
        // The archiver puts a `$` before names that begin with one.
        add(name.hasPrefix("$$") ? String(name.dropFirst()) : name, try nodes.value(index, of: node))
      }
    }
  }

  /// Of two equal names the first counts, as in CoreFoundation.
  private mutating func add(_ name: String, _ node: Int) {
    if values[name] == nil { values[name] = node }
  }

  /// The names in the file's order.
  var names: [String] { Array(values.keys) }

  /// The node of a value, or nil.
  func value(_ name: String) -> Int? { values[name] }
}
