/// A file whose value is decoded, and which is read again to find the source location of an error.
struct DecodedSource {
  let input: any ByteInput
  let name: String?
  let options: ReadingOptions
  /// True to locate values at their beginnings, as far as the readers do, and not at the place to which they have been read.
  var locatesBeginnings = false

  /// Reads the value.
  func value() throws(FerryError) -> Value {
    let builder = ValueBuilder()
    try read(into: builder)
    return try builder.result()
  }

  /// Sends the value to a sink.
  func read(into sink: some ValueSink) throws(FerryError) {
    try options.read(input, named: name, into: sink)
  }

  /// Returns the source location of the value at a path, or nil if it is not known: for example, a pipe cannot be read again.
  ///
  /// The events have no locations, because nearly all files are decoded without an error. Therefore the file is read again: once to count
  /// the values at the path, because the last one of a repeated key is decoded, and once up to the last one.
  func location(of path: ValuePath) -> InputLocation? {
    let counting = PlacingSink(at: path, number: .max)
    _ = readAgain(into: counting, nil)
    let placing = PlacingSink(at: path, number: counting.count)
    let locator = locatesBeginnings ? SourceLocator(locatesValues: true) : nil
    guard let end = readAgain(into: placing, locator), end.isStop, placing.count == counting.count else {
      return nil
    }
    if let beginning = locator?.location, !beginning.isEmpty { return beginning }
    return end.location.isEmpty ? nil : end.location
  }

  /// Reads the file again. Returns the error that has ended the reading.
  private func readAgain(into sink: PlacingSink, _ locator: SourceLocator?) -> FerryError? {
    do throws(FerryError) {
      try input.rewind()
      try options.read(input, named: name, into: sink, locator: locator)
      return nil
    } catch {
      return error
    }
  }
}

/// A sink that throws an error at the value at a path. The reader adds the source location to it.
private final class PlacingSink: ValueSink {
  /// The number of values at the path so far.
  private(set) var count = 0
  private let path: ValuePath
  private let number: Int
  private var tracker = PathTracker()
  /// The number of open keys that are not strings.
  private var openKeys = 0
  /// The text of the open key if it is a scalar, which is its name in the path of a decoded type.
  private var keyText: String?

  /// - Parameter number: The number of the value at which the error is thrown.
  init(at path: ValuePath, number: Int) { (self.path, self.number) = (path, number) }

  private func begin() throws(FerryError) {
    guard openKeys == 0, tracker.isAt(path) else { return }
    count += 1
    // Only the source location of this error is used.
    if count == number { throw .stopped }
  }

  private func scalar(_ value: @autoclosure () -> Value = .array([])) throws(FerryError) {
    try begin()
    if openKeys == 0 { tracker.finishValue() } else { keyText = value().plainText }
  }

  private func beginList() throws(FerryError) {
    try begin()
    if openKeys == 0 { tracker.beginList() }
  }

  // A key that is a collection has no text.
  private func end() { if openKeys == 0 { tracker.end() } else { keyText = nil } }

  func null() throws(FerryError) { try scalar(.null) }
  func boolean(_ value: Bool) throws(FerryError) { try scalar(.boolean(value)) }
  func integer(_ value: Int128) throws(FerryError) { try scalar(.integer(value)) }
  func real(_ value: Double) throws(FerryError) { try scalar(.real(value)) }
  func single(_ value: Float) throws(FerryError) { try scalar(.single(value)) }
  func number(_ text: BorrowedText) throws(FerryError) {
    if openKeys > 0 { keyText = String(text) } else { try scalar() }
  }
  func string(_ text: BorrowedText) throws(FerryError) {
    if openKeys > 0 { keyText = String(escapingSurrogatesOf: text) } else { try scalar() }
  }
  func data(_ bytes: Span<UInt8>) throws(FerryError) {
    if openKeys > 0 { keyText = Value.data([UInt8](copying: bytes)).plainText } else { try scalar() }
  }
  func date(_ secondsSince2001: Double) throws(FerryError) {
    try scalar(.date(secondsSince2001: secondsSince2001))
  }
  func uid(_ number: UInt64) throws(FerryError) { try scalar() }
  func reference(_ identity: Int) throws(FerryError) { try scalar() }
  func beginArray(count: Int?) throws(FerryError) { try beginList() }
  func endArray() { end() }
  func beginSet(count: Int?) throws(FerryError) { try beginList() }
  func endSet() { end() }
  func beginDictionary(count: Int?) throws(FerryError) {
    try begin()
    if openKeys == 0 { tracker.beginDictionary() }
  }
  func key(_ text: BorrowedText) { if openKeys == 0 { tracker.key(text.utf8) } }
  func beginKey() {
    openKeys += 1
    keyText = nil
  }
  func endKey() {
    openKeys -= 1
    guard openKeys == 0 else { return }
    let text = Array((keyText ?? "").utf8)
    tracker.key(text.span)
  }
  func endDictionary() { end() }
  func beginObject(_ type: ObjectClass, identity: Int?) throws(FerryError) { try begin() }
  func endObject() {}
  func finish() {}
}
