// The values that a path selects, in a file and in the files inside its data.

extension EditableFile {
  /// The matches of a path.
  struct Matches {
    var all: [Match] = []
    /// True if the values are to be changed. Then the files of an archive are not opened to match as a whole, and each match has a path
    /// of its own.
    var areChanged = false
    /// True if a step has matched entries of a dictionary, of which two may have one path.
    fileprivate(set) var haveEntries = false
  }

  /// Returns the values that match paths, in the order of the paths.
  func matches(of paths: [ValuePath]) throws(FerryError) -> (matches: [Match], isSeveral: Bool) {
    guard paths.count != 1 else { return try matches(of: paths[0]) }
    var all: [Match] = []
    for path in paths { all += try matches(of: path).matches }
    return (all, true)
  }

  func matches(of path: ValuePath) throws(FerryError) -> (matches: [Match], isSeveral: Bool) {
    var matches = Matches()
    try collect(path, into: &matches)
    return (matches.all, path.namesSeveral || matches.all.count != 1)
  }

  /// Returns the path of each value that a path selects for a change, or throws an error if it selects none.
  func matchedPaths(of path: ValuePath) throws(FerryError) -> [ValuePath] {
    var matches = Matches(areChanged: true)
    try collect(path, into: &matches)
    guard !matches.all.isEmpty else { throw noMatch(of: path) }
    return matches.all.map { pathInside($0.path) }
  }

  /// Returns the error of a path that selects no values for a change.
  func noMatch(of path: ValuePath) -> FerryError {
    let isEmptyTable = isTable && (try? walker.parts(of: walker.start([]).location).count) == 0
    return FerryError(
      .path(isEmptyTable ? .noRows : .noMatch), path: outerPath.appending(path.steps[...]))
  }

  /// Follows a path and collects the matches.
  func collect(_ path: ValuePath, into matches: inout Matches) throws(FerryError) {
    let start = try walker.start(path.steps[...])
    try collect(
      path.steps.dropFirst(start.taken), from: start.location,
      after: outerPath.appending(path.steps.prefix(start.taken)), into: &matches)
  }

  /// Follows steps and collects the matches. After a step with several matches, follows the remaining steps
  /// from each match. The recursion is bounded by the few steps that a user types.
  private func collect(
    _ steps: ArraySlice<ValuePath.Step>, from location: ValueLocation, after path: ValuePath,
    into matches: inout Matches
  ) throws(FerryError) {
    let walk = try walk(steps, from: location, after: path, isReading: true)
    guard !walk.isInData else { return try collectInData(walk, into: &matches) }
    guard let step = walk.rest.first else { return try add(walk, to: &matches) }
    let (walker, first) = (walker, matches.all.count)
    let parts = try walker.parts(of: walk.location)
    let indices = try indices(of: step, in: parts, of: walk, areChanged: matches.areChanged)
    var missing: FerryError?
    for index in indices {
      do throws(FerryError) {
        let found = try self.step(to: index, in: parts, isExact: matches.areChanged)
        if case .key = found { matches.haveEntries = true }
        try collect(
          walk.rest.dropFirst(), from: try walker.real(parts.location(index, in: list)),
          after: walk.path.appending(found), into: &matches)
      } catch {
        // Elements that lack the rest of the path are skipped. If all do, the error is that of the first one that has most of the path.
        guard error.isMissingValue else { throw error }
        if missing.map({ $0.path.steps.count < error.path.steps.count }) ?? true { missing = error }
      }
    }
    guard matches.all.count == first, let missing else { return }
    guard indices.count > 1, case .path(let problem) = missing.reason else { throw missing }
    throw FerryError(
      .path(.noneMatches(count: indices.count, areEntries: !parts.isList, problem.ofOne)),
      at: missing.location, path: missing.path)
  }

  /// Follows the remaining steps in the file inside data.
  private func collectInData(_ walk: Walk, into matches: inout Matches) throws(FerryError) {
    let first = matches.all.count
    let inner = try nested(at: walk.location, after: walk.path, for: walk.rest.first)
    try inner.locating { () throws(FerryError) in
      let start = try inner.walker.start(walk.rest)
      try inner.collect(
        walk.rest.dropFirst(start.taken), from: start.location,
        after: walk.path.appending(walk.rest.prefix(start.taken)), into: &matches)
    }
    let path = walk.path.appending(walk.rest)
    for index in first..<matches.all.count { matches.all[index].pathIntoData = path }
  }

  /// Adds the value at the end of a path. A file of an archive matches as the values in it.
  private func add(_ walk: Walk, to matches: inout Matches) throws(FerryError) {
    if opensFiles, !matches.areChanged, let inner = try fileOfValues(at: walk.location, after: walk.path) {
      return try inner.locating { () throws(FerryError) in
        try inner.collect([], from: inner.walker.start([]).location, after: walk.path, into: &matches)
      }
    }
    guard matches.all.count < options.budget.amplificationFloor else {
      throw options.budget.overAmplification.placed(path: walk.path)
    }
    matches.all.append(Match(file: self, location: walk.location, path: walk.path))
  }

  /// Returns the indices of the elements or entries that match a step.
  private func indices(
    of step: ValuePath.Step, in parts: NodeParts, of walk: Walk, areChanged: Bool
  ) throws(FerryError) -> [Int] {
    do throws(FerryError) {
      switch step {
      case .slice(let from, let to) where parts.isList:
        return Array(ValuePath.elementIndices(from: from, to: to, count: parts.count))
      case .end where parts.isList: return Array(0..<parts.count)
      case .filter(let filter) where parts.isList:
        let found = try walker.elements(matching: filter, in: parts, areChanged: areChanged)
        guard found.isEmpty else { return found }
        throw FerryError(.path(.notOneElement(filter, count: 0)))
      case .slice(nil, nil), .end:
        guard try list.kind(of: walker.target(of: walk.location).node).isCollection else { break }
        return try entries(of: parts)
      default: break
      }
      throw try walker.noStep(step, at: walk.location)
    } catch {
      throw namingElement(error, of: step, at: walk.path).placed(path: walk.path)
    }
  }

  /// Returns the error of a filter on a single element of XML, of which several would be a list, with the name of the element.
  private func namingElement(
    _ error: FerryError, of step: ValuePath.Step, at path: ValuePath
  ) -> FerryError {
    guard format.isOfElements, step.isFilter, path.steps.count > 1, case .key(let key)? = path.steps.last,
      !key.utf8.starts(with: "@".utf8), !key.utf8.starts(with: "#".utf8)
    else { return error }
    let element = ValuePath([.key(key)]).description
    switch error.reason {
    case .path(.noList(let filter, let found, _)), .path(.noStep(let filter, let found)):
      return FerryError(.path(.noList(filter: filter, into: found, element: element)), at: error.location)
    default: return error
    }
  }

  /// Returns the indices of entries except `$class`.
  private func entries(of parts: NodeParts) throws(FerryError) -> [Int] {
    var numbers: [Int] = []
    for index in 0..<parts.count {
      if let key = try parts.key(index, in: list), try list.isString(key, "$class"), archive != nil {
        continue
      }
      numbers.append(index)
    }
    return numbers
  }

  /// Returns the step to an element or entry.
  ///
  /// - Parameter isExact: True to return the key of each entry. Otherwise an entry whose key is an object, with a text that may be as
  ///   large as the file, has its index.
  private func step(to index: Int, in parts: NodeParts, isExact: Bool) throws(FerryError) -> ValuePath.Step {
    guard let key = try parts.key(index, in: list) else { return .index(index) }
    let isNamed = try list.kind(of: walker.target(of: key)) == .string
    guard isExact || isNamed, let text = try walker.text(ofKey: key) else { return .index(index) }
    return .key(text)
  }
}
