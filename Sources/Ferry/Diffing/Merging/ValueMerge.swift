/// A three-way merge that walks the three versions in parallel.
///
/// If one side changed a value, the result gets that side's value; if both sides changed it alike, the result
/// gets the change once. Dictionaries and objects are merged key by key, lists of records by the records'
/// keys, and other lists and the lines of texts if the changes do not overlap. Anything else is a conflict, in
/// which the result gets the value of the favored side.
final class ValueMerge {
  let options: ThreeWayMerge
  /// The side whose value the result gets in a conflict.
  private var winner: MergeSide { options.favored.side }
  private(set) var conflicts: [MergeConflict] = []
  private var versions: [MergeSide: SharedObjects] = [:]
  /// True if the objects of the versions have numbers, by which references to them are compared.
  private var identifiesObjects = false
  /// The merged objects by number.
  private var mergedObjects: [Int: ObjectValue] = [:]
  /// The objects to which merged values refer, in the order of the first references to them.
  private var referred: [Referred] = []
  /// The number of objects in `referred` that are merged.
  private var mergedReferred = 0
  private var knownReferred: Set<Int> = []
  /// The objects whose versions are in a conflict.
  private var inConflict: Set<Int> = []
  /// The objects that a side may have replaced by others at the same paths.
  private var doubtful: [MergeSide: Set<Int>] = [:]
  /// The number of references to each object, if some are doubtful.
  private lazy var referenceCounts = versions.mapValues(\.referenceCounts)
  /// The objects that a side has changed, and to which the other side has removed all references.
  private var changedAndRemoved: [MergeSide: Set<Int>] = [:]
  /// True while an object of a class is merged. Its other fields may depend on a text, such as on the positions in it.
  private var isInObject = false

  init(_ options: ThreeWayMerge) { self.options = options }

  /// The values of the three versions at one path. A version without a value there has nil.
  struct Three {
    var base, ours, theirs: Value?

    subscript(side: MergeSide) -> Value? {
      get {
        switch side {
        case .base: base
        case .ours: ours
        case .theirs: theirs
        }
      }
      set {
        switch side {
        case .base: base = newValue
        case .ours: ours = newValue
        case .theirs: theirs = newValue
        }
      }
    }
  }

  /// Merges three whole documents.
  func merge(base: Value?, ours: Value, theirs: Value) throws(MergeError) -> SharedObjects {
    // An object that one version shares, and another does not, is one object. So each has a number in all versions.
    identifiesObjects = [base, ours, theirs].contains { $0?.hasIdentities == true }
    if let base { versions[.base] = SharedObjects(base, all: identifiesObjects) }
    versions[.ours] = SharedObjects(ours, all: identifiesObjects)
    versions[.theirs] = SharedObjects(theirs, all: identifiesObjects)
    try checkKey(of: roots)
    let collections = numberObjects()
    findChangedAndRemoved()
    let type = options.record.map { FieldType.list(.record($0), element: $0.element) }
    let root = try merge(roots, at: Position(type: type, isInRecord: false)) ?? roots.ours ?? ours
    try mergeReferredObjects()
    for number in Set(versions.values.flatMap(\.objects.keys)).sorted() where mergedObjects[number] == nil {
      mergedObjects[number] = try mergedObject(
        Referred(number: number, position: Position(trail: trail(of: number))))
      try mergeReferredObjects()
    }
    let merged = SharedObjects(root, with: mergedObjects)
    noteRemovedChanges(in: merged)
    let shared = collections.isEmpty ? merged : collections.sharing(merged)
    let result = shared.inlining(newUnshared.subtracting(shared.numbersInCycles))
    if !collections.isEmpty { versions = collections.originals }
    return result
  }

  /// The new objects that no version shares. If both sides have added equal ones, each reference gets an object of its own.
  private var newUnshared: Set<Int> {
    let known = versions[.base]?.objects ?? [:]
    let new = Set(versions.values.flatMap(\.unshared)).filter { known[$0] == nil }
    return new.filter { number in
      versions.values.allSatisfy { $0.objects[number] == nil || $0.unshared.contains(number) }
    }
  }

  /// Returns a version with its shared objects numbered as in the merged value.
  func version(_ side: MergeSide) -> SharedObjects? { versions[side] }

  private var roots: Three {
    Three(base: versions[.base]?.root, ours: versions[.ours]?.root, theirs: versions[.theirs]?.root)
  }

  // MARK: Shared objects

  /// Gives the objects of all versions common numbers, after copying the collections that they do not share alike.
  private func numberObjects() -> CopiedCollections {
    let keys = (options.key ?? options.record?.key).map { [$0, options.keyName($0)] } ?? Self.usualKeys
    var numbering = ObjectNumbering(of: versions, keys: keys)
    var collections = CopiedCollections(in: versions, numbered: numbering.numbers)
    if !collections.isEmpty {
      versions = collections.versions
      numbering = ObjectNumbering(of: versions, keys: keys, from: numbering.next)
      collections.number(numbering.numbers, from: numbering.next)
    }
    for (side, numbers) in numbering.numbers { versions[side]?.rename(numbers) }
    doubtful = numbering.doubtful
    return collections
  }

  private func objects(_ number: Int) -> Three {
    func value(_ side: MergeSide) -> Value? { versions[side]?.objects[number].map(Value.object) }
    return Three(base: value(.base), ours: value(.ours), theirs: value(.theirs))
  }

  /// The path to each object, in our version if the object occurs there.
  private lazy var trails: [Int: MergeTrail] = [MergeSide.base, .theirs, .ours].reduce(into: [:]) {
    trails, side in
    trails.merge(versions[side]?.trails ?? [:]) { $1 }
  }

  private func trail(of number: Int) -> MergeTrail {
    MergeTrail(nil, .object { [unowned self] in trails[number] })
  }

  /// A position in the versions, with what the schema says about the value there.
  struct Position {
    /// The trail to the value; nil for the root.
    var trail: MergeTrail?
    /// The declared type of the value; nil if it has none.
    var type: FieldType?
    var isInRecord = true

    /// The declared type of the elements of a list; nil if they have none.
    var elementType: FieldType? { if case .list(let items, _)? = type { items } else { nil } }
  }

  /// An object, with the position of the first reference to it.
  private struct Referred {
    let number: Int
    let position: Position
  }

  /// Merges the objects to which all versions of merged values refer.
  private func mergeReferredObjects() throws(MergeError) {
    while mergedReferred < referred.count {
      let next = referred[mergedReferred]
      mergedReferred += 1
      guard mergedObjects[next.number] == nil else { continue }
      mergedObjects[next.number] = try mergedObject(next)
    }
  }

  private func mergedObject(_ object: Referred) throws(MergeError) -> ObjectValue? {
    let three = objects(object.number)
    if isReplacedInUse(object.number, three),
      case .object(let object)? = conflict(three, at: object.position.trail)
    {
      return object
    }
    // If one side dropped an object that the result still refers to, the object of the other side is used.
    let merged: Value? =
      three.ours == nil || three.theirs == nil
      ? three.ours ?? three.theirs ?? three.base
      : try merge(three, at: object.position)
    guard case .object(let object)? = merged else { return nil }
    return object
  }

  /// Returns true if a side may have replaced an object that the other side has changed, or to which the other side has
  /// references at other paths.
  private func isReplacedInUse(_ number: Int, _ three: Three) -> Bool {
    [(MergeSide.ours, MergeSide.theirs), (.theirs, .ours)].contains { side, other in
      guard doubtful[side]?.contains(number) == true, three[other] != nil else { return false }
      return !Self.areSame(three[other], three.base)
        || referenceCounts[other]?[number] != referenceCounts[.base]?[number]
    }
  }

  /// Finds the objects that one side has changed, and to which the other side has removed all references.
  private func findChangedAndRemoved() {
    for number in (versions[.base]?.objects ?? [:]).keys {
      let three = objects(number)
      for (side, other) in [(MergeSide.ours, MergeSide.theirs), (.theirs, .ours)]
      where three[side] != nil && three[other] == nil && !Self.areSame(three[side], three.base) {
        changedAndRemoved[side, default: []].insert(number)
      }
    }
    for (side, other) in [(MergeSide.ours, MergeSide.theirs), (.theirs, .ours)] {
      addContainers(of: side, removedBy: other)
    }
  }

  /// Adds the objects that contain, directly or indirectly, changed objects, if the other side has removed them too.
  private func addContainers(of side: MergeSide, removedBy other: MergeSide) {
    guard var waiting = changedAndRemoved[side].map(Array.init) else { return }
    var containers: [Int: [Int]] = [:]
    for (number, object) in versions[side]?.objects ?? [:] where versions[other]?.objects[number] == nil {
      for part in object.content.references { containers[part, default: []].append(number) }
    }
    while let number = waiting.popLast() {
      for container in containers[number] ?? []
      where changedAndRemoved[side, default: []].insert(container).inserted { waiting.append(container) }
    }
  }

  /// Returns true if a value of a side refers to an object that the side has changed and the other side has removed.
  /// The value is then changed, although its reference is not.
  private func isChangedInside(_ value: Value?, _ side: MergeSide) -> Bool {
    guard let numbers = changedAndRemoved[side], let value else { return false }
    return value.refers(toAnyOf: numbers)
  }

  /// Records a conflict for each object that one side has changed and that the result lacks, because the other side has
  /// removed the references to it, unless another conflict reports that.
  private func noteRemovedChanges(in merged: SharedObjects) {
    for number in (versions[.base]?.objects ?? [:]).keys.sorted() where merged.objects[number] == nil {
      let three = objects(number)
      let isChanged = [MergeSide.ours, .theirs].contains { side in
        three[side] != nil && !Self.areSame(three[side], three.base)
      }
      guard isChanged, !inConflict.contains(number) else { continue }
      _ = conflict(three, at: trail(of: number))
    }
  }

  // MARK: One value

  /// Returns the merged value at a path, or nil if the result has no value there.
  func merge(
    _ three: Three, at position: Position
  ) throws(MergeError) -> Value? {
    if case .reference(let number)? = three.ours, three.ours == three.theirs {
      noteReference(to: number, at: position)
      return three.ours
    }
    // A side that has removed a column from a table without rows has the value of the base.
    let mayLackColumns = position.trail == nil && !options.removedColumns.isEmpty
    if !hasReferences(three), !mayLackColumns {
      if three.ours == three.theirs { return three.ours }
      if three.base == three.ours, !isChangedInside(three.ours, .ours) { return three.theirs }
      if three.base == three.theirs, !isChangedInside(three.theirs, .theirs) { return three.ours }
      // A different order of keys is not a change.
      if Self.areSame(three.ours, three.theirs) { return three.ours }
      for (side, other) in [(MergeSide.ours, MergeSide.theirs), (.theirs, .ours)]
      where Self.areSame(three.base, three[side]) && !isChangedInside(three[side], side) {
        return try reordered(three, changed: other, at: position)
      }
    }
    guard let ours = three.ours, let theirs = three.theirs else { return conflict(three, at: position.trail) }
    // The outermost dictionary is not an element, but has the root element.
    let isElement = options.mergesElements && position.type == nil && position.trail != nil
    if isElement, let shaped = three.elementsInOneShape {
      return try merge(shaped, at: position)?.element(inShapeOf: three)
    }
    if Self.isObject(ours) || Self.isObject(theirs) || three.base.map(Self.isObject) == true {
      return try mergeObjects(three, ours, theirs, at: position)
    }
    // Only a missing base is empty. With a base of another kind, both sides have replaced it.
    switch (three.base ?? ours.emptied, ours, theirs) {
    case (.dictionary(let base), .dictionary(let mine), .dictionary(let others)):
      let merged = try mergeEntries(base, mine, others, at: position)
      if isElement { return merged.element }
      let hasTwoRoots =
        options.mergesElements && position.type == nil && merged.count > max(mine.count, others.count)
      return hasTwoRoots && mine.count == 1 ? conflict(three, at: position.trail) : .dictionary(merged)
    case (.array(let base), .array(let mine), .array(let others)):
      let merged = try mergeLists(three, base, mine, others, at: position)
      guard isElement, let merged, merged.count < 2 else { return merged.map(Value.array) }
      // XML has no list without elements, and one element as itself.
      return merged.first
    case (.set(let base), .set(let mine), .set(let others)):
      return .set(try mergeSets(base, mine, others, at: position))
    case (.string(let base), .string(let mine), .string(let others)) where !isInObject && three.base != nil:
      guard let merged = PlainLists.mergedLines(of: base, mine, others) else {
        return conflict(three, at: position.trail)
      }
      return .string(merged)
    default: return conflict(three, at: position.trail)
    }
  }

  /// Notes an object to which both sides refer, for the merge of the object itself.
  private func noteReference(to number: Int, at position: Position) {
    guard knownReferred.insert(number).inserted else { return }
    let isShared = versions.values.contains { $0.objects[number] != nil && !$0.unshared.contains(number) }
    var position = position
    if isShared { position.trail = trail(of: number) }
    referred.append(Referred(number: number, position: position))
  }

  /// Returns true if both sides have collections of one kind with references to objects, in which paths to the
  /// objects are found.
  private func hasReferences(_ three: Three) -> Bool {
    guard identifiesObjects, let ours = three.ours, let theirs = three.theirs else { return false }
    switch (three.base ?? ours.emptied, ours, theirs) {
    case (.dictionary, .dictionary, .dictionary), (.array, .array, .array), (.object, .object, .object):
      return ours.hasReferences || theirs.hasReferences
    default: return false
    }
  }

  static func areSame(_ first: Value?, _ second: Value?) -> Bool {
    guard let first, let second else { return first == nil && second == nil }
    return first.isSame(as: second)
  }

  private static func isObject(_ value: Value) -> Bool { if case .object = value { true } else { false } }

  /// Records a conflict, and returns the value of the chosen side.
  ///
  /// - Parameter removedColumn: The column of a new cell, if the other side has removed the column.
  func conflict(_ three: Three, at trail: MergeTrail?, inRemoved removedColumn: String? = nil) -> Value? {
    func shown(_ side: MergeSide) -> Value? {
      guard let value = three[side] else { return nil }
      noteConflict(in: value, side)
      return versions[side]?.whole(value) ?? value
    }
    conflicts.append(
      MergeConflict(
        path: trail?.path ?? ValuePath(), base: shown(.base), ours: shown(.ours), theirs: shown(.theirs),
        removedColumn: removedColumn))
    return three[winner]
  }

  /// Notes the objects of a value that is in a conflict, and the objects that only these objects contain.
  private func noteConflict(in value: Value, _ side: MergeSide) {
    var waiting = value.references
    while let number = waiting.popLast() {
      guard inConflict.insert(number).inserted, let version = versions[side],
        version.unshared.contains(number)
      else { continue }
      waiting += version.objects[number]?.content.references ?? []
    }
  }

  /// Merges values of which at least one is an object. The class is merged like a field, then the content.
  func mergeObjects(
    _ three: Three, _ ours: Value, _ theirs: Value, at position: Position
  ) throws(MergeError) -> Value? {
    let classes = [three.base, ours, theirs].map { value -> ObjectClass? in
      guard case .object(let object)? = value else { return nil }
      return object.type
    }
    let contents = [three.base, ours, theirs].map { value -> Value? in
      guard case .object(let object)? = value else { return value }
      return object.content
    }
    // The class of a scalar cannot be merged separately from the scalar.
    guard contents.dropFirst().allSatisfy({ $0?.isCollection == true }), contents[0]?.isCollection != false
    else {
      return conflict(three, at: position.trail)
    }
    if Self.isReplaced(three.base, by: ours) || Self.isReplaced(three.base, by: theirs) {
      return conflict(three, at: position.trail)
    }
    var merged = classes[1]
    if classes[1] != classes[2] {
      if classes[0] == classes[1] {
        merged = classes[2]
      } else if classes[0] != classes[2] {
        let name = { (type: ObjectClass?) in type.map { Value.string($0.name) } }
        _ = conflict(
          Three(base: name(classes[0]), ours: name(classes[1]), theirs: name(classes[2])),
          at: MergeTrail(position.trail, .path(.key("$class"))))
        if winner == .theirs { merged = classes[2] }
      }
    }
    let isInner = isInObject
    isInObject = true
    defer { isInObject = isInner }
    let content = try merge(
      Three(base: contents[0], ours: contents[1], theirs: contents[2]), at: position)
    guard let content, let merged else { return content }
    return .object(ObjectValue(merged, content: content))
  }

  /// Returns true if a side has an object of another class in place of a record, with other fields.
  private static func isReplaced(_ base: Value?, by side: Value) -> Bool {
    guard case .object(let old)? = base, case .object(let new) = side, old.content.isRecord,
      old.type != new.type
    else { return false }
    return !old.content.isAlike(new.content)
  }

  func mergeEntries(
    _ base: KeyedValues, _ ours: KeyedValues, _ theirs: KeyedValues, at position: Position
  ) throws(MergeError) -> KeyedValues {
    var merged = KeyedValues()
    var keys = MergedOrder.of(base: base.keys, ours: ours.keys, theirs: theirs.keys)
    if options.mergesElements { keys = elementOrder(of: keys, in: [base, ours, theirs], position.type) }
    for key in keys {
      let three = Three(base: base[key], ours: ours[key], theirs: theirs[key])
      if isLayout(three, of: key, besideChildrenOf: merged, since: base) { continue }
      merged[key] = try merge(
        three,
        at: Position(
          trail: MergeTrail(position.trail, .key(key)), type: options.type(of: key, in: position.type),
          isInRecord: position.isInRecord))
    }
    return merged
  }

  /// Returns the object of a reference, or the value itself.
  func resolved(_ value: Value, _ side: MergeSide) -> Value {
    guard case .reference(let number) = value, let object = versions[side]?.objects[number] else {
      return value
    }
    return .object(object)
  }

  private func mergeSets(
    _ base: [Value], _ ours: [Value], _ theirs: [Value], at position: Position
  ) throws(MergeError) -> [Value] {
    if let merged = try mergeRecords(base, ours, theirs, at: position, onlyByKey: true) {
      return merged
    }
    let (old, mine, others) = (Set(base), Set(ours), Set(theirs))
    return ours.filter { others.contains($0) || !old.contains($0) || isKept($0, .ours, at: position.trail) }
      + theirs.filter { !mine.contains($0) && (!old.contains($0) || isKept($0, .theirs, at: position.trail)) }
  }

  /// Returns true if the result keeps a member of a set that a side has changed and the other side has removed. That is
  /// a conflict.
  private func isKept(_ member: Value, _ side: MergeSide, at trail: MergeTrail?) -> Bool {
    guard isChangedInside(member, side) else { return false }
    var trail = trail
    if case .reference(let number) = member { trail = self.trail(of: number) }
    let changed = Optional(member)
    let three = Three(
      base: changed, ours: side == .ours ? changed : .none, theirs: side == .theirs ? changed : .none)
    return conflict(three, at: trail) != nil
  }

  private func mergeLists(
    _ three: Three, _ base: [Value], _ ours: [Value], _ theirs: [Value], at position: Position
  ) throws(MergeError) -> [Value]? {
    if let merged = try mergeRecords(base, ours, theirs, at: position, onlyByKey: false) {
      return merged
    }
    let isChangedInside = isChangedInside(three.ours, .ours) || isChangedInside(three.theirs, .theirs)
    if three.base != nil, !isChangedInside, let merged = PlainLists(base, ours, theirs).mergedWithoutCopies {
      return merged
    }
    // Both sides have made the same list. The objects in it are merged by their numbers.
    if ours == theirs { return ours }
    guard case .array(let values)? = conflict(three, at: position.trail) else { return ours }
    return values
  }
}
