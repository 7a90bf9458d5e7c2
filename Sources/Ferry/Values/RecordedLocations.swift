/// The source locations of a sequence of events, mostly in one byte each.
///
/// Most events are on the line of the event before, and their columns differ by as much as their byte offsets. One byte stores this
/// difference. All other locations are stored as the differences of their parts. To find a location, up to 64 differences are added.
struct RecordedLocations {
  /// A source location without optional parts, which are 0 if a line or column is unknown, and -1 otherwise.
  private struct Parts {
    var line = 0
    var column = 0
    var byte = -1
    var object = -1

    init() {}

    init(_ location: InputLocation) {
      (line, column) = (location.line ?? 0, location.column ?? 0)
      (byte, object) = (location.byte ?? -1, location.object ?? -1)
    }

    var location: InputLocation {
      InputLocation(
        line: line == 0 ? nil : line, column: column == 0 ? nil : column, byte: byte < 0 ? nil : byte,
        object: object < 0 ? nil : object)
    }
  }

  /// The state before each block of locations: the offset of its differences, and the location before it.
  private struct Block {
    let offset: Int
    let parts: Parts
  }

  private(set) var count = 0
  private var blocks: [Block] = []
  private var differences: [UInt8] = []
  private var last = Parts()

  private static let blockSize = 64
  /// The byte of a location whose parts are stored one by one.
  private static let separateParts: UInt8 = .max

  mutating func removeAll() {
    count = 0
    blocks.removeAll(keepingCapacity: true)
    differences.removeAll(keepingCapacity: true)
    last = Parts()
  }

  mutating func append(_ location: InputLocation) {
    if count.isMultiple(of: Self.blockSize) { blocks.append(Block(offset: differences.count, parts: last)) }
    count += 1
    let next = Parts(location)
    let distance = next.byte &- last.byte
    if next.line == last.line, next.object == last.object, next.column &- last.column == distance,
      (0..<Int(Self.separateParts)).contains(distance)
    {
      differences.append(UInt8(distance))
    } else {
      differences.append(Self.separateParts)
      append(next.line &- last.line)
      append(next.column &- last.column)
      append(distance)
      append(next.object &- last.object)
    }
    last = next
  }

  /// Returns the location with an index, or an empty one if there is none.
  subscript(index: Int) -> InputLocation {
    guard (0..<count).contains(index) else { return InputLocation() }
    let block = blocks[index / Self.blockSize]
    var (parts, offset) = (block.parts, block.offset)
    for _ in 0...index % Self.blockSize { advance(&parts, &offset) }
    return parts.location
  }

  /// Adds the difference at an offset.
  private func advance(_ parts: inout Parts, _ offset: inout Int) {
    let distance = differences[offset]
    offset += 1
    guard distance == Self.separateParts else {
      parts.column &+= Int(distance)
      parts.byte &+= Int(distance)
      return
    }
    parts.line &+= number(at: &offset)
    parts.column &+= number(at: &offset)
    parts.byte &+= number(at: &offset)
    parts.object &+= number(at: &offset)
  }

  /// Appends a packed number. The sign is in the lowest bit.
  private mutating func append(_ number: Int) {
    let number = Int64(number)
    differences.append(packed: UInt64(bitPattern: (number << 1) ^ (number >> (Int64.bitWidth - 1))))
  }

  private func number(at offset: inout Int) -> Int {
    let bits = differences.packedNumber(at: &offset)
    return Int(truncatingIfNeeded: Int64(bitPattern: bits >> 1) ^ -Int64(bitPattern: bits & 1))
  }
}
