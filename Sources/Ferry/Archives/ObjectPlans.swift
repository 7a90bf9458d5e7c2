/// The way to send the objects of a class that have the same keys.
///
/// In a binary archive, objects of a class refer to the same keys in the same order. Their keys are therefore read
/// once, and sent for each object as they are:
///
///     object 2   D3 05 06 07 …   first, last, $class   class @9      plan 0: key "first", key "last"
///     object 8   D3 05 06 07 …                         class @9      plan 0
struct ObjectPlan {
  /// A key of the objects, other than `$class`.
  struct Field {
    /// The index of the key and its value among the object's entries.
    let entry: Int
    /// The event of the key, whose text is in the file.
    let key: EventBatch.Entry
    /// The number of bytes of the archived key.
    let byteCount: Int
  }

  let type: ObjectClass
  /// The number of bytes of the name of the class.
  let nameLength: Int
  let fields: [Field]
  /// The object number of the class.
  fileprivate let uid: UInt64
  /// The index of `$class` among the entries.
  fileprivate let classEntry: Int
  /// The bytes in the file of the references to the keys.
  fileprivate let keys: Range<Int>
}

/// The plans for the objects of a binary archive. They are made when the first object of its kind is found.
struct ObjectPlans {
  private let objects: ArchiveObjects
  private let decodedForms: ArchiveDecodedForms
  private var plans: [ObjectPlan] = []
  /// The index of a plan by a hash of its keys and its class; -1 if such objects have no plan.
  private var indices: [UInt64: Int] = [:]
  /// The number of keys that new plans may still have. Overlapping objects in a hostile file may each have the keys of
  /// all others.
  private var rest = 1 << 16

  init(_ decodedForms: ArchiveDecodedForms) {
    objects = decodedForms.objects
    self.decodedForms = decodedForms
  }

  /// Accesses a plan.
  subscript(index: Int) -> ObjectPlan { plans[index] }

  /// Returns the index of the plan for an object; nil if the object must be examined by itself, also if it is invalid.
  ///
  /// - Parameters:
  ///   - object: A dictionary of the table.
  ///   - likely: The index of the plan of the last object.
  mutating func index(
    of object: BinaryObjectTable.Object, in table: BinaryObjectTable, likely: Int
  ) -> Int? {
    do throws(FerryError) { return try find(object, in: table, likely: likely) } catch { return nil }
  }

  private mutating func find(
    _ object: BinaryObjectTable.Object, in table: BinaryObjectTable, likely: Int
  ) throws(FerryError) -> Int? {
    if likely < plans.count, try isPlanned(object, in: table, by: likely) { return likely }
    guard let (classEntry, uid) = try classReference(of: object, in: table) else { return nil }
    let keys = table.keyReferences(of: object)
    let hash = table.bytes.extracting(keys).hash(seed: WordHash.seed ^ uid)
    if let known = indices[hash] {
      // Equal hashes of different objects only mean that one kind of objects has no plan.
      guard known >= 0, try isPlanned(object, in: table, by: known) else { return nil }
      return known
    }
    guard object.count <= rest else { return nil }
    rest -= object.count
    guard let plan = try plan(of: object, in: table, keys, classEntry, uid) else {
      indices[hash] = -1
      return nil
    }
    plans.append(plan)
    indices[hash] = plans.count - 1
    return plans.count - 1
  }

  /// Returns true if a plan is for an object.
  @inline(__always)
  private func isPlanned(
    _ object: BinaryObjectTable.Object, in table: BinaryObjectTable, by index: Int
  ) throws(FerryError) -> Bool {
    let keys = table.keyReferences(of: object)
    guard plans[index].keys.count == keys.count,
      table.bytes.extracting(keys).equals(table.bytes.extracting(plans[index].keys))
    else { return false }
    let type = try table.object(table.reference(object.count + plans[index].classEntry, of: object))
    return type.kind == 0x8 && table.uid(type) == plans[index].uid
  }

  /// Returns the index of the only entry `$class`, and the object number of the class. Returns nil for other objects.
  private func classReference(
    of object: BinaryObjectTable.Object, in table: BinaryObjectTable
  ) throws(FerryError) -> (entry: Int, uid: UInt64)? {
    var found: (entry: Int, uid: UInt64)?
    for entry in 0..<object.count {
      guard try table.isString(table.object(table.reference(entry, of: object)), "$class") else { continue }
      let type = try table.object(table.reference(object.count + entry, of: object))
      guard found == nil, type.kind == 0x8 else { return nil }
      found = (entry, table.uid(type))
    }
    return found
  }

  /// Returns the plan for an object, unless it is a collection, may have a decoded form, or has unusual keys.
  private func plan(
    of object: BinaryObjectTable.Object, in table: BinaryObjectTable, _ keys: Range<Int>, _ classEntry: Int,
    _ uid: UInt64
  ) throws(FerryError) -> ObjectPlan? {
    let type = try objects.type(uid, referredFrom: object.node)
    guard ArchivedCollection.Kind(of: type) == nil, !decodedForms.mayDecode(type) else { return nil }
    var fields: [ObjectPlan.Field] = []
    for entry in 0..<object.count where entry != classEntry {
      let key = try table.object(table.reference(entry, of: object))
      guard key.kind == 0x5 else { return nil }
      let text = try table.ascii(key)
      // The archiver adds a `$` to names that begin with `$`.
      let skipped = text.utf8.starts(with: "$$") ? 1 : 0
      let event = EventBatch.Entry(
        kind: .key, isASCII: true, isPlain: text.utf8.isPlainJSON, offset: 0,
        payload: UInt64(key.start + skipped), extra: key.count - skipped)
      fields.append(ObjectPlan.Field(entry: entry, key: event, byteCount: key.count))
    }
    return ObjectPlan(
      type: type, nameLength: type.name.utf8.count, fields: fields, uid: uid, classEntry: classEntry,
      keys: keys)
  }
}
