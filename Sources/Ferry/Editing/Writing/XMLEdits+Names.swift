// Elements and attributes that get another name. Their contents, their order and the layout around them stay.

/// The children of an element that get other names, and stay where they are.
struct RenamedChildren {
  typealias Child = (child: Int, node: NodeID)

  /// The children with their old values, by their new keys.
  private(set) var elements: [[UInt8]: [Child]] = [:]
  /// The new names of the children.
  private(set) var names: [Int: [UInt8]] = [:]
  /// The children.
  private(set) var all: Set<Int> = []

  mutating func add(_ child: Int, _ node: NodeID, as name: [UInt8], for key: [UInt8]) {
    guard all.insert(child).inserted else { return }
    elements[key, default: []].append((child, node))
    names[child] = name
  }

  /// Leaves out the children that get the name for a key.
  mutating func remove(_ key: [UInt8]) {
    for (child, _) in elements.removeValue(forKey: key) ?? [] {
      all.remove(child)
      names[child] = nil
    }
  }

  /// Returns the keys whose elements are among others, and were not before the children got their names.
  ///
  /// - Parameter keys: The keys of all children, in order.
  func divided(_ keys: [(child: Int, key: [UInt8])]) -> Set<[UInt8]> {
    var newKeys: [Int: [UInt8]] = [:]
    for (key, children) in elements {
      for (child, _) in children { newKeys[child] = key }
    }
    let after = Self.divided(keys.map { newKeys[$0.child] ?? $0.key })
    return after.subtracting(Self.divided(keys.map(\.key)))
  }

  /// Returns the keys that occur again after others.
  private static func divided(_ keys: [[UInt8]]) -> Set<[UInt8]> {
    var (ended, found): (Set<[UInt8]>, Set<[UInt8]>) = ([], [])
    for index in keys.indices where index == 0 || keys[index] != keys[index - 1] {
      if !ended.insert(keys[index]).inserted { found.insert(keys[index]) }
    }
    return found
  }

  /// Returns true if children get the name for a key, or if some of those that have it get others.
  func changes(_ key: [UInt8], with children: [Int]) -> Bool {
    !all.isEmpty && (elements[key] != nil || children.contains(where: all.contains))
  }

  /// Returns the children that have, or get, the name for a key, in order.
  ///
  /// - Parameters:
  ///   - nodes: The old values for the key.
  ///   - children: The elements with these values.
  func list(of key: [UInt8], _ nodes: [NodeID], _ children: [Int]) -> [Child] {
    let staying = zip(children, nodes).filter { !all.contains($0.0) }.map { (child: $0.0, node: $0.1) }
    return (staying + (elements[key] ?? [])).sorted { $0.child < $1.child }
  }
}

extension XMLEdits {
  /// Gives the attributes other names whose values have other keys. Returns the old entries with the new keys.
  ///
  /// - Parameters:
  ///   - old: The entries of the element in the original document.
  ///   - new: The entries that it gets.
  ///   - entries: The children and attributes of the element.
  mutating func renaming(
    _ old: Entries, _ new: Entries, _ entries: XMLMarkup.Entries, of element: Int
  ) throws(FerryError) -> Entries {
    let added = new.keys.filter { $0.first == UInt8(ascii: "@") && old.values[$0] == nil }
    guard !added.isEmpty else { return old }
    var newKeys: [NodeID: [UInt8]] = [:]
    for key in added {
      if let origin = new.values[key].flatMap({ list.original(of: $0) }) { newKeys[origin] = key }
    }
    var renamed = old
    for (index, key) in old.keys.enumerated() where new.values[key] == nil {
      guard let value = old.values[key], let newKey = newKeys[value], let new = new.values[newKey],
        try !list.kind(of: new).isCollection, try !isChanged(value, new),
        case .attribute(let attribute?) = entries.part(of: key),
        case .attribute(nil) = entries.part(of: newKey),
        let name = try name(newKey, in: element, isAttribute: true)
      else { continue }
      edits.append(ByteEdit(range: attribute.name, text: name))
      renamed.keys[index] = newKey
      renamed.values[key] = nil
      renamed.values[newKey] = value
    }
    return renamed
  }

  /// Returns the children of an element whose values have other keys in it.
  ///
  /// - Parameters:
  ///   - old: The entries of the element in the original document.
  ///   - new: The entries that it gets.
  ///   - entries: The children and attributes of the element.
  mutating func renamedChildren(
    _ old: Entries, _ new: Entries, _ entries: XMLMarkup.Entries
  ) throws(FerryError) -> RenamedChildren {
    var renamed = RenamedChildren()
    let moved = try movedNodes(old, new, entries)
    guard !moved.isEmpty else { return renamed }
    /// The values that keep their keys.
    var staying: [[UInt8]: Set<NodeID>] = [:]
    let children = try childrenOfValues(in: old, entries)
    for (node, key) in moved {
      guard let (child, oldKey) = children[node] else { continue }
      if staying[oldKey] == nil {
        let nodes = try new.values[oldKey].map { value throws(FerryError) in try listed(value, in: list) }
        staying[oldKey] = Set((nodes ?? []).compactMap { list.original(of: $0) })
      }
      guard staying[oldKey]?.contains(node) != true, let name = try name(key, in: child, isAttribute: false)
      else { continue }
      renamed.add(child, node, as: name, for: key)
    }
    return try keepingLists(renamed, children, new)
  }

  /// Returns the children that get other names without those that could not stay where they are: a list in another order than that of its
  /// elements in the document, or one whose elements would come among others, although they were together.
  ///
  /// - Parameters:
  ///   - children: The children of the element by their values, with their keys.
  ///   - new: The entries that the element gets.
  private func keepingLists(
    _ renamed: RenamedChildren, _ children: [NodeID: (child: Int, key: [UInt8])], _ new: Entries
  ) throws(FerryError) -> RenamedChildren {
    var kept = renamed
    for key in renamed.elements.keys where try !isInOrder(key, new, renamed, children) {
      kept.remove(key)
    }
    let keys = children.values.sorted { $0.child < $1.child }
    let divided = kept.divided(keys)
    // A document with types is read in another form if the elements of a list are among others.
    if hasKeysLikeJSON { return divided.isEmpty ? kept : RenamedChildren() }
    let joined = Set(keys.lazy.filter { !kept.all.contains($0.child) }.map(\.key))
    for key in divided where joined.contains(key) { kept.remove(key) }
    return kept
  }

  /// Returns true if the elements for a key that have, or get, its name are in the order of the document.
  private func isInOrder(
    _ key: [UInt8], _ new: Entries, _ renamed: RenamedChildren,
    _ children: [NodeID: (child: Int, key: [UInt8])]
  ) throws(FerryError) -> Bool {
    guard let value = new.values[key] else { return true }
    var last = -1
    for node in try listed(value, in: list) {
      guard let origin = list.original(of: node), let (child, oldKey) = children[origin],
        renamed.all.contains(child) || oldKey == key
      else { continue }
      guard child > last else { return false }
      last = child
    }
    return true
  }

  /// Returns the values of the original document that elements get for keys which they did not have before, with these keys.
  private func movedNodes(
    _ old: Entries, _ new: Entries, _ entries: XMLMarkup.Entries
  ) throws(FerryError) -> [(node: NodeID, key: [UInt8])] {
    var moved: [(NodeID, [UInt8])] = []
    for key in new.keys {
      guard let value = new.values[key], value != old.values[key] || isTouched(value),
        case .elements = entries.part(of: key)
      else { continue }
      let before = try old.values[key].map { value throws(FerryError) in try listed(value, in: tree) }
      let known = Set(before ?? [])
      for node in try listed(value, in: list) {
        if let origin = list.original(of: node), !known.contains(origin) { moved.append((origin, key)) }
      }
    }
    return moved
  }

  /// Returns the children of an element by their values, with their keys.
  private func childrenOfValues(
    in old: Entries, _ entries: XMLMarkup.Entries
  ) throws(FerryError) -> [NodeID: (child: Int, key: [UInt8])] {
    var found: [NodeID: (child: Int, key: [UInt8])] = [:]
    for key in old.keys {
      guard let value = old.values[key], case .elements(let children) = entries.part(of: key) else {
        continue
      }
      let nodes = try listed(value, in: tree)
      // Elements from the text of an entity have no place in the document.
      guard nodes.count == children.count else { continue }
      for (node, child) in zip(nodes, children) { found[node] = (child, key) }
    }
    return found
  }

  /// Gives a child another name if it has one of the new names.
  mutating func rename(_ child: Int, _ renamed: RenamedChildren) {
    if let name = renamed.names[child] { rename(child, name) }
  }

  /// Gives an element another name.
  mutating func rename(_ element: Int, _ name: [UInt8]) {
    changes[element].newName = name
    for range in names(of: element) { edits.append(ByteEdit(range: range, text: name)) }
  }

  /// Returns the name for a new key of an element or of one of its attributes. Returns nil for a name whose namespace is not declared there.
  private mutating func name(_ key: [UInt8], in element: Int, isAttribute: Bool) throws(FerryError)
    -> [UInt8]?
  {
    let bare = isAttribute ? Array(key.dropFirst()) : key
    guard ExpandedName(bare.span) == nil, !bare.starts(with: "xmlns".utf8) else { return nil }
    guard !markup.keepsName(bare, in: element, isAttribute: isAttribute) else { return try encodedName(bare) }
    guard let colon = bare.firstIndex(of: UInt8(ascii: ":")) else {
      return try encodedName(XMLKeyName.name(for: bare.span, keepsColon: false))
    }
    let declared = Set(prefixes.declared(in: element))
    let isDeclared = declared.contains(Array(bare[..<colon]))
    guard isDeclared || prefixes.undeclared(in: .string(""), under: key, besides: declared) == nil else {
      return nil
    }
    return try encodedName(XMLKeyName.name(for: bare.span, keepsColon: isDeclared))
  }
}
