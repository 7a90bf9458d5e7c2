/// The fields of a type of record by their keys, for a type with many fields. Few keys are found faster one by one.
struct FieldsByKey: Sendable {
  /// The field that a key means, and the age of the key.
  typealias Match = (field: Int, age: Int)
  private typealias Table = [ExactString: Match]

  /// The tables with and without the keys of archives; nil for few fields.
  private let tables: (archived: Table, other: Table)?
  private static let fewFields = 16

  init(_ fields: [RecordField]) {
    tables =
      fields.count > Self.fewFields
      ? (Self.table(fields, usesArchiveKeys: true), Self.table(fields, usesArchiveKeys: false)) : nil
  }

  /// True if the fields are few, and have no tables.
  var isEmpty: Bool { tables == nil }

  /// Returns the first field with a key: among the newest keys, then the names, then the aliases.
  func match(_ key: Span<UInt8>, usesArchiveKeys: Bool) -> Match? {
    guard let table = usesArchiveKeys ? tables?.archived : tables?.other,
      let index = table.index(forKey: ExactString(String(BorrowedText(key))))
    else { return nil }
    let (known, match) = table[index]
    // An unpaired surrogate has become another character.
    return key.equals(known.string.utf8.span) ? match : nil
  }

  /// Returns the index of the first field with a name.
  func index(named name: String) -> Int? {
    guard let match = tables?.other[name], match.age == 0 else { return nil }
    return match.field
  }

  private static func table(_ fields: [RecordField], usesArchiveKeys: Bool) -> Table {
    var table: Table = [:]
    func add(_ key: String, _ match: Match) {
      if table[key] == nil { table[key] = match }
    }
    if usesArchiveKeys {
      for (index, field) in fields.enumerated() { add(field.archiveKey, (index, 0)) }
    }
    for (index, field) in fields.enumerated() { add(field.name, (index, usesArchiveKeys ? 1 : 0)) }
    for (index, field) in fields.enumerated() {
      for (age, alias) in field.aliases.enumerated() { add(alias, (index, age + 2)) }
    }
    return table
  }
}

/// The tables follow from the fields, so they do not distinguish types.
extension FieldsByKey: Hashable {
  static func == (a: FieldsByKey, b: FieldsByKey) -> Bool { true }
  func hash(into hasher: inout Hasher) {}
}
