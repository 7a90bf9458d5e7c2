/// A writer of keyed archives in the layout of `NSKeyedArchiver` on macOS.
///
/// Objects can be numbered only when all of them are known, so the writer buffers the events on a tape.
/// `finish` numbers the objects, and sends the archive's property list to a binary or an XML writer.
///
/// An object is numbered at its first reference, followed by the objects that it refers to, depth first, and
/// then by its class if this is the first object of the class. `[{"first": "Ada"}]` becomes:
///
///     0 $null     1 {NS.objects: [@2], $class: @6}     2 {NS.keys: [@3], NS.objects: [@4], $class: @5}
///     3 first     4 Ada     5 {$classname: NSDictionary, …}     6 {$classname: NSArray, …}
///
/// Equal numbers and booleans become one object. Equal strings become one object if they are short enough for
/// a tagged pointer on macOS. In an object of a class, numbers and booleans are stored inline, and all other
/// values as references.
///
/// If an object of a class in the catalog contains a decoded form, its codec determines the archived keys. If
/// it contains a dictionary of archived keys, these are written.
final class ArchiveWriter: ForwardingSink {
  private let tapeSink = TapeSink()
  private let output: any ValueSink
  private let keyOrder: ArchiveKeyOrder
  private let shapes: ArchivedShapes
  private let storage: ArchivedStorage
  /// After `finish`, the number of each object that has an identity.
  private(set) var numbersByIdentity: [Int: ObjectNumber] = [:]

  /// Creates a writer that sends the archive's property list to `output`, and finishes `output`.
  init(
    to output: any ValueSink, keyOrder: ArchiveKeyOrder, catalog: ClassCatalog = .standard,
    decodedForms: DecodedFormUse = .all, storage: ArchivedStorage = ArchivedStorage()
  ) {
    self.output = output
    self.storage = storage
    self.keyOrder = keyOrder
    shapes = ArchivedShapes(tapeSink, catalog, decodedForms)
    super.init(to: tapeSink)
  }

  override func finish() throws(FerryError) {
    let tape = tapeSink.tape
    guard tape.isBalanced, tape.count > 0, tape.next(after: .start) == tape.end else {
      throw FerryError(.archive(.badEvents("an archive holds one whole value")))
    }
    var numbering = ArchiveNumbering(of: tapeSink, shapes, storage)
    let root = try numbering.number()
    numbersByIdentity = numbering.numbersByIdentity
    try send(numbering, root: root)
  }

  /// Writes an archive of one object with the given keys. Received values are ignored.
  func finish(with keys: [ArchivedEntry], of type: ObjectClass) throws(FerryError) {
    var numbering = ArchiveNumbering(of: tapeSink, shapes, storage)
    let root = try numbering.number(
      keys.map { key in
        let content: ArchivedKey.Content =
          key.isInline ? .inline(key.value) : key.value == .null ? .nothing : .made(key.value)
        return ArchivedKey(key.key, content)
      }, of: type)
    try send(numbering, root: root)
  }

  private func send(_ numbering: ArchiveNumbering, root: ObjectNumber) throws(FerryError) {
    let properties = ArchiveProperties(
      tape: tapeSink.tape, numbering: numbering, shapes: shapes, keyOrder: keyOrder, output: output)
    try properties.send(root: root)
    try output.finish()
  }
}

/// The order in which the keys of an archived object are written.
enum ArchiveKeyOrder {
  /// The order of a hash table, as in binary archives from macOS.
  case buckets
  /// Sorted, as in all XML property lists from macOS, including archives.
  case sorted
}

/// The numbering of the objects in an archive.
struct ArchiveNumbering {
  /// An entry of `$objects`.
  enum Object {
    /// Object 0, `$null`.
    case nothing
    /// A value on the tape.
    case value(TapeIndex)
    /// A null in a collection, which becomes an NSNull.
    case null
    case type(ObjectClass)
    /// An element of `keyed`, by its index.
    case keyed(Int)
  }

  /// An object with archived keys that a codec has made.
  struct Keyed {
    let type: ObjectClass
    fileprivate(set) var keys: [ArchivedKey]
  }

  /// The objects in the order of their numbers.
  private(set) var objects: [Object] = [.nothing]
  /// The objects with archived keys that refer to values not on the tape.
  private(set) var keyed: [Keyed] = []
  private let tapeSink: TapeSink
  private let shapes: ArchivedShapes
  let storage: ArchivedStorage
  /// For each tape index, the number of the object there, or `.null`.
  private var numbers: [ObjectNumber]
  private var types: [ObjectClass: ObjectNumber] = [:]
  /// The tape index of each object with an identity.
  private var identities: [Int: TapeIndex] = [:]
  private var scalars: [ScalarKey: ObjectNumber] = [:]
  private var work: [Step] = []

  /// A scalar, compared so that equal occurrences become one object.
  private enum ScalarKey: Hashable {
    case null
    case boolean(Bool)
    case integer(Int128)
    case real(UInt64)
    case single(UInt32)
    case string(ExactString)
  }

  private enum Step {
    /// Number the values in a range of the tape, one at a time.
    case elements(from: TapeIndex, to: TapeIndex)
    case keys(from: TapeIndex, to: TapeIndex)
    case values(from: TapeIndex, to: TapeIndex)
    /// Number the fields of an object of a class.
    case fields(from: TapeIndex, to: TapeIndex, of: ObjectClass?)
    /// Number the values for the keys of an element of `keyed`, beginning with the key at an index.
    case archived(Int, from: Int)
    case type(ObjectClass)
  }

  private var tape: EventTape { tapeSink.tape }

  init(of tapeSink: TapeSink, _ shapes: ArchivedShapes, _ storage: ArchivedStorage) {
    self.tapeSink = tapeSink
    self.shapes = shapes
    self.storage = storage
    let tape = tapeSink.tape
    numbers = [ObjectNumber](repeating: .null, count: tape.count)
    for index in .start..<tape.end where tape.kind(at: index) == .beginObject {
      if let identity = tape.identity(at: index) { identities[identity] = index }
    }
  }

  /// Numbers all objects. Returns the object number of the root.
  mutating func number() throws(FerryError) -> ObjectNumber {
    let root = tape.kind(at: .start) == .null ? ObjectNumber.null : try visit(.start)
    while let step = work.popLast() { try take(step) }
    return root
  }

  /// Numbers an object with these archived keys, and the objects that it refers to. Returns its number.
  mutating func number(_ keys: [ArchivedKey], of type: ObjectClass) throws(FerryError) -> ObjectNumber {
    let root = ObjectNumber(objects.count)
    add(keys, of: type)
    while let step = work.popLast() { try take(step) }
    return root
  }

  /// The number of each object of the value that has an identity.
  var numbersByIdentity: [Int: ObjectNumber] {
    identities.filter { $0.key >= 0 }.mapValues { numbers[$0.index] }
  }

  /// Returns the number of the object at a tape index, or 0 for null.
  func number(at index: TapeIndex) throws(FerryError) -> ObjectNumber {
    guard tape.kind(at: index) == .reference else { return numbers[index.index] }
    return numbers[try target(of: index).index]
  }

  /// Returns the number of a class.
  func number(of type: ObjectClass) -> ObjectNumber { types[type] ?? .null }

  private func target(of reference: TapeIndex) throws(FerryError) -> TapeIndex {
    let identity = tape.reference(at: reference)
    guard let tapeIndex = identities[identity] else { throw FerryError(.archive(.unknownIdentity(identity))) }
    return tapeIndex
  }

  private mutating func take(_ step: Step) throws(FerryError) {
    switch step {
    case .type(let type):
      guard types[type] == nil else { return }
      types[type] = ObjectNumber(objects.count)
      objects.append(.type(type))
    case .elements(let index, let end):
      guard index < end else { return }
      work.append(.elements(from: tape.next(after: index), to: end))
      try visit(index)
    case .keys(let index, let end):
      guard index < end else { return }
      work.append(.keys(from: tape.next(after: tape.next(after: index)), to: end))
      try visit(tape.kind(at: index) == .beginKey ? index + 1 : index)
    case .values(let index, let end):
      guard index < end else { return }
      let value = tape.next(after: index)
      work.append(.values(from: tape.next(after: value), to: end))
      try visit(value)
    case .fields(let index, let end, let type):
      guard index < end else { return }
      guard tape.kind(at: index) == .key else {
        throw FerryError(.archive(.badEvents("a key of an object is not a string")))
      }
      let value = tape.next(after: index)
      work.append(.fields(from: tape.next(after: value), to: end, of: type))
      if !storage.isInline(value, key: index, of: type, on: tape) { try visit(value) }
    case .archived(let object, let index):
      guard index < keyed[object].keys.count else { return }
      work.append(.archived(object, from: index + 1))
      try follow(keyed[object].keys[index].content, of: object, index)
    }
  }

  /// Appends an object with archived keys.
  private mutating func add(_ keys: [ArchivedKey], of type: ObjectClass) {
    objects.append(.keyed(keyed.count))
    work.append(.type(type))
    work.append(.archived(keyed.count, from: 0))
    keyed.append(Keyed(type: type, keys: keys))
  }

  /// Numbers the value of an archived key. A value that the codec has made is first appended to the tape, so
  /// that it is numbered like any other value.
  private mutating func follow(
    _ content: ArchivedKey.Content, of object: Int, _ index: Int
  ) throws(FerryError) {
    switch content {
    case .nothing, .inline, .scalar: break
    case .value(let tapeIndex): try visitUnlessNull(tapeIndex)
    case .made(let value):
      let tapeIndex = tape.end
      try value.replay(into: tapeSink)
      keyed[object].keys[index].content = .value(at: tapeIndex)
      try visitUnlessNull(tapeIndex)
    case .list(let type, let tapeIndices):
      let list = tape.end
      try tapeSink.beginObject(type, identity: nil)
      try tapeSink.beginArray(count: tapeIndices.count)
      for tapeIndex in tapeIndices { try tapeSink.reference(alias(of: tapeIndex)) }
      try tapeSink.endArray()
      try tapeSink.endObject()
      keyed[object].keys[index].content = .value(at: list)
      try visitUnlessNull(list)
    }
  }

  private mutating func visitUnlessNull(_ tapeIndex: TapeIndex) throws(FerryError) {
    let more = tape.count - numbers.count
    if more > 0 { numbers += [ObjectNumber](repeating: .null, count: more) }
    if tape.kind(at: tapeIndex) != .null { try visit(tapeIndex) }
  }

  /// Returns an identity for a tape index. It is less than the identities of all objects.
  private mutating func alias(of tapeIndex: TapeIndex) -> Int {
    if tape.kind(at: tapeIndex) == .reference { return tape.reference(at: tapeIndex) }
    let identity = Int.min + tapeIndex.index
    identities[identity] = tapeIndex
    return identity
  }

  /// Numbers the object at a tape index, and schedules the objects that it refers to.
  @discardableResult
  private mutating func visit(_ tapeIndex: TapeIndex) throws(FerryError) -> ObjectNumber {
    let index = tape.kind(at: tapeIndex) == .reference ? try target(of: tapeIndex) : tapeIndex
    guard numbers[index.index] == .null else { return numbers[index.index] }
    if let key = scalarKey(at: index) {
      if let known = scalars[key] {
        numbers[index.index] = known
        return known
      }
      scalars[key] = ObjectNumber(objects.count)
    }
    numbers[index.index] = ObjectNumber(objects.count)
    let shape: ArchivedShape
    do throws(FerryError) {
      shape = try shapes.shape(at: index)
    } catch {
      // An object that cannot be archived has no source location, so the error has the object's number.
      throw error.placed(at: Position(object: numbers[index.index].index))
    }
    if case .keys(let keys) = shape.layout, let type = shape.type, !keys.allSatisfy(\.refersToNothing) {
      add(keys, of: type)
    } else {
      objects.append(tape.kind(at: index) == .null ? .null : .value(index))
      try follow(shape)
    }
    return numbers[index.index]
  }

  private mutating func follow(_ shape: ArchivedShape) throws(FerryError) {
    if let type = shape.type { work.append(.type(type)) }
    let (start, end) = (shape.content + 1, tape.next(after: shape.content) - 1)
    switch shape.layout {
    case .bare, .keys: break
    case .list, .numberedList: work.append(.elements(from: start, to: end))
    case .dictionary:
      work.append(.values(from: start, to: end))
      work.append(.keys(from: start, to: end))
    case .fields: work.append(.fields(from: start, to: end, of: shape.type))
    case .unknown:
      let isReference = tape.kind(at: shape.content) == .uid
      throw FerryError(
        .archive(
          .badEvents(
            isReference
              ? "a reference by the number of an object, {\"$uid\": 3}, is only for the raw form (--form raw)"
              : "an object holds no value that an archive has")))
    }
  }

  /// Returns the key with which equal scalars are found, or nil for values that do not share an object.
  private func scalarKey(at index: TapeIndex) -> ScalarKey? {
    switch tape.kind(at: index) {
    case .null: .null
    case .boolean: .boolean(tape.boolean(at: index))
    case .integer: .integer(tape.integer(at: index))
    case .real: .real(tape.real(at: index).bitPattern)
    case .single: .single(tape.single(at: index).bitPattern)
    case .string, .key:
      tape.text(at: index).fitsInPointer ? .string(ExactString(tape.string(at: index))) : nil
    default: nil
    }
  }
}
