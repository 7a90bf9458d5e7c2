// A file is compared with the bytes that `BinaryObjects` writes for the file's own objects, one object after the other and without
// writing them.

extension BinaryPropertyList {
  /// Returns true if the file has the bytes of its objects with a layout.
  ///
  /// - Parameter order: The node of each object. References use the numbers of nodes. If an object is another node than that with
  ///   its number, it is a UID or a boolean to which nothing refers.
  func hasBytes(of order: [UInt32], _ layout: BinaryLayout) throws(FerryError) -> Bool {
    try withTable { table throws(FerryError) in
      guard table.bytes.starts(with: BinaryPropertyList.header) else { return false }
      var end = 8
      // The bytes at the start of an object, or all its bytes.
      var expected: [UInt8] = []
      for (number, node) in order.enumerated() {
        guard try table.offset(of: NodeID(number)) == end else { return false }
        expected.removeAll(keepingCapacity: true)
        let object = try table.object(NodeID(Int(node)))
        switch object.kind {
        case 0x4, 0x5, 0xa, 0xc, 0xd:
          // The content is what the object was read from; only the count can take more bytes than necessary.
          guard node == number else { return false }
          expected.append(binaryMarker: object.kind << 4, count: object.count)
          guard table.has(expected.span, at: end) else { return false }
          end = object.start + table.contentSize(of: object)
        case 0x6:
          try withText(of: object.node) { text throws(FerryError) in expected.append(binaryText: text) }
          guard table.has(expected.span, at: end) else { return false }
          end += expected.count
        default:
          expected.append(binaryScalar: try table.kind(of: object))
          guard table.has(expected.span, at: end) else { return false }
          end += expected.count
        }
      }
      expected.removeAll(keepingCapacity: true)
      expected.append(
        binaryTrailer: order.count, root: UInt64(root.index), tableStart: UInt64(end),
        offsetWidth: layout.offsetWidth(forTableAt: UInt64(end)),
        referenceWidth: layout.referenceWidth(forObjects: order.count))
      return table.has(expected.span, at: byteCount - expected.count)
    }
  }
}

extension BinaryObjectTable {
  /// Returns true if the file has these bytes at an offset.
  fileprivate func has(_ expected: Span<UInt8>, at offset: Int) -> Bool {
    expected.count <= bytes.count - offset
      && bytes.extracting(offset..<offset + expected.count).equals(expected)
  }
}
