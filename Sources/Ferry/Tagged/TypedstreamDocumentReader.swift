/// A reader of a typedstream in the typed form. It writes the bytes of the file.
struct TypedstreamDocumentReader {
  private let tape: EventTape
  private let parts: [ExactString: TapeIndex]
  private var printer: TypedstreamPrinter
  private var types = TypedstreamClassTable([])
  /// The class descriptions, by label.
  private var descriptions: [ExactString: TapeIndex] = [:]
  private var classNumbers: [ExactString: TypedstreamClassNumber] = [:]
  private var encodings: [ExactString: TypeEncoding] = [:]
  private var identities: Set<Int> = []
  private var steps: [Step] = []
  /// The limits on the depth of types, and on the number of superclasses of a class.
  private let budget: Budget

  /// A part of the remaining work. The last step is done first.
  private enum Step {
    /// Groups of values: types and as many values, alternating.
    case groups(from: TapeIndex, to: TapeIndex)
    /// Values of the parts of a type.
    case typed(TypeEncoding, part: TypeEncoding.PartIndex, end: TypeEncoding.PartIndex, from: TapeIndex)
    /// Values of one part of a type.
    case repeated(TypeEncoding, part: TypeEncoding.PartIndex, left: Int, from: TapeIndex)
    /// Objects, each in a group.
    case objects(from: TapeIndex, to: TapeIndex)
    /// Keys and values, each in a group.
    case entries(from: TapeIndex, to: TapeIndex)
    case pairs(from: TapeIndex, to: TapeIndex)
    case endObject

    var tapeIndex: TapeIndex {
      switch self {
      case .groups(let index, _), .objects(let index, _), .entries(let index, _), .pairs(let index, _): index
      case .typed(_, _, _, let index), .repeated(_, _, _, let index): index
      case .endObject: .start
      }
    }
  }

  private static let object = Array("@".utf8)

  /// Creates a reader of a document on a tape without tagged scalars.
  init(
    _ tape: EventTape, _ parts: [ExactString: TapeIndex], _ budget: Budget
  ) throws(FerryError) {
    (self.tape, self.parts, self.budget) = (tape, parts, budget)
    let signature = try tape.string("$stream", in: parts) ?? ""
    guard let order = Typedstream.ByteOrder(signature: signature.utf8.span) else {
      throw FerryError(.typed(.badTag("$stream", found: "another text")))
    }
    let system = try tape.integer("$system", in: parts) ?? Int(TypedstreamDocument.systemVersion)
    printer = TypedstreamPrinter(order, systemVersion: Int64(system))
    guard let classes = parts["$classes"] else { return }
    guard tape.kind(at: classes) == .beginDictionary else {
      throw FerryError(.typed(.badTag("$classes", found: "something other than a dictionary")))
    }
    for (label, description) in try tape.parts(of: classes) {
      let text = label.string
      descriptions[text.begins(with: "$$") ? ExactString(String(text.dropFirst())) : label] = description
      guard tape.kind(at: description) == .beginDictionary else { continue }
      try tape.checkKeys(of: tape.parts(of: description), ["name", "version", "super"])
    }
  }

  /// Returns the bytes of the file.
  mutating func bytes() throws(FerryError) -> [UInt8] {
    if let value = parts["$value"] {
      guard parts["$groups"] == nil else { throw FerryError(.typed(.crowded("$groups"))) }
      printer.sharedString(Self.object)
      try located(value) { reader throws(FerryError) in try reader.write(object: value) }
    } else if let groups = parts["$groups"] {
      try pushGroups(groups)
    } else {
      throw FerryError(.typed(.missing("\"$value\" or \"$groups\"")))
    }
    while let step = steps.popLast() {
      try located(step.tapeIndex) { reader throws(FerryError) in try reader.take(step) }
    }
    return printer.bytes
  }

  private mutating func located(
    _ tapeIndex: TapeIndex, _ body: (inout Self) throws(FerryError) -> Void
  ) throws(FerryError) {
    do throws(FerryError) { try body(&self) } catch {
      throw error.placed(at: tape.location(at: tapeIndex))
    }
  }

  private mutating func take(_ step: Step) throws(FerryError) {
    switch step {
    case .endObject: printer.endObject()
    case .groups(let index, let end):
      guard index < end else { return }
      guard tape.kind(at: index) == .string else {
        throw FerryError(.typed(.badTag("$groups", found: "something other than the types of a group")))
      }
      let encoding = try encoding(at: index)
      printer.sharedString(tape.bytes(at: index))
      let first = tape.next(after: index)
      let rest = try after(encoding, part: .first, end: encoding.parts.end, from: first, to: end)
      steps.append(.groups(from: rest, to: end))
      steps.append(.typed(encoding, part: .first, end: encoding.parts.end, from: first))
    case .typed(let encoding, let part, let end, let index):
      guard part < end else { return }
      steps.append(
        .typed(encoding, part: encoding.parts[part].end, end: end, from: tape.next(after: index)))
      try write(index, as: encoding, part)
    case .repeated(let encoding, let part, let left, let index):
      guard left > 0 else { return }
      steps.append(.repeated(encoding, part: part, left: left - 1, from: tape.next(after: index)))
      try write(index, as: encoding, part)
    case .objects(let index, let end):
      guard index < end else { return }
      steps.append(.objects(from: tape.next(after: index), to: end))
      printer.sharedString(Self.object)
      try write(object: index)
    case .entries(let index, let end):
      guard index < end else { return }
      let value = tape.next(after: index)
      steps.append(.entries(from: tape.next(after: value), to: end))
      steps.append(.objects(from: value, to: value + 1))
      printer.sharedString(Self.object)
      let key = try key(at: index)
      printer.beginObject(nil, type: try number(of: "NSString"), of: types.classes)
      printer.sharedString([UInt8(ascii: "+")])
      printer.string(key)
      printer.endObject()
    case .pairs(let index, let end):
      guard index < end else { return }
      steps.append(.pairs(from: tape.next(after: index), to: end))
      guard tape.kind(at: index) == .beginArray, tape.elements(of: index).count == 2 else {
        throw FerryError(.typed(.badTag("$entries", found: "something other than a pair")))
      }
      steps.append(.objects(from: index + 1, to: tape.next(after: index) - 1))
    }
  }

  /// Returns the bytes of the user's key at a tape index.
  private func key(at index: TapeIndex) throws(FerryError) -> [UInt8] {
    [UInt8](copying: try TypedNotation.userKey(tape.text(at: index)).utf8)
  }

  // MARK: Types

  private mutating func encoding(at index: TapeIndex) throws(FerryError) -> TypeEncoding {
    let text = ExactString(tape.string(at: index))
    if let known = encodings[text] { return known }
    let bytes = tape.bytes(at: index)
    do throws(FerryError) {
      let encoding = try TypeEncoding(bytes, bytes.indices, budget: budget)
      encodings[text] = encoding
      return encoding
    } catch {
      // The offset of the error is one in the types.
      throw FerryError(error.reason)
    }
  }

  /// Returns the tape index after the values of the parts of a type.
  private func after(
    _ encoding: TypeEncoding, part: TypeEncoding.PartIndex, end: TypeEncoding.PartIndex,
    from index: TapeIndex, to last: TapeIndex
  ) throws(FerryError) -> TapeIndex {
    var (part, index) = (part, index)
    while part < end {
      guard index < last else {
        throw FerryError(.typed(.badTag("$groups", found: "a group without all its values")))
      }
      part = encoding.parts[part].end
      index = tape.next(after: index)
    }
    return index
  }

  private mutating func write(_ index: TapeIndex, as encoding: TypeEncoding, _ part: TypeEncoding.PartIndex)
    throws(FerryError)
  {
    let (code, kind) = (encoding.parts[part].code, tape.kind(at: index))
    switch (encoding.parts[part].kind, kind) {
    case (.object, _): try write(object: index)
    case (.char, .integer), (.unsignedChar, .integer), (.signed, .integer), (.unsigned, .integer):
      try TypedstreamEncoding.checkRange(of: index, on: tape, as: code)
      try printer.integer(tape.integer(at: index), as: code)
    case (.boolean, .boolean): printer.byte(tape.boolean(at: index) ? 1 : 0)
    case (.single, .single): printer.single(tape.single(at: index))
    case (.single, .real), (.single, .integer): printer.single(Float(tape.real(ofNumberAt: index) ?? 0))
    case (.double, .real), (.double, .integer), (.double, .single):
      printer.real(tape.real(ofNumberAt: index) ?? 0)
    case (.type, .null), (.cString, .null), (.atom, .null), (.selector, .null), (.bytes, .null):
      printer.null()
    case (.type, .string): printer.type(try number(of: tape.string(at: index)), of: types.classes)
    case (.cString, .string), (.cString, .data): printer.cString(tape.bytes(at: index))
    case (.atom, .string), (.atom, .data), (.selector, .string), (.selector, .data):
      printer.sharedString(tape.bytes(at: index))
    case (.bytes, .string), (.bytes, .data): printer.string(tape.bytes(at: index))
    case (.data(let count), .data):
      let bytes = tape.bytes(at: index)
      guard bytes.count == count else { throw wrongCount(bytes.count, count) }
      printer.characters(bytes)
    case (.array(let count), .beginArray):
      let found = tape.elements(of: index).count
      guard found == count else { throw wrongCount(found, count) }
      steps.append(.repeated(encoding, part: part + 1, left: count, from: index + 1))
    case (.structure, .beginArray):
      let (first, last) = (index + 1, tape.next(after: index) - 1)
      let end = encoding.parts[part].end
      let rest = try after(encoding, part: part + 1, end: end, from: first, to: last)
      guard rest == last else {
        throw FerryError(.typed(.badTag("$groups", found: "a structure with another field")))
      }
      steps.append(.typed(encoding, part: part + 1, end: end, from: first))
    default: throw FerryError(.typedstream(.wrongType(String(UnicodeScalar(code)))))
    }
  }

  private func wrongCount(_ found: Int, _ count: Int) -> FerryError {
    FerryError(.typed(.badTag("$groups", found: "a list of \(found), where the type has \(count),")))
  }

  private mutating func pushGroups(_ index: TapeIndex) throws(FerryError) {
    guard tape.kind(at: index) == .beginArray else {
      throw FerryError(.typed(.badTag("$groups", found: "something other than an array")))
    }
    steps.append(.groups(from: index + 1, to: tape.next(after: index) - 1))
  }

  // MARK: Objects

  private mutating func write(object index: TapeIndex) throws(FerryError) {
    switch tape.kind(at: index) {
    case .null: printer.null()
    case .beginDictionary:
      if let tag = tape.tag(at: index) { return try write(tagged: index, tag) }
      try begin("NSDictionary", nil, index, "$value")
    case .string: try begin("NSString", nil, index, "$value")
    case .data: try begin("NSData", nil, index, "$value")
    case .date: try begin("NSDate", nil, index, "$value")
    case .boolean, .integer, .real, .single: try begin("NSNumber", nil, index, "$value")
    case .beginArray: try begin("NSArray", nil, index, "$value")
    default:
      throw FerryError(.cannotHold(.kind("a decimal in its own notation", format: "a typedstream")))
    }
  }

  private mutating func write(tagged index: TapeIndex, _ tag: String) throws(FerryError) {
    let parts = try tape.parts(of: index)
    if let identity = try tape.integer("$ref", in: parts) {
      guard parts.count == 1 else { throw FerryError(.typed(.crowded("another key"))) }
      guard printer.reference(to: TypedstreamPrinter.ObjectKey(identity: identity)) else {
        throw FerryError(.typed(.unknownReference(identity)))
      }
      return
    }
    let identity = try tape.integer("$id", in: parts)
    if let identity, !identities.insert(identity).inserted {
      throw FerryError(.typed(.repeatedIdentity(identity)))
    }
    let contents = parts.keys.filter { $0 != "$class" && $0 != "$id" }
    guard contents.count < 2 else { throw FerryError(.typed(.crowded("another key"))) }
    let name = try tape.string("$class", in: parts)
    guard let content = contents.first, let value = parts[content] else {
      guard let name else { throw FerryError(.typed(.missing("\"$class\" or \"$value\""))) }
      printer.beginObject(
        identity.map { TypedstreamPrinter.ObjectKey(identity: $0) }, type: try number(of: name),
        of: types.classes)
      return printer.endObject()
    }
    guard name != nil || content == "$value" else { throw FerryError(.typed(.unknownTag(content.string))) }
    let label = if let name { name } else { try bareClass(at: value) }
    try begin(label, identity, value, content.string)
  }

  /// Returns the class of a value that is shown without its class.
  private func bareClass(at index: TapeIndex) throws(FerryError) -> String {
    switch tape.kind(at: index) {
    case .string: return "NSString"
    case .data: return "NSData"
    case .date: return "NSDate"
    case .boolean, .integer, .real, .single: return "NSNumber"
    case .beginArray: return "NSArray"
    case .beginDictionary where tape.tag(at: index) == nil: return "NSDictionary"
    default: throw FerryError(.typed(.missing("\"$class\"")))
    }
  }

  /// Begins an object, whose value is at a tape index under a tag.
  private mutating func begin(
    _ label: String, _ identity: Int?, _ value: TapeIndex, _ tag: String
  ) throws(FerryError) {
    let number = try number(of: label)
    let (known, kind) = (types.classes[number].known, tape.kind(at: value))
    let (first, end) = (value + 1, tape.next(after: value) - 1)
    printer.beginObject(
      identity.map { TypedstreamPrinter.ObjectKey(identity: $0) }, type: number, of: types.classes)
    steps.append(.endObject)
    switch (tag, known, kind) {
    case ("$groups", _, _): try pushGroups(value)
    case ("$value", .string, .string):
      printer.sharedString([UInt8(ascii: "+")])
      printer.string(tape.bytes(at: value))
    case ("$value", .data, .data):
      let bytes = tape.bytes(at: value)
      try beginCount(bytes.count, "i")
      printer.sharedString(Array("[\(bytes.count)c]".utf8))
      printer.characters(bytes)
    case ("$value", .date, .date):
      printer.sharedString([UInt8(ascii: "d")])
      printer.real(tape.real(at: value))
    case ("$value", .number, .boolean), ("$value", .number, .integer), ("$value", .number, .real),
      ("$value", .number, .single):
      try writeNumber(at: value)
    case ("$value", .array, .beginArray), ("$items", .array, .beginArray), ("$items", .set, .beginArray):
      try beginCount(tape.childCount(from: first, to: end), known == .set ? "I" : "i")
      steps.append(.objects(from: first, to: end))
    case ("$value", .dictionary, .beginDictionary), ("$entries", .dictionary, .beginDictionary):
      try beginCount(tape.childCount(from: first, to: end) / 2, "i")
      steps.append(.entries(from: first, to: end))
    case ("$entries", .dictionary, .beginArray):
      try beginCount(tape.childCount(from: first, to: end), "i")
      steps.append(.pairs(from: first, to: end))
    case ("$value", _, _), ("$items", _, _), ("$entries", _, _):
      throw FerryError(
        .typed(.badTag(tag, found: "a value that the class \(MessageText.name(label)) does not archive")))
    default: throw FerryError(.typed(.unknownTag(tag)))
    }
  }

  private mutating func beginCount(_ count: Int, _ code: Unicode.Scalar) throws(FerryError) {
    printer.sharedString([UInt8(ascii: code)])
    try printer.integer(Int128(count), as: UInt8(ascii: code))
  }

  private mutating func writeNumber(at index: TapeIndex) throws(FerryError) {
    let code = types.numberType(like: nil, for: index, of: tape, nil)
    printer.sharedString([UInt8(ascii: "*")])
    printer.cString([code])
    printer.sharedString([code])
    switch tape.kind(at: index) {
    case .boolean: printer.byte(tape.boolean(at: index) ? 1 : 0)
    case .integer: try printer.integer(tape.integer(at: index), as: code)
    case .single: printer.single(tape.single(at: index))
    default: printer.real(tape.real(at: index))
    }
  }

  // MARK: Classes

  /// Returns the number of the class with a label.
  private mutating func number(of label: String) throws(FerryError) -> TypedstreamClassNumber {
    if let known = classNumbers[ExactString(label)] { return known }
    var chain: [String] = []
    var next: String? = label
    while let name = next, classNumbers[ExactString(name)] == nil {
      guard !chain.contains(where: { $0.equals(name) }), chain.count < budget.depth else {
        throw FerryError(.typedstream(.circularClass(name)))
      }
      chain.append(name)
      next = try description(of: name).superclass
    }
    var number = next.flatMap { classNumbers[ExactString($0)] }
    for name in chain.reversed() {
      let description = try description(of: name)
      number = types.add(description.name, version: description.version, superclass: number)
      classNumbers[ExactString(name)] = number
    }
    return number ?? .first
  }

  private func description(
    of label: String
  ) throws(FerryError) -> (name: String, version: Int64, superclass: String?) {
    let usual = TypedstreamClassTable.usual(label)
    guard let index = descriptions[ExactString(label)] else {
      return (label, usual.version, usual.superclass)
    }
    guard tape.kind(at: index) == .beginDictionary else {
      throw FerryError(
        .typed(.badTag("$classes", found: "something other than a dictionary")), at: tape.location(at: index))
    }
    let parts = try tape.parts(of: index)
    let version = try tape.integer("version", in: parts).map(Int64.init) ?? usual.version
    return (
      try tape.string("name", in: parts) ?? label, version, try tape.string("super", in: parts)
    )
  }
}
