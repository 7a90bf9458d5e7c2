// Merging of dictionaries, key by key.

extension ValueMerge {
  func mergeEntries(
    _ entries: Versions<KeyedValues>, at position: Position
  ) throws(MergeError) -> KeyedValues {
    var merged = KeyedValues()
    var keys = MergedOrder.of(entries.map(\.keys))
    if options.mergesElements { keys = elementOrder(of: keys, in: entries.all, position.type) }
    let records = RecordDictionary(entries, in: position.dictionary, favoring: winner)
    for key in keys {
      let values = entries.map { $0[key] }
      if isLayout(values, of: key, besideChildrenOf: merged, since: entries.base) { continue }
      let trail = MergeTrail(position.trail, .key(key))
      if let records, records.removedInUse.contains(key) {
        merged[key] = removedInConflict(values, at: trail, isReferred: records.referred.contains(key))
        continue
      }
      merged[key] = try merge(
        values,
        at: Position(
          trail: trail, type: options.type(of: key, in: position.type), isInRecord: position.isInRecord,
          dictionary: records ?? position.dictionary))
    }
    return merged
  }

  /// Records a conflict for a record that one side has removed, and returns it, because the result refers to it or the winner has changed it.
  private func removedInConflict(_ values: Values, at trail: MergeTrail, isReferred: Bool) -> Value? {
    _ = conflict(values, at: trail, isReferred: isReferred)
    return values.ours ?? values.theirs
  }
}
