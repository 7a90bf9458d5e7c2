/// A parser that reads a typedstream into a list of values. It keeps open items on a stack instead of
/// recursing.
struct TypedstreamParser {
  private typealias Head = TypedstreamCursor.Head
  private typealias TypeNumber = TypedstreamNumber<TypeEncoding>
  private typealias PartIndex = TypeEncoding.PartIndex

  private var cursor: TypedstreamCursor
  private let budget: Budget
  private let entryLimit: Int
  private(set) var entries: [TypedstreamEntry] = []
  private(set) var objects: [TypedstreamObject] = []
  private(set) var classes: [TypedstreamClass] = []
  /// The names of the structures.
  private(set) var structures = [TypedstreamStructure(name: "?")]
  /// The shared strings.
  private(set) var strings: [TypedstreamString] = []
  /// The number of entries at the top level.
  private(set) var valueCount = 0
  private(set) var depth = 0
  private(set) var deepest = 0

  /// The objects, classes and C strings, which share one sequence of numbers.
  private var shared: [TypedstreamShared] = []
  /// For each shared string, the number of its parsed type, or nil if it has not been used as a type yet.
  private var typesOfString: [TypeNumber?] = []
  private var types: [TypeEncoding] = []
  private var structureNumbers: [Range<Int>: TypedstreamNumber<TypedstreamStructure>] = [:]
  private var open: [Open] = []
  /// The number of the string with the types of a group whose first value is read next.
  private var begunGroup: TypedstreamStringNumber?
  /// The first character of the type of the value that is being read.
  private var code: UInt8 = 0

  /// An item whose contents are still being read.
  private enum Open {
    /// The values of the types from `part` to `end` that remain in an entry or a group.
    case values(type: TypeNumber, part: PartIndex, end: PartIndex)
    /// The elements that remain in an array.
    case elements(type: TypeNumber, part: PartIndex, left: Int)
    /// The end of an array or a structure.
    case end(entry: TypedstreamEntryIndex)
    /// The groups of an object.
    case object(entry: TypedstreamEntryIndex)
  }

  init(_ bytes: [UInt8], at offset: Int, isBigEndian: Bool, budget: Budget) {
    cursor = TypedstreamCursor(bytes, at: offset, isBigEndian: isBigEndian, budget: budget)
    self.budget = budget
    // The limit is on memory, because the values of a type with many parts take more memory than bytes in the
    // file.
    entryLimit =
      budget.allowance(forInputBytes: bytes.count) / MemoryLayout<TypedstreamEntry>.stride
  }

  /// Reads the file to its end.
  mutating func parse() throws(FerryError) {
    repeat {
      try beginGroup(isTop: true)
      while let next = open.popLast() { try proceed(next) }
    } while !cursor.isAtEnd
    if valueCount == 0 { throw cursor.error(.truncated(expecting: "a value"), at: cursor.offset) }
  }

  private mutating func proceed(_ next: Open) throws(FerryError) {
    switch next {
    case .values(let type, let part, let end):
      guard part < end else { return }
      open.append(.values(type: type, part: types[type].parts[part].end, end: end))
      try read(part, of: type)
    case .elements(let type, let part, let left):
      guard left > 0 else { return }
      open.append(.elements(type: type, part: part, left: left - 1))
      try read(part, of: type)
    case .end(let entry): end(entry)
    case .object(let entry):
      if cursor.skip(Head.endOfObject) { return end(entry) }
      open.append(next)
      try beginGroup(isTop: false)
    }
  }

  private mutating func end(_ entry: TypedstreamEntryIndex) {
    entries[entry].end = entries.end
    depth -= 1
  }

  // MARK: Values

  /// Reads the beginning of a group: a shared string with the types of its values.
  private mutating func beginGroup(isTop: Bool) throws(FerryError) {
    let start = cursor.offset
    let what = isTop ? "a type" : "a type or the end of the object"
    guard let string = try sharedString(what) else {
      throw cursor.error(.isNil("the type of a group"), at: start)
    }
    let type = try type(ofString: string)
    let parts = types[type].parts
    begunGroup = parts.isEmpty ? nil : string
    open.append(.values(type: type, part: .first, end: parts.end))
    guard isTop else { return }
    var part = PartIndex.first
    while part < parts.end {
      part = parts[part].end
      valueCount += 1
    }
  }

  private mutating func type(ofString string: TypedstreamStringNumber) throws(FerryError) -> TypeNumber {
    if let type = typesOfString[string.index] { return type }
    let type = types.end
    types.append(try TypeEncoding(cursor.bytes, strings[string].range, budget: budget))
    typesOfString[string.index] = type
    return type
  }

  private mutating func add(_ kind: TypedstreamEntry.Kind, _ payload: UInt64 = 0) throws(FerryError) {
    try add(TypedstreamEntry(kind: kind, code: code, group: begunGroup, payload: payload))
  }

  private mutating func add(_ kind: TypedstreamEntry.Kind, _ range: Range<Int>?) throws(FerryError) {
    guard let range else { return try add(.null) }
    try add(TypedstreamEntry(kind: kind, code: code, group: begunGroup, range: range))
  }

  private mutating func add(_ entry: TypedstreamEntry) throws(FerryError) {
    guard entries.count < entryLimit else {
      throw budget.overAmplification.placed(at: InputLocation(byte: cursor.offset))
    }
    entries.append(entry)
    begunGroup = nil
  }

  /// Adds an entry whose contents follow. Returns its index.
  private mutating func begin(
    _ kind: TypedstreamEntry.Kind, _ payload: Int
  ) throws(FerryError) -> TypedstreamEntryIndex {
    // The innermost text, number or date may be an object, which is not a level of the value. The reader counts the levels of values.
    guard depth <= budget.depth else {
      throw FerryError(.overBudget(.depth(budget.depth)), at: InputLocation(byte: cursor.offset))
    }
    depth += 1
    deepest = max(deepest, depth)
    let entry = entries.end
    try add(kind, UInt64(payload))
    return entry
  }

  /// Reads a value, or the beginning of a value that contains others.
  private mutating func read(_ part: PartIndex, of type: TypeNumber) throws(FerryError) {
    let start = cursor.offset
    let kind = types[type].parts[part].kind
    code = types[type].parts[part].code
    switch kind {
    case .char: try add(.integer, UInt64(bitPattern: Int64(Int8(bitPattern: try cursor.byte("a character")))))
    case .unsignedChar: try add(.integer, UInt64(try cursor.byte("a character")))
    case .boolean:
      let byte = try cursor.byte("a boolean")
      guard byte <= 1 else { throw cursor.error(.badBoolean(byte), at: start) }
      try add(.boolean, UInt64(byte))
    case .signed: try add(.integer, UInt64(bitPattern: try cursor.integer("an integer")))
    case .unsigned(let bits):
      // An unsigned number is stored as the signed number with the same bits: 157 takes two bytes after a
      // mark, and 2³²−1 is stored as −1, in one byte.
      let number = UInt64(bitPattern: try cursor.integer("an integer"))
      try add(.unsigned, bits == 64 ? number : number & (1 << UInt64(bits) - 1))
    case .single:
      switch try cursor.real(width: 4, "a real number") {
      case .integer(let number): try add(.single, UInt64(Float(number).bitPattern))
      case .bits(let bits): try add(.single, bits)
      }
    case .double:
      switch try cursor.real(width: 8, "a real number") {
      case .integer(let number): try add(.real, Double(number).bitPattern)
      case .bits(let bits): try add(.real, bits)
      }
    case .bytes:
      guard let string = try cursor.string("a string") else { return try add(.null) }
      // The bytes are checked once, regardless of the object's number of references.
      try add(cursor.isText(string) ? .text : .bytes, string)
    case .atom: try add(.atom, try sharedString("an atom").map { strings[$0].range })
    case .selector: try add(.selector, try sharedString("a selector").map { strings[$0].range })
    case .cString: try readCString()
    case .type:
      if let number = try typeChain() { try add(.type, UInt64(number.index)) } else { try add(.null) }
    case .object: try readObject()
    case .data(let count): try add(.data, try cursor.take(count, "\(count) bytes"))
    case .array(let count): try readArray(part, of: type, count: count)
    case .structure(let name):
      let entry = try begin(.structure, structureNumber(name).index)
      open.append(.end(entry: entry))
      open.append(.values(type: type, part: part + 1, end: types[type].parts[part].end))
    }
  }

  private mutating func readArray(
    _ part: PartIndex, of type: TypeNumber, count: Int
  ) throws(FerryError) {
    // An element takes at least one byte, except for an empty structure or array. Arrays of these are short.
    guard count <= max(cursor.remaining, 1024) else {
      throw cursor.error(.truncated(expecting: "an array of \(count) elements"), at: cursor.offset)
    }
    let entry = try begin(.array, count)
    open.append(.end(entry: entry))
    open.append(.elements(type: type, part: part + 1, left: count))
  }

  /// Returns the number of a structure's name, or the first number for a structure without a name.
  private mutating func structureNumber(_ name: Range<Int>?) -> TypedstreamNumber<TypedstreamStructure> {
    guard let name else { return .first }
    if let number = structureNumbers[name] { return number }
    let number = structures.end
    structures.append(TypedstreamStructure(name: String(decoding: cursor.bytes[name], as: UTF8.self)))
    structureNumbers[name] = number
    return number
  }

  // MARK: Shared items

  /// Reads a shared string: a new one, which gets the next number, or a back reference. Returns its number,
  /// or nil for null.
  private mutating func sharedString(
    _ expecting: String
  ) throws(FerryError) -> TypedstreamStringNumber? {
    let start = cursor.offset
    if cursor.skip(Head.null) { return nil }
    guard cursor.skip(Head.new) else {
      let number = TypedstreamStringNumber(try cursor.reference(expecting))
      guard strings.numbers.contains(number) else {
        throw cursor.error(.badReference(number.index, to: "string", known: strings.count), at: start)
      }
      return number
    }
    guard let string = try cursor.string(expecting) else {
      throw cursor.error(.isNil("the text of a shared string"), at: start)
    }
    let number = strings.end
    strings.append(TypedstreamString(range: string))
    typesOfString.append(nil)
    return number
  }

  private mutating func reference<Found>(
    to kind: String, _ match: (TypedstreamShared) -> Found?
  ) throws(FerryError) -> Found {
    let start = cursor.offset
    let number = try cursor.reference(kind)
    guard shared.indices.contains(number), let found = match(shared[number]) else {
      throw cursor.error(.badReference(number, to: kind, known: shared.count), at: start)
    }
    return found
  }

  private mutating func readCString() throws(FerryError) {
    let start = cursor.offset
    if cursor.skip(Head.null) { return try add(.null) }
    guard cursor.skip(Head.new) else {
      let range = try reference(to: "C string") { if case .cString(let range) = $0 { range } else { nil } }
      return try add(.cString, range)
    }
    guard let string = try sharedString("a C string") else {
      throw cursor.error(.isNil("the text of a C string"), at: start)
    }
    shared.append(.cString(strings[string].range))
    try add(.cString, strings[string].range)
  }

  /// Reads a class and its superclasses, until nil or a back reference ends the chain. Returns the number of
  /// the class, or nil for null.
  private mutating func typeChain() throws(FerryError) -> TypedstreamClassNumber? {
    let first = classes.end
    while true {
      let start = cursor.offset
      if cursor.skip(Head.new) {
        guard let name = try sharedString("a class name") else {
          throw cursor.error(.isNil("the name of a class"), at: start)
        }
        let version = try cursor.integer("the version of a class")
        guard cursor.isText(strings[name].range) else {
          throw cursor.error(.notText("the name of a class"), at: start)
        }
        let text = String(decoding: cursor.bytes[strings[name].range], as: UTF8.self)
        shared.append(.type(classes.end))
        classes.append(TypedstreamClass(name: text, version: version, depth: 0))
        guard first.distance(to: classes.end) <= budget.depth else {
          throw FerryError(.overBudget(.depth(budget.depth)), at: InputLocation(byte: start))
        }
        continue
      }
      if cursor.skip(Head.null) {
        try link(first..<classes.end, to: nil, at: start)
        return first < classes.end ? first : nil
      }
      let known = try reference(to: "class") { if case .type(let number) = $0 { number } else { nil } }
      guard known < first else { throw cursor.error(.circularClass(classes[known].name), at: start) }
      try link(first..<classes.end, to: known, at: start)
      return first < classes.end ? first : known
    }
  }

  /// Sets the superclass of each class in a new chain, beginning with the root class.
  private mutating func link(
    _ chain: Range<TypedstreamClassNumber>, to top: TypedstreamClassNumber?, at start: Int
  ) throws(FerryError) {
    var superclass = top
    for number in chain.reversed() {
      let above = superclass.map { classes[$0] }
      classes[number].superclass = superclass
      classes[number].depth = (above?.depth ?? 0) + 1
      classes[number].known = KnownClass(rawValue: classes[number].name) ?? above?.known
      superclass = number
    }
    guard let first = chain.first else { return }
    guard classes[first].depth <= budget.depth else {
      throw FerryError(.overBudget(.depth(budget.depth)), at: InputLocation(byte: start))
    }
  }

  private mutating func readObject() throws(FerryError) {
    let start = cursor.offset
    if cursor.skip(Head.null) { return try add(.null) }
    guard cursor.skip(Head.new) else {
      let number = try reference(to: "object") { if case .object(let number) = $0 { number } else { nil } }
      objects[number].uses += 1
      return try add(.reference, UInt64(number.index))
    }
    let number = objects.end
    // An object is numbered before its classes.
    shared.append(.object(number))
    objects.append(TypedstreamObject(type: .first, entry: entries.end, offset: start))
    guard let type = try typeChain() else {
      throw cursor.error(.isNil("the class of an object"), at: start)
    }
    objects[number].type = type
    classes[type].objectCount += 1
    let entry = try begin(.object, number.index)
    open.append(.object(entry: entry))
  }
}
