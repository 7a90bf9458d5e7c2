/// Writes a binary property list (`bplist00`), byte for byte as Apple's frameworks write it.
///
///     let output = MemoryOutput()
///     let writer = BinaryPropertyListWriter(to: output)
///     try BinaryPropertyList(bytes).replay(into: writer)
///     try writer.finish()
///
/// The layout is described at `BinaryPropertyList`. References to objects are as wide as the number of objects wants, so
/// the events are gathered and everything is written at the end.
public final class BinaryPropertyListWriter: ValueSink {
  /// Which equal values are one object of the file.
  public enum Sharing: Hashable, Sendable {
    /// Strings, numbers, dates and data that are equal: what Apple's tools write for an XML property list.
    case equalScalars
    /// Equal keys, numbers, short strings and well-known class names: what `NSKeyedArchiver` writes.
    case archiver
  }

  private static let format = "a binary property list"
  private let tree = PropertyListTree(for: format)
  private let output: any ByteOutput
  private let sharing: Sharing

  /// A writer of one property list.
  public init(to output: any ByteOutput, sharing: Sharing = .equalScalars) {
    self.output = output
    self.sharing = sharing
  }

  /// Written as such; readers know it, although Apple's writer never makes one.
  public func null() throws(Failure) { try tree.null() }
  public func boolean(_ value: Bool) throws(Failure) { try tree.boolean(value) }
  public func integer(_ value: Int128) throws(Failure) { try tree.integer(value) }
  public func real(_ value: Double) throws(Failure) { try tree.real(value) }
  public func single(_ value: Float) throws(Failure) { try tree.single(value) }
  /// Refused.
  public func number(_ text: Text) throws(Failure) {
    throw cannotHold("the number \(String(text)), which no integer and no real is exactly")
  }
  public func string(_ text: Text) throws(Failure) { try tree.string(text) }
  public func data(_ bytes: Span<UInt8>) throws(Failure) { try tree.data(bytes) }
  public func date(_ secondsSince2001: Double) throws(Failure) { try tree.date(secondsSince2001) }
  public func uid(_ number: UInt64) throws(Failure) { try tree.uid(number) }
  public func beginArray(count: Int?) throws(Failure) { try tree.beginArray(count: count) }
  public func endArray() throws(Failure) { try tree.endArray() }
  public func beginSet(count: Int?) throws(Failure) { try tree.beginSet(count: count) }
  public func endSet() throws(Failure) { try tree.endSet() }
  public func beginDictionary(count: Int?) throws(Failure) { try tree.beginDictionary(count: count) }
  public func key(_ text: Text) throws(Failure) { try tree.key(text) }
  /// A key that is not a string: some readers take it, some do not. Collections are refused.
  public func beginKey() throws(Failure) { try tree.beginKey() }
  public func endKey() throws(Failure) { try tree.endKey() }
  public func endDictionary() throws(Failure) { try tree.endDictionary() }
  /// Refused.
  public func beginObject(_ type: ObjectClass, identity: Int?) throws(Failure) {
    throw cannotHold("an object")
  }
  /// Refused.
  public func endObject() throws(Failure) { throw cannotHold("an object") }
  /// Refused.
  public func reference(_ identity: Int) throws(Failure) { throw cannotHold("a reference to an object") }

  /// Writes the file.
  public func finish() throws(Failure) {
    try tree.finish()
    let order = try ObjectOrder(of: tree.arena, sharing: sharing)
    var file = ObjectBuffer(order, of: tree.arena, to: output)
    try file.write()
  }

  private func cannotHold(_ kind: String) -> Failure {
    Failure(.cannotHold(.kind(kind, format: Self.format)))
  }
}

/// The bytes of a file whose objects have been numbered.
private struct ObjectBuffer: ~Copyable {
  private var buffer: OutputBuffer
  private let tree: PropertyListArena
  private let order: ObjectOrder
  private let referenceWidth: Int

  init(_ order: ObjectOrder, of tree: PropertyListArena, to output: any ByteOutput) {
    buffer = OutputBuffer(to: output)
    self.tree = tree
    self.order = order
    referenceWidth = Self.width(of: UInt64(order.nodes.count))
  }

  mutating func write() throws(Failure) {
    var offsets: [UInt64] = []
    offsets.reserveCapacity(order.nodes.count)
    try buffer.append("bplist00")
    for node in order.nodes {
      offsets.append(UInt64(buffer.count))
      try append(Int(node))
    }
    let tableStart = UInt64(buffer.count)
    let offsetWidth = Self.width(of: tableStart)
    for offset in offsets { try append(offset, width: offsetWidth) }
    try append(0, width: 6)
    try buffer.append(UInt8(offsetWidth))
    try buffer.append(UInt8(referenceWidth))
    try append(UInt64(offsets.count), width: 8)
    try append(0, width: 8)
    try append(tableStart, width: 8)
    try buffer.flush()
  }

  /// Bytes enough for a number: 1, 2, 4 or 8.
  private static func width(of number: UInt64) -> Int {
    switch number {
    case 0...0xff: 1
    case 0...0xffff: 2
    case 0...0xffff_ffff: 4
    default: 8
    }
  }

  private mutating func append(_ number: UInt64, width: Int) throws(Failure) {
    for byte in (0..<width).reversed() {
      try buffer.append(UInt8(truncatingIfNeeded: number >> UInt64(8 * byte)))
    }
  }

  /// A marker and a count: in the low half of the marker or, from 15 on, as an integer behind it.
  private mutating func append(marker: UInt8, count: Int) throws(Failure) {
    guard count >= 15 else {
      try buffer.append(marker | UInt8(count))
      return
    }
    try buffer.append(marker | 0xf)
    try append(integer: Int128(count))
  }

  private mutating func append(integer: Int128) throws(Failure) {
    guard integer >= 0 else {
      // Narrower integers are unsigned.
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
    let width = Self.width(of: magnitude)
    try buffer.append(0x10 | UInt8(width.trailingZeroBitCount))
    try append(magnitude, width: width)
  }

  private mutating func append(_ node: Int) throws(Failure) {
    switch try tree.kind(of: node) {
    case .null: try buffer.append(0x00)
    case .boolean(let value): try buffer.append(value ? 0x09 : 0x08)
    case .integer(let value): try append(integer: value)
    case .real(let value):
      try buffer.append(0x23)
      try append(value.bitPattern, width: 8)
    case .single(let value):
      try buffer.append(0x22)
      try append(UInt64(value.bitPattern), width: 4)
    case .date(let seconds):
      try buffer.append(0x33)
      try append(seconds.bitPattern, width: 8)
    case .uid(let number):
      let width = Self.width(of: number)
      try buffer.append(0x80 | UInt8(width - 1))
      try append(number, width: width)
    case .string, .number: try appendText(of: node)
    case .data: try appendData(of: node)
    case .array(let count): try append(collection: node, marker: 0xa0, count: count)
    case .set(let count): try append(collection: node, marker: 0xc0, count: count)
    case .dictionary(let count):
      try append(marker: 0xd0, count: count)
      for index in 0..<count { try append(referenceTo: tree.key(index, of: node)) }
      for index in 0..<count { try append(referenceTo: tree.value(index, of: node)) }
    }
  }

  private mutating func append(collection node: Int, marker: UInt8, count: Int) throws(Failure) {
    try append(marker: marker, count: count)
    for index in 0..<count { try append(referenceTo: tree.element(index, of: node)) }
  }

  private mutating func append(referenceTo node: Int) throws(Failure) {
    try append(UInt64(order.numbers[node]), width: referenceWidth)
  }

  private mutating func appendData(of node: Int) throws(Failure) {
    try tree.withData(of: node) { bytes throws(Failure) in
      try append(marker: 0x40, count: bytes.count)
      try buffer.append(bytes)
    }
  }

  private mutating func appendText(of node: Int) throws(Failure) {
    try tree.withText(of: node) { text throws(Failure) in
      guard !text.isASCII else {
        try append(marker: 0x50, count: text.utf8.count)
        try buffer.append(text.utf8)
        return
      }
      var units = 0
      text.forEachScalar { units += $0 < 0x1_0000 ? 1 : 2 }
      try append(marker: 0x60, count: units)
      try text.forEachScalar { scalar throws(Failure) in
        if scalar < 0x1_0000 {
          try append(UInt64(scalar), width: 2)
        } else {
          try append(UInt64(0xd7c0 + scalar >> 10) << 16 | UInt64(0xdc00 | scalar & 0x3ff), width: 4)
        }
      }
    }
  }
}
