/// A writer of an archive's graph in the typed form.
///
///     {"$ferry": 1, "$archiver": "NSKeyedArchiver",
///      "$top": {"root": [{"$class": "Person", "last": "Neuburg", "first": "Matt"}]}}
///
///     NSArray, NSDictionary, NSDate     […], {"key": …}, a date
///     other collections with a list     {"$class": "NSMutableArray", "$items": […]}
///     other dictionaries                {"$class": "NSMutableDictionary", "$entries": {"key": …}}
///     other objects                     {"$class": "Person", "last": "Neuburg", …}, with archived keys
///     an object with several references {"$class": "Person", "$id": 4, …}, and later {"$ref": 4}
///     a repeated long string or data    {"$id": 5, "$value": "…"}, and later {"$ref": 5}
///     nil                               null
///
/// By default, a string or data is a separate object. A number or a boolean is inline as the value of a key,
/// and a separate object in a collection. `{"$inline": "text"}` and `{"$object": 5}` mark exceptions.
/// `$classes` lists classes whose superclasses differ from the default, which is NSObject, or the real
/// superclasses of Foundation's mutable classes. `$others` contains objects that no root can reach.
struct TypedArchiveWriter {
  private let graph: ArchiveGraph
  private let sink: any ValueSink
  /// The number of occurrences of each object and scalar, by identity.
  private let occurrences: [UInt32]
  private var isSent: [Bool]
  /// The identities of the scalars that have already been written.
  private var sentScalars: Set<Int> = []
  private var frames: [Frame] = []
  private var objectDepth = 0
  /// The objects that are nested too deeply to be written at their first reference.
  private var deep: [Int] = []
  private var isDeep: Set<Int> = []
  /// The maximum nesting depth of objects, so that readers with a depth limit accept the text.
  private static let depthLimit = 64

  /// An open list or dictionary, with the parts to send.
  private struct Frame {
    enum Content {
      case list([ArchiveGraph.Part])
      /// The fields of an object, or the entries of an inline dictionary.
      case fields([(key: NodeID, value: ArchiveGraph.Part)])
      /// The entries of a dictionary, whose keys are objects.
      case entries([(key: NodeID, value: ArchiveGraph.Part)])
    }

    let content: Content
    /// True if the parts are values of an object's keys.
    let areFields: Bool
    /// The number of dictionaries that end with the content.
    let dictionaries: Int
    /// True if an object ends with the content.
    var isObject = false
    var next = 0
  }

  /// Creates a writer. The sink must accept tags as keys.
  init(_ graph: ArchiveGraph, to sink: any ValueSink) throws(FerryError) {
    self.graph = graph
    self.sink = sink
    isSent = [Bool](repeating: false, count: graph.objects.count)
    occurrences = try graph.occurrences()
  }

  /// Sends the entries of the document's dictionary after `$ferry`, except the layout.
  ///
  /// - Parameter isOld: True if the outermost keys are in the old order.
  mutating func send(isOld: Bool) throws(FerryError) {
    if !isOld { try sendArchiver() }
    try tag("$top")
    try sink.beginDictionary(count: graph.top.count)
    for (name, part) in graph.top {
      let bytes = Array(name.utf8)
      try TypedNotation.withKey(BorrowedText(bytes.span)) { key throws(FerryError) in try sink.key(key) }
      try run(part, isField: true)
    }
    try sink.endDictionary()
    if isOld { try sendArchiver() }
    try sendOthers()
    try sendTypes()
  }

  private func sendArchiver() throws(FerryError) {
    try tag("$archiver")
    try sink.string(BorrowedText(graph.archiver.utf8.span))
  }

  private mutating func sendOthers() throws(FerryError) {
    let others = graph.others.filter { part in
      if case .object(let index) = part { return !isSent[index] }
      return true
    }
    guard !others.isEmpty || !deep.isEmpty else { return }
    try tag("$others")
    try sink.beginArray(count: nil)
    for part in others { try run(part, isField: false) }
    // The list grows while objects in it are sent.
    var next = 0
    while next < deep.count {
      if !isSent[deep[next]] { try run(.object(deep[next]), isField: false) }
      next += 1
    }
    try sink.endArray()
  }

  private func sendTypes() throws(FerryError) {
    let types = graph.types.filter { !$0.hasUsualChain }
    guard !types.isEmpty else { return }
    try tag("$classes")
    try sink.beginDictionary(count: types.count)
    for type in types {
      let name = Array(type.name.utf8)
      try TypedNotation.withKey(BorrowedText(name.span)) { key throws(FerryError) in try sink.key(key) }
      try send(type)
    }
    try sink.endDictionary()
  }

  /// Sends the list of a class and its superclasses, with a tag if the list does not begin with the class, as
  /// in odd archives.
  private func send(_ type: ObjectClass) throws(FerryError) {
    guard !type.hints.isEmpty || type.chain.first?.equals(type.name) == false else {
      return try send(type.chain)
    }
    try sink.beginDictionary(count: type.hints.isEmpty ? 1 : 2)
    try tag("$chain")
    try send(type.chain)
    if !type.hints.isEmpty {
      try tag("$hints")
      try send(type.hints)
    }
    try sink.endDictionary()
  }

  private func send(_ names: [String]) throws(FerryError) {
    try sink.beginArray(count: names.count)
    for name in names { try sink.string(BorrowedText(name.utf8.span)) }
    try sink.endArray()
  }

  private func tag(_ tag: StaticString) throws(FerryError) {
    try sink.key(BorrowedText(tag.description.utf8.span))
  }

  // MARK: Values

  private mutating func run(_ part: ArchiveGraph.Part, isField: Bool) throws(FerryError) {
    try send(part, isField: isField)
    while let top = frames.indices.last { try sendNext(of: top) }
  }

  /// Sends the next part of an open list or dictionary, or its end.
  private mutating func sendNext(of top: Int) throws(FerryError) {
    let next = frames[top].next
    frames[top].next += 1
    switch frames[top].content {
    case .list(let parts):
      guard next < parts.count else {
        try sink.endArray()
        return try endFrame()
      }
      try send(parts[next], isField: frames[top].areFields)
    case .fields(let fields):
      guard next < fields.count else { return try endFrame() }
      try key(fields[next].key, of: graph.scalars)
      try send(fields[next].value, isField: true)
    case .entries(let entries):
      guard next < entries.count else { return try endFrame() }
      try key(entries[next].key, of: graph.bare)
      try send(entries[next].value, isField: false)
    }
  }

  private mutating func endFrame() throws(FerryError) {
    guard let frame = frames.popLast() else { return }
    for _ in 0..<frame.dictionaries { try sink.endDictionary() }
    if frame.isObject { objectDepth -= 1 }
  }

  private func key(_ node: NodeID, of nodes: any PropertyListNodes) throws(FerryError) {
    try nodes.withText(of: node) { text throws(FerryError) in
      try TypedNotation.withKey(text) { key throws(FerryError) in try sink.key(key) }
    }
  }

  private mutating func send(_ part: ArchiveGraph.Part, isField: Bool) throws(FerryError) {
    switch part {
    case .nothing: try sink.null()
    case .object(let index): try send(object: index)
    case .bare(let number):
      let node = try graph.bare.node(number)
      let isPlain = try graph.bare.nodes.kind(of: node).isPlainObject(inField: isField)
      try sendScalar(node, of: graph.bare.nodes, tag: isPlain ? nil : "$object", identity: number.index)
    case .scalar(let node):
      let kind = try graph.scalars.kind(of: node)
      let isPlain = isField && kind.isPlainInline
      let identity = graph.identity(ofScalar: node)
      try sendScalar(node, of: graph.scalars, tag: isPlain ? nil : "$inline", identity: identity)
    case .list(let parts):
      try begin("$inline")
      try beginList(parts, areFields: true, dictionaries: 1)
    case .set(let parts):
      try begin("$inline")
      try begin("$set")
      try beginList(parts, areFields: true, dictionaries: 2)
    case .dictionary(let entries):
      try begin("$inline")
      try sink.beginDictionary(count: entries.count)
      frames.append(Frame(content: .fields(entries), areFields: true, dictionaries: 2))
    }
  }

  private func begin(_ name: StaticString) throws(FerryError) {
    try sink.beginDictionary(count: 1)
    try tag(name)
  }

  /// Begins a list in a number of dictionaries that end with it.
  private mutating func beginList(
    _ parts: [ArchiveGraph.Part], areFields: Bool, dictionaries: Int, isObject: Bool = false
  ) throws(FerryError) {
    try sink.beginArray(count: parts.count)
    frames.append(
      Frame(
        content: .list(parts), areFields: areFields, dictionaries: dictionaries, isObject: isObject))
  }

  private mutating func sendScalar(
    _ node: NodeID, of nodes: any PropertyListNodes, tag: StaticString?, identity: Int
  ) throws(FerryError) {
    if let tag { try begin(tag) }
    if try isWrittenOnce(identity) {
      try sendOnce(node, of: nodes, identity)
    } else {
      try nodes.send(scalar: node, to: sink)
    }
    if tag != nil { try sink.endDictionary() }
  }

  private func isWrittenOnce(_ identity: Int) throws(FerryError) -> Bool {
    let count = occurrences[identity]
    guard count > 1, let length = try graph.length(ofScalar: identity) else { return false }
    return RepeatedScalars.isWrittenOnce(length: length, occurrences: Int(count))
  }

  private mutating func sendOnce(_ node: NodeID, of nodes: any PropertyListNodes, _ identity: Int)
    throws(FerryError)
  {
    guard sentScalars.insert(identity).inserted else { return try sendReference(identity) }
    try begin("$id")
    try sink.integer(Int128(identity))
    try tag("$value")
    try nodes.send(scalar: node, to: sink)
    try sink.endDictionary()
  }

  private func sendReference(_ identity: Int) throws(FerryError) {
    try begin("$ref")
    try sink.integer(Int128(identity))
    try sink.endDictionary()
  }

  // MARK: Objects

  private mutating func send(object index: Int) throws(FerryError) {
    guard let object = graph.objects[index] else { throw FerryError(.typed(.notExact)) }
    guard !isSent[index], objectDepth < Self.depthLimit else {
      // A deep object is only referred to here, and is written at the end.
      if !isSent[index], isDeep.insert(index).inserted { deep.append(index) }
      return try sendReference(index)
    }
    isSent[index] = true
    let type = graph.types[object.type]
    let isShared = occurrences[index] > 1 || isDeep.contains(index)
    let shape = try graph.shape(of: object)
    if case .date(let seconds) = shape, !isShared { return try sink.date(seconds) }
    objectDepth += 1
    switch shape {
    case .list(let parts) where !isShared && type.name == "NSArray":
      try beginList(parts, areFields: false, dictionaries: 0, isObject: true)
    case .entries(let entries) where !isShared && type.name == "NSDictionary":
      try sink.beginDictionary(count: entries.count)
      frames.append(
        Frame(content: .entries(entries), areFields: false, dictionaries: 1, isObject: true))
    case .list(let parts):
      try beginObject(type, index, isShared)
      try tag("$items")
      try beginList(parts, areFields: false, dictionaries: 1, isObject: true)
    case .entries(let entries):
      try beginObject(type, index, isShared)
      try tag("$entries")
      try sink.beginDictionary(count: entries.count)
      frames.append(
        Frame(content: .entries(entries), areFields: false, dictionaries: 2, isObject: true))
    case .date, .fields:
      try beginObject(type, index, isShared)
      frames.append(
        Frame(content: .fields(object.fields), areFields: true, dictionaries: 1, isObject: true))
    }
  }

  private func beginObject(_ type: ObjectClass, _ index: Int, _ isShared: Bool) throws(FerryError) {
    try begin("$class")
    try sink.string(BorrowedText(type.name.utf8.span))
    guard isShared else { return }
    try tag("$id")
    try sink.integer(Int128(index))
  }
}

extension NodeKind {
  /// Returns true if a scalar that is a separate object needs no tag: a string or data, or a number in a
  /// collection.
  fileprivate func isPlainObject(inField isField: Bool) -> Bool {
    switch self {
    case .string, .data: true
    case .integer, .real, .single, .boolean: !isField
    default: false
    }
  }

  /// True if an inline scalar needs no tag as the value of an object's key.
  var isPlainInline: Bool {
    switch self {
    case .integer, .real, .single, .boolean: true
    default: false
    }
  }
}

extension ObjectClass {
  /// True if the superclasses are those that a reader assumes by default.
  var hasUsualChain: Bool { hints.isEmpty && chain == Self.usualChain(of: name) }

  /// Returns the chain of superclasses that a reader assumes for a class: the real one for Foundation's
  /// mutable classes, otherwise the class and NSObject.
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
