/// The fields of one record, located on the tape of the record.
struct FoundFields {
  /// The values in `places` for a field that is missing, for a field that has been sent, and for an optional
  /// field that is null.
  static let (absent, sent, null) = (-1, -2, -3)

  /// The tape index of the value of each field, or `absent` or `sent`.
  var places: [Int] = []
  /// The age of the key under which each field was found; 0 is the newest key.
  var ages: [Int] = []
  /// The indices of the fields that were found, in the order of the input.
  var order: [Int] = []
  /// The tape indices of keys that no field has.
  var others: [Int] = []
  /// The values that version rules made from older values, by field index.
  var made: [Int: Value] = [:]

  /// Prepares the instance for the next record, which has `count` fields.
  mutating func reset(count: Int) {
    places.removeAll(keepingCapacity: true)
    ages.removeAll(keepingCapacity: true)
    order.removeAll(keepingCapacity: true)
    others.removeAll(keepingCapacity: true)
    if !made.isEmpty { made.removeAll() }
    for _ in 0..<count {
      places.append(Self.absent)
      ages.append(.max)
    }
  }
}
