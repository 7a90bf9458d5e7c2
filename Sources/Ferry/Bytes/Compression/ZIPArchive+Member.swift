extension ZIPArchive {
  /// A file in an archive, as its entry in the directory describes it.
  ///
  ///     directory     … entry of the file: sizes, checksum, offset of the header, name, extra fields, comment …
  ///     header        what the entry has, as the program that made the archive knew it then; name, extra fields
  ///     contents      the compressed bytes
  struct Member: Sendable {
    let name: String
    let flags: UInt16
    let method: UInt16
    let checksum: UInt32
    private(set) var compressedSize: UInt64
    private(set) var size: UInt64
    /// The offset of the header in the file.
    private(set) var headerOffset: UInt64
    /// True if the file is a symbolic link. Its bytes are the target.
    let isLink: Bool
    /// The range of the entry in the directory.
    let entry: Range<Int>
  }
}

// MARK: - The entry in the directory

extension ZIPArchive.Member {
  /// The first four bytes of an entry, as a number.
  private static let signature: UInt64 = 0x0201_4b50

  /// Returns true if an entry begins at a cursor.
  static func isEntry(at cursor: ByteCursor) -> Bool {
    var copy = ByteCursor(cursor.bytes, at: cursor.offset)
    return (try? copy.littleEndian(4)) == signature
  }

  /// Reads an entry of the directory.
  ///
  /// - Parameter shift: The number of bytes before the archive, which its offsets leave out.
  init(readingEntry cursor: inout ByteCursor, shift: UInt64) throws(FerryError) {
    let start = cursor.offset
    do throws(FerryError) {
      guard try cursor.littleEndian(4) == Self.signature else {
        throw ZIPArchive.damaged("its directory has no entry here", at: start)
      }
      let (version, _) = (try cursor.littleEndian(2), try cursor.littleEndian(2))
      flags = UInt16(try cursor.littleEndian(2))
      method = UInt16(try cursor.littleEndian(2))
      _ = try cursor.littleEndian(4)
      checksum = UInt32(try cursor.littleEndian(4))
      (compressedSize, size) = (try cursor.littleEndian(4), try cursor.littleEndian(4))
      let (nameSize, extraSize, commentSize) = (
        try cursor.littleEndian(2), try cursor.littleEndian(2), try cursor.littleEndian(2)
      )
      _ = try cursor.littleEndian(4)
      isLink = Self.isLink(version: version, try cursor.littleEndian(4))
      headerOffset = try cursor.littleEndian(4)
      name = Self.name([UInt8](copying: try cursor.take(nameSize, "a name")))
      let extra = [UInt8](copying: try cursor.take(extraSize, "an extra field"))
      _ = try cursor.take(commentSize, "a comment")
      entry = start..<cursor.offset
      try readLargeSizes(in: extra)
      // No file is at an offset that is out of range.
      let shifted = headerOffset.addingReportingOverflow(shift)
      headerOffset = shifted.overflow ? .max : shifted.partialValue
    } catch {
      throw ZIPArchive.damaged("its directory", by: error, at: start)
    }
  }

  /// Returns true if the attributes of an entry are those of a symbolic link. The version shows the system that has made the entry: Unix
  /// or macOS, which write the mode of the file in the upper half of the attributes.
  private static func isLink(version: UInt64, _ attributes: UInt64) -> Bool {
    let (isOfUnix, kind) = (version >> 8 == 3 || version >> 8 == 19, attributes >> 16 & 0o170000)
    return isOfUnix && kind == 0o120000
  }

  /// Returns the text of a name: UTF-8, or else code page 437.
  private static func name(_ bytes: [UInt8]) -> String {
    if let name = String(validating: bytes, as: UTF8.self) { return name }
    var text: [UInt8] = []
    guard let converter = CharacterConverter(named: "CP437"), converter.append(bytes.span, to: &text) else {
      return String(decoding: bytes, as: UTF8.self)
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Reads the sizes of a file that is larger than four gigabytes.
  private mutating func readLargeSizes(in extra: [UInt8]) throws(FerryError) {
    let unknown = UInt64(UInt32.max)
    guard size == unknown || compressedSize == unknown || headerOffset == unknown else { return }
    var cursor = ByteCursor(extra.span)
    while cursor.remaining >= 4 {
      let (kind, length) = (try cursor.littleEndian(2), try cursor.littleEndian(2))
      let field = [UInt8](copying: try cursor.take(length, "an extra field"))
      guard kind == 1 else { continue }
      var values = ByteCursor(field.span)
      if size == unknown { size = try values.littleEndian(8) }
      if compressedSize == unknown { compressedSize = try values.littleEndian(8) }
      if headerOffset == unknown { headerOffset = try values.littleEndian(8) }
      return
    }
  }
}

// MARK: - The header

extension ZIPArchive.Member {
  /// The flag of a file whose checksum and sizes follow the compressed bytes, because they were not known before.
  static let hasDescriptor: UInt16 = 1 << 3

  /// Returns true if a file reaches to an offset, or has an unknown size, and has its header in the bytes before `end`. An archive that begins at
  /// `end` is then in this file.
  static func hasHeader(in bytes: Span<UInt8>, before end: UInt64, ofFileThrough offset: Int) -> Bool {
    var next = 0
    while let start = bytes.firstIndex(of: "PK\u{3}\u{4}", from: next), start < end {
      if let contents = try? statedContents(ofHeaderAt: start, in: bytes), contents.lowerBound <= end,
        contents.upperBound > offset
      {
        return true
      }
      next = start + 1
    }
    return false
  }

  /// Returns the range of compressed bytes that the header at an offset states, without an end if the size is unknown: it follows the bytes of a
  /// file that was written as a stream, and is in an extra field for a large file.
  private static func statedContents(
    ofHeaderAt start: Int, in bytes: Span<UInt8>
  ) throws(FerryError) -> Range<UInt64> {
    var cursor = ByteCursor(bytes, at: start)
    _ = try cursor.take(6, "a header")
    let isStream = try cursor.littleEndian(2) & UInt64(hasDescriptor) != 0
    _ = try cursor.take(10, "a header")
    let (size, _) = (try cursor.littleEndian(4), try cursor.littleEndian(4))
    let (nameSize, extraSize) = (try cursor.littleEndian(2), try cursor.littleEndian(2))
    let contents = UInt64(cursor.offset) + nameSize + extraSize
    return contents..<(isStream || size == UInt64(UInt32.max) ? .max : contents + size)
  }

  /// Reads the header before the contents, which begin after a name and extra fields that need not be those of the entry.
  ///
  /// - Returns: The range of the compressed bytes.
  func contentRange(in file: FileBytes) throws(FerryError) -> Range<Int> {
    let start = Int(clamping: headerOffset)
    do throws(FerryError) {
      guard start < file.count else { throw ZIPArchive.damaged("a file is outside of it", at: file.count) }
      var cursor = ByteCursor(file.span, at: start)
      guard try cursor.littleEndian(4) == 0x0403_4b50 else {
        throw ZIPArchive.damaged("no file begins here", at: start)
      }
      _ = try cursor.take(22, "a header")
      let (nameSize, extraSize) = (try cursor.littleEndian(2), try cursor.littleEndian(2))
      _ = try cursor.take(nameSize + extraSize, "a header")
      let contents = cursor.offset
      return contents..<contents + (try cursor.take(compressedSize, "a file")).count
    } catch {
      throw ZIPArchive.damaged("a file", by: error, at: start)
    }
  }
}
