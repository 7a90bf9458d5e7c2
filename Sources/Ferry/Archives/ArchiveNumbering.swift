/// The numbering of the objects in an archive.
struct ArchiveNumbering {
  /// An object with archived keys that a codec has made.
  struct Keyed {
    let type: ObjectClass
    fileprivate(set) var keys: [ArchivedKey]
  }

  /// The objects in the order of their numbers.
  private(set) var objects = ObjectList()
  /// The objects with archived keys that refer to values not on the tape.
  private(set) var keyed: [Keyed] = []
  private let shapes: ArchivedShapes
  let storage: ArchivedStorage
  /// The number of a null that is an object other than object 0; nil if there is none.
  private var nullObject: ObjectNumber?
  /// For each tape index, the number of the object there, or 0.
  private var numbers: [UInt32] = []
  private var types: [ObjectClass: ObjectNumber] = [:]
  /// The class that was numbered last.
  private var lastType: (type: ObjectClass, number: ObjectNumber)?
  /// The tape index of each object with an identity.
  private var identities: [Int: TapeIndex] = [:]
  private var scalars = TapeScalars()
  /// The keys of the last dictionaries by their index in the dictionary, with nil for a key that does not share an object with equal ones.
  private var lastKeys: [TapeIndex?] = []
  private var work: [Step] = []

  /// The maximum number of keys of a dictionary that are kept for the next dictionary.
  private static let keptKeys = 256

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

  init(_ shapes: ArchivedShapes, _ storage: ArchivedStorage) {
    self.shapes = shapes
    self.storage = storage
  }

  /// Numbers the objects that are still to be visited. The memory that only the search for them needs is given back.
  private mutating func run(_ tape: inout EventTape) throws(FerryError) {
    while let step = work.popLast() { try take(step, &tape) }
    (work, scalars) = ([], TapeScalars())
  }

  /// Numbers all objects. Returns the object number of the root.
  mutating func number(_ tape: inout EventTape) throws(FerryError) -> ObjectNumber {
    try prepare(tape)
    let root =
      if tape.kind(at: .start) != .null {
        try visit(.start, tape)
      } else {
        storage.isNullRootObject ? try numberOfNull() : .null
      }
    try run(&tape)
    return root
  }

  /// Numbers an object with these archived keys, and the objects that it refers to. Returns its number.
  mutating func number(
    _ keys: [ArchivedKey], of type: ObjectClass, _ tape: inout EventTape
  ) throws(FerryError) -> ObjectNumber {
    try prepare(tape)
    let root = ObjectNumber(objects.count)
    try add(keys, of: type)
    try run(&tape)
    return root
  }

  /// Numbers the values of a dictionary of roots, and the objects that they refer to. The dictionary is not an object.
  mutating func numberRoots(_ tape: inout EventTape) throws(FerryError) {
    try prepare(tape)
    work.append(.fields(from: .start + 1, to: tape.next(after: .start) - 1, of: nil))
    try run(&tape)
  }

  private mutating func prepare(_ tape: EventTape) throws(FerryError) {
    guard tape.count < Int(UInt32.max) else { throw FerryError(.overBudget(.values(Int(UInt32.max)))) }
    numbers = [UInt32](repeating: 0, count: tape.count)
    guard tape.hasObjects else { return }
    for index in .start..<tape.end where tape.kind(at: index) == .beginObject {
      if let identity = tape.identity(at: index) { identities[identity] = index }
    }
  }

  /// The number of each object of the value that has an identity.
  var numbersByIdentity: [Int: ObjectNumber] {
    identities.filter { $0.key >= 0 }.mapValues { ObjectNumber(Int(numbers[$0.index])) }
  }

  /// Returns the number of the object at a tape index, or 0 for null.
  func number(at index: TapeIndex, on tape: EventTape) throws(FerryError) -> ObjectNumber {
    guard tape.kind(at: index) == .reference else { return ObjectNumber(Int(numbers[index.index])) }
    return ObjectNumber(Int(numbers[try target(of: index, tape).index]))
  }

  /// Returns the number of a class.
  func number(of type: ObjectClass) -> ObjectNumber {
    if let lastType, lastType.type === type { return lastType.number }
    return types[type] ?? .null
  }

  private func target(of reference: TapeIndex, _ tape: EventTape) throws(FerryError) -> TapeIndex {
    let identity = tape.reference(at: reference)
    guard let tapeIndex = identities[identity] else { throw FerryError(.archive(.unknownIdentity(identity))) }
    return tapeIndex
  }

  private mutating func take(_ step: Step, _ tape: inout EventTape) throws(FerryError) {
    let depth = work.count
    switch step {
    case .type(let type): try number(type)
    case .elements(var index, let end):
      while index < end {
        let next = tape.next(after: index)
        try visit(index, tape)
        index = next
        // The parts of the element are numbered before the next element.
        if work.count > depth { return work.insert(.elements(from: index, to: end), at: depth) }
      }
    case .keys(var index, let end):
      var keyIndex = 0
      while index < end {
        let next = tape.next(after: tape.next(after: index))
        if tape.kind(at: index) == .key {
          try visit(key: index, keyIndex, tape)
        } else {
          try visit(tape.kind(at: index) == .beginKey ? index + 1 : index, tape)
        }
        index = next
        keyIndex += 1
        if work.count > depth { return work.insert(.keys(from: index, to: end), at: depth) }
      }
    case .values(var index, let end):
      while index < end {
        let value = tape.next(after: index)
        index = tape.next(after: value)
        try visit(value, tape)
        if work.count > depth { return work.insert(.values(from: index, to: end), at: depth) }
      }
    case .fields(var index, let end, let type):
      while index < end {
        guard tape.kind(at: index) == .key else {
          throw FerryError(.archive(.badEvents("a key of an object is not a string")))
        }
        let (key, value) = (index, tape.next(after: index))
        index = tape.next(after: value)
        if tape.kind(at: value) == .null {
          if storage.isNullObject(key: key, of: type, on: tape) {
            numbers[value.index] = UInt32(try numberOfNull().index)
          }
        } else if !storage.isInline(value, key: key, of: type, on: tape) {
          try visit(value, tape)
        }
        if work.count > depth { return work.insert(.fields(from: index, to: end, of: type), at: depth) }
      }
    case .archived(let object, let index):
      guard index < keyed[object].keys.count else { return }
      work.append(.archived(object, from: index + 1))
      try follow(keyed[object].keys[index].content, of: object, index, &tape)
    }
  }

  private mutating func number(_ type: ObjectClass) throws(FerryError) {
    if let lastType, lastType.type === type { return }
    if let known = types[type] {
      lastType = (type, known)
      return
    }
    let number = ObjectNumber(objects.count)
    types[type] = number
    lastType = (type, number)
    try objects.append(other: .type(type))
  }

  /// Returns the number of a null that is an object other than object 0.
  private mutating func numberOfNull() throws(FerryError) -> ObjectNumber {
    if let nullObject { return nullObject }
    let number = ObjectNumber(objects.count)
    nullObject = number
    try objects.append(other: .nothing)
    return number
  }

  /// Appends an object with archived keys.
  private mutating func add(_ keys: [ArchivedKey], of type: ObjectClass) throws(FerryError) {
    try objects.append(other: .keyed(keyed.count))
    work.append(.type(type))
    work.append(.archived(keyed.count, from: 0))
    keyed.append(Keyed(type: type, keys: keys))
  }

  /// Numbers the value of an archived key. A value that the codec has made is first appended to the tape, so
  /// that it is numbered like any other value.
  private mutating func follow(
    _ content: ArchivedKey.Content, of object: Int, _ index: Int, _ tape: inout EventTape
  ) throws(FerryError) {
    switch content {
    case .nothing, .inline, .scalar: break
    case .value(let tapeIndex): try visitUnlessNull(tapeIndex, tape)
    case .made(let value):
      let tapeIndex = tape.end
      try tape.record { sink throws(FerryError) in try value.replay(into: sink) }
      keyed[object].keys[index].content = .value(at: tapeIndex)
      try visitUnlessNull(tapeIndex, tape)
    case .list(let type, let tapeIndices):
      let list = tape.end
      let aliases = tapeIndices.map { alias(of: $0, tape) }
      try tape.record { sink throws(FerryError) in
        try sink.beginObject(type, identity: nil)
        try sink.beginArray(count: aliases.count)
        for alias in aliases { try sink.reference(alias) }
        try sink.endArray()
        try sink.endObject()
      }
      keyed[object].keys[index].content = .value(at: list)
      try visitUnlessNull(list, tape)
    }
  }

  private mutating func visitUnlessNull(_ tapeIndex: TapeIndex, _ tape: EventTape) throws(FerryError) {
    let more = tape.count - numbers.count
    if more > 0 { numbers += [UInt32](repeating: 0, count: more) }
    if tape.kind(at: tapeIndex) != .null { try visit(tapeIndex, tape) }
  }

  /// Returns an identity for a tape index. It is less than the identities of all objects.
  private mutating func alias(of tapeIndex: TapeIndex, _ tape: EventTape) -> Int {
    if tape.kind(at: tapeIndex) == .reference { return tape.reference(at: tapeIndex) }
    let identity = Int.min + tapeIndex.index
    identities[identity] = tapeIndex
    return identity
  }

  /// Numbers a key of a dictionary. Most dictionaries have the keys of the one before, whose objects need no search.
  private mutating func visit(key index: TapeIndex, _ keyIndex: Int, _ tape: EventTape) throws(FerryError) {
    if keyIndex < lastKeys.count, let last = lastKeys[keyIndex], tape.areEqualTexts(at: last, index) {
      numbers[index.index] = numbers[last.index]
      return
    }
    try visit(index, tape)
    guard keyIndex < Self.keptKeys else { return }
    let kept = tape.text(at: index).fitsInPointer ? index : nil
    if keyIndex < lastKeys.count {
      lastKeys[keyIndex] = kept
    } else if keyIndex == lastKeys.count {
      lastKeys.append(kept)
    }
  }

  /// Numbers the object at a tape index, and schedules the objects that it refers to.
  @discardableResult
  private mutating func visit(_ tapeIndex: TapeIndex, _ tape: EventTape) throws(FerryError) -> ObjectNumber {
    let index = tape.kind(at: tapeIndex) == .reference ? try target(of: tapeIndex, tape) : tapeIndex
    guard numbers[index.index] == 0 else { return ObjectNumber(Int(numbers[index.index])) }
    let number = ObjectNumber(objects.count)
    guard number.index < Int(UInt32.max) else {
      throw FerryError(.overBudget(.values(Int(UInt32.max))))
    }
    if let known = scalars.first(equalTo: index, on: tape), known != index {
      numbers[index.index] = numbers[known.index]
      return ObjectNumber(Int(numbers[index.index]))
    }
    numbers[index.index] = UInt32(number.index)
    if tape.isBare(index) {
      try objects.append(index)
      return number
    }
    let shape: ArchivedShape
    do throws(FerryError) {
      shape = try shapes.shape(at: index, on: tape)
    } catch {
      // An object that cannot be archived has no source location, so the error has the object's number.
      throw error.placed(at: InputLocation(object: number.index))
    }
    if case .keys(let keys) = shape.layout, let type = shape.type, !keys.allSatisfy(\.refersToNothing) {
      try add(keys, of: type)
    } else {
      if tape.kind(at: index) == .null {
        try objects.append(other: .null)
      } else {
        try objects.append(index)
      }
      try follow(shape, tape)
    }
    return number
  }

  private mutating func follow(_ shape: ArchivedShape, _ tape: EventTape) throws(FerryError) {
    if let type = shape.type { work.append(.type(type)) }
    let (start, end) = (shape.content + 1, tape.next(after: shape.content) - 1)
    switch shape.layout {
    case .bare, .keys: break
    case .list, .numberedList: work.append(.elements(from: start, to: end))
    case .dictionary, .numberedDictionary:
      work.append(.values(from: start, to: end))
      work.append(.keys(from: start, to: end))
    case .fields: work.append(.fields(from: start, to: end, of: shape.type))
    case .unknown:
      let isReference = tape.kind(at: shape.content) == .uid
      throw FerryError(
        .archive(isReference ? .rawReference : .badEvents("an object holds no value that an archive has")))
    }
  }
}
