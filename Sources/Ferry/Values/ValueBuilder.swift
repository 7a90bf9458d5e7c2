/// A sink that builds a value in memory.
///
///     let builder = ValueBuilder()
///     try JSONReader(into: builder).readAll(bytes.span)
///     let value = try builder.result()
///
/// If a dictionary repeats a key, the entry keeps its position and gets the last value, as in most JSON
/// readers.
public final class ValueBuilder: ValueSink {
  private enum Frame {
    case array([Value])
    case set([Value])
    case dictionary(KeyedValues, key: Value?)
    case key(Value?)
    case object(ObjectClass, identity: Int?, Value?)
  }

  /// The maximum nesting depth of a value. Values are released and compared recursively, on the stack of any
  /// thread.
  static let depthLimit = 4096

  private var frames: [Frame] = []
  private var root: Value?

  /// Creates a builder of a single value.
  public init() {}

  /// Returns the value. Throws if it is incomplete.
  public func result() throws(FerryError) -> Value {
    guard frames.isEmpty, let root else { throw misplaced("the end") }
    return root
  }

  /// Returns the value, and makes room for another one. Throws if the value is incomplete.
  func take() throws(FerryError) -> Value {
    defer { (frames, root) = ([], nil) }
    return try result()
  }

  private func misplaced(_ event: String) -> FerryError { FerryError(.cannotHold(.misplaced(event))) }

  private func add(_ value: Value) throws(FerryError) {
    guard let last = frames.popLast() else {
      guard root == nil else { throw misplaced("a second value") }
      root = value
      return
    }
    // The value is consumed, so that its array has one owner and is not copied by appending.
    switch consume last {
    case .array(var values):
      values.append(value)
      frames.append(.array(values))
    case .set(var values):
      values.append(value)
      frames.append(.set(values))
    case .dictionary(var values, let key):
      guard let key else { throw misplaced("a value without a key") }
      values[key] = value
      frames.append(.dictionary(values, key: nil))
    case .key(nil): frames.append(.key(value))
    case .object(let type, let identity, nil): frames.append(.object(type, identity: identity, value))
    case .key, .object: throw misplaced("a second value")
    }
  }

  private func begin(_ frame: Frame) throws(FerryError) {
    guard frames.count < Self.depthLimit else { throw FerryError(.overBudget(.fixedDepth(Self.depthLimit))) }
    frames.append(frame)
  }

  private func setKey(_ key: Value) throws(FerryError) {
    guard case .dictionary(let values, key: nil)? = frames.popLast() else { throw misplaced("a key") }
    frames.append(.dictionary(values, key: key))
  }

  public func null() throws(FerryError) { try add(.null) }
  public func boolean(_ value: Bool) throws(FerryError) { try add(.boolean(value)) }
  public func integer(_ value: Int128) throws(FerryError) { try add(.integer(value)) }
  public func real(_ value: Double) throws(FerryError) { try add(.real(value)) }
  public func single(_ value: Float) throws(FerryError) { try add(.single(value)) }
  public func number(_ text: BorrowedText) throws(FerryError) { try add(.number(String(text))) }
  public func string(_ text: BorrowedText) throws(FerryError) { try add(Value(text)) }
  public func data(_ bytes: Span<UInt8>) throws(FerryError) { try add(.data([UInt8](copying: bytes))) }
  public func date(_ secondsSince2001: Double) throws(FerryError) {
    try add(.date(secondsSince2001: secondsSince2001))
  }
  public func uid(_ number: UInt64) throws(FerryError) { try add(.uid(number)) }
  public func reference(_ identity: Int) throws(FerryError) { try add(.reference(identity)) }

  public func beginArray(count: Int?) throws(FerryError) { try begin(.array([])) }
  public func endArray() throws(FerryError) {
    guard case .array(let values)? = frames.popLast() else { throw misplaced("the end of an array") }
    try add(.array(values))
  }
  public func beginSet(count: Int?) throws(FerryError) { try begin(.set([])) }
  public func endSet() throws(FerryError) {
    guard case .set(let values)? = frames.popLast() else { throw misplaced("the end of a set") }
    try add(.set(values))
  }
  public func beginDictionary(count: Int?) throws(FerryError) {
    try begin(.dictionary(KeyedValues(), key: nil))
  }
  public func key(_ text: BorrowedText) throws(FerryError) { try setKey(Value(text)) }
  public func beginKey() throws(FerryError) { try begin(.key(nil)) }
  public func endKey() throws(FerryError) {
    guard case .key(let key?)? = frames.popLast() else { throw misplaced("the end of a key") }
    try setKey(key)
  }
  public func endDictionary() throws(FerryError) {
    guard case .dictionary(let values, key: nil)? = frames.popLast() else {
      throw misplaced("the end of a dictionary")
    }
    try add(.dictionary(values))
  }
  public func beginObject(_ type: ObjectClass, identity: Int?) throws(FerryError) {
    try begin(.object(type, identity: identity, nil))
  }
  public func endObject() throws(FerryError) {
    guard case .object(let type, let identity, let content?)? = frames.popLast() else {
      throw misplaced("the end of an object")
    }
    try add(.object(ObjectValue(type, identity: identity, content: content)))
  }
  public func finish() throws(FerryError) { _ = try result() }
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
