/// An index of records by the value of their key field.
///
///     let index = try RecordIndex(people, key: "email")
///     index.keys        // [.string("ada@example.org"), …]
///
/// A record is a dictionary, or an object whose content is a dictionary. With a type, keys are compared by
/// their value: UUIDs in any case are equal, and so are the decimals 1 and 1.00.
public struct RecordIndex: Hashable, Sendable {
  /// The key of each record, in the order of the records.
  public let keys: [Value]
  private let type: FieldType?
  private let indices: [RecordKey: Int]

  /// Creates an index.
  ///
  /// - Parameters:
  ///   - records: The records.
  ///   - field: The name of the field that identifies records.
  ///   - type: The type of the field, or nil to compare keys as they are.
  /// - Throws: With the path of the record, `RecordProblem.missingField` if a record lacks the field,
  ///   `duplicateKey` if two records have the same key, or `notARecord` if a value is not a record.
  public init(_ records: [Value], key field: String, type: FieldType? = nil) throws(FerryError) {
    var keys: [Value] = []
    var indices: [RecordKey: Int] = [:]
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
      if let first = indices.updateValue(index, forKey: RecordKey(key, type)) {
        throw FerryError(
          .record(.duplicateKey(field, value: key.words, first: "[\(first)]")),
          path: path.appending(.key(field)))
      }
      keys.append(key)
    }
    (self.keys, self.type, self.indices) = (keys, type, indices)
  }

  /// Returns the index of the record with a key, or nil if there is none.
  public subscript(key: Value) -> Int? { indices[RecordKey(key, type)] }
}

extension Sequence<Value> {
  /// Returns the name of the field that identifies records: the given name or, if no record has it, that of the attribute of XML
  /// with the name, as in `@id`.
  func keyField(named name: String) -> String {
    let attribute = "@\(name)"
    var hasAttribute = false
    for record in self {
      if record[name] != nil { return name }
      if record[attribute] != nil { hasAttribute = true }
    }
    return hasAttribute ? attribute : name
  }
}

/// A list of records to which the missing records of another list are appended.
///
///     let union = try RecordUnion(of: saved, adding: bundled, key: "email")
///     union.added       // the keys of the bundled records that were missing
///     union.records     // the saved records, followed by the added ones in the order of `bundled`
public struct RecordUnion: Hashable, Sendable {
  /// All records: the existing ones, followed by the added ones.
  public let records: [Value]
  /// The keys of the added records, in order.
  public let added: [Value]
  /// The indices of the added records among the new ones, in order.
  let addedIndices: [Int]

  /// Appends to existing records those new records whose keys are missing. The existing records stay
  /// unchanged.
  ///
  /// - Parameters:
  ///   - existing: The existing records.
  ///   - new: The records to append if they are missing.
  ///   - field: The name of the field that identifies records.
  ///   - type: The type of the field, or nil to compare keys as they are.
  /// - Throws: The errors of `RecordIndex` for the new records. Existing records may lack the key or have
  ///   equal keys.
  public init(
    of existing: [Value], adding new: [Value], key field: String, type: FieldType? = nil
  ) throws(FerryError) {
    let index = try RecordIndex(new, key: field, type: type)
    self.init(
      of: existing, keys: existing.compactMap { $0[field] }, adding: new, keys: index.keys, held: index.keys,
      alike: [], type: type)
  }

  /// Appends the new records whose keys are missing from those of the existing ones.
  ///
  /// - Parameters:
  ///   - keys: The keys of the existing records.
  ///   - newKeys: The keys of the new records.
  ///   - heldKeys: The new keys as the format of the existing records represents them.
  ///   - alikeKeys: The existing keys as the format of the new records represents them, if it has other values for them.
  init(
    of existing: [Value], keys: [Value], adding new: [Value], keys newKeys: [Value], held heldKeys: [Value],
    alike alikeKeys: [Value], type: FieldType?
  ) {
    let known = Set(keys.map { RecordKey($0, type) })
    let alike = Set(alikeKeys.map { RecordKey($0, $0.typeForComparison(type)) })
    var (records, added, addedIndices) = (existing, [Value](), [Int]())
    for (index, ((key, held), record)) in zip(zip(newKeys, heldKeys), new).enumerated()
    where !known.contains(RecordKey(held, type))
      && !alike.contains(RecordKey(key, key.typeForComparison(type)))
    {
      records.append(record)
      added.append(key)
      addedIndices.append(index)
    }
    (self.records, self.added, self.addedIndices) = (records, added, addedIndices)
  }
}

extension Value {
  /// Returns the type by which the value is compared with that of another format, whose numbers may have another notation.
  fileprivate func typeForComparison(_ type: FieldType?) -> FieldType? {
    switch self {
    case .integer, .real, .single, .number: type ?? .decimal
    default: type
    }
  }
}
