internal import Synchronization

/// A file that appears under its name only when it is complete.
///
///     let output = try FileOutput(path: "people.plist")
///     …                                                  // write
///     try output.commit()
///
/// Bytes go to a temporary file beside the target, which `commit()` renames. Until then the target is
/// unchanged; if `commit()` is never called, nothing is left. A symbolic link is kept, and its destination is
/// the target. The new file gets the mode and, if permitted, the owner of a file that it replaces; otherwise
/// the mode that the umask determines.
///
/// A target that is neither a file nor a directory (a device, a pipe, `/dev/stdout`) is written to directly.
///
/// Renaming makes the change atomic for every other process. The replacement of an existing file is flushed
/// to the disk (`fsync`) before the renaming: after a power failure the file is the old one or the new one. A
/// file without a predecessor is not flushed, and may be empty then on some file systems. On the few file
/// systems with neither hard links nor a renaming that refuses existing names, a new file is empty for a
/// moment before it is complete.
public final class FileOutput: ByteOutput {
  private var file: SystemFile?
  private let target: String
  /// The temporary file; nil if the target itself is written to, or after `commit` or `abandon`.
  private var temporary: String?
  private let isReplacing: Bool
  /// True if the output replaces an existing file.
  private var replacesFile = false

  /// Creates an output for the file at `path`. An existing file is replaced only if `replacing` is true.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - replacing: Pass true to replace an existing file.
  /// - Throws: `FileProblem.exists`, `isDirectory`, or an error of the system.
  public init(path: String, replacing: Bool = false) throws(FerryError) {
    isReplacing = replacing
    if let stream = Self.standardStreams[path] {
      target = path
      file = SystemFile(standard: stream)
      return
    }
    let existing = try SystemPath.status(of: path)
    switch existing?.kind {
    case .directory: throw FerryError(.file(.isDirectory))
    case .regular where !replacing: throw FerryError(.file(.exists))
    case nil where path.hasSuffix("/"): throw FerryError(.file(.isDirectory))
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

  private func makeTemporary(mode: UInt16) throws(FerryError) {
    let path = SystemPath.temporary(beside: target)
    file = try Self.temporaries.withLock { names throws(FerryError) in
      do throws(FerryError) {
        let file = try SystemFile(creating: path, mode: mode)
        names.insert(path)
        return file
      } catch {
        throw error.ofFolder(SystemPath.folder(of: path))
      }
    }
    temporary = path
  }

  /// Returns true, and abandons the temporary file, if another program took it for a leftover before it was
  /// locked.
  private func isTakenAway() throws(FerryError) -> Bool {
    guard let temporary else { return false }
    let isLocked = try file?.lock() != .heldByAnother
    let isThere = try file?.isAt(temporary) == true
    guard !isLocked || !isThere else { return false }
    abandon()
    return true
  }

  deinit { abandon() }

  /// The names of the standard streams. They may be redirected to a file, which must be written to directly.
  private static let standardStreams: [String: Int32] = [
    "/dev/stdout": 1, "/dev/fd/1": 1, "/proc/self/fd/1": 1, "/dev/stderr": 2, "/dev/fd/2": 2,
    "/proc/self/fd/2": 2,
  ]

  public func write(_ bytes: Span<UInt8>) throws(FerryError) {
    guard file != nil else { throw FerryError(.file(.notOpen)) }
    try file?.write(bytes)
  }

  /// Returns the status of the temporary file; nil after it was closed.
  func status() throws(FerryError) -> FileStatus? { try file?.status() }

  /// Renames the temporary file to the target. Afterwards, or after an error, the output accepts no more
  /// bytes.
  ///
  /// A target that has been created since the output was opened is not replaced either, unless `replacing` is
  /// true.
  ///
  /// - Throws: `FileProblem.exists`, or an error of the system. The target is unchanged in that case.
  public func commit() throws(FerryError) { try commit(toNew: !isReplacing) }

  /// Renames the temporary file to the target, whose name must be free if `toNew` is true.
  func commit(toNew: Bool) throws(FerryError) {
    try put { temporary, target throws(FerryError) in
      if !toNew {
        try SystemPath.move(temporary, replacing: target)
      } else {
        try SystemPath.move(temporary, toNew: target)
      }
    }
  }

  /// Exchanges the temporary file with the target, and calls `check` with the old file, which then has a name
  /// that no other program knows. If `check` throws, the files are exchanged back. On a file system that
  /// cannot exchange two files, nothing is checked.
  func commit(checking check: (_ old: String) throws(FerryError) -> Void) throws(FerryError) {
    try put { temporary, target throws(FerryError) in
      // The old file is locked while it has a temporary name, so that nobody takes it for a leftover.
      let old = SystemPath.isReadable(target) ? try SystemFile(readingNoLink: target) : nil
      _ = try old?.lock()
      defer { extendLifetime(old) }
      guard try SystemPath.exchange(temporary, target) else {
        return try SystemPath.move(temporary, replacing: target)
      }
      do throws(FerryError) {
        try check(temporary)
      } catch {
        _ = try SystemPath.exchange(temporary, target)
        throw error
      }
      try? SystemPath.remove(temporary)
    }
  }

  /// Closes the temporary file, and calls a function that renames it.
  private func put(_ place: (_ temporary: String, _ target: String) throws(FerryError) -> Void)
    throws(FerryError)
  {
    defer { abandon() }
    guard let file = file.take() else { throw FerryError(.file(.notOpen)) }
    if replacesFile { try file.sync() }
    // The lock is kept until the file has its name; closing the file may still report an error of writing.
    let lock = try temporary == nil ? nil : SystemFile(sharing: file)
    defer { extendLifetime(lock) }
    try file.close()
    guard let temporary else { return }
    let target = target
    try Self.temporaries.withLock { names throws(FerryError) in
      try place(temporary, target)
      names.remove(temporary)
    }
    self.temporary = nil
  }

  /// Removes the temporary file. The target is unchanged.
  public func abandon() {
    file = nil
    guard let temporary else { return }
    self.temporary = nil
    Self.temporaries.withLock { names in
      try? SystemPath.remove(temporary)
      names.remove(temporary)
    }
  }

  /// The temporary files of all open outputs, and the temporary folders of packages. A name is in the set
  /// exactly as long as the file exists: files are created, renamed and removed under the lock.
  static let temporaries = Mutex<Set<String>>([])

  /// Abandons all open outputs, then ends the process by `exit`: for a program that is interrupted.
  ///
  /// No output is opened or committed after this call has begun. It waits for a lock, so call it from a
  /// thread or a queue that handles signals, and not from a signal handler.
  public static func abandonAll(thenExit exit: () -> Never) -> Never {
    temporaries.withLock { names -> Never in
      for name in names where (try? SystemPath.remove(name)) == nil {
        // A folder that is still written to cannot be emptied; under another name nobody finds it.
        let gone = SystemPath.sibling(of: name, named: TemporaryFolder.prefix + SystemPath.unique)
        try? SystemPath.move(name, replacing: gone)
        try? SystemPath.removeAll(gone)
      }
      exit()
    }
  }
}
