// This folder contains all system calls for files. The rest of the library uses `SystemFile` and
// `SystemPath`, which hide the differences between systems.

#if canImport(System)
  internal import System
#else
  internal import SystemPackage
#endif

internal import CSystemCalls

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// An open file. It is closed when the value is destroyed.
struct SystemFile: ~Copyable {
  private let descriptor: FileDescriptor
  /// True if the file is closed when the value is destroyed, false for the standard streams.
  private let isOwned: Bool

  /// Opens a file for reading.
  init(reading path: String) throws(FerryError) {
    descriptor = try openedFile(path, O_RDONLY)
    isOwned = true
  }

  /// Opens a file for reading. Its path need not be UTF-8.
  init(readingBytes path: [UInt8]) throws(FerryError) {
    descriptor = try openedFile(bytes: path)
    isOwned = true
  }

  /// Opens a file for reading. Throws if the path is a symbolic link.
  init(readingNoLink path: String) throws(FerryError) {
    // Without `O_NONBLOCK`, this would wait if a pipe is at the path now.
    descriptor = try openedFile(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    isOwned = true
  }

  /// Opens an existing device or pipe for writing.
  init(writing path: String) throws(FerryError) {
    descriptor = try openedFile(path, O_WRONLY)
    isOwned = true
  }

  /// Creates a file. Throws if it exists. The umask is applied to the mode.
  init(creating path: String, mode: UInt16) throws(FerryError) {
    descriptor = try openedFile(path, O_RDWR | O_CREAT | O_EXCL, mode: mode_t(mode))
    isOwned = true
  }

  /// Creates a file at a path in the folder for temporary files.
  static func inTemporaryFolder(_ path: String) throws(FerryError) -> SystemFile {
    do throws(FerryError) {
      let file = try SystemFile(creating: path, mode: 0o600)
      // The lock shows other programs that the file is not a leftover.
      _ = try? file.lock()
      return file
    } catch {
      throw error.ofTemporaryFolder
    }
  }

  /// Creates a temporary file under a name of its own.
  ///
  /// - Parameter path: Receives the path of the file, which the caller removes.
  static func temporary(at path: inout String) throws(FerryError) -> SystemFile {
    do throws(FerryError) {
      // Another program may remove the new file as a leftover before it is locked, so creating it is repeated.
      for _ in 0..<16 {
        path = SystemPath.temporary
        let file = try SystemFile(creating: path, mode: 0o600)
        if try file.isKept() { return file }
      }
      throw FerryError(.file(.system("no temporary file could be made")))
    } catch {
      throw error.ofTemporaryFolder
    }
  }

  /// Creates an unlinked temporary file, which disappears when it is closed.
  static func temporary() throws(FerryError) -> SystemFile {
    var path = ""
    let file = try temporary(at: &path)
    do throws(FerryError) { try SystemPath.remove(path) } catch { throw error.ofTemporaryFolder }
    return file
  }

  /// Locks a new temporary file, which shows other programs that it is not a leftover. Returns false if one of them has removed the file
  /// before, or is about to.
  borrowing func isKept() throws(FerryError) -> Bool {
    guard try lock() != .heldByAnother else { return false }
    return try status().links > 0
  }

  /// Duplicates the descriptor of an open file. The file's lock is kept until both are closed.
  init(sharing other: borrowing SystemFile) throws(FerryError) {
    try self.init(duplicating: other.descriptor.rawValue)
  }

  /// Duplicates a descriptor.
  init(duplicating other: Int32) throws(FerryError) {
    let number = fcntl(other, F_DUPFD_CLOEXEC, 0)
    guard number >= 0 else { throw FerryError(system: errno) }
    descriptor = FileDescriptor(rawValue: number)
    isOwned = true
  }

  /// Uses a standard stream: 0 is the standard input, 1 the standard output.
  init(standard number: Int32) {
    descriptor = FileDescriptor(rawValue: number)
    isOwned = false
  }

  deinit { if isOwned { try? descriptor.close() } }

  /// Closes the file. Some systems report write errors only when a file is closed.
  consuming func close() throws(FerryError) {
    let (descriptor, isOwned) = (descriptor, isOwned)
    discard self
    if isOwned { try attempt { try descriptor.close() } }
  }

  /// Reads into an array from index `start` on. Returns the number of bytes, which is 0 at the end of the
  /// file.
  borrowing func read(into bytes: inout [UInt8], from start: Int) throws(FerryError) -> Int {
    let descriptor = descriptor
    while true {
      do throws(FerryError) {
        return try attempt {
          try unsafe bytes.withUnsafeMutableBytes { bytes in
            try unsafe descriptor.read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[start...]))
          }
        }
      } catch {
        guard error.isOfEmptyPipe else { throw isClosedStream ? FerryError(.file(.closed)) : error }
        // Another program has set the pipe not to block, as for its own reads.
        var request = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
        _ = unsafe poll(&request, 1, -1)
      }
    }
  }

  /// Returns the next `count` bytes, or fewer at the end of the file.
  borrowing func read(upTo count: Int) throws(FerryError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var end = 0
    while end < count {
      let more = try read(into: &bytes, from: end)
      guard more > 0 else { break }
      end += more
    }
    bytes.removeLast(count - end)
    return bytes
  }

  /// Returns true if the files at two paths have the same bytes. Follows no link.
  static func haveSameBytes(_ path: String, _ other: String) throws(FerryError) -> Bool {
    let file = try SystemFile(readingNoLink: path)
    let otherFile = try SystemFile(readingNoLink: other)
    guard try file.status().size == otherFile.status().size else { return false }
    while true {
      let bytes = try file.read(upTo: 256 << 10)
      guard try bytes == otherFile.read(upTo: 256 << 10) else { return false }
      if bytes.isEmpty { return true }
    }
  }

  /// Writes all of the bytes.
  borrowing func write(_ bytes: Span<UInt8>) throws(FerryError) {
    let descriptor = descriptor
    do throws(FerryError) {
      // Not `writeAll`, for which the Swift runtime looks through all conformances of the program once.
      try attempt {
        try unsafe bytes.withUnsafeBytes { bytes in
          var start = 0
          while start < bytes.count {
            start += try unsafe descriptor.write(UnsafeRawBufferPointer(rebasing: bytes[start...]))
          }
        }
      }
    } catch {
      throw isClosedStream ? FerryError(.file(.closed)) : error
    }
  }

  /// True for a standard stream that was closed when the program started. Its descriptor is closed, or
  /// belongs to the file that `keepStandardStreams` has opened, or was reused by a library.
  private var isClosedStream: Bool {
    guard !isOwned else { return false }
    let mode = fcntl(descriptor.rawValue, F_GETFL)
    var info = stat()
    guard mode >= 0, unsafe fstat(descriptor.rawValue, &info) == 0 else { return true }
    let isOtherWay = mode & O_ACCMODE == (descriptor.rawValue == 0 ? O_WRONLY : O_RDONLY)
    return info.st_mode & S_IFMT == 0 || isOtherWay
  }

  /// Opens a file for each closed standard stream, so that no file opened later gets its descriptor and
  /// therefore its output.
  static func keepStandardStreams() {
    for number in 0...2 as ClosedRange<Int32> where fcntl(number, F_GETFD) < 0 {
      // The file is opened in the wrong direction, so that reading or writing the stream fails.
      _ = unsafe open("/dev/null", number == 0 ? O_WRONLY : O_RDONLY)
    }
  }

  /// Flushes the written bytes to disk, if the file is on a disk.
  borrowing func sync() throws(FerryError) {
    while fsync(descriptor.rawValue) != 0 {
      switch errno {
      case EINTR: continue
      case EINVAL, ENOTSUP: return
      default: throw FerryError(system: errno)
      }
    }
  }

  /// Returns the byte offset of the next read or write.
  borrowing func offset() throws(FerryError) -> Int64 {
    let descriptor = descriptor
    return try attempt { try descriptor.seek(offset: 0, from: .current) }
  }

  /// Returns the byte offset of the first read of a file that was opened by its path.
  borrowing func offsetAfterOpening() throws(FerryError) -> Int64 {
    #if os(Linux)
      return 0
    #else
      // Elsewhere, opening a path such as `/dev/fd/3` duplicates a descriptor, with its offset.
      return try offset()
    #endif
  }

  /// Sets the byte offset of the next read or write.
  borrowing func seek(to offset: Int64) throws(FerryError) {
    let descriptor = descriptor
    _ = try attempt { try descriptor.seek(offset: offset, from: .start) }
  }

  /// Removes the bytes from an offset on.
  borrowing func truncate(to size: Int64) throws(FerryError) {
    let descriptor = descriptor
    try attempt { try descriptor.resize(to: size) }
  }

  /// Returns the status of the file.
  borrowing func status() throws(FerryError) -> FileStatus {
    var info = stat()
    guard unsafe fstat(descriptor.rawValue, &info) == 0 else { throw FerryError(system: errno) }
    return FileStatus(info)
  }

  /// The result of an attempt to lock a file.
  enum Locking {
    case locked
    /// Another process, or another descriptor of this process, holds the lock.
    case heldByAnother
    /// The file system does not support locks.
    case unsupported
  }

  /// Locks the file or folder until it is closed or the process ends.
  ///
  /// The lock is advisory: it affects only programs that request it, and does not prevent reading or writing.
  borrowing func lock() throws(FerryError) -> Locking {
    guard flock(descriptor.rawValue, LOCK_EX | LOCK_NB) != 0 else { return .locked }
    switch errno {
    case EWOULDBLOCK, EINTR: return .heldByAnother
    case EBADF, EINVAL, ENOLCK, ENOTSUP, EOPNOTSUPP: return .unsupported
    case let error: throw FerryError(system: error)
    }
  }

  /// Releases the lock. Closing the file alone does not release it while a child process that has not started its
  /// program yet has a copy of the descriptor.
  borrowing func unlock() { _ = flock(descriptor.rawValue, LOCK_UN) }

  /// Returns true if this file is at a path. With `followingLinks`, follows a link at the end of the path.
  borrowing func isAt(_ path: String, followingLinks: Bool = false) throws(FerryError) -> Bool {
    let stamp = try status().stamp
    return try SystemPath.status(of: path, followingLinks: followingLinks)?.stamp.isSameFile(as: stamp)
      ?? false
  }

  /// Returns true if a read would block.
  borrowing func wouldWait() -> Bool {
    var request = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&request, 1, 0) == 0
  }

  /// Lets a pipe hold a mebibyte, the most that the system usually allows, so that its writer need not wait for each read.
  borrowing func enlargePipe() { ferry_enlarge_pipe(descriptor.rawValue, 1 << 20) }

  /// Waits until a read would not have to, or until a time has passed. Returns false in the latter case.
  borrowing func receives(within time: Duration) -> Bool {
    let start = ContinuousClock.now
    var left = time
    while true {
      var request = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
      let count = unsafe poll(&request, 1, left.milliseconds)
      // A signal ends the call early.
      guard count < 0, errno == EINTR else { return count != 0 }
      left = max(time - start.duration(to: .now), .zero)
    }
  }

  /// Sets the modification time of the file.
  borrowing func take(modified time: FileStamp.Time) throws(FerryError) {
    let moment = timespec(tv_sec: time_t(time.seconds), tv_nsec: numericCast(time.nanoseconds))
    let times = [moment, moment]
    guard unsafe futimens(descriptor.rawValue, times) == 0 else { throw FerryError(system: errno) }
  }

  /// Sets the mode of the file.
  borrowing func take(mode: UInt16) throws(FerryError) {
    guard fchmod(descriptor.rawValue, mode_t(mode)) == 0 else { throw FerryError(system: errno) }
  }

  /// Sets the owner of the file, if permitted, its access control list, its extended attributes and its mode.
  ///
  /// - Parameter path: The path of the file with the list and the attributes.
  borrowing func take(
    owner: FileStatus.Owner, mode: UInt16, attributesOf path: String
  ) throws(FerryError) {
    _ = fchown(descriptor.rawValue, owner.user, owner.group)
    // A change of the owner removes some attributes, so it comes first. The mode comes last, because the access control list without it
    // could permit more.
    takeAttributes(of: path)
    guard fchmod(descriptor.rawValue, mode_t(mode)) == 0 else { throw FerryError(system: errno) }
  }
}

extension SystemFile {
  #if canImport(Darwin)
    /// Copies the extended attributes of the file at a path, and its access control list, as far as that is permitted.
    borrowing func takeAttributes(of path: String) {
      guard let source = try? SystemFile(reading: path) else { return }
      let flags = copyfile_flags_t(COPYFILE_ACL | COPYFILE_XATTR)
      _ = unsafe fcopyfile(source.descriptor.rawValue, descriptor.rawValue, nil, flags)
    }
  #else
    /// Copies the extended attributes of the file at a path, as far as that is permitted. The access control list is one of them.
    borrowing func takeAttributes(of path: String) {
      guard let path = try? SystemPath.checked(path) else { return }
      let size = unsafe listxattr(path, nil, 0)
      guard size > 0 else { return }
      var names = [CChar](repeating: 0, count: size)
      let count = unsafe listxattr(path, &names, size)
      guard count > 0 else { return }
      for name in names.prefix(count).split(separator: 0) { takeAttribute(Array(name) + [0], of: path) }
    }

    /// Copies an extended attribute.
    ///
    /// - Parameter name: The name, with a zero at the end.
    private borrowing func takeAttribute(_ name: [CChar], of path: String) {
      let size = unsafe getxattr(path, name, nil, 0)
      guard size >= 0 else { return }
      var value = [UInt8](repeating: 0, count: size)
      let count = unsafe getxattr(path, name, &value, size)
      guard count >= 0 else { return }
      _ = unsafe fsetxattr(descriptor.rawValue, name, value, count, 0)
    }
  #endif
}

extension SystemFile {
  /// Maps the file's bytes into memory. The file may be closed afterward.
  borrowing func mapped() throws(FerryError) -> MappedFile {
    let size = try status().size
    guard size > 0 else { throw FerryError(.file(.empty)) }
    let start = unsafe mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor.rawValue, 0)
    guard let start = unsafe start, unsafe start != MAP_FAILED else { throw FerryError(system: errno) }
    return unsafe MappedFile(start, count: size)
  }
}

/// Opens the file at a path. Makes no `FilePath`, which takes time, unless the path has redundant slashes.
private func openedFile(
  _ path: String, _ flags: Int32, mode: mode_t = 0
) throws(FerryError) -> FileDescriptor {
  let path = SystemPath.withSingleSlashes(try SystemPath.checked(path))
  while true {
    let number = unsafe open(path, flags | O_CLOEXEC, mode)
    guard number < 0 else { return FileDescriptor(rawValue: number) }
    guard errno == EINTR else { throw FerryError(system: errno) }
  }
}

/// Opens the file at a path, which need not be UTF-8, for reading.
private func openedFile(bytes path: [UInt8]) throws(FerryError) -> FileDescriptor {
  guard !path.contains(0) else { throw SystemPath.hasNUL }
  let path = path.map { CChar(bitPattern: $0) } + [0]
  return try attempt { try .open(FilePath(platformString: path), .readOnly, options: .closeOnExec) }
}

/// Makes a system call. Converts its error to a `FerryError`.
private func attempt<Result>(_ call: () throws -> Result) throws(FerryError) -> Result {
  do { return try call() } catch { throw FerryError(error as? Errno ?? Errno(rawValue: EIO)) }
}

extension FerryError {
  /// True for the error of a read for which no byte has arrived, if the descriptor does not block.
  fileprivate var isOfEmptyPipe: Bool {
    if case .file(.system(_, let number)) = reason {
      number == EAGAIN || number == EWOULDBLOCK
    } else {
      false
    }
  }
}

extension Duration {
  /// The number of milliseconds, at most a thousand seconds.
  fileprivate var milliseconds: Int32 {
    let (seconds, attoseconds) = components
    return Int32(clamping: min(seconds, 1000) * 1000 + attoseconds / 1_000_000_000_000_000)
  }
}
