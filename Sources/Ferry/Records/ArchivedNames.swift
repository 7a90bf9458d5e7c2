/// The names that the classes of an archive, and their keys, get in another archive with the same objects.
///
///     --class Person=App.Person                Person {age: 36}      ▸   App.Person {age: 36}
///     a schema in which years was renamed      Person {years: 36}    ▸   Person {age: 36}
struct ArchivedNames {
  private let classNames: [ExactString: String]
  /// The types of records in the schema, also those inside other records.
  private let types: [RecordType]

  /// Creates the names of objects whose classes are renamed before the schema maps them as records.
  init(_ schema: Schema?, renaming classNames: [ExactString: String] = [:]) {
    self.classNames = classNames
    types = schema?.record.typesInside ?? []
  }

  /// Returns the keys under which the value of an archived key may be stored.
  func newKeys(for key: ArchivedStorage.Key) -> [ArchivedStorage.Key] {
    guard let type = key.type else { return [key] }
    let name = classNames[type] ?? type.string
    // An object that is not a record of the schema keeps its keys.
    var new = [ArchivedStorage.Key(type: ExactString(name), key: key.key)]
    for record in types where record.accepts(className: name) {
      let type = ExactString(record.keepsClass(named: name) ? name : record.className)
      for key in record.newKeys(for: key.key.string) {
        new.append(ArchivedStorage.Key(type: type, key: ExactString(key)))
      }
    }
    return new
  }
}

extension RecordType {
  /// This type, and the types inside it.
  fileprivate var typesInside: [RecordType] {
    [self] + fields.flatMap { $0.type.record?.typesInside ?? [] }
  }

  /// Returns the archived keys under which the value of an archived key is written: those of its field, and those of the
  /// fields that are made from the value in an older version.
  fileprivate func newKeys(for key: String) -> [String] {
    let name = key.begins(with: "$$") ? key.droppingFirst() : key
    var found: [RecordField] = []
    if let match = match(name.utf8.span, usesArchiveKeys: true) { found.append(fields[match.field]) }
    for rule in versions?.rules.flatMap(\.fields) ?? [] where rule.sources.contains(exactly: name) {
      found += fields.filter { $0.name.equals(rule.name) }
    }
    guard !found.isEmpty else { return [key] }
    return found.flatMap { [$0.archiveKey] + $0.alsoWritten }.map(\.asArchivedKey)
  }
}
