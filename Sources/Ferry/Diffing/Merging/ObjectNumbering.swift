/// Common numbers for the objects of all versions in a merge: those of the base or, without one, of our version.
///
///     base [Person #1, Pin #2]     ours [Pin #5, Person #7]     theirs [Person #3, Pin #4, Pin #6]
///     ours 5 → 2, 7 → 1            theirs 3 → 1, 4 → 2, 6 → 3
struct ObjectNumbering {
  /// For each version, the common numbers of its objects by their numbers in the version. The objects of the first
  /// version keep their own.
  private(set) var numbers: [MergeSide: [Int: Int]] = [:]
  /// For each side, the objects that it may have replaced by others at the same paths, by common number.
  private(set) var doubtful: [MergeSide: Set<Int>] = [:]
  /// The first number that no object has.
  private(set) var next: Int

  /// Finds the numbers.
  ///
  /// - Parameters:
  ///   - versions: The versions.
  ///   - keys: The names of the fields that identify records.
  ///   - next: The first number for objects that the first version does not have; nil for the one after its greatest.
  init(of versions: [MergeSide: SharedObjects], keys: [String], from next: Int? = nil) {
    let first: MergeSide = versions[.base] == nil ? .ours : .base
    self.next = next ?? (versions[first]?.objects.keys.max() ?? 0) &+ 1
    guard let base = versions[first], versions.values.contains(where: { !$0.objects.isEmpty }) else { return }
    var matchings: [MergeSide: SharedObjectMatching] = [:]
    for (side, version) in versions where side != first {
      matchings[side] = SharedObjectMatching(version, to: base, keys: keys)
    }
    numbers = matchings.mapValues(\.numbers)
    if first == .base { doubtful = matchings.mapValues(\.doubtful) }
    addSimilar(matchings)
    addNew(versions, besides: first)
  }

  /// Adds the objects that were probably changed and moved. If the other side has changed an object too, it is taken
  /// for removed instead, so that the change does not get into another object.
  private mutating func addSimilar(_ matchings: [MergeSide: SharedObjectMatching]) {
    for (side, other) in MergeSide.eachWithOther {
      for (new, number) in matchings[side]?.similar ?? [:]
      where matchings[other]?.hasChanged(number) != true { numbers[side]?[new] = number }
    }
  }

  /// Numbers the objects that the first version does not have. Equal objects that both sides have added get one number.
  private mutating func addNew(_ versions: [MergeSide: SharedObjects], besides first: MergeSide) {
    var added: AddedObjects?
    if first == .base, let ours = versions[.ours], let theirs = versions[.theirs] {
      added = AddedObjects(ours: ours, theirs: theirs, besides: numbers)
    }
    for side in [MergeSide.ours, .theirs] where side != first {
      for new in (versions[side]?.objects ?? [:]).keys.sorted() where numbers[side]?[new] == nil {
        if side == .theirs, let number = added?.pairs[new].flatMap({ numbers[.ours]?[$0] }) {
          numbers[side]?[new] = number
        } else {
          numbers[side]?[new] = next
          next &+= 1
        }
      }
    }
  }
}
