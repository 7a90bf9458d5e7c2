extension ValueMerge {
  /// Returns the value of the side that changed values, with its keys in the order of the side that changed
  /// only the order. Returns nil if neither side changed only the order.
  ///
  ///     base {"a":1,"b":2}    ours {"b":2,"a":1}    theirs {"a":9,"b":2}    →    {"b":2,"a":9}
  ///
  /// The result has the values of the changed side, even if elements of lists are compared with the wrong
  /// counterparts.
  func reordered(
    _ values: Values, changed side: MergeSide, at position: Position
  ) throws(MergeError) -> Value? {
    switch (values.base, values.ours, values.theirs) {
    case (.dictionary(let base)?, .dictionary(let ours)?, .dictionary(let theirs)?):
      return .dictionary(
        try mergeEntries(Versions(base: base, ours: ours, theirs: theirs), at: position))
    case (.array(let base)?, .array(let ours)?, .array(let theirs)?):
      let lists = Versions(base: base, ours: ours, theirs: theirs)
      if let records = try mergeRecords(lists, at: position, onlyByKey: true) { return .array(records) }
      return .array(try reordered(lists, changed: side, at: position))
    case (.object(let base)?, .object(let ours)?, .object(let theirs)?)
    where [base, ours, theirs].allSatisfy(\.content.isCollection):
      return try mergeObjects(values, at: position)
    default: return values[side]
    }
  }

  /// Returns the elements of the side that changed values. An element with a counterpart in the base gets the
  /// key order of the other side's version.
  private func reordered(
    _ lists: Versions<[Value]>, changed side: MergeSide, at position: Position
  ) throws(MergeError) -> [Value] {
    let (base, changed) = (lists.base, lists[side])
    var elements = changed
    var symbols = Symbols<Value>()
    let alignment = SequenceAlignment(symbols.of(base), symbols.of(changed)) {
      base[$0].likeness(to: changed[$1])
    }
    for (index, match) in alignment.matches.enumerated() where match >= 0 {
      let values =
        side == .ours
        ? Values(base: base[index], ours: changed[match], theirs: lists.theirs[index])
        : Values(base: base[index], ours: lists.ours[index], theirs: changed[match])
      let element = Position(
        trail: MergeTrail(position.trail, .path(.index(match))), type: position.elementType)
      elements[match] = try merge(values, at: element) ?? changed[match]
    }
    return elements
  }
}
