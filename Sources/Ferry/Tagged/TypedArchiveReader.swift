/// Reads an archive's graph back from the typed form: the way back of `TypedArchive`.
struct TypedArchiveReader {
  /// The graph that was written down.
  private(set) var graph: ArchiveGraph
  private let layout: ArchiveLayout

  private let tape: EventTape
  private let scalars = PropertyListTree()
  private let chains: [String: Int]
  private var identities: [Int: Int] = [:]
  private var types: [String: Int] = [:]
  private var names: [String: Int] = [:]
  private var steps: [(place: Int, target: Target, isField: Bool)] = []
  /// The parts that are being made, by their numbers.
  private var parts: [Building] = []

  /// A part whose pieces are still to be read.
  private enum Building {
    case part(ArchiveGraph.Part)
    case list([Int])
    case set([Int])
    case dictionary([(key: Int, value: Int)])
  }

  /// Where a part belongs: its number.
  private typealias Target = Int

  /// An object whose fields are numbers of parts.
  private struct Draft {
    var type: Int
    var fields: [(key: Int, value: Int)]
  }

  private var drafts: [Draft?] = []

  /// Reads the parts of a document's dictionary.
  init(_ tape: EventTape, _ parts: [String: Int], _ layout: [String: Int]) throws(Failure) {
    self.tape = tape
    let isOld = (parts["$archiver"] ?? 0) > (parts["$top"] ?? 0)
    self.layout = try ArchiveLayout(layout, isOld: isOld, of: tape)
    graph = ArchiveGraph(
      scalars: scalars, bare: BareScalars(nodes: scalars, archive: nil),
      archiver: try tape.string("$archiver", in: parts) ?? "NSKeyedArchiver")
    chains = try parts["$classes"].map(tape.parts) ?? [:]
    let known = ["$ferry", "$archiver", "$top", "$others", "$classes", "$layout"]
    if let other = parts.keys.first(where: { !known.contains($0) }) {
      throw Failure(.typed(.unknownTag(other)))
    }
    guard let top = parts["$top"], tape.kind(at: top) == .beginDictionary else {
      throw Failure(.typed(.badTag("$top", found: "something other than a dictionary")))
    }
    try scalars.beginArray(count: nil)
    var tops: [(name: String, part: Int)] = []
    try forEachEntry(of: top) { name, place in
      tops.append((name, self.parts.count))
      self.want(place, isField: true)
    }
    var others: [Int] = []
    if let place = parts["$others"] {
      guard tape.kind(at: place) == .beginArray else {
        throw Failure(.typed(.badTag("$others", found: "something other than an array")))
      }
      for element in tape.elements(of: place) { others.append(want(element, isField: false)) }
    }
    try run()
    try scalars.endArray()
    try finish(tops, others)
  }

  /// Sends the archive's property list.
  func send(to sink: any ValueSink) throws(Failure) {
    var writer = try ArchiveGraphWriter(graph, layout)
    try writer.send(to: sink)
  }

  // MARK: Reading

  /// Puts a value on the list of what is to be read; the number of its part.
  @discardableResult
  private mutating func want(_ place: Int, isField: Bool) -> Int {
    parts.append(.part(.nothing))
    steps.append((place, parts.count - 1, isField))
    return parts.count - 1
  }

  private mutating func run() throws(Failure) {
    while let step = steps.popLast() {
      parts[step.target] = try read(step.place, isField: step.isField)
    }
  }

  private mutating func read(_ place: Int, isField: Bool) throws(Failure) -> Building {
    switch tape.kind(at: place) {
    case .null: return .part(.nothing)
    case .string, .data: return .part(.bare(try scalar(place)))
    case .boolean, .integer, .real, .single:
      return .part(isField ? .scalar(try scalar(place)) : .bare(try scalar(place)))
    case .date:
      let time = try scalar { sink throws(Failure) in try sink.real(tape.real(at: place)) }
      let part = add(.part(.scalar(time)))
      return try object("NSDate", [(try name("NS.time"), part)], identity: nil)
    case .beginArray:
      return try object("NSArray", [(try name("NS.objects"), list(place, isField: false))], identity: nil)
    case .beginDictionary:
      guard let tag = tape.tag(at: place) else {
        return try object("NSDictionary", try entries(place), identity: nil)
      }
      return try read(tagged: tag, place)
    default: throw Failure(.typed(.badTag("an archive", found: "a value that no archive has here")))
    }
  }

  private mutating func read(tagged tag: String, _ place: Int) throws(Failure) -> Building {
    switch tag {
    case "$ref":
      guard let identity = try tape.integer(tag, in: tape.parts(of: place)) else {
        throw Failure(.typed(.missing("number behind \"$ref\"")))
      }
      return .part(.object(object(identity)))
    case "$object":
      guard let value = try tape.parts(of: place)[tag] else { return .part(.nothing) }
      return .part(.bare(try scalar(value)))
    case "$inline":
      guard let value = try tape.parts(of: place)[tag] else { return .part(.nothing) }
      return try read(inline: value)
    case "$class", "$id": return try read(object: place)
    default: throw Failure(.typed(.unknownTag(tag)))
    }
  }

  private mutating func read(inline place: Int) throws(Failure) -> Building {
    switch tape.kind(at: place) {
    case .beginArray: return .list(tape.elements(of: place).map { want($0, isField: true) })
    case .beginDictionary:
      if tape.tag(at: place) == "$set", let list = try tape.parts(of: place)["$set"] {
        return .set(tape.elements(of: list).map { want($0, isField: true) })
      }
      var entries: [(key: Int, value: Int)] = []
      var key = place + 1
      while tape.kind(at: key) == .key {
        let value = tape.next(after: key)
        entries.append((try scalar(userKey: key), want(value, isField: true)))
        key = tape.next(after: value)
      }
      return .dictionary(entries)
    default: return .part(.scalar(try scalar(place)))
    }
  }

  private mutating func read(object place: Int) throws(Failure) -> Building {
    var type: String?
    var identity: Int?
    var fields: [(key: Int, value: Int)] = []
    var key = place + 1
    while tape.kind(at: key) == .key {
      let value = tape.next(after: key)
      let tag = TypedNotation.isTag(tape.text(at: key))
      switch tag ? tape.string(at: key) : "" {
      case "":
        fields.append((try scalar(userKey: key), want(value, isField: true)))
      case "$class" where tape.kind(at: value) == .string: type = tape.string(at: value)
      case "$id" where tape.kind(at: value) == .integer: identity = Int(exactly: tape.integer(at: value))
      case "$items" where tape.kind(at: value) == .beginArray:
        fields.append((try name("NS.objects"), list(value, isField: false)))
      case "$entries" where tape.kind(at: value) == .beginDictionary:
        fields.append(contentsOf: try entries(value))
      case let other: throw Failure(.typed(.unknownTag(other)))
      }
      key = tape.next(after: value)
    }
    guard let type else { throw Failure(.typed(.missing("\"$class\""))) }
    return try object(type, fields, identity: identity)
  }

  private mutating func object(_ type: String, _ fields: [(key: Int, value: Int)], identity: Int?)
    throws(Failure) -> Building
  {
    let index: Int
    if let identity {
      index = object(identity)
      guard drafts[index] == nil else { throw Failure(.typed(.crowded("a second \"$id\": \(identity)"))) }
    } else {
      index = drafts.count
      drafts.append(nil)
    }
    drafts[index] = Draft(type: try self.type(type), fields: fields)
    return .part(.object(index))
  }

  /// The object that has an identity, or will have it.
  private mutating func object(_ identity: Int) -> Int {
    if let known = identities[identity] { return known }
    identities[identity] = drafts.count
    drafts.append(nil)
    return drafts.count - 1
  }

  private mutating func type(_ name: String) throws(Failure) -> Int {
    if let known = types[name] { return known }
    types[name] = graph.types.count
    guard let place = chains[name] ?? chains["$" + name] else {
      graph.types.append(ObjectClass(name: name, chain: ObjectClass.usualChain(of: name)))
      return graph.types.count - 1
    }
    var (chain, hints): (Int?, Int?) = (place, nil)
    if tape.kind(at: place) == .beginDictionary {
      let parts = try tape.parts(of: place)
      (chain, hints) = (parts["$chain"], parts["$hints"])
    }
    graph.types.append(
      ObjectClass(name: name, chain: try strings(chain), hints: try strings(hints)))
    return graph.types.count - 1
  }

  private func strings(_ place: Int?) throws(Failure) -> [String] {
    guard let place else { return [] }
    guard tape.kind(at: place) == .beginArray else {
      throw Failure(.typed(.badTag("$classes", found: "something other than names")))
    }
    var strings: [String] = []
    for element in tape.elements(of: place) {
      guard tape.kind(at: element) == .string else {
        throw Failure(.typed(.badTag("$classes", found: "something other than a name")))
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

  private mutating func list(_ place: Int, isField: Bool) -> Int {
    let elements = tape.elements(of: place).map { want($0, isField: isField) }
    return add(.list(elements))
  }

  /// The fields of a dictionary: its keys, and what they stand for.
  private mutating func entries(_ place: Int) throws(Failure) -> [(key: Int, value: Int)] {
    var keys: [Int] = []
    var values: [Int] = []
    var key = place + 1
    while tape.kind(at: key) == .key {
      let value = tape.next(after: key)
      keys.append(add(.part(.bare(try scalar(userKey: key)))))
      values.append(want(value, isField: false))
      key = tape.next(after: value)
    }
    return [(try name("NS.keys"), add(.list(keys))), (try name("NS.objects"), add(.list(values)))]
  }

  private func forEachEntry(of place: Int, _ body: (String, Int) -> Void) throws(Failure) {
    var key = place + 1
    while tape.kind(at: key) == .key {
      let value = tape.next(after: key)
      body(String(try TypedNotation.userKey(tape.text(at: key))), value)
      key = tape.next(after: value)
    }
  }

  // MARK: Scalars

  private func scalar(_ send: (any ValueSink) throws(Failure) -> Void) throws(Failure) -> Int {
    let node = scalars.nodeCount
    try send(scalars)
    return node
  }

  private func scalar(_ place: Int) throws(Failure) -> Int {
    guard tape.next(after: place) == place + 1 else {
      throw Failure(.typed(.badTag("$object", found: "a collection")))
    }
    return try scalar { sink throws(Failure) in try tape.replay(valueAt: place, into: sink) }
  }

  private func scalar(userKey place: Int) throws(Failure) -> Int {
    let node = scalars.nodeCount
    try scalars.string(TypedNotation.userKey(tape.text(at: place)))
    return node
  }

  /// A key that a class has.
  private mutating func name(_ name: String) throws(Failure) -> Int {
    if let known = names[name] { return known }
    let node = scalars.nodeCount
    try scalars.string(Text(name.utf8.span))
    names[name] = node
    return node
  }

  // MARK: The graph

  private mutating func finish(_ tops: [(name: String, part: Int)], _ others: [Int]) throws(Failure) {
    for (name, number) in tops { graph.top.append((name, part(number))) }
    graph.others = others.map(part)
    for (index, draft) in drafts.enumerated() {
      guard let draft else {
        let identity = identities.first { $0.value == index }?.key ?? 0
        throw Failure(.typed(.unknownReference(identity)))
      }
      graph.objects.append(
        ArchiveGraph.Object(type: draft.type, fields: draft.fields.map { ($0.key, part($0.value)) }))
    }
  }

  /// Collections in place are as deep as the text is, which its reader has bounded.
  private func part(_ number: Int) -> ArchiveGraph.Part {
    switch parts[number] {
    case .part(let part): part
    case .list(let elements): .list(elements.map(part))
    case .set(let elements): .set(elements.map(part))
    case .dictionary(let entries): .dictionary(entries.map { ($0.key, part($0.value)) })
    }
  }
}
