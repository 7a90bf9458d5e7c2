/// What was at a path at a moment: which files, how large, and when they were written.
///
/// Equal versions are the same files, not written since. A file that is replaced by another of its name is another file,
/// though the system may give it the old one's number when that is free: so the document's own file or folder is held open,
/// and its number is taken as long as anybody may compare. A program that writes into the file where it stands changes its
/// size or its time, unless it does so within the tick of the system's clock (4 ms at most) in which it was written before.
struct DocumentVersion: Equatable, Sendable {
  /// By the path from the document, whose own is empty.
  private let stamps: [String: FileStamp]
  private let file: OpenFile?
  /// When the document was written: of a package, the file of it that was written last.
  let modified: FileStamp.Time

  /// What is at a path now; nil when there is nothing.
  init?(of path: String) throws(Failure) {
    guard var status = try SystemPath.status(of: path) else { return nil }
    guard status.kind == .regular || status.kind == .directory else {
      throw Failure(.document(.badContents("this is neither a file nor a folder")))
    }
    file = try? OpenFile(path)
    // The one that is held, should it have been replaced just now.
    if let file { status = try file.status() }
    var stamps = ["": status.known]
    if status.kind == .directory { try stamps.add(filesIn: path) }
    self.stamps = stamps
    modified = stamps.values.map(\.modified).max() ?? status.stamp.modified
  }

  /// Whether the file that this was is no longer anywhere.
  var isRemoved: Bool { ((try? file?.status().links) ?? 0) == 0 }

  /// Whether the document itself is this file.
  func isFile(_ status: FileStatus) -> Bool { stamps[""] == status.known }

  static func == (a: DocumentVersion, b: DocumentVersion) -> Bool { a.stamps == b.stamps }
}

extension FileStatus {
  /// What a version knows of it. A folder's own size and time say only that names came and went, and we know the names.
  fileprivate var known: FileStamp {
    var known = stamp
    if kind == .directory { (known.size, known.modified) = (0, FileStamp.Time(seconds: 0, nanoseconds: 0)) }
    return known
  }
}

extension [String: FileStamp] {
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
