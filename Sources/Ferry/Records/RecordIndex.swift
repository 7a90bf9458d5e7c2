/// An index of records by the value of one field.
///
///     let index = try RecordIndex(people, key: "email")
///     index.keys        // [.string("ada@example.org"), …]
///
/// Records are dictionaries, or objects whose content is one.
public struct RecordIndex: Sendable {
  /// The key of each record, in order.
  public let keys: [Value]
  private let places: [Value: Int]

  /// Creates an index.
  ///
  /// - Parameters:
  ///   - records: The records.
  ///   - field: The name of the field that identifies a record.
  /// - Throws: `RecordProblem.missingField` for a record without the key, `duplicateKey` for a record whose
  ///   key another record has, `notARecord` for another kind of value; each with the record's path.
  public init(_ records: [Value], key field: String) throws(FerryError) {
    var keys: [Value] = []
    var places: [Value: Int] = [:]
    keys.reserveCapacity(records.count)
    places.reserveCapacity(records.count)
    for (index, record) in records.enumerated() {
      let path = ValuePath([.index(index)])
      guard record.isRecord else {
        throw FerryError(.record(.notARecord(found: record.words, record: "record")), path: path)
      }
      guard let key = record[field], key != .null else {
        throw FerryError(.record(.missingField(field, record: "record")), path: path)
      }
      if let first = places[key] {
        throw FerryError(
          .record(.duplicateKey(field, value: key.words, first: "[\(first)]")),
          path: path.appending(.key(field)))
      }
      places[key] = index
      keys.append(key)
    }
    (self.keys, self.places) = (keys, places)
  }

  /// Returns the index of the record with a key; nil if there is none.
  public subscript(key: Value) -> Int? { places[key] }
}

/// A list of records with the missing ones of another list appended.
///
///     let union = try RecordUnion(of: saved, adding: bundled, key: "email")
///     union.added       // the keys of the records that were not there yet
///     union.records     // what was saved as it is, then what was added, in the order of `bundled`
public struct RecordUnion: Sendable {
  /// All records.
  public let records: [Value]
  /// The keys of the added records.
  public let added: [Value]

  /// Appends records whose keys are missing to existing records, which stay unchanged.
  ///
  /// - Parameters:
  ///   - existing: The records that stay.
  ///   - new: The records of which the missing ones are appended.
  ///   - field: The name of the field that identifies a record.
  /// - Throws: The errors of `RecordIndex` for the new records. Existing records without a key, or with the
  ///   same key, are not errors.
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
