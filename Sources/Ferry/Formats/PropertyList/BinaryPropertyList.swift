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
  let bytes: FileBytes
  private let budget: Budget
  let offsetWidth: Int
  let referenceWidth: Int
  /// The offset of the offset table, where the objects end.
  let tableStart: Int
  let root: NodeID
  let nodeCount: Int
  /// A buffer for the UTF-8 text of UTF-16 strings.
  private var scratch: [UInt8] = []

  /// The marker of an object, parsed.
  private struct Object {
    let node: NodeID
    /// The high four bits of the marker.
    let kind: UInt8
    /// The count or, for kinds without a count, the low four bits of the marker.
    let count: Int
    /// The offset of the content, after the marker and the count.
    let start: Int

    /// The name of what the count refers to, for messages.
    var name: String {
      switch kind {
      case 0x4: "\(count) bytes of data"
      case 0x5: "a string of \(count) bytes"
      case 0x6: "a string of \(count) UTF-16 units"
      case 0xa: "an array of \(count) elements"
      case 0xc: "a set of \(count) elements"
      default: "a dictionary of \(count) entries"
      }
    }
  }

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - budget: The limits on the depth, and on the expansion of shared objects by `replay`.
  /// - Throws: A `FerryError` if the header or the trailer is invalid.
  public convenience init(_ bytes: [UInt8], budget: Budget = Budget()) throws(FerryError) {
    try self.init(FileBytes(bytes), budget: budget)
  }

  /// Opens a file without copying it.
  init(_ bytes: FileBytes, budget: Budget) throws(FerryError) {
    self.bytes = bytes
    self.budget = budget
    let span = bytes.span
    guard span.starts(with: "bplist") else {
      throw FerryError(.propertyList(.notBinary), at: Position(byte: 0))
    }
    var header = ByteCursor(span, at: 6)
    let version = try header.take(2, "the header")
    // Like CoreFoundation, accept any second digit: `bplist01` has the same format.
    guard version[0] == UInt8(ascii: "0") else {
      throw FerryError(.propertyList(.version(version.decodedString)), at: Position(byte: 6))
    }
    let trailerStart = bytes.count - 32
    guard trailerStart >= 9 else {
      throw FerryError(.propertyList(.cutOff), at: Position(byte: bytes.count))
    }
    func check(_ condition: Bool, at offset: Int, _ what: @autoclosure () -> String) throws(FerryError) {
      guard !condition else { return }
      // The trailer begins with unused zero bytes. Other parts of a file rarely contain five of them.
      let isTrailer = bytes.span.extracting(trailerStart..<trailerStart + 5).equals("\0\0\0\0\0")
      guard isTrailer else { throw FerryError(.propertyList(.cutOff), at: Position(byte: bytes.count)) }
      throw FerryError(.propertyList(.badTrailer(what())), at: Position(byte: trailerStart + offset))
    }
    var trailer = ByteCursor(span, at: trailerStart + 6)
    offsetWidth = Int(try trailer.byte("the trailer"))
    referenceWidth = Int(try trailer.byte("the trailer"))
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
    (self.root, nodeCount, self.tableStart) = (NodeID(Int(root)), Int(count), Int(tableStart))
  }

  /// Sends the whole value to a sink. Does not call `finish`.
  ///
  /// - Throws: A `FerryError` if an object is invalid, contains itself, or expands beyond the budget; or an
  ///   error of the sink.
  public func replay(into sink: any ValueSink) throws(FerryError) {
    try replay(root, into: sink, budget: budget)
  }

  var byteCount: Int { bytes.count }

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

  func position(of node: NodeID) -> Position {
    guard (0..<nodeCount).contains(node.index) else { return Position() }
    return Position(
      byte: (try? offset(of: node)) ?? tableStart + node.index * offsetWidth, object: node.index)
  }

  func kind(of node: NodeID) throws(FerryError) -> NodeKind {
    let object = try object(node)
    return switch object.kind {
    case 0x0: try simple(object)
    case 0x1: .integer(try integer(object))
    case 0x2:
      object.count == 2
        ? .single(Float(bitPattern: UInt32(try number(object, width: 4))))
        : .real(Double(bitPattern: try number(object, width: 8)))
    case 0x3: .date(Double(bitPattern: try number(object, width: 8)))
    case 0x4: .data
    case 0x5, 0x6: .string
    case 0x8: .uid(try number(object, width: object.count + 1))
    case 0xa: .array(count: object.count)
    case 0xc: .set(count: object.count)
    default: .dictionary(count: object.count)
    }
  }

  func element(_ index: Int, of node: NodeID) throws(FerryError) -> NodeID {
    let object = try collection(node)
    guard object.kind != 0xd, index >= 0, index < object.count else {
      throw noChild(object, "element \(index)")
    }
    return try reference(index, of: object)
  }

  func key(_ index: Int, of node: NodeID) throws(FerryError) -> NodeID {
    let object = try collection(node)
    guard object.kind == 0xd, index >= 0, index < object.count else {
      throw noChild(object, "entry \(index)")
    }
    return try reference(index, of: object)
  }

  func value(_ index: Int, of node: NodeID) throws(FerryError) -> NodeID {
    let object = try collection(node)
    guard object.kind == 0xd, index >= 0, index < object.count else {
      throw noChild(object, "entry \(index)")
    }
    return try reference(object.count + index, of: object)
  }

  func entry(_ index: Int, of node: NodeID) throws(FerryError) -> (key: NodeID, value: NodeID) {
    let object = try collection(node)
    guard object.kind == 0xd, index >= 0, index < object.count else {
      throw noChild(object, "entry \(index)")
    }
    return (try reference(index, of: object), try reference(object.count + index, of: object))
  }

  func withText<R>(of node: NodeID, _ body: (BorrowedText) throws(FerryError) -> R) throws(FerryError) -> R {
    try withLocatedText(of: node) { text, _ throws(FerryError) in try body(text) }
  }

  @inline(__always)
  func withLocatedText<R>(
    of node: NodeID, _ body: (BorrowedText, Int?) throws(FerryError) -> R
  ) throws(FerryError) -> R {
    let object = try object(node)
    let bytes = bytes
    switch object.kind {
    case 0x5:
      let text = bytes.span.extracting(object.start..<object.start + object.count)
      let valid = text.asciiPrefixCount
      guard valid == text.count else {
        throw FerryError(
          .propertyList(.notASCII(text[valid])), at: Position(byte: object.start + valid, object: node.index))
      }
      return try body(BorrowedText(checked: text, isASCII: true), object.start)
    case 0x6:
      // The buffer is moved out during the call, because `body` may read another string.
      var text: [UInt8] = []
      swap(&text, &scratch)
      defer { scratch = text }
      text.removeAll(keepingCapacity: true)
      let units = bytes.span.extracting(object.start..<object.start + 2 * object.count)
      let hasSurrogates = text.append(utf16Count: object.count) { index in
        UInt32(units[2 * index]) << 8 | UInt32(units[2 * index + 1])
      }
      let isASCII = text.count == object.count
      return try body(BorrowedText(checked: text.span, isASCII: isASCII, hasSurrogates: hasSurrogates), nil)
    default: throw try wrongKind(node, expected: "a string")
    }
  }

  func withBytes<R>(_ body: (Span<UInt8>) throws(FerryError) -> R) throws(FerryError) -> R {
    let bytes = bytes
    return try body(bytes.span)
  }

  func withData<R>(of node: NodeID, _ body: (Span<UInt8>) throws(FerryError) -> R) throws(FerryError) -> R {
    let object = try object(node)
    guard object.kind == 0x4 else { throw try wrongKind(node, expected: "data") }
    let bytes = bytes
    return try body(bytes.span.extracting(object.start..<object.start + object.count))
  }

  func length(of node: NodeID) throws(FerryError) -> Int {
    let object = try object(node)
    guard (0x4...0x6).contains(object.kind) else {
      throw try wrongKind(node, expected: "a string or data")
    }
    return object.count
  }

  func lengthOfString(_ node: NodeID) throws(FerryError) -> Int? {
    let object = try object(node)
    return object.kind == 0x5 || object.kind == 0x6 ? object.count : nil
  }

  /// Returns the marker of an object, and the size of the object in bytes, including the marker.
  func storage(of node: NodeID) throws(FerryError) -> (marker: UInt8, byteCount: Int) {
    let object = try object(node)
    let contentBytes: Int =
      switch object.kind {
      case 0x1, 0x2, 0x3: 1 << object.count
      case 0x4, 0x5: object.count
      case 0x6: 2 * object.count
      case 0x8: object.count + 1
      case 0xa, 0xc: object.count * referenceWidth
      case 0xd: object.count * 2 * referenceWidth
      default: 0
      }
    let offset = try offset(of: node)
    return (bytes[offset], object.start - offset + contentBytes)
  }

  /// Returns the byte range of an object, including the marker.
  func extent(of node: NodeID) throws(FerryError) -> Range<Int> {
    let start = try offset(of: node)
    return start..<start + (try storage(of: node).byteCount)
  }

  /// Returns the byte offset of an object.
  @inline(__always)
  private func offset(of node: NodeID) throws(FerryError) -> Int {
    guard node.index >= 0, node.index < nodeCount else {
      throw FerryError(.propertyList(.badReference(UInt64(clamping: node.index), objects: nodeCount)))
    }
    let entry = tableStart + node.index * offsetWidth
    let offset = bytes.bigEndian(at: entry, width: offsetWidth)
    guard offset >= 8, offset < UInt64(tableStart) else {
      throw FerryError(.propertyList(.badOffset(offset)), at: Position(byte: entry, object: node.index))
    }
    return Int(offset)
  }

  /// Parses the marker of an object. Throws if the object extends beyond the end of the objects.
  private func object(_ node: NodeID) throws(FerryError) -> Object {
    let offset = try offset(of: node)
    let marker = bytes[offset]
    var count = Int(marker & 0xf)
    var start = offset + 1
    /// The number of bytes for each counted item.
    let unit: Int
    switch marker >> 4 {
    case 0x0: return Object(node: node, kind: 0, count: count, start: start)
    case 0x1 where count <= 4, 0x2 where count == 2 || count == 3, 0x3 where count == 3:
      try require(1 << count, at: start, of: node, "a number")
      return Object(node: node, kind: marker >> 4, count: count, start: start)
    case 0x8 where count < 8:
      try require(count + 1, at: start, of: node, "a reference of an archive")
      return Object(node: node, kind: 8, count: count, start: start)
    case 0x4, 0x5: unit = 1
    case 0x6: unit = 2
    case 0xa, 0xc: unit = referenceWidth
    case 0xd: unit = 2 * referenceWidth
    case 0x7: throw laterVersion("a UTF-8 string", at: offset, node)
    case 0xb: throw laterVersion("an ordered set", at: offset, node)
    default: throw badMarker(marker, at: offset, node)
    }
    if count == 0xf { (count, start) = try longCount(at: start, of: node) }
    guard count <= (tableStart - start) / unit else {
      let what = Object(node: node, kind: marker >> 4, count: count, start: start).name
      throw FerryError(
        .propertyList(.truncated(expecting: what)), at: Position(byte: start, object: node.index))
    }
    return Object(node: node, kind: marker >> 4, count: count, start: start)
  }

  /// Reads a count that follows the marker: an integer object of 1, 2, 4 or 8 bytes.
  private func longCount(at offset: Int, of node: NodeID) throws(FerryError) -> (count: Int, end: Int) {
    try require(1, at: offset, of: node, "a count")
    let marker = bytes[offset]
    guard (0x10...0x13).contains(marker) else { throw badMarker(marker, at: offset, node) }
    let width = 1 << Int(marker & 0xf)
    try require(width, at: offset + 1, of: node, "a count")
    // A larger count becomes `Int.max`, which is also beyond the end of the file.
    return (Int(clamping: bytes.bigEndian(at: offset + 1, width: width)), offset + 1 + width)
  }

  private func require(_ width: Int, at offset: Int, of node: NodeID, _ what: String) throws(FerryError) {
    guard width <= tableStart - offset else {
      throw FerryError(
        .propertyList(.truncated(expecting: what)), at: Position(byte: offset, object: node.index))
    }
  }

  private func simple(_ object: Object) throws(FerryError) -> NodeKind {
    switch object.count {
    case 0x0: return .null
    case 0x8: return .boolean(false)
    case 0x9: return .boolean(true)
    case 0xc, 0xd: throw laterVersion("a URL", at: object.start - 1, object.node)
    case 0xe: throw laterVersion("a UUID", at: object.start - 1, object.node)
    default: throw badMarker(UInt8(object.count), at: object.start - 1, object.node)
    }
  }

  private func number(_ object: Object, width: Int) throws(FerryError) -> UInt64 {
    bytes.bigEndian(at: object.start, width: width)
  }

  /// Reads an integer. Integers of 1, 2 and 4 bytes are unsigned, those of 8 bytes signed, and 16 bytes store
  /// all others.
  private func integer(_ object: Object) throws(FerryError) -> Int128 {
    switch object.count {
    case 3: return Int128(Int64(bitPattern: bytes.bigEndian(at: object.start, width: 8)))
    case 4:
      let high = Int64(bitPattern: bytes.bigEndian(at: object.start, width: 8))
      let low = bytes.bigEndian(at: object.start + 8, width: 8)
      let number = Int128(high) << 64 | Int128(low)
      guard number >= -(1 << 63), number < 1 << 64 else {
        throw FerryError(
          .propertyList(.badValue("\(number)", type: "an integer from −2⁶³ to 2⁶⁴−1")),
          at: Position(byte: object.start, object: object.node.index))
      }
      return number
    default: return Int128(bytes.bigEndian(at: object.start, width: 1 << object.count))
    }
  }

  /// Returns the collection of a node.
  private func collection(_ node: NodeID) throws(FerryError) -> Object {
    let object = try object(node)
    guard object.kind >= 0xa else { throw try wrongKind(node, expected: "a collection") }
    return object
  }

  /// Returns the node that a collection refers to at an index, which must be less than its count.
  private func reference(_ index: Int, of object: Object) throws(FerryError) -> NodeID {
    let offset = object.start + index * referenceWidth
    let number = bytes.bigEndian(at: offset, width: referenceWidth)
    guard number < UInt64(nodeCount) else {
      throw FerryError(
        .propertyList(.badReference(number, objects: nodeCount)),
        at: Position(byte: offset, object: object.node.index))
    }
    return NodeID(Int(number))
  }

  private func badMarker(_ marker: UInt8, at offset: Int, _ node: NodeID) -> FerryError {
    FerryError(.propertyList(.badMarker(marker)), at: Position(byte: offset, object: node.index))
  }

  private func laterVersion(_ kind: String, at offset: Int, _ node: NodeID) -> FerryError {
    FerryError(.propertyList(.laterVersion(kind)), at: Position(byte: offset, object: node.index))
  }

  private func wrongKind(_ node: NodeID, expected: String) throws(FerryError) -> FerryError {
    FerryError(
      .propertyList(.wrongKind(expected: expected, found: try kind(of: node).name)), at: position(of: node))
  }

  private func noChild(_ object: Object, _ expected: String) -> FerryError {
    let location = Position(byte: object.start, object: object.node.index)
    return FerryError(.propertyList(.wrongKind(expected: expected, found: object.name)), at: location)
  }
}

extension FileBytes {
  /// Reads a big-endian number of 1 to 8 bytes before the trailer, which is longer than such a number.
  @inline(always)
  fileprivate func bigEndian(at offset: Int, width: Int) -> UInt64 {
    span.littleEndianWord(at: offset).byteSwapped >> UInt64(truncatingIfNeeded: 64 - 8 * width)
  }
}
