/// A writer of numbered objects as a binary property list.
struct BinaryObjects<Nodes: PropertyListNodes>: ~Copyable {
  /// The bytes that are not yet written.
  private var pending: [UInt8] = []
  /// The number of bytes written.
  private var written = 0
  private let output: any ByteOutput
  private let tree: Nodes
  /// The node of each object.
  private let nodes: [UInt32]
  /// The object number of each node.
  private let numbers: [UInt32]
  /// The file whose objects are the first nodes, and the storage of new ones. Nil if there is no such file.
  private let stored: KeptStorage?
  private let layout: BinaryLayout
  private let referenceWidth: Int
  /// The nodes to which the current collection refers.
  private var references: [NodeID] = []

  init(_ order: ObjectOrder<Nodes>, of tree: Nodes, layout: BinaryLayout, to output: any ByteOutput) {
    self.init(nodes: order.nodes.all, numbers: order.numbers, of: tree, layout: layout, to: output)
  }

  init(
    nodes: [UInt32], numbers: [UInt32], of tree: Nodes, keeping stored: KeptStorage? = nil,
    layout: BinaryLayout, to output: any ByteOutput
  ) {
    self.output = output
    (self.tree, self.nodes, self.numbers, self.stored) = (tree, nodes, numbers, stored)
    self.layout = layout
    referenceWidth = layout.referenceWidth(forObjects: nodes.count)
  }

  /// Writes the whole file, and applies the layout's patch.
  ///
  /// - Parameter losses: Receives the loss of a patch for other values.
  static func write(
    _ order: ObjectOrder<Nodes>, of tree: Nodes, layout: BinaryLayout, to output: any ByteOutput,
    losses: LossReport? = nil
  ) throws(FerryError) {
    guard let patch = layout.patch else {
      var objects = BinaryObjects(order, of: tree, layout: layout, to: output)
      return try objects.write()
    }
    let whole = MemoryOutput()
    var objects = BinaryObjects(order, of: tree, layout: layout, to: whole)
    try objects.write()
    let bytes = patch.applied(to: whole.bytes, losses: losses)
    try output.write(bytes.span)
  }

  /// Writes the objects, in the order of their numbers or in `sequence`.
  mutating func write(sequence: [Int]? = nil) throws(FerryError) {
    var offsets = [UInt64](repeating: 0, count: nodes.count)
    pending.reserveCapacity(2 * Self.chunkSize)
    if let stored {
      pending.append(contentsOf: stored.file.signature)
    } else {
      pending.append(copying: BinaryPropertyList.header)
    }
    for index in nodes.indices {
      let number = sequence?[index] ?? index
      offsets[number] = UInt64(written + pending.count)
      try append(NodeID(Int(nodes[number])))
      try flush(ifLongerThan: Self.chunkSize)
    }
    let tableStart = UInt64(written + pending.count)
    let offsetWidth = layout.offsetWidth(forTableAt: tableStart)
    let chunk = Self.chunkSize / 8
    for start in stride(from: 0, to: offsets.count, by: chunk) {
      pending.append(count: min(chunk, offsets.count - start), ofWidth: offsetWidth) { offsets[start + $0] }
      try flush(ifLongerThan: Self.chunkSize)
    }
    pending.append(
      binaryTrailer: offsets.count, root: UInt64(numbers[tree.root.index]), tableStart: tableStart,
      offsetWidth: offsetWidth, referenceWidth: referenceWidth)
    if let stored {
      pending.replaceSubrange(pending.count - 32..<pending.count - 26, with: stored.file.unusedBytes)
    }
    try flush(ifLongerThan: 0)
  }

  private static var chunkSize: Int { 1 << 16 }

  private mutating func flush(ifLongerThan size: Int) throws(FerryError) {
    guard pending.count > size else { return }
    try output.write(pending.span)
    written += pending.count
    pending.removeAll(keepingCapacity: true)
  }

  /// Appends bytes. Many of them are written without a copy.
  private mutating func append(_ bytes: Span<UInt8>) throws(FerryError) {
    guard bytes.count > Self.chunkSize else { return pending.append(copying: bytes) }
    try flush(ifLongerThan: 0)
    try output.write(bytes)
    written += bytes.count
  }

  private mutating func append(_ node: NodeID) throws(FerryError) {
    let kind = try tree.kind(of: node)
    if let stored {
      if let extent = try stored.extent(of: node, kind) {
        let bytes = stored.file.bytes
        return try append(bytes.span.extracting(extent))
      }
      if try append(node, kind, ofWidth: stored.leastWidth(of: node, kind)) { return }
    }
    switch kind {
    case .null, .boolean, .integer, .real, .single, .date, .uid: pending.append(binaryScalar: kind)
    case .number: try append(decimal: node)
    case .string: try append(textOf: node)
    case .data:
      let tree = tree
      try tree.withData(of: node) { bytes throws(FerryError) in
        pending.append(binaryMarker: 0x40, count: bytes.count)
        try append(bytes)
      }
    case .array(let count): try append(collection: node, marker: 0xa0, count: count)
    case .set(let count): try append(collection: node, marker: 0xc0, count: count)
    case .dictionary(let count): try append(collection: node, marker: 0xd0, count: count)
    }
  }

  private mutating func append(textOf node: NodeID) throws(FerryError) {
    // The bytes are moved out, so that the nodes need not be copied for the time of the change.
    var bytes: [UInt8] = []
    swap(&bytes, &pending)
    defer { swap(&bytes, &pending) }
    try tree.withText(of: node) { text throws(FerryError) in bytes.append(binaryText: text) }
  }

  /// Appends an integer, a reference or a string in more bytes than necessary. Returns false for one of the usual width.
  private mutating func append(_ node: NodeID, _ kind: NodeKind, ofWidth width: Int) throws(FerryError)
    -> Bool
  {
    guard width > 1 else { return false }
    switch kind {
    case .integer(let value): pending.append(binaryInteger: value, width: width)
    case .uid(let number): pending.append(binaryReference: number, width: width)
    case .string:
      let tree = tree
      try tree.withText(of: node) { text throws(FerryError) in pending.append(utf16Text: text) }
    default: return false
    }
    return true
  }

  /// Appends a decimal as the real with its digits.
  private mutating func append(decimal node: NodeID) throws(FerryError) {
    let text = try tree.withText(of: node) { text in String(text) }
    guard let value = Double(text), value.isFinite, value.isNotation(of: text) else {
      throw BinaryPropertyListWriter.cannotHold(number: text)
    }
    pending.append(binaryReal: value)
  }

  private mutating func append(collection node: NodeID, marker: UInt8, count: Int) throws(FerryError) {
    pending.append(binaryMarker: marker, count: count)
    references.removeAll(keepingCapacity: true)
    try tree.appendReferences(of: node, to: &references)
    let (references, numbers) = (references, numbers)
    pending.append(count: references.count, ofWidth: referenceWidth) { UInt64(numbers[references[$0].index]) }
  }
}

extension BinaryObjects<PropertyListArena> {
  /// Writes a property list in memory as the binary file with a layout.
  ///
  /// - Parameter losses: Receives the loss of a patch for other values.
  static func write(
    _ tree: PropertyListTree, layout: BinaryLayout, to output: any ByteOutput, losses: LossReport? = nil
  ) throws(FerryError) {
    let order = try ObjectOrder(of: tree.arena, layout: layout, sharing: .noted(layout.deviations))
    try write(order, of: tree.arena, layout: layout, to: output, losses: losses)
  }
}

extension BinaryLayout {
  /// Returns the width of a reference in a file with some number of objects.
  func referenceWidth(forObjects count: Int) -> Int { Self.width(referenceWidth, for: UInt64(count)) }

  /// Returns the width of an offset in a file whose offset table begins at an offset.
  func offsetWidth(forTableAt start: UInt64) -> Int { Self.width(offsetWidth, for: start) }

  /// Returns a width if it can store a number, otherwise the smallest width that can.
  private static func width(_ width: Int?, for number: UInt64) -> Int {
    guard let width, (1...8).contains(width), width == 8 || number >> UInt64(8 * width) == 0 else {
      return number.leastWidth
    }
    return width
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
