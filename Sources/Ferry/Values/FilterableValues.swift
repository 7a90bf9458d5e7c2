/// Values in memory, as a filter tests them.
struct FilterableValues: FilterableTree {
  /// The objects to which references lead, by number.
  var objects: [Int: ObjectValue] = [:]

  /// Returns the target of a reference, and the content of an object.
  private func content(of value: Value) -> Value {
    if case .reference(let number) = value, let object = objects[number] { return object.content.scalar }
    return value.scalar
  }

  func filteredEntry(_ key: String, of part: Value) -> Value? {
    guard case .dictionary(let entries) = content(of: part), let key = entries.key(named: key) else {
      return nil
    }
    return entries[key]
  }

  func filteredEntries(of part: Value) -> [Value] {
    if case .dictionary(let entries) = content(of: part) { entries.values } else { [] }
  }

  func filteredCount(of part: Value) -> Int? { content(of: part).listElements?.count }

  func filteredElements(_ indices: Range<Int>, of list: Value) -> [Value] {
    content(of: list).listElements.map { Array($0[indices]) } ?? []
  }

  func filteredScalar(of part: Value) -> Value? {
    let content = content(of: part)
    return content.isCollection ? nil : content
  }
}

extension FilterTest {
  /// Returns true if a value meets all conditions.
  ///
  /// - Parameter objects: The objects to which references lead, by number.
  func accepts(_ element: Value, objects: [Int: ObjectValue] = [:]) -> Bool {
    // Reading values in memory throws no error.
    (try? accepts(element, in: FilterableValues(objects: objects))) ?? false
  }
}
