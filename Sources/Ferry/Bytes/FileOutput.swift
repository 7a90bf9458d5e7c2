internal import Synchronization

/// A file that is there when it is whole, and not before.
///
///     let output = try FileOutput(path: "people.plist")
///     …                                                  // write
///     try output.commit()
///
/// Bytes go to a temporary file beside the target, which `commit()` renames. Until then the target is untouched; if
/// `commit()` is never called, nothing is left. A symbolic link stays, and what it leads to is the target. A file that is
/// replaced gives its mode, and where we may its owner, to the new one; a new file has the mode that the umask gives it.
///
/// What is neither a file nor a directory (a device, a pipe, `/dev/stdout`) is written to directly.
///
/// Renaming makes the change whole for every other process. What replaces a file is forced to the disk (`fsync`) before it
/// takes its name: after a power failure the file is the old one or the new one. A new file is not, and may be empty then with
/// some file systems. On a file system that has neither hard links nor a way to rename to a name that is free (there are few),
/// a new file is empty for a moment before it is whole.
public final class FileOutput: ByteOutput {
  private var file: SystemFile?
  private let target: String
  /// The temporary file; nil when we write to the target itself, or when it has been dealt with.
  private var temporary: String?
  private let isReplacing: Bool
  /// Whether a file was there that is to be replaced.
  private var replacesFile = false

  /// An output that becomes the file at `path`; one that is there already is replaced only if `replacing` is true.
  public init(path: String, replacing: Bool = false) throws(Failure) {
    isReplacing = replacing
    if let stream = Self.standardStreams[path] {
      target = path
      file = SystemFile(standard: stream)
      return
    }
    let existing = try SystemPath.status(of: path)
    switch existing?.kind {
    case .directory: throw Failure(.file(.isDirectory))
    case .regular where !replacing: throw Failure(.file(.exists))
    case nil where path.hasSuffix("/"): throw Failure(.file(.isDirectory))
    case .regular, nil: break
    default:
      target = path
      file = try SystemFile(writing: path)
      return
    }
    target = try SystemPath.destination(of: path)
    if existing != nil {
      replacesFile = true
      try SystemPath.checkWritable(target)
    }
    Leftovers.remove(beside: target)
    repeat { try makeTemporary(mode: existing == nil ? 0o666 : 0o600) } while try isTakenAway()
    if let existing { try file?.take(owner: existing.owner, mode: existing.mode) }
  }

  private func makeTemporary(mode: UInt16) throws(Failure) {
    let path = SystemPath.temporary(beside: target)
    file = try Self.temporaries.withLock { names throws(Failure) in
      do throws(Failure) {
        let file = try SystemFile(creating: path, mode: mode)
        names.insert(path)
        return file
      } catch {
        throw error.ofFolder(SystemPath.folder(of: path))
      }
    }
    temporary = path
  }

  /// Returns true, and gives the temporary file up, if another program has taken it for one that was left behind before it was
  /// locked.
  private func isTakenAway() throws(Failure) -> Bool {
    guard let temporary else { return false }
    let isLocked = try file?.lock() != .heldByAnother
    let isThere = try file?.isAt(temporary) == true
    guard !isLocked || !isThere else { return false }
    abandon()
    return true
  }

  deinit { abandon() }

  /// The names of the standard streams. They may be redirected to a file, which has to be written where it stands.
  private static let standardStreams: [String: Int32] = [
    "/dev/stdout": 1, "/dev/fd/1": 1, "/proc/self/fd/1": 1, "/dev/stderr": 2, "/dev/fd/2": 2,
    "/proc/self/fd/2": 2,
  ]

  public func write(_ bytes: Span<UInt8>) throws(Failure) {
    guard file != nil else { throw Failure(.file(.notOpen)) }
    try file?.write(bytes)
  }

  /// What the file is that will be put in its place; nil when there is none any more.
  func status() throws(Failure) -> FileStatus? { try file?.status() }

  /// Puts the file in its place. After this, or a failure of it, the output takes no more.
  ///
  /// A target that has come into being since the output was opened is not replaced either, unless asked for.
  public func commit() throws(Failure) { try commit(toNew: !isReplacing) }

  /// Puts the file in its place, which nothing may have if `toNew` is true.
  func commit(toNew: Bool) throws(Failure) {
    try put { temporary, target throws(Failure) in
      if !toNew {
        try SystemPath.move(temporary, replacing: target)
      } else {
        try SystemPath.move(temporary, toNew: target)
      }
    }
  }

  /// Puts the file in the place of another, which `check` looks at when it has no name any more that others know; when that
  /// throws, the other is put back. Where a file system cannot exchange two files, nothing is checked.
  func commit(checking check: (_ old: String) throws(Failure) -> Void) throws(Failure) {
    try put { temporary, target throws(Failure) in
      // Locked while it has a temporary name, so that nobody takes it for one that was left behind.
      let old = SystemPath.isReadable(target) ? try SystemFile(readingNoLink: target) : nil
      _ = try old?.lock()
      defer { extendLifetime(old) }
      guard try SystemPath.exchange(temporary, target) else {
        return try SystemPath.move(temporary, replacing: target)
      }
      do throws(Failure) {
        try check(temporary)
      } catch {
        _ = try SystemPath.exchange(temporary, target)
        throw error
      }
      try? SystemPath.remove(temporary)
    }
  }

  /// Closes the file, and has it put in its place.
  private func put(_ place: (_ temporary: String, _ target: String) throws(Failure) -> Void) throws(Failure) {
    defer { abandon() }
    guard let file = file.take() else { throw Failure(.file(.notOpen)) }
    if replacesFile { try file.sync() }
    // Keeps the lock until the file has its name; closing the first may still say that it could not be written.
    let lock = try temporary == nil ? nil : SystemFile(sharing: file)
    defer { extendLifetime(lock) }
    try file.close()
    guard let temporary else { return }
    let target = target
    try Self.temporaries.withLock { names throws(Failure) in
      try place(temporary, target)
      names.remove(temporary)
    }
    self.temporary = nil
  }

  /// Gives up: the target stays as it is, and the temporary file goes.
  public func abandon() {
    file = nil
    guard let temporary else { return }
    self.temporary = nil
    Self.temporaries.withLock { names in
      try? SystemPath.remove(temporary)
      names.remove(temporary)
    }
  }

  /// The temporary files of all outputs that are open, and the temporary folders of packages. Each is here exactly as
  /// long as it is there: files are made, renamed and removed under the lock.
  static let temporaries = Mutex<Set<String>>([])

  /// Gives up all outputs that are open, then ends the process by `exit`: for a program that is interrupted.
  ///
  /// No output is opened or committed once this has begun. It waits for a lock, so it is not for a signal handler but for
  /// a thread or a queue that hears of signals.
  public static func abandonAll(thenExit exit: () -> Never) -> Never {
    temporaries.withLock { names -> Never in
      for name in names where (try? SystemPath.remove(name)) == nil {
        // A folder that is still written to could not be emptied: under another name nobody finds it.
        let gone = SystemPath.sibling(of: name, named: TemporaryFolder.prefix + SystemPath.unique)
        try? SystemPath.move(name, replacing: gone)
        try? SystemPath.removeAll(gone)
      }
      exit()
    }
  }
}
