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
  private var steps: [(tapeIndex: TapeIndex, target: Target, isField: Bool)] = []
  /// The parts under construction, by part number.
  private var parts: [Building] = []

  /// A part whose contents may still have to be read.
  private enum Building {
    case part(ArchiveGraph.Part)
    /// A reference to an object or scalar that may occur later in the text: its identity, and the tape index
    /// of the reference.
    case reference(Int, tapeIndex: TapeIndex)
    case list([Int])
    case set([Int])
    case dictionary(keys: [Int], values: [Int])
  }

  /// The number of a part to construct.
  private typealias Target = Int

  /// An object whose fields are given as part numbers.
  private struct Draft {
    var type: Int
    var fields: [(key: NodeID, value: Int)]
  }

  private var drafts: [Draft?] = []

  /// Reads the graph from the entries of a document's dictionary.
  init(
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
    var tops: [(name: String, part: Int)] = []
    try forEachEntry(of: top) { name, tapeIndex in
      tops.append((name, self.parts.count))
      self.want(tapeIndex, isField: true)
    }
    var others: [Int] = []
    if let tapeIndex = parts["$others"] {
      guard tape.kind(at: tapeIndex) == .beginArray else {
        throw FerryError(.typed(.badTag("$others", found: "something other than an array")))
      }
      for element in tape.elements(of: tapeIndex) { others.append(want(element, isField: false)) }
    }
    try run()
    try scalars.endArray()
    try finish(tops, others)
  }

  /// Sends the property list of the archive.
  func send(to sink: any ValueSink) throws(FerryError) {
    var writer = try ArchiveGraphWriter(graph, layout)
    try writer.send(to: sink)
  }

  // MARK: Reading

  /// Schedules the reading of a value, and returns its part number.
  @discardableResult
  private mutating func want(_ tapeIndex: TapeIndex, isField: Bool) -> Int {
    parts.append(.part(.nothing))
    steps.append((tapeIndex, parts.count - 1, isField))
    return parts.count - 1
  }

  private mutating func run() throws(FerryError) {
    while let step = steps.popLast() {
      do throws(FerryError) {
        parts[step.target] = try read(step.tapeIndex, isField: step.isField)
      } catch {
        throw error.placed(at: tape.location(at: step.tapeIndex))
      }
    }
  }

  private mutating func read(_ tapeIndex: TapeIndex, isField: Bool) throws(FerryError) -> Building {
    switch tape.kind(at: tapeIndex) {
    case .null: return .part(.nothing)
    case .string, .data: return .part(.bare(try scalar(tapeIndex)))
    case .boolean, .integer, .real, .single:
      return .part(isField ? .scalar(try scalar(tapeIndex)) : .bare(try scalar(tapeIndex)))
    case .date:
      let time = try scalar { sink throws(FerryError) in try sink.real(tape.real(at: tapeIndex)) }
      let part = add(.part(.scalar(time)))
      return try object("NSDate", [(try name("NS.time"), part)], identity: nil)
    case .beginArray:
      return try object("NSArray", [(try name("NS.objects"), list(tapeIndex, isField: false))], identity: nil)
    case .beginDictionary:
      guard let tag = tape.tag(at: tapeIndex) else {
        return try object("NSDictionary", try entries(tapeIndex), identity: nil)
      }
      return try read(tagged: tag, tapeIndex)
    default: throw FerryError(.typed(.badTag("an archive", found: tape.words(at: tapeIndex))))
    }
  }

  private mutating func read(tagged tag: String, _ tapeIndex: TapeIndex) throws(FerryError) -> Building {
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

  private func reference(_ tapeIndex: TapeIndex) throws(FerryError) -> Building {
    _ = try tape.onlyPart("$ref", of: tapeIndex)
    guard let identity = try tape.integer("$ref", in: tape.parts(of: tapeIndex)) else {
      throw FerryError(.typed(.missing("a number for \"$ref\"")))
    }
    return .reference(identity, tapeIndex: tapeIndex)
  }

  /// Reads a scalar that is written once (`{"$id": 7, "$value": …}`), or a reference to such a scalar.
  /// Returns nil for other values.
  private mutating func identified(_ tapeIndex: TapeIndex, isObject: Bool) throws(FerryError) -> Building? {
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

  private mutating func read(inline tapeIndex: TapeIndex) throws(FerryError) -> Building {
    if let known = try identified(tapeIndex, isObject: false) { return known }
    switch tape.kind(at: tapeIndex) {
    case .beginArray: return .list(tape.elements(of: tapeIndex).map { want($0, isField: true) })
    case .beginDictionary:
      if tape.tag(at: tapeIndex) == "$set" {
        let list = try tape.onlyPart("$set", of: tapeIndex)
        guard tape.kind(at: list) == .beginArray else {
          throw FerryError(.typed(.badTag("$set", found: "something other than an array")))
        }
        return .set(tape.elements(of: list).map { want($0, isField: true) })
      }
      var (keys, values): ([Int], [Int]) = ([], [])
      var key = tapeIndex + 1
      while tape.kind(at: key) == .key {
        let value = tape.next(after: key)
        keys.append(add(.part(.scalar(try scalar(userKey: key)))))
        values.append(want(value, isField: true))
        key = tape.next(after: value)
      }
      return .dictionary(keys: keys, values: values)
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

  private mutating func read(object tapeIndex: TapeIndex) throws(FerryError) -> Building {
    var type: String?
    var identity: Int?
    var fields: [(key: NodeID, value: Int)] = []
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
      case (.items, .beginArray): fields.append((try name("NS.objects"), list(value, isField: false)))
      case (.entries, .beginDictionary): fields.append(contentsOf: try entries(value))
      case (let tag?, _):
        throw FerryError(.typed(tag.badValue), at: tape.location(at: value))
      case (nil, _):
        try checkField(key)
        fields.append((try name(userKey: key), want(value, isField: true)))
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

  private mutating func object(_ type: String, _ fields: [(key: NodeID, value: Int)], identity: Int?)
    throws(FerryError) -> Building
  {
    let index: Int
    if let identity {
      index = object(identity)
      guard drafts[index] == nil, scalarIdentities[identity] == nil else {
        throw FerryError(.typed(.repeatedIdentity(identity)))
      }
    } else {
      index = drafts.count
      drafts.append(nil)
    }
    drafts[index] = Draft(type: try self.type(type), fields: fields)
    return .part(.object(index))
  }

  /// Returns the index of the object with an identity. The object may be read later.
  private mutating func object(_ identity: Int) -> Int {
    if let known = identities[identity] { return known }
    identities[identity] = drafts.count
    drafts.append(nil)
    return drafts.count - 1
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

  private mutating func add(_ part: Building) -> Int {
    parts.append(part)
    return parts.count - 1
  }

  private mutating func list(_ tapeIndex: TapeIndex, isField: Bool) -> Int {
    let elements = tape.elements(of: tapeIndex).map { want($0, isField: isField) }
    return add(.list(elements))
  }

  /// Reads the entries of a dictionary. Returns the nodes of the keys and the part numbers of the values.
  private mutating func entries(_ tapeIndex: TapeIndex) throws(FerryError) -> [(key: NodeID, value: Int)] {
    var keys: [Int] = []
    var values: [Int] = []
    var key = tapeIndex + 1
    while tape.kind(at: key) == .key {
      let value = tape.next(after: key)
      keys.append(add(.part(.bare(try scalar(userKey: key)))))
      values.append(want(value, isField: false))
      key = tape.next(after: value)
    }
    return [(try name("NS.keys"), add(.list(keys))), (try name("NS.objects"), add(.list(values)))]
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

  private mutating func finish(_ tops: [(name: String, part: Int)], _ others: [Int]) throws(FerryError) {
    for (name, number) in tops { graph.top.append((name, try finishPart(number))) }
    for number in others { graph.others.append(try finishPart(number)) }
    for (index, draft) in drafts.enumerated() {
      guard let draft else {
        let identity = identities.first { $0.value == index }?.key ?? 0
        throw FerryError(.typed(.unknownReference(identity)))
      }
      let values = try finishParts(draft.fields.map(\.value))
      let keys = try graph.keyLists.number(of: draft.fields.map(\.key))
      graph.objects.append(ArchiveGraph.Object(type: draft.type, keys: keys, values: values))
    }
  }

  /// Returns the finished part with a number. The recursion is bounded by the depth of the text, which its
  /// reader limits.
  private mutating func finishPart(_ number: Int) throws(FerryError) -> ArchiveGraph.Part {
    switch parts[number] {
    case .part(let part): return part
    case .reference(let identity, let tapeIndex):
      if let scalar = scalarIdentities[identity] { return scalar }
      guard let index = identities[identity] else {
        throw FerryError(.typed(.unknownReference(identity)), at: tape.location(at: tapeIndex))
      }
      return .object(index)
    case .list(let elements): return .list(try finishParts(elements))
    case .set(let elements): return .set(try finishParts(elements))
    case .dictionary(let keys, let values): return .dictionary(try finishParts(keys + values))
    }
  }

  /// Adds the finished parts with some numbers to the graph.
  private mutating func finishParts(_ numbers: [Int]) throws(FerryError) -> ArchiveGraph.Parts {
    let finished = try graph.addParts(numbers.count)
    for (index, number) in zip(finished.indices, numbers) { graph.parts[index] = try finishPart(number) }
    return finished
  }
}
