extension SchemaMaker {
  /// True if the keys of dictionaries are values themselves, such as numbers or names, and not the names of fields.
  func hasFreeKeys(_ id: ShapeID) -> Bool {
    let shape = table[id]
    guard shape.values == nil, shape.classes.isEmpty, shape.entries.count > 3 else { return false }
    let kinds = Set(shape.entries.map { kind(of: table[$0.shape]) })
    guard kinds.count == 1, kinds != [nil] else { return false }
    if shape.entries.allSatisfy({ $0.key.looksLikeValue }) { return true }
    if shape.entries.count > 7, areAlike(shape.entries) { return true }
    return shape.dictionaries > 1 && shape.entries.count > 15
      && shape.entries.allSatisfy { $0.records * 2 < shape.dictionaries }
  }

  /// True if the values of entries are records with mostly the same keys, or scalars of one type that are too many to be
  /// fields.
  private func areAlike(_ entries: [ValueShape.Entry]) -> Bool {
    var keys: Set<ExactString> = []
    var count = 0
    for entry in entries {
      let shape = table[entry.shape]
      guard shape.dictionaries > 0 else { return entries.count > 40 && shape.scalars.count > 0 }
      for inner in shape.entries { keys.insert(ExactString(inner.key)) }
      count += shape.entries.count
    }
    return keys.count > 1 && count * 4 >= keys.count * entries.count * 3
  }

  /// The kind of all values at a path, or nil if they have different kinds.
  private func kind(of shape: ValueShape) -> String? {
    switch (shape.scalars.count > 0, shape.lists > 0, shape.dictionaries > 0) {
    case (true, false, false): shape.scalars.type?.name
    case (false, true, false): "list"
    case (false, false, true): "dictionary"
    default: nil
    }
  }
}

extension String {
  /// True if a key is a value and not a name: a number, an address, a path, a date or an identifier.
  fileprivate var looksLikeValue: Bool {
    guard let first = utf8.first else { return false }
    if first.isDigit || utf8.contains(where: { "/@: ".utf8.contains($0) }) { return true }
    let isHexadecimal = utf8.allSatisfy {
      $0.isDigit || (0x61...0x66).contains($0 | 0x20) || $0 == UInt8(ascii: "-")
    }
    return isHexadecimal && utf8.count > 7 && utf8.contains(where: \.isDigit)
  }
}
