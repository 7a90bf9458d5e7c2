/// Names in the order of their bytes, in which those that start alike follow each other.
///
///     address.city, address.street, name     the first name that is not before "address." starts with it
struct SortedNames {
  private let names: [[UInt8]]

  init(_ names: [[UInt8]]) { self.names = names.sorted { $0.lexicographicallyPrecedes($1) } }

  /// Returns true if a name starts with a prefix. Few names are compared, however many there are.
  func containsName(startingWith prefix: [UInt8]) -> Bool {
    var (first, end) = (0, names.count)
    while first < end {
      let middle = (first + end) / 2
      if names[middle].lexicographicallyPrecedes(prefix) { first = middle + 1 } else { end = middle }
    }
    return first < names.count && names[first].starts(with: prefix)
  }
}
