internal import CSystemCalls

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

// The operations that packages need: folders, links, and exchanging names.
extension SystemPath {
  /// Returns the names in a folder, sorted by bytes. Throws if a name is not UTF-8.
  static func exactNames(in path: String) throws(FerryError) -> [String] {
    let (names, others) = try namesByEncoding(in: path)
    if let other = others.first { throw FerryError(.file(.nameNotUTF8(other.shown))) }
    return names
  }

  /// A name in a folder that is not UTF-8.
  struct OtherName {
    /// The name as messages show it.
    let shown: String
    /// The name with U+FFFD for bytes that are not UTF-8, to compare it with patterns.
    let text: String
    /// True if the name may be that of a folder.
    let mayBeFolder: Bool

    fileprivate init(_ bytes: [UInt8], mayBeFolder: Bool) {
      shown = MessageText.fileName(bytes)
      (text, self.mayBeFolder) = (String(decoding: bytes, as: UTF8.self), mayBeFolder)
    }
  }

  /// Returns the names in a folder, sorted by bytes, and the names that are not UTF-8.
  static func namesByEncoding(
    in path: String
  ) throws(FerryError) -> (names: [String], notUTF8: [OtherName]) {
    guard let folder = try unsafe opendir(checked(path)) else { throw FerryError(system: errno) }
    defer { unsafe closedir(folder) }
    var names: [String] = []
    var others: [OtherName] = []
    while let entry = unsafe readdir(folder) {
      let bytes = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
        let start = unsafe UnsafeRawPointer(name)
        let count = unsafe strlen(start.assumingMemoryBound(to: CChar.self))
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
      }
      guard let name = String(validating: bytes, as: UTF8.self) else {
        let type = unsafe Int32(entry.pointee.d_type)
        others.append(
          OtherName(bytes, mayBeFolder: type == Int32(DT_DIR) || type == Int32(DT_UNKNOWN)))
        continue
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return (
      names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) },
      others.sorted { $0.shown.utf8.lexicographicallyPrecedes($1.shown.utf8) }
    )
  }

  /// Creates a folder. Throws if it exists. The umask is applied to the mode.
  static func makeNewFolder(_ path: String, mode: UInt16 = 0o777) throws(FerryError) {
    guard try unsafe mkdir(checked(path), mode_t(mode)) == 0 else { throw FerryError(system: errno) }
  }

  /// Sets the owner of a folder, if permitted, and its mode.
  static func take(_ status: FileStatus, for path: String) throws(FerryError) {
    let path = try checked(path)
    _ = unsafe lchown(path, status.owner.user, status.owner.group)
    guard unsafe chmod(path, mode_t(status.mode)) == 0 else { throw FerryError(system: errno) }
  }

  /// Sets the modification time of a file. Links are followed.
  static func take(modified time: FileStamp.Time, for path: String) throws(FerryError) {
    let moment = timespec(tv_sec: time_t(time.seconds), tv_nsec: numericCast(time.nanoseconds))
    let times = [moment, moment]
    let path = try checked(path)
    guard unsafe utimensat(AT_FDCWD, path, times, 0) == 0 else { throw FerryError(system: errno) }
  }

  /// Creates a hard link to a file. Returns false if the system does not support or permit it.
  static func addName(_ other: String, to path: String) throws(FerryError) -> Bool {
    try isDone(unsafe link(checked(path), checked(other)), unless: [EPERM, EACCES, EXDEV, EMLINK])
  }

  /// Creates a symbolic link.
  static func makeLink(_ path: String, to target: String) throws(FerryError) {
    guard try unsafe symlink(checked(target), checked(path)) == 0 else { throw FerryError(system: errno) }
  }

  /// Exchanges the names of two files or folders atomically. Returns false if the file system does not
  /// support it.
  static func exchange(_ a: String, _ b: String) throws(FerryError) -> Bool {
    try isDone(unsafe ferry_exchange(checked(a), checked(b)))
  }

  /// Renames a folder to a name that does not exist, or that is the name of an empty folder.
  static func moveFolder(
    _ path: String, toNew other: String, by means: RenamingMeans = .all
  ) throws(FerryError) {
    if means.contains(.refusal), try isDone(unsafe ferry_rename_to_new(checked(path), checked(other))) {
      return
    }
    if try unsafe rename(checked(path), checked(other)) == 0 { return }
    switch errno {
    case ENOTEMPTY, ENOTDIR: throw FerryError(.file(.exists))
    case let error: throw FerryError(system: error)
    }
  }

  /// Returns true if a system call has succeeded, and false if the file system does not support it. Throws
  /// other errors.
  static func isDone(_ result: Int32, unless errors: [Int32] = []) throws(FerryError) -> Bool {
    if result == 0 { return true }
    let error = errno
    guard ([EINVAL, ENOSYS, ENOTSUP, EOPNOTSUPP] + errors).contains(error) else {
      throw FerryError(system: error)
    }
    return false
  }

  /// Removes a file, or a folder with its contents. Symbolic links are removed, not followed.
  static func removeAll(_ path: String) throws(FerryError) {
    let path = try checked(path)
    if unsafe unlink(path) == 0 || errno == ENOENT { return }
    // Each folder is removed after its contents.
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
      guard unsafe rmdir(folder) == 0 || errno == ENOENT else { throw FerryError(system: errno) }
    }
  }

  /// Returns true if the user of this process owns a file.
  static func isOurs(_ status: FileStatus) -> Bool { status.owner.user == geteuid() }
}
