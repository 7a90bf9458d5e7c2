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
final class ArchiveReader {
  /// The maximum number of keys (including `$class`) of an object that is sent in full each time.
  private static let keysOfLeaf = 32

  private let objects: ArchiveObjects
  private let nodes: any PropertyListNodes
  private let sink: any ValueSink
  private let sharing: ObjectSharing
  private let budget: Budget
  private let decodedForms: ArchiveDecodedForms
  private var referenceCounts: [UInt8] = []
  /// For each object, true if later occurrences are sent as references to it.
  private var hasBegun: [Bool] = []
  private var frames: [Frame] = []
  /// The cost of the values sent so far, measured like `ExpandedWeight`, to limit amplification.
  private var sent = 0
  private let sentLimit: Int
  private let refersToScalars: Bool
  /// True if repeated strings and data would exceed the budget. Then a long one is sent once as an object
  /// without a class, and after that as a reference.
  private var sendsLongScalarsOnce = false

  /// A value that is being sent, part by part.
  private struct Frame {
    let content: Content
    /// The number of parts.
    let count: Int
    /// The number of parts sent so far.
    var index = 0
    let node: NodeID
    /// The number of this object or, for an inline collection, of the enclosing object.
    var object: ObjectNumber?
    var wrapper = Wrapper.none
  }

  private enum Content {
    /// A collection that is an object or inline. The parts of a dictionary are its keys and values in turn.
    case array(ArchivedCollection)
    case set(ArchivedCollection)
    case dictionary(ArchivedCollection)
    /// The archived keys of an object.
    case keys
    /// A dictionary key that is an object.
    case objectKey
    /// A decoded form: the elements of a list, the parts of a record, or a single value.
    case list([DecodedForm])
    case record([DecodedForm.Part])
    case value(DecodedForm)
  }

  /// The object that ends with its content.
  private enum Wrapper {
    case none
    case object(identity: ObjectNumber?)
  }

  convenience init(
    _ objects: ArchiveObjects, into sink: any ValueSink, sharing: ObjectSharing, budget: Budget,
    catalog: ClassCatalog = .standard, decodedForms: DecodedFormUse = .scalars, refersToScalars: Bool? = nil
  ) {
    self.init(
      ArchiveDecodedForms(of: objects, catalog, decodedForms), into: sink, sharing: sharing, budget: budget,
      refersToScalars: refersToScalars)
  }

  init(
    _ decodedForms: ArchiveDecodedForms, into sink: any ValueSink, sharing: ObjectSharing, budget: Budget,
    refersToScalars: Bool? = nil
  ) {
    self.refersToScalars = refersToScalars ?? (sharing == .leavesInFull)
    objects = decodedForms.objects
    nodes = objects.nodes
    sentLimit = budget.allowance(forInputBytes: nodes.byteCount)
    self.sink = sink
    self.sharing = sharing
    self.budget = budget
    self.decodedForms = decodedForms
  }

  /// Messages about classes of a class file that do not match the objects read so far.
  var notes: [String] { decodedForms.notes }

  /// Sends the value of the root if its name is `root` and there is no other; otherwise a dictionary of all
  /// roots.
  func read() throws(FerryError) {
    referenceCounts = try objects.referenceCounts()
    hasBegun = [Bool](repeating: false, count: objects.count)
    if refersToScalars {
      sendsLongScalarsOnce = try objects.repeatsOutweigh(sentLimit, among: referenceCounts)
    }
    if objects.hasOnlyRoot { return try sendTop(objects.top[0]) }
    try sink.beginDictionary(count: objects.top.count)
    for top in objects.top {
      try sink.key(BorrowedText(top.name.utf8.span))
      try sendTop(top)
    }
    try sink.endDictionary()
  }

  /// Sends the value of one node: an object, a reference, or an inline value.
  func read(from node: NodeID) throws(FerryError) {
    // A scalar has no references to count.
    if try !isScalar(node) {
      referenceCounts = try objects.referenceCounts(within: node)
      hasBegun = [Bool](repeating: false, count: objects.count)
      if refersToScalars {
        sendsLongScalarsOnce = try objects.repeatsOutweigh(sentLimit, among: referenceCounts)
      }
    }
    let object = try resolved(node)
    if case .dictionary(let count) = try nodes.kind(of: object),
      try objects.type(of: object, count: count) == nil
    {
      // The object is a class description or an inline dictionary.
      try send(object)
    } else {
      try sendObject(node)
    }
    try sendFrames()
  }

  /// Sends the decoded form of an object, or a part of it.
  ///
  /// - Parameter node: The node of the object.
  func read(_ decodedForm: DecodedForm, of node: NodeID) throws(FerryError) {
    referenceCounts = try objects.referenceCounts(within: node)
    hasBegun = [Bool](repeating: false, count: objects.count)
    try send(decodedForm)
    try sendFrames()
  }

  /// True if the node is a scalar, or a reference to one.
  private func isScalar(_ node: NodeID) throws(FerryError) -> Bool {
    try !nodes.kind(of: resolved(node)).isCollection
  }

  /// Sends a node that is an object or a reference to one.
  private func sendObject(_ node: NodeID) throws(FerryError) {
    guard case .dictionary(let count) = try nodes.kind(of: node),
      let type = try objects.type(of: node, count: count)
    else { return try send(node) }
    try send(node, count, of: type, nil)
  }

  private func sendTop(_ top: (name: String, node: NodeID)) throws(FerryError) {
    do throws(FerryError) {
      try send(top.node)
      try sendFrames()
    } catch {
      throw error.position.isEmpty ? error.placed(path: ValuePath([.key("$top"), .key(top.name)])) : error
    }
  }

  // MARK: Collections, one step at a time

  private func sendFrames() throws(FerryError) {
    while var frame = frames.popLast() {
      if frame.index == frame.count {
        try end(frame)
      } else {
        let (node, object) = (frame.node, frame.object)
        do throws(FerryError) {
          try sendNext(of: &frame)
        } catch {
          // In an XML file, nodes have no source location, but objects have a number.
          throw error.placed(at: nodes.position(of: node)).placed(at: Position(object: object?.index))
        }
      }
    }
  }

  /// Sends the next part of a frame. Pushes the frame back onto the stack, below the frame of the part.
  private func sendNext(of frame: inout Frame) throws(FerryError) {
    let index = frame.index
    frame.index += 1
    frames.append(frame)
    switch frame.content {
    case .array(let collection), .set(let collection):
      try send(try collection.element(index, in: nodes))
    case .keys:
      let key = try nodes.key(index, of: frame.node)
      if try nodes.isString(key, "$class") { return }
      try sendArchivedKey(key)
      try send(try nodes.value(index, of: frame.node))
    case .dictionary(let collection):
      if index.isMultiple(of: 2) {
        try sendKey(try collection.key(index / 2, in: nodes))
      } else {
        try send(try collection.element(index / 2, in: nodes))
      }
    case .list(let parts): try send(parts[index])
    case .record(let parts):
      let part = parts[index]
      try sink.key(BorrowedText(part.name.utf8.span))
      try send(part.decodedForm)
    case .value(let decodedForm): try send(decodedForm)
    case .objectKey: break
    }
  }

  private func end(_ frame: Frame) throws(FerryError) {
    switch frame.content {
    case .array, .list: try sink.endArray()
    case .set: try sink.endSet()
    case .dictionary, .keys, .record: try sink.endDictionary()
    case .objectKey: try sink.endKey()
    case .value: break
    }
    guard case .object(let identity) = frame.wrapper else { return }
    try sink.endObject()
    if sharing == .inFull, let identity { hasBegun[identity.index] = false }
  }

  private func begin(_ frame: Frame, of type: ObjectClass? = nil, identity: ObjectNumber? = nil)
    throws(FerryError)
  {
    guard frames.count < budget.depth else {
      throw FerryError(.overBudget(.depth(budget.depth)), at: nodes.position(of: frame.node))
    }
    try spend(0)
    var frame = frame
    if frame.object == nil { frame.object = frames.last?.object }
    if let type {
      try spend(type.name.utf8.count)
      try sink.beginObject(type, identity: identity?.index)
      frame.wrapper = .object(identity: identity)
    }
    switch frame.content {
    case .array, .list: try sink.beginArray(count: frame.count)
    case .set: try sink.beginSet(count: frame.count)
    case .dictionary(let collection): try sink.beginDictionary(count: collection.count)
    case .record: try sink.beginDictionary(count: frame.count)
    case .keys: try sink.beginDictionary(count: nil)
    case .objectKey: try sink.beginKey()
    case .value: break
    }
    frames.append(frame)
  }

  /// Sends a key of an object by its original name: without the `$` that the archiver adds to names that
  /// begin with `$`.
  private func sendArchivedKey(_ node: NodeID) throws(FerryError) {
    guard try nodes.kind(of: node) == .string else {
      throw FerryError(.archive(.malformed("an object's key is not a string")), at: nodes.position(of: node))
    }
    try nodes.withText(of: node) { text throws(FerryError) in
      try spend(text.utf8.count)
      guard text.utf8.starts(with: "$$") else { return try sink.key(text) }
      let unescaped = text.utf8.extracting(1..<text.utf8.count)
      try sink.key(BorrowedText(checked: unescaped, isASCII: text.isASCII, hasSurrogates: text.hasSurrogates))
    }
  }

  /// Sends the key of a dictionary: a string as `key`, any other value between `beginKey` and `endKey`.
  private func sendKey(_ node: NodeID) throws(FerryError) {
    let object = try resolved(node)
    if try nodes.kind(of: object) == .string {
      return try nodes.withText(of: object) { text throws(FerryError) in
        try spend(text.utf8.count)
        try sink.key(text)
      }
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

  private func send(_ node: NodeID) throws(FerryError) {
    switch try nodes.kind(of: node) {
    case .uid(let uid) where try objects.isNil(uid, referredFrom: node):
      try spend(0)
      try sink.null()
    case .uid(let uid):
      let object = try objects.node(of: uid, referredFrom: node)
      try send(ObjectNumber(Int(uid)), object)
    case .array, .set: if let frame = try collection(nil, node) { try begin(frame) }
    case .dictionary(let count): try begin(Frame(content: .keys, count: count, node: node))
    case let scalar: try send(scalar: scalar, node)
    }
  }

  private func send(scalar kind: NodeKind, _ node: NodeID) throws(FerryError) {
    try spend(0)
    let byteCount = try nodes.send(scalar: node, kind, to: sink)
    if byteCount > 0 { try spend(byteCount) }
  }

  /// Sends the object with a number in `$objects`.
  private func send(_ number: ObjectNumber, _ node: NodeID) throws(FerryError) {
    let kind = try nodes.kind(of: node)
    if case .uid = kind {
      throw FerryError(.archive(.malformed("object \(number) is a reference")), at: nodes.position(of: node))
    }
    guard case .dictionary(let count) = kind else { return try send(bare: number, node) }
    guard let type = try objects.type(of: node, count: count) else {
      throw FerryError(.archive(.malformed("object \(number) has no $class")), at: nodes.position(of: node))
    }
    try send(node, count, of: type, number)
  }

  /// Sends a scalar object without a class.
  private func send(bare number: ObjectNumber, _ node: NodeID) throws(FerryError) {
    guard sendsLongScalarsOnce, referenceCounts[number.index] > 1, try nodes.isLongScalar(node) else {
      return try send(node)
    }
    guard !hasBegun[number.index] else { return try sendReference(to: number) }
    hasBegun[number.index] = true
    try sink.beginObject(.none, identity: number.index)
    try send(node)
    try sink.endObject()
  }

  private func sendReference(to number: ObjectNumber) throws(FerryError) {
    try spend(0)
    try sink.reference(number.index)
  }

  /// Sends an object of a class.
  ///
  /// - Parameter number: The number of the object. Nil for an object at which a partial reading begins,
  ///   because nothing read there refers to it.
  private func send(_ node: NodeID, _ count: Int, of type: ObjectClass, _ number: ObjectNumber?)
    throws(FerryError)
  {
    let shared = number.flatMap { referenceCounts[$0.index] > 1 ? $0 : nil }
    if let shared, hasBegun[shared.index] { return try sendReference(to: shared) }
    let decodedForm = try decodedForms.decodedForm(of: type, node, count)
    if case .scalar(let value)? = decodedForm { return try send(value, type) }
    if case .archived(let part)? = decodedForm, try decodedForms.isScalar(part) {
      return try send(scalar: part, type)
    }
    var identity: ObjectNumber?
    if let shared, try hasIdentity(node, count, decodedForm) {
      hasBegun[shared.index] = true
      identity = shared
    }
    guard let decodedForm else { return try sendCollection(of: type, node, count, object: number, identity) }
    var frame = frame(for: decodedForm, at: node)
    frame.object = number
    try begin(frame, of: type, identity: identity)
  }

  // MARK: Decoded forms

  private func frame(for decodedForm: DecodedForm, at node: NodeID) -> Frame {
    switch decodedForm {
    case .scalar, .archived: Frame(content: .value(decodedForm), count: 1, node: node)
    case .list(let parts): Frame(content: .list(parts), count: parts.count, node: node)
    case .record(let parts): Frame(content: .record(parts), count: parts.count, node: node)
    }
  }

  /// Sends a part of a decoded form, or begins it if it is a list or a record.
  private func send(_ decodedForm: DecodedForm) throws(FerryError) {
    switch decodedForm {
    case .scalar(let value):
      try spend(value.weight)
      try value.replay(into: sink)
    case .archived(let node): try send(node)
    case .list, .record: try begin(frame(for: decodedForm, at: frames.last?.node ?? nodes.root))
    }
  }

  /// Sends the scalar that an object represents. The scalar is wrapped in an object of the class, unless the
  /// scalar alone implies the class.
  private func send(_ value: Value, _ type: ObjectClass) throws(FerryError) {
    let isPlain = type.isToldByItsValue
    try spend(value.weight)
    if !isPlain { try sink.beginObject(type, identity: nil) }
    try value.replay(into: sink)
    if !isPlain { try sink.endObject() }
  }

  private func send(scalar node: NodeID, _ type: ObjectClass) throws(FerryError) {
    let isPlain = type.isToldByItsValue
    if !isPlain { try sink.beginObject(type, identity: nil) }
    try send(node)
    if !isPlain { try sink.endObject() }
  }

  private func hasIdentity(_ node: NodeID, _ count: Int, _ decodedForm: DecodedForm?) throws(FerryError)
    -> Bool
  {
    switch sharing {
    case .identities, .inFull: return true
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

  private func sendCollection(
    of type: ObjectClass, _ node: NodeID, _ count: Int, object: ObjectNumber?, _ identity: ObjectNumber?
  ) throws(FerryError) {
    var frame = try collection(type, node) ?? Frame(content: .keys, count: count, node: node)
    frame.object = object
    let isPlain: Bool =
      switch (frame.content, type.name) {
      case (.array, "NSArray"), (.set, "NSSet"), (.dictionary, "NSDictionary"): identity == nil
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
  private func spend(_ bytes: Int) throws(FerryError) {
    sent += Budget.valueCost + bytes
    guard sent <= sentLimit else { throw budget.overAmplification }
  }
}

extension ObjectClass {
  /// Returns true if this is the named class, or if its archived superclasses contain the named class.
  func inherits(from name: String) -> Bool { self.name.equals(name) || chain.contains(exactly: name) }

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
