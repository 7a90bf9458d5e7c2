/// The files in a ZIP archive, as its central directory lists them.
///
///     let archive = try ZIPArchive(FileBytes(reading: "Icon.sketch"), budget: Budget())
///     archive.members.map(\.name)          // ["document.json", "pages/6CA6….json", …]
///     try archive.input(of: archive.members[0]).readAll()
struct ZIPArchive: Sendable {
  /// The bytes of the archive.
  let file: FileBytes
  /// The end of the archive, which locates the directory.
  let end: ZIPDirectoryEnd
  /// The range of the directory, without the records at the end.
  let directory: Range<Int>
  private let meter: ZIPMeter
  /// All entries of the directory, also folders and the files that macOS adds to archives.
  let entries: [Member]
  /// The files in the order of the directory, without those that macOS adds to archives.
  let members: [Member]
  /// The folders of which the directory has entries, each without the slash at its end.
  let folders: [String]

  /// Reads the directory of an archive.
  ///
  /// - Throws: A `FerryError` with the reason `CompressionProblem.damagedArchive` and the byte offset, or `Budget.Limit.files`.
  init(_ file: FileBytes, budget: Budget) throws(FerryError) {
    self.file = file
    meter = ZIPMeter(budget, size: file.count)
    let end = try ZIPDirectoryEnd(in: file.span)
    self.end = end
    var (entries, members, folders): ([Member], [Member], [String]) = ([], [], [])
    var names: Set<[UInt8]> = []
    let start = Int(clamping: end.directoryOffset)
    var cursor = ByteCursor(file.span, at: start)
    while UInt64(entries.count) < end.entryCount || Member.isEntry(at: cursor) {
      let member = try Member(readingEntry: &cursor, shift: end.shift)
      entries.append(member)
      guard !Self.isOfSystem(member.name) else { continue }
      guard members.count + folders.count < budget.files else {
        throw FerryError(.overBudget(.files(budget.files)))
      }
      guard !member.name.ends(with: "/") else {
        folders.append(String(decoding: member.name.utf8.dropLast(), as: UTF8.self))
        continue
      }
      guard names.insert(Array(member.name.utf8)).inserted else {
        throw Self.damaged(
          "it has two files with the name \(MessageText.quoted(member.name))", at: member.entry.lowerBound)
      }
      members.append(member)
    }
    guard end.fits(entryCount: entries.count) else {
      throw Self.damaged("its directory has more files than its end shows", at: cursor.offset)
    }
    if end.isSurrounded, let first = entries.map(\.headerOffset).min(),
      Member.hasHeader(in: file.span, before: first, ofFileThrough: end.start)
    {
      throw ZIPDirectoryEnd.missing(in: file.span)
    }
    directory = start..<cursor.offset
    (self.entries, self.members, self.folders) = (entries, members, folders)
  }

  /// Reads the directory of the archive in an input.
  init(reading input: any ByteInput, budget: Budget) throws(FerryError) {
    // A large file is mapped.
    let file = if let path = input.path { try FileBytes(reading: path) } else { try input.readFile() }
    try self.init(file, budget: budget)
  }

  /// The only file, whose values are those of the archive; nil if there are several or none.
  var onlyMember: Member? { members.count == 1 ? members[0] : nil }

  /// Returns true if the first bytes of a file are those of a ZIP archive.
  static func begins(_ head: [UInt8]) -> Bool { signatures.contains { $0.begins(head) } }

  /// Returns true if a file has a ZIP archive at its end that can be read. Other bytes may precede the archive, such as a program that unpacks it,
  /// and follow it.
  static func ends(_ file: FileBytes, _ budget: Budget) -> Bool {
    (try? ZIPArchive(file, budget: budget)) != nil
  }

  /// Returns true if a file that has a few first bytes, or none yet, may be a ZIP archive.
  static func mayBegin(_ head: [UInt8]) -> Bool {
    signatures.contains { $0.begins(head) || $0.isOpen(head) }
  }

  /// The signatures of an archive with files, and of one without.
  private static let signatures: [FileSignature] = [.zip, .emptyZIP]

  /// Returns true if a file is one that macOS adds to archives, which is not read.
  static func isOfSystem(_ name: String) -> Bool {
    name.begins(with: "__MACOSX/") || name.equals(".DS_Store") || name.ends(with: "/.DS_Store")
  }

  static func damaged(_ how: String, at offset: Int) -> FerryError {
    FerryError(.compression(.damagedArchive(how)), at: InputLocation(byte: offset))
  }

  /// Returns the error about a part of an archive that cannot be read: the error itself if it is about the archive, or one about a part that
  /// is truncated.
  static func damaged(_ part: String, by error: FerryError, at start: Int) -> FerryError {
    if case .compression = error.reason { error } else { damaged("\(part) is truncated", at: start) }
  }

  /// Returns an input with the decompressed bytes of a file.
  func input(of member: Member) -> some ByteInput { ZIPMemberInput(member, in: file, meter) }
}
