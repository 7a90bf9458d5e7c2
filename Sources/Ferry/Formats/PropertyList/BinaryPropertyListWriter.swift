/// A writer of binary property lists (`bplist00`) with the same bytes as those of Apple's frameworks.
///
///     let output = MemoryOutput()
///     let writer = BinaryPropertyListWriter(to: output)
///     try BinaryPropertyList(bytes).replay(into: writer)
///     try writer.finish()
///
/// `BinaryPropertyList` documents the format. Because the width of references depends on the number of
/// objects, the writer buffers all events and writes the file in `finish`.
public final class BinaryPropertyListWriter: BatchSink {
  /// The rule by which equal values share an object of the file.
  public enum Sharing: Hashable, Sendable {
    /// Equal strings, numbers, dates and data share an object, as when Apple's tools convert an XML property
    /// list.
    case equalScalars
    /// Equal keys, numbers, short strings and class names of Foundation share an object, as in archives of
    /// `NSKeyedArchiver`.
    case archiver
  }

  private static let format = "a binary property list"
  private let tree: PropertyListTree
  private let output: any ByteOutput
  private let layout: BinaryLayout

  /// Creates a writer of a single property list.
  ///
  /// - Parameters:
  ///   - output: The output, to which `finish` writes the file.
  ///   - sharing: The rule by which equal values share an object.
  public convenience init(to output: any ByteOutput, sharing: Sharing = .equalScalars) {
    self.init(to: output, layout: BinaryLayout(rule: sharing))
  }

  /// Creates a writer with the layout of another file. If the values are those of that file, the output has
  /// the same bytes.
  ///
  /// - Parameters:
  ///   - output: The output, to which `finish` writes the file.
  ///   - layout: The layout of the other file.
  public init(to output: any ByteOutput, layout: BinaryLayout) {
    self.output = output
    self.layout = layout
    // If the layout has no deviations, equal scalars share an object. To find them now is faster, while they are in the cache.
    let sharesScalars = layout.rule == .equalScalars && layout.deviations.isEmpty
    tree = PropertyListTree(for: Self.format, budget: Budget(), sharesScalars: sharesScalars)
  }

  /// The output of a new archive, to which a `BinaryObjectBuilder` may write instead; nil if the layout of another file
  /// or another rule applies.
  var outputOfNewArchive: (any ByteOutput)? { layout == BinaryLayout(rule: .archiver) ? output : nil }

  /// Writes a null object. Apple's readers accept it, but Apple's writer never writes one.
  public func null() throws(FerryError) { try tree.null() }
  public func boolean(_ value: Bool) throws(FerryError) { try tree.boolean(value) }
  public func integer(_ value: Int128) throws(FerryError) { try tree.integer(value) }
  public func real(_ value: Double) throws(FerryError) { try tree.real(value) }
  public func single(_ value: Float) throws(FerryError) { try tree.single(value) }
  /// Throws an error, because a binary property list cannot represent a decimal with more digits than a real.
  public func number(_ text: BorrowedText) throws(FerryError) {
    throw Self.cannotHold(number: String(text))
  }
  public func string(_ text: BorrowedText) throws(FerryError) { try tree.string(text) }
  public func data(_ bytes: Span<UInt8>) throws(FerryError) { try tree.data(bytes) }
  public func date(_ secondsSince2001: Double) throws(FerryError) { try tree.date(secondsSince2001) }
  public func uid(_ number: UInt64) throws(FerryError) { try tree.uid(number) }
  public func beginArray(count: Int?) throws(FerryError) {
    try tree.checkNotInKey()
    try tree.beginArray(count: count)
  }
  public func endArray() throws(FerryError) { try tree.endArray() }
  public func beginSet(count: Int?) throws(FerryError) {
    try tree.checkNotInKey()
    try tree.beginSet(count: count)
  }
  public func endSet() throws(FerryError) { try tree.endSet() }
  public func beginDictionary(count: Int?) throws(FerryError) {
    try tree.checkNotInKey()
    try tree.beginDictionary(count: count)
  }
  public func key(_ text: BorrowedText) throws(FerryError) { try tree.key(text) }
  /// Begins a key that is not a string. Not all readers accept such keys. A collection as a key throws an
  /// error, because `BinaryPropertyList` cannot send it.
  public func beginKey() throws(FerryError) { try tree.beginKey() }
  public func endKey() throws(FerryError) { try tree.endKey() }
  public func endDictionary() throws(FerryError) { try tree.endDictionary() }
  /// Throws an error, because a binary property list cannot represent objects of classes.
  public func beginObject(_ type: ObjectClass, identity: Int?) throws(FerryError) {
    throw cannotHold("an object")
  }
  /// Throws an error, because a binary property list cannot represent objects of classes.
  public func endObject() throws(FerryError) { throw cannotHold("an object") }
  /// Throws an error, because a binary property list cannot represent references to objects.
  public func reference(_ identity: Int) throws(FerryError) { throw cannotHold("a reference to an object") }

  var prefersBatches: Bool { true }
  func receive(_ events: borrowing EventBatch) throws(EventFailure) {
    guard !events.contains(.number), !tree.isInKey else { return try receiveSingly(events) }
    try tree.receive(events)
  }

  /// Writes the file.
  public func finish() throws(FerryError) {
    try tree.finish()
    let isSettled = tree.arena.sharesScalars
    let order = try ObjectOrder(
      of: tree.arena, layout: layout, sharing: isSettled ? .settled : .noted(layout.deviations))
    try BinaryObjects.write(order, of: tree.arena, layout: layout, to: output)
  }

  /// Returns the error for a decimal that has more digits than a real.
  static func cannotHold(number text: String) -> FerryError {
    let kind = "the number \(MessageText.name(text)), which is not exactly an integer or a real"
    return FerryError(.cannotHold(.kind(kind, format: format)))
  }

  private func cannotHold(_ kind: String) -> FerryError {
    FerryError(.cannotHold(.kind(kind, format: Self.format)))
  }
}
