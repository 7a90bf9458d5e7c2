/// A receiver of the property list of an archive, object by object.
///
/// Unlike a `ValueSink`, it receives all keys of a dictionary before the values, as a binary file has them.
protocol ArchivePropertyReceiver: ~Copyable {
  /// Begins a dictionary with these keys. As many values follow, in the order of the keys.
  mutating func beginDictionary(_ keys: BinaryObjectBuilder.Keys) throws(FerryError)
  mutating func endDictionary() throws(FerryError)
  /// Begins an array with a number of elements.
  mutating func beginArray(count: Int) throws(FerryError)
  mutating func endArray() throws(FerryError)
  /// Tells the receiver that an object of the archive is complete.
  mutating func didReceiveObject() throws(FerryError)
  /// Receives a reference to an object of the archive.
  mutating func uid(_ number: ObjectNumber) throws(FerryError)
  mutating func string(_ text: BorrowedText) throws(FerryError)
  mutating func integer(_ value: Int128) throws(FerryError)
  /// Receives the value at a tape index, which is a scalar or a key. A key is received as a string.
  mutating func value(at tapeIndex: TapeIndex, of tape: EventTape) throws(FerryError)
  /// Receives a scalar that a class codec has made.
  mutating func value(_ value: Value) throws(FerryError)
}

extension BinaryObjectBuilder: ArchivePropertyReceiver {
  mutating func didReceiveObject() throws(FerryError) { try writeCompletePart() }
  mutating func endDictionary() { end() }
  mutating func endArray() { end() }
  mutating func uid(_ number: ObjectNumber) { uid(number.index) }

  mutating func value(at index: TapeIndex, of tape: EventTape) throws(FerryError) {
    switch tape.kind(at: index) {
    case .string, .key: string(tape.text(at: index))
    case .integer: try integer(tape.integer(at: index))
    case .real: real(tape.real(at: index))
    case .boolean: boolean(tape.boolean(at: index))
    case .single: single(tape.single(at: index))
    case .data: data(tape.data(at: index))
    case .date: date(tape.real(at: index))
    case .null: null()
    default: throw FerryError(.archive(.badEvents("an object holds no value that an archive has")))
    }
  }

  mutating func value(_ value: Value) throws(FerryError) {
    switch value {
    case .null: null()
    case .boolean(let value): boolean(value)
    case .integer(let value): try integer(value)
    case .real(let value): real(value)
    case .single(let value): single(value)
    case .string(let text): string(BorrowedText(text.utf8.span))
    case .data(let bytes): data(bytes.span)
    case .date(let seconds): date(seconds)
    default: throw FerryError(.archive(.badEvents("an object holds no value that an archive has")))
    }
  }
}

/// A receiver that sends the property list as events.
struct ArchivePropertyEvents: ArchivePropertyReceiver {
  private let sink: any ValueSink
  /// The keys of the open dictionaries that are not yet sent; no keys for an array.
  private var open: [ArraySlice<String>] = []

  init(to sink: any ValueSink) { self.sink = sink }

  func didReceiveObject() {}

  /// Sends the key of the next value, if it is in a dictionary.
  private mutating func sendKey() throws(FerryError) {
    guard let key = open.last?.first else { return }
    open[open.count - 1].removeFirst()
    try sink.key(BorrowedText(key.utf8.span))
  }

  mutating func beginDictionary(_ keys: BinaryObjectBuilder.Keys) throws(FerryError) {
    try sendKey()
    try sink.beginDictionary(count: keys.names.count)
    open.append(keys.names[...])
  }

  mutating func endDictionary() throws(FerryError) {
    open.removeLast()
    try sink.endDictionary()
  }

  mutating func beginArray(count: Int) throws(FerryError) {
    try sendKey()
    try sink.beginArray(count: count)
    open.append([])
  }

  mutating func endArray() throws(FerryError) {
    open.removeLast()
    try sink.endArray()
  }

  mutating func uid(_ number: ObjectNumber) throws(FerryError) {
    try sendKey()
    try sink.uid(number.uid)
  }

  mutating func string(_ text: BorrowedText) throws(FerryError) {
    try sendKey()
    try sink.string(text)
  }

  mutating func integer(_ value: Int128) throws(FerryError) {
    try sendKey()
    try sink.integer(value)
  }

  mutating func value(at index: TapeIndex, of tape: EventTape) throws(FerryError) {
    try sendKey()
    guard tape.kind(at: index) == .key else { return try tape.replay(valueAt: index, into: sink) }
    try sink.string(tape.text(at: index))
  }

  mutating func value(_ value: Value) throws(FerryError) {
    try sendKey()
    try value.replay(into: sink)
  }
}
