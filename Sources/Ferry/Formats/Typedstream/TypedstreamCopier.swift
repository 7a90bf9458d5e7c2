/// A copier of a typedstream with changes. It copies values of another typedstream, and encodes new values from a tape.
///
/// A copied value keeps its types and the class of its objects. If the object that a copied reference refers to has not
/// been written, because its first occurrence has been replaced, the object is written in its place.
struct TypedstreamCopier {
  /// A part of the remaining work. The last step is done first.
  private enum Step {
    /// Copy the values of a range of entries.
    case entries(from: TypedstreamEntryIndex, to: TypedstreamEntryIndex)
    /// Copy the values of a range of entries as parts of a copy.
    case copies(from: TypedstreamEntryIndex, to: TypedstreamEntryIndex, of: Copy)
    /// Write items, beginning with the one at an index.
    case items([TypedstreamItem], next: Int)
    /// Write the elements, or the keys and values, in a range of the tape, each as a group with an object.
    case elements(from: TapeIndex, to: TapeIndex)
    case endObject
  }

  /// A copy of an object that also stays in its place. The objects in it are others than those of the source, apart from scalars and from
  /// the objects around the source.
  private struct Copy {
    var number: Int
    /// The entry of the copied value, which may be a reference.
    var index: TypedstreamEntryIndex
    /// The entries of the object.
    var entries: Range<TypedstreamEntryIndex>

    /// Returns true if the entries of an object have the copied value among them.
    func isInside(_ object: Range<TypedstreamEntryIndex>) -> Bool {
      object.contains(index) || object.contains(entries.lowerBound)
    }
  }

  private var printer: TypedstreamPrinter
  private let source: Typedstream?
  private let changes: TypedstreamChanges
  private let tape: EventTape
  private let losses: LossReport?
  private var types: TypedstreamClassTable
  private var steps: [Step] = []
  /// The maximum number of losses that are reported with their paths.
  private static let mostPaths = 1000
  private var lossCount = 0
  private var copyCount = 0
  /// The number of entries in copies of objects that are outside of the copied values.
  private var copiedEntries = 0
  private let encoding: TypedstreamEncoding

  /// Creates a copier that only encodes new values.
  ///
  /// - Parameters:
  ///   - tape: The values.
  ///   - losses: Receives a loss for each object whose class Ferry cannot archive.
  init(_ tape: EventTape, losses: LossReport?) {
    self.init(nil, TypedstreamChanges(), tape, losses)
  }

  /// Creates a copier of the values of a typedstream with changes.
  init(copying source: Typedstream, _ changes: TypedstreamChanges = TypedstreamChanges()) {
    self.init(source, changes, changes.tape, nil)
  }

  private init(
    _ source: Typedstream?, _ changes: TypedstreamChanges, _ tape: EventTape, _ losses: LossReport?
  ) {
    (self.source, self.changes, self.tape, self.losses) = (source, changes, tape, losses)
    encoding = TypedstreamEncoding(tape)
    printer = TypedstreamPrinter(
      source?.byteOrder ?? .littleEndian, systemVersion: source?.systemVersion ?? 1000)
    types = TypedstreamClassTable(source?.shapes.classes ?? [])
  }

  /// Returns the bytes of the copied typedstream with its changes.
  mutating func copy() throws(FerryError) -> [UInt8] {
    guard let source else { return [] }
    steps.append(.entries(from: .first, to: source.shapes.entries.end))
    return try finish()
  }

  /// Returns the bytes of a typedstream with the value on the tape.
  mutating func encode() throws(FerryError) -> [UInt8] {
    printer.sharedString([UInt8(ascii: "@")])
    try write(.start, like: nil)
    return try finish()
  }

  private mutating func finish() throws(FerryError) -> [UInt8] {
    while let step = steps.popLast() { try take(step) }
    return printer.bytes
  }

  private mutating func take(_ step: Step) throws(FerryError) {
    switch step {
    case .entries(let index, let end):
      guard let source, index < end else { return }
      steps.append(.entries(from: source.shapes.next(after: index), to: end))
      if let group = source.shapes.entries[index].group {
        printer.sharedString(Array(source.types(of: group)))
      }
      try copy(index, of: source)
    case .copies(let index, let end, let copy):
      guard let source, index < end else { return }
      steps.append(.copies(from: source.shapes.next(after: index), to: end, of: copy))
      if let group = source.shapes.entries[index].group {
        printer.sharedString(Array(source.types(of: group)))
      }
      try self.copy(index, of: source, copy)
    case .items(let items, let next):
      guard next < items.count else { return }
      steps.append(.items(items, next: next + 1))
      try write(items[next])
    case .elements(let index, let end):
      guard index < end else { return }
      steps.append(.elements(from: tape.next(after: index), to: end))
      printer.sharedString([UInt8(ascii: "@")])
      switch tape.kind(at: index) {
      case .null: writeNullObject()
      case .beginKey: try write(index + 1, like: nil)
      default: try write(index, like: nil)
      }
    case .endObject: printer.endObject()
    }
  }

  private mutating func write(_ item: TypedstreamItem) throws(FerryError) {
    switch item {
    case .group(let types): printer.sharedString(Array(types.utf8))
    case .integer(let number, let code): try printer.integer(number, as: code)
    case .real(let value): printer.real(value)
    case .cString(let text): printer.cString(Array(text.utf8))
    case .emptyDictionary: writeEmptyDictionary()
    case .null: writeNullObject()
    case .entry(let index): if let source { try copy(index, of: source) }
    case .original(let index): if let source { try copyOriginal(index, of: source) }
    case .value(let tapeIndex, let entry): try write(tapeIndex, like: entry)
    case .copy(let index):
      guard let source, let object = source.shapes.object(at: index) else { return }
      copyCount += 1
      let first = source.shapes.objects[object].entry
      let copy = Copy(
        number: copyCount, index: index, entries: first..<source.shapes.next(after: first))
      try self.copy(index, of: source, copy)
    case .object(let object, let items):
      guard let source else { return }
      printer.beginObject(nil, type: source.shapes.objects[object].type, of: types.classes)
      steps += [.endObject, .items(items, next: 0)]
    }
  }

  // MARK: Copied values

  /// Copies a value.
  ///
  /// - Parameter copy: The copy that the value is a part of; nil for a value in its place, with its changes.
  private mutating func copy(_ index: TypedstreamEntryIndex, of source: Typedstream, _ copy: Copy? = nil)
    throws(FerryError)
  {
    if copy == nil {
      if let new = changes.values[index] {
        return try replace(source.shapes.entries[index], at: index, with: new)
      }
      if let item = changes.replacements[index] { return try write(item) }
    }
    try copyOriginal(index, of: source, copy)
  }

  /// Copies a value even if another value replaces it. The values inside it get their changes.
  private mutating func copyOriginal(
    _ index: TypedstreamEntryIndex, of source: Typedstream, _ copy: Copy? = nil
  ) throws(FerryError) {
    let (entry, bytes) = (source.shapes.entries[index], source.shapes.bytes)
    switch entry.kind {
    case .null: printer.null()
    case .boolean: printer.byte(UInt8(truncatingIfNeeded: entry.payload))
    case .integer, .unsigned: try printer.integer(entry.integer ?? 0, as: entry.code)
    case .single: printer.single(entry.single)
    case .real: printer.real(Double(bitPattern: entry.payload))
    case .text, .bytes: printer.string(bytes[entry.range])
    case .cString: printer.cString(Array(bytes[entry.range]))
    case .atom, .selector: printer.sharedString(Array(bytes[entry.range]))
    case .data: printer.characters(bytes[entry.range])
    case .type: printer.type(entry.classNumber, of: types.classes)
    case .array, .structure: steps.append(copied(index + 1..<entry.end, copy))
    case .object, .reference:
      let object = source.shapes.objects[entry.objectNumber]
      let isCopied = if let copy { copies(entry.objectNumber, of: source, copy) } else { false }
      let copyNumber = isCopied ? copy?.number ?? 0 : 0
      let key = TypedstreamPrinter.ObjectKey(
        entry.objectNumber, inCopy: copyNumber, ofObjects: source.shapes.objects.count)
      guard !printer.reference(to: key) else { return }
      printer.beginObject(key, type: object.type, of: types.classes)
      steps.append(.endObject)
      if isCopied {
        let values = source.shapes.values(of: entry.objectNumber)
        if copy?.entries.contains(object.entry) == false { try count(values, of: source) }
        return steps.append(copied(values, copy))
      }
      if let items = changes.contents[entry.objectNumber] {
        steps.append(.items(items, next: 0))
      } else {
        let values = source.shapes.values(of: entry.objectNumber)
        steps.append(.entries(from: values.lowerBound, to: values.upperBound))
      }
    }
  }

  /// Returns true if a copy has an object of its own for one of the source.
  private func copies(_ number: TypedstreamObjectNumber, of source: Typedstream, _ copy: Copy) -> Bool {
    if copy.entries.contains(source.shapes.objects[number].entry) { return true }
    return !copy.isInside(source.shapes.values(of: number)) && source.shapes.scalar(number) == nil
  }

  /// Counts the entries of an object that is copied from elsewhere.
  ///
  /// - Throws: The error of the budget if copies have so many objects from elsewhere that the file would become very large.
  private mutating func count(_ values: Range<TypedstreamEntryIndex>, of source: Typedstream)
    throws(FerryError)
  {
    copiedEntries += values.count
    let limit = source.budget.allowance(forInputBytes: source.shapes.bytes.count) / Budget.valueCost
    guard copiedEntries <= limit else { throw source.budget.overAmplification }
  }

  private func copied(_ entries: Range<TypedstreamEntryIndex>, _ copy: Copy?) -> Step {
    guard let copy else { return .entries(from: entries.lowerBound, to: entries.upperBound) }
    return .copies(from: entries.lowerBound, to: entries.upperBound, of: copy)
  }

  /// Writes a new value in place of a copied one, in the type of that.
  private mutating func replace(
    _ entry: TypedstreamEntry, at index: TypedstreamEntryIndex, with tapeIndex: TapeIndex
  ) throws(FerryError) {
    let kind = tape.kind(at: tapeIndex)
    switch (entry.code, kind) {
    case (UInt8(ascii: "@"), .null):
      changes.elements.contains(index) ? writeNullObject() : printer.null()
    case (UInt8(ascii: "@"), _): try write(tapeIndex, like: index)
    case (UInt8(ascii: "B"), .boolean): printer.byte(tape.boolean(at: tapeIndex) ? 1 : 0)
    case (UInt8(ascii: "f"), _):
      guard let real = tape.real(ofNumberAt: tapeIndex) else { throw wrongType(entry) }
      try TypedstreamEncoding.checkRange(of: tapeIndex, on: tape, as: entry.code)
      printer.single(kind == .single ? tape.single(at: tapeIndex) : Float(real))
    case (UInt8(ascii: "d"), _):
      guard let real = tape.real(ofNumberAt: tapeIndex) else { throw wrongType(entry) }
      printer.real(real)
    case (UInt8(ascii: "+"), .null), (UInt8(ascii: "*"), .null), (UInt8(ascii: "%"), .null),
      (UInt8(ascii: ":"), .null):
      printer.null()
    case (UInt8(ascii: "+"), .string), (UInt8(ascii: "+"), .data): printer.string(tape.bytes(at: tapeIndex))
    case (UInt8(ascii: "*"), .string), (UInt8(ascii: "*"), .data): printer.cString(tape.bytes(at: tapeIndex))
    case (UInt8(ascii: "%"), .string), (UInt8(ascii: "%"), .data), (UInt8(ascii: ":"), .string),
      (UInt8(ascii: ":"), .data):
      printer.sharedString(tape.bytes(at: tapeIndex))
    case (UInt8(ascii: "["), .data) where entry.kind == .data:
      let new = tape.bytes(at: tapeIndex)
      guard new.count == entry.range.count else { throw wrongType(entry) }
      printer.characters(new)
    case (_, .integer) where [.integer, .unsigned].contains(entry.kind):
      try TypedstreamEncoding.checkRange(of: tapeIndex, on: tape, as: entry.code)
      try printer.integer(tape.integer(at: tapeIndex), as: entry.code)
    default: throw wrongType(entry)
    }
  }

  private func wrongType(_ entry: TypedstreamEntry) -> FerryError {
    FerryError(.typedstream(.wrongType(String(UnicodeScalar(entry.code)))))
  }

  // MARK: New values

  /// Writes the value at a tape index as an object.
  ///
  /// - Parameter entry: The entry of the object that it replaces, whose class it keeps if that fits; nil for a value in
  ///   a new place.
  private mutating func write(_ tapeIndex: TapeIndex, like entry: TypedstreamEntryIndex?) throws(FerryError) {
    switch tape.kind(at: tapeIndex) {
    case .null where entry == nil && tapeIndex == .start: printer.null()
    case .reference: try writeReference(at: tapeIndex)
    case .beginObject: try writeObject(at: tapeIndex)
    default:
      try write(
        content: tapeIndex, as: types.number(like: entry, for: tapeIndex, encoding, source), nil, like: entry)
    }
  }

  private mutating func writeReference(at tapeIndex: TapeIndex) throws(FerryError) {
    let identity = tape.reference(at: tapeIndex)
    guard let target = encoding.identities[identity] else {
      throw FerryError(.archive(.unknownIdentity(identity)))
    }
    guard !printer.reference(to: TypedstreamPrinter.ObjectKey(new: target)) else { return }
    try writeObject(at: target)
  }

  private mutating func writeObject(at tapeIndex: TapeIndex) throws(FerryError) {
    let (type, content) = (tape.type(at: tapeIndex), tapeIndex + 1)
    let key = tape.identity(at: tapeIndex) == nil ? nil : TypedstreamPrinter.ObjectKey(new: tapeIndex)
    var known = types.number(ofStandard: type.name)
    if let number = known, !encoding.accepts(content, for: types.classes[number]) {
      known = nil
    }
    if known == nil, type !== ObjectClass.none { report(.className, at: tapeIndex) }
    switch tape.kind(at: content) {
    case .beginObject, .reference:
      throw FerryError(.archive(.badEvents("an object holds no value that a typedstream has")))
    default:
      try write(
        content: content, as: known ?? types.number(like: nil, for: content, encoding, nil), key, like: nil)
    }
  }

  private mutating func report(_ kind: Loss.Kind, at tapeIndex: TapeIndex) {
    lossCount += 1
    // Finding a path takes time in proportion to the value.
    let path = lossCount > Self.mostPaths ? ValuePath() : tape.path(to: tapeIndex)
    losses?.add(kind, path: path)
  }

  /// Writes a value as the content of a new object.
  private mutating func write(
    content: TapeIndex, as type: TypedstreamClassNumber, _ key: TypedstreamPrinter.ObjectKey?,
    like entry: TypedstreamEntryIndex?
  ) throws(FerryError) {
    guard let known = types.classes[type].known else {
      throw FerryError(.typedstream(.noEncoding(types.classes[type].name)))
    }
    printer.beginObject(key, type: type, of: types.classes)
    steps.append(.endObject)
    let (first, end) = (content + 1, tape.next(after: content) - 1)
    switch known {
    case .string:
      printer.sharedString([UInt8(ascii: "+")])
      printer.string(tape.bytes(at: content))
    case .data:
      let bytes = tape.bytes(at: content)
      printer.sharedString([UInt8(ascii: "i")])
      try printer.integer(Int128(bytes.count), as: UInt8(ascii: "i"))
      printer.sharedString(Array("[\(bytes.count)c]".utf8))
      printer.characters(bytes)
    case .date:
      printer.sharedString([UInt8(ascii: "d")])
      printer.real(tape.real(at: content))
    case .null: break
    case .number: try writeNumber(content, as: types.numberType(like: entry, for: content, of: tape, source))
    case .array, .set, .dictionary:
      let isDictionary = known == .dictionary
      let code = UInt8(ascii: known == .set ? "I" : "i")
      printer.sharedString([code])
      try printer.integer(Int128(tape.childCount(from: first, to: end) / (isDictionary ? 2 : 1)), as: code)
      steps.append(.elements(from: first, to: end))
    case .url, .value, .attributedString:
      steps.append(.items(encoding.items(content, for: known), next: 0))
    case .color, .font, .list, .hashTable:
      throw FerryError(.typedstream(.noEncoding(types.classes[type].name)))
    }
  }

  private mutating func writeNumber(_ content: TapeIndex, as code: UInt8) throws(FerryError) {
    printer.sharedString([UInt8(ascii: "*")])
    printer.cString([code])
    printer.sharedString([code])
    switch tape.kind(at: content) {
    case .boolean: printer.byte(tape.boolean(at: content) ? 1 : 0)
    case .integer where code != UInt8(ascii: "d") && code != UInt8(ascii: "f"):
      try printer.integer(tape.integer(at: content), as: code)
    case .single: printer.single(tape.single(at: content))
    default:
      let real = tape.real(ofNumberAt: content) ?? 0
      code == UInt8(ascii: "f") ? printer.single(Float(real)) : printer.real(real)
    }
  }

  /// Writes an NSNull, which represents null in a collection.
  private mutating func writeNullObject() {
    guard let type = types.number(ofStandard: TypedstreamClassTable.Name.null) else { return }
    printer.beginObject(nil, type: type, of: types.classes)
    printer.endObject()
  }

  private mutating func writeEmptyDictionary() {
    guard let type = types.number(ofStandard: "NSDictionary") else { return }
    printer.beginObject(nil, type: type, of: types.classes)
    printer.sharedString([UInt8(ascii: "i")])
    printer.integer(0)
    printer.endObject()
  }
}
