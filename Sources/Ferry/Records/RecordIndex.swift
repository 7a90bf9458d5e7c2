/// An index of records by the value of their key field.
///
///     let index = try RecordIndex(people, key: "email")
///     index.keys        // [.string("ada@example.org"), …]
///
/// A record is a dictionary, or an object whose content is a dictionary.
public struct RecordIndex: Sendable {
  /// The key of each record, in the order of the records.
  public let keys: [Value]
  private let indices: [Value: Int]

  /// Creates an index.
  ///
  /// - Parameters:
  ///   - records: The records.
  ///   - field: The name of the field that identifies records.
  /// - Throws: With the path of the record, `RecordProblem.missingField` if a record lacks the field,
  ///   `duplicateKey` if two records have the same key, or `notARecord` if a value is not a record.
  public init(_ records: [Value], key field: String) throws(FerryError) {
    var keys: [Value] = []
    var indices: [Value: Int] = [:]
    keys.reserveCapacity(records.count)
    indices.reserveCapacity(records.count)
    for (index, record) in records.enumerated() {
      let path = ValuePath([.index(index)])
      guard record.isRecord else {
        throw FerryError(.record(.notARecord(found: record.words, record: "record")), path: path)
      }
      guard let key = record[field], key != .null else {
        throw FerryError(.record(.missingField(field, record: "record")), path: path)
      }
      if let first = indices[key] {
        throw FerryError(
          .record(.duplicateKey(field, value: key.words, first: "[\(first)]")),
          path: path.appending(.key(field)))
      }
      indices[key] = index
      keys.append(key)
    }
    (self.keys, self.indices) = (keys, indices)
  }

  /// Returns the index of the record with a key, or nil if there is none.
  public subscript(key: Value) -> Int? { indices[key] }
}

/// A list of records to which the missing records of another list are appended.
///
///     let union = try RecordUnion(of: saved, adding: bundled, key: "email")
///     union.added       // the keys of the bundled records that were missing
///     union.records     // the saved records, followed by the added ones in the order of `bundled`
public struct RecordUnion: Sendable {
  /// All records: the existing ones, followed by the added ones.
  public let records: [Value]
  /// The keys of the added records, in order.
  public let added: [Value]

  /// Appends to existing records those new records whose keys are missing. The existing records stay
  /// unchanged.
  ///
  /// - Parameters:
  ///   - existing: The existing records.
  ///   - new: The records to append if they are missing.
  ///   - field: The name of the field that identifies records.
  /// - Throws: The errors of `RecordIndex` for the new records. Existing records may lack the key or have
  ///   equal keys.
  public init(of existing: [Value], adding new: [Value], key field: String) throws(FerryError) {
    let index = try RecordIndex(new, key: field)
    let known = Set(existing.compactMap { $0[field] })
    var (records, added) = (existing, [Value]())
    for (key, record) in zip(index.keys, new) where !known.contains(key) {
      records.append(record)
      added.append(key)
    }
    (self.records, self.added) = (records, added)
  }
}
