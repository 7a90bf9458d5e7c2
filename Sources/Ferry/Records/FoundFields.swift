/// The fields of one record, located on the tape of the record.
struct FoundFields {
  /// The value in `tapeIndices` for a field that is missing.
  static var absent: TapeIndex { TapeIndex(-1) }
  /// The value in `tapeIndices` for a field that has been sent.
  static var sent: TapeIndex { TapeIndex(-2) }
  /// The value in `tapeIndices` for a field that is null because a version rule has only null to make it from.
  static var null: TapeIndex { TapeIndex(-3) }

  /// The tape index of the value of each field, or `absent`, `sent` or `null`.
  var tapeIndices: [TapeIndex] = []
  /// The age of the key under which each field was found; 0 is the newest key.
  var ages: [Int] = []
  /// The indices of the fields that were found, in the order of the input.
  var order: [Int] = []
  /// The tape indices of keys that no field has.
  var others: [TapeIndex] = []
  /// The tape indices of the second and later items of a value that consists of several elements of the record, by field
  /// index.
  var furtherItems: [Int: [TapeIndex]] = [:]
  /// The tape indices of the values under other keys than the newest, by field index and by the age of the key.
  var olderValues: [Int: [Int: [TapeIndex]]] = [:]
  /// The values that version rules made from older values, by field index.
  var made: [Int: Value] = [:]

  /// Returns true if the record has a value for a field, or version rules made one.
  func hasValue(_ field: Int) -> Bool { tapeIndices[field] >= .start || made[field] != nil }

  /// Returns the tape indices of a field's value, which may be several elements of XML.
  func items(of field: Int) -> [TapeIndex] { [tapeIndices[field]] + (furtherItems[field] ?? []) }

  /// Prepares the instance for the next record, which has `count` fields.
  mutating func reset(count: Int) {
    tapeIndices.removeAll(keepingCapacity: true)
    ages.removeAll(keepingCapacity: true)
    order.removeAll(keepingCapacity: true)
    others.removeAll(keepingCapacity: true)
    if !made.isEmpty { made.removeAll() }
    if !furtherItems.isEmpty { furtherItems.removeAll() }
    if !olderValues.isEmpty { olderValues.removeAll() }
    for _ in 0..<count {
      tapeIndices.append(Self.absent)
      ages.append(.max)
    }
  }
}
