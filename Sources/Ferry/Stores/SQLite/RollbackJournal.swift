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
  /// The number of bytes before the path of the super-journal and the page number in front of it.
  let recordSize: Int
  /// The path of the super-journal, if the journal has one.
  let superJournal: [UInt8]?

  private static let end: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
  /// SQLite ignores longer paths.
  private static let longestPath = 512

  /// Examines the file at a path. Returns nil if there is none.
  init?(at path: String) throws(FerryError) {
    guard let status = try SystemPath.status(of: path) else { return nil }
    guard status.kind == .regular else { throw FerryError(.database(.noFileBeside(path))) }
    self.path = path
    let file = try SystemFile(reading: path)
    let size = try file.status().size
    let name = try Self.superJournal(of: file, size: size)
    recordSize = name.map { size - $0.count - 20 } ?? size
    superJournal = name
  }

  /// Returns true if SQLite would roll back the change.
  var isToBeRolledBack: Bool {
    get throws(FerryError) {
      guard let superJournal else { return true }
      guard let path = String(validating: superJournal, as: UTF8.self) else { return false }
      return try SystemPath.status(of: path) != nil
    }
  }

  private static func superJournal(of file: borrowing SystemFile, size: Int) throws(FerryError) -> [UInt8]? {
    guard size > 20 else { return nil }
    try file.seek(to: Int64(size - 16))
    let tail = try file.read(upTo: 16)
    guard tail.count == 16, tail.suffix(8).elementsEqual(end) else { return nil }
    func number(at start: Int) -> UInt32 { tail[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) } }
    let length = Int(number(at: 0))
    guard length > 0, length <= longestPath, length <= size - 20 else { return nil }
    try file.seek(to: Int64(size - 16 - length))
    let name = try file.read(upTo: length)
    // The bytes are signed or not, depending on the processor.
    let sums = [
      name.reduce(0) { $0 &+ UInt32($1) },
      name.reduce(0) { $0 &+ UInt32(truncatingIfNeeded: Int8(bitPattern: $1)) },
    ]
    return sums.contains(number(at: 4)) ? name : nil
  }
}
