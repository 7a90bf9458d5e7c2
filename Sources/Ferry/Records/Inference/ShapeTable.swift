/// The shapes of the values of one or more documents, by path. Its memory depends on the number of different paths, and not
/// on the number of values.
struct ShapeTable {
  private var shapes: [ValueShape] = []
  /// For each shape that was added to another one, that other shape.
  private var aliases: [ShapeID: ShapeID] = [:]
  /// The namespaces of elements and attributes.
  var namespaces = FoundNamespaces()
  /// The largest number of shapes.
  let limit: Int
  /// The number of keys from which the keys of a dictionary are taken for values, such as names of people, if the
  /// dictionary is inside a record, or if most of its values are collections.
  static let mostKeys = 1000
  /// The largest number of keys of records.
  static let mostFields = 1 << 13
  /// The maximum nesting depth of values, which is more than the default limit of readers. A schema is made by recursion.
  static let deepest = 1024

  init(limit: Int) { self.limit = limit }

  subscript(id: ShapeID) -> ValueShape {
    _read { yield shapes[resolved(id).index] }
    _modify { yield &shapes[resolved(id).index] }
  }

  /// Gives all entries their names in a schema (see `ValueShape.nameEntries`). Returns the namespaces.
  mutating func nameEntries() -> [SchemaNamespace] {
    let (namespaces, emptyPrefix) = namespaces.table()
    guard !namespaces.isEmpty else { return [] }
    for index in shapes.indices {
      shapes[index].nameEntries(emptyPrefix: emptyPrefix)
      for entry in shapes[index].entries { self[entry.shape].name = entry.key }
    }
    return namespaces
  }

  /// Returns the shape of which a shape is a part, or the shape itself.
  func resolved(_ id: ShapeID) -> ShapeID {
    guard !aliases.isEmpty else { return id }
    var id = id
    while let other = aliases[id] { id = other }
    return id
  }

  /// Adds a shape. Throws if it is deeper than `deepest`.
  mutating func add(_ shape: ValueShape) throws(FerryError) -> ShapeID {
    guard shapes.count < limit else { throw FerryError(.overBudget(.names(limit))) }
    var shape = shape
    if let parent = shape.parent { shape.depth = self[parent].depth + 1 }
    guard shape.depth <= Self.deepest else { throw FerryError(.overBudget(.fixedDepth(Self.deepest))) }
    shapes.append(shape)
    return ShapeID(index: shapes.count - 1)
  }

  /// Returns the shape of the elements of lists.
  mutating func items(of id: ShapeID) throws(FerryError) -> ShapeID {
    if let items = self[id].items { return items }
    let items = try add(ValueShape(name: self[id].name, parent: id))
    self[id].items = items
    return items
  }

  /// Returns the index of the entry with a key in dictionaries, or adds it. Returns nil if the dictionaries have too many
  /// keys; then the values of all keys have one shape.
  mutating func entry(
    _ key: Span<UInt8>, of id: ShapeID, likely: Int, isElement: Bool = false
  ) throws(FerryError) -> Int? {
    if self[id].values != nil { return nil }
    if let index = self[id].index(of: key, likely: likely) { return index }
    if !isElement, hasTooManyKeys(id) {
      try joinValues(of: id)
      return nil
    }
    let name = key.decodedString
    var shape = recurringShape(named: name, in: id)
    if shape == nil {
      var made = ValueShape(name: name, parent: id)
      made.isElement = isElement
      shape = try add(made)
    }
    guard let shape else { return nil }
    self[id].add(ValueShape.Entry(key: name, shape: shape))
    return self[id].entries.count - 1
  }

  /// True if dictionaries have too many keys for one more entry.
  private func hasTooManyKeys(_ id: ShapeID) -> Bool {
    let entries = self[id].entries
    guard entries.count == Self.mostKeys else { return entries.count >= Self.mostFields }
    // Each collection may contain many paths.
    return entries.count { self[$0.shape].dictionaries > 0 || self[$0.shape].lists > 0 } * 2 > entries.count
  }

  /// Returns the shape of an entry with a name in an outer dictionary, if two outer dictionaries have such an entry. So
  /// values that contain values of their own kind have a limited number of paths.
  ///
  /// A shape that was joined with one inside it would be its own parent. So this follows the parents with which the shapes were made,
  /// whose indices decrease.
  private func recurringShape(named name: String, in id: ShapeID) -> ShapeID? {
    var inner: ShapeID?
    var shape = id
    while let parent = shapes[shape.index].parent {
      if self[shape].name.equals(name), isEntry(shape, parent) {
        if let inner { return inner }
        inner = shape
      }
      shape = parent
    }
    return nil
  }

  /// True if a shape is that of an entry of its parent, and not that of the elements of a list.
  private func isEntry(_ shape: ShapeID, _ parent: ShapeID) -> Bool {
    let shape = resolved(shape)
    return self[parent].items.map(resolved) != shape && self[parent].values.map(resolved) != shape
  }

  /// Gives the values of all keys of dictionaries one shape.
  mutating func joinValues(of id: ShapeID) throws(FerryError) {
    var joined = ValueShape(name: self[id].name, parent: id)
    joined.isElement = self[id].entries.first.map { self[$0.shape].isElement } ?? false
    let values = try add(joined)
    let entries = self[id].entries
    self[id].removeEntries()
    self[id].values = values
    for entry in entries { try join(entry.shape, into: values) }
  }

  /// Adds the values of a shape to another shape, which replaces it from then on.
  mutating func join(_ source: ShapeID, into target: ShapeID) throws(FerryError) {
    let (source, target) = (resolved(source), resolved(target))
    guard source != target else { return }
    let added = self[source]
    aliases[source] = target
    shapes[target.index].count += added.count
    shapes[target.index].nulls += added.nulls
    shapes[target.index].scalars.add(added.scalars)
    shapes[target.index].dictionaries += added.dictionaries
    shapes[target.index].lists += added.lists
    shapes[target.index].emptyLists += added.emptyLists
    shapes[target.index].blankTexts += added.blankTexts
    shapes[target.index].hasReferences = shapes[target.index].hasReferences || added.hasReferences
    shapes[target.index].isMixed = shapes[target.index].isMixed || added.isMixed
    for type in added.classes where !shapes[target.index].classes.contains(type) {
      shapes[target.index].classes.append(type)
    }
    if let items = added.items {
      if let known = self[target].items {
        try join(items, into: known)
      } else {
        self[target].items = items
      }
    }
    for entry in added.entries { try join(entry, into: target) }
    if let values = added.values {
      if self[target].values == nil { try joinValues(of: target) }
      if let known = self[target].values { try join(values, into: known) }
    }
  }

  private mutating func join(_ entry: ValueShape.Entry, into target: ShapeID) throws(FerryError) {
    if let values = self[target].values {
      try join(entry.shape, into: values)
    } else if let index = self[target].index(of: entry.key) {
      self[target].addToEntry(index, entry)
      try join(entry.shape, into: self[target].entries[index].shape)
    } else {
      self[target].add(entry)
    }
  }
}
