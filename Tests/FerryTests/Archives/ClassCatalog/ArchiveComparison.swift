@testable import Ferry

/// Compares two archives object by object, from their roots: the numbers of objects and the order of keys do not matter.
///
/// An object that the class catalog understands has to have the same keys, each with its value in the same place: in the object
/// or referred to. Collections are compared by their elements, however these are archived; other objects by their keys. A
/// nil among elements is an `NSNull` afterward.
final class ArchiveComparison {
  private let first: ArchiveObjects
  private let second: ArchiveObjects
  private let catalog: ClassCatalog
  private var waiting: [(first: NodeID, second: NodeID, path: String)] = []
  private var met: Set<[NodeID]> = []
  /// The differences between the archives.
  private(set) var differences: [String] = []
  /// The number of objects of each class that are equal, key by key.
  private(set) var understood: [String: Int] = [:]
  /// The number of objects of each class in the catalog that have no decoded form.
  private(set) var declined: [String: Int] = [:]

  init(_ first: ArchiveObjects, _ second: ArchiveObjects, catalog: ClassCatalog = .standard) {
    (self.first, self.second, self.catalog) = (first, second, catalog)
  }

  func run() throws(FerryError) {
    guard let root = second.top.first?.node else { return }
    if first.hasOnlyRoot {
      waiting = [(first.top[0].node, root, "root")]
    } else {
      // The second archive holds what the first one names in a dictionary.
      let entries = try entries(of: second.resolved(root), in: second)
      for top in first.top {
        guard let value = entries?[top.name] else { return differences.append("no \(top.name)") }
        waiting.append((top.node, value, top.name))
      }
    }
    while let next = waiting.popLast(), differences.count < 5 {
      try compare(next.first, next.second, next.path)
    }
  }

  private func compare(_ a: NodeID, _ b: NodeID, _ path: String) throws(FerryError) {
    let (a, b) = (try first.resolved(a), try second.resolved(b))
    guard met.insert([a, b]).inserted else { return }
    let (kindA, kindB) = (try first.nodes.kind(of: a), try second.nodes.kind(of: b))
    switch (kindA, kindB) {
    case (.string, .string):
      let texts = (try first.nodes.string(a), try second.nodes.string(b))
      if texts.0 != texts.1 { differences.append("\(path): \(texts)") }
    case (.data, .data):
      let bytes = try first.nodes.withData(of: a) { bytes throws(FerryError) in [UInt8](copying: bytes) }
      let same = try second.nodes.withData(of: b) { other throws(FerryError) in bytes.span.equals(other) }
      if !same { differences.append("\(path): other data") }
    case (.array, .array), (.set, .set):
      try compareElements(first.elements(a), second.elements(b), path)
    case (.dictionary(let countA), .dictionary(let countB)):
      let typeA = try first.type(of: a, count: countA)
      let typeB = try second.type(of: b, count: countB)
      guard typeA == typeB, let typeA else {
        return differences.append("\(path): \(typeA?.name ?? "no class") and \(typeB?.name ?? "none")")
      }
      try compare(a, countA, b, countB, of: typeA, path)
    case (.string, .dictionary(1)) where try first.nodes.string(a) == "$null": break
    case (.null, .null): break
    default:
      if kindA != kindB { differences.append("\(path): \(kindA) and \(kindB)") }
    }
  }

  private func compare(
    _ a: NodeID, _ countA: Int, _ b: NodeID, _ countB: Int, of type: ObjectClass, _ path: String
  ) throws(FerryError) {
    let path = "\(path) ▸ \(type.name)"
    if let entry = catalog.entry(for: type) {
      var object = try ArchivedObject(type, at: a, count: countA, in: first)
      if try entry.codec.decode(&object) != nil, object.isEmpty {
        understood[type.name, default: 0] += 1
        return try compareKeys(a, b, strictly: !(entry.codec is ScalarCodec), path)
      }
      declined[type.name, default: 0] += 1
    }
    let isList = ["NSArray", "NSSet", "NSOrderedSet"].contains { type.inherits(from: $0) }
    if isList, let listA = try first.list(a), let listB = try second.list(b) {
      return try compareElements(listA, listB, path)
    }
    if type.inherits(from: "NSDictionary"), let entriesA = try first.entries(a),
      let entriesB = try second.entries(b)
    {
      try compareElements(entriesA.keys, entriesB.keys, path)
      return try compareElements(entriesA.values, entriesB.values, path)
    }
    try compareKeys(a, b, strictly: false, path)
  }

  private func compareElements(_ a: [NodeID], _ b: [NodeID], _ path: String) throws(FerryError) {
    guard a.count == b.count else { return differences.append("\(path): \(a.count) and \(b.count) elements") }
    for (index, pair) in zip(a, b).enumerated() { waiting.append((pair.0, pair.1, "\(path)[\(index)]")) }
  }

  private func compareKeys(_ a: NodeID, _ b: NodeID, strictly: Bool, _ path: String) throws(FerryError) {
    guard let keysA = try entries(of: a, in: first), let keysB = try entries(of: b, in: second) else {
      return differences.append("\(path): keys that occur twice")
    }
    // What makers of strings and data name differently is the same.
    let same = ["NS.bytes": "NS.data"]
    guard Set(keysA.keys.map { same[$0] ?? $0 }) == Set(keysB.keys.map { same[$0] ?? $0 }) else {
      return differences.append("\(path): keys \(keysA.keys.sorted()) and \(keysB.keys.sorted())")
    }
    for (key, nodeA) in keysA {
      guard key != "$class", let nodeB = keysB[key] ?? keysB["NS.data"] else { continue }
      let inPlace = (try first.isInline(nodeA), try second.isInline(nodeB))
      if strictly, inPlace.0 != inPlace.1 { differences.append("\(path).\(key): in place \(inPlace)") }
      waiting.append((nodeA, nodeB, "\(path).\(key)"))
    }
  }

  /// The keys of an object, or the entries of a dictionary whose keys are strings.
  private func entries(of node: NodeID, in objects: ArchiveObjects) throws(FerryError) -> [String: NodeID]? {
    var entries: [String: NodeID] = [:]
    if let (keys, values) = try objects.entries(node) {
      for (key, value) in zip(keys, values) {
        entries[try objects.nodes.string(objects.resolved(key)) ?? ""] = value
      }
      return entries
    }
    guard case .dictionary(let count) = try objects.nodes.kind(of: node) else { return nil }
    for index in 0..<count {
      guard let key = try objects.nodes.string(try objects.nodes.key(index, of: node)),
        entries.updateValue(try objects.nodes.value(index, of: node), forKey: key) == nil
      else { return nil }
    }
    return entries
  }
}

extension ArchiveObjects {
  fileprivate func resolved(_ node: NodeID) throws(FerryError) -> NodeID {
    guard case .uid(let uid) = try nodes.kind(of: node) else { return node }
    return try self.node(of: uid, referredFrom: node)
  }

  fileprivate func isInline(_ node: NodeID) throws(FerryError) -> Bool {
    if case .uid = try nodes.kind(of: node) { false } else { true }
  }

  fileprivate func elements(_ node: NodeID) throws(FerryError) -> [NodeID] {
    var elements: [NodeID] = []
    switch try nodes.kind(of: node) {
    case .array(let count), .set(let count):
      for index in 0..<count { elements.append(try nodes.element(index, of: node)) }
    default: break
    }
    return elements
  }

  /// The elements of a list in either of the layouts that archivers use.
  fileprivate func list(_ node: NodeID) throws(FerryError) -> [NodeID]? {
    if let list = try nodes.value("NS.objects", of: node) { return try elements(list) }
    return try numbered("NS.object.", of: node)
  }

  /// The keys and values of a dictionary object in either of the layouts; nil for what has neither.
  fileprivate func entries(_ node: NodeID) throws(FerryError) -> (keys: [NodeID], values: [NodeID])? {
    if let keys = try nodes.value("NS.keys", of: node), let values = try nodes.value("NS.objects", of: node) {
      return (try elements(keys), try elements(values))
    }
    let (keys, values) = (try numbered("NS.key.", of: node), try numbered("NS.object.", of: node))
    guard case .dictionary(let count) = try nodes.kind(of: node), count == keys.count + values.count + 1,
      keys.count == values.count
    else { return nil }
    return (keys, values)
  }

  private func numbered(_ prefix: String, of node: NodeID) throws(FerryError) -> [NodeID] {
    guard case .dictionary(let count) = try nodes.kind(of: node) else { return [] }
    var numbered: [Int: NodeID] = [:]
    for index in 0..<count {
      guard let key = try nodes.string(try nodes.key(index, of: node)), key.hasPrefix(prefix),
        let number = Int(key.dropFirst(prefix.count))
      else { continue }
      numbered[number] = try nodes.value(index, of: node)
    }
    return numbered.sorted { $0.key < $1.key }.map(\.value)
  }
}
