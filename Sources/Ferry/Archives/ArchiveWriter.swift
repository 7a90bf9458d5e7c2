/// Writes what it receives as a keyed archive, as `NSKeyedArchiver` on a Mac would.
///
/// An archive can only be numbered when all of it is known, so events are gathered on a tape; `finish` numbers the
/// objects, then sends the archive's property list to a binary or an XML writer.
///
/// An object takes its number when it is first referred to; what it refers to follows, depth first, and its class comes
/// behind all that, on the class's first use. `[{"first": "Ada"}]` becomes
///
///     0 $null   1 {NS.objects: [@2], $class: @6}   2 {NS.keys: [@3], NS.objects: [@4], $class: @5}   3 first   4 Ada
///     5 {$classname: NSDictionary, …}   6 {$classname: NSArray, …}
///
/// Numbers and booleans are one object a value; strings are one where a Mac's would be (the short ones that fit into a
/// pointer). Inside an object of a class numbers and booleans stand in place, everything else is a reference.
///
/// An object of a class of the catalogue that holds a meaning is archived under the class's own keys; one that holds a
/// dictionary of archived keys under these.
final class ArchiveWriter: ForwardingSink {
  private let recorder = TapeRecorder()
  private let output: any ValueSink
  private let keyOrder: ArchiveKeyOrder
  private let shapes: ArchivedShapes

  /// A writer that sends the archive's property list to `output` and finishes it.
  init(
    to output: any ValueSink, keyOrder: ArchiveKeyOrder, catalogue: Catalogue = .standard,
    meanings: MeaningUse = .all
  ) {
    self.output = output
    self.keyOrder = keyOrder
    shapes = ArchivedShapes(recorder, catalogue, meanings)
    super.init(to: recorder)
  }

  override func finish() throws(Failure) {
    let tape = recorder.tape
    guard tape.isBalanced, tape.count > 0, tape.next(after: 0) == tape.count else {
      throw Failure(.archive(.badEvents("an archive holds one whole value")))
    }
    var numbering = ArchiveNumbering(of: recorder, shapes)
    let root = try numbering.number()
    try send(numbering, root: root)
  }

  /// Writes an archive of one object, which has these keys, instead of what has been received.
  func finish(with keys: [ArchivedEntry], of type: ObjectClass) throws(Failure) {
    var numbering = ArchiveNumbering(of: recorder, shapes)
    let root = try numbering.number(
      keys.map { key in
        let content: ArchivedKey.Content =
          key.standsInPlace ? .inPlace(key.value) : key.value == .null ? .nothing : .made(key.value)
        return ArchivedKey(key.key, content)
      }, of: type)
    try send(numbering, root: root)
  }

  private func send(_ numbering: ArchiveNumbering, root: Int) throws(Failure) {
    let properties = ArchiveProperties(
      tape: recorder.tape, numbering: numbering, shapes: shapes, keyOrder: keyOrder, output: output)
    try properties.send(root: root)
    try output.finish()
  }
}

/// The order in which the keys of an archived object are written.
enum ArchiveKeyOrder {
  /// Of a hash table's buckets: a Mac's binary archives.
  case buckets
  /// Sorted: a Mac's XML archives, like all its XML property lists.
  case sorted
}

/// Gives each object of an archive its number.
struct ArchiveNumbering {
  /// What an object is.
  enum Object {
    /// Number 0.
    case nothing
    /// A value of the tape.
    case value(Int)
    /// A null that stands in a collection.
    case null
    case type(ObjectClass)
    /// One of `keyed`.
    case keyed(Int)
  }

  /// An object of which some key refers to another.
  struct Keyed {
    let type: ObjectClass
    fileprivate(set) var keys: [ArchivedKey]
  }

  /// The objects in the order of their numbers.
  private(set) var objects: [Object] = [.nothing]
  /// Objects of the catalogue, when what their keys refer to is not just what is on the tape.
  private(set) var keyed: [Keyed] = []
  private let recorder: TapeRecorder
  private let shapes: ArchivedShapes
  /// Of each place of the tape, the number of the object there; 0 where there is none.
  private var numbers: [Int]
  private var types: [ObjectClass: Int] = [:]
  /// Where on the tape an identity's object begins.
  private var identities: [Int: Int] = [:]
  private var scalars: [ScalarKey: Int] = [:]
  private var work: [Step] = []

  /// A scalar that is one object wherever it occurs.
  private enum ScalarKey: Hashable {
    case null
    case boolean(Bool)
    case integer(Int128)
    case real(UInt64)
    case single(UInt32)
    case string(ExactString)
  }

  private enum Step {
    /// Number the values from here to the end of their collection; in steps, one value and then the rest.
    case elements(from: Int, to: Int)
    case keys(from: Int, to: Int)
    case values(from: Int, to: Int)
    /// The fields of an object of a class.
    case fields(from: Int, to: Int)
    /// The keys of one of `keyed`, from this one on.
    case archived(Int, from: Int)
    case type(ObjectClass)
  }

  private var tape: EventTape { recorder.tape }

  init(of recorder: TapeRecorder, _ shapes: ArchivedShapes) {
    self.recorder = recorder
    self.shapes = shapes
    let tape = recorder.tape
    numbers = [Int](repeating: 0, count: tape.count)
    for index in 0..<tape.count where tape.kind(at: index) == .beginObject {
      if let identity = tape.identity(at: index) { identities[identity] = index }
    }
  }

  /// Numbers everything; the number of the root.
  mutating func number() throws(Failure) -> Int {
    let root = tape.kind(at: 0) == .null ? 0 : try visit(0)
    while let step = work.popLast() { try take(step) }
    return root
  }

  /// Numbers an object that has these keys, and what they refer to; its number.
  mutating func number(_ keys: [ArchivedKey], of type: ObjectClass) throws(Failure) -> Int {
    let root = objects.count
    add(keys, of: type)
    while let step = work.popLast() { try take(step) }
    return root
  }

  /// The number of the object at a place, 0 for nil.
  func number(at index: Int) throws(Failure) -> Int {
    guard tape.kind(at: index) == .reference else { return numbers[index] }
    return numbers[try place(of: index)]
  }

  /// The number of a class.
  func number(of type: ObjectClass) -> Int { types[type] ?? 0 }

  private func place(of reference: Int) throws(Failure) -> Int {
    let identity = tape.reference(at: reference)
    guard let place = identities[identity] else { throw Failure(.archive(.unknownIdentity(identity))) }
    return place
  }

  private mutating func take(_ step: Step) throws(Failure) {
    switch step {
    case .type(let type):
      guard types[type] == nil else { return }
      types[type] = objects.count
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
    case .fields(let index, let end):
      guard index < end else { return }
      guard tape.kind(at: index) == .key else {
        throw Failure(.archive(.badEvents("a key of an object is not a string")))
      }
      let value = tape.next(after: index)
      work.append(.fields(from: tape.next(after: value), to: end))
      switch tape.kind(at: value) {
      case .null, .boolean, .integer, .real, .single: break
      default: try visit(value)
      }
    case .archived(let object, let index):
      guard index < keyed[object].keys.count else { return }
      work.append(.archived(object, from: index + 1))
      try follow(keyed[object].keys[index].content, of: object, index)
    }
  }

  /// Gives an object that has keys the next number.
  private mutating func add(_ keys: [ArchivedKey], of type: ObjectClass) {
    objects.append(.keyed(keyed.count))
    work.append(.type(type))
    work.append(.archived(keyed.count, from: 0))
    keyed.append(Keyed(type: type, keys: keys))
  }

  /// Visits what a key refers to. What the class makes is put on the tape first, so that it is an object like all others.
  private mutating func follow(
    _ content: ArchivedKey.Content, of object: Int, _ index: Int
  ) throws(Failure) {
    switch content {
    case .nothing, .inPlace, .scalar: break
    case .value(let place): try visitUnlessNull(place)
    case .made(let value):
      let place = tape.count
      try value.replay(into: recorder)
      keyed[object].keys[index].content = .value(at: place)
      try visitUnlessNull(place)
    case .list(let type, let places):
      let list = tape.count
      try recorder.beginObject(type, identity: nil)
      try recorder.beginArray(count: places.count)
      for place in places { try recorder.reference(alias(of: place)) }
      try recorder.endArray()
      try recorder.endObject()
      keyed[object].keys[index].content = .value(at: list)
      try visitUnlessNull(list)
    }
  }

  private mutating func visitUnlessNull(_ place: Int) throws(Failure) {
    let more = tape.count - numbers.count
    if more > 0 { numbers += [Int](repeating: 0, count: more) }
    if tape.kind(at: place) != .null { try visit(place) }
  }

  /// An identity of a place of the tape; below all that objects have.
  private mutating func alias(of place: Int) -> Int {
    if tape.kind(at: place) == .reference { return tape.reference(at: place) }
    let identity = Int.min + place
    identities[identity] = place
    return identity
  }

  /// Gives the object at a place its number, and puts what it refers to on the list of work.
  @discardableResult
  private mutating func visit(_ place: Int) throws(Failure) -> Int {
    let index = tape.kind(at: place) == .reference ? try self.place(of: place) : place
    guard numbers[index] == 0 else { return numbers[index] }
    if let key = scalarKey(at: index) {
      if let known = scalars[key] {
        numbers[index] = known
        return known
      }
      scalars[key] = objects.count
    }
    numbers[index] = objects.count
    let shape: ArchivedShape
    do throws(Failure) {
      shape = try shapes.shape(at: index)
    } catch {
      // What cannot be archived has no place in a file, but the number that it would have.
      throw error.placed(at: Position(object: numbers[index]))
    }
    if case .keys(let keys) = shape.layout, let type = shape.type, !keys.allSatisfy(\.refersToNothing) {
      add(keys, of: type)
    } else {
      objects.append(tape.kind(at: index) == .null ? .null : .value(index))
      try follow(shape)
    }
    return numbers[index]
  }

  private mutating func follow(_ shape: ArchivedShape) throws(Failure) {
    if let type = shape.type { work.append(.type(type)) }
    let (start, end) = (shape.content + 1, tape.next(after: shape.content) - 1)
    switch shape.layout {
    case .bare, .keys: break
    case .list, .numberedList: work.append(.elements(from: start, to: end))
    case .dictionary:
      work.append(.values(from: start, to: end))
      work.append(.keys(from: start, to: end))
    case .fields: work.append(.fields(from: start, to: end))
    case .unknown: throw Failure(.archive(.badEvents("an object holds no value that an archive has")))
    }
  }

  /// The key under which equal scalars share one object, or nil for what is an object of its own.
  private func scalarKey(at index: Int) -> ScalarKey? {
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
