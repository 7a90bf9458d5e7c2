/// Three versions of a dictionary of records that may refer to each other by their keys, as the objects of an Xcode project do.
///
///     objects = { G = { children = ( F ); }; F = { path = "a.swift"; }; }
final class RecordDictionary {
  private let versions: Versions<KeyedValues>
  /// The closest dictionary of records around this one; nil if there is none.
  private let outer: RecordDictionary?
  /// The side whose value the result gets in a conflict.
  private let winner: MergeSide

  /// The keys of the records that one side has removed and to which the result refers: those to which the other side has added
  /// references, and those to which these refer. If the winner has changed records that the other side has removed, the
  /// result has these, too.
  let removedInUse: Set<Value>
  /// The keys of the records in use to which another record of the same side refers. Other records are in use only because the winner has
  /// changed them.
  let referred: Set<Value>

  /// Creates the versions of a dictionary. Returns nil if a version has other values than dictionaries.
  init?(_ versions: Versions<KeyedValues>, in outer: RecordDictionary?, favoring winner: MergeSide) {
    let areRecords = versions.all.allSatisfy { version in
      version.values.allSatisfy { if case .dictionary = $0 { true } else { false } }
    }
    guard areRecords else { return nil }
    (self.versions, self.outer, self.winner) = (versions, outer, winner)
    let removed = MergeSide.eachWithOther.map { side, other in
      Self.recordsRemoved(by: side, usedBy: other, isFavored: other == winner, in: versions)
    }
    removedInUse = removed.reduce(into: []) { $0.formUnion($1.used) }
    referred = removed.reduce(into: []) { $0.formUnion($1.referred) }
  }

  // MARK: Lists of references

  /// Returns this dictionary, or the closest one around it, of which each version of a list in a record has only keys, each of them once.
  func referred(by lists: Versions<[Value]>) -> RecordDictionary? {
    var dictionary: RecordDictionary? = self
    while let current = dictionary, !current.hasKeys(lists) { dictionary = current.outer }
    return dictionary
  }

  /// Returns the references of the winner without those to records that the other side has removed.
  func withoutRemoved(_ references: [Value]) -> [Value] {
    let (base, left) = (versions.base, versions[winner == .ours ? .theirs : .ours])
    return references.filter { key in
      base[key] == nil || left[key] != nil || removedInUse.contains(key)
    }
  }

  private func hasKeys(_ lists: Versions<[Value]>) -> Bool {
    MergeSide.allCases.allSatisfy { side in
      let records = versions[side]
      var found: Set<Value> = []
      return lists[side].allSatisfy { element in
        guard case .string = element, records[element] != nil else { return false }
        return found.insert(element).inserted
      }
    }
  }

  // MARK: Removed records

  private static func recordsRemoved(
    by side: MergeSide, usedBy other: MergeSide, isFavored: Bool, in versions: Versions<KeyedValues>
  ) -> (used: Set<Value>, referred: Set<Value>) {
    let (base, left, records) = (versions.base, versions[side], versions[other])
    let removed = Set(base.keys.filter { left[$0] == nil && records[$0] != nil })
    guard !removed.isEmpty else { return ([], []) }
    var trails = RecordReferences.Trails()
    let old = RecordReferences.texts(equalTo: removed, in: base, &trails)
    let new = RecordReferences(to: removed, in: records, &trails)
    var referred: Set<Value> = []
    for (key, references) in new.found where left[key] != nil || base[key] == nil {
      referred.formUnion(references.subtracting(old[key] ?? []).map(\.target))
    }
    var waiting = Array(referred)
    if isFavored { waiting += removed.filter { !ValueMerge.areSame(base[$0], records[$0]) } }
    var used: Set<Value> = []
    while let key = waiting.popLast() {
      guard used.insert(key).inserted else { continue }
      let targets = (new.found[key] ?? []).map(\.target).filter { $0 != key }
      referred.formUnion(targets)
      waiting += targets
    }
    return (used, referred)
  }
}
