/// A file in a ZIP archive that is read and changed in place of the archive: its only file, the records of a package, or one that the
/// user names.
final class FileInZIP {
  /// The reason why the file is read in place of the archive.
  enum Role {
    /// The archive has no other file.
    case only
    /// The file holds the records of a package.
    case records
    /// The user has named the file.
    case named
  }

  /// The archive, which may be compressed itself.
  let archiveFile: EncodedFile
  private let archive: ZIPArchive
  private let member: ZIPArchive.Member
  let role: Role

  /// Creates a file of an archive whose bytes are in memory.
  init(_ member: ZIPArchive.Member, of archive: ZIPArchive, budget: Budget) throws(FerryError) {
    (self.archive, self.member, role) = (archive, member, .records)
    archiveFile = try EncodedFile(archive.file, named: nil, format: .zip, encoding: nil, budget: budget)
  }

  /// Finds the only file of an archive. Fails if it has several files, or if a file is not an archive.
  init?(onlyFileOf file: EncodedFile, _ budget: Budget) throws(FerryError) {
    guard ZIPArchive.begins(file.storedContents.prefix(4)) else { return nil }
    let archive = try ZIPArchive(file.storedContents, budget: budget)
    guard let member = archive.onlyMember else { return nil }
    (archiveFile, self.archive, self.member, role) = (file, archive, member, .only)
  }

  /// Finds the file of an archive that the user names.
  ///
  /// - Parameter path: The name of the file, or its path: `index.json`, `["index.json"]`.
  /// - Throws: A `FerryError` with the reason `CompressionProblem.notAnArchive` if the file is not an archive, or `PathProblem.noKey` if the
  ///   archive has no file of the name.
  init(at path: String, of file: EncodedFile, _ budget: Budget) throws(FerryError) {
    let isArchive =
      ZIPArchive.begins(file.storedContents.prefix(4)) || ZIPArchive.ends(file.storedContents, budget)
    guard isArchive else { throw FerryError(.compression(.notAnArchive)) }
    let archive = try ZIPArchive(file.storedContents, budget: budget)
    member = try archive.member(at: path)
    (archiveFile, self.archive, role) = (file, archive, archive.onlyMember == nil ? .named : .only)
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
    guard role == .only, let format = Format.ofFile(named: Compression.nameInside(name)) else { return false }
    return !format.isArchiveOfFiles
  }
}

extension ZIPArchive {
  /// Returns the file with a name or a path.
  fileprivate func member(at path: String) throws(FerryError) -> Member {
    if let member = members.first(where: { $0.name.equals(path) }) { return member }
    let steps = (try? ValuePath(parsing: path))?.steps ?? []
    guard case .key(let key)? = steps.first, let member = members.first(where: { $0.name.equals(key) }) else {
      let name = if steps.count == 1, case .key(let key) = steps[0] { key } else { path }
      throw FerryError(.path(.noKey(name, among: members.map(\.name), count: members.count)))
    }
    guard steps.count == 1 else {
      let found = "a file, which is edited as a whole (name only the file)"
      throw FerryError(.path(.noStep(steps[1].inWords, into: found)), path: ValuePath([steps[0]]))
    }
    return member
  }
}

extension ByteInput {
  /// Returns true if the input begins as a ZIP archive does.
  package func beginsAsZIPArchive() throws(FerryError) -> Bool {
    ZIPArchive.begins(try peek(upTo: FileSignature.zip.bytes.count))
  }
}
