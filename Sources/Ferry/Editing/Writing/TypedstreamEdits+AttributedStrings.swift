// Edits of attributed strings, which have runs of attributes beside their text.

extension TypedstreamEdits {
  /// A run of the edited attributed string.
  private struct Run {
    /// The length in UTF-16 code units. The sum of two lengths of a hostile file may be greater than the largest `Int`.
    var length: Int128
    var attributes: TypedstreamItem
    var identity: Identity
  }

  /// The identity of the attributes of a run.
  private enum Identity: Hashable {
    /// Attributes of the original file.
    case object(TypedstreamObjectNumber)
    /// No attributes: nil in the original file.
    case null
    case new(TapeIndex)

    init(_ object: TypedstreamObjectNumber?) { self = object.map { .object($0) } ?? .null }
  }

  /// Visits an attributed string. If its text becomes longer or shorter, its last run does too.
  ///
  /// - Parameters:
  ///   - node: The attributed string with its new content.
  ///   - old: The node with the old content.
  ///   - object: The object with the old content.
  ///   - string: The entry of the old string.
  ///   - runs: The old runs.
  mutating func visit(
    attributedString node: NodeID, like old: NodeID, _ object: TypedstreamObjectNumber,
    _ string: TypedstreamEntryIndex,
    _ runs: [TypedstreamRun]
  ) throws(FerryError) {
    guard try keys(of: node, in: list) == ["string", "runs"] else {
      throw Self.refused("an attributed string has a string and runs")
    }
    let (text, runsNode) = (try list.value(0, of: node), try list.value(1, of: node))
    let hasNewText = try isNew(text, like: tree.nodes.value(0, of: old))
    let oldRuns = try tree.nodes.value(1, of: old)
    let runNodes = try children(of: runsNode, in: list)
    let hasNewRuns =
      try isNew(runsNode, like: oldRuns) || runNodes.contains { isOriginal($0) && list.isChanged($0) }
    if hasNewText { changes.values[string] = try record(text) }
    for run in runNodes where isOriginal(run) {
      waiting += try children(of: run, in: list).filter { isOriginal($0) && tree.entries[$0] != nil }
    }
    guard hasNewText || hasNewRuns else { return }
    var new = try hasNewRuns ? edited(runNodes, like: children(of: oldRuns, in: tree.nodes)) : original(runs)
    guard try list.kind(of: text) == .string else { throw Self.refused("an attributed string has a string") }
    let length = try list.withText(of: text) { text throws(FerryError) in Int128(text.utf16.count) }
    let sum = new.reduce(0) { $0 + $1.length }
    if hasNewText, !hasNewRuns {
      Self.fit(&new, to: length)
    } else if sum != length, sum > 0 || length > 0 {
      throw Self.refused("the runs have \(sum) UTF-16 code units, and the string has \(length)")
    }
    try setContents(of: object, to: Self.items(string, new), at: node)
  }

  /// Returns true if a value differs from that of the original file.
  private func isNew(_ node: NodeID, like old: NodeID) throws(FerryError) -> Bool {
    if isOriginal(node) { return list.isChanged(node) || node != old }
    return try list.builtValue(of: node) != tree.nodes.builtValue(of: old)
  }

  private func original(_ runs: [TypedstreamRun]) -> [Run] {
    runs.map { run in
      Run(
        length: run.length, attributes: .entry(run.attributes),
        identity: Identity(shapes.object(at: run.attributes)))
    }
  }

  private mutating func edited(_ nodes: [NodeID], like old: [NodeID]) throws(FerryError) -> [Run] {
    var runs: [Run] = []
    // The first entries of the old attributes, which are found when the first new ones need them.
    var oldAttributes: [Value: TypedstreamEntryIndex]?
    var start: Int128 = 0
    for node in nodes {
      let known: [ExactString] = ["location", "length", "attributes"]
      guard let names = try keys(of: node, in: list), names.allSatisfy(known.contains) else {
        throw Self.refused("a run has a location, a length and attributes")
      }
      // A new run may leave out its location. A removed one would be in the file again.
      guard !isOriginal(node) || names.count == known.count else {
        throw FerryError(.path(.cannotRemove("a run has a location, a length and attributes")))
      }
      guard let length = try list.value("length", of: node),
        let attributes = try list.value("attributes", of: node),
        case .integer(let count) = try list.kind(of: length), (0...Int128(UInt64.max)).contains(count)
      else { throw Self.refused("a run has a length and attributes") }
      // Locations are not stored, so the location of a run after one with a new length may still be the old one.
      if let location = try list.value("location", of: node), !isOriginal(location),
        try list.kind(of: location) != .integer(start)
      {
        throw Self.refused("the location of a run is the sum of the lengths before it, \(start)")
      }
      start += count
      if isOriginal(attributes), let entry = tree.entries[attributes] {
        runs.append(
          Run(length: count, attributes: .entry(entry), identity: Identity(shapes.object(at: entry))))
      } else {
        let new = try list.builtValue(of: attributes)
        let entries = if let oldAttributes { oldAttributes } else { try entriesOfAttributes(in: old) }
        oldAttributes = entries
        if let same = entries[new] {
          runs.append(
            Run(length: count, attributes: .entry(same), identity: Identity(shapes.object(at: same))))
        } else {
          let index = try record(attributes)
          runs.append(Run(length: count, attributes: .value(index), identity: .new(index)))
        }
      }
    }
    return runs
  }

  /// Returns the entries of the attributes of runs of the original file, by their values. Equal attributes have the entry of the first.
  private func entriesOfAttributes(in runs: [NodeID]) throws(FerryError) -> [Value: TypedstreamEntryIndex] {
    var entries: [Value: TypedstreamEntryIndex] = [:]
    for run in runs {
      guard let attributes = try tree.nodes.value("attributes", of: run), let entry = tree.entries[attributes]
      else { continue }
      let value = try tree.nodes.builtValue(of: attributes)
      // Attributes that change would have the change in the new run, too.
      guard entries[value] == nil, try list.builtValue(of: attributes) == value else { continue }
      entries[value] = entry
    }
    return entries
  }

  /// Changes the lengths of runs to those of a text with another length: the last run becomes longer, or the last runs
  /// become shorter or are removed.
  private static func fit(_ runs: inout [Run], to length: Int128) {
    var sum = runs.reduce(0) { $0 + $1.length }
    while sum > length, let last = runs.last {
      let rest = max(0, last.length - (sum - length))
      sum -= last.length - rest
      if rest == 0, runs.count > 1 {
        runs.removeLast()
      } else {
        runs[runs.count - 1].length = rest
        break
      }
    }
    if sum < length, !runs.isEmpty { runs[runs.count - 1].length += length - sum }
  }

  private static func items(_ string: TypedstreamEntryIndex, _ runs: [Run]) -> [TypedstreamItem] {
    var items: [TypedstreamItem] = [.group("@"), .entry(string)]
    var numbers: [Identity: Int] = [:]
    for run in runs {
      let known = numbers[run.identity]
      let number = known ?? numbers.count + 1
      items += TypedstreamEncoding.run(number, run.length)
      guard known == nil else { continue }
      numbers[run.identity] = number
      items += [.group("@"), run.attributes]
    }
    return items
  }
}
