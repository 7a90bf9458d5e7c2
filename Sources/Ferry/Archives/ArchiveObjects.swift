/// The structure of a keyed archive: the roots, objects and classes in its property list.
///
/// A keyed archive is a property list of this shape, where `@n` is the UID n, an index into `$objects`:
///
///     { $version: 100000, $archiver: NSKeyedArchiver, $top: { root: @1 },
///       $objects: [ $null,
///                   { NS.objects: [@2], $class: @5 },
///                   { last: @3, first: @4, $class: @6 }, …
///                   { $classname: NSArray, $classes: [NSArray, NSObject] } … ] }
///
/// Strings, numbers and data are objects without a class. Every other object is a dictionary with a `$class`.
final class ArchiveObjects {
  let nodes: any PropertyListNodes
  /// The class of the archiver, usually `NSKeyedArchiver`.
  let archiver: String
  /// The entries of `$top`: the names and nodes of the roots.
  let top: [(name: String, node: NodeID)]
  /// The number of objects, including `$null`.
  let count: Int
  /// The node of `$objects`.
  var objects: NodeID { list.node }
  private let list: NodeList
  /// True to read a reference to a missing object as null instead of throwing.
  var isLenient = false
  /// The references to missing objects that were found so far.
  private(set) var dangling: [FerryError] = []
  private var classes: [UInt64: ObjectClass] = [:]
  /// The number of bytes of the names of roots and classes that may still be read. In a hostile file, many of them
  /// share a long name.
  private var restOfNames: Int
  /// The value of `restOfNames` before any name was read.
  let roomForNames: Int

  /// Opens a property list as an archive. Throws if it is not a keyed archive.
  init(_ nodes: any PropertyListNodes) throws(FerryError) {
    self.nodes = nodes
    roomForNames = (1 << 20) + 16 * min(nodes.byteCount, .max / 64)
    restOfNames = roomForNames
    guard case .dictionary = try nodes.kind(of: nodes.root) else {
      throw FerryError(.archive(.malformed("its root is not a dictionary")))
    }
    guard let objects = try nodes.value("$objects", of: nodes.root),
      case .array(let count) = try nodes.kind(of: objects)
    else { throw FerryError(.archive(.malformed("it has no array $objects"))) }
    guard let top = try nodes.value("$top", of: nodes.root),
      case .dictionary(let tops) = try nodes.kind(of: top)
    else { throw FerryError(.archive(.malformed("it has no dictionary $top"))) }
    if let version = try nodes.value("$version", of: nodes.root),
      try nodes.kind(of: version) != .integer(100_000)
    {
      throw FerryError(
        .archive(.malformed("its $version is not 100000")), at: nodes.location(of: version),
        path: ValuePath([.key("$version")]))
    }
    guard let archiver = try nodes.value("$archiver", of: nodes.root), let name = try nodes.string(archiver)
    else {
      throw FerryError(.archive(.malformed("it has no string $archiver")))
    }
    self.archiver = name
    list = try nodes.list(of: objects)
    self.count = count
    var entries: [(String, NodeID)] = []
    for index in 0..<tops {
      let key = try nodes.key(index, of: top)
      guard let name = try nodes.string(key) else {
        throw FerryError(.archive(.malformed("a key of $top is not a string")), at: nodes.location(of: key))
      }
      restOfNames -= name.utf8.count
      guard restOfNames >= 0 else {
        throw FerryError(.archive(.malformed("the names of its roots overlap")))
      }
      entries.append((name, try nodes.value(index, of: top)))
    }
    self.top = entries
  }

  /// The number of bytes of the names of roots and classes that have been read.
  var costOfNames: Int { roomForNames - restOfNames }

  /// An entry of the outermost dictionary of an archive.
  enum Entry: CaseIterable {
    case version, archiver, top, objects

    /// The key of the entry.
    var key: StaticString {
      switch self {
      case .version: "$version"
      case .archiver: "$archiver"
      case .top: "$top"
      case .objects: "$objects"
      }
    }
  }

  /// Adds a loss for each entry of the outermost dictionary that is not part of an archive.
  func reportOtherEntries(to losses: LossReport) throws(FerryError) {
    for index in try indicesOfOtherEntries {
      let key = try nodes.key(index, of: nodes.root)
      losses.add(.archiveEntry, path: ValuePath([.key((try? nodes.string(key)) ?? "")]))
    }
  }

  /// The entries of the outermost dictionary that are not part of an archive, as they are stored, and the number of keys that occur twice
  /// among them, or in one dictionary in them.
  var otherEntries: (values: KeyedValues, repeatedKeyCount: Int) {
    get throws(FerryError) {
      let builder = ValueBuilder()
      try replayOtherEntries(into: builder)
      guard case .dictionary(let entries) = try builder.result() else { return (KeyedValues(), 0) }
      return (entries, builder.repeatedKeyCount)
    }
  }

  /// Sends the entries of the outermost dictionary that are not part of an archive, if the sink takes them. Follows the value of the
  /// archive.
  ///
  /// - Parameter isInData: True if the archive is in data that was opened.
  func sendOtherEntries(to sink: any ValueSink, isInData: Bool) throws(FerryError) {
    guard let sink = sink as? any ArchiveEntrySink, sink.takesArchiveEntries else { return }
    let indices = try indicesOfOtherEntries
    guard !indices.isEmpty else { return }
    try sink.beginArchiveEntries(isInData: isInData)
    try replay(entries: indices, into: sink)
    try sink.endArchiveEntries()
  }

  /// Sends the entries as a dictionary.
  func replayOtherEntries(into sink: any ValueSink) throws(FerryError) {
    try replay(entries: indicesOfOtherEntries, into: sink)
  }

  private func replay(entries indices: [Int], into sink: any ValueSink) throws(FerryError) {
    try nodes.replay(entries: indices, of: nodes.root, into: sink, budget: nodes.budget)
  }

  private var indicesOfOtherEntries: [Int] {
    get throws(FerryError) {
      guard case .dictionary(let count) = try nodes.kind(of: nodes.root) else { return [] }
      var indices: [Int] = []
      for index in 0..<count where try !Self.isOfArchive(nodes.key(index, of: nodes.root), in: nodes) {
        indices.append(index)
      }
      return indices
    }
  }

  private static func isOfArchive(_ key: NodeID, in nodes: any PropertyListNodes) throws(FerryError) -> Bool {
    for entry in Entry.allCases where try nodes.isString(key, entry.key) { return true }
    return false
  }

  /// True if the archive has a single root, named `root`.
  var hasOnlyRoot: Bool { top.count == 1 && top[0].name == "root" }

  /// The numbers of all objects.
  var numbers: Range<ObjectNumber> { .null..<ObjectNumber(count) }

  /// Returns the number of the object that a reference refers to, or nil if the object is missing.
  func number(_ uid: UInt64) -> ObjectNumber? { uid < UInt64(count) ? ObjectNumber(Int(uid)) : nil }

  /// Returns the node of the object with a number.
  func node(of number: ObjectNumber) throws(FerryError) -> NodeID {
    try node(of: number.uid, referredFrom: nodes.root)
  }

  /// Returns the node of the object that a reference refers to. Throws if the object is missing.
  func node(of uid: UInt64, referredFrom node: NodeID) throws(FerryError) -> NodeID {
    guard let number = number(uid) else {
      throw FerryError(.archive(.danglingReference(uid, objects: count)), at: nodes.location(of: node))
    }
    return try nodes.element(number.index, in: list)
  }

  /// Returns the error for an object that is only a reference to another one, which no archiver writes.
  func isReference(_ uid: UInt64, _ node: NodeID) -> FerryError {
    FerryError(.archive(.malformed("object \(uid) is a reference")), at: nodes.location(of: node))
  }

  /// Returns true if a reference is null: if it refers to object 0, to another string `$null` (which
  /// Foundation also reads as null), or to a missing object in lenient mode.
  func isNil(_ uid: UInt64, referredFrom node: NodeID) throws(FerryError) -> Bool {
    if uid == 0 || skips(uid, referredFrom: node) { return true }
    return try nodes.isString(self.node(of: uid, referredFrom: node), "$null")
  }

  /// Returns true if a reference refers to a missing object and is read as null.
  func skips(_ uid: UInt64, referredFrom node: NodeID) -> Bool {
    guard isLenient, number(uid) == nil else { return false }
    if dangling.count < 100 {
      dangling.append(
        FerryError(.archive(.danglingReference(uid, objects: count)), at: nodes.location(of: node)))
    }
    return true
  }

  /// Returns the class of an object that is a dictionary, or nil if it has no class.
  func type(of node: NodeID, count: Int) throws(FerryError) -> ObjectClass? {
    guard let index = try entryOfClass(of: node, count: count) else { return nil }
    let reference = try nodes.value(index, of: node)
    guard case .uid(let uid) = try nodes.kind(of: reference) else {
      throw FerryError(
        .archive(.malformed("a $class is not a reference")), at: nodes.location(of: reference))
    }
    return try type(uid, referredFrom: reference)
  }

  /// Returns the index of the last entry with the key `$class`. Archivers write it after all others.
  private func entryOfClass(of node: NodeID, count: Int) throws(FerryError) -> Int? {
    guard count > 0 else { return nil }
    if try nodes.isString(nodes.key(count - 1, of: node), "$class") { return count - 1 }
    if let table = try nodes.keyTable(of: node, count: count) { return table.last("$class") }
    for index in (0..<count - 1).reversed() where try nodes.isString(nodes.key(index, of: node), "$class") {
      return index
    }
    return nil
  }

  func type(_ uid: UInt64, referredFrom reference: NodeID) throws(FerryError) -> ObjectClass {
    if let known = classes[uid] { return known }
    let node = try node(of: uid, referredFrom: reference)
    guard case .dictionary = try nodes.kind(of: node), let nameNode = try nodes.value("$classname", of: node),
      let name = try nodes.string(nameNode)
    else { throw FerryError(.archive(.notAClass(uid)), at: nodes.location(of: node)) }
    let type = ObjectClass(
      name: name, chain: try strings(try nodes.value("$classes", of: node)),
      hints: try strings(try nodes.value("$classhints", of: node)))
    restOfNames -= name.utf8.count
    guard restOfNames >= 0 else { throw namesOverlap }
    classes[uid] = type
    return type
  }

  private func strings(_ node: NodeID?) throws(FerryError) -> [String] {
    guard let node, case .array(let count) = try nodes.kind(of: node) else { return [] }
    var strings: [String] = []
    for index in 0..<count {
      let element = try nodes.element(index, of: node)
      guard let string = try nodes.string(element) else {
        throw FerryError(
          .archive(.malformed("a class name is not a string")), at: nodes.location(of: element))
      }
      // The list itself takes memory, even if its names are empty.
      restOfNames -= string.utf8.count + MemoryLayout<String>.size
      guard restOfNames >= 0 else { throw namesOverlap }
      strings.append(string)
    }
    return strings
  }

  private var namesOverlap: FerryError {
    FerryError(.archive(.malformed("the names of its classes overlap")))
  }

  /// Returns true if the strings and data among the objects, counted once for each reference, exceed a limit
  /// in bytes.
  func repeatsOutweigh(_ limit: Int, among counts: [UInt8]) throws(FerryError) -> Bool {
    var lengths: [Int: Int] = [:]
    for number in 0..<count where counts[number] > 1 {
      let node = try nodes.element(number, of: objects)
      if try nodes.isLongScalar(node) { lengths[number] = try nodes.length(of: node) }
    }
    guard !lengths.isEmpty else { return false }
    var weight = 0
    _ = try referenceCounts { number in weight = min(weight + (lengths[number.index] ?? 0), .max / 2) }
    return weight > limit
  }
}
