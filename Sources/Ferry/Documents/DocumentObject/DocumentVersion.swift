/// The version of a document at a moment: its files with their sizes and times, and digests of contents that
/// were read or written.
///
/// A replaced file is a different file with a different inode number, but the system may reuse the number of
/// a deleted file. The version therefore keeps the document's file or folder open, which reserves its number.
///
/// A program that writes into the existing file changes its size or its time, with two exceptions: a second
/// write within one tick of the file system's clock, and a program that sets the time back. If the times are
/// inconclusive, contents are compared, as git does with its index: if the file was changed shortly before
/// the version was taken, or if any attribute has changed since.
struct DocumentVersion: Sendable {
  /// A file of the version.
  struct File: Equatable {
    var stamp: FileStamp
    /// The time of the last change of any attribute (ctime), which programs cannot set.
    var changed: FileStamp.Time
  }

  /// The longest clock tick of any file system, in seconds: that of FAT.
  private static let tick = 2

  /// The files by path relative to the document. The document itself has the empty path.
  private let files: [ExactString: File]
  private let file: OpenFile?
  /// The time before which every change is included in this version.
  private let taken: FileStamp.Time
  /// The digests of the files that were read or written.
  private var digests: [ExactString: ContentDigest] = [:]
  /// The modification time of the document, or of the package's most recently written file.
  let modified: FileStamp.Time

  /// Takes the version of the document at a path.
  ///
  /// - Parameter taken: The current time, or the time at which we wrote the file.
  /// - Returns: Nil if no file exists at the path.
  init?(of path: String, taken: FileStamp.Time = .now) throws(FerryError) {
    guard var status = try SystemPath.status(of: path) else { return nil }
    guard status.kind == .regular || status.kind == .directory else {
      throw FerryError(.document(.neitherFileNorFolder))
    }
    file = try? OpenFile(path)
    // The file may have been replaced since the first status, so the status of the open file is used.
    if let file { status = try file.status() }
    var files: [ExactString: File] = ["": status.known]
    if status.kind == .directory { try files.add(filesIn: path) }
    self.files = files
    self.taken = taken
    modified = files.values.map(\.stamp.modified).max() ?? status.stamp.modified
  }

  /// Returns the version with the digests of contents.
  func containing(_ contents: DocumentContents) -> DocumentVersion {
    var version = self
    switch contents {
    case .file(let bytes): version.digests = ["": ContentDigest(of: bytes)]
    case .package(let package):
      for (path, digest) in package.digests where !path.isForeign {
        version.digests["/\(path.text)"] = digest
      }
    }
    return version
  }

  /// Returns the version of a single file with a digest.
  func containing(_ digest: ContentDigest) -> DocumentVersion {
    var version = self
    version.digests = ["": digest]
    return version
  }

  /// True if the last change of every file is so old that a later change must have a later time.
  var isSettled: Bool { files.values.allSatisfy { $0.changed.seconds + Self.tick < taken.seconds } }

  /// Returns the version with the digests of another one.
  func containing(contentsOf other: DocumentVersion) -> DocumentVersion {
    var version = self
    version.digests = other.digests
    return version
  }

  /// True if the file of this version has been deleted.
  var isRemoved: Bool { ((try? file?.status().links) ?? 0) == 0 }

  /// Returns true if the document is the file with this status.
  func isFile(_ status: FileStatus) -> Bool { files[""]?.stamp == status.known.stamp }

  /// Returns true if no attribute of any file differs.
  func isIdentical(to other: DocumentVersion) -> Bool { files == other.files }

  /// Returns true if the files have the same identities, sizes and times as those of another version. Reads
  /// no contents.
  func hasFiles(of other: DocumentVersion) -> Bool {
    files.count == other.files.count && files.allSatisfy { $0.value.stamp == other.files[$0.key]?.stamp }
  }

  /// Returns true if the files at a path, and their contents, are still those of an older version.
  func isSame(as old: DocumentVersion, at path: String) throws(FerryError) -> Bool {
    guard hasFiles(of: old) else { return false }
    for (name, digest) in old.digests {
      guard let then = old.files[name], let now = files[name] else { return false }
      let isCertain = then.changed == now.changed && then.changed.seconds + Self.tick < old.taken.seconds
      if isCertain { continue }
      guard try ContentDigest(ofFile: SystemPath.destination(of: path) + name.string) == digest else {
        return false
      }
    }
    return true
  }

  /// Returns true if the single file at a path has the contents that an older version has a digest of.
  func hasContents(of old: DocumentVersion, at path: String) -> Bool {
    guard let digest = old.digests[""] else { return false }
    // A folder in place of the file cannot be read.
    return (try? ContentDigest(ofFile: SystemPath.destination(of: path))) == digest
  }
}

extension FileStatus {
  /// The attributes that versions compare. The size and times of a folder are left out: they change only with
  /// the names in it, which the version lists.
  fileprivate var known: DocumentVersion.File {
    var known = DocumentVersion.File(stamp: stamp, changed: changed)
    if kind == .directory {
      known.stamp.size = 0
      (known.stamp.modified, known.changed) = (.zero, .zero)
    }
    return known
  }
}

extension [ExactString: DocumentVersion.File] {
  /// Adds the files in a folder and its subfolders, without files of other programs and temporary files of killed processes. Symbolic links
  /// are listed, not followed.
  fileprivate mutating func add(filesIn root: String) throws(FerryError) {
    var waiting = [""]
    while let folder = waiting.popLast() {
      for name in try SystemPath.names(in: root + folder)
      where !ForeignFile.isName(name) && !SystemPath.isTemporary(name) {
        let path = "\(folder)/\(name)"
        guard let status = try SystemPath.status(of: root + path, followingLinks: false) else { continue }
        self[path] = status.known
        if status.kind == .directory { waiting.append(path) }
      }
    }
  }
}

/// A file that stays open while any version refers to it.
private final class OpenFile: Sendable {
  private let file: SystemFile

  init(_ path: String) throws(FerryError) { file = try SystemFile(reading: path) }

  func status() throws(FerryError) -> FileStatus { try file.status() }
}
