// This folder has all system calls for files. Everything else in the library uses `SystemFile` and
// `SystemPath`, which hide the differences of systems and of their errors.

#if canImport(System)
  internal import System
#else
  internal import SystemPackage
#endif

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// An open file, closed when the value is destroyed.
struct SystemFile: ~Copyable {
  private let descriptor: FileDescriptor
  /// True if the file is closed at the end; false for the standard streams.
  private let isOwned: Bool

  /// Opens a file for reading.
  init(reading path: String) throws(FerryError) {
    descriptor = try attempt { try .open(FilePath(path), .readOnly, options: .closeOnExec) }
    isOwned = true
  }

  /// Opens a file for reading, unless its name is a symbolic link.
  init(readingNoLink path: String) throws(FerryError) {
    // Without `nonBlocking`, opening a pipe that has taken the file's name would wait.
    descriptor = try attempt {
      try .open(FilePath(path), .readOnly, options: [.closeOnExec, .noFollow, .nonBlocking])
    }
    isOwned = true
  }

  /// Opens an existing device or pipe for writing.
  init(writing path: String) throws(FerryError) {
    descriptor = try attempt { try .open(FilePath(path), .writeOnly, options: .closeOnExec) }
    isOwned = true
  }

  /// Creates a file that must not exist. The umask applies to the mode.
  init(creating path: String, mode: UInt16) throws(FerryError) {
    descriptor = try attempt {
      try .open(
        FilePath(path), .readWrite, options: [.create, .exclusiveCreate, .closeOnExec],
        permissions: FilePermissions(rawValue: CModeT(mode)))
    }
    isOwned = true
    // The lock shows other programs that the file is in use.
    _ = flock(descriptor.rawValue, LOCK_EX | LOCK_NB)
  }

  /// Creates a nameless temporary file, which disappears when it is closed.
  static func temporary() throws(FerryError) -> SystemFile {
    let path = SystemPath.temporary
    do throws(FerryError) {
      let file = try SystemFile(creating: path, mode: 0o600)
      try SystemPath.remove(path)
      return file
    } catch {
      throw error.ofTemporaryFolder
    }
  }

  /// Duplicates the descriptor of an open file, which keeps its lock after the first one is closed.
  init(sharing other: borrowing SystemFile) throws(FerryError) {
    let number = fcntl(other.descriptor.rawValue, F_DUPFD_CLOEXEC, 0)
    guard number >= 0 else { throw FerryError(system: errno) }
    descriptor = FileDescriptor(rawValue: number)
    isOwned = true
  }

  /// Wraps an open file: 0 is the standard input, 1 the standard output.
  init(standard number: Int32) {
    descriptor = FileDescriptor(rawValue: number)
    isOwned = false
  }

  deinit { if isOwned { try? descriptor.close() } }

  /// Closes the file. Some systems report errors of writing only now.
  consuming func close() throws(FerryError) {
    let (descriptor, isOwned) = (descriptor, isOwned)
    discard self
    if isOwned { try attempt { try descriptor.close() } }
  }

  /// Reads into an array from index `start` on. Returns the number of bytes read, 0 at the end of the file.
  borrowing func read(into bytes: inout [UInt8], from start: Int) throws(FerryError) -> Int {
    let descriptor = descriptor
    do throws(FerryError) {
      return try attempt {
        try unsafe bytes.withUnsafeMutableBytes { bytes in
          try unsafe descriptor.read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[start...]))
        }
      }
    } catch {
      throw isClosedStream ? FerryError(.file(.closed)) : error
    }
  }

  /// Reads a number of bytes, or fewer at the end of the file.
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

  /// Writes all of the bytes.
  borrowing func write(_ bytes: Span<UInt8>) throws(FerryError) {
    let descriptor = descriptor
    do throws(FerryError) {
      try attempt {
        _ = try unsafe bytes.withUnsafeBytes { bytes in try unsafe descriptor.writeAll(bytes) }
      }
    } catch {
      throw isClosedStream ? FerryError(.file(.closed)) : error
    }
  }

  /// True for a standard stream that was closed at the start of the program. Its descriptor is then closed,
  /// or is the file that `keepStandardStreams` has opened, or a descriptor that a library has opened.
  private var isClosedStream: Bool {
    guard !isOwned else { return false }
    let mode = fcntl(descriptor.rawValue, F_GETFL)
    var info = stat()
    guard mode >= 0, unsafe fstat(descriptor.rawValue, &info) == 0 else { return true }
    let isOtherWay = mode & O_ACCMODE == (descriptor.rawValue == 0 ? O_WRONLY : O_RDONLY)
    return info.st_mode & S_IFMT == 0 || isOtherWay
  }

  /// Opens a file for each closed standard stream, so that no file opened later gets its number and its
  /// output.
  static func keepStandardStreams() {
    for number in 0...2 as ClosedRange<Int32> where fcntl(number, F_GETFD) < 0 {
      // Opened in the wrong direction, so that reading and writing fail.
      _ = unsafe open("/dev/null", number == 0 ? O_WRONLY : O_RDONLY)
    }
  }

  /// Flushes the written bytes to the disk, if the file is on one.
  borrowing func sync() throws(FerryError) {
    while fsync(descriptor.rawValue) != 0 {
      switch errno {
      case EINTR: continue
      case EINVAL, ENOTSUP: return
      default: throw FerryError(system: errno)
      }
    }
  }

  /// Returns the offset of the next byte.
  borrowing func offset() throws(FerryError) -> Int64 {
    let descriptor = descriptor
    return try attempt { try descriptor.seek(offset: 0, from: .current) }
  }

  /// Moves to an offset.
  borrowing func seek(to offset: Int64) throws(FerryError) {
    let descriptor = descriptor
    _ = try attempt { try descriptor.seek(offset: offset, from: .start) }
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
    /// Another process, or another descriptor of this one, has the lock.
    case heldByAnother
    /// The file system has no locks.
    case unsupported
  }

  /// Locks the file or folder until it is closed or the process ends.
  ///
  /// The lock affects only programs that ask for it; it does not prevent reading or writing.
  borrowing func lock() throws(FerryError) -> Locking {
    guard flock(descriptor.rawValue, LOCK_EX | LOCK_NB) != 0 else { return .locked }
    switch errno {
    case EWOULDBLOCK, EINTR: return .heldByAnother
    case EBADF, EINVAL, ENOLCK, ENOTSUP, EOPNOTSUPP: return .unsupported
    case let error: throw FerryError(system: error)
    }
  }

  /// Returns true if a path leads to this file. A link at its end is followed only if `followingLinks` is
  /// true.
  borrowing func isAt(_ path: String, followingLinks: Bool = false) throws(FerryError) -> Bool {
    let stamp = try status().stamp
    return try SystemPath.status(of: path, followingLinks: followingLinks)?.stamp.isSameFile(as: stamp)
      ?? false
  }

  /// Returns true if a read would wait for bytes.
  borrowing func wouldWait() -> Bool {
    var request = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&request, 1, 0) == 0
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

  /// Sets the owner of the file, if permitted, and the mode.
  borrowing func take(owner: FileStatus.Owner, mode: UInt16) throws(FerryError) {
    _ = fchown(descriptor.rawValue, owner.user, owner.group)
    guard fchmod(descriptor.rawValue, mode_t(mode)) == 0 else { throw FerryError(system: errno) }
  }
}

extension SystemFile {
  /// Maps the file's bytes into memory. The file may be closed afterwards.
  borrowing func mapped() throws(FerryError) -> MappedFile {
    let size = try status().size
    guard size > 0 else { throw FerryError(.file(.empty)) }
    let start = unsafe mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor.rawValue, 0)
    guard let start = unsafe start, unsafe start != MAP_FAILED else { throw FerryError(system: errno) }
    return unsafe MappedFile(start, count: size)
  }
}

/// Makes a system call, and converts its error.
private func attempt<Result>(_ call: () throws -> Result) throws(FerryError) -> Result {
  do { return try call() } catch { throw FerryError(error as? Errno ?? Errno(rawValue: EIO)) }
}
