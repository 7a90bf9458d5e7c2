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
/// The bytes of a file are kept, with the offset of each object and a hash table of the scalars that can be shared.
struct BinaryObjectBuilder: ~Copyable {
  /// The names of the keys of dictionaries, in the order of the file.
  struct Keys {
    let names: [String]
    /// The number of the list of names, under which the references to the keys are kept; nil for a list that does not
    /// occur again.
    let number: Int?
  }

  private var bytes: [UInt8] = []
  /// The offset of each object.
  private var offsets: [UInt32] = []
  private let referenceWidth: Int
  /// The offsets of the next references to fill in, for each open collection.
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

  /// Creates a builder.
  ///
  /// - Parameters:
  ///   - uidCount: The number of objects of the archive.
  ///   - referenceWidth: The assumed size of a reference to an object in bytes. If `finish` finds that it is another, it
  ///     returns false.
  init(uidCount: Int, referenceWidth: Int) {
    self.referenceWidth = referenceWidth
    uids = [UInt32](repeating: 0, count: uidCount)
    bytes.append(copying: BinaryPropertyList.header)
  }

  /// The size of a reference for the objects so far.
  var neededWidth: Int { UInt64(offsets.count).leastWidth }

  /// Writes the file. The builder must have the right width of references.
  mutating func finish(to output: any ByteOutput) throws(FerryError) {
    try output.write(bytes.span)
    let tableStart = UInt64(bytes.count)
    bytes = []
    let offsetWidth = tableStart.leastWidth
    let chunk = 1 << 16
    var table: [UInt8] = []
    table.reserveCapacity(chunk + 64)
    for offset in offsets {
      table.append(bigEndian: UInt64(offset), width: offsetWidth)
      guard table.count > chunk else { continue }
      try output.write(table.span)
      table.removeAll(keepingCapacity: true)
    }
    table.append(
      binaryTrailer: offsets.count, root: 0, tableStart: tableStart, offsetWidth: offsetWidth,
      referenceWidth: referenceWidth)
    try output.write(table.span)
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
  mutating func end() { open.removeLast() }

  private mutating func beginParts(_ count: Int) {
    open.append(bytes.count)
    bytes.append(contentsOf: repeatElement(0, count: count * referenceWidth))
  }

  // MARK: Scalars

  mutating func uid(_ number: Int) {
    if uids[number] == 0 { uids[number] = UInt32(offsets.count + 1) }
    offsets.append(UInt32(truncatingIfNeeded: bytes.count))
    bytes.append(binaryReference: UInt64(number))
    refer(to: uids[number] - 1)
  }

  mutating func null() {
    addObject()
    bytes.append(0x00)
  }

  mutating func boolean(_ value: Bool) {
    let first = (value ? firstYes : firstNo) ?? UInt32(offsets.count)
    if value { firstYes = first } else { firstNo = first }
    offsets.append(UInt32(truncatingIfNeeded: bytes.count))
    bytes.append(value ? 0x09 : 0x08)
    refer(to: first)
  }

  mutating func integer(_ value: Int128) throws(FerryError) {
    try value.check64Bits(for: "a keyed archive")
    let start = bytes.count
    bytes.append(binaryInteger: value)
    share(from: start)
  }

  mutating func real(_ value: Double) {
    let start = bytes.count
    bytes.append(binaryReal: value)
    share(from: start)
  }

  mutating func single(_ value: Float) {
    let start = bytes.count
    bytes.append(binarySingle: value)
    share(from: start)
  }

  mutating func date(_ secondsSince2001: Double) {
    let start = bytes.count
    bytes.append(binaryDate: secondsSince2001)
    share(from: start)
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
    guard text.isConstantKeyOfArchives else { return share(from: start) }
    refer(to: constantKeys.number(ofBytesFrom: start, in: &bytes, &offsets))
  }

  // MARK: Objects

  /// Makes the bytes that follow an object of their own, which is the next part of the innermost collection.
  private mutating func addObject() {
    refer(to: UInt32(offsets.count))
    offsets.append(UInt32(truncatingIfNeeded: bytes.count))
  }

  /// Makes the last bytes an object, or removes them if an equal object exists.
  private mutating func share(from start: Int) {
    refer(to: scalars.number(ofBytesFrom: start, in: &bytes, &offsets))
  }

  /// Fills in the next reference of the innermost collection.
  private mutating func refer(to number: UInt32) {
    let last = open.count - 1
    guard last >= 0 else { return }
    bytes.put(bigEndian: UInt64(number), width: referenceWidth, at: open[last])
    open[last] += referenceWidth
  }
}

/// A hash table of the objects that equal scalars share, by their bytes in a file.
private struct StoredScalars {
  private var numbers = HashedNumbers()

  /// Returns the number of the object with the last bytes. If it is an earlier one, removes the bytes; otherwise adds the
  /// object.
  mutating func number(
    ofBytesFrom start: Int, in bytes: inout [UInt8], _ offsets: inout [UInt32]
  ) -> UInt32 {
    let number = offsets.count
    var probe = numbers.probe(for: bytes.span.extracting(start...).hashOfBytes)
    while let earlier = numbers.next(at: &probe) {
      guard bytes.span.hasAgain(bytesFrom: start, at: Int(offsets[earlier])) else { continue }
      bytes.removeLast(bytes.count - start)
      return UInt32(truncatingIfNeeded: earlier)
    }
    numbers.add(number, at: probe)
    offsets.append(UInt32(truncatingIfNeeded: start))
    return UInt32(truncatingIfNeeded: number)
  }
}

extension Span<UInt8> {
  /// Returns true if the last bytes, which are an object, are also at an earlier offset. The marker contains the length, so that no
  /// longer object begins with the bytes.
  fileprivate func hasAgain(bytesFrom start: Int, at offset: Int) -> Bool {
    let object = extracting(start...)
    return extracting(offset..<offset + object.count).equals(object)
  }
}
