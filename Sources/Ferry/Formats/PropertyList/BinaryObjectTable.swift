/// The objects of a binary property list, read from borrowed bytes.
///
/// `BinaryPropertyList` describes the format. An object is parsed each time that it is requested, because
/// parsing a marker costs less than looking up what was parsed before. Walks over many objects borrow the bytes
/// once, and then access the table without touching a class.
struct BinaryObjectTable: ~Escapable {
  /// The widths and offsets in the trailer.
  struct Shape {
    let offsetWidth: Int
    let referenceWidth: Int
    /// The offset of the offset table, where the objects end.
    let tableStart: Int
    /// The number of objects.
    let count: Int
  }

  /// The marker of an object, parsed.
  struct Object {
    let node: NodeID
    /// The high four bits of the marker.
    let kind: UInt8
    /// The count or, for kinds without a count, the low four bits of the marker.
    let count: Int
    /// The offset of the content, after the marker and the count.
    let start: Int

    /// A null that is not in the file.
    static let null = Object(node: NodeID(0), kind: 0, count: 0, start: 0)

    /// True for an array, a set or a dictionary.
    var isCollection: Bool { kind >= 0xa }
    /// True for a string of either encoding.
    var isString: Bool { kind == 0x5 || kind == 0x6 }

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

  let bytes: Span<UInt8>
  let shape: Shape

  /// Creates a table. The bytes must be longer than the end of the offset table, which the trailer ensures.
  @_lifetime(copy bytes)
  init(_ bytes: Span<UInt8>, _ shape: Shape) {
    self.bytes = bytes
    self.shape = shape
  }

  /// Returns the byte offset of an object.
  @inline(__always)
  func offset(of node: NodeID) throws(FerryError) -> Int {
    guard node.index >= 0, node.index < shape.count else {
      throw FerryError(.propertyList(.badReference(UInt64(clamping: node.index), objects: shape.count)))
    }
    // The table ends before the trailer, so its offsets do not overflow.
    let entry = shape.tableStart &+ node.index &* shape.offsetWidth
    let offset = bytes.bigEndian(at: entry, width: shape.offsetWidth)
    guard offset >= 8, offset < UInt64(shape.tableStart) else {
      throw FerryError(.propertyList(.badOffset(offset)), at: InputLocation(byte: entry, object: node.index))
    }
    return Int(offset)
  }

  /// Parses the marker of an object. Throws if the object extends beyond the end of the objects.
  @inline(__always)
  func object(_ node: NodeID) throws(FerryError) -> Object {
    let offset = try offset(of: node)
    let marker = bytes[offset]
    let (kind, count) = (marker >> 4, Int(marker & 0xf))
    // Most objects are short texts, small integers, booleans and, in an archive, references.
    let size: Int
    switch kind {
    case 0x0: size = 0
    case 0x1 where count < 4: size = 1 &<< count
    case 0x5 where count < 0xf: size = count
    case 0x8 where count < 8: size = count &+ 1
    default: return try object(node, marker, at: offset)
    }
    guard size < shape.tableStart &- offset else { return try object(node, marker, at: offset) }
    return Object(node: node, kind: kind, count: count, start: offset &+ 1)
  }

  private func object(_ node: NodeID, _ marker: UInt8, at offset: Int) throws(FerryError) -> Object {
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
    case 0xa, 0xc: unit = shape.referenceWidth
    case 0xd: unit = 2 * shape.referenceWidth
    case 0x7: throw laterVersion("a UTF-8 string", at: offset, node)
    case 0xb: throw laterVersion("an ordered set", at: offset, node)
    default: throw badMarker(marker, at: offset, node)
    }
    if count == 0xf {
      // Most of these counts are one byte.
      if start + 1 < shape.tableStart, bytes[start] == 0x10 {
        (count, start) = (Int(bytes[start + 1]), start + 2)
      } else {
        (count, start) = try longCount(at: start, of: node)
      }
    }
    let room = shape.tableStart - start
    guard count <= (unit == 1 ? room : room / unit) else {
      let what = Object(node: node, kind: marker >> 4, count: count, start: start).name
      throw FerryError(
        .propertyList(.truncated(expecting: what)), at: InputLocation(byte: start, object: node.index))
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
    guard width <= shape.tableStart - offset else {
      throw FerryError(
        .propertyList(.truncated(expecting: what)), at: InputLocation(byte: offset, object: node.index))
    }
  }

  // MARK: Contents

  /// Returns the number of bytes after the marker and the count of an object.
  func contentSize(of object: Object) -> Int {
    switch object.kind {
    case 0x1, 0x2, 0x3: 1 << object.count
    case 0x4, 0x5: object.count
    case 0x6: 2 * object.count
    case 0x8: object.count + 1
    case 0xa, 0xc: object.count * shape.referenceWidth
    case 0xd: object.count * 2 * shape.referenceWidth
    default: 0
    }
  }

  /// Returns the kind of an object, with the value of a scalar except for text and data.
  @inline(__always)
  func kind(of object: Object) throws(FerryError) -> NodeKind {
    switch object.kind {
    case 0x0: try simple(object)
    case 0x1: .integer(try integer(object))
    case 0x2:
      object.count == 2
        ? .single(Float(bitPattern: UInt32(number(object, width: 4))))
        : .real(Double(bitPattern: number(object, width: 8)))
    case 0x3: .date(Double(bitPattern: number(object, width: 8)))
    case 0x4: .data
    case 0x5, 0x6: .string
    case 0x8: .uid(uid(object))
    case 0xa: .array(count: object.count)
    case 0xc: .set(count: object.count)
    default: .dictionary(count: object.count)
    }
  }

  /// Returns the kind of an object without the value of a number or a date.
  @inline(__always)
  func outline(of object: Object) throws(FerryError) -> NodeOutline {
    switch object.kind {
    case 0x1 where object.count < 4: .scalar(.integer, length: 0)
    case 0x5, 0x6: .scalar(.string, length: object.count)
    case 0x8: .uid(uid(object))
    case 0xd: .dictionary(count: object.count)
    default: try outline(ofRarer: object)
    }
  }

  @inline(never)
  private func outline(ofRarer object: Object) throws(FerryError) -> NodeOutline {
    try NodeOutline(kind(of: object), length: object.count)
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

  /// Returns the number of a reference in an archive.
  @inline(__always)
  func uid(_ object: Object) -> UInt64 { number(object, width: object.count + 1) }

  @inline(__always)
  func number(_ object: Object, width: Int) -> UInt64 {
    bytes.bigEndian(at: object.start, width: width)
  }

  /// Returns true if an object is a 64-bit real that is neither NaN nor infinite.
  @inline(__always)
  func isFiniteReal(_ object: Object) -> Bool {
    object.kind == 0x2 && object.count == 3 && Double(bitPattern: number(object, width: 8)).isFinite
  }

  /// Reads an integer. Integers of 1, 2 and 4 bytes are unsigned, those of 8 bytes signed, and 16 bytes store
  /// all others.
  @inline(__always)
  func integer(_ object: Object) throws(FerryError) -> Int128 {
    switch object.count {
    case 3: Int128(Int64(bitPattern: bytes.bigEndian(at: object.start, width: 8)))
    case 4: try longInteger(object)
    default: Int128(bytes.bigEndian(at: object.start, width: 1 << object.count))
    }
  }

  private func longInteger(_ object: Object) throws(FerryError) -> Int128 {
    let high = Int64(bitPattern: bytes.bigEndian(at: object.start, width: 8))
    let low = bytes.bigEndian(at: object.start + 8, width: 8)
    let number = Int128(high) << 64 | Int128(low)
    guard number.has64Bits else {
      throw FerryError(
        .propertyList(.badValue("\(number)", type: "an integer from −2⁶³ to 2⁶⁴−1")),
        at: InputLocation(byte: object.start, object: object.node.index))
    }
    return number
  }

  /// Returns the text of an ASCII string. Throws if a byte is not ASCII.
  @inline(__always)
  @_lifetime(copy self)
  func ascii(_ object: Object) throws(FerryError) -> BorrowedText {
    let text = bytes.extracting(object.start..<object.start + object.count)
    let valid = text.asciiPrefixCount
    guard valid == text.count else {
      throw FerryError(
        .propertyList(.notASCII(text[valid])),
        at: InputLocation(byte: object.start + valid, object: object.node.index))
    }
    return BorrowedText(checked: text, isASCII: true)
  }

  /// Appends the UTF-8 text of a UTF-16 string. Returns true if it has unpaired surrogates.
  func append(utf16 object: Object, to text: inout [UInt8]) -> Bool {
    let units = bytes.extracting(object.start..<object.start + 2 * object.count)
    return text.append(utf16Count: object.count) { index in
      UInt32(units[2 &* index]) << 8 | UInt32(units[2 &* index &+ 1])
    }
  }

  /// Returns true if an object is a string with this text, which is ASCII.
  func isString(_ object: Object, _ text: StaticString) -> Bool {
    guard object.isString, object.count == text.utf8CodeUnitCount else { return false }
    guard object.kind == 0x6 else {
      return bytes.extracting(object.start..<object.start + object.count).equals(text)
    }
    var decoded: [UInt8] = []
    return !append(utf16: object, to: &decoded) && decoded.span.equals(text)
  }

  /// Returns the object number that a collection refers to at an index. The index must be less than its count or, for
  /// the values of a dictionary, twice its count.
  @inline(__always)
  func reference(_ index: Int, of object: Object) throws(FerryError) -> NodeID {
    // The references are inside the file, so their offsets do not overflow.
    try reference(at: object.start &+ index &* shape.referenceWidth, of: object.node)
  }

  /// Returns the object number at an offset in a collection.
  @inline(__always)
  func reference(at offset: Int, of collection: NodeID) throws(FerryError) -> NodeID {
    let number = bytes.bigEndian(at: offset, width: shape.referenceWidth)
    guard number < UInt64(shape.count) else {
      throw FerryError(
        .propertyList(.badReference(number, objects: shape.count)),
        at: InputLocation(byte: offset, object: collection.index))
    }
    return NodeID(Int(number))
  }

  /// Returns the bytes of the references to the keys of a dictionary.
  @inline(__always)
  func keyReferences(of dictionary: Object) -> Range<Int> {
    dictionary.start..<dictionary.start + dictionary.count * shape.referenceWidth
  }

  // MARK: Errors

  private func badMarker(_ marker: UInt8, at offset: Int, _ node: NodeID) -> FerryError {
    FerryError(.propertyList(.badMarker(marker)), at: InputLocation(byte: offset, object: node.index))
  }

  private func laterVersion(_ kind: String, at offset: Int, _ node: NodeID) -> FerryError {
    FerryError(.propertyList(.laterVersion(kind)), at: InputLocation(byte: offset, object: node.index))
  }
}

extension Span<UInt8> {
  /// Reads a big-endian number of 1 to 8 bytes before the trailer, which is longer than such a number.
  @inline(__always)
  fileprivate func bigEndian(at offset: Int, width: Int) -> UInt64 {
    littleEndianWord(at: offset).byteSwapped &>> UInt64(truncatingIfNeeded: 64 &- 8 &* width)
  }
}
