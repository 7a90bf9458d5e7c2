/// A check that no two records of a list have the same key. The records come one by one, and only their keys are kept.
///
///     [{"id": 1}, {"id": 2}, {"id": 1}]    →    this record and [0] have the same id, 1 (at [2].id)
///
/// The lists of records inside a record are checked, too. The keys are compared as a merge compares them.
struct RecordKeyCheck {
  private let record: RecordType
  private let enclosingTypes: [ExactString: RecordType]
  /// The indices of the records so far, by their keys.
  private var indices: [RecordKey: Int] = [:]

  /// Creates a check. Fails if the schema names no field that identifies records.
  init?(of record: RecordType) {
    guard record.hasKeys else { return nil }
    (self.record, enclosingTypes) = (record, record.enclosingTypes)
  }

  /// Checks a record, and the lists inside it. Records without a key are equal to no others.
  ///
  /// - Parameters:
  ///   - record: The record, with the names of the fields as keys.
  ///   - index: The index of the record; nil for the only one.
  ///   - steps: The path of the list of the records.
  /// - Throws: An error with the reason `RecordProblem.duplicateKey`, and the path in the record.
  mutating func add(_ record: Value, at index: Int?, in steps: [ValuePath.Step]) throws(FerryError) {
    let own = index.map { [ValuePath.Step.index($0)] } ?? []
    try checkLists(in: record, self.record, at: [], under: steps + own)
    guard let index, let key = self.record.key(of: record) else { return }
    guard let first = indices[key.key] else { return indices[key.key] = index }
    throw key.error(first: steps + [.index(first)], at: [])
  }

  /// Checks the lists inside a record.
  ///
  /// - Parameters:
  ///   - steps: The path of the record in the outermost one.
  ///   - around: The path of the outermost record.
  private func checkLists(
    in record: Value, _ type: RecordType, at steps: [ValuePath.Step], under around: [ValuePath.Step]
  ) throws(FerryError) {
    for field in type.fields {
      guard let value = record[field.name] else { continue }
      try check(value, field.type, at: steps + [.key(field.name)], under: around)
    }
  }

  private func check(
    _ value: Value, _ type: FieldType, at steps: [ValuePath.Step], under around: [ValuePath.Step]
  ) throws(FerryError) {
    switch type {
    case .record, .enclosing:
      guard let record = self.record(of: type) else { return }
      try checkLists(in: value, record, at: steps, under: around)
    case .list(let items, _):
      guard let record = self.record(of: items) else { return }
      try check(value.listElements ?? [], of: record, at: steps, under: around)
    case .dictionary(let values):
      guard let record = self.record(of: values), case .dictionary(let entries) = value else { return }
      for (key, entry) in entries {
        try checkLists(in: entry, record, at: steps + [.key(key.stringValue ?? "")], under: around)
      }
    case .string, .url, .integer, .real, .decimal, .boolean, .date, .data, .uuid, .any: return
    }
  }

  private func check(
    _ records: [Value], of type: RecordType, at steps: [ValuePath.Step], under around: [ValuePath.Step]
  ) throws(FerryError) {
    var indices: [RecordKey: Int] = [:]
    for (index, record) in records.enumerated() {
      if let key = type.key(of: record), let first = indices.updateValue(index, forKey: key.key) {
        throw key.error(first: around + steps + [.index(first)], at: steps + [.index(index)])
      }
      try checkLists(in: record, type, at: steps + [.index(index)], under: around)
    }
  }

  private func record(of type: FieldType) -> RecordType? {
    switch type {
    case .record(let record): record
    case .enclosing(let element): enclosingTypes[ExactString(element)]
    default: nil
    }
  }
}

/// The key of a record, with its field.
private struct KeyOfRecord {
  let field: String
  let value: Value
  let key: RecordKey

  /// The error of a record whose key another one has.
  func error(first: [ValuePath.Step], at steps: [ValuePath.Step]) -> FerryError {
    FerryError(
      .record(.duplicateKey(field, value: value.words, first: ValuePath(first).description)),
      path: ValuePath(steps + [.key(field)]))
  }
}

extension RecordType {
  /// True if a field identifies the records, or records inside them.
  fileprivate var hasKeys: Bool { key != nil || fields.contains(where: \.type.hasKeys) }

  /// Returns the key of a record; nil if it has none.
  fileprivate func key(of record: Value) -> KeyOfRecord? {
    guard let key, let value = record[key], value != .null else { return nil }
    let type = fields.first { $0.name.equals(key) }?.type
    return KeyOfRecord(field: key, value: value, key: RecordKey(value, type))
  }
}

extension FieldType {
  fileprivate var hasKeys: Bool {
    switch self {
    case .record(let record): record.hasKeys
    case .list(let type, _), .dictionary(let type): type.hasKeys
    default: false
    }
  }
}
