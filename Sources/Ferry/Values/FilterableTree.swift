/// A tree of values whose parts a filter finds: values in memory, events on a tape, or nodes of a file.
protocol FilterableTree {
  /// A value of the tree.
  associatedtype FilteredPart

  /// Returns the value for a key of a dictionary or an object, or nil if there is none.
  func filteredEntry(_ key: String, of part: FilteredPart) throws(FerryError) -> FilteredPart?
  /// Returns the values of all entries of a dictionary or an object; none for other values.
  func filteredEntries(of part: FilteredPart) throws(FerryError) -> [FilteredPart]
  /// Returns the number of elements of a list, or nil for other values.
  func filteredCount(of part: FilteredPart) throws(FerryError) -> Int?
  /// Returns elements of a list by their indices.
  func filteredElements(_ indices: Range<Int>, of list: FilteredPart) throws(FerryError) -> [FilteredPart]
  /// Returns a scalar, or nil for other values.
  func filteredScalar(of part: FilteredPart) throws(FerryError) -> Value?
  /// Throws if the path of a condition leads to too many values.
  func checkFilteredCount(_ count: Int) throws(FerryError)
}

extension FilterableTree {
  func checkFilteredCount(_ count: Int) throws(FerryError) {}

  /// Returns the values to which the path of a condition leads from an element; none, and no error, if there is no value.
  func filteredParts(
    at steps: [ValuePath.Step], from element: FilteredPart
  ) throws(FerryError) -> [FilteredPart] {
    var found = [element]
    for step in steps {
      var next: [FilteredPart] = []
      for part in found {
        try addParts(at: step, of: part, to: &next)
        try checkFilteredCount(next.count)
      }
      guard !next.isEmpty else { return [] }
      found = next
    }
    return found
  }

  private func addParts(
    at step: ValuePath.Step, of part: FilteredPart, to found: inout [FilteredPart]
  ) throws(FerryError) {
    if case .key(let key) = step, Int(key) == nil {
      if let value = try filteredEntry(key, of: part) { found.append(value) }
      return
    }
    guard let count = try filteredCount(of: part) else {
      switch step {
      case .key(let key): if let value = try filteredEntry(key, of: part) { found.append(value) }
      case .slice(nil, nil), .end: found += try filteredEntries(of: part)
      case .index, .slice, .filter: break
      }
      return
    }
    switch step {
    case .key(let key): if let index = Int(key) { found += try element(index, of: part, count: count) }
    case .index(let index): found += try element(index, of: part, count: count)
    case .slice(let from, let to):
      let range = ValuePath.elementIndices(from: from, to: to, count: count)
      found += try filteredElements(range, of: part)
    case .end: found += try filteredElements(0..<count, of: part)
    case .filter(let filter):
      let test = FilterTest(filter)
      for element in try filteredElements(0..<count, of: part) where try test.accepts(element, in: self) {
        found.append(element)
      }
    }
  }

  private func element(_ index: Int, of list: FilteredPart, count: Int) throws(FerryError) -> [FilteredPart] {
    let fromStart = index < 0 ? index + count : index
    guard 0..<count ~= fromStart else { return [] }
    return try filteredElements(fromStart..<fromStart + 1, of: list)
  }
}
