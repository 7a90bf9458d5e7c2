/// A check for objects of an archive that a program could not read, so that no edit writes such objects.
///
/// The layout of each class in the catalog is known, so an object of such a class must have a decoded form.
/// Files that already have flaws can be edited. Only a flaw that an edit adds is refused, or repaired if
/// there is one clear repair.
struct ArchiveFlaws {
  private let list: EditedPropertyList
  private let objects: ArchiveObjects
  private let decodedForms: ArchiveDecodedForms

  /// Opens the archive in a property list. Fails if the property list is not a valid archive.
  init?(of list: EditedPropertyList, _ catalog: ClassCatalog) {
    guard let objects = try? ArchiveObjects(list) else { return nil }
    self.list = list
    self.objects = objects
    decodedForms = ArchiveDecodedForms(of: objects, catalog, .all)
  }

  /// The number of objects.
  var count: Int { objects.count }

  /// The numbers of all objects.
  var numbers: Range<ObjectNumber> { objects.numbers }

  private func node(_ number: ObjectNumber) throws(FerryError) -> NodeID { try objects.node(of: number) }

  /// Returns the class of the object with a number, or nil if it has none.
  func type(of number: ObjectNumber) throws(FerryError) -> ObjectClass? {
    let node = try node(number)
    guard case .dictionary(let count) = try list.kind(of: node) else { return nil }
    return try objects.type(of: node, count: count)
  }

  // MARK: References

  /// Returns the objects that refer directly to one of the given objects.
  func referrers(of numbers: Set<ObjectNumber>) throws(FerryError) -> Set<ObjectNumber> {
    guard !numbers.isEmpty else { return [] }
    var found: Set<ObjectNumber> = []
    // In a hostile file, several objects may be one node, or nodes may overlap. The number of steps is
    // limited.
    var known: [NodeID: Bool] = [:]
    var rest = list.visitLimit
    for number in self.numbers {
      let node = try node(number)
      if known[node] == nil {
        var refers = false
        try list.forEachReference(in: node) { uid in
          rest -= 1
          if let target = objects.number(uid), numbers.contains(target) { refers = true }
        }
        guard rest > 0 else { throw FerryError(.propertyList(.overlapping)) }
        known[node] = refers
      }
      if known[node] == true { found.insert(number) }
    }
    return found
  }

  /// Returns the flaw of the references in a node, or nil if they all lead to objects. The reference of an object to
  /// its class is checked with the object.
  private func flawOfReferences(in node: NodeID) throws(FerryError) -> ObjectFlaw? {
    var parts = [node]
    if case .dictionary(let count) = try list.kind(of: node) {
      parts = []
      for index in 0..<count where try !list.isString(list.key(index, of: node), "$class") {
        parts.append(try list.value(index, of: node))
      }
    }
    var references: [UInt64] = []
    for part in parts { try list.forEachReference(in: part) { references.append($0) } }
    for uid in references {
      guard let number = objects.number(uid) else {
        return .missingObject(uid, count: count)
      }
      let target = try self.node(number)
      guard case .dictionary = try list.kind(of: target), try list.value("$classname", of: target) != nil
      else { continue }
      return .other("object \(number) is the description of a class")
    }
    return nil
  }

  /// Returns the reason why programs could not read the archive as a whole, or nil if they can: the name of its
  /// archiver, or a reference in `$top`.
  func flawOfTop() throws(FerryError) -> ObjectFlaw? {
    if let archiver = try list.value("$archiver", of: list.root),
      try !list.isString(archiver, "NSKeyedArchiver")
    {
      return .other("programs read archives of the archiver NSKeyedArchiver")
    }
    for entry in objects.top {
      if let flaw = try flawOfReferences(in: entry.node) { return flaw }
    }
    return nil
  }

  // MARK: Objects

  /// Returns the decoded form of the object with a number, or nil if it has none.
  func value(of number: ObjectNumber) throws(FerryError) -> Value? {
    let node = try node(number)
    return try decodedForms.object(at: node).map { object throws(FerryError) in
      try value(of: object, at: node)
    }
  }

  /// Returns the reason why the object with a number could not be read, or nil if it can be. With `isNew`, an
  /// object of a class in the catalog must have a decoded form.
  func flaw(of number: ObjectNumber, isNew: Bool = false) throws(FerryError) -> ObjectFlaw? {
    let node = try node(number)
    guard number > .null else {
      return try list.isString(node, "$null") ? nil : .other("object 0 is the archive's $null")
    }
    switch try list.kind(of: node) {
    case .uid: return .other("an object is not itself a reference")
    case .string:
      return try list.isString(node, "$null") ? .other("programs read the string \"$null\" as nil") : nil
    case .dictionary(let count):
      if let flaw = try flawOfReferences(in: node) { return flaw }
      if try list.value("$classname", of: node) != nil { return try flaw(ofClass: node) }
      return try flaw(ofObject: node, count, isNew: isNew)
    default: return nil
    }
  }

  private func flaw(ofClass node: NodeID) throws(FerryError) -> ObjectFlaw? {
    guard let type = try? ArchiveEditor.type(node, in: list), !type.name.isEmpty else {
      return .other("the name of a class is a string")
    }
    guard let first = type.chain.first, first.utf8.elementsEqual(type.name.utf8) else {
      return type.chain.isEmpty
        ? nil
        : .otherClassName(type.chain[0])
    }
    return nil
  }

  private func flaw(ofObject node: NodeID, _ count: Int, isNew: Bool) throws(FerryError) -> ObjectFlaw? {
    let objectType: ObjectClass?
    do throws(FerryError) {
      objectType = try objects.type(of: node, count: count)
    } catch {
      return .other("the $class of an object refers to the description of a class")
    }
    guard let type = objectType else { return .other("an object has a $class") }
    guard let entry = decodedForms.entry(for: type), !isNew || entry.type.name.equals(type.name) else {
      return try flaw(ofCollection: node, type, isNew: isNew)
    }
    guard let object = try decodedForms.object(at: node) else {
      return .other("\(entry.noDecodedForm(nil).reason)")
    }
    let flaw = object.entry.codec.flaw(of: try value(of: object, at: node))
    return flaw.map { .other("\(MessageText.name(type.name)): \($0)") }
  }

  private func value(of object: ArchiveDecodedForms.Object, at node: NodeID) throws(FerryError) -> Value {
    if let value = try decodedForms.value(of: object.decodedForm) { return value }
    let builder = ValueBuilder()
    var reader = ArchiveReader(
      objects, into: builder, sharing: .leavesInFull, budget: list.budget, catalog: decodedForms.catalog,
      decodedForms: .all)
    try reader.read(object.decodedForm, of: node)
    return try builder.result()
  }

  // MARK: Collections

  private func flaw(
    ofCollection node: NodeID, _ type: ObjectClass, isNew: Bool
  ) throws(FerryError) -> ObjectFlaw? {
    let found: ArchivedCollection?
    do throws(FerryError) {
      found = try ArchivedCollection(node, type, in: list)
    } catch {
      return .other("\(error.reason)")
    }
    guard let collection = found else {
      // A subclass may archive its elements differently, so a new object is checked only if its own class is
      // a known collection class.
      let isKnown =
        isNew ? ObjectClass.collection(named: type.name) != nil : ArchivedCollection.Kind(of: type) != nil
      return isKnown ? .other("\(nameWithArticle(type.name)) has its elements in NS.objects") : nil
    }
    guard collection.isWhole || ObjectClass.collection(named: type.name) == nil else {
      return .other("\(nameWithArticle(type.name)) has only the keys of its elements")
    }
    let isUnique = collection.kind != .array || type.inherits(from: "NSOrderedSet")
    guard isUnique else { return nil }
    let isDictionary = collection.kind == .dictionary
    var firstIndices: [Int: Int] = [:]
    var members = MemberNumbers()
    for index in 0..<collection.count {
      let key = try number(of: collection.key(index, in: list), in: &members)
      if let first = firstIndices.updateValue(index, forKey: key) {
        return .other(
          isDictionary
            ? "a dictionary has each key once"
            : "a set has each value once, and [\(first)] and [\(index)] are equal")
      }
    }
    return nil
  }

  /// Members of sets and keys of dictionaries as numbers. Those that are equal for Foundation have one number.
  private struct MemberNumbers {
    /// A member whose parts are numbers, so that the comparison of two members does not depend on the size of their parts.
    enum Member: Hashable {
      case value(Value)
      case object(NodeID)
      case list([Int], isOrderedSet: Bool)
      case set(Set<Int>)
      case entries([Int: Int])
    }

    private var numbers: [Member: Int] = [:]
    /// The numbers of collections. Each collection is compared once, regardless of the number of references to it.
    var collections: [NodeID: Int] = [:]
    /// The collections around the current member. A reference to one of them counts as the object itself.
    var open: Set<NodeID> = []
    /// The number of parts that may still be compared.
    var left = 1 << 16

    mutating func number(of member: Member) -> Int {
      let next = numbers.count
      if let known = numbers[member] { return known }
      numbers[member] = next
      return next
    }
  }

  /// The maximum nesting of members that are compared. Deeper collections are compared by identity.
  private static let comparedDepth = 32

  private func number(of node: NodeID, in members: inout MemberNumbers) throws(FerryError) -> Int {
    let target = try decodedForms.target(of: node)
    if let bare = try ArchiveImport.bareScalar(target, in: list) {
      return members.number(of: .value(bare.comparable))
    }
    if let (type, value) = try decodedForms.scalar(at: target) {
      let isText = type.inherits(from: "NSString") || type.inherits(from: "NSData")
      return members.number(
        of: .value(isText ? value : .object(ObjectValue(ObjectClass(type.name), content: value))))
    }
    if let known = members.collections[target] { return known }
    guard let collection = try comparedCollection(at: target, members) else {
      return members.number(of: .object(target))
    }
    members.left -= collection.collection.count
    members.open.insert(target)
    let member = try self.member(of: collection.collection, collection.type, in: &members)
    members.open.remove(target)
    let number = members.number(of: member)
    members.collections[target] = number
    return number
  }

  /// Returns the collection at a node, if it is of one of Foundation's classes and its elements are compared.
  private func comparedCollection(
    at node: NodeID, _ members: MemberNumbers
  ) throws(FerryError) -> (collection: ArchivedCollection, type: ObjectClass)? {
    guard members.open.count < Self.comparedDepth, !members.open.contains(node),
      case .dictionary(let size) = try list.kind(of: node),
      let type = try? objects.type(of: node, count: size), ObjectClass.collection(named: type.name) != nil,
      let collection = try? ArchivedCollection(node, type, in: list), collection.count < members.left
    else { return nil }
    return (collection, type)
  }

  private func member(
    of collection: ArchivedCollection, _ type: ObjectClass, in members: inout MemberNumbers
  ) throws(FerryError) -> MemberNumbers.Member {
    var keys: [Int] = []
    for index in 0..<collection.count {
      keys.append(try number(of: collection.key(index, in: list), in: &members))
    }
    switch collection.kind {
    case .array: return .list(keys, isOrderedSet: type.inherits(from: "NSOrderedSet"))
    case .set: return .set(Set(keys))
    case .dictionary:
      var entries: [Int: Int] = [:]
      for (index, key) in keys.enumerated() {
        entries[key] = try number(of: collection.element(index, in: list), in: &members)
      }
      return .entries(entries)
    }
  }
}

extension Value {
  /// The number converted to the type in which equal numbers are equal. For Foundation, 1, 1.0 and true are
  /// equal.
  fileprivate var comparable: Value {
    switch self {
    case .boolean(let value): .integer(value ? 1 : 0)
    case .single(let value): Value.real(Double(value)).comparable
    case .real(let value): Int128(exactly: value).map { .integer($0) } ?? self
    default: self
    }
  }
}
