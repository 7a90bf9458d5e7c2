extension SchemaMaker {
  /// The shapes from the document to one inside it, and the records among them.
  struct Path {
    var shapes: Set<ShapeID> = []
    var records: [(shape: ShapeID, key: String)] = []
    /// The number of shapes that were visited, each as often as a path leads to it.
    var visitCount = 0
  }

  /// Joins the shape of records inside records of the same kind with that of the outer ones.
  mutating func joinRecurring(in id: ShapeID, _ path: inout Path) throws(FerryError) {
    let id = table.resolved(id)
    guard path.shapes.insert(id).inserted else { return }
    defer { path.shapes.remove(id) }
    path.visitCount += 1
    // Each shape has one path before shapes are joined. Joined shapes may have paths without number.
    guard path.visitCount <= table.limit else { throw FerryError(.overBudget(.names(table.limit))) }
    if let items = table[id].items { try joinRecurring(in: items, &path) }
    if let values = table[id].values { try joinRecurring(in: values, &path) }
    if table[id].dictionaries > 0,
      let outer = path.records.last(where: { isSameKind(id, as: $0.shape, under: $0.key) })
    {
      try table.join(id, into: outer.shape)
      // The joined shape has new paths, which the outer record's loop does not visit.
      return
    }
    var index = 0
    while index < table[id].entries.count {
      let entry = table[id].entries[index]
      path.records.append((id, entry.key))
      try joinRecurring(in: entry.shape, &path)
      path.records.removeLast()
      index += 1
    }
  }

  /// Returns true if dictionaries inside others, under a key, are of the same kind: they have the same key, and no keys that
  /// the outer ones lack, or the same name and many of the same keys. Elements of different names with only the key are lists, whose
  /// elements happen to have one name: `<rects><_>1</_></rects>` in `<features><_>…</_></features>`.
  private func isSameKind(_ inner: ShapeID, as outer: ShapeID, under key: String) -> Bool {
    let (inner, outer) = (table[inner], table[outer])
    guard inner.isElement == outer.isElement, inner.classes == outer.classes, outer.dictionaries > 0,
      inner.entries.count > 1 || inner.isElement && inner.name.equals(outer.name),
      inner.index(of: key) != nil || inner.name.equals(outer.name)
    else { return false }
    guard inner.parent != nil else { return false }
    let common = inner.entries.count { outer.index(of: $0.key) != nil }
    let isNamed = inner.name.equals(outer.name) && inner.isElement
    if isNamed { return common * 2 >= inner.entries.count }
    guard inner.index(of: key) != nil, common == inner.entries.count else { return false }
    return outer.entries.allSatisfy { !outer.isRequired($0) || inner.index(of: $0.key) != nil }
  }
}
