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
final class ArchiveWriter: ForwardingSink {
  private let tape: EventTape
  private let output: any ValueSink
  private let keyOrder: ArchiveKeyOrder

  /// A writer that sends the archive's property list to `output` and finishes it.
  init(to output: any ValueSink, keyOrder: ArchiveKeyOrder) {
    self.output = output
    self.keyOrder = keyOrder
    tape = EventTape()
    super.init(to: tape)
  }

  override func finish() throws(Failure) {
    guard tape.isBalanced, tape.count > 0, tape.next(after: 0) == tape.count else {
      throw Failure(.archive(.badEvents("an archive holds one whole value")))
    }
    var numbering = ArchiveNumbering(of: tape)
    let root = try numbering.number()
    let properties = ArchiveProperties(tape: tape, numbering: numbering, keyOrder: keyOrder, output: output)
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
  }

  /// The objects in the order of their numbers.
  private(set) var objects: [Object] = [.nothing]
  private let tape: EventTape
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
    case string(String)
  }

  private enum Step {
    /// Number the values from here to the end of their collection; in steps, one value and then the rest.
    case elements(from: Int, to: Int)
    case keys(from: Int, to: Int)
    case values(from: Int, to: Int)
    /// The fields of an object of a class.
    case fields(from: Int, to: Int)
    case type(ObjectClass)
  }

  init(of tape: EventTape) {
    self.tape = tape
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
    }
  }

  /// Gives the object at a place its number, and puts what it refers to on the list of work.
  @discardableResult
  private mutating func visit(_ place: Int) throws(Failure) -> Int {
    let index = tape.kind(at: place) == .reference ? try self.place(of: place) : place
    guard numbers[index] == 0 else { return numbers[index] }
    if let key = try scalarKey(at: index) {
      if let known = scalars[key] {
        numbers[index] = known
        return known
      }
      scalars[key] = objects.count
    }
    numbers[index] = objects.count
    objects.append(tape.kind(at: index) == .null ? .null : .value(index))
    try follow(index)
    return numbers[index]
  }

  private mutating func follow(_ index: Int) throws(Failure) {
    let shape = ArchivedShape(at: index, of: tape)
    if let type = shape.type { work.append(.type(type)) }
    let (start, end) = (shape.content + 1, tape.next(after: shape.content) - 1)
    switch shape.layout {
    case .bare, .scalar: break
    case .url: try visit(shape.content)
    case .list, .numberedList: work.append(.elements(from: start, to: end))
    case .dictionary:
      work.append(.values(from: start, to: end))
      work.append(.keys(from: start, to: end))
    case .fields: work.append(.fields(from: start, to: end))
    case .unknown: throw Failure(.archive(.badEvents("an object holds no value that an archive has")))
    }
  }

  /// The key under which equal scalars share one object, or nil for what is an object of its own.
  private func scalarKey(at index: Int) throws(Failure) -> ScalarKey? {
    switch tape.kind(at: index) {
    case .null: .null
    case .boolean: .boolean(tape.boolean(at: index))
    case .integer: .integer(tape.integer(at: index))
    case .real: .real(tape.real(at: index).bitPattern)
    case .single: .single(tape.single(at: index).bitPattern)
    case .string, .key:
      try tape.withText(at: index) { text throws(Failure) in
        text.fitsInPointer ? .string(String(text)) : nil
      }
    default: nil
    }
  }
}

/// How a value of the tape lies in an archive.
struct ArchivedShape {
  enum Layout {
    /// Bare in `$objects`: strings, numbers, data.
    case bare
    /// One of the classes that are one scalar, the scalar in place.
    case scalar(ScalarClass)
    /// `NSURL`, whose text is an object.
    case url
    /// `NS.objects`.
    case list
    /// `NS.object.0` …
    case numberedList
    /// `NS.keys` and `NS.objects`.
    case dictionary
    /// Its own keys.
    case fields
    case unknown
  }

  let layout: Layout
  /// The class that the object names; nil for bare values.
  let type: ObjectClass?
  /// Where the content begins: the value itself, or what an object holds.
  let content: Int

  private static let null = ScalarClass.null.type
  private static let date = ScalarClass.date.type
  private static let array = ObjectClass("NSArray")
  private static let set = ObjectClass("NSSet")
  private static let dictionary = ObjectClass("NSDictionary")

  init(at index: Int, of tape: EventTape) {
    let isObject = tape.kind(at: index) == .beginObject
    content = isObject ? index + 1 : index
    let named = isObject ? tape.type(at: index) : nil
    switch (tape.kind(at: content), named) {
    case (.beginArray, let named):
      layout = named?.inherits(from: "NSOrderedSet") == true ? .numberedList : .list
      type = named ?? Self.array
    case (.beginSet, let named): (layout, type) = (.list, named ?? Self.set)
    case (.beginDictionary, let named?) where !named.inherits(from: "NSDictionary"):
      (layout, type) = (.fields, named)
    case (.beginDictionary, let named): (layout, type) = (.dictionary, named ?? Self.dictionary)
    case (.null, let named): (layout, type) = (.scalar(.null), named ?? Self.null)
    case (.date, let named): (layout, type) = (.scalar(.date), named ?? Self.date)
    case (.string, nil), (.key, nil), (.data, nil), (.integer, nil), (.real, nil), (.single, nil),
      (.boolean, nil):
      (layout, type) = (.bare, nil)
    case (.string, let named?):
      layout = named.name == "NSURL" ? .url : .scalar(named.name == "NSUUID" ? .uuid : .mutableString)
      type = named
    case (.data, let named?): (layout, type) = (.scalar(.mutableData), named)
    default: (layout, type) = (.unknown, nil)
    }
  }
}
