/// A writer of numbered objects as a binary property list.
struct BinaryObjects<Nodes: PropertyListNodes>: ~Copyable {
  private var buffer: OutputBuffer
  private let tree: Nodes
  /// The node of each object.
  private let nodes: [UInt32]
  /// The object number of each node.
  private let numbers: [UInt32]
  /// The file whose objects are the first nodes. Its scalars are copied as they are. Nil if there is no such
  /// file.
  private let stored: BinaryPropertyList?
  private let layout: BinaryLayout
  private let referenceWidth: Int

  init(_ order: ObjectOrder<Nodes>, of tree: Nodes, layout: BinaryLayout, to output: any ByteOutput) {
    self.init(nodes: order.nodes, numbers: order.numbers, of: tree, layout: layout, to: output)
  }

  init(
    nodes: [UInt32], numbers: [UInt32], of tree: Nodes, copyingFrom stored: BinaryPropertyList? = nil,
    layout: BinaryLayout, to output: any ByteOutput
  ) {
    buffer = OutputBuffer(to: output)
    (self.tree, self.nodes, self.numbers, self.stored) = (tree, nodes, numbers, stored)
    self.layout = layout
    let least = UInt64(nodes.count).leastWidth
    referenceWidth =
      layout.referenceWidth.flatMap { $0.isWide(enoughFor: UInt64(nodes.count)) ? $0 : nil } ?? least
  }

  /// Writes the whole file, and applies the layout's patch.
  static func write(
    _ order: ObjectOrder<Nodes>, of tree: Nodes, layout: BinaryLayout, to output: any ByteOutput
  ) throws(FerryError) {
    guard let patch = layout.patch else {
      var objects = BinaryObjects(order, of: tree, layout: layout, to: output)
      return try objects.write()
    }
    let whole = MemoryOutput()
    var objects = BinaryObjects(order, of: tree, layout: layout, to: whole)
    try objects.write()
    let bytes = patch.applied(to: whole.bytes) ?? whole.bytes
    try output.write(bytes.span)
  }

  /// Writes the objects, in the order of their numbers or in `sequence`.
  mutating func write(sequence: [Int]? = nil) throws(FerryError) {
    var offsets = [UInt64](repeating: 0, count: nodes.count)
    try buffer.append("bplist00")
    for index in nodes.indices {
      let number = sequence?[index] ?? index
      offsets[number] = UInt64(buffer.count)
      try append(NodeID(Int(nodes[number])))
    }
    let tableStart = UInt64(buffer.count)
    let offsetWidth =
      layout.offsetWidth.flatMap { $0.isWide(enoughFor: tableStart) ? $0 : nil } ?? tableStart.leastWidth
    for offset in offsets { try append(offset, width: offsetWidth) }
    try append(0, width: 6)
    try buffer.append(UInt8(offsetWidth))
    try buffer.append(UInt8(referenceWidth))
    try append(UInt64(offsets.count), width: 8)
    try append(UInt64(numbers[tree.root.index]), width: 8)
    try append(tableStart, width: 8)
    try buffer.flush()
  }

  private mutating func append(_ number: UInt64, width: Int) throws(FerryError) {
    for byte in (0..<width).reversed() {
      try buffer.append(UInt8(truncatingIfNeeded: number >> UInt64(8 * byte)))
    }
  }

  /// Appends a marker with a count. A count of 15 or more follows the marker as an integer.
  private mutating func append(marker: UInt8, count: Int) throws(FerryError) {
    guard count >= 15 else {
      try buffer.append(marker | UInt8(count))
      return
    }
    try buffer.append(marker | 0xf)
    try append(integer: Int128(count))
  }

  private mutating func append(integer: Int128) throws(FerryError) {
    guard integer >= 0 else {
      // Integers of 1, 2 and 4 bytes are unsigned, so a negative integer takes 8 bytes.
      try buffer.append(0x13)
      try append(UInt64(bitPattern: Int64(truncatingIfNeeded: integer)), width: 8)
      return
    }
    let magnitude = UInt64(truncatingIfNeeded: integer)
    guard magnitude >> 63 == 0 else {
      try buffer.append(0x14)
      try append(0, width: 8)
      try append(magnitude, width: 8)
      return
    }
    let width = magnitude.leastWidth
    try buffer.append(0x10 | UInt8(width.trailingZeroBitCount))
    try append(magnitude, width: width)
  }

  private mutating func append(_ node: NodeID) throws(FerryError) {
    let kind = try tree.kind(of: node)
    if let stored, node.index < stored.nodeCount, !kind.isCollection {
      let extent = try stored.extent(of: node)
      let bytes = stored.bytes
      return try buffer.append(bytes.span.extracting(extent))
    }
    switch kind {
    case .null: try buffer.append(0x00)
    case .boolean(let value): try buffer.append(value ? 0x09 : 0x08)
    case .integer(let value): try append(integer: value)
    case .real(let value): try append(real: value)
    case .single(let value):
      try buffer.append(0x22)
      try append(UInt64(value.bitPattern), width: 4)
    case .date(let seconds):
      try buffer.append(0x33)
      try append(seconds.bitPattern, width: 8)
    case .uid(let number):
      let width = number.leastWidth
      try buffer.append(0x80 | UInt8(width - 1))
      try append(number, width: width)
    case .number: try append(decimal: node)
    case .string: try appendText(of: node)
    case .data: try appendData(of: node)
    case .array(let count): try append(collection: node, marker: 0xa0, count: count)
    case .set(let count): try append(collection: node, marker: 0xc0, count: count)
    case .dictionary(let count):
      try append(marker: 0xd0, count: count)
      for index in 0..<count { try append(referenceTo: tree.key(index, of: node)) }
      for index in 0..<count { try append(referenceTo: tree.value(index, of: node)) }
    }
  }

  private mutating func append(real value: Double) throws(FerryError) {
    try buffer.append(0x23)
    try append(value.bitPattern, width: 8)
  }

  /// Appends a decimal as the real with its digits.
  private mutating func append(decimal node: NodeID) throws(FerryError) {
    let text = try tree.withText(of: node) { text in String(text) }
    guard let value = Double(text), value.isFinite, value.isNotation(of: text) else {
      throw BinaryPropertyListWriter.cannotHold(number: text)
    }
    try append(real: value)
  }

  private mutating func append(collection node: NodeID, marker: UInt8, count: Int) throws(FerryError) {
    try append(marker: marker, count: count)
    for index in 0..<count { try append(referenceTo: tree.element(index, of: node)) }
  }

  private mutating func append(referenceTo node: NodeID) throws(FerryError) {
    try append(UInt64(numbers[node.index]), width: referenceWidth)
  }

  private mutating func appendData(of node: NodeID) throws(FerryError) {
    try tree.withData(of: node) { bytes throws(FerryError) in
      try append(marker: 0x40, count: bytes.count)
      try buffer.append(bytes)
    }
  }

  private mutating func appendText(of node: NodeID) throws(FerryError) {
    try tree.withText(of: node) { text throws(FerryError) in
      guard !text.isASCII else {
        try append(marker: 0x50, count: text.utf8.count)
        try buffer.append(text.utf8)
        return
      }
      var units = 0
      text.forEachScalar { units += $0 < 0x1_0000 ? 1 : 2 }
      try append(marker: 0x60, count: units)
      try text.forEachScalar { scalar throws(FerryError) in
        if scalar < 0x1_0000 {
          try append(UInt64(scalar), width: 2)
        } else {
          try append(UInt64(0xd7c0 + scalar >> 10) << 16 | UInt64(0xdc00 | scalar & 0x3ff), width: 4)
        }
      }
    }
  }
}

extension UInt64 {
  /// The smallest width that can store the number: 1, 2, 4 or 8 bytes.
  var leastWidth: Int {
    switch self {
    case 0...0xff: 1
    case 0...0xffff: 2
    case 0...0xffff_ffff: 4
    default: 8
    }
  }
}

extension Int {
  /// Returns true if a width is from 1 to 8 bytes and can store a number.
  fileprivate func isWide(enoughFor number: UInt64) -> Bool {
    (1...8).contains(self) && (self == 8 || number >> UInt64(8 * self) == 0)
  }
}
