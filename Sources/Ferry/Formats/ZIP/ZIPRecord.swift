/// The header of a file in a ZIP archive, or its entry in the directory, to change numbers in it. Both have these fields:
///
///     0   version          10  checksum          22  size of the name
///     2   flags            14  compressed size   24  size of the extra fields
///     4   method           18  size
///     6   time and date
///
/// In a header, they follow the signature. In an entry, they follow the signature and another version, and other fields follow them: the
/// last one is the offset of the header. The name and the extra fields come last.
struct ZIPRecord {
  /// The bytes of the record.
  private(set) var bytes: [UInt8]
  /// The offset of the fields.
  private let start: Int
  /// The offset of the name.
  private let name: Int
  private let extra: ZIPExtraFields
  /// The range of the numbers with 64 bits that have not been put yet.
  private var largeNumbers: Range<Int>

  // MARK: Flags

  /// The flag of a name in UTF-8.
  private static let hasUTF8: UInt16 = 1 << 11
  /// The flags that show the effort of the compressor.
  private static let effort: UInt16 = 3 << 1

  // MARK: Changing

  /// Creates a header with its name and extra fields.
  init(header bytes: Span<UInt8>) { self.init([UInt8](copying: bytes), start: 4, name: 30) }

  /// Creates an entry of the directory.
  init(entry bytes: Span<UInt8>) { self.init([UInt8](copying: bytes), start: 6, name: 46) }

  private init(_ bytes: [UInt8], start: Int, name: Int) {
    (self.bytes, self.start, self.name) = (bytes, start, name)
    let extraStart = name + Int(bytes.littleEndian(2, at: start + 22))
    extra = ZIPExtraFields(in: bytes, extraStart..<extraStart + Int(bytes.littleEndian(2, at: start + 24)))
    largeNumbers = extra.largeNumbers
  }

  /// Returns the record of a file with another name.
  func renamed(_ newName: [UInt8]) -> ZIPRecord {
    var bytes = bytes
    let end = name + Int(bytes.littleEndian(2, at: start + 22))
    bytes.put(littleEndian: UInt64(newName.count), width: 2, at: start + 22)
    if !newName.span.isASCII {
      let flags = bytes.littleEndian(2, at: start + 2) | UInt64(Self.hasUTF8)
      bytes.put(littleEndian: flags, width: 2, at: start + 2)
    }
    bytes.replaceSubrange(name..<end, with: newName)
    return ZIPRecord(bytes, start: start, name: name)
  }

  /// Puts the numbers of new contents, which no descriptor follows.
  mutating func put(_ contents: ZIPContents, _ time: ZIPTime) throws(FerryError) {
    var flags =
      UInt16(truncatingIfNeeded: bytes.littleEndian(2, at: start + 2)) & ~ZIPArchive.Member.hasDescriptor
    if contents.method == 8 { flags &= ~Self.effort }
    bytes.put(littleEndian: UInt64(flags), width: 2, at: start + 2)
    bytes.put(littleEndian: UInt64(contents.method), width: 2, at: start + 4)
    bytes.put(littleEndian: time.local, width: 4, at: start + 6)
    extra.put(time, in: &bytes)
    bytes.put(littleEndian: UInt64(contents.checksum), width: 4, at: start + 10)
    try put(size: UInt64(contents.size), compressedSize: UInt64(contents.bytes.count))
  }

  /// Puts the sizes of a file. They must be put before the offset of the header.
  mutating func put(size: UInt64, compressedSize: UInt64) throws(FerryError) {
    try put(size, at: start + 18)
    try put(compressedSize, at: start + 14)
  }

  /// Puts the offset of the header into an entry.
  mutating func put(headerOffset: Int) throws(FerryError) { try put(UInt64(headerOffset), at: start + 36) }

  /// Puts a number into a field of 32 bits, or into the next one of 64 bits if the field shows that the number is there.
  private mutating func put(_ value: UInt64, at offset: Int) throws(FerryError) {
    let greatest = UInt64(UInt32.max)
    guard bytes.littleEndian(4, at: offset) == greatest, largeNumbers.count >= 8 else {
      guard value < greatest else { throw FerryError(.compression(.largeArchive)) }
      return bytes.put(littleEndian: value, width: 4, at: offset)
    }
    bytes.put(littleEndian: value, width: 8, at: largeNumbers.lowerBound)
    largeNumbers = largeNumbers.dropFirst(8)
  }

  // MARK: New files

  /// Returns the header of a new file.
  static func header(ofNewFile name: [UInt8], _ contents: ZIPContents, _ time: ZIPTime) -> [UInt8] {
    FileSignature.zip.bytes + fields(of: name, contents, time) + name
  }

  /// Returns the entry of a new file: one that its user may read and write, and others read.
  ///
  /// - Parameter headerOffset: The offset of the header.
  static func entry(
    ofNewFile name: [UInt8], _ contents: ZIPContents, _ time: ZIPTime, at headerOffset: Int
  ) throws(FerryError) -> [UInt8] {
    guard UInt64(headerOffset) < UInt64(UInt32.max) else { throw FerryError(.compression(.largeArchive)) }
    // The signature, and the version 2.0 of a program on Unix.
    var entry: [UInt8] = FileSignature.zip.bytes.prefix(2) + [1, 2, 20, 3]
    entry += fields(of: name, contents, time)
    // The sizes of comments, the number of the part, and the attributes of the file.
    entry += [UInt8](repeating: 0, count: 14)
    entry.put(littleEndian: 0o100644 << 16, width: 4, at: 38)
    entry.put(littleEndian: UInt64(headerOffset), width: 4, at: 42)
    return entry + name
  }

  /// Returns the fields that a header and an entry have in common.
  private static func fields(of name: [UInt8], _ contents: ZIPContents, _ time: ZIPTime) -> [UInt8] {
    var fields = [UInt8](repeating: 0, count: 26)
    fields.put(littleEndian: 20, width: 2, at: 0)
    fields.put(littleEndian: name.span.isASCII ? 0 : UInt64(hasUTF8), width: 2, at: 2)
    fields.put(littleEndian: UInt64(contents.method), width: 2, at: 4)
    fields.put(littleEndian: time.local, width: 4, at: 6)
    fields.put(littleEndian: UInt64(contents.checksum), width: 4, at: 10)
    fields.put(littleEndian: UInt64(contents.bytes.count), width: 4, at: 14)
    fields.put(littleEndian: UInt64(contents.size), width: 4, at: 18)
    fields.put(littleEndian: UInt64(name.count), width: 2, at: 22)
    return fields
  }
}

// Each offset is inside of a record, whose size was checked when it was read.
extension [UInt8] {
  /// Returns a number with the lowest byte first.
  func littleEndian(_ width: Int, at offset: Int) -> UInt64 {
    (0..<width).reversed().reduce(0) { $0 << 8 | UInt64(self[offset + $1]) }
  }

  /// Replaces bytes by those of a number, lowest first.
  mutating func put(littleEndian value: UInt64, width: Int, at offset: Int) {
    for index in 0..<width { self[offset + index] = UInt8(truncatingIfNeeded: value >> UInt64(8 * index)) }
  }
}
