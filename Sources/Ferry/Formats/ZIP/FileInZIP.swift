/// A file in a ZIP archive that is read and changed in place of the archive: its only file, or the records of a package.
final class FileInZIP {
  /// The archive, which may be compressed itself.
  let archiveFile: EncodedFile
  private let archive: ZIPArchive
  private let member: ZIPArchive.Member
  /// True if the archive has no other file.
  let isOnly: Bool

  /// Creates a file of an archive whose bytes are in memory.
  init(_ member: ZIPArchive.Member, of archive: ZIPArchive, budget: Budget) throws(FerryError) {
    (self.archive, self.member, isOnly) = (archive, member, false)
    archiveFile = try EncodedFile(archive.file, named: nil, format: .zip, encoding: nil, budget: budget)
  }

  /// Finds the only file of an archive. Fails if it has several files, or if a file is not an archive.
  init?(onlyFileOf file: EncodedFile, _ budget: Budget) throws(FerryError) {
    guard ZIPArchive.begins(file.storedContents.prefix(4)) else { return nil }
    let archive = try ZIPArchive(file.storedContents, budget: budget)
    guard archive.members.count == 1 else { return nil }
    (archiveFile, self.archive, member, isOnly) = (file, archive, archive.members[0], true)
  }

  /// The name of the file in the archive.
  var name: String { member.name }

  /// Returns the bytes of the file.
  func contents() throws(FerryError) -> [UInt8] { try archive.input(of: member).readAll() }

  /// Returns the bytes of the archive, without its own compression, with other bytes of the file.
  func archiveBytes(with bytes: [UInt8], since old: FileBytes) throws(FerryError) -> [UInt8] {
    guard !bytes.span.equals(old.span) else { return archive.file.copy }
    var copier = try ZIPCopier(archive)
    copier.replace(member, with: bytes)
    return try copier.bytes()
  }

  /// Returns true if a copy of the archive with a name is a copy of its only file, because the name has the extension of another format.
  func isCopiedAlone(to name: String) -> Bool {
    guard isOnly, let format = Format.ofFile(named: Compression.nameInside(name)) else { return false }
    return !format.isArchiveOfFiles
  }
}

extension ByteInput {
  /// Returns true if the input begins as a ZIP archive does.
  package func beginsAsZIPArchive() throws(FerryError) -> Bool {
    FileSignature.zip.begins(try peek(upTo: FileSignature.zip.bytes.count))
  }
}
