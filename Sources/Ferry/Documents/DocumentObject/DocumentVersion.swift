/// The version of a document at a moment: its files with their sizes and times, and digests of the contents
/// that were read.
///
/// A file that replaces another of the same name is a different file, but the system may reuse the inode
/// number of a deleted file. So the version keeps the document's file or folder open, which reserves its
/// number as long as somebody may compare. A program that writes into the existing file changes its size or
/// its time, with two exceptions: a write within the same tick of the file system's clock as the previous
/// write, and a program that sets the time back. Therefore, as git does with its index, contents are compared
/// if the times are inconclusive: if the file was changed at about the time at which the version was taken,
/// or if any attribute was changed since.
struct DocumentVersion: Sendable {
  /// A file of the version.
  struct File: Equatable {
    var stamp: FileStamp
    /// The time of the last change of any attribute (ctime), which programs cannot set.
    var changed: FileStamp.Time
  }

  /// The longest tick of any file system's clock, in seconds: that of FAT.
  private static let tick = 2

  /// The files by their path relative to the document, whose own path is empty.
  private let files: [ExactString: File]
  private let file: OpenFile?
  /// A moment before which no change can have gone unnoticed.
  private let taken: FileStamp.Time
  /// The digests of the files that were read or written.
  private var digests: [ExactString: ContentDigest] = [:]
  /// The modification time of the document; for a package, that of its most recently written file.
  let modified: FileStamp.Time

  /// Takes the version at a path; nil if the path is free. `taken` is the time now, or the time when we wrote
  /// the file.
  init?(of path: String, taken: FileStamp.Time = .now) throws(FerryError) {
    guard var status = try SystemPath.status(of: path) else { return nil }
    guard status.kind == .regular || status.kind == .directory else {
      throw FerryError(.document(.neitherFileNorFolder))
    }
    file = try? OpenFile(path)
    // The status of the open file counts, in case the file was replaced just now.
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
      for (path, digest) in package.digests { version.digests["/\(path.text)"] = digest }
    }
    return version
  }

  /// Returns the version of a single file with a digest.
  func containing(_ digest: ContentDigest) -> DocumentVersion {
    var version = self
    version.digests = ["": digest]
    return version
  }

  /// True if the files were last changed so long ago that any later change shows in their times.
  var isSettled: Bool { files.values.allSatisfy { $0.changed.seconds + Self.tick < taken.seconds } }

  /// Returns the version with the digests of another one.
  func containing(contentsOf other: DocumentVersion) -> DocumentVersion {
    var version = self
    version.digests = other.digests
    return version
  }

  /// True if the file of this version has been deleted.
  var isRemoved: Bool { ((try? file?.status().links) ?? 0) == 0 }

  /// Returns true if the document itself is this file.
  func isFile(_ status: FileStatus) -> Bool { files[""]?.stamp == status.known.stamp }

  /// Returns true if not even an attribute of a file has changed.
  func isIdentical(to other: DocumentVersion) -> Bool { files == other.files }

  /// Returns true if the files are those of another version, judged without reading them.
  func hasFiles(of other: DocumentVersion) -> Bool {
    files.count == other.files.count && files.allSatisfy { $0.value.stamp == other.files[$0.key]?.stamp }
  }

  /// Returns true if the files now at a path, and their contents, are the same as in an older version.
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
}

extension FileStatus {
  /// The file with the attributes that versions compare. The size and times of a folder change only with the
  /// names in it, which the version lists anyway.
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
  /// Adds the files in a folder and its subfolders. Links are listed, not followed.
  fileprivate mutating func add(filesIn root: String) throws(FerryError) {
    var waiting = [""]
    while let folder = waiting.popLast() {
      for name in try SystemPath.names(in: root + folder) where !Self.isForeign(name) {
        let path = "\(folder)/\(name)"
        guard let status = try SystemPath.status(of: root + path, followingLinks: false) else { continue }
        self[path] = status.known
        if status.kind == .directory { waiting.append(path) }
      }
    }
  }

  /// Returns true for files that other programs create in every folder they visit, and for leftovers of
  /// killed processes.
  private static func isForeign(_ name: String) -> Bool {
    name == ".DS_Store" || SystemPath.isTemporary(name)
  }
}

/// A file that stays open as long as any version refers to it.
private final class OpenFile: Sendable {
  private let file: SystemFile

  init(_ path: String) throws(FerryError) { file = try SystemFile(reading: path) }

  func status() throws(FerryError) -> FileStatus { try file.status() }
}
