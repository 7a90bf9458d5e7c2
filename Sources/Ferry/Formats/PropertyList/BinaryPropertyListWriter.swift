/// Writes a binary property list (`bplist00`), byte for byte as Apple's frameworks write it.
///
///     let output = MemoryOutput()
///     let writer = BinaryPropertyListWriter(to: output)
///     try BinaryPropertyList(bytes).replay(into: writer)
///     try writer.finish()
///
/// The layout is described at `BinaryPropertyList`. References to objects are as wide as the number of objects wants, so
/// the events are gathered and everything is written at the end.
public final class BinaryPropertyListWriter: ValueSink {
  /// Which equal values are one object of the file.
  public enum Sharing: Hashable, Sendable {
    /// Strings, numbers, dates and data that are equal: what Apple's tools write for an XML property list.
    case equalScalars
    /// Equal keys, numbers, short strings and well-known class names: what `NSKeyedArchiver` writes.
    case archiver
  }

  private static let format = "a binary property list"
  private let tree = PropertyListTree(for: format)
  private let output: any ByteOutput
  private let layout: BinaryLayout

  /// A writer of one property list.
  public convenience init(to output: any ByteOutput, sharing: Sharing = .equalScalars) {
    self.init(to: output, layout: BinaryLayout(rule: sharing))
  }

  /// A writer of one property list in a layout of its own: of the values of the file that the layout is from, it writes
  /// the file's bytes.
  public init(to output: any ByteOutput, layout: BinaryLayout) {
    self.output = output
    self.layout = layout
  }

  /// Written as such; readers know it, although Apple's writer never makes one.
  public func null() throws(Failure) { try tree.null() }
  public func boolean(_ value: Bool) throws(Failure) { try tree.boolean(value) }
  public func integer(_ value: Int128) throws(Failure) { try tree.integer(value) }
  public func real(_ value: Double) throws(Failure) { try tree.real(value) }
  public func single(_ value: Float) throws(Failure) { try tree.single(value) }
  /// Refused.
  public func number(_ text: Text) throws(Failure) {
    throw cannotHold("the number \(String(text)), which no integer and no real is exactly")
  }
  public func string(_ text: Text) throws(Failure) { try tree.string(text) }
  public func data(_ bytes: Span<UInt8>) throws(Failure) { try tree.data(bytes) }
  public func date(_ secondsSince2001: Double) throws(Failure) { try tree.date(secondsSince2001) }
  public func uid(_ number: UInt64) throws(Failure) { try tree.uid(number) }
  public func beginArray(count: Int?) throws(Failure) { try tree.beginArray(count: count) }
  public func endArray() throws(Failure) { try tree.endArray() }
  public func beginSet(count: Int?) throws(Failure) { try tree.beginSet(count: count) }
  public func endSet() throws(Failure) { try tree.endSet() }
  public func beginDictionary(count: Int?) throws(Failure) { try tree.beginDictionary(count: count) }
  public func key(_ text: Text) throws(Failure) { try tree.key(text) }
  /// A key that is not a string: some readers take it, some do not. Collections are refused.
  public func beginKey() throws(Failure) { try tree.beginKey() }
  public func endKey() throws(Failure) { try tree.endKey() }
  public func endDictionary() throws(Failure) { try tree.endDictionary() }
  /// Refused.
  public func beginObject(_ type: ObjectClass, identity: Int?) throws(Failure) {
    throw cannotHold("an object")
  }
  /// Refused.
  public func endObject() throws(Failure) { throw cannotHold("an object") }
  /// Refused.
  public func reference(_ identity: Int) throws(Failure) { throw cannotHold("a reference to an object") }

  /// Writes the file.
  public func finish() throws(Failure) {
    try tree.finish()
    let order = try ObjectOrder(of: tree.arena, layout: layout, sharing: .noted(layout.deviations))
    try BinaryObjects.write(order, of: tree.arena, layout: layout, to: output)
  }

  private func cannotHold(_ kind: String) -> Failure {
    Failure(.cannotHold(.kind(kind, format: Self.format)))
  }
}
