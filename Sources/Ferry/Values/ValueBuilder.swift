/// A sink that builds a value in memory.
///
///     let builder = ValueBuilder()
///     try JSONReader(into: builder).readAll(bytes.span)
///     let value = try builder.result()
///
/// If a dictionary repeats a key, the entry keeps its position and gets the last value, as in most JSON
/// readers.
public final class ValueBuilder: ValueSink {
  /// The maximum nesting depth of a value. Values are released and compared recursively, on the stack of any
  /// thread.
  static let depthLimit = 4096

  /// A struct, so that an event needs a single exclusive access to the builder.
  private var tree = ValueTree()

  /// Creates a builder of a single value.
  public init() {}

  /// Returns the value. Throws if it is incomplete.
  public func result() throws(FerryError) -> Value { try tree.result() }

  /// Returns the value, and makes room for another one. Throws if the value is incomplete.
  func take() throws(FerryError) -> Value {
    defer { tree.removeAll() }
    return try result()
  }

  /// Removes what was received of a value.
  func removeAll() { tree.removeAll() }

  /// The path of the value that is being received, or of the last one in its collection.
  var path: ValuePath { tree.path }
  /// True if nothing was received of a value.
  var isEmpty: Bool { tree.isEmpty }
  /// True if a whole value was received.
  var isComplete: Bool { tree.isComplete }
  /// True if only the beginnings of objects were received, or nothing.
  var hasOnlyOpenObjects: Bool { tree.hasOnlyOpenObjects }
  /// The number of keys that occurred twice in one dictionary, in all values that were received.
  var repeatedKeyCount: Int { tree.repeatedKeyCount }
  /// The approximate size of the value in bytes, as the budget counts it.
  var weight: Int { tree.weight }

  /// Receives the elements of one array of the value, which then has none of them. Nil to keep all elements.
  var elements: (any ElementReceiver)?
  /// True if a dictionary around that array repeats a key, so that another value may have replaced the array.
  var mayHaveReplacedElements: Bool { tree.mayHaveReplacedElements }

  public func null() throws(FerryError) { try tree.add(.null) }
  public func boolean(_ value: Bool) throws(FerryError) { try tree.add(.boolean(value)) }
  public func integer(_ value: Int128) throws(FerryError) { try tree.add(.integer(value)) }
  public func real(_ value: Double) throws(FerryError) { try tree.add(.real(value)) }
  public func single(_ value: Float) throws(FerryError) { try tree.add(.single(value)) }
  public func number(_ text: BorrowedText) throws(FerryError) {
    try tree.add(.number(String(text)), bytes: text.utf8.count)
  }
  public func string(_ text: BorrowedText) throws(FerryError) {
    try tree.add(Value(text), bytes: text.utf8.count)
  }
  public func data(_ bytes: Span<UInt8>) throws(FerryError) {
    try tree.add(.data([UInt8](copying: bytes)), bytes: bytes.count)
  }
  public func date(_ secondsSince2001: Double) throws(FerryError) {
    try tree.add(.date(secondsSince2001: secondsSince2001))
  }
  public func uid(_ number: UInt64) throws(FerryError) { try tree.add(.uid(number)) }
  public func reference(_ identity: Int) throws(FerryError) { try tree.add(.reference(identity)) }

  public func beginArray(count: Int?) throws(FerryError) {
    try tree.begin(.array)
    guard let elements, !tree.handsOnElements else { return }
    try elements.begin(at: tree.arrayPlace)
    tree.handOnElements(to: elements)
  }
  public func endArray() throws(FerryError) { try tree.endList(.array) }
  public func beginSet(count: Int?) throws(FerryError) { try tree.begin(.set) }
  public func endSet() throws(FerryError) { try tree.endList(.set) }
  public func beginDictionary(count: Int?) throws(FerryError) { try tree.begin(.dictionary) }
  public func key(_ text: BorrowedText) throws(FerryError) { try tree.setKey(Value(text)) }
  public func beginKey() throws(FerryError) { try tree.begin(.key) }
  public func endKey() throws(FerryError) { try tree.endKey() }
  public func endDictionary() throws(FerryError) { try tree.endDictionary() }
  public func beginObject(_ type: ObjectClass, identity: Int?) throws(FerryError) {
    try tree.begin(.object, type, identity: identity)
  }
  public func endObject() throws(FerryError) { try tree.endObject() }
  public func finish() throws(FerryError) { _ = try result() }
}

/// A receiver of the elements of an array in a value that a `ValueBuilder` builds. It must not call the builder.
protocol ElementReceiver: AnyObject {
  /// Called at the beginning of the first array.
  ///
  /// - Parameter place: The place of the array; nil if it is in other collections than dictionaries, or in an object.
  /// - Throws: An error that ends the reading.
  func begin(at place: ArrayPlace?) throws(FerryError)
  /// Called with each element of the array.
  func receive(_ element: Value) throws(FerryError)
}

/// The place of an array that begins in a value.
struct ArrayPlace {
  /// The keys that lead to the array.
  let keys: [Value]
  /// The value as received so far, with the array, which is empty.
  let whole: Value
}

/// A value of which a part has been received.
private struct ValueTree {
  enum Kind { case array, set, dictionary, key, object }

  /// An open collection, key or object.
  struct Frame {
    let kind: Kind
    /// The elements of an array or a set.
    var elements: [Value] = []
    /// The entries of a dictionary.
    var entries = ReceivedEntries()
    var repeatedKeys: Set<Value> = []
    /// The key of a dictionary's next entry, or the value that is a key or an object's content.
    var value: Value?
    /// The class and the identity of an object.
    var type: ObjectClass?
    var identity: Int?
  }

  private var frames: [Frame] = []
  /// The whole value.
  private var root: Value?
  private(set) var weight = 0
  private(set) var repeatedKeyCount = 0
  /// The keys of the last dictionaries, for each nesting depth.
  private var lastKeys: [LastKeys] = []
  /// The receiver of the elements of an array, and the nesting depth of the array.
  private var receiver: (any ElementReceiver)?
  private var receiverDepth = -1
  /// True if a dictionary above that depth has repeated a key since the array began.
  private(set) var mayHaveReplacedElements = false

  func result() throws(FerryError) -> Value {
    guard frames.isEmpty, let root else { throw misplaced("the end") }
    return root
  }

  mutating func removeAll() { (frames, root, weight) = ([], nil, 0) }

  /// The path of the value that is being received. A value in a key that is not a string has that of its dictionary.
  var path: ValuePath {
    var steps: [ValuePath.Step] = []
    for (depth, frame) in frames.enumerated() {
      switch frame.kind {
      case .array, .set: steps.append(.index(frame.elements.count))
      case .dictionary:
        let isInKey = depth + 1 < frames.count && frames[depth + 1].kind == .key
        let key = isInKey ? nil : frame.value ?? frame.entries.lastKey
        if let name = key?.pathText { steps.append(.key(name)) }
      case .object: break
      case .key: return ValuePath(steps)
      }
    }
    return ValuePath(steps)
  }

  var isEmpty: Bool { frames.isEmpty && root == nil }
  var isComplete: Bool { root != nil }
  var hasOnlyOpenObjects: Bool { root == nil && frames.allSatisfy { $0.kind == .object && $0.value == nil } }

  func misplaced(_ event: String) -> FerryError { FerryError(.cannotHold(.misplaced(event))) }

  /// Adds a value, whose text or data has a number of bytes.
  mutating func add(_ value: Value, bytes: Int = 0) throws(FerryError) {
    weight += Budget.valueCost + bytes
    let last = frames.count - 1
    guard last >= 0 else {
      guard root == nil else { throw misplaced("a second value") }
      root = value
      return
    }
    switch frames[last].kind {
    case .array, .set:
      if last == receiverDepth, let receiver {
        try receiver.receive(value)
      } else {
        frames[last].elements.append(value)
      }
    case .dictionary:
      guard let key = frames[last].value else { throw misplaced("a value without a key") }
      frames[last].value = nil
      if frames[last].entries.isEmpty { frames[last].entries.expect(lastKeys[last].keys(after: key)) }
      guard !frames[last].entries.set(value, for: key) else { return }
      if last < receiverDepth { mayHaveReplacedElements = true }
      if frames[last].repeatedKeys.insert(key).inserted { repeatedKeyCount += 1 }
    case .key, .object:
      guard frames[last].value == nil else { throw misplaced("a second value") }
      frames[last].value = value
    }
  }

  mutating func begin(_ kind: Kind, _ type: ObjectClass? = nil, identity: Int? = nil) throws(FerryError) {
    let depth = frames.count
    guard depth < ValueBuilder.depthLimit else {
      throw FerryError(.overBudget(.fixedDepth(ValueBuilder.depthLimit)))
    }
    if depth == lastKeys.count { lastKeys.append(LastKeys()) }
    frames.append(Frame(kind: kind, type: type, identity: identity))
  }

  var handsOnElements: Bool { receiver != nil }

  /// Hands on the elements of the array that has just begun.
  mutating func handOnElements(to receiver: any ElementReceiver) {
    (self.receiver, receiverDepth) = (receiver, frames.count - 1)
  }

  /// The place of the array that has just begun; nil if it is in other collections than dictionaries, or in an object.
  var arrayPlace: ArrayPlace? {
    var place = ArrayPlace(keys: [], whole: .array([]))
    for frame in frames.dropLast().reversed() {
      guard frame.kind == .dictionary, let key = frame.value else { return nil }
      var entries = frame.entries.all
      entries[key] = place.whole
      place = ArrayPlace(keys: [key] + place.keys, whole: .dictionary(entries))
    }
    return place
  }

  mutating func setKey(_ key: Value) throws(FerryError) {
    let last = frames.count - 1
    guard last >= 0, frames[last].kind == .dictionary, frames[last].value == nil else {
      throw misplaced("a key")
    }
    frames[last].value = key
  }

  mutating func endList(_ kind: Kind) throws(FerryError) {
    let last = frames.count - 1
    guard last >= 0, frames[last].kind == kind, let elements = frames.popLast()?.elements else {
      throw misplaced("the end of \(kind == .set ? "a set" : "an array")")
    }
    try add(kind == .set ? .set(elements) : .array(elements))
  }

  mutating func endDictionary() throws(FerryError) {
    let last = frames.count - 1
    guard last >= 0, frames[last].kind == .dictionary, frames[last].value == nil, let frame = frames.popLast()
    else {
      throw misplaced("the end of a dictionary")
    }
    try add(.dictionary(lastKeys[last].entries(frame.entries)))
  }

  mutating func endKey() throws(FerryError) {
    guard frames.last?.kind == .key, let key = frames.last?.value else { throw misplaced("the end of a key") }
    frames.removeLast()
    try setKey(key)
  }

  mutating func endObject() throws(FerryError) {
    guard frames.last?.kind == .object, let content = frames.last?.value, let frame = frames.popLast(),
      let type = frame.type
    else { throw misplaced("the end of an object") }
    try add(.object(ObjectValue(type, identity: frame.identity, content: content)))
  }
}

extension Value {
  /// Creates a string value from a text.
  public init(_ text: borrowing BorrowedText) {
    self = text.hasSurrogates ? .unpairedString(text.utf16) : .string(String(text))
  }

  /// Sends the value to a sink in the same way as a reader. Does not call `finish`.
  ///
  /// - Throws: An error of the sink.
  public func replay(into sink: some ValueSink) throws(FerryError) {
    switch self {
    case .null: try sink.null()
    case .boolean(let value): try sink.boolean(value)
    case .integer(let value): try sink.integer(value)
    case .real(let value): try sink.real(value)
    case .single(let value): try sink.single(value)
    case .number(let text): try sink.number(BorrowedText(text.utf8.span))
    case .string(let text): try sink.string(BorrowedText(text.utf8.span))
    case .unpairedString(let units):
      let bytes = generalizedUTF8(units)
      try sink.string(BorrowedText(checked: bytes.span, isASCII: false, hasSurrogates: true))
    case .data(let bytes): try sink.data(bytes.span)
    case .date(let seconds): try sink.date(seconds)
    case .uid(let number): try sink.uid(number)
    case .reference(let identity): try sink.reference(identity)
    case .array(let values):
      try sink.beginArray(count: values.count)
      for value in values { try value.replay(into: sink) }
      try sink.endArray()
    case .set(let values):
      try sink.beginSet(count: values.count)
      for value in values { try value.replay(into: sink) }
      try sink.endSet()
    case .dictionary(let values):
      try sink.beginDictionary(count: values.count)
      for (key, value) in values {
        try key.replay(asKeyInto: sink)
        try value.replay(into: sink)
      }
      try sink.endDictionary()
    case .object(let object):
      try sink.beginObject(object.type, identity: object.identity)
      try object.content.replay(into: sink)
      try sink.endObject()
    }
  }

  private func replay(asKeyInto sink: some ValueSink) throws(FerryError) {
    switch self {
    case .string(let text): try sink.key(BorrowedText(text.utf8.span))
    case .unpairedString(let units):
      let bytes = generalizedUTF8(units)
      try sink.key(BorrowedText(checked: bytes.span, isASCII: false, hasSurrogates: true))
    default:
      try sink.beginKey()
      try replay(into: sink)
      try sink.endKey()
    }
  }
}
