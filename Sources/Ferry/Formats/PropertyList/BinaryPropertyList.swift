/// A binary property list (`bplist00`), read in place without copying.
///
///     let list = try BinaryPropertyList(bytes)
///     try list.replay(into: writer)
///
/// A file consists of a header, the objects, a table of their offsets and a 32-byte trailer. For
/// `{"a": true}`:
///
///     offset 0   62 70 6C 69 73 74 30 30   bplist00
///            8   D1 01 02                  object 0: a dictionary of 1 entry, keys first: objects 1 and 2
///           11   51 61                     object 1: an ASCII string of 1 byte, "a"
///           13   09                        object 2: true
///           14   08 0B 0D                  the offsets of objects 0, 1 and 2
///           17   00 00 00 00 00 00         unused, and the version of a sort order that is always 0
///           23   01 01                     an offset takes 1 byte, a reference to an object 1 byte
///           25   00 … 03  00 … 00  00 … 0E 3 objects, root object 0, table at 14: 8 bytes each
///
/// An object begins with a marker byte, with the kind in the high four bits and a count in the low four bits.
/// If the count is 15, the actual count follows as an integer object. All numbers are big-endian.
///
/// Opening a file checks only the header and the trailer. An object is checked when it is read. Opening
/// therefore takes constant time, and no memory except for the bytes.
public final class BinaryPropertyList: PropertyListNodes {
  /// The signature and the version of the files that Ferry writes.
  static let header: StaticString = "bplist00"

  let bytes: FileBytes
  let budget: Budget
  private let shape: BinaryObjectTable.Shape
  let root: NodeID
  /// A buffer for the UTF-8 text of UTF-16 strings.
  private var scratch: [UInt8] = []

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - budget: The limits on the depth, on the size of a string or data, and on the expansion of shared objects by `replay`.
  /// - Throws: A `FerryError` if the header or the trailer is invalid.
  public convenience init(_ bytes: [UInt8], budget: Budget = Budget()) throws(FerryError) {
    try self.init(FileBytes(bytes), budget: budget)
  }

  /// Opens a file without copying it.
  init(_ bytes: FileBytes, budget: Budget) throws(FerryError) {
    self.bytes = bytes
    self.budget = budget
    let span = bytes.span
    guard FileSignature.binaryPropertyList.begins(span) else {
      throw FerryError(.propertyList(.notBinary), at: InputLocation(byte: 0))
    }
    var header = ByteCursor(span, at: FileSignature.binaryPropertyList.bytes.count)
    let version = try header.take(2, "the header")
    // Like CoreFoundation, accept any second digit: `bplist01` has the same format.
    guard version[0] == UInt8(ascii: "0") else {
      throw FerryError(.propertyList(.version(version.decodedString)), at: InputLocation(byte: 6))
    }
    let trailerStart = bytes.count - 32
    guard trailerStart >= 9 else {
      throw FerryError(.propertyList(.cutOff), at: InputLocation(byte: bytes.count))
    }
    func check(_ condition: Bool, at offset: Int, _ what: @autoclosure () -> String) throws(FerryError) {
      guard !condition else { return }
      // The trailer begins with unused zero bytes. Other parts of a file rarely contain five of them.
      let isTrailer = bytes.span.extracting(trailerStart..<trailerStart + 5).equals("\0\0\0\0\0")
      guard isTrailer else { throw FerryError(.propertyList(.cutOff), at: InputLocation(byte: bytes.count)) }
      throw FerryError(.propertyList(.badTrailer(what())), at: InputLocation(byte: trailerStart + offset))
    }
    var trailer = ByteCursor(span, at: trailerStart + 6)
    let offsetWidth = Int(try trailer.byte("the trailer"))
    let referenceWidth = Int(try trailer.byte("the trailer"))
    let count = try trailer.bigEndian(width: 8, "the trailer")
    let root = try trailer.bigEndian(width: 8, "the trailer")
    let tableStart = try trailer.bigEndian(width: 8, "the trailer")
    // Apple's writers use widths of 1, 2, 4 and 8 bytes; other tools and devices also 3, 5, 6 and 7.
    try check((1...8).contains(offsetWidth), at: 6, "an offset of \(offsetWidth) bytes")
    try check((1...8).contains(referenceWidth), at: 7, "a reference of \(referenceWidth) bytes")
    try check(count > 0, at: 8, "no objects")
    try check(root < count, at: 16, "the root is object \(root) of \(count)")
    try check(tableStart >= 9, at: 24, "the offset table begins at \(tableStart), before any object")
    let (tableSize, isTooLarge) = count.multipliedReportingOverflow(by: UInt64(offsetWidth))
    try check(
      !isTooLarge && tableSize <= UInt64(trailerStart), at: 8, "\(count) objects in a file this small")
    try check(
      tableStart == UInt64(trailerStart) - tableSize, at: 24,
      "the offset table begins at \(tableStart), but \(count) offsets end at the trailer")
    // A node number has four bytes.
    guard count < UInt64(UInt32.max) else { throw FerryError(.overBudget(.values(Int(UInt32.max)))) }
    self.root = NodeID(Int(root))
    shape = BinaryObjectTable.Shape(
      offsetWidth: offsetWidth, referenceWidth: referenceWidth, tableStart: Int(tableStart), count: Int(count)
    )
  }

  /// Sends the whole value to a sink. Does not call `finish`.
  ///
  /// - Throws: A `FerryError` if an object is invalid, contains itself, or expands beyond the budget; or an
  ///   error of the sink.
  public func replay(into sink: any ValueSink) throws(FerryError) {
    try replay(root, into: sink, budget: budget)
  }

  var byteCount: Int { bytes.count }
  var nodeCount: Int { shape.count }
  /// The size of an offset in bytes.
  var offsetWidth: Int { shape.offsetWidth }
  /// The size of a reference to an object in bytes.
  var referenceWidth: Int { shape.referenceWidth }
  /// The signature and the version.
  var signature: [UInt8] { bytes.prefix(8) }
  /// The bytes at the beginning of the trailer that have no meaning.
  var unusedBytes: [UInt8] {
    let bytes = bytes
    let span = bytes.span
    return [UInt8](copying: span.extracting(byteCount - 32..<byteCount - 26))
  }
  /// The offset of the offset table, where the objects end.
  var tableStart: Int { shape.tableStart }

  /// The smallest widths that are sufficient for an offset and for a reference, in bytes.
  var minimalWidths: (offset: Int, reference: Int) {
    (UInt64(tableStart).leastWidth, UInt64(nodeCount).leastWidth)
  }

  /// Returns true if the file has exactly these bytes.
  func holds(_ other: [UInt8]) -> Bool {
    let bytes = bytes
    let span = bytes.span
    return span.equals(other.span)
  }

  func location(of node: NodeID) -> InputLocation {
    guard (0..<nodeCount).contains(node.index) else { return InputLocation() }
    return InputLocation(
      byte: (try? offset(of: node)) ?? tableStart + node.index * offsetWidth, object: node.index)
  }

  /// Calls a function with the objects, whose bytes are borrowed during the call.
  @inline(__always)
  func withTable<R>(_ body: (BinaryObjectTable) throws(FerryError) -> R) throws(FerryError) -> R {
    let bytes = bytes
    return try body(BinaryObjectTable(bytes.span, shape))
  }

  /// Returns the objects, whose bytes are those of `bytes`.
  @inline(__always)
  @_lifetime(copy span)
  func table(_ span: Span<UInt8>) -> BinaryObjectTable { BinaryObjectTable(span, shape) }

  /// Returns the object number of a reference of an archive, or nil for another node.
  func uid(of node: NodeID) throws(FerryError) -> UInt64? {
    try withTable { table throws(FerryError) in
      let object = try table.object(node)
      return object.kind == 0x8 ? table.uid(object) : nil
    }
  }

  /// The number of a node that is not a reference of an archive. No archive has an object with this number.
  static var noUID: UInt64 { .max }

  /// Appends the values of a dictionary, and for each the object number if it is a reference of an archive, otherwise `noUID`.
  func appendValues(
    of node: NodeID, to values: inout [NodeID], uids: inout [UInt64]
  ) throws(FerryError) {
    let bytes = bytes
    let table = BinaryObjectTable(bytes.span, shape)
    let dictionary = try table.object(node)
    guard dictionary.kind == 0xd else { throw try wrongKind(node, expected: "a dictionary") }
    for index in dictionary.count..<2 * dictionary.count {
      let value = try table.reference(index, of: dictionary)
      let object = try table.object(value)
      values.append(value)
      uids.append(object.kind == 0x8 ? table.uid(object) : Self.noUID)
    }
  }

  func kind(of node: NodeID) throws(FerryError) -> NodeKind {
    try withTable { table throws(FerryError) in try table.kind(of: table.object(node)) }
  }

  @inline(__always)
  func outline(of node: NodeID) throws(FerryError) -> NodeOutline {
    let bytes = bytes
    let table = BinaryObjectTable(bytes.span, shape)
    return try table.outline(of: table.object(node))
  }

  func element(_ index: Int, of node: NodeID) throws(FerryError) -> NodeID {
    try withTable { table throws(FerryError) in
      let object = try collection(node, in: table)
      guard object.kind != 0xd, index >= 0, index < object.count else {
        throw noChild(object, "element \(index)")
      }
      return try table.reference(index, of: object)
    }
  }

  func key(_ index: Int, of node: NodeID) throws(FerryError) -> NodeID {
    try withTable { table throws(FerryError) in
      try table.reference(index, of: dictionary(node, in: table, entry: index))
    }
  }

  func value(_ index: Int, of node: NodeID) throws(FerryError) -> NodeID {
    try withTable { table throws(FerryError) in
      let object = try dictionary(node, in: table, entry: index)
      return try table.reference(object.count + index, of: object)
    }
  }

  func entry(_ index: Int, of node: NodeID) throws(FerryError) -> (key: NodeID, value: NodeID) {
    try withTable { table throws(FerryError) in
      let object = try dictionary(node, in: table, entry: index)
      return (try table.reference(index, of: object), try table.reference(object.count + index, of: object))
    }
  }

  func list(of node: NodeID) throws(FerryError) -> NodeList {
    let object = try object(node)
    guard object.isCollection, object.kind != 0xd else {
      throw try wrongKind(node, expected: "an array or a set")
    }
    return NodeList(node: node, count: object.count, start: object.start)
  }

  func element(_ index: Int, in list: NodeList) throws(FerryError) -> NodeID {
    guard index >= 0, index < list.count else { throw try noChild(object(list.node), "element \(index)") }
    return try withTable { table throws(FerryError) in
      try table.reference(at: list.start + index * table.shape.referenceWidth, of: list.node)
    }
  }

  func appendReferences(of node: NodeID, to references: inout [NodeID]) throws(FerryError) {
    try withTable { table throws(FerryError) in
      let object = try collection(node, in: table)
      let count = object.kind == 0xd ? 2 * object.count : object.count
      try references.append(addingCapacity: count) { (span: inout OutputSpan<NodeID>) throws(FerryError) in
        for index in 0..<count { span.append(try table.reference(index, of: object)) }
      }
    }
  }

  /// Returns the collection of a node.
  @inline(__always)
  private func collection(
    _ node: NodeID, in table: BinaryObjectTable
  ) throws(FerryError) -> BinaryObjectTable.Object {
    let object = try table.object(node)
    guard object.isCollection else { throw try wrongKind(node, expected: "a collection") }
    return object
  }

  /// Returns the dictionary of a node that has an entry.
  @inline(__always)
  private func dictionary(
    _ node: NodeID, in table: BinaryObjectTable, entry index: Int
  ) throws(FerryError) -> BinaryObjectTable.Object {
    let object = try collection(node, in: table)
    guard object.kind == 0xd, index >= 0, index < object.count else {
      throw noChild(object, "entry \(index)")
    }
    return object
  }

  func collectScalars(
    of node: NodeID, in indices: Range<Int>, takesRecords: Bool, into sender: inout EventSender,
    keys: inout CollectedKeys, weight: inout CollectedWeight
  ) -> CollectedChildren {
    let bytes = bytes
    return BinaryObjectTable(bytes.span, shape).collectScalars(
      of: node, in: indices, takesRecords: takesRecords, into: &sender, keys: &keys, weight: &weight,
      longest: budget.tokenBytes)
  }

  /// Returns the event of a scalar of JSON whose text, if it has one, need not be decoded. Returns nil for other nodes. The location of
  /// the event is the number of the node.
  func event(of node: NodeID) -> EventBatch.Entry? {
    let bytes = bytes
    let table = BinaryObjectTable(bytes.span, shape)
    guard let object = try? table.object(node) else { return nil }
    return table.event(of: object)
  }

  /// Collects the event of a UTF-16 string, without a location. Returns false for other nodes.
  func collect(utf16 node: NodeID, into sender: inout EventSender) throws(FerryError) -> Bool {
    try withTable { table throws(FerryError) in
      let object = try table.object(node)
      guard object.kind == 0x6 else { return false }
      try checkSize(2 * object.count, of: object)
      sender.collect(upTo: 1) { events, texts in
        var event = table.event(decoding: object, to: &texts)
        event.offset = 0
        events.append(event)
      }
      return true
    }
  }

  func withText<R>(of node: NodeID, _ body: (BorrowedText) throws(FerryError) -> R) throws(FerryError) -> R {
    try withLocatedText(of: node) { text, _ throws(FerryError) in try body(text) }
  }

  @inline(__always)
  func withLocatedText<R>(
    of node: NodeID, _ body: (BorrowedText, Int?) throws(FerryError) -> R
  ) throws(FerryError) -> R {
    try withTable { table throws(FerryError) in
      let object = try table.object(node)
      switch object.kind {
      case 0x5:
        try checkSize(object.count, of: object)
        return try body(table.ascii(object), object.start)
      case 0x6:
        try checkSize(2 * object.count, of: object)
        // The buffer is moved out during the call, because `body` may read another string.
        var text: [UInt8] = []
        swap(&text, &scratch)
        defer { scratch = text }
        text.removeAll(keepingCapacity: true)
        let hasSurrogates = table.append(utf16: object, to: &text)
        let isASCII = text.count == object.count
        return try body(BorrowedText(checked: text.span, isASCII: isASCII, hasSurrogates: hasSurrogates), nil)
      default: throw try wrongKind(node, expected: "a string")
      }
    }
  }

  /// True if a string or data may be longer than the budget allows. `withTable` does not check that.
  var mayExceedTokenBytes: Bool { bytes.count > budget.tokenBytes }

  /// Throws if a string or data is longer than the budget allows.
  @inline(__always)
  private func checkSize(_ size: Int, of object: BinaryObjectTable.Object) throws(FerryError) {
    try budget.checkToken(size, at: InputLocation(byte: object.start, object: object.node.index))
  }

  func withBytes<R>(_ body: (Span<UInt8>) throws(FerryError) -> R) throws(FerryError) -> R {
    let bytes = bytes
    return try body(bytes.span)
  }

  func withData<R>(of node: NodeID, _ body: (Span<UInt8>) throws(FerryError) -> R) throws(FerryError) -> R {
    try withTable { table throws(FerryError) in
      let object = try table.object(node)
      guard object.kind == 0x4 else { throw try wrongKind(node, expected: "data") }
      try checkSize(object.count, of: object)
      return try body(table.bytes.extracting(object.start..<object.start + object.count))
    }
  }

  func length(of node: NodeID) throws(FerryError) -> Int {
    let object = try object(node)
    guard object.isString || object.kind == 0x4 else {
      throw try wrongKind(node, expected: "a string or data")
    }
    return object.count
  }

  func appendHashes(ofShortScalarsFrom node: NodeID, count: Int, to hashes: inout [UInt64]) {
    let bytes = bytes
    let table = BinaryObjectTable(bytes.span, shape)
    let (first, end) = (node.index, max(node.index, min(node.index + count, nodeCount)))
    hashes.append(addingCapacity: end - first) { hashes in
      for index in first..<end {
        hashes.append((try? hashOfShortScalar(NodeID(index), in: table)) ?? 0)
      }
    }
  }

  /// Returns the hash of a scalar of a few bytes; 0 for other nodes.
  @inline(__always)
  private func hashOfShortScalar(_ node: NodeID, in table: BinaryObjectTable) throws(FerryError) -> UInt64 {
    let object = try table.object(node)
    switch object.kind {
    case 0x1, 0x2, 0x3: return try table.kind(of: object).hashOfNumber
    case 0x4, 0x6: return object.count <= Self.shortCount ? try hashOfScalar(node) : 0
    case 0x5 where object.count <= Self.shortCount:
      try checkSize(object.count, of: object)
      return try table.ascii(object).utf8.hashOfBytes
    default: return 0
    }
  }

  private static let shortCount = 64

  func lengthOfString(_ node: NodeID) throws(FerryError) -> Int? {
    let object = try object(node)
    return object.isString ? object.count : nil
  }

  func lengthOfStringOrData(_ node: NodeID) throws(FerryError) -> Int? {
    let object = try object(node)
    return object.isString || object.kind == 0x4 ? object.count : nil
  }

  private func object(_ node: NodeID) throws(FerryError) -> BinaryObjectTable.Object {
    try withTable { table throws(FerryError) in try table.object(node) }
  }

  private func offset(of node: NodeID) throws(FerryError) -> Int {
    try withTable { table throws(FerryError) in try table.offset(of: node) }
  }

  /// Returns the marker of an object, and the size of the object in bytes, including the marker.
  func storage(of node: NodeID) throws(FerryError) -> (marker: UInt8, byteCount: Int) {
    try withTable { table throws(FerryError) in
      let (offset, object) = (try table.offset(of: node), try table.object(node))
      return (table.bytes[offset], object.start - offset + table.contentSize(of: object))
    }
  }

  /// Returns the byte range of an object, including the marker.
  func extent(of node: NodeID) throws(FerryError) -> Range<Int> {
    let start = try offset(of: node)
    return start..<start + (try storage(of: node).byteCount)
  }

  private func wrongKind(_ node: NodeID, expected: String) throws(FerryError) -> FerryError {
    FerryError(
      .propertyList(.wrongKind(expected: expected, found: try kind(of: node).name)), at: location(of: node))
  }

  private func noChild(_ object: BinaryObjectTable.Object, _ expected: String) -> FerryError {
    let location = InputLocation(byte: object.start, object: object.node.index)
    return FerryError(.propertyList(.wrongKind(expected: expected, found: object.name)), at: location)
  }
}
