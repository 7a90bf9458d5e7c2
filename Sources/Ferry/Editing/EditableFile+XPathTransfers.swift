// Moves and copies of values that XPaths select, each as one by paths.

extension EditableFile {
  /// The values of a move or a copy, selected by an XPath or named by a path, and the places that they may get.
  package struct Transfer {
    /// The argument for the values, and that for their new places.
    let (source, target): (String, String)
    let sources: [SelectedValue]
    /// The values of the new paths; those of an XPath are in each element that its last step but one selects.
    let targets: [SelectedValue]
    /// True if the values are removed from their old places.
    let isMove: Bool

    package init(
      of sources: [SelectedValue], _ source: String, to targets: [SelectedValue], _ target: String,
      isMove: Bool
    ) {
      (self.sources, self.source, self.targets, self.target) = (sources, source, targets, target)
      self.isMove = isMove
    }
  }

  /// A value that moves or is copied by paths.
  private struct TransferredValue {
    let source: ValuePath
    var target: SelectedValue
    /// The number of elements.
    let count: Int
  }

  /// Moves or copies the values that an XPath selects, or all to new places that an XPath names. One value goes to any place. Several stay in
  /// their own parents: those are among the elements that get the new ones.
  ///
  /// - Parameter change: Moves or copies the value at a path to another one.
  /// - Returns: The number of values.
  /// - Throws: A `FerryError`, also `XMLProblem.noTarget` if the values do not have one place each.
  package func transfer(
    _ transfer: Transfer, _ change: (_ source: ValuePath, _ target: ValuePath) throws(FerryError) -> Int
  ) throws(FerryError) -> Int {
    let values = try values(of: transfer)
    var count = 0
    try edit { _ throws(FerryError) in
      // An edit of several changes may make them twice.
      count = 0
      for value in values {
        let made = try change(value.source, value.target.path)
        count += max(made, value.count)
      }
      try checkAttributes(values.map(\.target), of: transfer.target)
    }
    return count
  }

  /// Returns the values with their new paths. Of moved values, those inside others are first, because a move changes the paths in the value.
  private func values(of transfer: Transfer) throws(FerryError) -> [TransferredValue] {
    if transfer.isMove, transfer.sources.contains(where: \.isWholeText) {
      let why = "the text of an element is copied, and not moved (move the element)"
      throw FerryError(.xml(.noTarget(transfer.source, why: why)))
    }
    let places = Dictionary(
      transfer.targets.compactMap { target in target.parent.map { ($0, target) } }
    ) { first, _ in first }
    let isBesideEach = transfer.sources.allSatisfy { $0.parent.map { places[$0] != nil } == true }
    guard isBesideEach else { return [try onlyValue(of: transfer)] }
    var (values, parents) = ([TransferredValue](), Set<ValuePath>())
    for joined in Self.joiningLists(transfer.sources) {
      guard let parent = joined.values[0].parent, let target = places[parent] else { continue }
      guard parents.insert(parent).inserted else {
        let why =
          "several of the selected values are in one element, and only all elements of one name get another name together"
        throw FerryError(.xml(.noTarget(transfer.source, why: why)), path: parent)
      }
      let source = try source(of: joined, to: target, transfer, keepsElement: true)
      values.append(TransferredValue(source: source, target: target, count: joined.values.count))
    }
    guard transfer.isMove else { return values }
    let order = values.indices.sorted { first, second in
      let (a, b) = (values[first].source.steps.count, values[second].source.steps.count)
      return a == b ? first < second : a > b
    }
    return order.map { values[$0] }
  }

  /// Returns the only value with its only place.
  private func onlyValue(of transfer: Transfer) throws(FerryError) -> TransferredValue {
    guard let source = transfer.sources.first, transfer.sources.count == 1 else {
      let why =
        "\(transfer.sources.count) values are selected, which can only stay in the elements around them (write both as "
        + "XPaths of these elements, as in //book/author and //book/writer)"
      throw FerryError(.xml(.noTarget(transfer.source, why: why)))
    }
    guard var target = transfer.targets.first, transfer.targets.count == 1 else {
      let why = "\(transfer.targets.count) elements would get the value (select one before the last step)"
      throw FerryError(.xml(.noTarget(transfer.target, why: why)))
    }
    let path = try self.source(
      of: Self.joiningLists([source])[0], to: target, transfer, keepsElement: false)
    if transfer.isMove, let parent = target.parent {
      // The XPath is evaluated before the move, and an index in its path counts after it.
      let removed = try withIndices(path)
      let moved = target.path.without(removed)
      guard moved == target.path || !moved.steps.starts(with: removed.steps) else {
        let why = "an element does not move into the next one of its list (use copy, and then remove)"
        throw FerryError(.xml(.noTarget(transfer.target, why: why)), path: removed)
      }
      target = SelectedValue(path: moved)
      target.parent = parent.without(removed)
    }
    return TransferredValue(source: path, target: target, count: 1)
  }

  /// Returns the path of a value, or of a list of which all elements have the target.
  ///
  /// - Parameter keepsElement: True if the value stays in the element around it.
  private func source(
    of joined: JoinedValues, to target: SelectedValue, _ transfer: Transfer, keepsElement: Bool
  ) throws(FerryError) -> ValuePath {
    guard joined.values.count == 1, let list = joined.values[0].list, list.path == joined.path else {
      return joined.path
    }
    let path = joined.values[0].path
    guard case .key(let key)? = target.path.steps.last else {
      guard !transfer.isMove || !list.isMarked else {
        let why =
          "the value is the only element of a list, which would be left empty (write the path \(path))"
        throw FerryError(.xml(.noTarget(transfer.source, why: why)))
      }
      return path
    }
    // An element that is renamed keeps its place.
    let isRenamed = transfer.isMove && keepsElement && !key.begins(with: "@")
    return list.isMarked || isRenamed ? list.path : path
  }

  /// Returns the path of one value with the index from the beginning for each element of a list.
  private func withIndices(_ path: ValuePath) throws(FerryError) -> ValuePath {
    let matched = path.selectsList ? try matchedPaths(of: path) : [path]
    guard matched.count == 1 else { return path }
    var indexed = ValuePath()
    for step in matched[0].steps {
      if let index = step.indexInList, let count = (try? summaries(at: [indexed]))?.first?.elementCount {
        indexed = indexed.appending(.index(index < 0 ? count + index : index))
      } else {
        indexed = indexed.appending(step)
      }
    }
    return indexed
  }
}

extension ValuePath {
  /// Returns the path after the removal of an element: an index after the element's own is one less.
  fileprivate func without(_ element: ValuePath) -> ValuePath {
    let depth = element.steps.count - 1
    guard case .index(let removed)? = element.steps.last, steps.count > depth,
      steps.prefix(depth) == element.steps.prefix(depth), case .index(let index) = steps[depth],
      index > removed
    else { return self }
    var steps = steps
    steps[depth] = .index(index - 1)
    return ValuePath(steps)
  }
}
