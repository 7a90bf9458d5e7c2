/// A three-way merge that walks the three versions in parallel.
///
/// If one side changed a value, the result gets that side's value; if both sides changed it alike, the result
/// gets the change once. Dictionaries and objects are merged key by key, lists of records by the records'
/// keys, lists of references reference by reference, and other lists and the lines of texts if the changes do
/// not overlap. Anything else is a conflict, in which the result gets the value of the favored side. But the result keeps
/// a removed record to which it refers, and a list in conflict lacks references to records that the other side has removed.
final class ValueMerge {
  let options: ThreeWayMerge
  /// The side whose value the result gets in a conflict.
  var winner: MergeSide { options.favored.side }
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

  /// The values of the versions at one path. A version without a value there has nil.
  typealias Values = Versions<Value?>

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

  private var roots: Values { Values { versions[$0]?.root } }

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

  private func objects(_ number: Int) -> Values { Values { versions[$0]?.objects[number].map(Value.object) } }

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
    /// The closest dictionary of records that has the value in one of its records; nil if there is none.
    var dictionary: RecordDictionary?

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
    let values = objects(object.number)
    if isReplacedInUse(object.number, values),
      case .object(let object)? = conflict(values, at: object.position.trail)
    {
      return object
    }
    // If one side dropped an object that the result still refers to, the object of the other side is used.
    let merged: Value? =
      values.ours == nil || values.theirs == nil
      ? values.ours ?? values.theirs ?? values.base
      : try merge(values, at: object.position)
    guard case .object(let object)? = merged else { return nil }
    return object
  }

  /// Returns true if a side may have replaced an object that the other side has changed, or to which the other side has
  /// references at other paths.
  private func isReplacedInUse(_ number: Int, _ values: Values) -> Bool {
    MergeSide.eachWithOther.contains { side, other in
      guard doubtful[side]?.contains(number) == true, values[other] != nil else { return false }
      return !Self.areSame(values[other], values.base)
        || referenceCounts[other]?[number] != referenceCounts[.base]?[number]
    }
  }

  /// Finds the objects that one side has changed, and to which the other side has removed all references.
  private func findChangedAndRemoved() {
    for number in (versions[.base]?.objects ?? [:]).keys {
      let values = objects(number)
      for (side, other) in MergeSide.eachWithOther
      where values[side] != nil && values[other] == nil && !Self.areSame(values[side], values.base) {
        changedAndRemoved[side, default: []].insert(number)
      }
    }
    for (side, other) in MergeSide.eachWithOther {
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
      let values = objects(number)
      let isChanged = [MergeSide.ours, .theirs].contains { side in
        values[side] != nil && !Self.areSame(values[side], values.base)
      }
      guard isChanged, !inConflict.contains(number) else { continue }
      _ = conflict(values, at: trail(of: number))
    }
  }

  // MARK: One value

  /// Returns the merged value at a path, or nil if the result has no value there.
  func merge(_ values: Values, at position: Position) throws(MergeError) -> Value? {
    if case .reference(let number)? = values.ours, values.ours == values.theirs {
      noteReference(to: number, at: position)
      return values.ours
    }
    // A side that has removed a column from a table without rows has the value of the base.
    let mayLackColumns = position.trail == nil && !options.removedColumns.isEmpty
    if !hasReferences(values), !mayLackColumns {
      if values.ours == values.theirs { return values.ours }
      if values.base == values.ours, !isChangedInside(values.ours, .ours) { return values.theirs }
      if values.base == values.theirs, !isChangedInside(values.theirs, .theirs) { return values.ours }
      // A different order of keys is not a change.
      if Self.areSame(values.ours, values.theirs) { return values.ours }
      for (side, other) in MergeSide.eachWithOther
      where Self.areSame(values.base, values[side]) && !isChangedInside(values[side], side) {
        return try reordered(values, changed: other, at: position)
      }
    }
    guard let ours = values.ours, let theirs = values.theirs else {
      return conflict(values, at: position.trail)
    }
    // The outermost dictionary is not an element, but has the root element.
    let isElement = options.mergesElements && position.type == nil && position.trail != nil
    if isElement, let shaped = values.elementsInOneShape {
      return try merge(shaped, at: position)?.element(inShapeOf: values)
    }
    if Self.isObject(ours) || Self.isObject(theirs) || values.base.map(Self.isObject) == true {
      return try mergeObjects(values, at: position)
    }
    // Only a missing base is empty. With a base of another kind, both sides have replaced it.
    switch (values.base ?? ours.emptied, ours, theirs) {
    case (.dictionary(let base), .dictionary(let mine), .dictionary(let others)):
      let merged = try mergeEntries(Versions(base: base, ours: mine, theirs: others), at: position)
      if isElement { return merged.element }
      let hasTwoRoots =
        options.mergesElements && position.type == nil && merged.count > max(mine.count, others.count)
      return hasTwoRoots && mine.count == 1 ? conflict(values, at: position.trail) : .dictionary(merged)
    case (.array(let base), .array(let mine), .array(let others)):
      let lists = Versions(base: base, ours: mine, theirs: others)
      let merged = try mergeLists(lists, of: values, at: position)
      guard isElement, let merged, merged.count < 2 else { return merged.map(Value.array) }
      // XML has no list without elements, and one element as itself.
      return merged.first
    case (.set(let base), .set(let mine), .set(let others)):
      return .set(try mergeSets(Versions(base: base, ours: mine, theirs: others), at: position))
    case (.string(let base), .string(let mine), .string(let others)) where !isInObject && values.base != nil:
      let texts = Versions(base: base, ours: mine, theirs: others)
      guard let merged = PlainLists.mergedLines(of: texts) else {
        return conflict(values, at: position.trail)
      }
      return .string(merged)
    default: return conflict(values, at: position.trail)
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
  private func hasReferences(_ values: Values) -> Bool {
    guard identifiesObjects, let ours = values.ours, let theirs = values.theirs else { return false }
    switch (values.base ?? ours.emptied, ours, theirs) {
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
  /// - Parameters:
  ///   - removedColumn: The column of a new cell, if the other side has removed the column.
  ///   - isReferred: True for a removed record to which the result refers.
  func conflict(
    _ values: Values, at trail: MergeTrail?, inRemoved removedColumn: String? = nil, isReferred: Bool = false
  ) -> Value? {
    func shown(_ side: MergeSide) -> Value? {
      guard let value = values[side] else { return nil }
      noteConflict(in: value, side)
      return versions[side]?.whole(value) ?? value
    }
    conflicts.append(
      MergeConflict(
        path: trail?.path ?? ValuePath(), base: shown(.base), ours: shown(.ours), theirs: shown(.theirs),
        removedColumn: removedColumn, isReferred: isReferred))
    return values[winner]
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
    _ values: Values, at position: Position
  ) throws(MergeError) -> Value? {
    let types = values.map { value -> ObjectClass? in
      guard case .object(let object)? = value else { return nil }
      return object.type
    }
    let contents = values.map { value -> Value? in
      guard case .object(let object)? = value else { return value }
      return object.content
    }
    // The class of a scalar cannot be merged separately from the scalar.
    guard contents.ours?.isCollection == true, contents.theirs?.isCollection == true,
      contents.base?.isCollection != false, !Self.isReplaced(values.base, by: values.ours),
      !Self.isReplaced(values.base, by: values.theirs)
    else {
      return conflict(values, at: position.trail)
    }
    var merged = types.ours
    if types.ours != types.theirs {
      if types.base == types.ours {
        merged = types.theirs
      } else if types.base != types.theirs {
        let names = types.map { type in type.map { Value.string($0.name) } }
        _ = conflict(names, at: MergeTrail(position.trail, .path(.key("$class"))))
        if winner == .theirs { merged = types.theirs }
      }
    }
    let isInner = isInObject
    isInObject = true
    defer { isInObject = isInner }
    let content = try merge(contents, at: position)
    guard let content, let merged else { return content }
    return .object(ObjectValue(merged, content: content))
  }

  /// Returns true if a side has an object of another class in place of a record, with other fields.
  private static func isReplaced(_ base: Value?, by side: Value?) -> Bool {
    guard case .object(let old)? = base, case .object(let new)? = side, old.content.isRecord,
      old.type != new.type
    else { return false }
    return !old.content.isAlike(new.content)
  }

  /// Returns the object of a reference, or the value itself.
  func resolved(_ value: Value, _ side: MergeSide) -> Value {
    guard case .reference(let number) = value, let object = versions[side]?.objects[number] else {
      return value
    }
    return .object(object)
  }

  private func mergeSets(
    _ sets: Versions<[Value]>, at position: Position
  ) throws(MergeError) -> [Value] {
    if let merged = try mergeRecords(sets, at: position, onlyByKey: true) { return merged }
    let known = sets.map { Set($0) }
    let ours = sets.ours.filter {
      known.theirs.contains($0) || !known.base.contains($0) || isKept($0, .ours, at: position.trail)
    }
    let theirs = sets.theirs.filter {
      !known.ours.contains($0) && (!known.base.contains($0) || isKept($0, .theirs, at: position.trail))
    }
    return ours + theirs
  }

  /// Returns true if the result keeps a member of a set that a side has changed and the other side has removed. That is
  /// a conflict.
  private func isKept(_ member: Value, _ side: MergeSide, at trail: MergeTrail?) -> Bool {
    guard isChangedInside(member, side) else { return false }
    var trail = trail
    if case .reference(let number) = member { trail = self.trail(of: number) }
    var values = Values(base: member, ours: nil, theirs: nil)
    values[side] = member
    return conflict(values, at: trail) != nil
  }

  private func mergeLists(
    _ lists: Versions<[Value]>, of values: Values, at position: Position
  ) throws(MergeError) -> [Value]? {
    if let merged = try mergeRecords(lists, at: position, onlyByKey: false) { return merged }
    let isChangedInside = isChangedInside(values.ours, .ours) || isChangedInside(values.theirs, .theirs)
    let records = position.dictionary?.referred(by: lists)
    if records != nil {
      if let merged = PlainLists(lists).mergedReferences { return merged }
    } else if values.base != nil, !isChangedInside, let merged = PlainLists(lists).mergedWithoutCopies {
      return merged
    }
    // Both sides have made the same list. The objects in it are merged by their numbers.
    if lists.ours == lists.theirs { return lists.ours }
    let favored = conflict(values, at: position.trail)?.listElements ?? lists.ours
    return records?.withoutRemoved(favored) ?? favored
  }
}
