/// A cursor over the values of an object, in the order in which its class reads them. Each method returns nil
/// if the next value is of another kind.
struct TypedstreamValues {
  private let shapes: TypedstreamShapes
  private var index: TypedstreamEntryIndex
  private let end: TypedstreamEntryIndex

  init(_ range: Range<TypedstreamEntryIndex>, in shapes: TypedstreamShapes) {
    self.shapes = shapes
    index = range.lowerBound
    end = range.upperBound
  }

  var isAtEnd: Bool { index == end }

  /// Returns the index of the next value, and advances past it.
  private mutating func take() -> TypedstreamEntryIndex? {
    guard index < end else { return nil }
    defer { index = shapes.next(after: index) }
    return index
  }

  private mutating func take(_ kind: TypedstreamEntry.Kind) -> TypedstreamEntryIndex? {
    guard index < end, shapes.entries[index].kind == kind else { return nil }
    return take()
  }

  private mutating func integer() -> Int128? {
    guard index < end, let integer = shapes.entries[index].integer else { return nil }
    index = index + 1
    return integer
  }

  /// Returns the index of the next value if it is an object or a null reference, otherwise nil.
  private mutating func object() -> TypedstreamEntryIndex? {
    guard index < end else { return nil }
    switch shapes.entries[index].kind {
    case .object, .reference, .null: return take()
    default: return nil
    }
  }

  /// Advances past the next values that are objects or null references. Returns their number.
  private mutating func skipObjects() -> Int {
    var count = 0
    while object() != nil { count += 1 }
    return count
  }

  mutating func real() -> Double? {
    take(.real).map { Double(bitPattern: shapes.entries[$0].payload) }
  }

  mutating func string() -> TypedstreamShape? {
    take(.text).map { .string(shapes.entries[$0].range) }
  }

  /// Reads a length and then data. Returns the byte range of the data, or nil.
  private mutating func bytes() -> Range<Int>? {
    guard let length = integer() else { return nil }
    if length == 0, isAtEnd || shapes.entries[index].kind != .data { return 0..<0 }
    guard let data = take(.data), shapes.entries[data].range.count == length else { return nil }
    return shapes.entries[data].range
  }

  mutating func data() -> TypedstreamShape? { bytes().map { .data($0) } }

  mutating func number() -> TypedstreamShape? {
    guard take(.cString) != nil, let entryIndex = take() else { return nil }
    switch shapes.entries[entryIndex].kind {
    case .boolean, .integer, .unsigned, .single, .real: return .number(entryIndex)
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

  /// Reads a count, followed by as many objects.
  mutating func elements(_ shape: (TypedstreamEntryIndex, Int) -> TypedstreamShape) -> TypedstreamShape? {
    guard let count = integer() else { return nil }
    let first = index
    let found = skipObjects()
    return found == count ? shape(first, found) : nil
  }

  mutating func pairs() -> TypedstreamShape? {
    guard let count = integer() else { return nil }
    let first = index
    let found = skipObjects()
    return Int128(found) == count * 2 ? .dictionary(first: first, count: found / 2) : nil
  }

  mutating func attributedString() -> TypedstreamShape? {
    guard let string = object() else { return nil }
    var runs: [TypedstreamRun] = []
    var known: [TypedstreamEntryIndex] = []
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
      guard let entryIndex = kind == 6 ? object() : take(.single) else { return nil }
      fields.append(TypedstreamField(name: component, content: .entry(entryIndex)))
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
    guard let array = take(.array), let count = Int(exactly: count),
      UInt64(exactly: count) == shapes.entries[array].payload
    else { return nil }
    return .array(first: array + 1, count: count)
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
