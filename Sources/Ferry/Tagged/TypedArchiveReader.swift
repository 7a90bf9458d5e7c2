/// A reader of an archive's graph from the typed form. It is the inverse of `TypedArchiveWriter`.
struct TypedArchiveReader {
  /// The graph of the document.
  private(set) var graph: ArchiveGraph
  private let layout: ArchiveLayout

  private let tape: EventTape
  private let scalars: PropertyListTree
  private let chains: [ExactString: TapeIndex]
  private var identities: [Int: Int] = [:]
  /// The scalars that have an identity.
  private var scalarIdentities: [Int: ArchiveGraph.Part] = [:]
  private var types: [ExactString: Int] = [:]
  private var names: [ExactString: NodeID] = [:]
  private var steps: [Step] = []
  /// The references to objects or scalars, which may occur later in the text.
  private var references: [(part: Int, identity: Int, tapeIndex: TapeIndex)] = []

  /// A value that is still to be read.
  private struct Step {
    let tapeIndex: TapeIndex
    /// The index of its part in the graph.
    let part: UInt32
    let isField: Bool
  }

  /// A value that was read.
  private enum Found {
    case part(ArchiveGraph.Part)
    /// A reference to an object or scalar: its identity, and the tape index of the reference.
    case reference(Int, tapeIndex: TapeIndex)
  }

  /// A field of an object.
  private struct Field {
    let key: NodeID
    let value: Value

    enum Value {
      case part(ArchiveGraph.Part)
      /// A value that is still to be read.
      case unread(TapeIndex)
    }
  }

  /// Reads the graph and its layout from the entries of a document's dictionary.
  static func graph(
    _ tape: EventTape, _ parts: [ExactString: TapeIndex], _ layout: [ExactString: TapeIndex], budget: Budget
  ) throws(FerryError) -> (ArchiveGraph, ArchiveLayout) {
    let reader = try TypedArchiveReader(tape, parts, layout, budget: budget)
    return (reader.graph, reader.layout)
  }

  private init(
    _ tape: EventTape, _ parts: [ExactString: TapeIndex], _ layout: [ExactString: TapeIndex], budget: Budget
  ) throws(FerryError) {
    self.tape = tape
    scalars = PropertyListTree(budget: budget)
    let isOld = (parts["$archiver"] ?? .start) > (parts["$top"] ?? .start)
    self.layout = try ArchiveLayout(layout, isOld: isOld, of: tape)
    graph = ArchiveGraph(
      scalars: scalars, bare: BareScalars(nodes: scalars, objects: nil),
      archiver: try tape.string("$archiver", in: parts) ?? "NSKeyedArchiver")
    chains = try parts["$classes"].map(tape.parts) ?? [:]
    try tape.checkKeys(of: parts, ["$ferry", "$archiver", "$top", "$others", "$classes", "$layout"])
    for description in chains.values where tape.kind(at: description) == .beginDictionary {
      try tape.checkKeys(of: tape.parts(of: description), ["$chain", "$hints"])
    }
    guard let top = parts["$top"], tape.kind(at: top) == .beginDictionary else {
      throw FerryError(.typed(.badTag("$top", found: "something other than a dictionary")))
    }
    try scalars.beginArray(count: nil)
    var tops: [(name: String, value: TapeIndex)] = []
    try forEachEntry(of: top) { name, tapeIndex in tops.append((name, tapeIndex)) }
    let topParts = try graph.addParts(tops.count)
    for (top, part) in zip(tops, topParts.indices) { want(top.value, part, isField: true) }
    let otherParts = try parts["$others"].map { tapeIndex throws(FerryError) in
      guard tape.kind(at: tapeIndex) == .beginArray else {
        throw FerryError(.typed(.badTag("$others", found: "something other than an array")))
      }
      return try want(elementsOf: tapeIndex, isField: false)
    }
    try run()
    try scalars.endArray()
    try resolveReferences()
    graph.top = zip(tops, topParts.indices).map { ($0.name, graph.parts[$1]) }
    if let otherParts { graph.others = Array(graph.parts[otherParts.indices]) }
  }

  // MARK: Reading

  /// Schedules the reading of a value as the part with an index.
  private mutating func want(_ tapeIndex: TapeIndex, _ part: Int, isField: Bool) {
    // `addParts` allows no larger index.
    steps.append(Step(tapeIndex: tapeIndex, part: UInt32(truncatingIfNeeded: part), isField: isField))
  }

  /// Schedules the reading of the elements of an array, and returns their parts.
  private mutating func want(
    elementsOf array: TapeIndex, isField: Bool
  ) throws(FerryError) -> ArchiveGraph.Parts {
    let end = tape.next(after: array) - 1
    let parts = try graph.addParts(tape.childCount(from: array + 1, to: end))
    var element = array + 1
    for part in parts.indices {
      want(element, part, isField: isField)
      element = tape.next(after: element)
    }
    return parts
  }

  private mutating func run() throws(FerryError) {
    // The values are read in their order in the text, so that the first error is reported.
    steps.reverse()
    while let step = steps.popLast() {
      let rest = steps.count
      do throws(FerryError) {
        switch try read(step.tapeIndex, isField: step.isField) {
        case .part(let part): graph.parts[Int(step.part)] = part
        case .reference(let identity, let tapeIndex):
          references.append((Int(step.part), identity, tapeIndex))
        }
      } catch {
        throw error.placed(at: tape.location(at: step.tapeIndex))
      }
      var (first, last) = (rest, steps.count - 1)
      while first < last {
        steps.swapAt(first, last)
        (first, last) = (first + 1, last - 1)
      }
    }
  }

  private mutating func read(_ tapeIndex: TapeIndex, isField: Bool) throws(FerryError) -> Found {
    switch tape.kind(at: tapeIndex) {
    case .null: return .part(.nothing)
    case .string, .data: return .part(.bare(try scalar(tapeIndex)))
    case .boolean, .integer, .real, .single:
      return .part(isField ? .scalar(try scalar(tapeIndex)) : .bare(try scalar(tapeIndex)))
    case .date:
      let time = try scalar { sink throws(FerryError) in try sink.real(tape.real(at: tapeIndex)) }
      let field = Field(key: try name("NS.time"), value: .part(.scalar(time)))
      return try object("NSDate", [field], identity: nil)
    case .beginArray: return try object("NSArray", [try items(tapeIndex)], identity: nil)
    case .beginDictionary:
      guard let tag = tape.tag(at: tapeIndex) else {
        return try object("NSDictionary", try entries(tapeIndex), identity: nil)
      }
      return try read(tagged: tag, tapeIndex)
    default: throw FerryError(.typed(.badTag("an archive", found: tape.words(at: tapeIndex))))
    }
  }

  private mutating func read(tagged tag: String, _ tapeIndex: TapeIndex) throws(FerryError) -> Found {
    switch tag {
    case "$ref":
      return try reference(tapeIndex)
    case "$object":
      let value = try tape.onlyPart(tag, of: tapeIndex)
      if let known = try identified(value, isObject: true) { return known }
      return .part(.bare(try scalar(value)))
    case "$inline":
      return try read(inline: tape.onlyPart(tag, of: tapeIndex))
    case "$class", "$id":
      if let scalar = try identified(tapeIndex, isObject: true) { return scalar }
      return try read(object: tapeIndex)
    default: throw FerryError(.typed(.unknownTag(tag)))
    }
  }

  private func reference(_ tapeIndex: TapeIndex) throws(FerryError) -> Found {
    _ = try tape.onlyPart("$ref", of: tapeIndex)
    guard let identity = try tape.integer("$ref", in: tape.parts(of: tapeIndex)) else {
      throw FerryError(.typed(.missing("a number for \"$ref\"")))
    }
    return .reference(identity, tapeIndex: tapeIndex)
  }

  /// Reads a scalar that is written once (`{"$id": 7, "$value": …}`), or a reference to such a scalar.
  /// Returns nil for other values.
  private mutating func identified(_ tapeIndex: TapeIndex, isObject: Bool) throws(FerryError) -> Found? {
    guard let tag = tape.tag(at: tapeIndex), tag == "$id" || tag == "$ref" || tag == "$value" else {
      return nil
    }
    if tag == "$ref" { return try reference(tapeIndex) }
    let parts = try tape.parts(of: tapeIndex)
    guard let value = parts["$value"], let identity = try tape.integer("$id", in: parts) else { return nil }
    guard parts.count == 2 else { throw FerryError(.typed(.crowded("another key"))) }
    let node = try scalar(value)
    let part = isObject ? ArchiveGraph.Part.bare(node) : .scalar(node)
    guard identities[identity] == nil, scalarIdentities.updateValue(part, forKey: identity) == nil else {
      throw FerryError(.typed(.repeatedIdentity(identity)))
    }
    return .part(part)
  }

  private mutating func read(inline tapeIndex: TapeIndex) throws(FerryError) -> Found {
    if let known = try identified(tapeIndex, isObject: false) { return known }
    switch tape.kind(at: tapeIndex) {
    case .beginArray: return .part(.list(try want(elementsOf: tapeIndex, isField: true)))
    case .beginDictionary:
      if tape.tag(at: tapeIndex) == "$set" {
        let list = try tape.onlyPart("$set", of: tapeIndex)
        guard tape.kind(at: list) == .beginArray else {
          throw FerryError(.typed(.badTag("$set", found: "something other than an array")))
        }
        return .part(.set(try want(elementsOf: list, isField: true)))
      }
      let entries = try graph.addParts(2 * entryCount(of: tapeIndex))
      try want(entriesOf: tapeIndex, keys: entries.keys, values: entries.values, isInline: true)
      return .part(.dictionary(entries))
    default: return .part(.scalar(try scalar(tapeIndex)))
    }
  }

  /// The tags of an object that have occurred.
  private struct ObjectTags: OptionSet {
    let rawValue: UInt8

    static let type = ObjectTags(rawValue: 1)
    static let identity = ObjectTags(rawValue: 2)
    static let items = ObjectTags(rawValue: 4)
    static let entries = ObjectTags(rawValue: 8)

    /// Returns the tag that a key is, or nil if no object has this tag.
    static func tag(_ key: borrowing BorrowedText) -> ObjectTags? {
      if key.equals("$class") { return .type }
      if key.equals("$id") { return .identity }
      if key.equals("$items") { return .items }
      return key.equals("$entries") ? .entries : nil
    }

    /// The problem of a value that is not of the tag's kind.
    var badValue: TypedProblem {
      switch self {
      case .type: .badTag("$class", found: "something other than a string")
      case .identity: .badTag("$id", found: "something other than an integer")
      case .items: .badTag("$items", found: "something other than an array")
      default: .badTag("$entries", found: "something other than a dictionary")
      }
    }
  }

  private mutating func read(object tapeIndex: TapeIndex) throws(FerryError) -> Found {
    var type: String?
    var identity: Int?
    var fields: [Field] = []
    var tags: ObjectTags = []
    var key = tapeIndex + 1
    while tape.kind(at: key) == .key {
      let value = tape.next(after: key)
      let tag = ObjectTags.tag(tape.text(at: key))
      if let tag, !tags.insert(tag).inserted { throw tape.repeatedKeyError(at: key) }
      switch (tag, tape.kind(at: value)) {
      case (.type, .string):
        let name = tape.string(at: value)
        guard !name.isEmpty else {
          throw FerryError(
            .typed(.badTag("$class", found: "an empty string")), at: tape.location(at: value))
        }
        type = name
      case (.identity, .integer) where Int(exactly: tape.integer(at: value)) != nil:
        identity = Int(exactly: tape.integer(at: value))
      case (.items, .beginArray): fields.append(try items(value))
      case (.entries, .beginDictionary): fields.append(contentsOf: try entries(value))
      case (let tag?, _):
        throw FerryError(.typed(tag.badValue), at: tape.location(at: value))
      case (nil, _):
        try checkField(key)
        fields.append(Field(key: try name(userKey: key), value: .unread(value)))
      }
      key = tape.next(after: value)
    }
    guard let type else { throw FerryError(.typed(.missing("\"$class\""))) }
    if tags.contains(.items), try graph.types[self.type(type)].isDictionary {
      throw FerryError(.typed(.missing("\"$entries\" instead of \"$items\" in a dictionary")))
    }
    return try object(type, fields, identity: identity)
  }

  /// Throws for a key that an archived object has for its class, or that makes it the description of a class.
  private func checkField(_ key: TapeIndex) throws(FerryError) {
    let text = tape.text(at: key)
    guard text.equals("$$class") || text.equals("$$classname") else { return }
    throw FerryError(
      .typed(.crowded("the key \(MessageText.quoted(tape.string(at: key)))")), at: tape.location(at: key))
  }

  private mutating func object(_ type: String, _ fields: [Field], identity: Int?) throws(FerryError) -> Found
  {
    let index = graph.objects.count
    if let identity {
      guard identities.updateValue(index, forKey: identity) == nil, scalarIdentities[identity] == nil else {
        throw FerryError(.typed(.repeatedIdentity(identity)))
      }
    }
    let values = try graph.addParts(fields.count)
    for (field, part) in zip(fields, values.indices) {
      switch field.value {
      case .part(let value): graph.parts[part] = value
      case .unread(let tapeIndex): want(tapeIndex, part, isField: true)
      }
    }
    let keys = try graph.keyLists.number(of: fields.map(\.key))
    graph.objects.append(ArchiveGraph.Object(type: try self.type(type), keys: keys, values: values))
    return .part(.object(index))
  }

  private mutating func type(_ name: String) throws(FerryError) -> Int {
    if let known = types[name] { return known }
    types[name] = graph.types.count
    guard let tapeIndex = chains[name] ?? chains["$" + name] else {
      graph.types.append(ObjectClass(name: name, chain: ObjectClass.usualChain(of: name)))
      return graph.types.count - 1
    }
    graph.types.append(try type(name, listedAt: tapeIndex))
    return graph.types.count - 1
  }

  /// Returns a class with its list of superclasses. A list without a tag begins with the class.
  private func type(_ name: String, listedAt tapeIndex: TapeIndex) throws(FerryError) -> ObjectClass {
    guard tape.kind(at: tapeIndex) != .beginDictionary else {
      let parts = try tape.parts(of: tapeIndex)
      return ObjectClass(
        name: name, chain: try strings(parts["$chain"]), hints: try strings(parts["$hints"]))
    }
    let chain = try strings(tapeIndex)
    guard chain.first?.equals(name) != false else {
      throw FerryError(.typed(.badChain(of: name)), at: tape.location(at: tapeIndex))
    }
    return ObjectClass(name: name, chain: chain)
  }

  private func strings(_ tapeIndex: TapeIndex?) throws(FerryError) -> [String] {
    guard let tapeIndex else { return [] }
    guard tape.kind(at: tapeIndex) == .beginArray else {
      throw FerryError(
        .typed(.badTag("$classes", found: "something other than names")), at: tape.location(at: tapeIndex))
    }
    var strings: [String] = []
    for element in tape.elements(of: tapeIndex) {
      guard tape.kind(at: element) == .string else {
        throw FerryError(
          .typed(.badTag("$classes", found: "something other than a name")), at: tape.location(at: element))
      }
      strings.append(tape.string(at: element))
    }
    return strings
  }

  // MARK: Parts

  /// Returns the field of a list object.
  private mutating func items(_ array: TapeIndex) throws(FerryError) -> Field {
    Field(key: try name("NS.objects"), value: .part(.list(try want(elementsOf: array, isField: false))))
  }

  /// Returns the fields of a dictionary object: the lists of its keys and values.
  private mutating func entries(_ dictionary: TapeIndex) throws(FerryError) -> [Field] {
    let count = entryCount(of: dictionary)
    let (keys, values) = (try graph.addParts(count), try graph.addParts(count))
    try want(entriesOf: dictionary, keys: keys.indices, values: values.indices, isInline: false)
    return [
      Field(key: try name("NS.keys"), value: .part(.list(keys))),
      Field(key: try name("NS.objects"), value: .part(.list(values))),
    ]
  }

  /// Reads the keys of a dictionary, and schedules the reading of its values.
  ///
  /// - Parameter isInline: True for a dictionary in a field; false for an object of its own, whose keys are objects.
  private mutating func want(
    entriesOf dictionary: TapeIndex, keys: Range<Int>, values: Range<Int>, isInline: Bool
  ) throws(FerryError) {
    var key = dictionary + 1
    for (keyPart, valuePart) in zip(keys, values) {
      let value = tape.next(after: key)
      let node = try scalar(userKey: key)
      graph.parts[keyPart] = isInline ? .scalar(node) : .bare(node)
      want(value, valuePart, isField: isInline)
      key = tape.next(after: value)
    }
  }

  /// Returns the number of the entries of a dictionary.
  private func entryCount(of dictionary: TapeIndex) -> Int {
    var (key, count) = (dictionary + 1, 0)
    while tape.kind(at: key) == .key {
      key = tape.next(after: tape.next(after: key))
      count += 1
    }
    return count
  }

  private func forEachEntry(of tapeIndex: TapeIndex, _ body: (String, TapeIndex) -> Void) throws(FerryError) {
    var key = tapeIndex + 1
    while tape.kind(at: key) == .key {
      let value = tape.next(after: key)
      body(String(try TypedNotation.userKey(tape.text(at: key))), value)
      key = tape.next(after: value)
    }
  }

  // MARK: Scalars

  private func scalar(_ send: (any ValueSink) throws(FerryError) -> Void) throws(FerryError) -> NodeID {
    let node = NodeID(scalars.nodeCount)
    try send(scalars)
    return node
  }

  private func scalar(_ tapeIndex: TapeIndex) throws(FerryError) -> NodeID {
    guard tape.next(after: tapeIndex) == tapeIndex + 1 else {
      throw FerryError(.typed(.badTag("$object", found: "a collection")))
    }
    return try scalar { sink throws(FerryError) in try tape.replay(valueAt: tapeIndex, into: sink) }
  }

  private func scalar(userKey tapeIndex: TapeIndex) throws(FerryError) -> NodeID {
    let node = NodeID(scalars.nodeCount)
    try scalars.string(TypedNotation.userKey(tape.text(at: tapeIndex)))
    return node
  }

  /// Returns the node for the key of a field. Equal keys are one node, so that objects with the same keys are recognized.
  private mutating func name(userKey tapeIndex: TapeIndex) throws(FerryError) -> NodeID {
    let tape = tape
    let key = try TypedNotation.userKey(tape.text(at: tapeIndex))
    return key.hasSurrogates ? try scalar(userKey: tapeIndex) : try name(String(key))
  }

  /// Returns the node for an archived key.
  private mutating func name(_ name: String) throws(FerryError) -> NodeID {
    if let known = names[name] { return known }
    let node = NodeID(scalars.nodeCount)
    try scalars.string(BorrowedText(name.utf8.span))
    names[name] = node
    return node
  }

  // MARK: The graph

  /// Replaces the references by the objects and scalars that they refer to.
  private mutating func resolveReferences() throws(FerryError) {
    var unknown: (identity: Int, tapeIndex: TapeIndex)?
    for (part, identity, tapeIndex) in references {
      if let scalar = scalarIdentities[identity] {
        graph.parts[part] = scalar
      } else if let index = identities[identity] {
        graph.parts[part] = .object(index)
      } else if tapeIndex < unknown?.tapeIndex ?? tape.end {
        unknown = (identity, tapeIndex)
      }
    }
    guard let unknown else { return }
    throw FerryError(.typed(.unknownReference(unknown.identity)), at: tape.location(at: unknown.tapeIndex))
  }
}
