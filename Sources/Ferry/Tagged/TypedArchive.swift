/// Writes an archive's graph down in the typed form.
///
///     {"$ferry": 1, "$archiver": "NSKeyedArchiver",
///      "$top": {"root": [{"$class": "Person", "last": "Neuburg", "first": "Matt"}]}}
///
///     NSArray, NSDictionary, NSDate     […], {"key": …}, a date
///     other collections of one list     {"$class": "NSMutableArray", "$items": […]}
///     other dictionaries                {"$class": "NSMutableDictionary", "$entries": {"key": …}}
///     objects                           {"$class": "Person", "last": "Neuburg", …}, their keys as archived
///     an object that is met again       {"$class": "Person", "$id": 4, …}, then {"$ref": 4}
///     no object                         null
///
/// A string or data is an object of its own, a number or boolean stands in place at an object's key and is an object in a
/// collection; where it is otherwise, {"$inline": "text"} and {"$object": 5} say so. Classes whose superclasses are not
/// just NSObject, or those that Foundation's have, are listed in `$classes`; what no root leads to, in `$others`.
struct TypedArchive {
  private let graph: ArchiveGraph
  private let sink: any ValueSink
  private var mentions: [Int]
  private var isSent: [Bool]
  private var steps: [Step] = []
  private var objectDepth = 0
  /// Objects that are too deep to be written where they are met.
  private var deep: [Int] = []
  /// How deep objects may be inside each other, so that no reader finds the text too deep.
  private static let depthLimit = 64

  private enum Step {
    case value(ArchiveGraph.Part, isField: Bool)
    case fields([(key: Int, value: ArchiveGraph.Part)], from: Int)
    case entries([(key: Int, value: ArchiveGraph.Part)], from: Int)
    case inlineEntries([(key: Int, value: ArchiveGraph.Part)], from: Int)
    case endArray, endDictionary, endObject
  }

  /// The graph is sent to a sink that takes tags as keys.
  init(_ graph: ArchiveGraph, to sink: any ValueSink) {
    self.graph = graph
    self.sink = sink
    mentions = [Int](repeating: 0, count: graph.objects.count)
    isSent = [Bool](repeating: false, count: graph.objects.count)
    var counts = mentions
    func count(_ part: ArchiveGraph.Part) {
      part.forEachReference { if case .object(let index) = $0 { counts[index] += 1 } }
    }
    for top in graph.top { count(top.value) }
    for object in graph.objects { for field in object?.fields ?? [] { count(field.value) } }
    for part in graph.others { count(part) }
    mentions = counts
  }

  /// Sends the entries of the document's dictionary behind `$ferry`, but for the layout; `isOld` when the outermost keys
  /// are in the old order.
  mutating func send(isOld: Bool) throws(Failure) {
    if !isOld { try sendArchiver() }
    try tag("$top")
    try sink.beginDictionary(count: graph.top.count)
    for (name, part) in graph.top {
      let bytes = Array(name.utf8)
      try TypedNotation.withKey(Text(bytes.span)) { key throws(Failure) in try sink.key(key) }
      try run(part, isField: true)
    }
    try sink.endDictionary()
    if isOld { try sendArchiver() }
    try sendOthers()
    try sendTypes()
  }

  private func sendArchiver() throws(Failure) {
    try tag("$archiver")
    try sink.string(Text(graph.archiver.utf8.span))
  }

  private mutating func sendOthers() throws(Failure) {
    let others = graph.others.filter { part in
      if case .object(let index) = part { return !isSent[index] }
      return true
    }
    guard !others.isEmpty || !deep.isEmpty else { return }
    try tag("$others")
    try sink.beginArray(count: nil)
    for part in others { try run(part, isField: false) }
    while !deep.isEmpty {
      let index = deep.removeFirst()
      if !isSent[index] { try run(.object(index), isField: false) }
    }
    try sink.endArray()
  }

  private func sendTypes() throws(Failure) {
    let types = graph.types.filter { !$0.hasUsualChain }
    guard !types.isEmpty else { return }
    try tag("$classes")
    try sink.beginDictionary(count: types.count)
    for type in types {
      let name = Array(type.name.utf8)
      try TypedNotation.withKey(Text(name.span)) { key throws(Failure) in try sink.key(key) }
      guard !type.hints.isEmpty else {
        try send(type.chain)
        continue
      }
      try sink.beginDictionary(count: 2)
      try tag("$chain")
      try send(type.chain)
      try tag("$hints")
      try send(type.hints)
      try sink.endDictionary()
    }
    try sink.endDictionary()
  }

  private func send(_ names: [String]) throws(Failure) {
    try sink.beginArray(count: names.count)
    for name in names { try sink.string(Text(name.utf8.span)) }
    try sink.endArray()
  }

  private func tag(_ tag: StaticString) throws(Failure) { try sink.key(Text(tag.description.utf8.span)) }

  // MARK: Values

  private mutating func run(_ part: ArchiveGraph.Part, isField: Bool) throws(Failure) {
    steps.append(.value(part, isField: isField))
    while let step = steps.popLast() { try take(step) }
  }

  private mutating func take(_ step: Step) throws(Failure) {
    switch step {
    case .endArray: try sink.endArray()
    case .endDictionary: try sink.endDictionary()
    case .endObject: objectDepth -= 1
    case .value(let part, let isField): try send(part, isField: isField)
    case .fields(let fields, let index):
      guard index < fields.count else { return }
      steps.append(.fields(fields, from: index + 1))
      try key(fields[index].key, of: graph.scalars)
      try send(fields[index].value, isField: true)
    case .inlineEntries(let entries, let index):
      guard index < entries.count else { return }
      steps.append(.inlineEntries(entries, from: index + 1))
      try key(entries[index].key, of: graph.scalars)
      try send(entries[index].value, isField: true)
    case .entries(let entries, let index):
      guard index < entries.count else { return }
      steps.append(.entries(entries, from: index + 1))
      try key(entries[index].key, of: graph.bare)
      try send(entries[index].value, isField: false)
    }
  }

  private func key(_ node: Int, of nodes: any PropertyListNodes) throws(Failure) {
    try nodes.withText(of: node) { text throws(Failure) in
      try TypedNotation.withKey(text) { key throws(Failure) in try sink.key(key) }
    }
  }

  private mutating func send(_ part: ArchiveGraph.Part, isField: Bool) throws(Failure) {
    switch part {
    case .nothing: try sink.null()
    case .object(let index): try send(object: index)
    case .bare(let number):
      let node = try graph.bare.node(number)
      let isPlain = try graph.bare.nodes.kind(of: node).isPlainObject(inField: isField)
      try sendScalar(node, of: graph.bare.nodes, tag: isPlain ? nil : "$object")
    case .scalar(let node):
      let kind = try graph.scalars.kind(of: node)
      let isPlain = isField && kind.isPlainInPlace
      try sendScalar(node, of: graph.scalars, tag: isPlain ? nil : "$inline")
    case .list(let parts):
      try begin("$inline")
      try beginList(parts, isField: true)
    case .set(let parts):
      try begin("$inline")
      try begin("$set")
      steps.append(.endDictionary)
      try beginList(parts, isField: true)
    case .dictionary(let entries):
      try begin("$inline")
      try sink.beginDictionary(count: entries.count)
      steps.append(.endDictionary)
      steps.append(.endDictionary)
      steps.append(.inlineEntries(entries, from: 0))
    }
  }

  private func begin(_ name: StaticString) throws(Failure) {
    try sink.beginDictionary(count: 1)
    try tag(name)
  }

  /// Begins a list inside a dictionary, whose ends are put on the list of steps.
  private mutating func beginList(_ parts: [ArchiveGraph.Part], isField: Bool) throws(Failure) {
    steps.append(.endDictionary)
    try beginElements(parts, isField: isField)
  }

  private mutating func beginElements(_ parts: [ArchiveGraph.Part], isField: Bool) throws(Failure) {
    try sink.beginArray(count: parts.count)
    steps.append(.endArray)
    for part in parts.reversed() { steps.append(.value(part, isField: isField)) }
  }

  private func sendScalar(_ node: Int, of nodes: any PropertyListNodes, tag: StaticString?) throws(Failure) {
    if let tag { try begin(tag) }
    try nodes.send(scalar: node, to: sink)
    if tag != nil { try sink.endDictionary() }
  }

  // MARK: Objects

  private mutating func send(object index: Int) throws(Failure) {
    guard let object = graph.objects[index] else { throw Failure(.typed(.notExact)) }
    guard !isSent[index], objectDepth < Self.depthLimit else {
      if !isSent[index] {
        // Mentioned here, and written at the end.
        mentions[index] = max(mentions[index], 2)
        deep.append(index)
      }
      try begin("$ref")
      try sink.integer(Int128(index))
      return try sink.endDictionary()
    }
    isSent[index] = true
    let type = graph.types[object.type]
    let isShared = mentions[index] > 1
    objectDepth += 1
    steps.append(.endObject)
    switch try graph.shape(of: object) {
    case .date(let seconds) where !isShared: try sink.date(seconds)
    case .list(let parts) where !isShared && type.name == "NSArray": try beginElements(parts, isField: false)
    case .entries(let entries) where !isShared && type.name == "NSDictionary":
      try sink.beginDictionary(count: entries.count)
      steps.append(.endDictionary)
      steps.append(.entries(entries, from: 0))
    case .list(let parts):
      try beginObject(type, index, isShared)
      try tag("$items")
      try beginList(parts, isField: false)
    case .entries(let entries):
      try beginObject(type, index, isShared)
      try tag("$entries")
      try sink.beginDictionary(count: entries.count)
      steps.append(.endDictionary)
      steps.append(.endDictionary)
      steps.append(.entries(entries, from: 0))
    case .date, .fields:
      try beginObject(type, index, isShared)
      steps.append(.endDictionary)
      steps.append(.fields(object.fields, from: 0))
    }
  }

  private func beginObject(_ type: ObjectClass, _ index: Int, _ isShared: Bool) throws(Failure) {
    try begin("$class")
    try sink.string(Text(type.name.utf8.span))
    guard isShared else { return }
    try tag("$id")
    try sink.integer(Int128(index))
  }
}

extension NodeKind {
  /// Whether a bare scalar needs no tag: strings and data never, numbers in a collection.
  fileprivate func isPlainObject(inField isField: Bool) -> Bool {
    switch self {
    case .string, .data: true
    case .integer, .real, .single, .boolean: !isField
    default: false
    }
  }

  /// Whether a scalar in place needs no tag at an object's key.
  var isPlainInPlace: Bool {
    switch self {
    case .integer, .real, .single, .boolean: true
    default: false
    }
  }
}

extension ObjectClass {
  /// Whether the superclasses are those that a reader assumes.
  var hasUsualChain: Bool { hints.isEmpty && chain == Self.usualChain(of: name) }

  /// The superclasses of a class that says nothing of them: those of Foundation's mutable classes, NSObject of all else.
  static func usualChain(of name: String) -> [String] {
    switch name {
    case "NSMutableArray", "NSMutableDictionary", "NSMutableSet", "NSMutableString", "NSMutableData",
      "NSMutableOrderedSet", "NSMutableAttributedString", "NSMutableIndexSet":
      [name, "NS" + name.dropFirst("NSMutable".count), "NSObject"]
    case "NSObject": [name]
    default: [name, "NSObject"]
    }
  }
}
