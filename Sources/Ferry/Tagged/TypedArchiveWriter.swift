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
struct TypedArchiveWriter: ~Copyable {
  let graph: ArchiveGraph
  private let sink: any ValueSink
  /// The nodes of the scalars, if they are those of a binary file. The lengths of its texts need no check: each was read when the objects were
  /// numbered, by `GraphNumbering` or for the layout of the file.
  let file: Unretained<BinaryPropertyList>?
  /// The events that are collected for the sink, with texts in the file.
  var sender: EventSender
  var keys = CollectedKeys()
  /// The events of the beginnings of objects whose texts are among the collected events, by type.
  private var beginnings: [[EventBatch.Entry]]
  /// The types in `beginnings` that have events.
  private var collectedTypes: [Int] = []
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
    enum Keys {
      /// A list has no keys.
      case none
      /// The keys of an object's fields, by the number of their list.
      case fields(Int)
      /// The keys of a dictionary, which are parts themselves. The first is at an index.
      case parts(Int)
    }

    let keys: Keys
    let values: Range<Int>
    /// True if the parts are values of an object's keys.
    let areFields: Bool
    /// The number of dictionaries that end with the content.
    let dictionaries: Int
    /// True if an object ends with the content.
    var isObject = false
    var next = 0
  }

  /// Creates a writer. The sink must accept tags as keys.
  init(_ graph: ArchiveGraph, to sink: any ValueSink) {
    self.graph = graph
    self.sink = sink
    file = graph.file
    beginnings = Array(repeating: [], count: graph.types.count)
    collectedTypes.reserveCapacity(graph.types.count)
    sender = EventSender(to: sink, isPrompt: false)
    isSent = [Bool](repeating: false, count: graph.objects.count)
  }

  /// Sends the entries of the document's dictionary after `$ferry`, except the layout.
  ///
  /// - Parameter isOld: True if the outermost keys are in the old order.
  mutating func send(isOld: Bool) throws(FerryError) {
    do throws(FerryError) {
      try sendAll(isOld: isOld)
    } catch {
      try flush()
      throw error
    }
    try flush()
  }

  /// Sends the collected events.
  private mutating func flush() throws(FerryError) {
    guard sender.isCollecting else { return }
    var failed = 0
    let scalars = graph.scalars
    for type in collectedTypes { beginnings[type].removeAll() }
    collectedTypes.removeAll(keepingCapacity: true)
    try scalars.withBytes { bytes throws(FerryError) in try sender.flush(bytes, failedAt: &failed) }
  }

  private mutating func sendAll(isOld: Bool) throws(FerryError) {
    if !isOld { try sendArchiver() }
    try tag("$top")
    try sender.beginDictionary(count: graph.top.count, at: 0)
    for (name, part) in graph.top {
      let bytes = Array(name.utf8)
      try sendKey(BorrowedText(bytes.span), from: nil)
      try run(part, isField: true)
    }
    try sender.endDictionary(at: 0)
    if isOld { try sendArchiver() }
    try sendOthers()
    try sendTypes()
  }

  private mutating func sendArchiver() throws(FerryError) {
    try tag("$archiver")
    try send(string: graph.archiver)
  }

  private mutating func sendOthers() throws(FerryError) {
    let others = graph.others.filter { part in
      if case .object(let index) = part { return !isSent[index] }
      return true
    }
    guard !others.isEmpty || !deep.isEmpty else { return }
    try tag("$others")
    try sender.beginArray(count: nil, at: 0)
    for part in others { try run(part, isField: false) }
    // The list grows while objects in it are sent.
    var next = 0
    while next < deep.count {
      if !isSent[deep[next]] { try run(.object(deep[next]), isField: false) }
      next += 1
    }
    try sender.endArray(at: 0)
  }

  private mutating func sendTypes() throws(FerryError) {
    let types = graph.types.filter { !$0.hasUsualChain }
    guard !types.isEmpty else { return }
    try tag("$classes")
    try sender.beginDictionary(count: types.count, at: 0)
    for type in types {
      let name = Array(type.name.utf8)
      try sendKey(BorrowedText(name.span), from: nil)
      try send(type)
    }
    try sender.endDictionary(at: 0)
  }

  /// Sends the list of a class and its superclasses, with a tag if the list does not begin with the class, as
  /// in odd archives.
  private mutating func send(_ type: ObjectClass) throws(FerryError) {
    guard !type.hints.isEmpty || type.chain.first?.equals(type.name) == false else {
      return try send(type.chain)
    }
    try sender.beginDictionary(count: type.hints.isEmpty ? 1 : 2, at: 0)
    try tag("$chain")
    try send(type.chain)
    if !type.hints.isEmpty {
      try tag("$hints")
      try send(type.hints)
    }
    try sender.endDictionary(at: 0)
  }

  private mutating func send(_ names: [String]) throws(FerryError) {
    try sender.beginArray(count: names.count, at: 0)
    for name in names { try send(string: name) }
    try sender.endArray(at: 0)
  }

  private mutating func tag(_ tag: StaticString) throws(FerryError) {
    try sender.text(.key, BorrowedText(tag.description.utf8.span), from: nil, at: 0)
  }

  // MARK: Values

  private mutating func run(_ part: ArchiveGraph.Part, isField: Bool) throws(FerryError) {
    try send(part, isField: isField)
    while let top = frames.indices.last {
      if sender.isFull { try flush() }
      try sendNext(of: top)
    }
  }

  /// Sends the next parts of the innermost list or dictionary up to one that has parts itself, or to its end.
  private mutating func sendNext(of top: Int) throws(FerryError) {
    // The frame is accessed once for many parts.
    let (keys, values, areFields) = (frames[top].keys, frames[top].values, frames[top].areFields)
    while true {
      if case .fields(let list) = keys, frames.count == top + 1 {
        frames[top].next = collectFields(graph.keyLists[list].keys, values, from: frames[top].next)
      }
      guard let next = takeNext(of: top, values.count) else { break }
      switch keys {
      case .none: break
      case .fields(let list): try key(graph.keyLists[list].keys[next])
      case .parts(let first): try key(graph.node(ofKey: graph.parts[first + next]))
      }
      try send(graph.parts[values.lowerBound + next], isField: areFields)
    }
    guard frames.count == top + 1, frames[top].next == values.count else { return }
    if case .none = keys { try sender.endArray(at: 0) }
    try endFrame()
  }

  /// Returns the index of the next part of a list or dictionary, and moves on. Returns nil if a list or dictionary in it is open, if the
  /// collected events are to be sent first, or if there are no more parts.
  private mutating func takeNext(of top: Int, _ count: Int) -> Int? {
    let next = frames[top].next
    guard frames.count == top + 1, !sender.isFull, next < count else { return nil }
    frames[top].next = next + 1
    return next
  }

  private mutating func endFrame() throws(FerryError) {
    guard let frame = frames.popLast() else { return }
    for _ in 0..<frame.dictionaries { try sender.endDictionary(at: 0) }
    if frame.isObject { objectDepth -= 1 }
  }

  /// Sends the key at a node of the scalars.
  private mutating func key(_ node: NodeID) throws(FerryError) {
    if let event = keys.event(of: node) { return sender.collect(event) }
    let scalars = graph.scalars
    if sender.isCollecting, var event = file?.lend({ $0.event(of: node) }), event.kind == .string,
      try !scalars.withText(of: node, { text throws(FerryError) in text.utf8.starts(with: "$") })
    {
      event.kind = .key
      keys.add(event)
      return sender.collect(event)
    }
    try scalars.withLocatedText(of: node) { text, start throws(FerryError) in
      try sendKey(text, from: start)
    }
  }

  /// Sends a user's key.
  ///
  /// - Parameter start: The offset of the key in the file, or nil to copy the key.
  private mutating func sendKey(_ key: BorrowedText, from start: Int?) throws(FerryError) {
    guard !key.utf8.starts(with: "$") else {
      return try TypedNotation.withKey(key) { key throws(FerryError) in
        try sender.text(.key, key, from: nil, at: 0)
      }
    }
    try sender.text(.key, key, from: start, at: 0)
  }

  private mutating func send(string: String) throws(FerryError) {
    try sender.text(.string, BorrowedText(string.utf8.span), from: nil, at: 0)
  }

  private mutating func send(_ part: ArchiveGraph.Part, isField: Bool) throws(FerryError) {
    switch part {
    case .nothing: try sender.null(at: 0)
    case .object(let index): try send(object: index)
    case .bare(let number):
      let node = graph.bare.node(number)
      // Most objects are strings that are short or occur once, so that each occurrence is written in full.
      if let event = collectedEvent(of: node), event.kind == .string,
        event.extra < RepeatedScalars.shortestLength || !graph.occurrences.isRepeated(number.index)
      {
        return sender.collect(event)
      }
      if sender.isCollecting, !graph.occurrences.isRepeated(number.index), let file,
        try file.lend(throwing: { file throws(FerryError) in try file.collect(utf16: node, into: &sender) })
      {
        return
      }
      let kind = try graph.scalars.kind(of: node)
      let isPlain = kind.isPlainObject(inField: isField)
      try sendScalar(node, kind, tag: isPlain ? nil : "$object", identity: number.index)
    case .scalar(let node):
      // Most others are numbers.
      if isField, let event = collectedEvent(of: node), event.kind.isPlainInline {
        return sender.collect(event)
      }
      let kind = try graph.scalars.kind(of: node)
      let isPlain = isField && kind.isPlainInline
      let identity = graph.identity(ofScalar: node)
      try sendScalar(node, kind, tag: isPlain ? nil : "$inline", identity: identity)
    case .list(let elements):
      try begin("$inline")
      try beginList(elements, areFields: true, dictionaries: 1)
    case .set(let elements):
      try begin("$inline")
      try begin("$set")
      try beginList(elements, areFields: true, dictionaries: 2)
    case .dictionary(let entries):
      try begin("$inline")
      try beginEntries(entries.keys, entries.values, areFields: true, dictionaries: 2)
    }
  }

  /// Returns the event of a scalar, if events are collected, and if the file has an event for the scalar.
  private func collectedEvent(of node: NodeID) -> EventBatch.Entry? {
    sender.isCollecting ? file?.lend { $0.event(of: node) } : nil
  }

  /// Sends a scalar without a tag.
  private mutating func send(scalar node: NodeID, _ kind: NodeKind) throws(FerryError) {
    let scalars = graph.scalars
    switch kind {
    case .null: try sender.null(at: 0)
    case .boolean(let value): try sender.boolean(value, at: 0)
    case .integer(let value): try sender.integer(value, at: 0)
    case .real(let value) where value.isFinite: try sender.real(value, at: 0)
    case .string:
      try scalars.withLocatedText(of: node) { text, start throws(FerryError) in
        try sender.text(.string, text, from: start, at: 0)
      }
    default:
      try flush()
      try scalars.send(scalar: node, kind, to: sink)
    }
  }

  private mutating func begin(_ name: StaticString) throws(FerryError) {
    try sender.beginDictionary(count: 1, at: 0)
    try tag(name)
  }

  /// Begins a list in a number of dictionaries that end with it.
  private mutating func beginList(
    _ elements: ArchiveGraph.Parts, areFields: Bool, dictionaries: Int, isObject: Bool = false
  ) throws(FerryError) {
    try sender.beginArray(count: elements.count, at: 0)
    frames.append(
      Frame(
        keys: .none, values: elements.indices, areFields: areFields, dictionaries: dictionaries,
        isObject: isObject))
  }

  /// Begins a dictionary of keys that are parts. A number of dictionaries end with it.
  private mutating func beginEntries(
    _ keys: Range<Int>, _ values: Range<Int>, areFields: Bool, dictionaries: Int, isObject: Bool = false
  ) throws(FerryError) {
    try sender.beginDictionary(count: values.count, at: 0)
    frames.append(
      Frame(
        keys: .parts(keys.lowerBound), values: values, areFields: areFields, dictionaries: dictionaries,
        isObject: isObject))
  }

  private mutating func sendScalar(
    _ node: NodeID, _ kind: NodeKind, tag: StaticString?, identity: Int
  ) throws(FerryError) {
    if let tag { try begin(tag) }
    if try isWrittenOnce(identity) {
      try sendOnce(node, kind, identity)
    } else {
      try send(scalar: node, kind)
    }
    if tag != nil { try sender.endDictionary(at: 0) }
  }

  private func isWrittenOnce(_ identity: Int) throws(FerryError) -> Bool {
    guard graph.occurrences.isRepeated(identity), let length = try graph.length(ofScalar: identity) else {
      return false
    }
    return RepeatedScalars.isWrittenOnce(length: length, occurrences: graph.occurrences[identity])
  }

  private mutating func sendOnce(_ node: NodeID, _ kind: NodeKind, _ identity: Int) throws(FerryError) {
    guard sentScalars.insert(identity).inserted else { return try sendReference(identity) }
    try begin("$id")
    try sender.integer(Int128(identity), at: 0)
    try tag("$value")
    try send(scalar: node, kind)
    try sender.endDictionary(at: 0)
  }

  private mutating func sendReference(_ identity: Int) throws(FerryError) {
    try begin("$ref")
    try sender.integer(Int128(identity), at: 0)
    try sender.endDictionary(at: 0)
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
    let isShared = graph.occurrences.isRepeated(index) || isDeep.contains(index)
    let shape = try graph.shape(of: object)
    if case .date(let seconds) = shape, !isShared {
      try flush()
      return try sink.date(seconds)
    }
    objectDepth += 1
    switch shape {
    case .list(let elements) where !isShared && type.name == "NSArray":
      try beginList(elements, areFields: false, dictionaries: 0, isObject: true)
    case .entries(let keys, let values) where !isShared && type.name == "NSDictionary":
      try beginEntries(keys.indices, values.indices, areFields: false, dictionaries: 1, isObject: true)
    case .list(let elements):
      try beginObject(object.type, index, isShared)
      try tag("$items")
      try beginList(elements, areFields: false, dictionaries: 1, isObject: true)
    case .entries(let keys, let values):
      try beginObject(object.type, index, isShared)
      try tag("$entries")
      try beginEntries(keys.indices, values.indices, areFields: false, dictionaries: 2, isObject: true)
    case .date, .fields:
      try beginObject(object.type, index, isShared)
      frames.append(
        Frame(
          keys: .fields(object.keys), values: object.values.indices, areFields: true, dictionaries: 1,
          isObject: true))
    }
  }

  private mutating func beginObject(_ type: Int, _ index: Int, _ isShared: Bool) throws(FerryError) {
    if beginnings[type].isEmpty {
      let first = sender.collectedCount
      try begin("$class")
      try send(string: graph.types[type].name)
      if sender.isCollecting {
        beginnings[type] = sender.collected(from: first)
        collectedTypes.append(type)
      }
    } else {
      sender.collect(beginnings[type])
    }
    guard isShared else { return }
    try tag("$id")
    try sender.integer(Int128(index), at: 0)
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

extension EventBatch.Kind {
  /// True for the event of a scalar that needs no tag inline as the value of an object's key.
  var isPlainInline: Bool {
    switch self {
    case .integer, .real, .boolean: true
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
