/// A package in a ZIP archive: the folder itself, or its contents.
///
///     Things.mystuff.zip                Things.zip
///       Things.mystuff/things.data        things.data
///       Things.mystuff/image.png          image.png
package struct ZippedPackage: Sendable {
  /// The type of the package.
  package let type: DocumentType
  /// The files of the package, which are decompressed when they are needed.
  package let package: DocumentPackage
  /// The name of the file with the records.
  package let main: String
  private let archive: ZIPArchive
  private let mainMember: ZIPArchive.Member

  /// Finds the package in an archive.
  ///
  /// - Throws: A `FerryError` with the reason `PackageProblem.badName`, `noMainFile`, `isLink` or `isFolder`, `Budget.Limit.depth` or
  ///   `files`, or an error of the archive.
  fileprivate init(
    _ type: DocumentType, main: String, in archive: ZIPArchive, under folder: String?, budget: Budget
  )
    throws(FerryError)
  {
    (self.type, self.main, self.archive) = (type, main, archive)
    let entries = try ArchivedEntries(of: archive, under: folder, budget)
    self.package = entries.package
    let path = PackagePath(main)
    guard let member = entries.members[path] else {
      throw FerryError(.package(entries.package.entries[path] == nil ? .noMainFile(main) : .isFolder(main)))
    }
    guard !member.isLink else { throw FerryError(.package(.isLink(main))) }
    mainMember = member
  }

  /// The format that the type declares for the file with the records. The name of an archive need not show the type.
  var declaredFormats: DeclaredFormats { DeclaredFormats(ofAllFiles: type.format) }

  /// Returns the name of the file with the records in an archive at a path.
  func name(inArchive path: String) -> String { "\(path)/\(main)" }

  /// Returns the file with the records, to change it in the archive.
  ///
  /// - Parameters:
  ///   - path: The path of the archive.
  ///   - format: The format of the records that the user gave, or nil.
  ///   - encoding: The encoding of a text that does not show it, or nil.
  ///   - budget: The limits on the file.
  package func storedRecords(
    inArchive path: String, from format: Format?, encoding: String?, budget: Budget
  ) throws(FerryError) -> OpenedValues<EncodedFile> {
    let name = name(inArchive: path)
    let file = try EncodedFile(
      FileInZIP(mainMember, of: archive, budget: budget), named: name, format: format,
      declared: declaredFormats, encoding: encoding, budget: budget)
    return OpenedValues(file: file, name: name, declaredFormats: declaredFormats)
  }

  /// Returns true if a file in the archive, by its name, is the one with the records.
  func holdsRecords(inFileNamed name: String) -> Bool { mainMember.name.equals(name) }

  /// Returns an input with the bytes of the file with the records, which are decompressed while they are read.
  package func records() -> any ByteInput { archive.input(of: mainMember) }
}

extension DocumentTypes {
  /// Returns the package that an input contains as a ZIP archive, or nil for other inputs. The input is then at its beginning.
  ///
  ///     Things.mystuff.zip, with Things.mystuff/things.data      by the name of the folder
  ///     Things.mystuff.zip or Things.mystuff, with things.data   by the name of the archive
  ///     Things.zip, with things.data                             by the name of the file with the records
  ///
  /// A folder that contains all other entries is skipped, whatever its name is.
  ///
  /// - Parameters:
  ///   - input: The input.
  ///   - name: The file name of the input.
  ///   - format: The format that the user gave, or nil. With a format, no archive is a package.
  ///   - budget: The limits on the archive.
  /// - Throws: An error of the input or the archive; a `FerryError` with the reason `PackageProblem.noMainFile` if only the name is that of
  ///   a package, or `badName` if an entry would be outside of the package.
  package func zippedPackage(
    in input: any ByteInput, named name: String, from format: Format?, budget: Budget
  ) throws(FerryError) -> ZippedPackage? {
    // An input whose format is given is read in this format, and before its first bytes arrive, the output is opened.
    guard format == nil, try ZIPArchive.begins(input.peekSignatureOfZIP()) else { return nil }
    // The directory is at the end of the archive.
    try input.makeRewindable()
    let archive = try ZIPArchive(reading: input, budget: budget)
    try input.rewind()
    let folder = archive.commonFolder
    guard let (type, main) = packageType(of: archive, named: name, under: folder) else { return nil }
    return try ZippedPackage(type, main: main, in: archive, under: folder, budget: budget)
  }

  /// Returns the type of the package in an archive with the name of its file with the records, or nil if there is no package.
  private func packageType(
    of archive: ZIPArchive, named name: String, under folder: String?
  ) -> (type: DocumentType, main: String)? {
    for name in [folder, name, Compression.nameInsideZIP(name)] {
      if let found = name.flatMap({ type(ofFile: $0) }), let main = found.mainName { return (found, main) }
    }
    let start = folder.map { $0 + "/" } ?? ""
    let names = Set(archive.members.map { PackagePath($0.name) })
    for type in packages {
      if let main = type.mainName, names.contains(PackagePath(start + main)) { return (type, main) }
    }
    return nil
  }

  /// Returns the package in the ZIP archive at a path; nil for other files, for those that cannot be read, and for a pipe or the standard
  /// input (`-`), which can be read only once.
  package func zippedPackage(at path: String, from format: Format? = nil, budget: Budget) -> ZippedPackage? {
    guard path != "-", Folder.isFile(path), let input = try? FileInput(path: path) else { return nil }
    return try? zippedPackage(in: input, named: path, from: format, budget: budget)
  }
}

/// The entries of a ZIP archive as those of a package.
private struct ArchivedEntries {
  private(set) var package: DocumentPackage
  /// The files by their paths in the package.
  private(set) var members: [PackagePath: ZIPArchive.Member] = [:]
  private let budget: Budget

  init(of archive: ZIPArchive, under folder: String?, _ budget: Budget) throws(FerryError) {
    (package, self.budget) = (DocumentPackage(budget: budget), budget)
    var folders: [PackagePath] = []
    for name in archive.folders where !folder.equals(name) {
      let path = try path(of: name, under: folder, isFolder: true)
      folders.append(path)
      package.insert(.folder, at: path)
      try addFolders(of: path)
    }
    for member in archive.members {
      let path = try path(of: member.name, under: folder)
      package.insert(try entry(for: member, in: archive), at: path)
      try addFolders(of: path)
      members[path] = member
    }
    try checkFolders(named: folders)
  }

  /// Returns the path of an entry in the package.
  ///
  /// - Throws: An error for a path that leads out of the package, or that has too many folders.
  private func path(
    of name: String, under folder: String?, isFolder: Bool = false
  ) throws(FerryError) -> PackagePath {
    try PackagePath.check(name)
    let path = folder.flatMap { PackagePath(name).from(PackagePath($0)) } ?? PackagePath(name)
    // As in a package on disk, the files of a folder are one level below it.
    guard path.depth + (isFolder ? 1 : 0) <= budget.depth else {
      throw PackagePath.tooDeep(path.text, budget)
    }
    return path
  }

  private func entry(
    for member: ZIPArchive.Member, in archive: ZIPArchive
  ) throws(FerryError) -> DocumentPackage.Entry {
    let limit = member.isLink ? min(PackagePath.longestPath, budget.tokenBytes) : budget.tokenBytes
    let file = PackagedFile(
      in: PackagedFile.FileInArchive(archive: archive, member: member, sizeLimit: limit))
    guard member.isLink else { return .file(file) }
    return .link(try SystemPath.text(ofTarget: file.bytes()))
  }

  /// Adds the folders of a path, of which an archive need not have entries.
  private mutating func addFolders(of path: PackagePath) throws(FerryError) {
    for folder in path.folders where package.entries[folder] == nil {
      // One long name may have hundreds of folders.
      guard package.entries.count < budget.files else { throw FerryError(.overBudget(.files(budget.files))) }
      package.insert(.folder, at: folder)
    }
  }

  /// Throws if a file would also have to be a folder.
  private func checkFolders(named folders: [PackagePath]) throws(FerryError) {
    for path in folders where members[path] != nil {
      throw FerryError(.package(.badName(path.text, "it is a file and a folder")))
    }
    for path in members.keys.sorted() {
      for folder in path.folders where members[folder] != nil {
        throw FerryError(.package(.badName(path.text, "\(MessageText.quoted(folder.text)) is not a folder")))
      }
    }
  }
}

extension ZIPArchive {
  /// The folder that contains all files and folders; nil if there is none.
  fileprivate var commonFolder: String? {
    guard let first = members.first?.name, let slash = first.utf8.firstIndex(of: UInt8(ascii: "/")) else {
      return nil
    }
    let folder = String(first[..<slash])
    let start = "\(folder)/"
    let isCommon =
      members.allSatisfy { $0.name.utf8.starts(with: start.utf8) }
      && folders.allSatisfy { "\($0)/".utf8.starts(with: start.utf8) }
    return isCommon ? folder : nil
  }
}

extension ByteInput {
  /// Returns the first bytes, as many as show if they are those of a ZIP archive. Does not wait for more of a pipe that has others.
  fileprivate func peekSignatureOfZIP() throws(FerryError) -> [UInt8] {
    try peekHead(upTo: 4) { head in !ZIPArchive.mayBegin(head) }
  }
}
