/// Operations on folders.
package enum Folder {
  /// Returns true if a folder is at a path. A folder that a killed program has moved aside is first restored.
  package static func isFolder(_ path: String) -> Bool {
    let status = try? FolderAside.finding(path) { () throws(FerryError) in
      guard let status = try SystemPath.status(of: path) else { throw FerryError(.file(.notFound)) }
      return status
    }
    return status?.kind == .directory
  }

  /// Returns true if a path is that of a file or folder, or does not exist, but is not a pipe or a device.
  package static func isFileOrFolder(_ path: String) -> Bool {
    (try? SystemPath.status(of: path))??.kind != .other
  }

  /// Returns true if a path is that of a regular file after resolving links.
  package static func isFile(_ path: String) -> Bool {
    (try? SystemPath.status(of: path))??.kind == .regular
  }

  /// Returns true if a symbolic link is at a path.
  package static func isLink(_ path: String) -> Bool {
    (try? SystemPath.status(of: path, followingLinks: false))??.kind == .link
  }

  /// Returns true if two paths refer to the same file or folder after resolving links. A terminal or another
  /// character device is never the same: what is written to it does not replace what is read from it.
  ///
  /// Two paths of one name in one folder are the same even if another program replaces the file meanwhile.
  package static func isSame(_ path: String, _ other: String) -> Bool {
    guard let a = (try? SystemPath.status(of: path)) ?? nil, !a.isCharacterDevice else { return false }
    // If the file is replaced before its other path is looked up, the identities are different.
    if isSameName(path, other) { return true }
    guard let b = (try? SystemPath.status(of: other)) ?? nil else { return false }
    return a.stamp.isSameFile(as: b.stamp)
  }

  /// Returns true if a path leads into a folder, or into a folder inside of it, after resolving links.
  package static func contains(_ folder: String, _ path: String) -> Bool {
    guard isFolder(folder), let wanted = identity(of: folder) else { return false }
    return folders(containing: path).contains(wanted)
  }

  /// Returns the folders that a path leads into after resolving links, from the innermost one that exists.
  package static func folders(containing path: String) -> [Identity] {
    guard var parent = (try? SystemPath.destination(of: path)).map(containing) else { return [] }
    while !hasSomething(at: parent), parent != containing(parent) { parent = containing(parent) }
    var folders: [Identity] = []
    while let found = identity(of: parent), found != folders.last {
      folders.append(found)
      parent += "/.."
    }
    return folders
  }

  /// Returns the path of the file in a folder, or in a folder inside of it, that has an identity.
  package static func file(in folder: String, of identity: Identity) -> String? {
    listing(under: folder).files.first { Folder.identity(of: $0) == identity }
  }

  /// Returns true if two paths, after resolving links, have the same name in the same folder.
  private static func isSameName(_ path: String, _ other: String) -> Bool {
    if path.equals(other) { return true }
    guard let a = try? SystemPath.destination(of: path), let b = try? SystemPath.destination(of: other),
      SystemPath.name(of: a).equals(SystemPath.name(of: b)),
      let folder = (try? SystemPath.status(of: SystemPath.folder(of: a))) ?? nil,
      let otherFolder = (try? SystemPath.status(of: SystemPath.folder(of: b))) ?? nil
    else { return false }
    return folder.stamp.isSameFile(as: otherFolder.stamp)
  }

  /// A name in a folder, which several paths can lead to.
  package struct Location: Hashable, Sendable {
    private let folder: Identity
    private let name: [UInt8]

    /// Creates the location of a path that is not that of a link.
    ///
    /// - Parameter folder: The identity of the folder that contains the path.
    init(of path: String, in folder: Identity) {
      (self.folder, name) = (folder, Array(SystemPath.name(of: path).utf8))
    }
  }

  /// The identity of a file or folder, which all of its names share.
  package struct Identity: Hashable, Sendable {
    private let device: UInt64
    private let inode: UInt64

    fileprivate init(_ stamp: FileStamp) { (device, inode) = (stamp.device, stamp.inode) }
  }

  /// Returns the name in a folder that a path leads to after resolving links. Returns nil if the folder does not
  /// exist.
  package static func location(of path: String) -> Location? {
    guard let target = try? SystemPath.destination(of: path),
      let folder = identity(of: SystemPath.folder(of: target))
    else { return nil }
    return Location(of: target, in: folder)
  }

  /// Returns the identity of the file or folder at a path after resolving links, or nil if there is none.
  package static func identity(of path: String) -> Identity? {
    ((try? SystemPath.status(of: path)) ?? nil).map { Identity($0.stamp) }
  }

  /// Returns the identity of the regular file that is a standard stream, or nil if the stream is not a regular file.
  ///
  /// - Parameter number: The descriptor: 0 for the standard input, 1 for the standard output.
  package static func identity(ofStandardStream number: Int32) -> Identity? {
    guard let status = try? SystemFile(standard: number).status(), status.kind == .regular else { return nil }
    return Identity(status.stamp)
  }

  /// Returns the path of the folder that contains a file. For the standard input, `-`, this is the current
  /// folder.
  package static func containing(_ path: String) -> String { SystemPath.folder(of: path) }

  /// Returns the last name in a path. It is empty if the path has none.
  package static func name(of path: String) -> String { SystemPath.name(of: path) }

  /// Returns true if anything is at a path, even a dangling link.
  package static func hasSomething(at path: String) -> Bool {
    (try? SystemPath.status(of: path, followingLinks: false))?.map { _ in true } ?? false
  }

  /// Returns the files in a folder and its subfolders, as sorted paths that begin with the folder's path.
  /// Symbolic links are not followed.
  ///
  ///     try Folder.files(under: "documents")     // ["documents/a.plist", "documents/old/b.plist"]
  ///
  /// - Throws: An error of the system if a folder cannot be read, and `FileProblem.nameNotUTF8`.
  package static func files(under path: String) throws(FerryError) -> [String] {
    let listing = listing(under: path)
    if let first = listing.errors.first { throw first.error }
    return listing.files
  }

  /// Files in a folder and its subfolders.
  package struct Listing {
    /// The sorted paths of the files. They begin with the folder's path.
    package fileprivate(set) var files: [String] = []
    /// The paths that cannot be listed, such as those of subfolders without permission to read them.
    package fileprivate(set) var errors: [(path: String, error: FerryError)] = []
    /// The paths of the symbolic links that are not followed.
    package fileprivate(set) var links: [String] = []
  }

  /// The treatment of a subfolder in a listing.
  package enum Subfolder {
    /// The files in the subfolder are listed.
    case opened
    /// The subfolder is not opened.
    case leftOut
    /// The subfolder is listed as a file, such as a package.
    case file
  }

  /// Lists the files in a folder and its subfolders, and the paths that cannot be listed. Symbolic links to folders are
  /// not followed. Temporary files and folders of Ferry, which hold unfinished outputs, are left out.
  ///
  /// - Parameters:
  ///   - followingLinks: Pass true to list symbolic links to files.
  ///   - treatment: Returns the treatment of the subfolder at a path.
  ///   - reports: Returns true if the path of a file or folder whose name is not UTF-8 is an error. The path has U+FFFD for other bytes. The flag
  ///     is true for the path of a folder.
  package static func listing(
    under path: String, followingLinks: Bool = false,
    treatment: (String) -> Subfolder = { _ in .opened },
    reporting reports: (String, _ isFolder: Bool) -> Bool = { _, _ in true }
  ) -> Listing {
    var listing = Listing()
    var waiting = [path]
    while let next = waiting.popLast() {
      do throws(FerryError) {
        let status = try SystemPath.status(of: next, followingLinks: next == path)
        switch status?.kind {
        case .directory:
          switch next == path ? .opened : treatment(next) {
          case .opened: break
          case .leftOut: continue
          case .file:
            listing.files.append(next)
            continue
          }
          let (names, notUTF8) = try SystemPath.namesByEncoding(in: next)
          let base = next.hasSuffix("/") ? next : "\(next)/"
          listing.errors += notUTF8.filter { reports(base + $0.text, $0.mayBeFolder) }.map {
            (next, FerryError(.file(.nameNotUTF8($0.shown))))
          }
          // The next folder is taken from the end of the list.
          let lasting = names.reversed().filter { !SystemPath.isTemporary($0) && !TemporaryFolder.isName($0) }
          waiting += lasting.map { base + $0 }
        case .regular: listing.files.append(next)
        case .link where followingLinks && Folder.isFile(next): listing.files.append(next)
        case .link: listing.links.append(next)
        case .other, nil: break
        }
      } catch {
        listing.errors.append((next, error))
      }
    }
    return listing
  }

  /// Returns true if a file has changed after another one, or at the same time, or if one of them does not exist. A folder has changed
  /// when the newest file in it has, and a database also when its write-ahead log has.
  package static func isChanged(_ path: String, since other: String) -> Bool {
    guard let time = changeTime(of: path), let otherTime = changeTime(of: other) else { return true }
    return time >= otherTime || logStamp(ofDatabase: path).map { $0.modified >= otherTime } ?? false
  }

  /// Returns the stamp of the write-ahead log beside a file; nil if no log with changes exists.
  private static func logStamp(ofDatabase path: String) -> FileStamp? {
    guard let files = try? DatabaseFiles(at: path),
      let status = (try? SystemPath.status(of: files.log)) ?? nil, status.kind == .regular, status.size > 0
    else { return nil }
    return status.stamp
  }

  /// The state of the content of a file, with its write-ahead log if it is a database, or of all files in a folder.
  package struct ContentState: Sendable {
    fileprivate var file: FileStamp?
    fileprivate var isDatabase = false
    fileprivate var log: FileStamp?
    fileprivate var filesInFolder: [FileStamp] = []
  }

  /// Returns the state of the files in a folder, or nil if the path is not that of a folder.
  package static func contentState(ofFolder path: String) -> ContentState? {
    isFolder(path) ? ContentState(filesInFolder: stamps(inFolder: path)) : nil
  }

  /// Returns the state of the content of a file that is open and has not been read yet.
  package static func contentState(of input: FileInput) -> ContentState {
    guard let path = input.path else { return ContentState() }
    let isDatabase = input.mayBeDatabase
    return ContentState(
      file: input.stamp, isDatabase: isDatabase, log: isDatabase ? logStamp(ofDatabase: path) : nil)
  }

  /// Returns true if the content at a path was changed or replaced since it had a state, unless the path is that of a pipe or a device.
  package static func isChanged(_ path: String, since state: ContentState) -> Bool {
    let status = (try? SystemPath.status(of: path)) ?? nil
    guard status?.kind != .directory else {
      return state.file != nil || stamps(inFolder: path) != state.filesInFolder
    }
    let file = status.flatMap { $0.kind == .regular ? $0.stamp : nil }
    return file != state.file || !state.filesInFolder.isEmpty
      || state.isDatabase && logStamp(ofDatabase: path) != state.log
  }

  /// Returns the stamps of all files in a folder.
  private static func stamps(inFolder path: String) -> [FileStamp] {
    listing(under: path).files.compactMap { (try? SystemPath.status(of: $0))??.stamp }
  }

  /// Makes a file, or all files in a folder, a second older than another file, so that `isChanged` returns true. Does nothing for pipes
  /// and devices.
  package static func makeOlder(_ path: String, than other: String) throws(FerryError) {
    guard var time = changeTime(of: other) else { return }
    time.seconds -= 1
    for file in isFile(path) ? [path] : isFolder(path) ? listing(under: path).files : [] {
      try SystemPath.take(modified: time, for: file)
    }
  }

  /// Returns the time at which the content of a file, or of the newest file in a folder, was modified.
  private static func changeTime(of path: String) -> FileStamp.Time? {
    guard let status = (try? SystemPath.status(of: path)) ?? nil else { return nil }
    guard status.kind == .directory else { return status.stamp.modified }
    return stamps(inFolder: path).map(\.modified).max()
  }

  /// Returns the size of a regular file in bytes, or of all files in a folder. Returns nil for other inputs.
  package static func size(of path: String) -> Int? {
    guard let status = (try? SystemPath.status(of: path)) ?? nil else { return nil }
    switch status.kind {
    case .regular: return status.size
    case .directory: return listing(under: path).files.reduce(0) { $0 + (size(of: $1) ?? 0) }
    case .link, .other: return nil
    }
  }

  /// Returns the bytes of a file in a folder or its subfolders, by relative path, or nil if it does not
  /// exist. Symbolic links are not followed, because they may lead out of the folder. The name must not
  /// contain `..`.
  ///
  /// - Throws: A `FerryError` with the reason `PackageProblem.isLink` or `otherKind` if a part of the path is not a file or folder, or an
  ///   error of the system.
  package static func file(_ name: String, in folder: String) throws(FerryError) -> [UInt8]? {
    var path = folder
    for part in name.namesInPath {
      path += "/\(part)"
      switch try SystemPath.status(of: path, followingLinks: false)?.kind {
      case .regular, .directory: continue
      case nil: return nil
      case .link: throw FerryError(.package(.isLink(name)))
      case .other: throw FerryError(.package(.otherKind(name)))
      }
    }
    return try FileInput(path: path).readAll()
  }

  /// Creates a file in the folder for temporary files (`TMPDIR`, or else `/tmp`). Returns its path, which
  /// ends with `name`.
  ///
  /// - Throws: A `FerryError` with the reason `FileProblem.temporaryFolder` if no file can be created or written there.
  package static func makeTemporaryFile(named name: String, containing bytes: [UInt8]) throws(FerryError)
    -> String
  {
    let path = "\(SystemPath.temporaryFolder)/ferry-\(SystemPath.unique)-\(name)"
    do throws(FerryError) {
      let file = try SystemFile(creating: path, mode: 0o600)
      do throws(FerryError) {
        try file.write(bytes.span)
        try file.close()
      } catch {
        try? SystemPath.remove(path)
        throw error
      }
      return path
    } catch {
      throw error.ofTemporaryFolder
    }
  }

  /// Throws if no file can be created in a folder.
  ///
  /// - Throws: A `FerryError` with the reason `FileProblem.folderNotFound` or `folderNotWritable`, or another error of the system.
  package static func checkWritable(_ folder: String) throws(FerryError) {
    do throws(FerryError) {
      try SystemPath.checkWritable(folder)
    } catch {
      throw error.ofFolder(folder)
    }
  }

  /// Throws if `make` could not create a folder. Creates none.
  package static func checkMaking(_ path: String) throws(FerryError) {
    guard try !exists(path) else { return }
    let parent = parent(of: path)
    let folder = parent.isEmpty ? (path.hasPrefix("/") ? "/" : ".") : parent
    guard try exists(folder) else { return try checkMaking(folder) }
    try checkWritable(folder)
  }

  /// Returns true if a folder is at a path.
  ///
  /// - Throws: A `FerryError` with the reason `FileProblem.notADirectory` if the path is that of a file, or an error of the system.
  private static func exists(_ path: String) throws(FerryError) -> Bool {
    guard let status = try SystemPath.status(of: path) else { return false }
    guard status.kind == .directory else { throw FerryError(.file(.notADirectory)) }
    return true
  }

  /// Returns the path before the last name of a path, without the slash. It is empty for a name alone.
  private static func parent(of path: String) -> String {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) } ?? ""
  }

  /// Creates a folder and its parent folders, if they do not exist.
  ///
  /// - Throws: A `FerryError` with the reason `FileProblem.notADirectory` if the path is that of a file, or an error of the system.
  package static func make(_ path: String) throws(FerryError) {
    guard try !exists(path) else { return }
    let parent = parent(of: path)
    if !parent.isEmpty { try make(parent) }
    try SystemPath.makeFolder(path)
  }
}
