/// What an object of a typedstream is, once its values have been looked at.
enum TypedstreamShape {
  case null
  case string(Range<Int>)
  case data(Range<Int>)
  case date(Double)
  /// The entry of a number's value.
  case number(Int)
  /// The text of a URL that has no base.
  case url(Range<Int>)
  /// The entry of what a value wraps: a structure, as a rule.
  case value(Int)
  /// Elements, from an entry on.
  case array(first: Int, count: Int)
  case set(first: Int, count: Int)
  /// Keys and values in turn, from an entry on.
  case dictionary(first: Int, count: Int)
  case record([TypedstreamField])
  case attributedString(string: Int, [TypedstreamRun])
  /// All values, in their order.
  case list
}

/// An entry of a record.
struct TypedstreamField {
  /// What the entry holds.
  enum Content {
    case entry(Int)
    case word(String)
    case integer(Int128)
    /// Numbers, from an entry on.
    case entries(first: Int, count: Int)
    case runs([TypedstreamRun])
    /// An `NSMutableArray` of entries that lie anywhere.
    case mutableArray([Int])
    /// An `NSMutableData`.
    case mutableData([UInt8])
  }

  var name: String
  /// The key that the class itself uses in a keyed archive, where Ferry can write what it expects.
  var archiveKey: String?
  var content: Content
}

/// A run of an attributed string.
struct TypedstreamRun {
  /// Counted in UTF-16 units, as the length is.
  var location: Int128
  var length: Int128
  /// The entry of the attributes.
  var attributes: Int
}

/// Looks at the values of one object. Anything but what its class is known to archive makes it a list.
struct TypedstreamShapes {
  let bytes: [UInt8]
  let entries: [TypedstreamEntry]
  let objects: [TypedstreamObject]
  let classes: [TypedstreamClass]

  /// The place behind the value that begins at a place.
  func next(after index: Int) -> Int {
    switch entries[index].kind {
    case .object, .array, .structure: entries[index].extra
    default: index + 1
    }
  }

  /// The object that an entry is or refers to.
  func object(at index: Int) -> Int? {
    switch entries[index].kind {
    case .object, .reference: entries[index].number
    default: nil
    }
  }

  /// Where the values of an object lie.
  func values(of object: Int) -> Range<Int> {
    let entry = objects[object].entry
    return entry + 1..<entries[entry].extra
  }

  /// What an object is.
  func shape(of object: Int) -> TypedstreamShape {
    let type = classes[objects[object].type]
    guard let known = type.known else { return .list }
    var values = TypedstreamValues(values(of: object), in: self)
    let shape: TypedstreamShape? =
      switch known {
      case .null: .null
      case .string: values.string()
      case .data: values.data()
      case .date: values.real().map { .date($0) }
      // A number of another class would have a value that no object holds.
      case .number: type.name == KnownClass.number.rawValue ? values.number() : nil
      case .value: values.value()
      case .url: values.url()
      case .array: values.elements { .array(first: $0, count: $1) }
      case .set: values.elements { .set(first: $0, count: $1) }
      case .dictionary: values.pairs()
      case .attributedString: values.attributedString()
      case .color: values.color()
      case .font: values.font()
      case .list: values.list(version: version(of: "List", from: objects[object].type))
      case .hashTable: values.hashTable()
      }
    guard let shape, values.isAtEnd else { return .list }
    return shape
  }

  /// Whether a shared string is UTF-8.
  func isText(_ range: Range<Int>) -> Bool {
    let bytes = bytes
    if case .invalid = bytes.span.extracting(range).checkUTF8() { return false }
    return true
  }

  /// The text of a string object.
  func text(at index: Int) -> Range<Int>? {
    guard let object = object(at: index), classes[objects[object].type].known == .string,
      case .string(let range) = shape(of: object)
    else { return nil }
    return range
  }

  /// What an object is when it is a scalar, found in as many steps as a scalar takes.
  func scalar(_ object: Int) -> TypedstreamShape? {
    guard let known = classes[objects[object].type].known, known.isScalar else { return nil }
    let shape = shape(of: object)
    switch shape {
    case .null, .string, .data, .date, .number, .url: return shape
    default: return nil
    }
  }

  /// Whether an object is a collection of a time before Foundation, which no keyed archive has.
  func isOfNeXT(_ object: Int) -> Bool {
    let known = classes[objects[object].type].known
    return known == .list || known == .hashTable
  }

  private func version(of name: String, from type: Int) -> Int64? {
    var type = Optional(type)
    while let number = type {
      if classes[number].name == name { return classes[number].version }
      type = classes[number].superclass
    }
    return nil
  }

  /// Whether an object holds nothing but scalars.
  func isLeaf(_ object: Int) -> Bool {
    let values = values(of: object)
    var index = values.lowerBound
    while index < values.upperBound {
      if let inner = self.object(at: index) {
        guard scalar(inner) != nil else { return false }
        index = next(after: index)
      } else {
        index += 1
      }
    }
    return true
  }
}

/// The values of an object, taken one after the other as its class would take them; nil for one of another kind.
private struct TypedstreamValues {
  private let shapes: TypedstreamShapes
  private var index: Int
  private let end: Int

  init(_ range: Range<Int>, in shapes: TypedstreamShapes) {
    self.shapes = shapes
    index = range.lowerBound
    end = range.upperBound
  }

  var isAtEnd: Bool { index == end }

  /// The place of the next value, which is passed.
  private mutating func take() -> Int? {
    guard index < end else { return nil }
    defer { index = shapes.next(after: index) }
    return index
  }

  private mutating func take(_ kind: TypedstreamEntry.Kind) -> Int? {
    guard index < end, shapes.entries[index].kind == kind else { return nil }
    return take()
  }

  private mutating func integer() -> Int128? {
    guard index < end, let integer = shapes.entries[index].integer else { return nil }
    index += 1
    return integer
  }

  /// An object, or nil where one could be.
  private mutating func object() -> Int? {
    guard index < end else { return nil }
    switch shapes.entries[index].kind {
    case .object, .reference, .null: return take()
    default: return nil
    }
  }

  mutating func real() -> Double? {
    take(.real).map { Double(bitPattern: shapes.entries[$0].payload) }
  }

  mutating func string() -> TypedstreamShape? {
    take(.text).map { .string(shapes.entries[$0].range) }
  }

  /// The bytes behind their length.
  private mutating func bytes() -> Range<Int>? {
    guard let length = integer() else { return nil }
    if length == 0, isAtEnd || shapes.entries[index].kind != .data { return 0..<0 }
    guard let data = take(.data), shapes.entries[data].range.count == length else { return nil }
    return shapes.entries[data].range
  }

  mutating func data() -> TypedstreamShape? { bytes().map { .data($0) } }

  mutating func number() -> TypedstreamShape? {
    guard take(.cString) != nil, let place = take() else { return nil }
    switch shapes.entries[place].kind {
    case .boolean, .integer, .unsigned, .single, .real: return .number(place)
    default: return nil
    }
  }

  mutating func value() -> TypedstreamShape? {
    guard take(.cString) != nil else { return nil }
    return (take(.structure) ?? take(.array) ?? take(.data)).map { .value($0) }
  }

  mutating func url() -> TypedstreamShape? {
    switch integer() {
    case 0: return object().flatMap { shapes.text(at: $0) }.map { .url($0) }
    case 1:
      guard let base = object(), let relative = object() else { return nil }
      return .record([
        TypedstreamField(name: "base", archiveKey: "NS.base", content: .entry(base)),
        TypedstreamField(name: "relative", archiveKey: "NS.relative", content: .entry(relative)),
      ])
    default: return nil
    }
  }

  /// A count, then as many objects.
  mutating func elements(_ shape: (Int, Int) -> TypedstreamShape) -> TypedstreamShape? {
    guard let count = integer() else { return nil }
    let first = index
    var found = 0
    while object() != nil { found += 1 }
    return found == count ? shape(first, found) : nil
  }

  mutating func pairs() -> TypedstreamShape? {
    guard let count = integer() else { return nil }
    let first = index
    var found = 0
    while object() != nil { found += 1 }
    return Int128(found) == count * 2 ? .dictionary(first: first, count: found / 2) : nil
  }

  mutating func attributedString() -> TypedstreamShape? {
    guard let string = object() else { return nil }
    var runs: [TypedstreamRun] = []
    var known: [Int] = []
    var location: Int128 = 0
    while !isAtEnd {
      // Attributes are numbered from 1.
      guard let number = integer(), number >= 1, let length = integer(), length >= 0 else { return nil }
      if number == known.count + 1 {
        guard let attributes = object() else { return nil }
        known.append(attributes)
      }
      guard number <= known.count else { return nil }
      runs.append(
        TypedstreamRun(location: location, length: length, attributes: known[Int(number) - 1]))
      location += length
    }
    return .attributedString(string: string, runs)
  }

  mutating func color() -> TypedstreamShape? {
    guard let kind = integer() else { return nil }
    let (space, components): (String, [String])
    switch kind {
    case 1: (space, components) = ("calibratedRGB", ["red", "green", "blue", "alpha"])
    case 2: (space, components) = ("deviceRGB", ["red", "green", "blue", "alpha"])
    case 3: (space, components) = ("calibratedWhite", ["white", "alpha"])
    case 4: (space, components) = ("deviceWhite", ["white", "alpha"])
    case 5: (space, components) = ("deviceCMYK", ["cyan", "magenta", "yellow", "black", "alpha"])
    case 6: (space, components) = ("named", ["catalog", "name", "color"])
    default: return nil
    }
    var fields = [TypedstreamField(name: "space", content: .word(space))]
    for component in components {
      guard let place = kind == 6 ? object() : take(.single) else { return nil }
      fields.append(TypedstreamField(name: component, content: .entry(place)))
    }
    return .record(fields)
  }

  mutating func font() -> TypedstreamShape? {
    guard let name = bytes(), let size = take(.single) else { return nil }
    let first = index
    for _ in 0..<4 { guard integer() != nil else { return nil } }
    guard let text = SerializedPropertyList.string(shapes.bytes[name]) else { return nil }
    return .record([
      TypedstreamField(name: "name", content: .word(text)),
      TypedstreamField(name: "size", content: .entry(size)),
      TypedstreamField(name: "flags", content: .entries(first: first, count: 4)),
    ])
  }

  mutating func list(version: Int64?) -> TypedstreamShape? {
    if version == 0 { guard integer() != nil else { return nil } }
    guard let count = integer() else { return nil }
    if count == 0, isAtEnd { return .array(first: index, count: 0) }
    guard let array = take(.array), shapes.entries[array].payload == UInt64(clamping: count) else {
      return nil
    }
    return .array(first: array + 1, count: Int(count))
  }

  mutating func hashTable() -> TypedstreamShape? {
    guard let count = integer() else { return nil }
    for _ in 0..<2 { guard take(.atom) != nil || take(.cString) != nil else { return nil } }
    let first = index
    var found = 0
    while take() != nil { found += 1 }
    return Int128(found) == count * 2 ? .dictionary(first: first, count: found / 2) : nil
  }
}

/// The binary property lists of NeXTSTEP, as a font's name is one: not those that begin with `bplist`.
///
///     06 00 00 00  06 00 00 00  FE FF 00 41 00 62  00 00
///     a string     6 bytes      UTF-16, "Ab"       up to a multiple of 4
enum SerializedPropertyList {
  /// The string that the bytes are, when they are one.
  static func string(_ bytes: ArraySlice<UInt8>) -> String? {
    let header = Array(bytes.prefix(8))
    guard header.count == 8, header[0..<4].elementsEqual([6, 0, 0, 0]) else { return nil }
    let length = header[4...].reversed().reduce(0) { $0 << 8 | Int($1) }
    guard length >= 2, length % 2 == 0, (length + 3) / 4 * 4 == bytes.count - 8 else { return nil }
    let text = Array(bytes.dropFirst(8).prefix(length))
    let isBig = text.starts(with: [0xfe, 0xff])
    guard isBig || text.starts(with: [0xff, 0xfe]) else { return nil }
    let units = stride(from: 2, to: length, by: 2).map { index in
      let (first, second) = (UInt16(text[index]), UInt16(text[index + 1]))
      return isBig ? first << 8 | second : second << 8 | first
    }
    let string = String(decoding: units, as: UTF16.self)
    // What would not come back is left as the bytes it is.
    return Array(string.utf16) == units ? string : nil
  }
}
