/// The journal beside a database, from which SQLite rolls back an interrupted change.
///
/// The journal of a transaction in several databases ends with the path of a super-journal, a file that exists until all of them are changed:
///
///     …  path of the super-journal  length of the path  sum of its bytes  D9 D5 05 F9 20 A1 63 D7
///                                   4 bytes             4 bytes
///
/// SQLite rolls back only if this file exists, and deletes it afterward. In a journal that someone else has written, that can be any
/// file of the user. So Ferry decides by itself whether to roll back, and SQLite gets a journal without the path.
///
/// Source: `readSuperJournal` and `pager_playback` in SQLite's `pager.c`.
struct RollbackJournal {
  let path: String
  /// The number of bytes before the mark at the end, or nil if the journal does not end with the mark.
  let sizeBeforeMark: Int?
  /// The path of the super-journal, if the journal has one.
  let superJournal: [UInt8]?

  /// The last bytes of a journal that has a super-journal.
  private static let mark: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
  /// Bytes in place of the mark, with which the same journal has no super-journal.
  static let noMark = [UInt8](repeating: 0, count: mark.count)
  /// SQLite ignores longer paths.
  private static let longestPath = 512

  /// Examines the file at a path. Returns nil if there is none.
  init?(at path: String) throws(FerryError) {
    guard let status = try SystemPath.status(of: path) else { return nil }
    guard status.kind == .regular else { throw FerryError(.database(.noFileBeside(path))) }
    self.path = path
    let file = try SystemFile(reading: path)
    let size = try file.status().size
    guard let end = try Self.end(of: file, size: size) else {
      (sizeBeforeMark, superJournal) = (nil, nil)
      return
    }
    sizeBeforeMark = size - Self.mark.count
    superJournal = try Self.superJournal(of: file, size: size, end)
  }

  /// Returns true if SQLite would roll back the change. Throws if Ferry cannot tell: paths that are not UTF-8 are not strings.
  var isToBeRolledBack: Bool {
    get throws(FerryError) {
      guard let superJournal else { return true }
      guard let path = String(validating: superJournal, as: UTF8.self) else {
        throw FerryError(.database(.interrupted))
      }
      return try SystemPath.status(of: path) != nil
    }
  }

  /// Returns the numbers before the mark. Returns nil if the journal does not end with the mark.
  private static func end(
    of file: borrowing SystemFile, size: Int
  ) throws(FerryError) -> (length: Int, sum: UInt32)? {
    guard size >= 16 else { return nil }
    try file.seek(to: Int64(size - 16))
    let bytes = try file.read(upTo: 16)
    guard bytes.count == 16, bytes.suffix(8).elementsEqual(mark) else { return nil }
    func number(at start: Int) -> UInt32 { bytes[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) } }
    return (Int(number(at: 0)), number(at: 4))
  }

  /// Returns the path of the super-journal. Returns nil if SQLite finds none: it reads the path up to a zero byte.
  private static func superJournal(
    of file: borrowing SystemFile, size: Int, _ end: (length: Int, sum: UInt32)
  ) throws(FerryError) -> [UInt8]? {
    guard end.length <= min(longestPath, size - 16) else { return nil }
    try file.seek(to: Int64(size - 16 - end.length))
    let bytes = try file.read(upTo: end.length)
    // The bytes are signed or not, depending on the processor.
    let sums = [
      bytes.reduce(0) { $0 &+ UInt32($1) },
      bytes.reduce(0) { $0 &+ UInt32(truncatingIfNeeded: Int8(bitPattern: $1)) },
    ]
    let path = bytes.prefix { $0 != 0 }
    return sums.contains(end.sum) && !path.isEmpty ? Array(path) : nil
  }
}
