/// A builder of the binary property list of a new archive, in the order of the file.
///
/// A property list tree, its numbering, and the tables for both need several times the memory of the file. The objects of
/// an archive are known before they are written, so each is written to its final place. The references to the parts of a
/// collection are filled in while the parts follow:
///
///     D2 05 06 00 00     a dictionary of two entries; the numbers of its values are not known yet
///     80 03              object 7, the first value  ▸  D2 05 06 07 00
///
/// The order, the numbers and the sharing of objects are those that `ObjectOrder` has for an archive without a layout:
/// equal keys, numbers and short strings share an object, and each UID and each boolean is an object to which only the
/// references to the first of its value refer.
///
/// The bytes of a small file are kept. Those of a large one are written part by part, except for the first part, which has the
/// references to all objects of the archive: the output takes zeros for them, and replaces these at the end. An output that cannot do this
/// gets all parts at the end. Besides, the builder has the offset of each object, and a hash table of the scalars that can be shared.
struct BinaryObjectBuilder: ~Copyable {
  /// The names of the keys of dictionaries, in the order of the file.
  struct Keys {
    let names: [String]
    /// The number of the list of names, under which the references to the keys are kept; nil for a list that does not
    /// occur again.
    let number: Int?
  }

  private let output: any ByteOutput
  /// The output if it can replace bytes, with the offset of the file in it.
  private let replacing: (output: any ReplacingOutput, start: Int)?
  /// The first part, after the beginning of the second one. References in it are still filled in.
  private var firstPart: [UInt8] = []
  /// The complete parts after the first one that are not yet written.
  private var parts: [[UInt8]] = []
  /// The number of bytes in complete parts.
  private var partsSize = 0
  /// The bytes after the complete parts.
  private var bytes: [UInt8] = []
  private var offsets = ObjectOffsets()
  private let referenceWidth: Int
  /// The offset of the next reference to fill in of the innermost open collection, or -1.
  private var nextReference = -1
  /// The values of `nextReference` for the collections around the innermost one.
  private var open: [Int] = []
  /// The keys that are constants of the program that writes an archive, and all other scalars.
  private var constantKeys = StoredScalars()
  private var scalars = StoredScalars()
  /// The first object of each UID plus one, or 0.
  private var uids: [UInt32]
  private var firstNo: UInt32?
  private var firstYes: UInt32?
  /// The bytes of the references to the keys of each list of names.
  private var keyReferences: [[UInt8]] = []

  private static let partSize = 1 << 16

  /// Creates a builder.
  ///
  /// - Parameters:
  ///   - uidCount: The number of objects of the archive.
  ///   - referenceWidth: The assumed size of a reference to an object in bytes. If `neededWidth` is larger at the end, the file must be built
  ///     again. Nothing is written before in this case.
  ///   - output: The output of the file.
  init(uidCount: Int, referenceWidth: Int, to output: any ByteOutput) throws(FerryError) {
    self.referenceWidth = referenceWidth
    self.output = output
    if let other = output as? any ReplacingOutput, let start = try other.replaceableOffset() {
      replacing = (other, start)
    } else {
      replacing = nil
    }
    uids = [UInt32](repeating: 0, count: uidCount)
    bytes.append(copying: BinaryPropertyList.header)
  }

  /// The size of a reference for the objects so far.
  var neededWidth: Int { UInt64(offsets.count).leastWidth }

  /// Writes the objects so far, of which all references to parts must be filled in, except for those to the objects of the archive.
  mutating func writeCompletePart() throws(FerryError) {
    // References that are four bytes wide do not become wider.
    guard bytes.count >= Self.partSize, referenceWidth == 4 else { return }
    partsSize += bytes.count
    if replacing != nil { try output.write(bytes.span) }
    if firstPart.isEmpty {
      swap(&firstPart, &bytes)
    } else if replacing != nil {
      return bytes.removeAll(keepingCapacity: true)
    } else {
      parts.append(bytes)
      bytes = []
    }
    bytes.reserveCapacity(Self.partSize + Self.partSize / 4)
  }

  /// Writes the rest of the file. The builder must have the right width of references.
  mutating func finish() throws(FerryError) {
    if replacing == nil, !firstPart.isEmpty {
      try output.write(firstPart.span)
      for index in parts.indices {
        let part = parts[index]
        parts[index] = []
        try output.write(part.span)
      }
    }
    try output.write(bytes.span)
    let tableStart = UInt64(partsSize + bytes.count)
    bytes = []
    let offsetWidth = tableStart.leastWidth
    var table: [UInt8] = []
    table.reserveCapacity(Self.partSize + 64)
    var offset: UInt64 = 0
    var (position, rest) = (0, offsets.count)
    while rest > 0 {
      let count = min(rest, Self.partSize / offsetWidth)
      table.append(count: count, ofWidth: offsetWidth) { _ in
        offsets.advance(&offset, from: &position)
        return offset
      }
      rest -= count
      guard rest > 0 else { break }
      try output.write(table.span)
      table.removeAll(keepingCapacity: true)
    }
    table.append(
      binaryTrailer: offsets.count, root: 0, tableStart: tableStart, offsetWidth: offsetWidth,
      referenceWidth: referenceWidth)
    try output.write(table.span)
    if let replacing, !firstPart.isEmpty { try replacing.output.replace(firstPart.span, at: replacing.start) }
  }

  // MARK: Collections

  /// Begins a dictionary with all its keys. As many values follow.
  mutating func beginDictionary(_ keys: Keys) {
    addObject()
    let count = keys.names.count
    bytes.append(binaryMarker: 0xd0, count: count)
    if let number = keys.number, number < keyReferences.count, !keyReferences[number].isEmpty || count == 0 {
      bytes.append(contentsOf: keyReferences[number])
      return beginParts(count)
    }
    let start = bytes.count
    beginParts(2 * count)
    for name in keys.names { key(BorrowedText(name.utf8.span)) }
    guard let number = keys.number else { return }
    while keyReferences.count <= number { keyReferences.append([]) }
    keyReferences[number] = Array(bytes[start..<start + count * referenceWidth])
  }

  /// Begins an array. As many elements follow.
  mutating func beginArray(count: Int) {
    addObject()
    bytes.append(binaryMarker: 0xa0, count: count)
    beginParts(count)
  }

  /// Ends the innermost collection.
  mutating func end() { nextReference = open.removeLast() }

  private mutating func beginParts(_ count: Int) {
    open.append(nextReference)
    nextReference = partsSize + bytes.count
    let size = count * referenceWidth
    bytes.append(addingCapacity: size) { $0.append(repeating: 0, count: size) }
  }

  // MARK: Scalars

  mutating func uid(_ number: Int) {
    if uids[number] == 0 { uids[number] = UInt32(truncatingIfNeeded: offsets.count + 1) }
    offsets.append(partsSize + bytes.count)
    bytes.append(binaryReference: UInt64(number))
    refer(to: uids[number] - 1)
  }

  mutating func null() {
    addObject()
    bytes.append(0x00)
  }

  mutating func boolean(_ value: Bool) {
    let first = (value ? firstYes : firstNo) ?? UInt32(truncatingIfNeeded: offsets.count)
    if value { firstYes = first } else { firstNo = first }
    offsets.append(partsSize + bytes.count)
    bytes.append(value ? 0x09 : 0x08)
    refer(to: first)
  }

  /// Appends a scalar, unless an equal object is there, which it shares. It is inlined: a conversion calls it for each scalar.
  @inline(__always) private mutating func appendShared(_ append: (inout [UInt8]) -> Void) {
    let start = bytes.count
    append(&bytes)
    share(from: start)
  }

  mutating func integer(_ value: Int128) throws(FerryError) {
    try value.check64Bits(for: "a keyed archive")
    appendShared { $0.append(binaryInteger: value) }
  }

  mutating func real(_ value: Double) {
    appendShared { $0.append(binaryReal: value) }
  }

  mutating func single(_ value: Float) {
    appendShared { $0.append(binarySingle: value) }
  }

  mutating func date(_ secondsSince2001: Double) {
    appendShared { $0.append(binaryDate: secondsSince2001) }
  }

  mutating func string(_ text: BorrowedText) {
    guard text.isSharedInArchives else {
      addObject()
      return bytes.append(binaryText: text)
    }
    let start = bytes.count
    bytes.append(binaryText: text)
    share(from: start)
  }

  mutating func data(_ data: Span<UInt8>) {
    addObject()
    bytes.append(binaryMarker: 0x40, count: data.count)
    bytes.append(copying: data)
  }

  private mutating func key(_ text: BorrowedText) {
    let start = bytes.count
    bytes.append(binaryText: text)
    share(from: start, isConstantKey: text.isConstantKeyOfArchives)
  }

  // MARK: Objects

  /// Makes the bytes that follow an object of their own, which is the next part of the innermost collection.
  private mutating func addObject() {
    refer(to: UInt32(truncatingIfNeeded: offsets.count))
    offsets.append(partsSize + bytes.count)
  }

  /// Makes the last bytes an object, or removes them if an equal object exists.
  private mutating func share(from start: Int, isConstantKey: Bool = false) {
    let number = UInt32(truncatingIfNeeded: offsets.count)
    let first =
      isConstantKey
      ? constantKeys.number(ofBytesFrom: start, in: bytes, new: number)
      : scalars.number(ofBytesFrom: start, in: bytes, new: number)
    if first == number {
      offsets.append(partsSize + start)
    } else {
      bytes.removeLast(bytes.count - start)
    }
    refer(to: first)
  }

  /// Fills in the next reference of the innermost collection.
  private mutating func refer(to number: UInt32) {
    guard nextReference >= 0 else { return }
    if nextReference >= partsSize {
      bytes.put(bigEndian: UInt64(number), width: referenceWidth, at: nextReference - partsSize)
    } else {
      firstPart.put(bigEndian: UInt64(number), width: referenceWidth, at: nextReference)
    }
    nextReference += referenceWidth
  }
}

/// The offsets of objects, as the distance of each from the one before. Most distances take one byte.
private struct ObjectOffsets {
  private(set) var count = 0
  /// The distances, packed.
  private var distances: [UInt8] = []
  private var last = 0

  @inline(__always)
  mutating func append(_ offset: Int) {
    distances.append(packed: UInt64(bitPattern: Int64(offset &- last)))
    last = offset
    count += 1
  }

  /// Adds the distance at a position to an offset, and advances the position. There must be a distance at the position.
  @inline(__always)
  func advance(_ offset: inout UInt64, from position: inout Int) {
    offset += distances.packedNumber(at: &position)
  }
}

/// A hash table of the objects that equal scalars share, by their bytes in a file. It has a copy of the bytes, which may be written already.
private struct StoredScalars {
  private var indices = HashedNumbers()
  /// For each scalar the number of its object, in four bytes, and its bytes in the file.
  private var copies: [UInt8] = []
  /// The seed of the hashes, which is kept here because each access to the global one takes a call.
  private let seed = WordHash.seed

  private static let numberWidth = 4

  /// Returns the number of the object with the last bytes. If there is none, adds one with a new number.
  mutating func number(ofBytesFrom start: Int, in bytes: [UInt8], new: UInt32) -> UInt32 {
    let object = bytes.span.extracting(start...)
    var probe = indices.probe(for: object.hash(seed: seed))
    while let index = indices.next(at: &probe) {
      let copy = index + Self.numberWidth
      // The marker contains the length, so that no longer object begins with the bytes.
      let copies = copies.span
      guard object.count <= copies.count - copy,
        copies.extracting(copy..<copy + object.count).equals(object)
      else { continue }
      var number: UInt32 = 0
      for byte in index..<copy { number = number << 8 | UInt32(copies[byte]) }
      return number
    }
    indices.add(copies.count, at: probe)
    copies.append(bigEndian: UInt64(new), width: Self.numberWidth)
    copies.append(copying: object)
    return new
  }
}
