// Filters in paths: the elements of a list that meet conditions.

extension PathWalker: FilterableTree {
  func filteredEntry(_ key: String, of part: ValueLocation) throws(FerryError) -> ValueLocation? {
    guard part.inner.isEmpty else {
      if case .archived(let node)? = try decodedForm(at: part), let object = try location(ofObject: node) {
        return try filteredEntry(key, of: object)
      }
      return try self.part(.key(key), of: part)
    }
    return try child(key, of: part, parts(of: part))
  }

  func filteredEntries(of part: ValueLocation) throws(FerryError) -> [ValueLocation] {
    let parts = try parts(of: part)
    var found: [ValueLocation] = []
    for index in 0..<(parts.isList ? 0 : parts.count) {
      if archive != nil, let key = try parts.key(index, in: nodes), try nodes.isString(key, "$class") {
        continue
      }
      found.append(try real(parts.location(index, in: nodes)))
    }
    return found
  }

  func filteredCount(of part: ValueLocation) throws(FerryError) -> Int? {
    let parts = try parts(of: part)
    return parts.isList ? parts.count : nil
  }

  func filteredElements(
    _ indices: Range<Int>, of list: ValueLocation
  ) throws(FerryError) -> [ValueLocation] {
    let parts = try parts(of: list)
    var found: [ValueLocation] = []
    for index in indices { found.append(try real(parts.location(index, in: nodes))) }
    return found
  }

  func filteredScalar(of part: ValueLocation) throws(FerryError) -> Value? { try scalar(of: part) }

  func checkFilteredCount(_ count: Int) throws(FerryError) {
    guard count <= nodes.budget.amplificationFloor else { throw nodes.budget.overAmplification }
  }
}

extension PathWalker {
  /// Returns the indices of the elements that meet the conditions of a filter. Throws if there are elements with keys, but none has the
  /// path of a condition.
  ///
  /// - Parameter areChanged: True to throw also if no element has the path of a condition with `!=`, which then selects all: in a change, a
  ///   key with a mistake would be expensive.
  func elements(
    matching filter: ValuePath.Filter, in parts: NodeParts, areChanged: Bool
  ) throws(FerryError) -> [Int] {
    let test = FilterTest(filter)
    var found: [Int] = []
    for index in try indices(thatMayMeet: test, in: parts) ?? Array(0..<parts.count) {
      if try test.accepts(parts.location(index, in: nodes), in: self) { found.append(index) }
    }
    if found.isEmpty { try checkPaths(of: test.conditions.filter { $0.comparison != .notEqual }, in: parts) }
    if areChanged { try checkPaths(of: test.conditions.filter { $0.comparison == .notEqual }, in: parts) }
    return found
  }

  /// Returns the indices of the elements that may meet the conditions of a filter, in order; nil if all may.
  private func indices(thatMayMeet test: FilterTest, in parts: NodeParts) throws(FerryError) -> [Int]? {
    guard typedstream == nil, case .elements(let list, let count) = parts,
      let nodes = nodes as? EditedPropertyList
    else { return nil }
    return try nodes.filters.indices(thatMayMeet: test, in: list, count: count, of: nodes, by: self)
  }

  /// Throws the error of the first element with keys if no element has the path of a condition.
  private func checkPaths(of conditions: [FilterTest.Condition], in parts: NodeParts) throws(FerryError) {
    guard !conditions.isEmpty, let element = try firstWithKeys(in: parts) else { return }
    for condition in conditions {
      guard try !leadsAnywhere(condition.path, in: parts) else { continue }
      do throws(FerryError) { try follow(condition.path, from: element) } catch {
        guard case .path(let problem) = error.reason else { throw error }
        throw FerryError(.path(.noneHasKey(count: parts.count, problem)))
      }
    }
  }

  /// Returns true if the path of a condition leads to a value in an element.
  private func leadsAnywhere(_ path: [ValuePath.Step], in parts: NodeParts) throws(FerryError) -> Bool {
    for index in 0..<parts.count {
      let element = try parts.location(index, in: nodes)
      if try !filteredParts(at: path, from: element).isEmpty { return true }
    }
    return false
  }

  private func firstWithKeys(in parts: NodeParts) throws(FerryError) -> ValueLocation? {
    for index in 0..<parts.count {
      let element = try parts.location(index, in: nodes)
      let entries = try self.parts(of: element)
      if !entries.isList, entries.count > 0 { return element }
    }
    return nil
  }

  /// Follows steps up to one that may select several values. Throws the error of a missing value.
  private func follow(_ steps: [ValuePath.Step], from element: ValueLocation) throws(FerryError) {
    var location = element
    for (index, step) in steps.enumerated() {
      if case .key(let key) = step, let whole = try dividedKey(steps[index...], at: location) {
        throw FerryError(.path(.dividedKey(key, of: whole)))
      }
      switch step {
      case .key, .index: break
      case .slice, .filter, .end: return
      }
      guard let next = try self.step(step, from: location) else { return }
      location = next
    }
  }

  /// Returns the key at a location that steps divide at its points; nil if there is none, or if there is a value for the first step.
  private func dividedKey(
    _ steps: ArraySlice<ValuePath.Step>, at location: ValueLocation
  ) throws(FerryError) -> String? {
    var whole = ""
    for (count, step) in steps.enumerated() {
      guard case .key(let key) = step else { return nil }
      whole += count == 0 ? key : ".\(key)"
      guard try filteredEntry(whole, of: location) != nil else { continue }
      return count == 0 ? nil : whole
    }
    return nil
  }
}
