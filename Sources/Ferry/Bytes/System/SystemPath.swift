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

/// Operations on paths.
enum SystemPath {
  /// Returns a path for a system call. Throws if it contains a NUL, at which the system would end it: that is the path of
  /// another file.
  static func checked(_ path: String) throws(FerryError) -> String {
    guard path.utf8.span.firstIndex(of: 0, from: 0) == nil else { throw hasNUL }
    return path
  }

  /// The error for a path that contains a NUL.
  static var hasNUL: FerryError { FerryError(.file(.system("the path has a NUL in it", errno: EINVAL))) }

  /// Returns the status of the file at a path, or nil if it does not exist. Symbolic links are followed
  /// unless `followingLinks` is false.
  static func status(of path: String, followingLinks: Bool = true) throws(FerryError) -> FileStatus? {
    let path = try checked(path)
    var info = stat()
    let result = followingLinks ? unsafe stat(path, &info) : unsafe lstat(path, &info)
    if result == 0 { return FileStatus(info) }
    if errno == ENOENT { return nil }
    throw FerryError(system: errno)
  }

  /// Returns the path after resolving symbolic links in its last component. The file need not exist.
  static func destination(of path: String) throws(FerryError) -> String {
    var path = withSingleSlashes(try checked(path))
    // The system has the same limit.
    for _ in 0..<40 {
      guard try status(of: path, followingLinks: false)?.kind == .link else { return path }
      path = FilePath(path).removingLastComponent().pushing(FilePath(try target(ofLink: path))).string
    }
    throw FerryError(system: ELOOP)
  }

  /// Returns a path without redundant slashes.
  static func withSingleSlashes(_ path: String) -> String {
    NamedPath(path) == nil ? FilePath(path).string : path
  }

  /// Returns the absolute path of a file or folder without symbolic links; nil if it does not exist.
  static func resolved(_ path: String) -> String? {
    guard let path = try? checked(path), let resolved = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(resolved) }
    return unsafe String(validatingCString: resolved)
  }

  /// Returns the target of a symbolic link. The target need not exist.
  ///
  /// - Throws: A `FerryError` with the reason `FileProblem.nameNotUTF8`, or an error of the system.
  static func target(ofLink path: String) throws(FerryError) -> String {
    var target = [CChar](repeating: 0, count: 4096)
    let count = try unsafe readlink(checked(path), &target, target.count)
    guard count >= 0 else { throw FerryError(system: errno) }
    guard count < target.count else { throw FerryError(system: ENAMETOOLONG) }
    return try text(ofTarget: target[..<count].map { UInt8(bitPattern: $0) })
  }

  /// Returns the target of a symbolic link as text. Throws if it is not UTF-8: the text would be another target.
  static func text(ofTarget bytes: [UInt8]) throws(FerryError) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw FerryError(.file(.nameNotUTF8(MessageText.fileName(bytes))))
    }
    return text
  }

  /// Returns an unused temporary path in the same folder as a path.
  static func temporary(beside path: String) -> String {
    sibling(of: path, named: temporaryName)
  }

  /// An unused path in the folder for temporary files.
  static var temporary: String { FilePath(temporaryFolder).appending(temporaryName).string }

  /// The folder for temporary files: `TMPDIR`, or else `/tmp`.
  static var temporaryFolder: String {
    let folder = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? ""
    return folder.isEmpty ? "/tmp" : folder
  }

  private static let temporaryPrefix = ".ferry-temporary-"

  private static var temporaryName: String { temporaryPrefix + unique }

  /// A unique sequence of thirteen letters and digits.
  static var unique: String {
    let digits = String(UInt64.random(in: .min ... .max), radix: 36)
    return String(repeating: "0", count: 13 - digits.count) + digits
  }

  /// Returns true if a name has the form of the names that `temporary(beside:)` returns.
  static func isTemporary(_ name: String) -> Bool { isUnique(name, after: temporaryPrefix) }

  /// Returns true if a name consists of a prefix and a sequence of the form that `unique` has.
  static func isUnique(_ name: String, after prefix: String) -> Bool {
    let digits = name.utf8.dropFirst(prefix.utf8.count)
    return name.hasPrefix(prefix) && digits.count == 13
      && digits.allSatisfy { ($0 >= 0x30 && $0 <= 0x39) || ($0 >= 0x61 && $0 <= 0x7a) }
  }

  /// Returns a path without `.`, `..` and redundant slashes. Does not access the file system.
  static func normalized(_ path: String) -> String {
    // `FilePath` would end a path at a NUL.
    (try? checked(path)).map { FilePath($0).lexicallyNormalized().string } ?? path
  }

  /// Returns the path for a name in the same folder as a path.
  static func sibling(of path: String, named name: String) -> String {
    if let path = NamedPath(path) { return String(path.folder) + name }
    return FilePath(path).removingLastComponent().appending(name).string
  }

  /// Returns the last component of a path.
  static func name(of path: String) -> String {
    NamedPath(path).map { String($0.name) } ?? FilePath(path).lastComponent?.string ?? ""
  }

  /// Returns the folder that contains a path.
  static func folder(of path: String) -> String {
    let folder =
      NamedPath(path).map { String($0.folderWithoutSlash) } ?? FilePath(path).removingLastComponent().string
    return folder.isEmpty ? "." : folder
  }

  /// Returns the names in a folder, sorted.
  static func names(in path: String) throws(FerryError) -> [String] {
    guard let folder = try unsafe opendir(checked(path)) else { throw FerryError(system: errno) }
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
  static func isReadable(_ path: String) -> Bool {
    guard let path = try? checked(path) else { return false }
    return unsafe access(path, R_OK) == 0
  }

  /// Throws if the process may not write to a file.
  static func checkWritable(_ path: String) throws(FerryError) {
    guard try unsafe access(checked(path), W_OK) == 0 else { throw FerryError(system: errno) }
  }

  /// Creates a folder. Does nothing if it exists.
  static func makeFolder(_ path: String) throws(FerryError) {
    guard try unsafe mkdir(checked(path), 0o777) == 0 || errno == EEXIST else {
      throw FerryError(system: errno)
    }
  }

  /// Removes a file or link.
  static func remove(_ path: String) throws(FerryError) {
    guard try unsafe unlink(checked(path)) == 0 else { throw FerryError(system: errno) }
  }

  /// Removes an empty folder.
  static func removeFolder(_ path: String) throws(FerryError) {
    guard try unsafe rmdir(checked(path)) == 0 else { throw FerryError(system: errno) }
  }

  /// Renames a file, replacing an existing one.
  static func move(_ path: String, replacing other: String) throws(FerryError) {
    guard try unsafe rename(checked(path), checked(other)) == 0 else { throw FerryError(system: errno) }
  }

  /// Renames a file. Throws if the new name exists. If two processes do this at the same time, one of them
  /// fails.
  static func move(
    _ path: String, toNew other: String, by means: RenamingMeans = .all
  ) throws(FerryError) {
    if means.contains(.refusal), try isDone(unsafe ferry_rename_to_new(checked(path), checked(other))) {
      return
    }
    if means.contains(.links), try addName(other, to: path) { return try remove(path) }
    // An empty file reserves the name, and is then replaced.
    try SystemFile(creating: other, mode: 0o600).close()
    do throws(FerryError) {
      try move(path, replacing: other)
    } catch {
      try? remove(other)
      throw error
    }
  }
}

/// A path that ends with a name and has single slashes, as most paths. `FilePath` takes more time to divide it.
///
///     people/ada.xml      people/   ada.xml
private struct NamedPath {
  private let path: String
  /// The index of the name in the path.
  private let start: String.Index

  /// The path before the name, with the slash. It is empty for a name alone.
  var folder: Substring { path[..<start] }
  var name: Substring { path[start...] }

  /// Divides a path. Fails if `FilePath` would change it.
  init?(_ path: String) {
    let bytes = path.utf8.span
    var start = 0
    for index in bytes.indices where bytes[index] == UInt8(ascii: "/") {
      guard index == 0 || index > start else { return nil }
      start = index + 1
    }
    guard start < bytes.count else { return nil }
    (self.path, self.start) = (path, path.utf8.index(path.startIndex, offsetBy: start))
  }

  /// The path before the name, without a slash unless it is the root folder.
  var folderWithoutSlash: Substring {
    folder.utf8.count > 1 ? folder[..<folder.utf8.index(before: folder.endIndex)] : folder
  }
}
