/// The fields of a record found while the record is being sent.
struct FoundFields {
  /// The tape index of a field without a value, of a field that has been sent, and of an optional field that
  /// is null.
  static let (absent, sent, null) = (-1, -2, -3)

  /// The tape index of each field's value.
  var places: [Int] = []
  /// The age of the key under which each field was found.
  var ages: [Int] = []
  /// The found fields, in the order of the input.
  var order: [Int] = []
  /// The tape indices of keys that belong to no field.
  var others: [Int] = []
  /// The values that were made from older ones, by field.
  var made: [Int: Value] = [:]

  /// Empties the instance for a record with a number of fields.
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
