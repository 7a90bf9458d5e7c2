// The only file with system calls for files. Everything else in the library uses `SystemFile` and
// `SystemPath`, which hide the differences of systems and of their errors.

#if canImport(System)
  internal import System
#else
  internal import SystemPackage
#endif
internal import CRenaming

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
  init(reading path: String) throws(Failure) {
    descriptor = try attempt { try .open(FilePath(path), .readOnly, options: .closeOnExec) }
    isOwned = true
  }

  /// Opens a file for reading, unless its name is a symbolic link.
  init(readingNoLink path: String) throws(Failure) {
    // Without `nonBlocking`, opening a pipe that has taken the file's name would wait.
    descriptor = try attempt {
      try .open(FilePath(path), .readOnly, options: [.closeOnExec, .noFollow, .nonBlocking])
    }
    isOwned = true
  }

  /// Opens an existing device or pipe for writing.
  init(writing path: String) throws(Failure) {
    descriptor = try attempt { try .open(FilePath(path), .writeOnly, options: .closeOnExec) }
    isOwned = true
  }

  /// Creates a file that must not exist. The umask applies to the mode.
  init(creating path: String, mode: UInt16) throws(Failure) {
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
  static func temporary() throws(Failure) -> SystemFile {
    let path = SystemPath.temporary
    do throws(Failure) {
      let file = try SystemFile(creating: path, mode: 0o600)
      try SystemPath.remove(path)
      return file
    } catch {
      throw error.ofTemporaryFolder
    }
  }

  /// Duplicates the descriptor of an open file, which keeps its lock after the first one is closed.
  init(sharing other: borrowing SystemFile) throws(Failure) {
    let number = fcntl(other.descriptor.rawValue, F_DUPFD_CLOEXEC, 0)
    guard number >= 0 else { throw Failure(system: errno) }
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
  consuming func close() throws(Failure) {
    let (descriptor, isOwned) = (descriptor, isOwned)
    discard self
    if isOwned { try attempt { try descriptor.close() } }
  }

  /// Reads into an array's bytes from `start` on. Returns their number, 0 at the end.
  borrowing func read(into bytes: inout [UInt8], from start: Int) throws(Failure) -> Int {
    let descriptor = descriptor
    do throws(Failure) {
      return try attempt {
        try unsafe bytes.withUnsafeMutableBytes { bytes in
          try unsafe descriptor.read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[start...]))
        }
      }
    } catch {
      throw isClosedStream ? Failure(.file(.closed)) : error
    }
  }

  /// Reads a number of bytes, or fewer at the end of the file.
  borrowing func read(upTo count: Int) throws(Failure) -> [UInt8] {
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
  borrowing func write(_ bytes: Span<UInt8>) throws(Failure) {
    let descriptor = descriptor
    do throws(Failure) {
      try attempt {
        _ = try unsafe bytes.withUnsafeBytes { bytes in try unsafe descriptor.writeAll(bytes) }
      }
    } catch {
      throw isClosedStream ? Failure(.file(.closed)) : error
    }
  }

  /// True for a standard stream that was closed at the start of the program: nothing is open, or the file
  /// that `keepStandardStreams` has opened in its place, or something without a kind that a library has
  /// opened for itself.
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
      // In the wrong direction, so that it can be neither read nor written.
      _ = unsafe open("/dev/null", number == 0 ? O_WRONLY : O_RDONLY)
    }
  }

  /// Flushes the written bytes to the disk, if the file is on one.
  borrowing func sync() throws(Failure) {
    while fsync(descriptor.rawValue) != 0 {
      switch errno {
      case EINTR: continue
      case EINVAL, ENOTSUP: return
      default: throw Failure(system: errno)
      }
    }
  }

  /// Returns the offset of the next byte.
  borrowing func offset() throws(Failure) -> Int64 {
    let descriptor = descriptor
    return try attempt { try descriptor.seek(offset: 0, from: .current) }
  }

  /// Moves to an offset.
  borrowing func seek(to offset: Int64) throws(Failure) {
    let descriptor = descriptor
    _ = try attempt { try descriptor.seek(offset: offset, from: .start) }
  }

  /// Returns the status of the file.
  borrowing func status() throws(Failure) -> FileStatus {
    var info = stat()
    guard unsafe fstat(descriptor.rawValue, &info) == 0 else { throw Failure(system: errno) }
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
  borrowing func lock() throws(Failure) -> Locking {
    guard flock(descriptor.rawValue, LOCK_EX | LOCK_NB) != 0 else { return .locked }
    switch errno {
    case EWOULDBLOCK, EINTR: return .heldByAnother
    case EBADF, EINVAL, ENOLCK, ENOTSUP, EOPNOTSUPP: return .unsupported
    case let error: throw Failure(system: error)
    }
  }

  /// Returns true if a path leads to this file. A link at its end is followed only if `followingLinks` is
  /// true.
  borrowing func isAt(_ path: String, followingLinks: Bool = false) throws(Failure) -> Bool {
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
  borrowing func take(modified time: FileStamp.Time) throws(Failure) {
    let moment = timespec(tv_sec: time_t(time.seconds), tv_nsec: numericCast(time.nanoseconds))
    let times = [moment, moment]
    guard unsafe futimens(descriptor.rawValue, times) == 0 else { throw Failure(system: errno) }
  }

  /// Sets the mode of the file.
  borrowing func take(mode: UInt16) throws(Failure) {
    guard fchmod(descriptor.rawValue, mode_t(mode)) == 0 else { throw Failure(system: errno) }
  }

  /// Sets the owner of the file, if permitted, and the mode.
  borrowing func take(owner: FileStatus.Owner, mode: UInt16) throws(Failure) {
    _ = fchown(descriptor.rawValue, owner.user, owner.group)
    guard fchmod(descriptor.rawValue, mode_t(mode)) == 0 else { throw Failure(system: errno) }
  }
}

extension SystemFile {
  /// Maps the file's bytes into memory. The file may be closed afterwards.
  borrowing func mapped() throws(Failure) -> MappedFile {
    let size = try status().size
    guard size > 0 else { throw Failure(.file(.empty)) }
    let start = unsafe mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor.rawValue, 0)
    guard let start = unsafe start, unsafe start != MAP_FAILED else { throw Failure(system: errno) }
    return unsafe MappedFile(start, count: size)
  }
}

/// A file's bytes mapped into memory, read by the system on access. They are unmapped when this object is
/// released.
@safe final class MappedFile {
  private let start: UnsafeMutableRawPointer
  let count: Int

  /// Takes ownership of a mapping made by `mmap`.
  @unsafe fileprivate init(_ start: UnsafeMutableRawPointer, count: Int) {
    unsafe self.start = start
    self.count = count
  }

  deinit { unsafe munmap(start, count) }

  /// The bytes, which are never written.
  var span: Span<UInt8> {
    @_lifetime(borrow self)
    get {
      let first = unsafe start.assumingMemoryBound(to: UInt8.self)
      return unsafe _overrideLifetime(Span(_unsafeStart: first, count: count), borrowing: self)
    }
  }
}

/// The status of a file, which the system provides without reading the file.
struct FileStatus {
  enum Kind { case regular, directory, link, other }
  struct Owner {
    var user: uid_t
    var group: gid_t
  }

  let kind: Kind
  /// The permissions of the owner, the group and others.
  let mode: UInt16
  let owner: Owner
  let size: Int
  /// The number of names (hard links) of the file.
  let links: Int
  let stamp: FileStamp
  /// The time of the last change of any attribute, including names and times. Programs cannot set it.
  let changed: FileStamp.Time

  fileprivate init(_ info: stat) {
    kind =
      switch info.st_mode & S_IFMT {
      case S_IFREG: .regular
      case S_IFDIR: .directory
      case S_IFLNK: .link
      default: .other
      }
    mode = UInt16(info.st_mode & 0o777)
    owner = Owner(user: info.st_uid, group: info.st_gid)
    size = Int(info.st_size)
    links = Int(info.st_nlink)
    #if canImport(Darwin)
      let (modified, changed) = (info.st_mtimespec, info.st_ctimespec)
    #else
      let (modified, changed) = (info.st_mtim, info.st_ctim)
    #endif
    stamp = FileStamp(
      device: UInt64(truncatingIfNeeded: info.st_dev), inode: UInt64(info.st_ino), size: Int(info.st_size),
      modified: FileStamp.Time(modified))
    self.changed = FileStamp.Time(changed)
  }
}

/// The properties that distinguish a file from other files, and from its own earlier versions.
struct FileStamp: Hashable, Sendable {
  struct Time: Hashable, Sendable {
    var seconds: Int
    var nanoseconds: Int
  }

  var device: UInt64
  var inode: UInt64
  var size: Int
  var modified: Time

  /// Returns true if this is the same file or folder, whatever its contents.
  func isSameFile(as other: FileStamp) -> Bool { device == other.device && inode == other.inode }
}

extension FileStamp.Time: Comparable {
  /// The zero time.
  static let zero = FileStamp.Time(seconds: 0, nanoseconds: 0)

  /// The current time of the system's clock.
  static var now: FileStamp.Time {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
    return FileStamp.Time(time)
  }

  fileprivate init(_ time: timespec) {
    self.init(seconds: Int(time.tv_sec), nanoseconds: Int(time.tv_nsec))
  }

  static func < (a: FileStamp.Time, b: FileStamp.Time) -> Bool {
    (a.seconds, a.nanoseconds) < (b.seconds, b.nanoseconds)
  }

  /// The seconds since 2001, the unit of dates everywhere else.
  var sinceReferenceDate: Double { Double(seconds) - 978_307_200 + Double(nanoseconds) / 1e9 }
}

/// Operations on the current thread.
enum SystemThread {
  /// Suspends the thread for a while, at most a second.
  static func sleep(for pause: Duration) {
    usleep(UInt32(min(pause, .seconds(1)) / .microseconds(1)))
  }
}

/// Operations on paths.
enum SystemPath {
  /// Returns the status of the file at a path, after following all symbolic links or none; nil if it does not
  /// exist.
  static func status(of path: String, followingLinks: Bool = true) throws(Failure) -> FileStatus? {
    var info = stat()
    let result = followingLinks ? unsafe stat(path, &info) : unsafe lstat(path, &info)
    if result == 0 { return FileStatus(info) }
    if errno == ENOENT { return nil }
    throw Failure(system: errno)
  }

  /// Returns the path after following symbolic links in its last component. The file need not exist.
  static func destination(of path: String) throws(Failure) -> String {
    var path = FilePath(path)
    // The system follows this many links, too.
    for _ in 0..<40 {
      guard try status(of: path.string, followingLinks: false)?.kind == .link else { return path.string }
      path = path.removingLastComponent().pushing(FilePath(try target(ofLink: path.string)))
    }
    throw Failure(system: ELOOP)
  }

  /// Returns the target of a symbolic link, which need not exist.
  static func target(ofLink path: String) throws(Failure) -> String {
    var target = [CChar](repeating: 0, count: 4096)
    let count = unsafe readlink(path, &target, target.count)
    guard count >= 0 else { throw Failure(system: errno) }
    guard count < target.count else { throw Failure(system: ENAMETOOLONG) }
    return String(decoding: target[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Returns an unused name beside a path.
  static func temporary(beside path: String) -> String {
    FilePath(path).removingLastComponent().appending(temporaryName).string
  }

  /// An unused path in the folder for temporary files.
  static var temporary: String { FilePath(temporaryFolder).appending(temporaryName).string }

  /// The folder of temporary files: `TMPDIR`, otherwise `/tmp`.
  static var temporaryFolder: String {
    let folder = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? ""
    return folder.isEmpty ? "/tmp" : folder
  }

  private static let temporaryPrefix = ".ferry-temporary-"

  private static var temporaryName: String { temporaryPrefix + unique }

  /// Thirteen unique letters and digits.
  static var unique: String {
    let digits = String(UInt64.random(in: .min ... .max), radix: 36)
    return String(repeating: "0", count: 13 - digits.count) + digits
  }

  /// Returns true if a name is one that `temporary(beside:)` makes.
  static func isTemporary(_ name: String) -> Bool {
    let digits = name.utf8.dropFirst(temporaryPrefix.utf8.count)
    return name.hasPrefix(temporaryPrefix) && digits.count == 13
      && digits.allSatisfy { ($0 >= 0x30 && $0 <= 0x39) || ($0 >= 0x61 && $0 <= 0x7a) }
  }

  /// Returns a path without `.`, `..` and redundant slashes, without consulting the file system.
  static func normalized(_ path: String) -> String { FilePath(path).lexicallyNormalized().string }

  /// Returns the path of a name in the same folder.
  static func sibling(of path: String, named name: String) -> String {
    FilePath(path).removingLastComponent().appending(name).string
  }

  /// Returns the last component of a path.
  static func name(of path: String) -> String { FilePath(path).lastComponent?.string ?? "" }

  /// Returns the folder that contains a path.
  static func folder(of path: String) -> String {
    let folder = FilePath(path).removingLastComponent().string
    return folder.isEmpty ? "." : folder
  }

  /// Returns the names in a folder, sorted.
  static func names(in path: String) throws(Failure) -> [String] {
    guard let folder = unsafe opendir(path) else { throw Failure(system: errno) }
    defer { unsafe closedir(folder) }
    var names: [String] = []
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
        unsafe String(cString: UnsafeRawPointer(name).assumingMemoryBound(to: CChar.self))
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Returns true if the process may read a file or list a folder.
  static func isReadable(_ path: String) -> Bool { unsafe access(path, R_OK) == 0 }

  /// Throws if the process may not write to a file.
  static func checkWritable(_ path: String) throws(Failure) {
    guard unsafe access(path, W_OK) == 0 else { throw Failure(system: errno) }
  }

  /// Creates a folder. An existing folder is not an error.
  static func makeFolder(_ path: String) throws(Failure) {
    guard unsafe mkdir(path, 0o777) == 0 || errno == EEXIST else { throw Failure(system: errno) }
  }

  /// Removes a name.
  static func remove(_ path: String) throws(Failure) {
    guard unsafe unlink(path) == 0 else { throw Failure(system: errno) }
  }

  /// Removes an empty folder.
  static func removeFolder(_ path: String) throws(Failure) {
    guard unsafe rmdir(path) == 0 else { throw Failure(system: errno) }
  }

  /// Renames a file, replacing an existing one.
  static func move(_ path: String, replacing other: String) throws(Failure) {
    guard unsafe rename(path, other) == 0 else { throw Failure(system: errno) }
  }

  /// Renames a file to a name that must be free. If two processes do so at the same time, one fails.
  static func move(
    _ path: String, toNew other: String, by means: RenamingMeans = .all
  ) throws(Failure) {
    if means.contains(.refusal), try isDone(unsafe ferry_rename_to_new(path, other)) { return }
    if means.contains(.links), try addName(other, to: path) { return try remove(path) }
    // The name is taken with an empty file, which is then replaced.
    try SystemFile(creating: other, mode: 0o600).close()
    do throws(Failure) {
      try move(path, replacing: other)
    } catch {
      try? remove(other)
      throw error
    }
  }
}

/// The capabilities of file systems for renaming, some of which may be missing. Without them, other calls are
/// used that guarantee less.
struct RenamingMeans: OptionSet {
  let rawValue: Int

  /// A file can have several names (`link`).
  static let links = RenamingMeans(rawValue: 1)
  /// Two files or folders can exchange their names in one step.
  static let exchange = RenamingMeans(rawValue: 2)
  /// A renaming can refuse an existing name in one step.
  static let refusal = RenamingMeans(rawValue: 4)
  /// All capabilities, each of which the system may still refuse.
  static let all: RenamingMeans = [.links, .exchange, .refusal]
}

// The operations for packages: folders, links, and exchanging two names.
extension SystemPath {
  /// Returns the names in a folder, sorted byte by byte. Throws for a name that is not UTF-8.
  static func exactNames(in path: String) throws(Failure) -> [String] {
    guard let folder = unsafe opendir(path) else { throw Failure(system: errno) }
    defer { unsafe closedir(folder) }
    var names: [String] = []
    while let entry = unsafe readdir(folder) {
      let (name, repaired) = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
        let start = unsafe UnsafeRawPointer(name).assumingMemoryBound(to: CChar.self)
        return unsafe (String(validatingCString: start), String(cString: start))
      }
      guard let name else { throw Failure(.file(.nameNotUTF8(repaired))) }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Creates a folder that must not exist. The umask applies to the mode.
  static func makeNewFolder(_ path: String, mode: UInt16 = 0o777) throws(Failure) {
    guard unsafe mkdir(path, mode_t(mode)) == 0 else { throw Failure(system: errno) }
  }

  /// Sets the owner of a folder, if permitted, and the mode.
  static func take(_ status: FileStatus, for path: String) throws(Failure) {
    _ = unsafe lchown(path, status.owner.user, status.owner.group)
    guard unsafe chmod(path, mode_t(status.mode)) == 0 else { throw Failure(system: errno) }
  }

  /// Adds a name to a file. Returns false if the system does not support or permit it.
  static func addName(_ other: String, to path: String) throws(Failure) -> Bool {
    try isDone(unsafe link(path, other), unless: [EPERM, EACCES, EXDEV, EMLINK])
  }

  /// Creates a symbolic link.
  static func makeLink(_ path: String, to target: String) throws(Failure) {
    guard unsafe symlink(target, path) == 0 else { throw Failure(system: errno) }
  }

  /// Exchanges the names of two files or folders in one step. Returns false if the file system does not
  /// support it.
  static func exchange(_ a: String, _ b: String) throws(Failure) -> Bool {
    try isDone(unsafe ferry_exchange(a, b))
  }

  /// Renames a folder to a name that is free, or that of an empty folder.
  static func moveFolder(
    _ path: String, toNew other: String, by means: RenamingMeans = .all
  ) throws(Failure) {
    if means.contains(.refusal), try isDone(unsafe ferry_rename_to_new(path, other)) { return }
    if unsafe rename(path, other) == 0 { return }
    switch errno {
    case ENOTEMPTY, ENOTDIR: throw Failure(.file(.exists))
    case let error: throw Failure(system: error)
    }
  }

  /// Returns true if a system call has succeeded, and false if the file system does not support it. Throws
  /// for other errors.
  fileprivate static func isDone(_ result: Int32, unless errors: [Int32] = []) throws(Failure) -> Bool {
    if result == 0 { return true }
    let error = errno
    guard ([EINVAL, ENOSYS, ENOTSUP, EOPNOTSUPP] + errors).contains(error) else {
      throw Failure(system: error)
    }
    return false
  }

  /// Removes a file, or a folder with its contents. Symbolic links are removed, not followed.
  static func removeAll(_ path: String) throws(Failure) {
    if unsafe unlink(path) == 0 || errno == ENOENT { return }
    // Folders are removed after their contents.
    var folders = [path]
    var waiting = [path]
    while let folder = waiting.popLast() {
      // A read-only folder could not be emptied.
      _ = unsafe chmod(folder, 0o700)
      for name in (try? exactNames(in: folder)) ?? [] {
        let inner = "\(folder)/\(name)"
        if unsafe unlink(inner) == 0 || errno == ENOENT { continue }
        folders.append(inner)
        waiting.append(inner)
      }
    }
    for folder in folders.reversed() {
      guard unsafe rmdir(folder) == 0 || errno == ENOENT else { throw Failure(system: errno) }
    }
  }

  /// Returns true if the user of this process owns a file.
  static func isOurs(_ status: FileStatus) -> Bool { status.owner.user == geteuid() }
}

/// An open folder, locked if its file system has locks, until this value is destroyed.
///
/// The lock affects only programs that ask for it, and ends with the process in any case.
struct FolderLock: ~Copyable {
  private let descriptor: FileDescriptor
  /// The identity of the folder, whatever its name is now.
  let stamp: FileStamp
  /// True if there is a lock; false on file systems without locks.
  let isLocked: Bool

  /// Opens and locks a folder; nil if it does not exist, or if another process has the lock.
  init?(_ path: String) throws(Failure) {
    let number = unsafe open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard number >= 0 else {
      if errno == ENOENT { return nil }
      throw Failure(system: errno)
    }
    let file = FileDescriptor(rawValue: number)
    var result = flock(number, LOCK_EX | LOCK_NB)
    while result != 0, errno == EINTR { result = flock(number, LOCK_EX | LOCK_NB) }
    if result != 0, errno == EWOULDBLOCK {
      try? file.close()
      return nil
    }
    var info = stat()
    guard unsafe fstat(number, &info) == 0 else {
      let error = errno
      try? file.close()
      throw Failure(system: error)
    }
    descriptor = file
    stamp = FileStatus(info).stamp
    isLocked = result == 0
  }

  /// Waits for the lock of the folder that has a name once the lock is free; nil if nothing has the name.
  ///
  /// - Throws: `DocumentProblem.busy` if the lock does not become free, or an error of the system.
  init?(waitingFor path: String, patience: Patience<FileStamp> = Patience()) throws(Failure) {
    var patience = patience
    while let status = try SystemPath.status(of: path, followingLinks: false) {
      if let lock = try FolderLock(path), try lock.isAt(path) {
        self = lock
        return
      }
      guard let pause = patience.pause(seeing: status.stamp) else { throw Failure(.document(.busy)) }
      SystemThread.sleep(for: pause)
    }
    return nil
  }

  deinit { try? descriptor.close() }

  /// Releases the folder.
  consuming func release() {}

  /// Returns true if the folder still has a name.
  func isAt(_ path: String) throws(Failure) -> Bool {
    try SystemPath.status(of: path, followingLinks: false)?.stamp.isSameFile(as: stamp) ?? false
  }
}

extension Failure {
  /// Returns the error of creating a file, attributed to its folder if that causes it.
  func ofFolder(_ folder: String) -> Failure {
    let errors: [Errno] = [.permissionDenied, .notPermitted, .readOnlyFileSystem]
    guard errors.contains(where: { Failure($0).reason == reason }), case .file(.system(let words)) = reason
    else {
      return self
    }
    return Failure(.file(.folderNotWritable(folder, words)))
  }

  /// The error of creating or writing a temporary file, attributed to the folder of temporary files.
  var ofTemporaryFolder: Failure {
    let words =
      switch reason {
      case .file(.system(let words)): words
      case .file(.notFound): reason.description
      default: nil as String?
      }
    return words.map { Failure(.file(.temporaryFolder(SystemPath.temporaryFolder, $0))) } ?? self
  }

  /// Creates the error for a failed system call.
  fileprivate init(system code: Int32) { self.init(Errno(rawValue: code)) }

  fileprivate init(_ error: Errno) {
    switch error {
    case .brokenPipe: self.init(.file(.brokenPipe))
    case .noSuchFileOrDirectory: self.init(.file(.notFound))
    case .fileExists: self.init(.file(.exists))
    case .isDirectory: self.init(.file(.isDirectory))
    default:
      // The message follows a colon, so "No such file or directory" begins in lower case.
      let words = error.description
      self.init(.file(.system(words.prefix(1).lowercased() + words.dropFirst())))
    }
  }
}

/// Makes a system call, and converts its error.
private func attempt<Result>(_ call: () throws -> Result) throws(Failure) -> Result {
  do { return try call() } catch { throw Failure(error as? Errno ?? Errno(rawValue: EIO)) }
}
