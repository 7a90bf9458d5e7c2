/// The record at the end of an archive that locates the directory.
struct ZIPDirectoryEnd {
  let entryCount: UInt64
  let directoryOffset: UInt64
  /// The offset of the record.
  let start: Int
  /// The offset of the record with numbers of 64 bits; nil if there is none.
  let largeStart: Int?

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

  init(in bytes: Span<UInt8>) throws(FerryError) {
    let start = try Self.find(in: bytes)
    self.start = start
    do throws(FerryError) {
      var cursor = ByteCursor(bytes, at: start + 10)
      var (count, _, offset) = (
        try cursor.littleEndian(2), try cursor.littleEndian(4), try cursor.littleEndian(4)
      )
      var locator = ByteCursor(bytes, at: start - 20)
      var largeStart: Int?
      if start >= 20, try locator.littleEndian(4) == 0x0706_4b50 {
        _ = try locator.littleEndian(4)
        let offset64 = Int(clamping: try locator.littleEndian(8))
        largeStart = offset64
        var large = ByteCursor(bytes, at: offset64)
        guard try large.littleEndian(4) == 0x0606_4b50 else {
          throw ZIPArchive.damaged("the record at its end has no large sizes", at: start)
        }
        _ = try large.take(28, "the record at the end")
        (count, _, offset) = (try large.littleEndian(8), try large.littleEndian(8), try large.littleEndian(8))
      }
      (entryCount, directoryOffset, self.largeStart) = (count, offset, largeStart)
    } catch {
      throw ZIPArchive.damaged("the record at its end", by: error, at: start)
    }
    guard directoryOffset <= UInt64(start) else {
      throw ZIPArchive.damaged("its directory is outside of the file", at: start)
    }
  }

  private static func find(in bytes: Span<UInt8>) throws(FerryError) -> Int {
    let first = max(0, bytes.count - size - longestComment)
    for start in stride(from: bytes.count - size, through: first, by: -1) where bytes[start] == 0x50 {
      guard bytes[start + 1] == 0x4b, bytes[start + 2] == 5, bytes[start + 3] == 6 else { continue }
      let comment = Int(bytes[start + 20]) | Int(bytes[start + 21]) << 8
      if start + size + comment == bytes.count { return start }
    }
    throw ZIPArchive.damaged("it has no directory at its end", at: bytes.count)
  }
}
