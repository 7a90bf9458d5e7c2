internal import Synchronization

/// An output to a file that becomes visible under its name only when it is complete.
///
///     let output = try FileOutput(path: "people.plist")
///     …                                                  // write the contents
///     try output.commit()
///
/// The bytes are written to a temporary file next to the target, which `commit()` renames to the target.
/// Until then, the target is unchanged. If `commit()` is never called, the temporary file is removed. If the
/// path is a symbolic link, the target is the link's destination. The new file gets the mode and, if
/// permitted, the owner, the access control list and the extended attributes of the file that it replaces, or the mode that the umask
/// determines.
///
/// A target that is neither a file nor a directory (a device, a pipe, `/dev/stdout`) is written directly.
///
/// Because of the renaming, the change is atomic for all other processes. If it replaces a file, the new file
/// is first flushed to disk (`fsync`): after a power failure, the file is either the old or the new one. A
/// file that replaces nothing is not flushed, and may then be empty on some file systems. A few file systems
/// have neither hard links nor a rename that fails for an existing name; there, a new file is empty for a
/// moment before it is complete.
public final class FileOutput: ByteOutput, ReplacingOutput {
  private var file: SystemFile?
  private let target: String
  /// The path that was given, which errors name.
  private let path: String
  /// The temporary file, or nil if the target is written directly, or after `commit` or `abandon`.
  private var temporary: String?
  private let isReplacing: Bool
  /// True if the output replaces an existing file.
  private var replacesFile = false
  /// The compressed chunks, or nil if the file is not compressed.
  private var chunks: CompressedChunks?

  /// Creates an output for the file at a path.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - replacing: Pass true to replace an existing file.
  ///   - compression: The compression of the file, or nil for none. The name of the file does not determine it.
  /// - Throws: A `FerryError` with the reason `FileProblem.exists`, `isDirectory`, or an error of the system.
  public convenience init(
    path: String, replacing: Bool = false, compression: Compression? = nil
  ) throws(FerryError) {
    do throws(FerryError) {
      try self.init(to: path, replacing: replacing, compression: compression)
    } catch {
      throw error.placed(inFile: path)
    }
  }

  /// Creates an output for a new file, at a path at which the caller has found nothing. If something is at the path after all,
  /// `commit()` throws.
  package convenience init(newAt path: String, compression: Compression?) throws(FerryError) {
    do throws(FerryError) {
      try self.init(to: path, replacing: false, isFree: true, compression: compression)
    } catch {
      throw error.placed(inFile: path)
    }
  }

  private init(
    to path: String, replacing: Bool, isFree: Bool = false, compression: Compression?
  ) throws(FerryError) {
    self.path = path
    isReplacing = replacing
    if let compression { chunks = try CompressedChunks(compression) }
    if let stream = Self.standardStreams[path] {
      target = path
      file = SystemFile(standard: stream)
      return
    }
    let (existing, mayBeLink) =
      try isFree ? (nil, false) : Self.existingFile(at: path, replacing: replacing)
    if existing?.kind == .other {
      target = path
      file = try SystemFile(writing: path)
      return
    }
    target = mayBeLink ? try SystemPath.destination(of: path) : SystemPath.withSingleSlashes(path)
    if existing != nil {
      replacesFile = true
      try Self.checkWritable(target)
    }
    Leftovers.remove(beside: target)
    repeat { try makeTemporary(mode: existing == nil ? 0o666 : 0o600) } while try isTakenAway()
    if let existing { try file?.take(owner: existing.owner, mode: existing.mode, attributesOf: target) }
  }

  /// Returns the status of the target, or nil if it does not exist, and true if the path may be a symbolic link. Throws if an output cannot
  /// have this path.
  private static func existingFile(
    at path: String, replacing: Bool
  ) throws(FerryError) -> (status: FileStatus?, mayBeLink: Bool) {
    var existing = try SystemPath.status(of: path, followingLinks: false)
    // With a slash at the end of its path, a link is followed.
    let mayBeLink = existing?.kind == .link || path.hasSuffix("/")
    if mayBeLink { existing = try SystemPath.status(of: path) }
    switch existing?.kind {
    case .directory: throw FerryError(.file(.isDirectory))
    case .regular where !replacing: throw FerryError(.file(.exists))
    case nil where path.hasSuffix("/"): throw FerryError(.file(.isDirectory))
    case .regular, .link, .other, nil: return (existing, mayBeLink)
    }
  }

  /// Throws the error that an output for a path would throw, as far as it is known without creating a file: for a run that writes
  /// nothing.
  package static func check(_ path: String, replacing: Bool) throws(FerryError) {
    guard standardStreams[path] == nil else { return }
    let (existing, mayBeLink) = try existingFile(at: path, replacing: replacing)
    let target = mayBeLink ? try SystemPath.destination(of: path) : SystemPath.withSingleSlashes(path)
    if existing != nil { try checkWritable(target) }
    guard existing?.kind != .other else { return }
    try Folder.checkWritable(SystemPath.folder(of: target))
  }

  /// Throws if an existing file may not be written.
  static func checkWritable(_ path: String) throws(FerryError) {
    do throws(FerryError) {
      try SystemPath.checkWritable(path)
    } catch {
      throw error.ofExistingFile
    }
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

  /// Locks the temporary file. Returns true if another program has removed it as a leftover before. In this case, abandons it.
  private func isTakenAway() throws(FerryError) -> Bool {
    guard temporary != nil, try file?.isKept() != true else { return false }
    abandon()
    return true
  }

  deinit { abandon() }

  /// The names of the standard streams. They may be redirected to files, which must be written directly.
  private static let standardStreams: [String: Int32] = [
    "/dev/stdout": 1, "/dev/fd/1": 1, "/proc/self/fd/1": 1, "/dev/stderr": 2, "/dev/fd/2": 2,
    "/proc/self/fd/2": 2,
  ]

  /// Returns true if a path, such as `/dev/stdout`, is that of the standard output, or `-`.
  package static func isStandardOutput(_ path: String) -> Bool { path == "-" || standardStreams[path] == 1 }

  public func write(_ bytes: Span<UInt8>) throws(FerryError) {
    guard file != nil else { throw FerryError(.file(.notOpen)) }
    do throws(FerryError) {
      guard chunks != nil else {
        try file?.write(bytes)
        return
      }
      try chunks?.append(bytes) { piece throws(FerryError) in try file?.write(piece) }
    } catch {
      throw error.placed(inFile: path)
    }
  }

  package func replaceableOffset() throws(FerryError) -> Int? {
    guard temporary != nil, chunks == nil else { return nil }
    guard let offset = try file?.offset() else { return nil }
    return Int(offset)
  }

  package func replace(_ bytes: Span<UInt8>, at offset: Int) throws(FerryError) {
    do throws(FerryError) {
      guard let end = try file?.offset() else { throw FerryError(.file(.notOpen)) }
      try file?.seek(to: Int64(offset))
      try file?.write(bytes)
      try file?.seek(to: end)
    } catch {
      throw error.placed(inFile: path)
    }
  }

  package func removeBytes(from offset: Int) throws(FerryError) {
    do throws(FerryError) {
      guard file != nil else { throw FerryError(.file(.notOpen)) }
      try file?.truncate(to: Int64(offset))
      try file?.seek(to: Int64(offset))
    } catch {
      throw error.placed(inFile: path)
    }
  }

  /// Returns the status of the temporary file, or nil if it is closed.
  func status() throws(FerryError) -> FileStatus? { try file?.status() }

  /// Renames the temporary file to the target. Afterward, or after an error, nothing can be written to the
  /// output.
  ///
  /// A target that was created after the output was opened is replaced only if `replacing` is true.
  ///
  /// - Throws: A `FerryError` with the reason `FileProblem.exists`, or an error of the system. The target is unchanged in that case.
  public func commit() throws(FerryError) {
    do throws(FerryError) { try commit(toNew: !isReplacing) } catch { throw error.placed(inFile: path) }
  }

  /// Renames the temporary file to the target. With `toNew`, throws if the target exists.
  func commit(toNew: Bool) throws(FerryError) {
    try put { temporary, target throws(FerryError) in
      if !toNew {
        try SystemPath.move(temporary, replacing: target)
      } else {
        try SystemPath.move(temporary, toNew: target)
      }
    }
  }

  /// Abandons the output if the target has the same bytes, and returns true in that case. Afterward, nothing can be written to the
  /// output.
  func abandonIfUnchanged() throws(FerryError) -> Bool {
    try chunks?.finish { piece throws(FerryError) in try file?.write(piece) }
    chunks = nil
    guard let temporary, (try? SystemFile.haveSameBytes(temporary, target)) == true else { return false }
    abandon()
    return true
  }

  /// Exchanges the temporary file with the target, and calls `check` with the path of the old file, which no
  /// other program can know. If `check` throws, exchanges the files back. On a file system that cannot
  /// exchange files, `check` is not called.
  func commit(checking check: (_ old: String) throws(FerryError) -> Void) throws(FerryError) {
    try put { temporary, target throws(FerryError) in
      // The old file is locked while it has a temporary name, so that no program removes it as a leftover.
      // A program that looks for leftovers may have opened it under its earlier, temporary name, and then
      // holds the lock for a moment.
      let old = SystemPath.isReadable(target) ? try SystemFile(readingNoLink: target) : nil
      var patience = Patience<Bool>(.milliseconds(100))
      while try old?.lock() == .heldByAnother, let pause = patience.pause(seeing: true) {
        SystemThread.sleep(for: pause)
      }
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
  private func put(_ rename: (_ temporary: String, _ target: String) throws(FerryError) -> Void)
    throws(FerryError)
  {
    defer { abandon() }
    try chunks?.finish { piece throws(FerryError) in try file?.write(piece) }
    guard let file = file.take() else { throw FerryError(.file(.notOpen)) }
    if replacesFile { try file.sync() }
    // The lock is held until the file is renamed. Closing the file may still report a write error.
    let lock = try temporary == nil ? nil : SystemFile(sharing: file)
    defer { extendLifetime(lock) }
    try file.close()
    guard let temporary else { return }
    let target = target
    try Self.temporaries.withLock { names throws(FerryError) in
      try rename(temporary, target)
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

  /// The temporary files of all open outputs, and the temporary folders of packages. The set always matches
  /// the existing files, because they are created, renamed and removed while the mutex is locked.
  static let temporaries = Mutex<Set<String>>([])

  /// Abandons all open outputs, undoes all changes of databases that are not complete, and then calls `exit`, for a program that is
  /// interrupted.
  ///
  /// No output is opened or committed after this call has begun. The call waits for a lock, so it must be
  /// made on a thread or queue that handles signals, and not in a signal handler itself.
  public static func abandonAll(thenExit exit: () -> Never) -> Never {
    temporaries.withLock { names -> Never in
      OpenChanges.undoAll()
      for name in names where (try? SystemPath.remove(name)) == nil {
        // A folder to which a file is being written cannot be emptied, so it is renamed to an unknown name.
        let gone = SystemPath.sibling(of: name, named: TemporaryFolder.prefix + SystemPath.unique)
        try? SystemPath.move(name, replacing: gone)
        try? SystemPath.removeAll(gone)
      }
      exit()
    }
  }
}
