/// A writer of keyed archives in the layout of `NSKeyedArchiver` on macOS.
///
/// Objects can be numbered only when all of them are known, so the writer buffers the events on a tape.
/// `finish` numbers the objects, and sends the archive's property list to a binary or an XML writer.
///
/// An object is numbered at its first reference, followed by the objects that it refers to, depth first, and
/// then by its class if this is the first object of the class. `[{"first": "Ada"}]` becomes:
///
///     0 $null     1 {NS.objects: [@2], $class: @6}     2 {NS.keys: [@3], NS.objects: [@4], $class: @5}
///     3 first     4 Ada     5 {$classname: NSDictionary, …}     6 {$classname: NSArray, …}
///
/// Equal numbers and booleans become one object. Equal strings become one object if they are short enough for
/// a tagged pointer on macOS. In an object of a class, numbers and booleans are stored inline, and all other
/// values as references.
///
/// If an object of a class in the catalog contains a decoded form, its codec determines the archived keys. If
/// it contains a dictionary of archived keys, these are written.
final class ArchiveWriter: ForwardingSink, BatchSink {
  private let tapeSink = TapeSink()
  private let output: any ValueSink
  private let keyOrder: ArchiveKeyOrder
  private let shapes: ArchivedShapes
  private let storage: ArchivedStorage
  private let top: ArchiveTop
  /// After `finish`, the number of each object that has an identity.
  private(set) var numbersByIdentity: [Int: ObjectNumber] = [:]

  /// Creates a writer that sends the archive's property list to `output`, and finishes `output`.
  init(
    to output: any ValueSink, keyOrder: ArchiveKeyOrder, catalog: ClassCatalog = .standard,
    decodedForms: DecodedFormUse = .all, storage: ArchivedStorage = ArchivedStorage(),
    top: ArchiveTop = ArchiveTop()
  ) {
    self.output = output
    (self.storage, self.top) = (storage, top)
    self.keyOrder = keyOrder
    shapes = ArchivedShapes(catalog, decodedForms, storage)
    super.init(to: tapeSink)
  }

  var prefersBatches: Bool { true }

  func receive(_ events: borrowing EventBatch) throws(EventFailure) { try tapeSink.receive(events) }

  override func finish() throws(FerryError) {
    let isWhole = try tapeSink.withTape { tape throws(FerryError) in
      tape.isBalanced && tape.count > 0 && tape.next(after: .start) == tape.end
    }
    guard isWhole else { throw FerryError(.archive(.badEvents("an archive holds one whole value"))) }
    var numbering = ArchiveNumbering(shapes, storage)
    let roots = try tapeSink.withTape { tape throws(FerryError) -> ArchiveRoots in
      if top.hasInlineRoot(of: tape, storage) { return .inline }
      guard top.hasRoots(of: tape) else { return .object(try numbering.number(&tape)) }
      try numbering.numberRoots(&tape)
      return .entries
    }
    numbersByIdentity = numbering.numbersByIdentity
    try send(numbering, roots)
  }

  /// Writes an archive of one object with the given keys. Received values are ignored.
  func finish(with keys: [ArchivedEntry], of type: ObjectClass) throws(FerryError) {
    var numbering = ArchiveNumbering(shapes, storage)
    let keys = keys.map { key in
      let content: ArchivedKey.Content =
        key.isInline ? .inline(key.value) : key.value == .null ? .nothing : .made(key.value)
      return ArchivedKey(key.key, content)
    }
    let root = try tapeSink.withTape { tape throws(FerryError) in try numbering.number(keys, of: type, &tape)
    }
    try send(numbering, .object(root))
  }

  private func send(_ numbering: ArchiveNumbering, _ roots: ArchiveRoots) throws(FerryError) {
    if let output = (output as? BinaryPropertyListWriter)?.outputOfNewArchive, keyOrder == .buckets,
      tapeSink.tape.weight < Self.mostBuiltWeight
    {
      return try build(numbering, roots, to: output)
    }
    var properties = ArchiveProperties(
      tape: tapeSink.tape, numbering: numbering, shapes: shapes, keyOrder: keyOrder,
      to: ArchivePropertyEvents(to: output))
    try properties.send(top, roots)
    try output.finish()
  }

  /// The maximum weight of the events of a file that is built. Its objects are numbered with 32 bits, and so are the bytes of its distinct
  /// scalars: an event weighs at least four, and takes no more than five objects and 13 bytes of scalars.
  private static let mostBuiltWeight = 1 << 30

  /// Builds the binary file. The size of a reference depends on the number of all objects, which is known at the end.
  private func build(
    _ numbering: ArchiveNumbering, _ roots: ArchiveRoots, to output: any ByteOutput
  ) throws(FerryError) {
    var width = UInt64(numbering.objects.count).leastWidth
    while true {
      var properties = ArchiveProperties(
        tape: tapeSink.tape, numbering: numbering, shapes: shapes, keyOrder: keyOrder,
        to: try BinaryObjectBuilder(uidCount: numbering.objects.count, referenceWidth: width, to: output))
      try properties.send(top, roots)
      var builder = properties.finish()
      guard builder.neededWidth > width else { return try builder.finish() }
      // With references of four bytes, parts of the file are already written.
      guard width < 4 else { throw FerryError(.overBudget(.values(Int(UInt32.max)))) }
      width = builder.neededWidth
    }
  }
}
