/// What has been found of a record's fields while the record is being sent.
struct FoundFields {
  /// No value has been found, or it has been sent.
  static let (absent, sent) = (-1, -2)

  /// The place of each field's value.
  var places: [Int] = []
  /// How old the key is that it was found under.
  var ages: [Int] = []
  /// The fields that have been found, in the order in which they came.
  var order: [Int] = []
  /// The places of the keys that are no field's.
  var others: [Int] = []
  /// Values that were made of older ones, by their fields.
  var made: [Int: Value] = [:]

  /// Begins anew, with as many fields.
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
