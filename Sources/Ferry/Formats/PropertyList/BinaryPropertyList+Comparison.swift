// A file is compared with the bytes that `BinaryObjects` writes for the file's own objects, one object after the other and without
// writing them.

extension BinaryPropertyList {
  /// Returns true if the file has the bytes of its objects with a layout.
  ///
  /// - Parameter order: The node of each object. References use the numbers of nodes. If an object is another node than that with
  ///   its number, it is a UID or a boolean to which nothing refers.
  func hasBytes(of order: OrderedNodes, _ layout: BinaryLayout) throws(FerryError) -> Bool {
    try withTable { table throws(FerryError) in
      guard table.bytes.starts(with: BinaryPropertyList.header) else { return false }
      var end = 8
      // The bytes of an object or of the trailer.
      var expected: [UInt8] = []
      let isSame = try order.forEach { number, node throws(FerryError) in
        guard try table.offset(of: NodeID(number)) == end else { return false }
        let object = try table.object(node)
        if node.index == number {
          // The content is what the object was read from; only its width or its count can take more bytes than necessary.
          guard try table.isMinimal(object, at: end) else { return false }
          end = object.start + table.contentSize(of: object)
          return true
        }
        guard object.isUIDOrBoolean else { return false }
        expected.removeAll(keepingCapacity: true)
        expected.append(binaryScalar: try table.kind(of: object))
        guard table.has(expected.span, at: end) else { return false }
        end += expected.count
        return true
      }
      guard isSame else { return false }
      expected.removeAll(keepingCapacity: true)
      expected.append(
        binaryTrailer: order.count, root: UInt64(root.index), tableStart: UInt64(end),
        offsetWidth: layout.offsetWidth(forTableAt: UInt64(end)),
        referenceWidth: layout.referenceWidth(forObjects: order.count))
      return table.has(expected.span, at: byteCount - expected.count)
    }
  }

  /// Returns true if two dictionaries refer to the same keys in the same order.
  func haveSameKeys(_ a: NodeID, _ b: NodeID) throws(FerryError) -> Bool {
    try withTable { table throws(FerryError) in
      let (first, second) = (try table.object(a), try table.object(b))
      guard first.kind == 0xd, second.kind == 0xd, first.count == second.count else { return false }
      // All references in a file have one width, so equal references have equal bytes.
      let keys = table.bytes.extracting(table.keyReferences(of: first))
      return keys.equals(table.bytes.extracting(table.keyReferences(of: second)))
    }
  }
}

extension BinaryObjectTable.Object {
  fileprivate var isUIDOrBoolean: Bool { kind == 0x8 || kind == 0x0 }
}

extension BinaryObjectTable {
  /// Returns true if an object, which is at an offset, has no more bytes than its value needs.
  @inline(__always)
  fileprivate func isMinimal(_ object: Object, at offset: Int) throws(FerryError) -> Bool {
    switch object.kind {
    case 0x0: true
    // A number of one byte takes no less.
    case 0x1 where object.count == 0, 0x8 where object.count == 0: true
    case 0x5 where object.count < 0xf, 0xd where object.count < 0xf: object.start == offset + 1
    default: try isRarerMinimal(object, at: offset)
    }
  }

  @inline(never)
  private func isRarerMinimal(_ object: Object, at offset: Int) throws(FerryError) -> Bool {
    switch object.kind {
    case 0x0, 0x2, 0x3: return true
    case 0x1: return try integer(object).binaryWidth == 1 << object.count
    case 0x8: return uid(object).leastWidth == object.count + 1
    case 0x6 where isASCII(utf16: object): return false
    default:
      guard object.count >= 0xf else { return object.start == offset + 1 }
      // The count follows its own marker.
      return object.start == offset + 2 + UInt64(object.count).leastWidth
    }
  }

  /// Returns true if a UTF-16 string has only ASCII characters, so that it needs one byte for each.
  private func isASCII(utf16 string: Object) -> Bool {
    for offset in stride(from: string.start, to: string.start + 2 * string.count, by: 2)
    where bytes[offset] != 0 || bytes[offset + 1] > 0x7f { return false }
    return true
  }

  /// Returns true if the file has these bytes at an offset.
  fileprivate func has(_ expected: Span<UInt8>, at offset: Int) -> Bool {
    expected.count <= bytes.count - offset
      && bytes.extracting(offset..<offset + expected.count).equals(expected)
  }
}
