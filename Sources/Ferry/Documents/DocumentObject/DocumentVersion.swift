/// What was at a path at a moment: which files, how large, when they were written, and what is in those that were read.
///
/// A file that is replaced by another of its name is another file, though the system may give it the old one's number when that
/// is free: so the document's own file or folder is held open, and its number is taken as long as anybody may compare. A program
/// that writes into the file where it stands changes its size or its time, but for two: one that writes within the tick of the
/// clock in which the file was written before, and one that sets the time back. So, as git does with its index, contents are
/// compared where times do not tell: when the file was changed at about the time at which the version was taken, and when
/// anything of it was changed since.
struct DocumentVersion: Sendable {
  /// One of the files.
  struct File: Equatable {
    var stamp: FileStamp
    /// When anything of it was changed last, which nobody can set.
    var changed: FileStamp.Time
  }

  /// The longest tick of any file system's clock, in seconds: that of FAT.
  private static let tick = 2

  /// By the path from the document, whose own is empty.
  private let files: [ExactString: File]
  private let file: OpenFile?
  /// A moment before anybody could change the files unnoticed.
  private let taken: FileStamp.Time
  /// Of the files that were read or written, their contents.
  private var digests: [ExactString: ContentDigest] = [:]
  /// When the document was written: of a package, the file of it that was written last.
  let modified: FileStamp.Time

  /// What is at a path; nil when there is nothing. `taken` is now, or when it was written by us.
  init?(of path: String, taken: FileStamp.Time = .now) throws(Failure) {
    guard var status = try SystemPath.status(of: path) else { return nil }
    guard status.kind == .regular || status.kind == .directory else {
      throw Failure(.document(.neitherFileNorFolder))
    }
    file = try? OpenFile(path)
    // The one that is held, should it have been replaced just now.
    if let file { status = try file.status() }
    var files: [ExactString: File] = ["": status.known]
    if status.kind == .directory { try files.add(filesIn: path) }
    self.files = files
    self.taken = taken
    modified = files.values.map(\.stamp.modified).max() ?? status.stamp.modified
  }

  /// The version whose files hold this.
  func holding(_ contents: DocumentContents) -> DocumentVersion {
    var version = self
    switch contents {
    case .file(let bytes): version.digests = ["": ContentDigest(of: bytes)]
    case .package(let package):
      for (path, digest) in package.digests { version.digests["/\(path.text)"] = digest }
    }
    return version
  }

  /// The version whose one file holds contents of this digest.
  func holding(_ digest: ContentDigest) -> DocumentVersion {
    var version = self
    version.digests = ["": digest]
    return version
  }

  /// True if the files were last changed so long ago that another change shows in their times.
  var isSettled: Bool { files.values.allSatisfy { $0.changed.seconds + Self.tick < taken.seconds } }

  /// The version whose files hold what those of another one hold.
  func holding(contentsOf other: DocumentVersion) -> DocumentVersion {
    var version = self
    version.digests = other.digests
    return version
  }

  /// Whether the file that this was is no longer anywhere.
  var isRemoved: Bool { ((try? file?.status().links) ?? 0) == 0 }

  /// Whether the document itself is this file.
  func isFile(_ status: FileStatus) -> Bool { files[""]?.stamp == status.known.stamp }

  /// Whether not even an attribute of a file has changed.
  func isIdentical(to other: DocumentVersion) -> Bool { files == other.files }

  /// Whether the files are those of another version, as far as can be seen without reading them.
  func hasFiles(of other: DocumentVersion) -> Bool {
    files.count == other.files.count && files.allSatisfy { $0.value.stamp == other.files[$0.key]?.stamp }
  }

  /// Whether the files, which are at a path now, are and hold what they did in an older version.
  func isSame(as old: DocumentVersion, at path: String) throws(Failure) -> Bool {
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
  /// What a version knows of it. A folder's own size and times say only that names came and went, and we know the names.
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
  /// Adds what is in a folder and in those below it. Links are looked at, not followed.
  fileprivate mutating func add(filesIn root: String) throws(Failure) {
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

  /// What others put into every folder that they look at, and what a killed process left.
  private static func isForeign(_ name: String) -> Bool {
    name == ".DS_Store" || SystemPath.isTemporary(name)
  }
}

/// A file that is kept open by all who know it.
private final class OpenFile: Sendable {
  private let file: SystemFile

  init(_ path: String) throws(Failure) { file = try SystemFile(reading: path) }

  func status() throws(Failure) -> FileStatus { try file.status() }
}
