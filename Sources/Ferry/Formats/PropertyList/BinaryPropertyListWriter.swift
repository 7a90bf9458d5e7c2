/// A writer of binary property lists (`bplist00`), byte for byte as Apple's frameworks write them.
///
///     let output = MemoryOutput()
///     let writer = BinaryPropertyListWriter(to: output)
///     try BinaryPropertyList(bytes).replay(into: writer)
///     try writer.finish()
///
/// `BinaryPropertyList` describes the format. The width of references depends on the number of objects, so
/// the writer buffers the events and writes the file at the end.
public final class BinaryPropertyListWriter: ValueSink {
  /// The rule that decides which equal values are one object of the file.
  public enum Sharing: Hashable, Sendable {
    /// Equal strings, numbers, dates and data are one object, as in Apple's conversion of an XML property
    /// list.
    case equalScalars
    /// Equal keys, numbers, short strings and well-known class names are one object, as in the output of
    /// `NSKeyedArchiver`.
    case archiver
  }

  private static let format = "a binary property list"
  private let tree = PropertyListTree(for: format)
  private let output: any ByteOutput
  private let layout: BinaryLayout

  /// Creates a writer of one property list.
  ///
  /// - Parameters:
  ///   - output: The output, which gets the file at `finish`.
  ///   - sharing: The rule that decides which equal values are one object.
  public convenience init(to output: any ByteOutput, sharing: Sharing = .equalScalars) {
    self.init(to: output, layout: BinaryLayout(rule: sharing))
  }

  /// Creates a writer of one property list in the layout of another file. From the values of that file it
  /// writes the file's bytes.
  ///
  /// - Parameters:
  ///   - output: The output, which gets the file at `finish`.
  ///   - layout: The layout of the other file.
  public init(to output: any ByteOutput, layout: BinaryLayout) {
    self.output = output
    self.layout = layout
  }

  /// Writes a null object. Readers accept it, although Apple's writer never makes one.
  public func null() throws(FerryError) { try tree.null() }
  public func boolean(_ value: Bool) throws(FerryError) { try tree.boolean(value) }
  public func integer(_ value: Int128) throws(FerryError) { try tree.integer(value) }
  public func real(_ value: Double) throws(FerryError) { try tree.real(value) }
  public func single(_ value: Float) throws(FerryError) { try tree.single(value) }
  /// Throws: a binary property list cannot represent the number.
  public func number(_ text: BorrowedText) throws(FerryError) {
    throw cannotHold("the number \(String(text)), which no integer and no real is exactly")
  }
  public func string(_ text: BorrowedText) throws(FerryError) { try tree.string(text) }
  public func data(_ bytes: Span<UInt8>) throws(FerryError) { try tree.data(bytes) }
  public func date(_ secondsSince2001: Double) throws(FerryError) { try tree.date(secondsSince2001) }
  public func uid(_ number: UInt64) throws(FerryError) { try tree.uid(number) }
  public func beginArray(count: Int?) throws(FerryError) { try tree.beginArray(count: count) }
  public func endArray() throws(FerryError) { try tree.endArray() }
  public func beginSet(count: Int?) throws(FerryError) { try tree.beginSet(count: count) }
  public func endSet() throws(FerryError) { try tree.endSet() }
  public func beginDictionary(count: Int?) throws(FerryError) { try tree.beginDictionary(count: count) }
  public func key(_ text: BorrowedText) throws(FerryError) { try tree.key(text) }
  /// Begins a key that is not a string. Some readers accept such keys, others do not. Collections are
  /// refused.
  public func beginKey() throws(FerryError) { try tree.beginKey() }
  public func endKey() throws(FerryError) { try tree.endKey() }
  public func endDictionary() throws(FerryError) { try tree.endDictionary() }
  /// Throws: a binary property list has no objects of classes.
  public func beginObject(_ type: ObjectClass, identity: Int?) throws(FerryError) {
    throw cannotHold("an object")
  }
  /// Throws: a binary property list has no objects of classes.
  public func endObject() throws(FerryError) { throw cannotHold("an object") }
  /// Throws: a binary property list has no references to objects.
  public func reference(_ identity: Int) throws(FerryError) { throw cannotHold("a reference to an object") }

  /// Writes the file.
  public func finish() throws(FerryError) {
    try tree.finish()
    let order = try ObjectOrder(of: tree.arena, layout: layout, sharing: .noted(layout.deviations))
    try BinaryObjects.write(order, of: tree.arena, layout: layout, to: output)
  }

  private func cannotHold(_ kind: String) -> FerryError {
    FerryError(.cannotHold(.kind(kind, format: Self.format)))
  }
}
