extension ValueMerge {
  /// Returns the value of the side that changed values, with its keys in the order of the side that changed
  /// only the order. Returns nil if neither side changed only the order.
  ///
  ///     base {"a":1,"b":2}    ours {"b":2,"a":1}    theirs {"a":9,"b":2}    →    {"b":2,"a":9}
  ///
  /// The result has the values of the changed side, even if elements of lists are compared with the wrong
  /// counterparts.
  func reordered(
    _ three: Three, changed side: MergeSide, at position: Position
  ) throws(MergeError) -> Value? {
    switch (three.base, three.ours, three.theirs) {
    case (.dictionary(let base)?, .dictionary(let ours)?, .dictionary(let theirs)?):
      return .dictionary(try mergeEntries(base, ours, theirs, at: position))
    case (.array(let base)?, .array(let ours)?, .array(let theirs)?):
      if let records = try mergeRecords(base, ours, theirs, at: position, onlyByKey: true) {
        return .array(records)
      }
      return .array(try reordered(base, ours, theirs, changed: side, at: position))
    case (.object(let base)?, .object(let ours)?, .object(let theirs)?)
    where [base, ours, theirs].allSatisfy(\.content.isCollection):
      return try mergeObjects(three, .object(ours), .object(theirs), at: position)
    default: return three[side]
    }
  }

  /// Returns the elements of the side that changed values. An element with a counterpart in the base gets the
  /// key order of the other side's version.
  private func reordered(
    _ base: [Value], _ ours: [Value], _ theirs: [Value], changed side: MergeSide, at position: Position
  ) throws(MergeError) -> [Value] {
    var elements = side == .ours ? ours : theirs
    var symbols = Symbols()
    let changed = elements
    let alignment = SequenceAlignment(symbols.of(base), symbols.of(changed)) {
      base[$0].likeness(to: changed[$1])
    }
    for (index, match) in alignment.matches.enumerated() where match >= 0 {
      let three =
        side == .ours
        ? Three(base: base[index], ours: changed[match], theirs: theirs[index])
        : Three(base: base[index], ours: ours[index], theirs: changed[match])
      let element = Position(
        trail: MergeTrail(position.trail, .path(.index(match))), type: position.elementType)
      elements[match] = try merge(three, at: element) ?? changed[match]
    }
    return elements
  }
}
