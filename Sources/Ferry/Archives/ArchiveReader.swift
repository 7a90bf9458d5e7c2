/// A reader of keyed archives. It follows references and sends decoded objects.
///
/// Classes are only names; nothing is instantiated. `NSArray`, `NSSet`, `NSDictionary`, strings, numbers,
/// dates, data and null are sent as the corresponding events. An object of any other class, and a mutable or
/// subclassed collection, is sent as `beginObject` with its class, followed by its content: an array, a
/// string …, the decoded form from the class catalog, or a dictionary of its archived keys.
///
/// An object with more than one reference gets an identity, and every later occurrence (including one inside
/// the object itself) is sent as `reference`. An object that contains only scalars is sent in full each time,
/// unless the sink needs identities.
///
/// Events are sent in batches if the sink prefers them. In a binary archive, the objects that have an `ObjectPlan`, and
/// the lists around them, are sent by `sendByPlans`, and everything else one step at a time by `step`.
struct ArchiveReader: ~Copyable {
  /// The maximum number of keys (including `$class`) of an object that is sent in full each time.
  private static let keysOfLeaf = 32

  let objects: ArchiveObjects
  let nodes: any PropertyListNodes
  /// The nodes, if they are those of a binary file.
  private let list: BinaryPropertyList?
  var plans: ObjectPlans
  /// The index of the plan that was used last.
  var lastPlan = 0
  private let sink: any ValueSink
  var sender: EventSender
  /// The origins of the collected events. The offset of an event is the index of its origin, or negative if its errors have
  /// none.
  private var origins: [Origin] = []
  /// True if sending the collected events has failed.
  private var hasFailedToFlush = false
  /// The origin of the next events.
  var origin = Origin(node: NodeID(0), object: nil)
  /// The number of keys around the next events that are not strings. Their events are not collected.
  private var keyDepth = 0
  /// Receives the source location of each collection whose parts are sent; nil if no sink needs it.
  private let locator: SourceLocator?
  let sharing: ObjectSharing
  let budget: Budget
  let decodedForms: ArchiveDecodedForms
  var referenceCounts: [UInt8] = []
  /// The number of references to each object in the whole archive, if several threads have counted them.
  var knownCounts: [UInt8]?
  /// For each object, true if later occurrences are sent as references to it.
  var hasBegun: [Bool] = []
  var frames: [Frame] = []
  /// The cost of the values sent so far, measured like `ExpandedWeight`, to limit amplification.
  private(set) var sent = 0
  let sentLimit: Int
  let refersToScalars: Bool
  /// True if repeated strings and data would exceed the budget. Then a long one is sent once as an object
  /// without a class, and after that as a reference.
  private var sendsLongScalarsOnce = false

  /// The collection with the part that an event belongs to, and the object with the collection.
  struct Origin {
    let node: NodeID
    let object: ObjectNumber?
  }

  /// A value that is being sent, part by part.
  struct Frame {
    let content: Content
    /// The number of parts.
    var count: Int
    /// The number of parts sent so far.
    var index = 0
    let node: NodeID
    /// The number of this object or, for an inline collection, of the enclosing object.
    var object: ObjectNumber?
    var wrapper = Wrapper.none
  }

  enum Content {
    /// A collection that is an object or inline. The parts of a dictionary are its keys and values in turn.
    case array(ArchivedCollection)
    case set(ArchivedCollection)
    case dictionary(ArchivedCollection)
    /// The archived keys of an object.
    case keys
    /// The archived keys of an object, except `$class`, by the plan with an index.
    case plan(Int)
    /// A dictionary key that is an object.
    case objectKey
    /// A decoded form: the elements of a list, the parts of a record, or a single value.
    case list([DecodedForm])
    case record([DecodedForm.Part])
    case value(DecodedForm)
  }

  /// The object that ends with its content.
  enum Wrapper {
    case none
    case object(identity: ObjectNumber?)
  }

  init(
    _ objects: ArchiveObjects, into sink: any ValueSink, sharing: ObjectSharing, budget: Budget,
    catalog: ClassCatalog = .standard, decodedForms: DecodedFormUse = .scalars, refersToScalars: Bool? = nil,
    locator: SourceLocator? = nil
  ) {
    self.init(
      ArchiveDecodedForms(of: objects, catalog, decodedForms), into: sink, sharing: sharing, budget: budget,
      refersToScalars: refersToScalars, locator: locator)
  }

  init(
    _ decodedForms: ArchiveDecodedForms, into sink: any ValueSink, sharing: ObjectSharing, budget: Budget,
    refersToScalars: Bool? = nil, locator: SourceLocator? = nil
  ) {
    self.locator = locator
    self.refersToScalars = refersToScalars ?? (sharing == .leavesInFull)
    objects = decodedForms.objects
    nodes = objects.nodes
    list = nodes as? BinaryPropertyList
    plans = ObjectPlans(decodedForms)
    sentLimit = budget.allowance(forInputBytes: nodes.byteCount)
    self.sink = sink
    sender = EventSender(to: sink, isPrompt: locator != nil)
    self.sharing = sharing
    self.budget = budget
    self.decodedForms = decodedForms
  }

  /// Notes about classes of a class file that do not match the objects read so far.
  var notes: [Note] { decodedForms.notes }

  /// Sends the value of the root if its name is `root` and there is no other; otherwise a dictionary of all
  /// roots.
  mutating func read() throws(FerryError) {
    try countReferences(within: nil)
    if objects.hasOnlyRoot { return try sendTop(objects.top[0]) }
    try sink.beginDictionary(count: objects.top.count)
    for top in objects.top {
      try sink.key(BorrowedText(top.name.utf8.span))
      try sendTop(top)
    }
    try sink.endDictionary()
  }

  /// Sends the value of one node: an object, a reference, or an inline value.
  ///
  /// - Parameters:
  ///   - isOneOfMany: True if further values of the same archive will be read with this reader. References are then counted once,
  ///     for the whole archive.
  ///   - enclosing: The objects of which only references are sent, because the value is inside of them.
  mutating func read(
    from node: NodeID, isOneOfMany: Bool = false, referringTo enclosing: [ObjectNumber] = []
  ) throws(FerryError) {
    // Nil needs no object, also in an archive without `$null`.
    if case .uid(0) = try nodes.kind(of: node) {
      try send(node)
      return try sendFrames()
    }
    // A scalar has no references to count.
    if try !isScalar(node), !isOneOfMany || referenceCounts.isEmpty {
      try countReferences(within: isOneOfMany ? nil : node)
      for number in enclosing { (referenceCounts[number.index], hasBegun[number.index]) = (2, true) }
    }
    let object = try resolved(node)
    if case .dictionary(let count) = try nodes.kind(of: object),
      try objects.type(of: object, count: count) == nil
    {
      // The object is a class description or an inline dictionary, but an object to which the path leads by a reference has a class.
      if case .uid(let uid) = try nodes.kind(of: node), try nodes.value("$classname", of: object) == nil {
        throw noClass(uid, object)
      }
      try send(object)
    } else {
      try sendObject(node)
    }
    try sendFrames()
  }

  /// Sends the decoded form of an object, or a part of it.
  ///
  /// - Parameter node: The node of the object.
  mutating func read(_ decodedForm: DecodedForm, of node: NodeID) throws(FerryError) {
    referenceCounts = try objects.referenceCounts(within: node)
    hasBegun = [Bool](repeating: false, count: objects.count)
    try send(decodedForm)
    try sendFrames()
  }

  private mutating func countReferences(within node: NodeID?) throws(FerryError) {
    if node == nil, let knownCounts {
      referenceCounts = knownCounts
    } else {
      referenceCounts = try objects.referenceCounts(within: node)
    }
    hasBegun = [Bool](repeating: false, count: objects.count)
    if refersToScalars {
      sendsLongScalarsOnce = try objects.repeatsOutweigh(sentLimit, among: referenceCounts)
    }
  }

  /// True if the node is a scalar, or a reference to one.
  private func isScalar(_ node: NodeID) throws(FerryError) -> Bool {
    try !nodes.kind(of: resolved(node)).isCollection
  }

  /// Sends a node that is an object or a reference to one.
  private mutating func sendObject(_ node: NodeID) throws(FerryError) {
    guard case .dictionary(let count) = try nodes.kind(of: node),
      let type = try objects.type(of: node, count: count)
    else { return try send(node) }
    try send(node, count, of: type, nil)
  }

  private mutating func sendTop(_ top: (name: String, node: NodeID)) throws(FerryError) {
    do throws(FerryError) {
      try send(top.node)
      try sendFrames()
    } catch {
      throw error.location.isEmpty ? error.placed(path: ValuePath([.key("$top"), .key(top.name)])) : error
    }
  }

  // MARK: Collections, one step at a time

  /// Sends the parts of all frames, and the collected events.
  mutating func sendFrames() throws(FerryError) {
    do throws(FerryError) {
      while !frames.isEmpty {
        if sender.isFull { try flush() }
        if let list, sender.collectsObjects, !sendsLongScalarsOnce, !list.mayExceedTokenBytes {
          try list.withTable { table throws(FerryError) in try sendByPlans(table) }
          if frames.isEmpty || sender.isFull { continue }
        }
        try step()
      }
    } catch {
      // The events before the error determine its path.
      try flush()
      throw error
    }
    try flush()
  }

  /// Sends the next part of the innermost frame, or its end.
  private mutating func step() throws(FerryError) {
    let top = frames.count - 1
    let frame = frames[top]
    guard frame.index < frame.count else {
      frames.removeLast()
      return try end(frame)
    }
    frames[top].index += 1
    setOrigin(frame)
    do throws(FerryError) {
      try sendPart(frame.index, of: frame)
    } catch {
      throw placed(error, from: Origin(node: frame.node, object: frame.object))
    }
  }

  private mutating func sendPart(_ index: Int, of frame: Frame) throws(FerryError) {
    switch frame.content {
    case .array(let collection), .set(let collection):
      try send(try collection.element(index, in: nodes))
    case .keys:
      let key = try nodes.key(index, of: frame.node)
      if try nodes.isString(key, "$class") { return }
      try sendArchivedKey(key)
      try send(try nodes.value(index, of: frame.node))
    case .plan(let plan):
      let entry = plans[plan].fields[index].entry
      try sendArchivedKey(try nodes.key(entry, of: frame.node))
      try send(try nodes.value(entry, of: frame.node))
    case .dictionary(let collection):
      if index.isMultiple(of: 2) {
        try sendKey(try collection.key(index / 2, in: nodes))
      } else {
        try send(try collection.element(index / 2, in: nodes))
      }
    case .list(let parts): try send(parts[index])
    case .record(let parts):
      let part = parts[index]
      try send(key: BorrowedText(part.name.utf8.span))
      try send(part.decodedForm)
    case .value(let decodedForm): try send(decodedForm)
    case .objectKey: break
    }
  }

  mutating func end(_ frame: Frame) throws(FerryError) {
    switch frame.content {
    case .array, .list: try sender.endArray(at: -1)
    case .set:
      try flush()
      try sink.endSet()
    case .dictionary, .keys, .plan, .record: try sender.endDictionary(at: -1)
    case .objectKey: try endKey()
    case .value: break
    }
    guard case .object(let identity) = frame.wrapper else { return }
    try endObject()
    if sharing == .inFull, let identity { hasBegun[identity.index] = false }
  }

  private mutating func begin(_ frame: Frame, of type: ObjectClass? = nil, identity: ObjectNumber? = nil)
    throws(FerryError)
  {
    guard frames.count < budget.depth else {
      throw FerryError(.overBudget(.depth(budget.depth)), at: nodes.location(of: frame.node))
    }
    try spend(0)
    var frame = frame
    if frame.object == nil { frame.object = frames.last?.object }
    locator?.move(to: location(of: Origin(node: frame.node, object: frame.object)))
    if let type {
      try spend(type.name.utf8.count)
      try beginObject(type, identity: identity?.index)
      frame.wrapper = .object(identity: identity)
    }
    switch frame.content {
    case .array, .list:
      if sender.isCollecting {
        try sender.beginArray(at: originIndex)
      } else {
        try sink.beginArray(count: frame.count)
      }
    case .set:
      try flush()
      try sink.beginSet(count: frame.count)
    case .dictionary(let collection): try sender.beginDictionary(count: collection.count, at: originIndex)
    case .record: try sender.beginDictionary(count: frame.count, at: originIndex)
    case .keys, .plan: try sender.beginDictionary(at: originIndex)
    case .objectKey: try beginKey()
    case .value: break
    }
    frames.append(frame)
  }

  // MARK: Events

  /// Makes the part of a frame the origin of the next events.
  mutating func setOrigin(_ frame: Frame) {
    let isKnown = origin.node == frame.node && origin.object == frame.object && !origins.isEmpty
    origin = Origin(node: frame.node, object: frame.object)
    locator?.move(to: location(of: origin))
    if !isKnown, sender.isCollecting { origins.append(origin) }
  }

  /// The index of the origin of the next event.
  var originIndex: Int { origins.count - 1 }

  /// Sends the collected events.
  private mutating func flush() throws(FerryError) {
    guard sender.isCollecting else { return }
    var failed = -1
    let nodes = nodes
    do throws(FerryError) {
      try nodes.withBytes { bytes throws(FerryError) in try sender.flush(bytes, failedAt: &failed) }
    } catch {
      let located = origins.indices.contains(failed) ? placed(error, from: origins[failed]) : error
      hasFailedToFlush = true
      throw located
    }
    origins.removeAll(keepingCapacity: true)
    origins.append(origin)
  }

  /// Returns an error with the location of a part. An error of collected events is not of the part that is read when they
  /// are sent.
  func placed(_ error: FerryError, from origin: Origin) -> FerryError {
    hasFailedToFlush ? error : error.placed(at: location(of: origin))
  }

  /// Returns the location of a part. In an XML file, nodes have no source location, but objects have a number.
  private func location(of origin: Origin) -> InputLocation {
    let location = nodes.location(of: origin.node)
    return location.isEmpty ? InputLocation(object: origin.object?.index) : location
  }

  private mutating func send(key: BorrowedText) throws(FerryError) {
    try sender.text(.key, key, from: nil, at: originIndex)
  }

  private mutating func beginObject(_ type: ObjectClass, identity: Int?) throws(FerryError) {
    if sender.collectsObjects { return sender.beginObject(type, identity: identity) }
    try flush()
    try sink.beginObject(type, identity: identity)
  }

  private mutating func endObject() throws(FerryError) {
    // A collected object ends with its content.
    if sender.collectsObjects { return }
    try flush()
    try sink.endObject()
  }

  private mutating func beginKey() throws(FerryError) {
    try flush()
    sender.endBatches()
    keyDepth += 1
    try sink.beginKey()
  }

  private mutating func endKey() throws(FerryError) {
    try sink.endKey()
    keyDepth -= 1
    guard keyDepth == 0 else { return }
    sender.beginBatches()
    origins.append(origin)
  }

  /// Sends a key of an object by its original name: without the `$` that the archiver adds to names that
  /// begin with `$`.
  private mutating func sendArchivedKey(_ node: NodeID) throws(FerryError) {
    let nodes = nodes
    guard try nodes.kind(of: node) == .string else {
      throw FerryError(.archive(.malformed("an object's key is not a string")), at: nodes.location(of: node))
    }
    return try nodes.withLocatedText(of: node) { text, start throws(FerryError) in
      try spend(text.utf8.count)
      guard text.utf8.starts(with: "$$") else {
        return try sender.text(.key, text, from: start, at: originIndex)
      }
      let unescaped = BorrowedText(
        checked: text.utf8.extracting(1..<text.utf8.count), isASCII: text.isASCII,
        hasSurrogates: text.hasSurrogates)
      try sender.text(.key, unescaped, from: start.map { $0 + 1 }, at: originIndex)
    }
  }

  /// Sends the key of a dictionary: a string as `key`, any other value between `beginKey` and `endKey`.
  private mutating func sendKey(_ node: NodeID) throws(FerryError) {
    let object = try resolved(node)
    if try nodes.kind(of: object) == .string {
      let nodes = nodes
      try nodes.withLocatedText(of: object) { text, start throws(FerryError) in
        try spend(text.utf8.count)
        try sender.text(.key, text, from: start, at: originIndex)
      }
      return
    }
    try begin(Frame(content: .objectKey, count: 0, node: node))
    try send(node)
  }

  // MARK: Values

  /// Returns the object that a reference refers to, or the node itself if it is not a reference.
  private func resolved(_ node: NodeID) throws(FerryError) -> NodeID {
    guard case .uid(let uid) = try nodes.kind(of: node), !objects.skips(uid, referredFrom: node) else {
      return node
    }
    return try objects.node(of: uid, referredFrom: node)
  }

  mutating func send(_ node: NodeID) throws(FerryError) {
    switch try nodes.kind(of: node) {
    case .uid(let uid) where try objects.isNil(uid, referredFrom: node):
      try spend(0)
      try sender.null(at: originIndex)
    case .uid(let uid):
      let object = try objects.node(of: uid, referredFrom: node)
      try send(ObjectNumber(Int(uid)), object)
    case .array, .set: if let frame = try collection(nil, node) { try begin(frame) }
    case .dictionary(let count): try begin(Frame(content: .keys, count: count, node: node))
    case let scalar: try send(scalar: scalar, node)
    }
  }

  mutating func send(scalar kind: NodeKind, _ node: NodeID) throws(FerryError) {
    try spend(0)
    var byteCount = 0
    switch kind {
    case .null: try sender.null(at: originIndex)
    case .boolean(let value): try sender.boolean(value, at: originIndex)
    case .integer(let value): try sender.integer(value, at: originIndex)
    case .real(let value) where value.isFinite: try sender.real(value, at: originIndex)
    case .string:
      let nodes = nodes
      byteCount = try nodes.withLocatedText(of: node) { text, start throws(FerryError) in
        try sender.text(.string, text, from: start, at: originIndex)
        return text.utf8.count
      }
    default:
      try flush()
      byteCount = try nodes.send(scalar: node, kind, to: sink)
    }
    if byteCount > 0 { try spend(byteCount) }
  }

  /// Sends the object with a number in `$objects`.
  private mutating func send(_ number: ObjectNumber, _ node: NodeID) throws(FerryError) {
    let kind = try nodes.kind(of: node)
    if case .uid = kind { throw objects.isReference(number.uid, node) }
    guard case .dictionary(let count) = kind else { return try send(bare: number, node) }
    guard let type = try objects.type(of: node, count: count) else {
      throw noClass(number.uid, node)
    }
    try send(node, count, of: type, number)
  }

  private func noClass(_ uid: UInt64, _ node: NodeID) -> FerryError {
    FerryError(.archive(.malformed("object \(uid) has no $class")), at: nodes.location(of: node))
  }

  /// Sends a scalar object without a class.
  private mutating func send(bare number: ObjectNumber, _ node: NodeID) throws(FerryError) {
    guard sendsLongScalarsOnce, referenceCounts[number.index] > 1, try nodes.isLongScalar(node) else {
      return try send(node)
    }
    guard !hasBegun[number.index] else { return try sendReference(to: number) }
    hasBegun[number.index] = true
    try beginObject(.none, identity: number.index)
    try send(node)
    try endObject()
  }

  private mutating func sendReference(to number: ObjectNumber) throws(FerryError) {
    try spend(0)
    try flush()
    try sink.reference(number.index)
  }

  /// Sends an object of a class.
  ///
  /// - Parameter number: The number of the object. Nil for an object at which a partial reading begins,
  ///   because nothing read there refers to it.
  private mutating func send(_ node: NodeID, _ count: Int, of type: ObjectClass, _ number: ObjectNumber?)
    throws(FerryError)
  {
    let shared = number.flatMap { referenceCounts[$0.index] > 1 ? $0 : nil }
    if let shared, hasBegun[shared.index] { return try sendReference(to: shared) }
    let decodedForm = try decodedForms.decodedForm(of: type, node, count)
    let scalarIdentity = shared.flatMap { givesIdentity(toScalarOf: type) ? $0 : nil }
    if case .scalar(let value)? = decodedForm { return try send(value, type, scalarIdentity) }
    if case .archived(let part)? = decodedForm, try decodedForms.isScalar(part) {
      return try send(scalar: part, type, scalarIdentity)
    }
    var identity: ObjectNumber?
    if let shared, try hasIdentity(node, count, decodedForm) {
      hasBegun[shared.index] = true
      identity = shared
    } else if sharing == .numbered {
      identity = number
    }
    guard let decodedForm else { return try sendCollection(of: type, node, count, object: number, identity) }
    var frame = frame(for: decodedForm, at: node)
    frame.object = number
    try begin(frame, of: type, identity: identity)
  }

  /// Returns true if an object of a class whose decoded form is a scalar gets an identity if it has several references. An object in a key
  /// gets none, because the path of a key without a name is unknown.
  private func givesIdentity(toScalarOf type: ObjectClass) -> Bool {
    switch sharing {
    case .allIdentities: !type.isToldByItsValue
    case .named: keyDepth == 0
    case .identities, .numbered, .leavesInFull, .inFull: false
    }
  }

  /// Returns true if a scalar of a class is sent without the class.
  private func isSentBare(_ type: ObjectClass) -> Bool { sharing != .named && type.isToldByItsValue }

  // MARK: Decoded forms

  private func frame(for decodedForm: DecodedForm, at node: NodeID) -> Frame {
    switch decodedForm {
    case .scalar, .archived: Frame(content: .value(decodedForm), count: 1, node: node)
    case .list(let parts): Frame(content: .list(parts), count: parts.count, node: node)
    case .record(let parts): Frame(content: .record(parts), count: parts.count, node: node)
    }
  }

  /// Sends a part of a decoded form, or begins it if it is a list or a record.
  private mutating func send(_ decodedForm: DecodedForm) throws(FerryError) {
    switch decodedForm {
    case .scalar(let value):
      try spend(value.weight)
      try flush()
      try value.replay(into: sink)
    case .archived(let node): try send(node)
    case .list, .record:
      try begin(frame(for: decodedForm, at: frames.last?.node ?? nodes.root))
    }
  }

  /// Sends the scalar that an object represents. The scalar is wrapped in an object of the class, unless the
  /// scalar alone implies the class.
  private mutating func send(
    _ value: Value, _ type: ObjectClass, _ identity: ObjectNumber? = nil
  ) throws(FerryError) {
    let isPlain = isSentBare(type)
    try spend(value.weight)
    try flush()
    if let identity, sharing != .named { hasBegun[identity.index] = true }
    if !isPlain { try sink.beginObject(type, identity: identity?.index) }
    try value.replay(into: sink)
    if !isPlain { try sink.endObject() }
  }

  private mutating func send(
    scalar node: NodeID, _ type: ObjectClass, _ identity: ObjectNumber? = nil
  ) throws(FerryError) {
    let isPlain = isSentBare(type)
    if let identity, sharing != .named { hasBegun[identity.index] = true }
    if !isPlain { try beginObject(type, identity: identity?.index) }
    try send(node)
    if !isPlain { try endObject() }
  }

  func hasIdentity(_ node: NodeID, _ count: Int, _ decodedForm: DecodedForm?) throws(FerryError)
    -> Bool
  {
    switch sharing {
    case .identities, .allIdentities, .numbered, .named, .inFull: return true
    case .leavesInFull:
      guard let decodedForm else { return try !isLeaf(node, count) }
      return try !decodedForms.isLeaf(decodedForm)
    }
  }

  /// Returns true if an object contains so few scalars, and no other values, that repeating it is cheap.
  private func isLeaf(_ node: NodeID, _ count: Int) throws(FerryError) -> Bool {
    guard count <= Self.keysOfLeaf else { return false }
    for index in 0..<count {
      if try nodes.isString(nodes.key(index, of: node), "$class") { continue }
      switch try nodes.kind(of: try resolved(try nodes.value(index, of: node))) {
      case .array, .set, .dictionary: return false
      default: break
      }
    }
    return true
  }

  private mutating func sendCollection(
    of type: ObjectClass, _ node: NodeID, _ count: Int, object: ObjectNumber?, _ identity: ObjectNumber?
  ) throws(FerryError) {
    var frame = try collection(type, node) ?? Frame(content: .keys, count: count, node: node)
    frame.object = object
    let isPlain: Bool =
      switch (frame.content, type.name) {
      case (.array, "NSArray"), (.set, "NSSet"), (.dictionary, "NSDictionary"):
        identity == nil && sharing != .named
      default: false
      }
    try begin(frame, of: isPlain ? nil : type, identity: identity)
  }

  /// Returns a frame for an inline collection, or for an object that is a collection and has no other keys.
  /// Returns nil for other nodes.
  private func collection(_ type: ObjectClass?, _ node: NodeID) throws(FerryError) -> Frame? {
    guard let found = try ArchivedCollection(node, type, in: nodes), found.isWhole else { return nil }
    return switch found.kind {
    case .array: Frame(content: .array(found), count: found.count, node: node)
    case .set: Frame(content: .set(found), count: found.count, node: node)
    case .dictionary: Frame(content: .dictionary(found), count: 2 * found.count, node: node)
    }
  }

  /// Adds the cost of a value and its bytes. Throws if repeated scalars and small objects exceed the budget.
  mutating func spend(_ bytes: Int) throws(FerryError) {
    sent += Budget.valueCost + bytes
    guard sent <= sentLimit else { throw budget.overAmplification }
  }
}

extension ObjectClass {
  /// True if the scalar that an object of this class represents implies the class.
  fileprivate var isToldByItsValue: Bool {
    switch name {
    case "NSNull", "NSDate", "NSString", "NSData": true
    default: false
    }
  }
}

extension Value {
  /// The approximate size of a scalar in bytes.
  fileprivate var weight: Int {
    switch self {
    case .string(let text), .number(let text): text.utf8.count
    case .data(let bytes): bytes.count
    default: 8
    }
  }
}
