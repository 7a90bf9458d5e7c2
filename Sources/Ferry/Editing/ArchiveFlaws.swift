/// A search for flaws in the objects of an archive that a program could not read, so that no edit writes
/// them.
///
/// A class of the catalog is known well enough to be checked: an object with a decoded form must keep one.
/// Files with any flaw can be read; only a flaw that an edit would add is refused, or repaired if the repair
/// is clear.
struct ArchiveFlaws {
  private let list: EditedPropertyList
  private let objects: ArchiveObjects
  private let decodedForms: ArchiveDecodedForms

  /// Creates a search; nil if the property list cannot be opened as an archive.
  init?(of list: EditedPropertyList, _ catalog: ClassCatalog) {
    guard let objects = try? ArchiveObjects(list) else { return nil }
    self.list = list
    self.objects = objects
    decodedForms = ArchiveDecodedForms(of: objects, catalog, .all)
  }

  /// The number of objects.
  var count: Int { objects.count }

  private func node(_ number: Int) throws(FerryError) -> Int {
    try objects.node(of: UInt64(number), referredFrom: list.root)
  }

  /// Returns the class of the object with a number; nil if it has none.
  func type(of number: Int) throws(FerryError) -> ObjectClass? {
    let node = try node(number)
    guard case .dictionary(let count) = try list.kind(of: node) else { return nil }
    return try objects.type(of: node, count: count)
  }

  // MARK: References

  /// Returns the objects that refer directly to one of some others.
  func referrers(of numbers: Set<Int>) throws(FerryError) -> Set<Int> {
    guard !numbers.isEmpty else { return [] }
    var found: Set<Int> = []
    // In a hostile file several objects are one node, or different nodes overlap.
    var known: [Int: Bool] = [:]
    var rest = list.visitLimit
    for number in 0..<count {
      let node = try node(number)
      if known[node] == nil {
        var refers = false
        try list.forEachReference(in: node) { uid in
          rest -= 1
          if let uid = Int(exactly: uid), numbers.contains(uid) { refers = true }
        }
        guard rest > 0 else { throw FerryError(.propertyList(.overlapping)) }
        known[node] = refers
      }
      if known[node] == true { found.insert(number) }
    }
    return found
  }

  private func dangling(in node: Int) throws(FerryError) -> String? {
    var missing: UInt64?
    try list.forEachReference(in: node) { uid in if uid >= UInt64(count) { missing = uid } }
    return missing.map { "object \($0) does not exist (the last of \(count) is object \(count - 1))" }
  }

  /// Returns the flaw of the references in `$top`.
  func flawOfTop() throws(FerryError) -> String? {
    for entry in objects.top {
      if let flaw = try dangling(in: entry.node) { return flaw }
    }
    return nil
  }

  // MARK: Objects

  /// Returns the decoded form of the object with a number; nil if it has none.
  func value(of number: Int) throws(FerryError) -> Value? {
    let node = try node(number)
    return try decodedForms.object(at: node).map { object throws(FerryError) in
      try value(of: object, at: node)
    }
  }

  /// Returns the reason why the object with a number could not be read; nil if it can. If `isNew` is true, an
  /// object of a class in the catalog must have a decoded form.
  func flaw(of number: Int, isNew: Bool = false) throws(FerryError) -> String? {
    let node = try node(number)
    guard number > 0 else {
      return try list.isString(node, "$null") ? nil : "object 0 is the archive's $null"
    }
    switch try list.kind(of: node) {
    case .uid: return "an object is not itself a reference"
    case .string:
      return try list.isString(node, "$null") ? "programs read the string \"$null\" as nil" : nil
    case .dictionary(let count):
      if let flaw = try dangling(in: node) { return flaw }
      if try list.value("$classname", of: node) != nil { return try flaw(ofClass: node) }
      return try flaw(ofObject: node, count, isNew: isNew)
    default: return nil
    }
  }

  private func flaw(ofClass node: Int) throws(FerryError) -> String? {
    guard let type = try? ArchiveEditor.type(node, in: list), !type.name.isEmpty else {
      return "the name of a class is a string"
    }
    guard let first = type.chain.first, first.utf8.elementsEqual(type.name.utf8) else {
      return type.chain.isEmpty
        ? nil
        : "the class is named \(quotedForMessage(type.chain[0])) in its $classes "
          + "(use ferry rename --class Old=New to change both)"
    }
    return nil
  }

  private func flaw(ofObject node: Int, _ count: Int, isNew: Bool) throws(FerryError) -> String? {
    let objectType: ObjectClass?
    do throws(FerryError) {
      objectType = try objects.type(of: node, count: count)
    } catch {
      return "the $class of an object refers to the description of a class"
    }
    guard let type = objectType else { return "an object has a $class" }
    let isKnown =
      decodedForms.catalog.entry(for: type).map { isNew ? $0.type.name.equals(type.name) : true } ?? false
    if isKnown, let object = try decodedForms.object(at: node) {
      let flaw = object.entry.codec.flaw(of: try value(of: object, at: node))
      return flaw.map { "\(nameForMessage(type.name)): \($0)" }
    }
    if isKnown, let entry = decodedForms.catalog.entry(for: type) {
      return "\(entry.noDecodedForm.reason)"
    }
    return try flaw(ofCollection: node, type, isNew: isNew)
  }

  private func value(of object: ArchiveDecodedForms.Object, at node: Int) throws(FerryError) -> Value {
    if let value = try decodedForms.value(of: object.decodedForm) { return value }
    let builder = ValueBuilder()
    let reader = ArchiveReader(
      objects, into: builder, sharing: .leavesInFull, budget: Budget(), catalog: decodedForms.catalog,
      decodedForms: .all)
    try reader.read(object.decodedForm, of: node)
    return try builder.result()
  }

  // MARK: Collections

  private func flaw(
    ofCollection node: Int, _ type: ObjectClass, isNew: Bool
  ) throws(FerryError) -> String? {
    let found: ArchivedCollection?
    do throws(FerryError) {
      found = try ArchivedCollection(node, type, in: list)
    } catch {
      return "\(error.reason)"
    }
    guard let collection = found else {
      // A subclass may archive its elements in another way.
      let isKnown =
        isNew ? ObjectClass.collection(named: type.name) != nil : ArchivedCollection.Kind(of: type) != nil
      return isKnown ? "\(nameWithArticle(type.name)) has its elements in NS.objects" : nil
    }
    guard collection.isWhole || ObjectClass.collection(named: type.name) == nil else {
      return "\(nameWithArticle(type.name)) has no other keys than those of its elements"
    }
    let isUnique = collection.kind != .array || type.inherits(from: "NSOrderedSet")
    guard isUnique else { return nil }
    let isDictionary = collection.kind == .dictionary
    var met: [MemberKey: Int] = [:]
    for index in 0..<collection.count {
      let key = try memberKey(of: collection.key(index, in: list))
      if let first = met.updateValue(index, forKey: key) {
        return isDictionary
          ? "a dictionary has each key once"
          : "a set has each value once, and [\(first)] and [\(index)] are equal"
      }
    }
    return nil
  }

  /// A member of a set, or a key of a dictionary, with the equality that programs use.
  private enum MemberKey: Hashable {
    case value(Value)
    case object(Int)
  }

  private func memberKey(of node: Int) throws(FerryError) -> MemberKey {
    let target = try decodedForms.target(of: node)
    if let bare = try ArchiveImport.bareScalar(target, in: list) { return .value(bare.comparable) }
    if let (type, value) = try decodedForms.scalar(at: target) {
      let isText = type.inherits(from: "NSString") || type.inherits(from: "NSData")
      return .value(isText ? value : .object(ObjectValue(ObjectClass(type.name), content: value)))
    }
    return .object(target)
  }
}

extension Value {
  /// The number in the type that represents equal numbers: to Foundation 1, 1.0 and true are equal.
  fileprivate var comparable: Value {
    switch self {
    case .boolean(let value): .integer(value ? 1 : 0)
    case .single(let value): Value.real(Double(value)).comparable
    case .real(let value): Int128(exactly: value).map { .integer($0) } ?? self
    default: self
    }
  }
}
