/// Records by the value of one field, which tells them apart.
///
///     let index = try RecordIndex(people, key: "email")
///     index.keys        // [.string("ada@example.org"), …]
///
/// Records are dictionaries, or objects that hold one.
public struct RecordIndex: Sendable {
  /// The key of each record, in their order.
  public let keys: [Value]
  private let places: [Value: Int]

  /// Reads the keys.
  ///
  /// - Throws: `RecordProblem.missingField` for a record that has no key, `duplicateKey` for one whose key another record
  ///   has, `notARecord` for what is none; each with its path.
  public init(_ records: [Value], key field: String) throws(Failure) {
    var keys: [Value] = []
    var places: [Value: Int] = [:]
    keys.reserveCapacity(records.count)
    places.reserveCapacity(records.count)
    for (index, record) in records.enumerated() {
      let path = ValuePath([.index(index)])
      guard record.isRecord else {
        throw Failure(.record(.notARecord(found: record.words, record: "record")), path: path)
      }
      guard let key = record[field], key != .null else {
        throw Failure(.record(.missingField(field, record: "record")), path: path)
      }
      if let first = places[key] {
        throw Failure(
          .record(.duplicateKey(field, value: key.words, first: "[\(first)]")),
          path: path.appending(.key(field)))
      }
      places[key] = index
      keys.append(key)
    }
    (self.keys, self.places) = (keys, places)
  }

  /// Where the record with a key is; nil when there is none.
  public subscript(key: Value) -> Int? { places[key] }
}

/// Records to which those of others have been added whose key they did not have.
///
///     let union = try RecordUnion(of: saved, adding: bundled, key: "email")
///     union.added       // the keys of the records that were not there yet
///     union.records     // what was saved as it is, then what was added, in the order of `bundled`
public struct RecordUnion: Sendable {
  /// All records.
  public let records: [Value]
  /// The keys of those that were added.
  public let added: [Value]

  /// Adds records to those that are there, which stay as they are.
  ///
  /// - Throws: what `RecordIndex` throws, about the new records. Of those that are there, one without a key is left alone,
  ///   and of two with the same key both are.
  public init(of existing: [Value], adding new: [Value], key field: String) throws(Failure) {
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
