/// The record at the end of an archive that locates the directory.
///
/// Other bytes may have been put before an archive, such as a program that unpacks it, or another archive. The directory then ends
/// where this record begins, and all offsets in the archive are too small by the number of these bytes:
///
///     cat a.zip b.zip         a file whose archive is b.zip, with as many bytes before it as a.zip has
struct ZIPDirectoryEnd {
  let entryCount: UInt64
  /// The offset of the directory in the file.
  let directoryOffset: UInt64
  /// The number of bytes that all offsets in the archive leave out, because they were put before it.
  let shift: UInt64
  /// The offset of the record.
  let start: Int
  /// The offset of the record with numbers of 64 bits; nil if there is none.
  let largeStart: Int?

  /// True if the archive has bytes after it, and the file does not begin with an archive.
  private(set) var isSurrounded = false

  /// The offset of the first record.
  var first: Int { largeStart ?? start }

  /// Returns true if the archive may have a number of entries. Without numbers of 64 bits, only the lowest 16 bits are known: some programs
  /// write archives of 65,536 files and more so.
  func fits(entryCount count: Int) -> Bool {
    let known = largeStart == nil ? count & 0xffff : count
    return UInt64(known) == entryCount
  }

  private static let size = 22
  private static let longestComment = 1 << 16

  /// Finds the record in a file.
  ///
  /// A program may have added up to 64 KiB after an archive. If the file begins with the archive, its offsets are those in the file, and show
  /// which record is its own. If the file begins with other bytes, the last record with a directory is taken. The archive may then be one of the
  /// files of another, truncated archive (`isSurrounded`), which `ZIPArchive` refuses.
  init(in bytes: Span<UInt8>) throws(FerryError) {
    let records = Self.possibleRecords(in: bytes)
    if let record = records.first(where: { $0.upperBound == bytes.count }) {
      try self.init(at: record.lowerBound, in: bytes)
      return
    }
    let beginsWithEntry = bytes.count > Self.size && bytes[0] == 0x50 && bytes[1] == 0x4b
    for record in records {
      guard let end = try? ZIPDirectoryEnd(at: record.lowerBound, in: bytes),
        beginsWithEntry ? end.isAfterDirectory(in: bytes) : end.hasEntry(in: bytes)
      else { continue }
      self = end
      isSurrounded = !beginsWithEntry
      return
    }
    throw Self.missing(in: bytes)
  }

  /// Returns the error of a file without the record.
  static func missing(in bytes: Span<UInt8>) -> FerryError {
    ZIPArchive.damaged("it has no directory at its end", at: bytes.count)
  }

  private init(at start: Int, in bytes: Span<UInt8>) throws(FerryError) {
    self.start = start
    do throws(FerryError) {
      var cursor = ByteCursor(bytes, at: start + 10)
      var (count, size, offset) = (
        try cursor.littleEndian(2), try cursor.littleEndian(4), try cursor.littleEndian(4)
      )
      var locator = ByteCursor(bytes, at: start - 20)
      var largeStart: Int?
      if start >= 20, try locator.littleEndian(4) == 0x0706_4b50 {
        _ = try locator.littleEndian(4)
        let stated = Int(clamping: try locator.littleEndian(8))
        let usual = start - Self.largeSize
        let offset64 = Self.isLargeEnd(at: usual, in: bytes) ? usual : stated
        guard Self.isLargeEnd(at: offset64, in: bytes) else {
          throw ZIPArchive.damaged("the record at its end has no large sizes", at: start)
        }
        largeStart = offset64
        var large = ByteCursor(bytes, at: offset64)
        _ = try large.take(32, "the record at the end")
        (count, size, offset) = (
          try large.littleEndian(8), try large.littleEndian(8), try large.littleEndian(8)
        )
      }
      (entryCount, self.largeStart) = (count, largeStart)
      shift = Self.shift(offset, size, before: largeStart ?? start, in: bytes)
      directoryOffset = offset + shift
    } catch {
      throw ZIPArchive.damaged("the record at its end", by: error, at: start)
    }
    guard directoryOffset <= UInt64(start) else {
      throw ZIPArchive.damaged("its directory is outside of the file", at: start)
    }
  }

  /// The size of the record with numbers of 64 bits and of the record that locates it.
  static let largeSize = 76

  /// Returns true if the record with numbers of 64 bits begins at an offset.
  private static func isLargeEnd(at offset: Int, in bytes: Span<UInt8>) -> Bool {
    guard offset >= 0, offset <= bytes.count else { return false }
    var cursor = ByteCursor(bytes, at: offset)
    return (try? cursor.littleEndian(4)) == 0x0606_4b50
  }

  /// Returns the number of bytes that a stated offset of the directory leaves out. That is 0 if no directory of the stated size ends at
  /// the end of the archive.
  private static func shift(
    _ offset: UInt64, _ size: UInt64, before end: Int, in bytes: Span<UInt8>
  ) -> UInt64 {
    let (end, isTooLarge) = (UInt64(end), offset.addingReportingOverflow(size).overflow)
    guard !isTooLarge, offset + size < end else { return 0 }
    // An archive without files has no directory. If there is one at the stated offset, its stated size is wrong.
    let hasEntry = ZIPArchive.Member.isEntry(
      at: ByteCursor(bytes, at: Int(size == 0 ? offset : end - size)))
    return hasEntry == (size > 0) ? end - size - offset : 0
  }

  /// True if the directory is at its stated offset, and the file therefore begins with the archive.
  private func isAfterDirectory(in bytes: Span<UInt8>) -> Bool {
    guard entryCount > 0 else { return directoryOffset == 0 && start == 0 }
    return shift == 0 && hasEntry(in: bytes)
  }

  /// True if the directory has a file, whose entry is where the directory begins.
  private func hasEntry(in bytes: Span<UInt8>) -> Bool {
    entryCount > 0 && ZIPArchive.Member.isEntry(at: ByteCursor(bytes, at: Int(directoryOffset)))
  }

  /// Returns the ranges of bytes that may be the record with its comment, the last one first.
  private static func possibleRecords(in bytes: Span<UInt8>) -> [Range<Int>] {
    var records: [Range<Int>] = []
    let first = max(0, bytes.count - size - longestComment)
    for start in stride(from: bytes.count - size, through: first, by: -1) where bytes[start] == 0x50 {
      guard bytes[start + 1] == 0x4b, bytes[start + 2] == 5, bytes[start + 3] == 6 else { continue }
      let comment = Int(bytes[start + 20]) | Int(bytes[start + 21]) << 8
      let end = start + size + comment
      if end <= bytes.count { records.append(start..<end) }
    }
    return records
  }
}
